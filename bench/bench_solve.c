/* bench_solve.c: the time of a whole solve of the walker, counted in calls of libmujoco's mj_inverse on the states of the result. */
#include "bench/gait.h"
#include "bench/stopwatch.h"

#include <stdio.h>

enum { SEEDS = 8, REPEATS = 5, CALLS = 2000 };
static const double TARGET = 60000; /* calls */

/* Seconds of one call of mj_inverse, from a batch of them. */
static double call_seconds(const gait *g)
{
    const int nstep = g->result->nstep, passes = CALLS / nstep;
    const double begin = stopwatch_seconds(STOPWATCH_THREAD);
    for (int i = 0; i < passes; i++) {
        for (int t = 0; t < nstep; t++) {
            gait_state_mujoco(g, t);
            mj_inverse(g->mjm, g->mjd);
        }
    }
    return (stopwatch_seconds(STOPWATCH_THREAD) - begin) / (passes * nstep);
}

/* Calls that one solve lasts: the mean of a batch of them before and after is the unit. */
static double solve_calls(const gait *g, const sal_problem *p, sal_result **result)
{
    sal_err err = {0};
    const double before = call_seconds(g), begin = stopwatch_seconds(STOPWATCH_THREAD);
    if (sal_problem_solve(result, p, 1, NULL, &err) != SAL_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 0;
    }
    const double seconds = stopwatch_seconds(STOPWATCH_THREAD) - begin;
    return seconds / (0.5 * (before + call_seconds(g)));
}

/* The median of some repetitions for one seed. */
static double bench_seed(const gait *g, unsigned long seed, bool *converged)
{
    double calls[REPEATS];
    sal_problem *p;
    if (!gait_problem(&p, g->name, seed, false)) {
        return 0;
    }
    for (int i = 0; i < REPEATS; i++) {
        sal_result *result = NULL;
        calls[i] = solve_calls(g, p, &result);
        *converged = result != NULL && result->exit_code == 0;
        if (i == 0 && result != NULL) {
            printf("  seed %lu  %-12s cost %.4f  %3d linearisations  %3d factorisations  %4d "
                   "evaluations",
                   seed, result->status, result->cost, result->optim.linearisations,
                   result->optim.factorisations, result->optim.evaluations);
        }
        sal_result_free(result);
    }
    sal_problem_free(p);
    const double median = stopwatch_median(calls, REPEATS);
    printf("  %7.0f calls\n", median);
    return median;
}

int main(void)
{
    gait g;
    double calls[SEEDS];
    int converged = 0;
    if (!gait_open(&g, "walker_walk")) {
        return 1;
    }
    printf("walker_walk, one start, one thread, in calls of mj_inverse (libmujoco 2.2.2) on its "
           "states, %.2f contacts on "
           "average, %.2f us a call\n",
           g.contacts, 1e6 * call_seconds(&g));
    for (int i = 0; i < SEEDS; i++) {
        bool good = false;
        calls[i] = bench_seed(&g, (unsigned long)i + 1, &good);
        converged += good;
    }
    const double first = calls[0], median = stopwatch_median(calls, SEEDS);
    printf("  seed 1: %.0f (%s %.0f)   median of seeds 1..%d: %.0f   converged: %d of %d\n", first,
           first <= TARGET ? "ok, at most" : "above", TARGET, SEEDS, median, converged, SEEDS);
    gait_close(&g);
    return converged == 0;
}
