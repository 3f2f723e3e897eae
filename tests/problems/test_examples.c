/* The examples do what they say: those that are solved quickly. */
#include "tests/problems/example.h"

#include "problems/result/result.h"

static void pendulum_swingup(void)
{
    measure x;
    sal_result *r = example_solve("pendulum_swingup", &x);
    if (r == NULL) {
        return;
    }
    const double *q = r->qpos, half_turn = acos(-1);
    const int N = r->nstep;
    double back = 0; /* how far it goes against the direction in which it comes up */
    for (int t = 0; t <= N; t++) {
        back = fmax(back, q[N] > 0 ? -q[t] : q[t]);
    }
    printf("    swings back by %.2f rad\n", back);
    const figure figures[] = {{"end_angle", fabs(fabs(q[N]) - half_turn), 1e-12},
                              {"end_velocity", fabs(r->qvel[N]), 1e-12}};
    example_log("pendulum_swingup", r, figures, 2);
    CHECK(back > 0.2);
    CHECK_NEAR(q[0], 0, 1e-12);
    CHECK_NEAR(r->qvel[0], 0, 1e-12);
    CHECK(3 * r->model->actuator_ctrlrange[1] <= 9.81 + 1e-9); /* of m g l = 9.81 N m */
    sal_result_free(r);
}

static void hopper_hop(void)
{
    measure x;
    sal_result *r = example_solve("hopper_hop", &x);
    if (r != NULL) {
        example_gait("hopper_hop", r, &x, (limits){1, 0.012, 0.35});
        sal_result_free(r);
    }
}

static void walker_walk(void)
{
    measure x;
    sal_result *r = example_solve("walker_walk", &x);
    if (r != NULL) {
        example_gait("walker_walk", r, &x, (limits){1.2, 0.008, 0.05});
        example_feet_pass(r, "left_foot", "right_foot", 0.03, (double)INFINITY);
        sal_result_free(r);
    }
}

/* Root mean square over the first half second, but for `end` rows at both ends, of found minus true
 * numbers from..to-1 of a row. */
static double rms_off(const double *found, const double *truth, int width, int from, int to,
                      int nstep, int end)
{
    double sum = 0;
    int n = 0;
    for (int t = end; t < nstep - end; t++) {
        for (int i = from; i < to; i++, n++) {
            const double off = found[t * width + i] - truth[t * width + i];
            sum += off * off;
        }
    }
    return sqrt(sum / n);
}

/* It finds the walk that was recorded, and the torques that nobody measured: the recording is
 * walker_walk, whose joints it sees with errors of 3 mm over half a metre, or of 10 mrad. */
static void walker_follow(void)
{
    measure x;
    sal_result *truth = example_solve("walker_walk", &x), *r = example_solve("walker_follow", &x);
    if (r != NULL && truth != NULL) {
        const int n = truth->nstep;
        const double angle = rms_off(r->qpos, truth->qpos, 9, 2, 9, n, 0),
                     place = rms_off(r->qpos, truth->qpos, 9, 0, 2, n, 0),
                     torque = 200 * rms_off(r->ctrl, truth->ctrl, 6, 0, 6, n, 2);
        printf("    %.2g rad, %.2g m, %.2g N m off\n", angle, place, torque);
        const figure figures[] = {
            {"angle", angle, .025}, {"place", place, .003}, {"torque", torque, 12}};
        example_log("walker_follow", r, figures, 3);
    }
    sal_result_free(truth);
    sal_result_free(r);
}

int main(void)
{
    RUN(pendulum_swingup);
    RUN(hopper_hop);
    RUN(walker_walk);
    RUN(walker_follow);
    return check_done();
}
