/* The ends of open motions: pinned joint by joint, from keyframes, tables and results; and what is
 * wrong with them. */
#include "tests/problems/problem_files.h"

#include "base/house.h"
#include "guide/guide.h"
#include "problems/result/result.h"
#include "problems/transcribe.h"

#include <math.h>

static sal_err err;

/* A slide, a hinge and a ball on each other, and a free body: every kind of joint. */
static const char joints_model[] =
    "<mujoco><option timestep='.01' gravity='0 0 0'/><worldbody>\n"
    "<body name='a'><joint name='x' type='slide' axis='1 0 0'/>"
    "<joint name='h' type='hinge' axis='0 1 0'/><geom size='.1'/>\n"
    "<body pos='0 0 .3'><joint name='b' type='ball' damping='.1'/>"
    "<geom type='capsule' fromto='0 0 0 .1 .05 .3' size='.04'/></body></body>\n"
    "<body name='f' pos='1 0 1'><freejoint name='f'/><geom type='box' size='.1 .2 .3'/></body>\n"
    "</worldbody><actuator><motor name='x' joint='x'/><motor name='h' joint='h'/></actuator>\n"
    "<keyframe><key name='one' qpos='.1 .2 .9 .1 .2 .3 1 2 3 .5 .5 .5 .6' "
    "qvel='1 2 3 4 5 6 7 8 9 8 7'/>"
    "<key name='two' qpos='.3 .6 .9 -.1 .2 .3 1 2 3 .5 .5 .7 .6'/></keyframe></mujoco>\n";

static const char joints_problem[] =
    "<problem name='p'>\n"
    "<model file='joints.xml'/>\n"
    "<time nstep='8' duration='.4' range='.2 .8'/>\n"
    "<boundary type='open'>\n"
    "<start joint='x b' qvel='.3 .1 .2 .4'/><start joint='f' key='one'/><start joint='h' "
    "qpos='.3'/>\n"
    "<end joint='b f' qvel='1 2 3 4 5 6 7 8 9'/><end joint='h' key='one'/><end joint='x' "
    "qpos='.5'/>\n"
    "</boundary>\n"
    "<cost><term name='e' ctrl='all'/><term name='v' joint='b f' of='vel'/></cost>\n"
    "<init key='one' noise='.1'/>\n"
    "</problem>\n";

static sal_problem *read_joints(const char *text)
{
    sal_problem *p;
    sal_diag diag = {0};
    files_write("joints.xml", joints_model, strlen(joints_model));
    files_write("p.xml", text, strlen(text));
    CHECK_OK(sal_problem_read(&p, files_path("p.xml"), NULL, &diag, &err), err);
    if (p == NULL) {
        printf("%s", diag.text.data == NULL ? "" : diag.text.data);
    }
    sal_diag_clear(&diag);
    return p;
}

static void pins_are_joint_by_joint(void)
{
    sal_problem *p = read_joints(joints_problem);
    if (p == NULL) {
        return;
    }
    const unsigned char start_pos[] = {0, 1, 0, 1}, start_vel[] = {1, 0, 1, 1},
                        end_pos[] = {1, 1, 0, 0}, end_vel[] = {0, 1, 1, 1};
    CHECK(memcmp(p->start.pos, start_pos, 4) == 0 && memcmp(p->start.vel, start_vel, 4) == 0);
    CHECK(memcmp(p->end.pos, end_pos, 4) == 0 && memcmp(p->end.vel, end_vel, 4) == 0);
    CHECK(p->start.qpos[1] == .3 && p->end.qpos[0] == .5 && p->end.qpos[1] == .2);
    CHECK(p->start.qvel[4] == .4 && p->end.qvel[1] == 2 && p->end.qvel[2] == 1);
    CHECK(!p->start.fixed_pos && !p->end.fixed_vel);
    sal_problem_free(p);
}

