/* gains.c: feedback about a motion, by a Riccati recursion backwards along it.
 *
 *     sal_gains_new { linearise every step -> recursion, round a cycle until it repeats itself }
 *
 * One period later deviations and controls are the images S dx, U du of what they were, so that
 *
 *     x_N = S x_0:   P_N = S P_0 S'        K_{t+N} = U K_t S'
 *
 * with the orthogonal S of the motion's velocities. The recursion of a cycle starts from P_N = Q.
 * For an open motion P_N = Q (1 s)/h: what staying where it ends costs for a second.
 *
 * States on which no control acts, not even through others, such as those of a ball that lies
 * beside the robot, cost nothing: of one that neither grows nor decays P would grow for ever.
 */
#include "runs/gains.h"

#include "base/house.h"
#include "runs/again.h"
#include "runs/linear.h"
#include "runs/lqr.h"
#include "runs/runs.h"
#include "runs/unfolded.h"

#include <math.h>
#include <string.h>

/* Q: 1/these^2; R: 1/(this part of half the range)^2 */
static const double POSITION = 0.1, VELOCITY = 1, ACTIVATION = 0.1, CONTROL = 0.1;
static const double REPEATS = 1e-12; /* P of a period and of the next, relative */
static const double ROUNDING = 1e-9; /* of the largest control of a motion: smaller ones are 0 */
enum { PERIODS = 2000, THOROUGH = 100 };

typedef struct planner {
    const sal_result *r;
    sal_gains *g;
    sal_model *m; /* the result's; controls not clamped, no sensors, the solver exact */
    sal_data *d;
    run_unfolded motion;
    run_lqr lqr;
    double *A, *B;     /* [nstep x n x n], [nstep x n x nu] */
    double *P, *other; /* [n x n] of the period before; scratch */
} planner;

/* ---- images ---- */

void run_image_deviation(const sal_image *image, const sal_model *m, double *out, const double *x)
{
    const int nv = m->nv;
    sal_image_velocity(image, m, out, x);
    sal_image_velocity(image, m, out + nv, x + nv);
    run_image_act(image, m, out + 2 * nv, x + 2 * nv);
}

void run_image_gain(const sal_image *image, const sal_model *m, double *out, const double *K,
                    double *row)
{
    const int n = 2 * m->nv + m->na;
    for (int i = 0; i < m->nu; i++) {
        run_image_deviation(image, m, row, K + image->actuator_index[i] * n);
        for (int k = 0; k < n; k++) {
            out[i * n + k] = image->actuator_sign[i] * row[k];
        }
    }
}

/* P := S P S', which takes the rows of P to their images twice, since P is symmetric */
static void image_cost(planner *p)
{
    const int n = p->g->n;
    for (int side = 0; side < 2; side++) {
        for (int i = 0; i < n; i++) {
            run_image_deviation(p->r->image, p->m, p->other + i * n, p->lqr.P + i * n);
        }
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < n; k++) {
                p->lqr.P[k * n + i] = p->other[i * n + k];
            }
        }
    }
}

/* ---- weights ---- */

static double largest_control(const planner *p, int i)
{
    double most = 0;
    for (int t = 0; t < p->g->nstep; t++) {
        most = fmax(most, fabs(p->r->ctrl[t * p->g->nu + i]));
    }
    return most;
}

static void set_weights(const planner *p)
{
    sal_gains *g = p->g;
    const sal_model *m = p->m;
    double most = 0;
    for (int i = 0; i < g->n; i++) {
        const double scale = i < m->nv ? POSITION : i < 2 * m->nv ? VELOCITY : ACTIVATION;
        g->weight[i] = 1 / (scale * scale);
    }
    for (int i = 0; i < g->nu; i++) {
        most = fmax(most, largest_control(p, i));
    }
    for (int i = 0; i < g->nu; i++) {
        const double *range = m->actuator_ctrlrange + 2 * i;
        const double found = largest_control(p, i), own = found > ROUNDING * most ? found : 0;
        double scale = m->actuator_ctrllimited[i] ? 0.5 * (range[1] - range[0]) : own;
        scale = CONTROL * (scale > 0 ? scale : 1);
        g->price[i] = 1 / (scale * scale);
    }
}

