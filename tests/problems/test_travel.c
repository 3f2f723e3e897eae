/* How far a cycle goes: given, free, in a range, tied to the duration; straight and along arcs. A
 * ball that motors push about in free space, whose best motions are known. */
#include "tests/problems/problem_files.h"

#include "guide/guide.h"
#include "problems/result/result.h"
#include "problems/transcribe.h"
#include "runs/runs.h"

static sal_err err;

static const char ball[] =
    "<mujoco><option gravity='0 0 0'/><worldbody><body><freejoint name='root'/>"
    "<geom size='.1' mass='2'/></body></worldbody><actuator>"
    "<motor joint='root' gear='1 0 0 0 0 0'/><motor joint='root' gear='0 1 0 0 0 0'/>"
    "<motor joint='root' gear='0 0 1 0 0 0'/><motor joint='root' gear='0 0 0 1 0 0'/>"
    "<motor joint='root' gear='0 0 0 0 1 0'/><motor joint='root' gear='0 0 0 0 0 1'/>"
    "</actuator></mujoco>";

static const char ball_problem[] =
    "<problem name='p'><model file='ball.xml'/><time nstep='12' duration='1' range='.5 2'/>"
    "<boundary type='cycle'><travel joint='root' direction='3 4'/></boundary><cost>"
    "<term name='effort' ctrl='all'/>"
    "<term name='speed' joint='root' of='vel' target='.6 .8 0 0 0 0'/>"
    "</cost><init noise='.01'/></problem>";


static sal_result *solve(const char *text)
{
    sal_problem *p = NULL;
    sal_result *result = NULL;
    sal_diag diag = {0};
    files_write("ball.xml", ball, strlen(ball));
    files_write("p.xml", text, strlen(text));
    CHECK_OK(sal_problem_read(&p, files_path("p.xml"), NULL, &diag, &err), err);
    if (p != NULL) {
        CHECK_OK(sal_problem_solve(&result, p, 1, NULL, &err), err);
    }
    CHECK(result != NULL && result->exit_code == 0);
    sal_problem_free(p);
    sal_diag_clear(&diag);
    return result;
}

/* The ball would go at 1 m/s along (.6, .8): as far as that where it may, else to the bound. */
static void check_straight(const char *time, const char *travel, double duration, double length,
                           double tol)
{
    const char *text = files_replace(ball_problem, " range='.5 2'", time);
    sal_result *r = solve(files_replace(text, "direction='3 4'", travel));
    if (r != NULL) {
        CHECK_NEAR(r->nstep * r->timestep, duration, tol);
        CHECK_NEAR(r->travel[0], .6 * length, tol);
        CHECK_NEAR(r->travel[1], .8 * length, tol);
        CHECK_NEAR(r->qpos[12 * 7] - r->qpos[0], r->travel[0], 1e-14);
    }
    sal_result_free(r);
}

/* A joint without a name is named by its number, and the only free one need not be named at all. */
static void an_unnamed_joint(void)
{
    const char *text[] = {
        ball_problem, files_replace(ball_problem, "joint='root' direction", "joint='#0' direction"),
        files_replace(ball_problem, "travel joint='root'", "travel")};
    sal_result *r[3];
    for (int i = 0; i < 3; i++) {
        r[i] = solve(text[i]);
    }
    if (r[0] != NULL && r[1] != NULL && r[2] != NULL) {
        CHECK(memcmp(r[1]->qpos, r[0]->qpos, sizeof(double) * 13 * 7) == 0);
        CHECK(memcmp(r[2]->qpos, r[0]->qpos, sizeof(double) * 13 * 7) == 0);
    }
    for (int i = 0; i < 3; i++) {
        sal_result_free(r[i]);
    }
}

static void straight_on(void)
{
    check_straight("", "direction='3 4'", 1, 1, 1e-3);
    check_straight("", "direction='3 4' value='.7'", 1, .7, 1e-15);
    check_straight("", "direction='3 4' speed='.9'", 1, .9, 1e-15);
    check_straight("", "direction='3 4' range='.4 3'", 1, 1, 1e-3);
    check_straight("", "direction='3 4' range='.2 .5'", 1, .5, 5e-3);
}

/* With a free duration: 1.4 m at 1 m/s take 1.4 s; at a speed of 1.25 m/s the ball is as fast as it
 * is, however long; in ranges both yield. */
static void straight_on_and_on(void)
{
    check_straight(" range='.5 2'", "direction='3 4' value='1.4'", 1.4, 1.4, 1e-2);
    check_straight(" range='.5 1.2'", "direction='3 4' value='1.4'", 1.2, 1.4, 2e-2);
    sal_result *r =
        solve(files_replace(ball_problem, "direction='3 4'", "direction='3 4' speed='1.25'"));
    if (r != NULL) {
        CHECK_NEAR(hypot(r->travel[0], r->travel[1]), 1.25 * r->nstep * r->timestep, 1e-14);
    }
    sal_result_free(r);
}

/* On an arc of radius R, p = c + sum_k z_k exp(i phi_k t), phi_k = (turn + 2 pi k)/N, goes on by
 * the turn. The mean square of its acceleration is
 *     sum_k lambda_k^2 |z_k|^2 / h^4,   lambda_k = 2 - 2 cos phi_k
 * and where it begins asks for sum_k z_k = R: at best R^2 / (h^4 sum_k 1/lambda_k^2). The ball
 * turns about itself at a constant rate, for nothing. */
