/* Motions that follow recordings. An arm is moved by known torques and recorded without noise: who
 * follows it finds the torques that were never told. */
#include "tests/identify/identify_data.h"
#include "tests/problems/problem_files.h"
#include "tests/problems/solve_file.h"

#include "problems/recordings/track.h"
#include "problems/result/result.h"
#include "problems/states.h"
#include "signals/table.h"

#include <math.h>

enum { ROWS = 60, COLUMNS = 7, ANGLE = 1, TORQUE = 4 };

/* t, three angles, three torques */
static double recorded[ROWS][COLUMNS];

static void record(void)
{
    const char *root = getenv("SALTUS_ROOT");
    trial arm = trials[1];
    sig_signals s;
    sal_diag diag = {0};
    sal_err err = {0};
    arm.nrecording = 1;
    arm.sigma = arm.sigma_force = 0;
    CHECK_OK(trial_record(&arm, root == NULL ? "." : root, 5, files_folder(), &err), err);
    CHECK_OK(sig_read(&s, files_path("arm_00.csv"), NULL, &diag, &err), err);
    CHECK(s.nrow == ROWS && s.ncol == COLUMNS);
    if (s.nrow == ROWS && s.ncol == COLUMNS) {
        memcpy(recorded, s.value, sizeof recorded);
    }
    sig_clear(&s);
    sal_diag_clear(&diag);
}

/* The recording; of the elbow nothing is known from row `from` to row `to`. */
static void write_seen(int from, int to)
{
    sal_text text = {0};
    sal_text_add(&text, "t,yaw,shoulder,elbow\n");
    for (int k = 0; k < ROWS; k++) {
        sal_text_format(&text, "%.12g,%.12g,%.12g,", recorded[k][0], recorded[k][1],
                        recorded[k][2]);
        if (k < from || k > to) {
            sal_text_format(&text, "%.12g", recorded[k][3]);
        }
        sal_text_add(&text, "\n");
    }
    files_write("seen.csv", text.data, text.length);
    sal_text_clear(&text);
}

/* how: attributes of the term that follows */
static sal_problem *read_following(const char *elbow, const char *how, const char *terms)
{
    char text[2000];
    sal_problem *p = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    snprintf(text, sizeof text,
             "<problem name='track'><model file='%s/models/payload_arm.xml'/>"
             "<data file='seen.csv' time='t' gap='.2'>"
             "<channel name='yaw' joint='yaw' columns='yaw' sigma='1e-4'/>"
             "<channel name='shoulder' joint='shoulder' columns='shoulder' sigma='1e-4'/>"
             "<channel name='elbow' joint='elbow' columns='elbow' sigma='1e-4' %s/></data>"
             "<time nstep='59' duration='.59'/><boundary type='open'/>"
             "<cost><term name='follow' data='all' %s/>%s</cost><init data='all'/></problem>",
             files_root(), elbow, how, terms);
    files_write("p.xml", text, strlen(text));
    const sal_status status = sal_problem_read(&p, files_path("p.xml"), NULL, &diag, &err);
    if (status != SAL_OK) {
        check_case_faults++;
        printf("%s\n", diag.text.data == NULL ? err.message : diag.text.data);
    }
    sal_diag_clear(&diag);
    return p;
}

static sal_result *follow(const char *terms)
{
    sal_problem *p = read_following("", "", terms);
    sal_result *r = NULL;
    sal_err err = {0};
    if (p != NULL) {
        CHECK_OK(sal_problem_solve(&r, p, 2, NULL, &err), err);
    }
    CHECK(r != NULL && r->exit_code == 0);
    sal_problem_free(p);
    return r;
}

