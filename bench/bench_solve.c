/* bench_solve.c: the time of whole solves from several seeds, counted in calls of libmujoco's
 * mj_inverse on the states of the result, and what it is spent on. */
#include "bench/gait.h"
#include "bench/stopwatch.h"

#include "problems/result/result.h"

#include <stdio.h>
#include <stdlib.h>

enum { SEEDS = 8, REPEATS = 3, CALLS = 2000 };

typedef struct task {
    const char *file, *model; /* model: of the corpus, or NULL: the problem's own */
    double target;            /* calls */
} task;

static const task tasks[] = {
    {"examples/walker_walk.xml", NULL, 10000},
    {"bench/problems/humanoid_walk.xml", "models/mj222_humanoid.xml", 25000},
};

static double thread_seconds(void)
{
    return stopwatch_seconds(STOPWATCH_THREAD);
}

/* Seconds of one call of mj_inverse, from a batch of them. */
static double call_seconds(const gait *g)
{
    const int nstep = g->result->nstep, passes = CALLS / nstep;
    const double begin = thread_seconds();
    for (int i = 0; i < passes; i++) {
        for (int t = 0; t < nstep; t++) {
            gait_state_mujoco(g, t);
            mj_inverse(g->mjm, g->mjd);
        }
    }
    return (thread_seconds() - begin) / (passes * nstep);
}

/* Calls that one solve lasts: the mean of a batch of them before and after is the unit. `watch` may
 * be NULL. */
static double solve_calls(const gait *g, const sal_problem *p, const sal_watch *watch,
                          sal_result **result)
{
    sal_err err = {0};
    const double before = call_seconds(g), begin = thread_seconds();
    if (sal_problem_solve(result, p, 1, watch, &err) != SAL_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 0;
    }
    const double seconds = thread_seconds() - begin;
    return seconds / (0.5 * (before + call_seconds(g)));
}

static void print_work(const double *spent)
{
    double sum = 0;
    for (int k = 0; k < SAL_NWORK; k++) {
        sum += spent[k];
    }
    printf("   ");
    for (int k = 0; k < SAL_NWORK; k++) {
        printf("%s %s %.0f %%", k == 0 ? "" : ",", sal_work_name((sal_work)k),
               100 * spent[k] / sum);
    }
    printf("\n");
}

/* The median of some repetitions for one seed; and once more with a clock, which itself takes time,
 * to add to what seconds were spent on. */
static double bench_seed(const gait *g, const task *t, const char *model, int seed, double *spent)
{
    double calls[REPEATS];
    sal_problem *p;
    if (!gait_problem(&p, t->file, model, (unsigned long)seed, false)) {
        return 0;
    }
    sal_result *result = NULL;
    const sal_watch watch = {.clock = thread_seconds};
    solve_calls(g, p, &watch, &result);
    if (result != NULL) {
        for (int k = 0; k < SAL_NWORK; k++) {
            spent[k] += result->work[k];
        }
        printf("  seed %d  %-12s unactuated %.0e  cost %.4f  %3d linearisations  %3d "
               "factorisations  %4d evaluations",
               seed, result->status, result->relative_to_weight, result->cost,
               result->optim.linearisations, result->optim.factorisations,
               result->optim.evaluations);
    }
    sal_result_free(result);
    for (int i = 0; i < REPEATS; i++) {
        calls[i] = solve_calls(g, p, NULL, &result);
        sal_result_free(result);
    }
    sal_problem_free(p);
    const double median = stopwatch_median(calls, REPEATS);
    printf("  %7.0f calls\n", median);
    return median;
}

static bool bench(const task *t, const char *model)
{
    gait g;
    double calls[SEEDS], spent[SAL_NWORK] = {0}, worst = 0;
    if (!gait_open_file(&g, t->file, model)) {
        return false;
    }
    printf("%s, one start, one thread, in calls of mj_inverse (libmujoco 2.2.2) on its states, "
           "%.2f contacts on average, %.2f us a call\n",
           t->file, g.contacts, 1e6 * call_seconds(&g));
    for (int i = 0; i < SEEDS; i++) {
        calls[i] = bench_seed(&g, t, model, i + 1, spent);
        worst = calls[i] > worst ? calls[i] : worst;
    }
    print_work(spent);
    printf("  worst of seeds 1..%d: %.0f, median %.0f (%s %.0f)\n", SEEDS, worst,
           stopwatch_median(calls, SEEDS), worst <= t->target ? "ok, at most" : "above", t->target);
    gait_close(&g);
    return true;
}

int main(void)
{
    const char *corpus = getenv("SALTUS_CORPUS");
    bool all = true;
    for (size_t i = 0; i < sizeof tasks / sizeof tasks[0]; i++) {
        char model[1024] = "";
        if (tasks[i].model != NULL) {
            snprintf(model, sizeof model, "%s/%s", corpus == NULL ? "../shared" : corpus,
                     tasks[i].model);
            FILE *file = fopen(model, "rb");
            if (file == NULL) {
                printf("%s: skipped, there is no %s\n", tasks[i].file, model);
                continue;
            }
            fclose(file);
        }
        all = bench(tasks + i, tasks[i].model == NULL ? NULL : model) && all;
    }
    return all ? 0 : 1;
}
