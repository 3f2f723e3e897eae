/* bench_dynamics.c: inverse dynamics, their derivatives and a forward step on the states of solved
 * gaits, beside libmujoco 2.2.2; and what a second thread brings. */
#include "bench/gait.h"
#include "bench/linearise.h"
#include "bench/staged_mujoco.h"
#include "bench/stopwatch.h"
#include "tests/physics/deriv/judge.h"

#include "invdyn/workspace.h"
#include "physics/abreast/abreast.h"
#include "problems/result/result.h"
#include "problems/transcribe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROUNDS = 60, THREAD_ROUNDS = 2000 };
static const double BATCH = 2e-3;        /* s */
static const double AGREE_FORCES = 1e-9; /* of the largest force of a step */
static const double AGREE_DERIVATIVES =
    1e-4;                                 /* the same; both are differences, good to 1e-6 or so */
static const double AGREE_EXACTLY = 1e-7; /* of the largest entry of a matrix */

static bool failed;

static void print_row(const char *what, double ours, double theirs, double ratio, double target)
{
    printf("  %-48s %7.2f  %-10s %12.0f %14.0f\n", what, ratio,
           target <= 0       ? ""
           : ratio >= target ? "ok"
                             : "below",
           1 / ours, 1 / theirs);
}

/* ---- the inverse ---- */

static void inverse(void *ctx)
{
    const gait *g = ctx;
    sal_err err;
    for (int t = 0; t < g->result->nstep; t++) {
        gait_state(g, t);
        sal_inverse(g->result->model, g->d, &err);
    }
}

typedef struct abreast {
    const gait *g;
    phy_abreast *w;
    double *D; /* Dq, Dv, Da of so many steps as there are side by side; NULL: not wanted */
} abreast;

/* So many steps from t on, side by side */
static void steps_abreast(const abreast *x, int t, int n)
{
    const sal_result *r = x->g->result;
    const size_t nq = (size_t)r->model->nq, nv = (size_t)r->model->nv;
    phy_abreast_jacobian J[PHY_ABREAST_MAX];
    sal_err err;
    for (int i = 0; i < n; i++) {
        sal_data *d = phy_abreast_data(x->w, i);
        const size_t row = (size_t)(t + i);
        memcpy(d->qpos, r->qpos + row * nq, nq * sizeof(double));
        memcpy(d->qvel, r->qvel + row * nv, nv * sizeof(double));
        memcpy(d->qacc, r->qacc + row * nv, nv * sizeof(double));
    }
    phy_abreast_place(x->w, r->model, n, false);
    for (int i = 0; i < n; i++) {
        double *D = x->D == NULL ? NULL : x->D + 3 * nv * nv * (size_t)i;
        phy_abreast_inverse(x->w, r->model, i, &err);
        for (size_t k = 0; k < 3 && D != NULL; k++) {
            J[i].D[k] = D + k * nv * nv;
        }
    }
    if (x->D != NULL) {
        phy_abreast_deriv(x->w, r->model, J, n, false, &err);
    }
}

static void inverse_abreast(void *ctx)
{
    const abreast *x = ctx;
    const int width = phy_abreast_width(x->w), nstep = x->g->result->nstep;
    for (int t = 0; t < nstep; t += width) {
        steps_abreast(x, t, nstep - t < width ? nstep - t : width);
    }
}

static void inverse_mujoco(void *ctx)
{
    const gait *g = ctx;
    for (int t = 0; t < g->result->nstep; t++) {
        gait_state_mujoco(g, t);
        mj_inverse(g->mjm, g->mjd);
    }
}

/* ---- its derivatives ---- */

typedef struct derivatives {
    const gait *g;
    sal_invdyn *invdyn;
    double *q, *y, *Y; /* the motion; forces and their Jacobians with respect to configurations */
    double *Dq, *Dv, *Da, *scratch; /* libmujoco's, of one step */
} derivatives;