/* weight x norm of the term at a difference of x sigma, over the norm of x as is meant */
static double ratio(const sal_problem *p, const char *name, const sal_norm *meant, double x)
{
    for (int i = 0; p != NULL && i < p->nterm; i++) {
        if (strcmp(p->term[i].feature.name, name) == 0) {
            const double r = 1e-4 * x;
            return p->term[i].weight * sal_norm_value(&p->term[i].norm, &r, 1) /
                   sal_norm_value(meant, &x, 1);
        }
    }
    return (double)NAN;
}

/* What a term adds is norm((true - measured)/sigma), with norm and p of the channel, unless the
 * term has its own. */
static void a_channel_has_its_norm(void)
{
    static const struct {
        const char *elbow, *how;
        sal_norm shoulder, meant;
    } cases[] = {
        {"", "", {SAL_NORM_QUADRATIC, 3, 2}, {SAL_NORM_QUADRATIC, 3, 2}},
        {"norm='huber'", "", {SAL_NORM_QUADRATIC, 3, 2}, {SAL_NORM_HUBER, 3, 2}},
        {"norm='cauchy' p='2'", "", {SAL_NORM_QUADRATIC, 3, 2}, {SAL_NORM_CAUCHY, 2, 2}},
        {"norm='l2' p='.5'", "", {SAL_NORM_QUADRATIC, 3, 2}, {SAL_NORM_L2, .5, 2}},
        {"norm='power' p='1.5'", "", {SAL_NORM_QUADRATIC, 3, 2}, {SAL_NORM_POWER, 1.5, 2}},
        {"norm='cauchy' p='2'", "p='4'", {SAL_NORM_QUADRATIC, 3, 2}, {SAL_NORM_CAUCHY, 4, 2}},
        {"norm='cauchy' p='2'",
         "norm='huber' p='1'",
         {SAL_NORM_HUBER, 1, 2},
         {SAL_NORM_HUBER, 1, 2}},
        {"norm='smoothabs2' p='2'",
         "q='3'",
         {SAL_NORM_QUADRATIC, 3, 2},
         {SAL_NORM_SMOOTHABS2, 2, 3}},
    };
    write_seen(ROWS, ROWS);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sal_problem *p = read_following(cases[i].elbow, cases[i].how, "");
        for (double x = .1; x < 100; x *= 4) {
            CHECK_NEAR(ratio(p, "follow:elbow", &cases[i].meant, x), 1, 1e-9);
            CHECK_NEAR(ratio(p, "follow:shoulder", &cases[i].shoulder, x), 1, 1e-9);
        }
        sal_problem_free(p);
    }
}

/* Largest difference of joint or actuator i over the rows */
static double off(const double *found, int column, int i, int from, int to)
{
    double most = 0;
    for (int k = from; k <= to; k++) {
        const double difference = found[k * 3 + i] - recorded[k][column + i];
        most = fabs(difference) > most || isnan(difference) ? fabs(difference) : most;
    }
    return most;
}

static void torques_come_out_that_were_never_told(void)
{
    write_seen(ROWS, ROWS);
    sal_result *r = follow("");
    for (int i = 0; r != NULL && i < 3; i++) {
        CHECK_NEAR(off(r->qpos, ANGLE, i, 0, ROWS - 1), 0, 1e-6);
        CHECK_NEAR(off(r->ctrl, TORQUE, i, 1, ROWS - 2), 0, 2e-3);
        printf("     joint %d: %.1e rad, %.1e N m off\n", i, off(r->qpos, ANGLE, i, 0, ROWS - 1),
               off(r->ctrl, TORQUE, i, 1, ROWS - 2));
    }
    sal_result_free(r);
}

/* Over a gap of .1 s the motion is as calm as the term wants it, and the others are followed as
 * before. */