/* ---- the linearised motion ---- */

static sal_status linearise(planner *p, sal_err *err)
{
    const sal_model *m = p->m;
    const run_unfolded *u = &p->motion;
    const int n = p->g->n, nu = p->g->nu;
    sal_status status = SAL_OK;
    for (int t = 0; t < u->nstep && status == SAL_OK; t++) {
        const run_state x = {.qpos = u->qpos + t * m->nq,
                             .qvel = u->qvel + t * m->nv,
                             .act = u->act + t * m->na,
                             .ctrl = u->ctrl + t * nu};
        double *A = p->A + (size_t)t * (size_t)(n * n), *B = p->B + (size_t)t * (size_t)(n * nu);
        sal_err unknown;
        status = run_linear_exact(m, p->d, A, B, &x, x.qpos + m->nq, x.qvel + m->nv, &unknown);
        if (status == SAL_UNSUPPORTED) {
            p->g->differences++;
            status = run_linear_fd(m, p->d, A, B, &x, err);
        } else if (status != SAL_OK) {
            sal_fail(err, status, "%s", unknown.message);
        }
    }
    return status;
}

/* ---- states on which no control acts ---- */

static double largest(const double *a, size_t n)
{
    double most = 0;
    for (size_t i = 0; i < n; i++) {
        most = fmax(most, fabs(a[i]));
    }
    return most;
}

/* To what is acted on already join the states that M [nstep x n x ncol] moves along with it, from
 * column k where acted(k) is; all columns without it. Returns whether any has. */
static bool join(const planner *p, bool *acted, const double *M, int ncol, const bool *by)
{
    const int n = p->g->n, nrow = p->g->nstep * n;
    const double least = ROUNDING * largest(M, (size_t)nrow * (size_t)ncol);
    bool joined = false;
    for (int i = 0; i < nrow; i++) {
        for (int k = 0; k < ncol && !acted[i % n]; k++) {
            if ((by == NULL || by[k]) && fabs(M[(size_t)i * (size_t)ncol + (size_t)k]) > least) {
                acted[i % n] = joined = true;
            }
        }
    }
    return joined;
}

static sal_status forget_the_idle(planner *p, sal_err *err)
{
    sal_gains *g = p->g;
    bool *acted = sal_alloc((size_t)g->n, sizeof *acted);
    if (acted == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for gains of %d states", g->n);
    }
    for (bool more = join(p, acted, p->B, g->nu, NULL); more;) {
        more = join(p, acted, p->A, g->n, acted);
    }
    for (int i = 0; i < g->n; i++) {
        g->weight[i] = acted[i] ? g->weight[i] : 0;
    }
    sal_free(acted);
    return SAL_OK;
}

/* ---- the recursion ---- */

static sal_status go_back(planner *p, sal_err *err)
{
    const int n = p->g->n, nu = p->g->nu;
    for (int t = p->g->nstep - 1; t >= 0; t--) {
        const double *A = p->A + (size_t)t * (size_t)(n * n);
        const double *B = p->B + (size_t)t * (size_t)(n * nu);
        if (!run_lqr_step(&p->lqr, p->g->K + t * nu * n, A, B)) {
            return sal_fail(err, SAL_DIVERGED,
                            "the gains are not finite at step %d: the controls cannot act on all "
                            "that is unstable in this motion",
                            t);
        }
    }
    return SAL_OK;
}

/* Largest change of P since the period before, by its largest entry; P is kept. */
static double change_of(planner *p)
{
    const int size = p->g->n * p->g->n;
    double most = 0, change = 0;
    for (int i = 0; i < size; i++) {
        most = fmax(most, fabs(p->lqr.P[i]));
        change = fmax(change, fabs(p->lqr.P[i] - p->P[i]));
        p->P[i] = p->lqr.P[i];
    }
    return change / most;
}

