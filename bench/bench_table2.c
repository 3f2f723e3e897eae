/* bench_table2.c: cost, gradient and Gauss-Newton Hessian of a whole trajectory, of the size for
 * which they were timed in 2012 (bench/tables/trajectory.h; the linear cloud: 3150 states by
 * central differences), and where the time goes. */
#include "bench/stopwatch.h"
#include "bench/tables/trajectory.h"

#include <stdio.h>

enum { ROUNDS = 200 };
static const double BATCH = 4e-3;                  /* s */
static const double PAPER = 71e-3, PAPER24 = 8e-3; /* s, one thread, 24 threads */
static const double TARGET = 2e-3;                 /* s */

static double now(void)
{
    return stopwatch_seconds(STOPWATCH_THREAD);
}

static void print_shares(trajectory *w)
{
    sal_clock *clock = &w->tr->clock;
    *clock = (sal_clock){.now = now};
    w->tr->nls.clock = clock;
    sal_clock_turn(clock, SAL_WORK_REST);
    for (int i = 0; i < ROUNDS; i++) {
        trajectory_linearise(w);
    }
    sal_clock_turn(clock, SAL_WORK_REST);
    w->tr->nls.clock = NULL;
    double all = 0;
    for (int k = 0; k < SAL_NWORK; k++) {
        all += clock->seconds[k];
    }
    printf("  of it");
    for (int k = 0; k < SAL_NWORK; k++) {
        if (clock->seconds[k] > 0) {
            printf("  %s %.3f ms (%.0f%%)", sal_work_name((sal_work)k),
                   1e3 * clock->seconds[k] / ROUNDS, 100 * clock->seconds[k] / all);
        }
    }
    printf("\n");
}

int main(void)
{
    trajectory w;
    sal_err err = {SAL_OK, ""};
    if (trajectory_open(&w, TRAJECTORY_FLAT, &err) != SAL_OK) {
        fprintf(stderr, "table2: %s\n", err.message);
        trajectory_close(&w);
        return 1;
    }
    const race r = stopwatch_race(trajectory_linearise, &w, trajectory_evaluate, &w, ROUNDS, BATCH,
                                  STOPWATCH_THREAD);
    printf("cost, gradient, Hessian of %d steps of %d dofs, %.2f contacts at each, one thread\n",
           w.tr->nls.nblock, w.tr->model->nv, trajectory_contacts(&w));
    printf("  %.3f ms (%s, at most %.1f); in 2012 %.0f ms with one thread, %.0f ms with 24\n",
           1e3 * r.a, r.a <= TARGET ? "ok" : "above", 1e3 * TARGET, 1e3 * PAPER, 1e3 * PAPER24);
    print_shares(&w);
    printf("  the residuals alone %.3f ms: %.2f us a state\n", 1e3 * r.b,
           1e6 * r.b / w.tr->nls.nblock);
    trajectory_close(&w);
    return 0;
}