static void gaps_are_bridged(void)
{
    write_seen(20, 29);
    sal_result *r = follow("<term name='calm' joint='all' of='acc' sigma='1e4'/>");
    if (r != NULL) {
        printf("     elbow %.1e rad off in the gap, %.1e outside, shoulder %.1e\n",
               off(r->qpos, ANGLE, 2, 20, 29), off(r->qpos, ANGLE, 2, 30, ROWS - 1),
               off(r->qpos, ANGLE, 1, 0, ROWS - 1));
        CHECK_NEAR(off(r->qpos, ANGLE, 2, 20, 29), 0, .005);
        CHECK_NEAR(off(r->qpos, ANGLE, 2, 0, 19), 0, 1e-4);
        CHECK_NEAR(off(r->qpos, ANGLE, 2, 30, ROWS - 1), 0, 1e-4);
        CHECK_NEAR(off(r->qpos, ANGLE, 1, 0, ROWS - 1), 0, 1e-4);
    }
    sal_result_free(r);
}

/* A problem about 60 rows at 30 Hz, which last 59/30 s = 1.96666.. s; the motion lasts so long. */
static sal_status read_as_long(sal_problem **p, const char *duration, sal_diag *diag)
{
    char text[1000];
    sal_err err = {0};
    snprintf(text, sizeof text,
             "<problem name='track'><model file='%s/models/payload_arm.xml'/>"
             "<data file='bare.csv' rate='30'>"
             "<channel name='yaw' joint='yaw' columns='column1' sigma='1e-4'/></data>"
             "<time nstep='59' duration='%s'/><boundary type='open'/>"
             "<cost><term name='follow' data='all'/></cost><init data='all'/></problem>",
             files_root(), duration);
    files_write("p.xml", text, strlen(text));
    return sal_problem_read(p, files_path("p.xml"), NULL, diag, &err);
}

/* Durations are written with few decimals: up to a hundredth of a sample, 1/3000 s, beyond the last
 * sample the last sample holds. */
static void durations_are_rounded(void)
{
    sal_text text = {0};
    sal_problem *p = NULL;
    sal_diag diag = {0};
    double value = 0;
    for (int k = 0; k < ROWS; k++) {
        sal_text_format(&text, "%.9f,0\n", .3 * sin(.1 * k));
    }
    files_write("bare.csv", text.data, text.length);
    sal_text_clear(&text);
    CHECK(read_as_long(&p, "1.9667", &diag) == SAL_OK && diag.nerror == 0);
    if (p != NULL) {
        const prb_channel *c = p->data->channel;
        CHECK(prb_track_at(p->data, c, p->duration, &value));
        CHECK_NEAR(value, .3 * sin(5.9), 1e-9);
        CHECK(prb_track_at(p->data, c, 59 / 30. + .0003, &value));
        CHECK_NEAR(value, .3 * sin(5.9), 1e-9);
        CHECK(!prb_track_at(p->data, c, 59 / 30. + .0004, &value));
        CHECK(!prb_track_at(p->data, c, -.0003, &value));
        CHECK(prb_track_at(p->data, c, 58.995 / 30, &value)); /* between two samples as before */
        CHECK_NEAR(value, .3 * (.005 * sin(5.8) + .995 * sin(5.9)), 1e-9);
    }
    sal_problem_free(p);
    p = NULL;
    CHECK(read_as_long(&p, "1.96701", &diag) == SAL_BADINPUT && p == NULL);
    CHECK(strstr(diag.text.data, "the motion lasts 1.96701 s, but the recording of channel 'yaw' "
                                 "only 1.96666667 s") != NULL);
    sal_diag_clear(&diag);
}

/* A recording that cannot be read is not said to be too short, too. */
static void what_is_missing_is_said_once(void)
{
    sal_text text = {0};
    sal_problem *p = NULL;
    sal_diag diag = {0};
    for (int k = 0; k < ROWS; k++) {
        sal_text_format(&text, k == 20 ? "nan,0\n" : "%.9f,0\n", .3 * sin(.1 * k));
    }
    files_write("bare.csv", text.data, text.length);
    sal_text_clear(&text);
    CHECK(read_as_long(&p, "1.9", &diag) == SAL_BADINPUT && p == NULL && diag.nerror == 1);
    CHECK(strstr(diag.text.data, "numbers are missing for 1 sample") != NULL);
    sal_diag_clear(&diag);
}