/* Whatever the variables are: the pinned joints are where and as fast as they should be. */
static void pins_hold_for_all_variables(void)
{
    sal_problem *p = read_joints(joints_problem);
    prb_transcription *tr = NULL;
    if (p == NULL) {
        return;
    }
    CHECK_OK(prb_transcription_new(&tr, p, 1, &err), err);
    const int nq = p->model->nq, nv = p->model->nv, N = p->nstep;
    double *x = calloc((size_t)tr->layout.nx, sizeof *x),
           *moved = calloc((size_t)tr->layout.nx, sizeof *x),
           *d = calloc((size_t)tr->layout.nvar, sizeof *x), v0[16], vN[16];
    CHECK_OK(prb_guess(tr, x, 1, &err), err);
    sal_rng rng = {6};
    for (int i = 0; i < tr->layout.nvar; i++) {
        d[i] = sal_rng_uniform(&rng, -.3, .3);
    }
    tr->nls.retract(tr, moved, x, d);
    prb_transcription_place(tr, moved);
    sal_motion_velocity(tr->model, v0, tr->q, tr->q + nq);
    sal_motion_velocity(tr->model, vN, tr->q + N * nq, tr->q + (N + 1) * nq);
    CHECK(tr->timestep != p->duration / N); /* it is free */
    for (int i = 0; i < nv; i++) {
        const int j = p->model->dof_jntid[i];
        if (p->start.vel[j]) {
            CHECK_NEAR(v0[i], p->start.qvel[i], 1e-12);
        }
        if (p->end.vel[j]) {
            CHECK_NEAR(vN[i], p->end.qvel[i], 1e-12);
        }
    }
    CHECK_NEAR(tr->q[nq + 1], .3, 0);
    CHECK_NEAR(tr->q[(N + 1) * nq], .5, 0);
    for (int i = 0; i < 7; i++) {
        CHECK_NEAR(tr->q[nq + 6 + i], p->start.qpos[6 + i], 0);
    }
    free(x), free(moved), free(d);
    prb_transcription_free(tr);
    sal_problem_free(p);
}

/* The Jacobian knows of all that: against differences along random directions, and against the path
 * by differences. */
static void derivatives_know_the_pins(void)
{
    static const char *const ends[] = {"", " range='.2 .8'"};
    for (int k = 0; k < 2; k++) {
        double error = 1, paths = 1;
        sal_problem *p = read_joints(files_replace(joints_problem, " range='.2 .8'", ends[k]));
        if (p != NULL) {
            CHECK_OK(sal_problem_check_derivatives(p, &error, &paths, &err), err);
            CHECK(error < 1e-8 && paths < 1e-5);
        }
        sal_problem_free(p);
    }
}

/* So does what counts at the last instant, which follows from the one before. */
static void the_last_instant_is_carried_along(void)
{
    double error = 1, paths = 1;
    sal_problem *p = read_joints(
        files_replace(joints_problem, "</cost>",
                      "<term name='last' joint='b f' at='end'/>"
                      "<term name='swing' joint='b' of='vel' at='end' weight='3'/></cost>"));
    if (p != NULL) {
        CHECK_OK(sal_problem_check_derivatives(p, &error, &paths, &err), err);
        CHECK(error < 1e-8 && paths < 1e-5);
    }
    sal_problem_free(p);
}

/* qvel alone pins the velocity and leaves the position free. */
static void velocities_alone(void)
{
    const char *copy = files_replace(joints_problem, "<start joint='x b' qvel='.3 .1 .2 .4'/>", "");
    copy = files_replace(copy, "<start joint='f' key='one'/><start joint='h' qpos='.3'/>",
                         "<start qvel='.5'/>");
    sal_problem *p = read_joints(copy);
    double error = 1, paths = 1;
    prb_transcription *tr = NULL;
    if (p == NULL) {
        return;
    }
    CHECK(p->start.fixed_vel && !p->start.fixed_pos);
    CHECK_OK(prb_transcription_new(&tr, p, 1, &err), err);
    CHECK(tr->layout.slot[0].block == -1 && tr->layout.slot[1].block == 0);
    CHECK_OK(sal_problem_check_derivatives(p, &error, &paths, &err), err);
    CHECK(error < 1e-8 && paths < 1e-5);
    prb_transcription_free(tr);
    sal_problem_free(p);
}

/* A mass m that +-F move from rest to rest over s: half of the way F forward, half backward,
 * T = 2 sqrt(m s / F). */