static bool derivatives_open(derivatives *x, const gait *g)
{
    const sal_model *m = g->result->model;
    const size_t nv = (size_t)m->nv, nq = (size_t)m->nq, nstep = (size_t)g->result->nstep;
    sal_output output = {.kind = SAL_OUT_FORCE};
    sal_err err = {0};
    *x = (derivatives){.g = g};
    x->q = sal_alloc((nstep + 2) * nq, sizeof(double));
    x->y = sal_alloc(nstep * nv, sizeof(double));
    x->Y = sal_alloc(nstep * nv * (3 * nv + 1), sizeof(double));
    x->Dq = sal_alloc(3 * nv * nv + nq + 2 * nv, sizeof(double));
    if (x->q == NULL || x->y == NULL || x->Y == NULL || x->Dq == NULL ||
        sal_invdyn_new(&x->invdyn, m, &output, 1, SAL_DERIV_FD, SAL_FD_FORWARD, 1, &err) !=
            SAL_OK) {
        fprintf(stderr, "out of memory\n");
        return false;
    }
    x->Dv = x->Dq + nv * nv, x->Da = x->Dv + nv * nv, x->scratch = x->Da + nv * nv;
    memcpy(x->q, g->result->qpos_before, nq * sizeof(double));
    memcpy(x->q + nq, g->result->qpos, (nstep + 1) * nq * sizeof(double));
    return true;
}

static void derivatives_close(derivatives *x)
{
    sal_invdyn_free(x->invdyn);
    sal_free(x->q);
    sal_free(x->y);
    sal_free(x->Y);
    sal_free(x->Dq);
}

static void differentiate(void *ctx)
{
    const derivatives *x = ctx;
    sal_err err;
    const sal_result *r = x->g->result;
    sal_invdyn_diff(x->invdyn, r->model, NULL, x->y, x->Y,
                    &(sal_motion){.nstep = r->nstep, .q = x->q}, &err);
}

static void differentiate_mujoco(void *ctx)
{
    const derivatives *x = ctx;
    for (int t = 0; t < x->g->result->nstep; t++) {
        gait_state_mujoco(x->g, t);
        staged_mujoco(x->g->mjm, x->g->mjd, x->Dq, x->Dv, x->Da, SAL_FD_STEP, x->scratch);
    }
}

static void differentiate_exactly(void *ctx)
{
    const derivatives *x = ctx;
    const gait *g = x->g;
    sal_err err;
    for (int t = 0; t < g->result->nstep; t++) {
        gait_state(g, t);
        sal_inverse(g->result->model, g->d, &err);
        sal_inverse_deriv(g->result->model, g->d, x->Dq, x->Dv, x->Da, &err);
    }
}

/* Largest error of the exact derivatives beside four-point differences, over the steps that can be
 * judged. */
static double exact_disagreement(const derivatives *x, int *judged)
{
    const sal_model *m = x->g->result->model;
    const int n = m->nv * m->nv;
    double worst = 0;
    judge j;
    sal_err err;
    *judged = 0;
    if (!judge_new(&j, m)) {
        return (double)INFINITY;
    }
    for (int t = 0; t < x->g->result->nstep; t++) {
        doubt why;
        gait_state(x->g, t);
        if (sal_inverse(m, x->g->d, &err) != SAL_OK ||
            sal_inverse_deriv(m, x->g->d, x->Dq, x->Dv, x->Da, &err) != SAL_OK ||
            !judge_at(&j, x->g->d, &why, &err)) {
            worst = (double)INFINITY;
        } else if (why == DOUBT_NONE) {
            worst = fmax(worst, judge_error(&j, x->Dq, j.Dq, n));
            worst = fmax(worst, judge_error(&j, x->Dv, j.Dv, n));
            worst = fmax(worst, judge_error(&j, x->Da, j.Da, n));
            ++*judged;
        }
    }
    judge_free(&j);
    return worst;
}

/* Of a, by rows, to b, by columns. */
static double relative(const double *a, const double *b, int nv)
{
    double largest = 0, difference = 0;
    for (int i = 0; i < nv; i++) {
        for (int k = 0; k < nv; k++) {
            largest = fmax(largest, fabs(b[k * nv + i]));
            difference = fmax(difference, fabs(a[i * nv + k] - b[k * nv + i]));
        }
    }
    return difference / largest;
}

/* Largest difference of the three Jacobians, step by step, before they are chained to
 * configurations. */