/* A wheel whose rim is followed goes on turning beyond the half turn: its angle does not jump back
 * by a whole one. */
static void angles_go_on_beyond_half_a_turn(void)
{
    static const char wheel[] =
        "<mujoco><option gravity='0 0 0'/><worldbody><body><joint name='axle' axis='0 0 1'/>"
        "<geom type='sphere' size='.1' mass='1'/><site name='rim' pos='1 0 0'/></body></worldbody>"
        "<actuator><motor joint='axle'/></actuator></mujoco>";
    static const char problem[] =
        "<problem name='wheel'><model file='wheel.xml'/><data file='rim.csv' time='t' up='z'>"
        "<channel name='rim' site='rim' columns='x y z' sigma='.001'/></data>"
        "<time nstep='40' duration='.4'/><boundary type='open'/>"
        "<cost><term name='follow' data='all'/></cost><init data='all'/></problem>";
    sal_text text = {0};
    sal_problem *p = NULL;
    sal_result *r = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    sal_text_add(&text, "t,x,y,z\n");
    for (int k = 0; k <= 40; k++) {
        const double angle = 5 * k / 40.;
        sal_text_format(&text, "%.2f,%.12g,%.12g,0\n", k / 100., cos(angle), sin(angle));
    }
    files_write("wheel.xml", wheel, strlen(wheel));
    files_write("rim.csv", text.data, text.length);
    files_write("wheel_problem.xml", problem, strlen(problem));
    CHECK_OK(sal_problem_read(&p, files_path("wheel_problem.xml"), NULL, &diag, &err), err);
    if (p != NULL) {
        CHECK_OK(sal_problem_solve(&r, p, 1, NULL, &err), err);
    }
    for (int k = 0; r != NULL && k <= 40; k++) {
        CHECK_NEAR(r->qpos[k], 5 * k / 40., 1e-3);
    }
    sal_result_free(r);
    sal_problem_free(p);
    sal_text_clear(&text);
    sal_diag_clear(&diag);
}

/* A body 500 m from the model's home, upside down, with a wheel that has turned 40 times; or of the
 * body a site alone, which leaves its direction open. */
static void what_begins_far_away_is_found(void)
{
    static const char cart[] =
        "<mujoco><worldbody><body name='cart'><freejoint/><geom size='.1'/><site name='nose'/>"
        "<body><joint name='axle' axis='0 0 1'/><geom size='.1'/></body></body></worldbody>"
        "</mujoco>";
    static const char *const channels[2] = {
        "<channel name='cart' body='cart' columns='x y z qw qx qy qz' sigma='.01 .01'/>",
        "<channel name='nose' site='nose' columns='x y z' sigma='.01'/>"};
    sal_text text = {0};
    sal_text_add(&text, "t,x,y,z,qw,qx,qy,qz,axle\n");
    for (int k = 0; k <= 10; k++) {
        sal_text_format(&text, "%.2f,%.12g,-400,1,0,1,0,0,%.12g\n", k / 100., 300 + k / 100.,
                        251.3 + k / 10.);
    }
    files_write("cart.xml", cart, strlen(cart));
    files_write("cart.csv", text.data, text.length);
    sal_text_clear(&text);
    for (int i = 0; i < 2; i++) {
        sal_problem *p = NULL;
        sal_diag diag = {0};
        sal_err err = {0};
        sal_text_format(&text,
                        "<problem name='cart'><model file='cart.xml'/><data file='cart.csv' "
                        "time='t' up='z'>%s<channel name='axle' joint='axle' columns='axle' "
                        "units='rad' sigma='.01'/></data><time nstep='10' duration='.1'/>"
                        "<boundary type='open'/><cost><term name='follow' data='all'/></cost>"
                        "<init data='all'/></problem>",
                        channels[i]);
        files_write("cart_problem.xml", text.data, text.length);
        sal_text_clear(&text);
        CHECK_OK(sal_problem_read(&p, files_path("cart_problem.xml"), NULL, &diag, &err), err);
        for (int t = 0; t <= 10 && p != NULL; t++) {
            const double *q = p->recorded->qpos + (size_t)t * 8;
            CHECK_NEAR(q[0], 300 + t / 100., 1e-4);
            CHECK_NEAR(q[1], -400, 1e-4);
            CHECK_NEAR(fabs(q[i == 0 ? 4 : 3]), 1, 1e-6);
            CHECK_NEAR(q[7], 251.3 + t / 10., 3e-3); /* home draws: (sigma/far)^2 of the way */
        }
        sal_problem_free(p);
        sal_diag_clear(&diag);
    }
}