static void around_a_circle(void)
{
    const double turn = 0.6, length = 1.2, m = 2, h = 1.0 / 12, pi = acos(-1);
    const char *text = files_replace(ball_problem, " range='.5 2'", "");
    text = files_replace(text, "<term name='speed' joint='root' of='vel' target='.6 .8 0 0 0 0'/>",
                         "");
    sal_result *r =
        solve(files_replace(text, "direction='3 4'", "direction='3 4' speed='1.2' turn='.6'"));
    double sum = 0;
    for (int k = 0; k < 12; k++) {
        const double lambda = 2 - 2 * cos((turn + 2 * pi * k) / 12);
        sum += 1 / (lambda * lambda);
    }
    const double R = length / turn, best = 0.5 * m * m * R * R / (sum * h * h * h * h);
    if (r != NULL) {
        CHECK_NEAR(r->term[0].value, best, 1e-3 * best);
        CHECK(r->term[0].value >= best * (1 - 1e-9));
        CHECK(r->image->turning == 0 && r->image->turn == turn);
        CHECK_NEAR(r->image->arc, length, 1e-15);
        const double *q0 = r->qpos, *qN = q0 + 12 * 7;
        CHECK_NEAR(hypot(qN[0] - q0[0], qN[1] - q0[1]), 2 * R * sin(turn / 2), 1e-13);
        sal_replay replay;
        CHECK_OK(sal_result_replay(&replay, r, false, &err), err);
        CHECK(replay.onestep_qpos < 1e-12 && replay.onestep_qvel < 1e-10); /* the wrap counts */
        sal_replay_clear(&replay);
        CHECK_OK(sal_result_write(r, files_path("arc.h5"), &err), err);
    }
    sal_result_free(r);
}

/* What was written is read, and serves as the guess of a longer, narrower arc; results without arcs
 * are read as before. */
static void arcs_are_kept(void)
{
    sal_result *r = NULL;
    sal_problem *p = NULL;
    prb_transcription *tr = NULL;
    CHECK_OK(sal_result_read(&r, files_path("arc.h5"), &err), err);
    if (r == NULL) {
        return;
    }
    CHECK(r->image->turning == 0 && r->image->turn == .6 && r->image->arc == 1.2);
    const char *text = files_replace(ball_problem, "direction='3 4'",
                                     "direction='3 4' value='1.5' turn='.6' turnrange='.5 .9'");
    text = files_replace(text, "<init noise='.01'/>", "<init result='arc.h5'/>");
    files_write("p.xml", text, strlen(text));
    CHECK_OK(sal_problem_read(&p, files_path("p.xml"), NULL, NULL, &err), err);
    if (p != NULL) {
        CHECK_NEAR(p->init_turn, .6, 1e-12);
        CHECK_NEAR(p->init_travel, 1.2, 1e-12);
        CHECK_NEAR(p->image->turn, .6, 1e-12);
        CHECK_OK(prb_transcription_new(&tr, p, 1, &err), err);
        double *x = calloc((size_t)tr->layout.nx, sizeof *x), error = 1, paths = 1;
        CHECK_OK(prb_guess(tr, x, 1, &err), err);
        prb_transcription_place(tr, x);
        const double *q = tr->q + 7, *qN = tr->q + 13 * 7;
        CHECK_NEAR(q[0], r->qpos[0], 1e-14);
        CHECK_NEAR(hypot(qN[0] - q[0], qN[1] - q[1]), 1.5 * sin(.3) / .3, 1e-12);
        CHECK(tr->layout.variable[0] == -1 && tr->layout.variable[1] == -1);
        CHECK_OK(sal_problem_check_derivatives(p, &error, &paths, &err), err);
        CHECK(error < 1e-7 && paths < 1e-6);
        free(x);
    }
    prb_transcription_free(tr);
    sal_problem_free(p);
    sal_result_free(r);
}

/* Free to turn, the ball does not: its way is straight, and no force is needed. */
static void a_free_turn_becomes_straight(void)
{
    const char *text = files_replace(ball_problem, " range='.5 2'", "");
    text = files_replace(text, "<term name='speed' joint='root' of='vel' target='.6 .8 0 0 0 0'/>",
                         "");
    sal_result *r = solve(files_replace(text, "direction='3 4'",
                                        "direction='3 4' speed='1.2' turn='.6' turnrange='-1 1'"));
    if (r != NULL) {
        CHECK(fabs(r->image->turn) < 1e-2);
        CHECK_NEAR(r->image->arc, 1.2, 1e-15);
        CHECK_NEAR(r->term[0].value, 0, 1e-4);
    }
    sal_result_free(r);
}

static void faults(void)
{
    static const struct {
        const char *travel, *error;
    } bad[] = {
        {"turn='2' turnrange='0 1'", "2 rad is outside the range 0 .. 1 rad"},
        {"turn='200'", "turn = 200 is outside [-100, 100]"},
        {"value='1' speed='1'", "<travel> has more than one of speed, value and range"},
        {"direction='0 0'", "the direction has length zero"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        sal_problem *p = NULL;
        const char *text = files_replace(ball_problem, "direction='3 4'", bad[i].travel);
        files_write("p.xml", text, strlen(text));
        CHECK(sal_problem_read(&p, files_path("p.xml"), NULL, NULL, &err) == SAL_BADINPUT);
        CHECK(strstr(err.message, bad[i].error) != NULL);
        sal_problem_free(p);
    }
}

int main(void)
{
    RUN(an_unnamed_joint);
    RUN(straight_on);
    RUN(straight_on_and_on);
    RUN(around_a_circle);
    RUN(arcs_are_kept);
    RUN(a_free_turn_becomes_straight);
    RUN(faults);
    files_remove();
    return check_done();
}