static sal_status recur(planner *p, sal_err *err)
{
    sal_gains *g = p->g;
    const bool cycle = p->r->image != NULL;
    for (int i = 0; i < g->n; i++) {
        p->lqr.P[i * g->n + i] = cycle ? g->weight[i] : g->weight[i] / p->r->timestep;
    }
    sal_status status = SAL_OK;
    double change = (double)INFINITY;
    while (status == SAL_OK && change > REPEATS && g->periods < PERIODS) {
        if (cycle) {
            image_cost(p);
        }
        status = go_back(p, err);
        change = cycle ? change_of(p) : 0;
        g->periods++;
    }
    if (status == SAL_OK && change > REPEATS) {
        return sal_fail(err, SAL_DIVERGED,
                        "the gains of this cycle do not settle: from one period to the next they "
                        "still change by %.3g after %d; the controls cannot hold all of it",
                        change, g->periods);
    }
    return status;
}

/* ---- begin and end ---- */

static sal_status begin(planner *p, sal_err *err)
{
    const sal_result *r = p->r;
    sal_gains *g = p->g;
    const size_t T = (size_t)r->nstep, n = (size_t)g->n, nu = (size_t)g->nu;
    g->K = sal_alloc(T * nu * n, sizeof(double));
    g->weight = sal_alloc(n, sizeof(double));
    g->price = sal_alloc(nu, sizeof(double));
    p->A = sal_alloc(T * n * n, sizeof(double));
    p->B = sal_alloc(T * n * nu, sizeof(double));
    p->P = sal_alloc(2 * n * n, sizeof(double));
    if (g->K == NULL || g->weight == NULL || g->price == NULL || p->A == NULL || p->B == NULL ||
        p->P == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for gains of %zu steps", T);
    }
    p->other = p->P + n * n;
    sal_status status = sal_model_prompt(r->model, "feedback", err);
    status = status == SAL_OK ? sal_model_copy(&p->m, r->model, err) : status;
    if (status == SAL_OK) {
        p->m->opt.disable |= SAL_DSBL_CLAMPCTRL | SAL_DSBL_SENSOR;
        run_step_thoroughly(p->m, THOROUGH);
        status = sal_data_new(&p->d, p->m, err);
    }
    status = status == SAL_OK ? run_unfolded_new(&p->motion, r, 0, err) : status;
    return status == SAL_OK ? run_lqr_new(&p->lqr, g->n, g->nu, g->weight, g->price, err) : status;
}

static void end(planner *p)
{
    run_lqr_clear(&p->lqr);
    run_unfolded_clear(&p->motion);
    sal_data_free(p->d);
    sal_model_free(p->m);
    sal_free(p->A);
    sal_free(p->B);
    sal_free(p->P);
}

sal_status sal_gains_new(sal_gains **gains, const sal_result *result, sal_err *err)
{
    const sal_model *m = result->model;
    planner p = {.r = result};
    *gains = NULL;
    if (m->nu == 0) {
        return sal_fail(err, SAL_UNSUPPORTED,
                        "the model of this result has no actuators; feedback needs some");
    }
    sal_gains *g = p.g = sal_alloc(1, sizeof *g);
    if (g == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory");
    }
    g->nstep = result->nstep, g->n = 2 * m->nv + m->na, g->nu = m->nu;
    sal_status status = begin(&p, err);
    if (status == SAL_OK) {
        set_weights(&p);
        status = linearise(&p, err);
    }
    status = status == SAL_OK ? forget_the_idle(&p, err) : status;
    status = status == SAL_OK ? recur(&p, err) : status;
    end(&p);
    if (status != SAL_OK) {
        sal_gains_free(g);
        return status;
    }
    *gains = g;
    return SAL_OK;
}

void sal_gains_free(sal_gains *gains)
{
    if (gains != NULL) {
        sal_free(gains->K);
        sal_free(gains->weight);
        sal_free(gains->price);
        sal_free(gains);
    }
}