static double derivatives_disagreement(const derivatives *x)
{
    const sal_model *m = x->g->result->model;
    double worst = 0;
    for (int t = 0; t < x->g->result->nstep; t++) {
        sal_err err;
        const inv_worker *worker = x->invdyn->worker;
        if (sal_invdyn_diff(x->invdyn, m, NULL, x->y, x->Y,
                            &(sal_motion){.nstep = 1, .q = x->q + t * m->nq}, &err) != SAL_OK) {
            return (double)INFINITY;
        }
        gait_state_mujoco(x->g, t);
        staged_mujoco(x->g->mjm, x->g->mjd, x->Dq, x->Dv, x->Da, SAL_FD_STEP, x->scratch);
        worst = fmax(worst, relative(worker->Dq, x->Dq, m->nv));
        worst = fmax(worst, relative(worker->Dv, x->Dv, m->nv));
        worst = fmax(worst, relative(worker->Da, x->Da, m->nv));
    }
    return worst;
}

/* ---- a forward step ---- */

/* The result's own tolerance is 0, which libmujoco takes for "never enough": both stop at MuJoCo's
 * default instead. */
static void stop_as_usual(gait *g)
{
    g->result->model->opt.tolerance = g->mjm->opt.tolerance = 1e-8;
    g->result->model->opt.iterations = g->mjm->opt.iterations = 100;
}

static void step(void *ctx)
{
    const gait *g = ctx;
    sal_err err;
    for (int t = 0; t < g->result->nstep; t++) {
        gait_state(g, t);
        memset(g->d->qacc_warmstart, 0, (size_t)g->mjm->nv * sizeof(double));
        memcpy(g->d->ctrl, g->result->ctrl + t * g->mjm->nu, (size_t)g->mjm->nu * sizeof(double));
        sal_step(g->result->model, g->d, &err);
    }
}

static void step_mujoco(void *ctx)
{
    const gait *g = ctx;
    for (int t = 0; t < g->result->nstep; t++) {
        gait_state_mujoco(g, t);
        memset(g->mjd->qacc_warmstart, 0, (size_t)g->mjm->nv * sizeof(double));
        memcpy(g->mjd->ctrl, g->result->ctrl + t * g->mjm->nu, (size_t)g->mjm->nu * sizeof(double));
        mj_step(g->mjm, g->mjd);
    }
}

/* ---- threads ---- */

typedef struct linearisation {
    prb_transcription *tr;
    sal_optim *optim;
    double *x;
} linearisation;

static void linearise(void *ctx)
{
    const linearisation *l = ctx;
    sal_err err;
    linearise_run(l->optim, &err);
}

/* The problem at its result, with nthread threads. */
static bool linearisation_open(linearisation *l, const gait *g, int nthread)
{
    const sal_result *r = g->result;
    const size_t nq = (size_t)r->model->nq;
    sal_err err = {0};
    *l = (linearisation){0};
    if (prb_transcription_new(&l->tr, g->problem, nthread, &err) != SAL_OK) {
        fprintf(stderr, "%s\n", err.message);
        return false;
    }
    const sal_nls *nls = &l->tr->nls;
    l->x = sal_alloc((size_t)nls->nx, sizeof(double));
    if (l->x == NULL || nls->stage(l->tr, 0, 0, l->x, &err) != SAL_OK) {
        fprintf(stderr, "%s: cannot be linearised\n", g->name);
        return false;
    }
    memcpy(l->x, r->qpos, (size_t)r->nstep * nq * sizeof(double)); /* of a cycle: q_0 .. q_{N-1} */
    l->x[nls->nx - 2] = log(r->timestep * r->nstep);
    if (linearise_open(&l->optim, nls, l->x, nthread, &err) != SAL_OK) {
        fprintf(stderr, "%s: %s\n", g->name, err.message);
        return false;
    }
    return true;
}

static void linearisation_close(linearisation *l)
{
    sal_optim_free(l->optim);
    prb_transcription_free(l->tr);
    sal_free(l->x);
}

/* ---- the table ---- */

