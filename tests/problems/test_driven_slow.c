/* What variables of actuators cost: the same problems with their motors eliminated, with a variable
 * for each of them, and so again with limits of twice what the free solution uses. Each from one
 * start with each of three seeds; the median of the linearisations may be at most half as large
 * again. */
#include "tests/problems/read_example.h"

#include "problems/problem.h"
#include "problems/result/result.h"

enum { SEEDS = 3, ACTUATORS_MOST = 64 };

static const double room = 2;         /* of a limit, over what the free solution uses */
static const double least_used = .05; /* of the most that any actuator gives */

/* ctrlrange of all actuators: what the free solution uses, and its mirror image, times `room` */
static void measure_limits(double *limit, const sal_result *r, const sal_problem *p)
{
    const int nu = r->model->nu;
    double used[ACTUATORS_MOST] = {0}, most = 0;
    for (int i = 0; i < r->nstep * nu; i++) {
        used[i % nu] = fmax(used[i % nu], fabs(r->ctrl[i]));
        most = fmax(most, fabs(r->ctrl[i]));
    }
    for (int a = 0; a < nu; a++) {
        const int other = p->image == NULL ? a : p->image->actuator_index[a];
        limit[a] = room * fmax(fmax(used[a], used[other]), least_used * most);
    }
}

/* Bounds that the model has already stay where they are narrower. */
static void set_limits(sal_model *m, const double *limit)
{
    for (int a = 0; a < m->nu; a++) {
        double *range = m->actuator_ctrlrange + 2 * a;
        const bool limited = m->actuator_ctrllimited[a] != 0;
        range[0] = limited ? fmax(range[0], -limit[a]) : -limit[a];
        range[1] = limited ? fmin(range[1], limit[a]) : limit[a];
        m->actuator_ctrllimited[a] = 1;
    }
}

/* Every joint says that its motors compensate gravity, of which there is none to compensate: the
 * same mechanism, but its motors are not eliminated. */
static void make_driven(sal_problem *p)
{
    for (int j = 0; j < p->model->njnt; j++) {
        p->model->jnt_actgravcomp[j] = 1;
    }
    p->model->ngravcomp = 1;
    p->driven = true;
}

/* Linearisations of a solve; 0, and a fault of the case, if it did not lead there. limit: NULL, or
 * [nu] bounds; used: NULL, or [nu] filled with those that are twice what this solution uses. */
static int linearisations(const char *name, int seed, bool driven, const double *limit,
                          double *used)
{
    sal_problem *p = read_example(name);
    sal_result *r = NULL;
    sal_err err = {0};
    if (p == NULL) {
        return 0;
    }
    CHECK(p->model->nu <= ACTUATORS_MOST && !p->driven);
    p->nstart = 1;
    p->seed = (unsigned long)seed;
    if (limit != NULL) {
        set_limits(p->model, limit);
    }
    if (driven) {
        make_driven(p);
    }
    CHECK_OK(sal_problem_solve(&r, p, 2, NULL, &err), err);
    const int n = r != NULL && r->exit_code == 0 ? r->optim.linearisations : 0;
    if (n == 0) {
        printf("    %s, seed %d%s%s: %s\n", name, seed, driven ? ", driven" : "",
               limit == NULL ? "" : ", with limits", r == NULL ? err.message : r->status);
    }
    if (r != NULL && used != NULL) {
        measure_limits(used, r, p);
    }
    sal_result_free(r);
    sal_problem_free(p);
    return n;
}

static int median(const int n[SEEDS])
{
    const int low = n[0] < n[1] ? n[0] : n[1], high = n[0] < n[1] ? n[1] : n[0];
    return n[2] < low ? low : n[2] > high ? high : n[2];
}

static void compare(const char *name)
{
    double limit[ACTUATORS_MOST] = {0};
    int eliminated[SEEDS], driven[SEEDS], limited[SEEDS];
    for (int k = 0; k < SEEDS; k++) {
        eliminated[k] = linearisations(name, k + 1, false, NULL, k == 0 ? limit : NULL);
    }
    for (int k = 0; k < SEEDS; k++) {
        driven[k] = linearisations(name, k + 1, true, NULL, NULL);
        limited[k] = linearisations(name, k + 1, true, limit, NULL);
        CHECK(eliminated[k] > 0 && driven[k] > 0 && limited[k] > 0);
    }
    const int n = median(eliminated), d = median(driven), l = median(limited);
    printf("    %-18s %3d eliminated, %3d driven (%.2f), %3d driven with limits (%.2f)\n", name, n,
           d, (double)d / n, l, (double)l / n);
    CHECK(2 * d <= 3 * n);
    CHECK(2 * l <= 3 * n);
}

static void of_arms_and_pendulums(void)
{
    static const char *const name[] = {"acrobot_swingup", "cartpole_swingup", "particle_waypoints",
                                       "pendulum_quick", "pendulum_swingup"};
    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
        compare(name[i]);
    }
}

static void of_things_that_are_moved(void)
{
    static const char *const name[] = {"box_right", "box_up", "spinner", "two_arms_lift"};
    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
        compare(name[i]);
    }
}

static void of_legs(void)
{
    static const char *const name[] = {"hopper_hop",  "hopper_travel", "raibert_hop",
                                       "walker_walk", "walker_run",    "walker_gait"};
    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
        compare(name[i]);
    }
}

static void of_people(void)
{
    static const char *const name[] = {"gait_half_cycle", "humanoid_walk", "humanoid_run",
                                       "humanoid_gait"};
    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
        compare(name[i]);
    }
}

int main(void)
{
    RUN(of_arms_and_pendulums);
    RUN(of_things_that_are_moved);
    RUN(of_legs);
    RUN(of_people);
    return check_done();
}
