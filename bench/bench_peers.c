/* bench_peers.c: the problems that others are measured on, beside their figures: what each solve
 * took, in calls of libmujoco's mj_inverse on the states of its own result. Prints the table of
 * docs/benchmarks.md. */
#include "bench/gait.h"
#include "bench/stopwatch.h"

#include "problems/result/result.h"

#include <stdio.h>

enum { REPEATS = 5, CALLS = 20000 };

typedef struct task {
    const char *example, *peer; /* what is known of another's solve */
} task;

static const task tasks[] = {
    {"pendulum_quick", "idto 50 iterations"},
    {"acrobot_swingup", "idto 100 iterations"},
    {"cartpole_swingup", "MJPC direct 58 iterations, 478 ms on two cores"},
    {"particle_waypoints", "MJPC 10 iterations"},
    {"box_drop", "MJPC direct 44 iterations, 600 ms"},
    {"spinner", "idto 200 iterations"},
    {"two_arms_lift", "idto replans at 20 Hz"},
    {"box_right", "Dojo 30 iterations"},
    {"box_up", "Dojo 106 iterations, MuJoCo iLQR fails"},
    {"hopper_travel", "idto 200 iterations"},
    {"raibert_hop", "Dojo 96 iterations"},
    {"gait_half_cycle", "Moco, IPOPT to 1e-4"},
    {"humanoid_run", "Erez and Todorov, 2012"},
};

/* Seconds of one call of mj_inverse. */
static double call_seconds(const gait *g)
{
    const int nstep = g->result->nstep, passes = 1 + CALLS / nstep;
    const double begin = stopwatch_seconds(STOPWATCH_THREAD);
    for (int i = 0; i < passes; i++) {
        for (int t = 0; t < nstep; t++) {
            gait_state_mujoco(g, t);
            mj_inverse(g->mjm, g->mjd);
        }
    }
    return (stopwatch_seconds(STOPWATCH_THREAD) - begin) / (passes * nstep);
}

/* Seconds of processor time of one solve by one thread. */
static double solve_seconds(const sal_problem *p)
{
    sal_result *result = NULL;
    sal_err err = {0};
    const double begin = stopwatch_seconds(STOPWATCH_THREAD);
    if (sal_problem_solve(&result, p, 1, NULL, &err) != SAL_OK) {
        fprintf(stderr, "%s\n", err.message);
    }
    sal_result_free(result);
    return stopwatch_seconds(STOPWATCH_THREAD) - begin;
}

static bool bench(const task *t)
{
    gait g;
    double seconds[REPEATS], calls[REPEATS];
    if (!gait_open(&g, t->example)) {
        return false;
    }
    for (int i = 0; i < REPEATS; i++) {
        const double before = call_seconds(&g);
        seconds[i] = solve_seconds(g.problem);
        calls[i] = seconds[i] / (0.5 * (before + call_seconds(&g)));
    }
    const sal_result *r = g.result;
    printf("| `%s` | %d × %d | %s | %.4g | %.1e | %d | %d | %.1f ms | %.0f | %.0f | %s |\n",
           t->example, r->nstep, r->model->nv, r->status, r->cost, r->relative_to_weight,
           r->optim.linearisations, r->optim.evaluations, 1e3 * stopwatch_median(seconds, REPEATS),
           stopwatch_median(calls, REPEATS), stopwatch_median(calls, REPEATS) / r->nstep, t->peer);
    gait_close(&g);
    return true;
}

int main(void)
{
    bool all = true;
    printf(
        "| problem | steps × dofs | status | cost | unactuated, of the weight | linearisations | "
        "evaluations | time | calls "
        "of mj_inverse | calls per step | peer |\n|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < sizeof tasks / sizeof tasks[0]; i++) {
        all = bench(tasks + i) && all;
    }
    return all ? 0 : 1;
}