static void the_shortest_duration(void)
{
    static const char
        cart[] = "<mujoco><option timestep='.01' gravity='0 0 0'/><worldbody><body>"
                 "<joint name='x' type='slide' axis='1 0 0'/><geom size='.1' "
                 "mass='2'/></body></worldbody>"
                 "<actuator><motor name='f' joint='x' ctrlrange='-4 4'/></actuator></mujoco>",
        problem[] =
            "<problem name='p'><model file='cart.xml'/><time nstep='60' duration='2' range='.2 5'/>"
            "<boundary type='open'><start qpos='0' qvel='0'/><end qpos='1' qvel='0'/></boundary>"
            "<cost><term name='time' ctrl='f' target='-80' per='motion' weight='3e-4'/></cost>"
            "<solver tolerance='1e-6'/>"
            "</problem>";
    sal_problem *p = NULL;
    sal_result *r = NULL;
    sal_diag diag = {0};
    files_write("cart.xml", cart, strlen(cart));
    files_write("p.xml", problem, strlen(problem));
    CHECK_OK(sal_problem_read(&p, files_path("p.xml"), NULL, &diag, &err), err);
    CHECK_OK(sal_problem_solve(&r, p, 1, NULL, &err), err);
    CHECK(r != NULL && prb_result_is_solved(r));
    CHECK_NEAR(r == NULL ? 0 : r->nstep * r->timestep, 2 * sqrt(2 * 1. / 4), 1e-4);
    sal_result_free(r);
    sal_problem_free(p);
    sal_diag_clear(&diag);
}

/* What is driven towards a place and a speed beyond its ranges keeps to them at the end, too, after
 * the last force. */
static void constraints_hold_to_the_end(void)
{
    enum { N = 50 };
    static const char *const kept[] = {
        "<constraint name='place' joint='x' range='-.3 .3'/>",
        "<constraint name='speed' joint='x' of='vel' range='-.3 .3'/>",
        "<constraint name='room' distance='ball wall' range='0 9'/>",
    };
    for (int i = 0; i < 3; i++) {
        sal_problem *p = NULL;
        sal_result *r = NULL;
        sal_diag diag = {0};
        char text[1000];
        const char *model = "<mujoco><worldbody><geom name='wall' type='box' size='4 1 1' "
                            "pos='4.35 0 0' contype='0' conaffinity='0'/>"
                            "<body><joint name='x' type='slide' axis='1 0 0'/><geom name='ball' "
                            "size='.05' mass='1' contype='0' conaffinity='0'/></body></worldbody>"
                            "<actuator><motor name='m' joint='x'/></actuator></mujoco>";
        snprintf(text, sizeof text,
                 "<problem name='p'><model file='m.xml'/><time nstep='%d' duration='1'/>"
                 "<boundary type='open'><start qpos='0' qvel='0'/></boundary><cost>"
                 "<term name='fast' joint='x' of='vel' target='1'/>"
                 "<term name='effort' ctrl='all' weight='.0001'/></cost>"
                 "<constraints>%s</constraints></problem>",
                 N, kept[i]);
        files_write("m.xml", model, strlen(model));
        files_write("p.xml", text, strlen(text));
        CHECK_OK(sal_problem_read(&p, files_path("p.xml"), NULL, &diag, &err), err);
        CHECK_OK(sal_problem_solve(&r, p, 1, NULL, &err), err);
        CHECK(r != NULL && r->exit_code == 0 && r->qpos[N - 1] > 0.25);
        CHECK(r != NULL && (i == 1 ? r->qvel[N] : r->qpos[N]) <= 0.3 + 1e-6);
        CHECK(r != NULL && (i == 1 ? r->qvel[N] : r->qpos[N]) > 0.25);
        sal_result_free(r);
        sal_diag_clear(&diag);
        sal_problem_free(p);
    }
}

int main(void)
{
    RUN(pins_are_joint_by_joint);
    RUN(pins_hold_for_all_variables);
    RUN(derivatives_know_the_pins);
    RUN(the_last_instant_is_carried_along);
    RUN(velocities_alone);
    RUN(the_shortest_duration);
    RUN(constraints_hold_to_the_end);
    files_remove();
    return check_done();
}
