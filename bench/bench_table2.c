/* bench_table2.c: cost, gradient and Gauss-Newton Hessian of a whole trajectory, of the size for
 * which they were timed in 2012: a limit cycle of 30 steps of 18 dofs with three contact points on
 * each foot (Todorov, Erez, Tassa, "MuJoCo: A physics engine for model-based control", IROS 2012,
 * table 2, the linear cloud: 3150 states by central differences). */
#include "bench/linearise.h"
#include "bench/stopwatch.h"

#include "problems/transcribe.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 200 };
static const double BATCH = 4e-3;                  /* s */
static const double PAPER = 71e-3, PAPER24 = 8e-3; /* s, one thread, 24 threads */
static const double DEPTH = 3e-3;                  /* m */
static const double TARGET = 2e-3;                 /* s */

typedef struct trajectory {
    sal_problem *problem;
    prb_transcription *tr;
    sal_optim *optim;
    sal_data *d;
    double *x, *r;
} trajectory;

static sal_status open_problem(trajectory *w, sal_err *err)
{
    const char *root = getenv("SALTUS_ROOT");
    const sal_problem_options options = {0};
    sal_diag diag = {0};
    char path[1024];
    snprintf(path, sizeof path, "%s/bench/problems/table2.xml", root == NULL ? "." : root);
    const sal_status status = sal_problem_read(&w->problem, path, &options, &diag, err);
    sal_diag_clear(&diag);
    return status;
}

/* The guess stands on the floor: let down into it, so that all soles press. A cycle's x begins with
 * q_0 .. q_{N-1}. */
static void let_down(const trajectory *w)
{
    for (int t = 0; t < w->tr->nls.nblock; t++) {
        w->x[t * w->tr->model->nq + 2] -= DEPTH;
    }
}

/* The first guess with the contact that results are made with. */
static sal_status open_solver(trajectory *w, sal_err *err)
{
    sal_status status = prb_transcription_new(&w->tr, w->problem, 1, err);
    if (status != SAL_OK) {
        return status;
    }
    const sal_nls *nls = &w->tr->nls;
    w->x = sal_alloc((size_t)nls->nx, sizeof *w->x);
    w->r = sal_alloc(w->tr->r_adr[w->tr->nblock], sizeof *w->r);
    if (w->x == NULL || w->r == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory");
    }
    status = prb_guess(w->tr, w->x, 1, err);
    let_down(w);
    status = status == SAL_OK ? nls->stage(w->tr, 0, 0, w->x, err) : status;
    status = status == SAL_OK ? linearise_open(&w->optim, nls, w->x, err) : status;
    return status == SAL_OK ? sal_data_new(&w->d, w->tr->model, err) : status;
}

static void close_all(trajectory *w)
{
    sal_optim_free(w->optim);
    sal_data_free(w->d);
    prb_transcription_free(w->tr);
    sal_problem_free(w->problem);
    sal_free(w->x);
    sal_free(w->r);
}

/* ---- what is timed ---- */

static void linearise(void *ctx)
{
    const trajectory *w = ctx;
    sal_err err;
    linearise_run(w->optim, &err);
}

static void evaluate(void *ctx)
{
    const trajectory *w = ctx;
    sal_err err;
    w->tr->nls.residual(w->tr, w->r, w->x, &err);
}

static double now(void)
{
    return stopwatch_seconds(STOPWATCH_THREAD);
}

/* Contacts that push, on average over the steps. */
static double contacts(const trajectory *w)
{
    const sal_model *m = w->tr->model;
    const int nstep = w->tr->nls.nblock;
    double count = 0;
    for (int t = 0; t < nstep; t++) {
        sal_err err;
        if (sal_motion_step(m, w->d, w->tr->q + t * m->nq, &err) != SAL_OK) {
            return 0;
        }
        for (int i = 0; i < w->d->ncon; i++) {
            double force[6];
            sal_contact_force(m, w->d, i, force);
            count += force[0] > 0;
        }
    }
    return count / nstep;
}

static void print_shares(trajectory *w)
{
    sal_clock *clock = &w->tr->clock;
    *clock = (sal_clock){.now = now};
    w->tr->nls.clock = clock;
    sal_clock_turn(clock, SAL_WORK_REST);
    for (int i = 0; i < ROUNDS; i++) {
        linearise(w);
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
    trajectory w = {0};
    sal_err err = {SAL_OK, ""};
    if (open_problem(&w, &err) != SAL_OK || open_solver(&w, &err) != SAL_OK) {
        fprintf(stderr, "table2: %s\n", err.message);
        close_all(&w);
        return 1;
    }
    const race r = stopwatch_race(linearise, &w, evaluate, &w, ROUNDS, BATCH, STOPWATCH_THREAD);
    printf("cost, gradient, Hessian of %d steps of %d dofs, %.2f contacts at each, one thread\n",
           w.tr->nls.nblock, w.tr->model->nv, contacts(&w));
    printf("  %.3f ms (%s, at most %.1f); in 2012 %.0f ms with one thread, %.0f ms with 24\n",
           1e3 * r.a, r.a <= TARGET ? "ok" : "above", 1e3 * TARGET, 1e3 * PAPER, 1e3 * PAPER24);
    print_shares(&w);
    printf("  the residuals alone %.3f ms: %.2f us a state\n", 1e3 * r.b,
           1e6 * r.b / w.tr->nls.nblock);
    close_all(&w);
    return 0;
}