/* Inverse dynamics of the instants side by side; then with all derivatives */
static void bench_abreast(gait *g, derivatives *theirs, double target)
{
    const size_t nv = (size_t)g->result->model->nv;
    const int n = g->result->nstep;
    abreast x = {.g = g};
    double *D = sal_alloc(PHY_ABREAST_MAX * 3 * nv * nv, sizeof *D);
    sal_err err = {SAL_NOMEM, "out of memory"};
    if (D == NULL || phy_abreast_new(&x.w, g->result->model, &err) != SAL_OK) {
        fprintf(stderr, "%s\n", err.message);
        failed = true;
    } else {
        race r =
            stopwatch_race(inverse_abreast, &x, inverse_mujoco, g, ROUNDS, BATCH, STOPWATCH_THREAD);
        print_row("inverse dynamics, instants abreast", r.a / n, r.b / n, r.ratio, 8);
        x.D = D;
        r = stopwatch_race(inverse_abreast, &x, differentiate_mujoco, theirs, ROUNDS, BATCH,
                           STOPWATCH_THREAD);
        print_row("all its derivatives, instants abreast", r.a / n, r.b / n, r.ratio, target);
    }
    phy_abreast_free(x.w);
    sal_free(D);
}

static void bench_engines(gait *g, double target)
{
    const int n = g->result->nstep;
    int judged;
    const double off = gait_disagreement(g);
    derivatives x;
    if (!derivatives_open(&x, g)) {
        failed = true;
        return;
    }
    const double off_derivatives = derivatives_disagreement(&x);
    const double off_exact = exact_disagreement(&x, &judged);
    failed = failed || !(off <= AGREE_FORCES) || !(off_derivatives <= AGREE_DERIVATIVES) ||
             !(off_exact <= AGREE_EXACTLY);
    race r = stopwatch_race(inverse, g, inverse_mujoco, g, ROUNDS, BATCH, STOPWATCH_THREAD);
    print_row("inverse dynamics, one instant at a time", r.a / n, r.b / n, r.ratio, 4);
    bench_abreast(g, &x, 2 * target);
    r = stopwatch_race(differentiate_exactly, &x, differentiate_mujoco, &x, ROUNDS, BATCH,
                       STOPWATCH_THREAD);
    print_row("all its derivatives, exact; staged differences", r.a / n, r.b / n, r.ratio, target);
    r = stopwatch_race(differentiate, &x, differentiate_mujoco, &x, ROUNDS, BATCH,
                       STOPWATCH_THREAD);
    print_row("all its derivatives, staged differences of both", r.a / n, r.b / n, r.ratio, 1.5);
    stop_as_usual(g);
    r = stopwatch_race(step, g, step_mujoco, g, ROUNDS, BATCH, STOPWATCH_THREAD);
    print_row("forward step, cold start", r.a / n, r.b / n, r.ratio, 0);
    printf("  both engines agree: forces to %.0e, differences to %.0e; exact derivatives with "
           "four-point differences to %.0e in %d of %d steps%s\n",
           off, off_derivatives, off_exact, judged, n, failed ? "  FAIL" : "");
    derivatives_close(&x);
}

static void bench_threads(gait *g)
{
    linearisation one, two;
    if (!linearisation_open(&one, g, 1) || !linearisation_open(&two, g, 2)) {
        failed = true;
        return;
    }
    const race r =
        stopwatch_race(linearise, &two, linearise, &one, THREAD_ROUNDS, 0, STOPWATCH_WALL);
    printf("  %-48s %7.2f  %-10s %12.0f %14.0f   (best by the wall clock; right: 1 thread)\n",
           "linearisations, 2 threads over 1", r.ratio, r.ratio >= 1.7 ? "ok" : "below", 1 / r.a,
           1 / r.b);
    linearisation_close(&one);
    linearisation_close(&two);
}

/* target: of the exact derivatives */
static void bench(const char *name, double target)
{
    gait g;
    if (!gait_open(&g, name)) {
        failed = true;
        return;
    }
    printf("%s: %d dofs, %d steps, %.2f contacts on average (%s)\n", name, g.mjm->nv,
           g.result->nstep, g.contacts, g.result->status);
    printf("  %-48s %7s  %-10s %12s %14s\n", "per second", "ratio", "target", "saltus",
           "libmujoco 2.2.2");
    bench_engines(&g, target);
    bench_threads(&g);
    gait_close(&g);
}

int main(void)
{
    bench("walker_walk", 30);
    bench("humanoid_walk", 60);
    return failed;
}