/* ---- many joints ---- */

enum { MANY = 70, FRAMES = 5 }; /* more joints than residuals in one call of sal_normal_add */

static double angle_of(int joint, int frame)
{
    return .5 * sin(.7 * joint + .4 * frame);
}

static void write_many(void)
{
    sal_text model = {0}, table = {0};
    sal_text_add(&model, "<mujoco><worldbody>");
    sal_text_add(&table, "t");
    for (int j = 0; j < MANY; j++) {
        sal_text_format(&model,
                        "<body pos='%d 0 1'><joint name='j%d' axis='0 1 0'/>"
                        "<geom type='capsule' fromto='0 0 0 0 0 -.3' size='.02'/></body>",
                        j, j);
        sal_text_format(&table, ",j%d", j);
    }
    sal_text_add(&model, "</worldbody></mujoco>");
    for (int t = 0; t < FRAMES; t++) {
        sal_text_format(&table, "\n%g", .01 * t);
        for (int j = 0; j < MANY; j++) {
            sal_text_format(&table, ",%.9f", angle_of(j, t));
        }
    }
    sal_text_add(&table, "\n");
    files_write("many.xml", model.data, model.length);
    files_write("many.csv", table.data, table.length);
    sal_text_clear(&model);
    sal_text_clear(&table);
}

static void seventy_joints_are_found(void)
{
    sal_text text = {0};
    sal_problem *p = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    write_many();
    sal_text_add(&text, "<problem name='many'><model file='many.xml'/>"
                        "<data file='many.csv' time='t'>");
    for (int j = 0; j < MANY; j++) {
        sal_text_format(&text, "<channel name='j%d' joint='j%d' columns='j%d' sigma='1e-3'/>", j, j,
                        j);
    }
    sal_text_format(&text,
                    "</data><time nstep='%d' duration='.04'/><boundary type='open'/>"
                    "<cost><term name='follow' data='all'/></cost><init data='all'/></problem>",
                    FRAMES - 1);
    files_write("many_problem.xml", text.data, text.length);
    sal_text_clear(&text);
    const sal_problem_options options = {0};
    CHECK_OK(sal_problem_read(&p, files_path("many_problem.xml"), &options, &diag, &err), err);
    for (int t = 0; t < FRAMES && p != NULL; t++) {
        for (int j = 0; j < MANY; j++) {
            CHECK_NEAR(p->recorded->qpos[t * MANY + j], angle_of(j, t), 1e-5);
        }
    }
    sal_problem_free(p);
    sal_diag_clear(&diag);
}

int main(void)
{
    RUN(record);
    RUN(a_channel_has_its_norm);
    RUN(torques_come_out_that_were_never_told);
    RUN(gaps_are_bridged);
    RUN(durations_are_rounded);
    RUN(what_is_missing_is_said_once);
    RUN(angles_go_on_beyond_half_a_turn);
    RUN(what_begins_far_away_is_found);
    RUN(seventy_joints_are_found);
    files_remove();
    return check_done();
}
