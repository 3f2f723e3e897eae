/* trial.c: one step d on trial: moved along it, valued, corrected to second order, judged. */
#include "optim/kernel.h"
#include "optim/solver.h"

#include <math.h>
#include <string.h>

static const double GAIN_TAKEN = 1e-3; /* least share of the predicted decrease */
static const double CAP_SCALE =
    3; /* a step is scaled to the cap if it is at most so many times longer */
static const double GAIN_CORRECT = 0.9;    /* below it the step is corrected to second order */
static const double CORRECTION_LIMIT = .5; /* |e| < this |d| */

static double norm(const double *d, int n)
{
    double square = 0;
    for (int j = 0; j < n; j++) {
        square += d[j] * d[j];
    }
    return sqrt(square);
}

bool opt_trial_cap(const sal_optim *o, double *d)
{
    const double length = opt_kernel_largest(d, o->nls->nvar),
                 cap = o->options.cap * o->state.reach;
    if (!(cap > 0) || length <= cap) {
        return isfinite(length);
    }
    if (!(length <= CAP_SCALE * cap)) {
        return false;
    }
    for (int j = 0; j < o->nls->nvar; j++) {
        d[j] *= cap / length;
    }
    return true;
}

sal_status opt_trial_at(sal_optim *o, opt_point *p, const double *d, sal_err *err)
{
    o->nls->retract(o->nls->ctx, p->x, o->now.x, d);
    return opt_point_evaluate(o, p, err);
}

void opt_trial_accept(sal_optim *o, opt_point *p)
{
    const opt_point was = o->now;
    o->now = *p;
    *p = was;
}

double opt_trial_predict(sal_optim *o, const double *d)
{
    const sal_work before = sal_clock_turn(o->nls->clock, SAL_WORK_SOLUTION);
    double decrease = 0;
    for (int j = 0; j < o->nls->nvar; j++) {
        decrease -= o->g[j] * d[j];
    }
    opt_assembly_product(o->assembly, o->w, o->A, d);
    for (int i = 0; i < o->nrow; i++) {
        decrease -= o->use[i] ? 0.5 * o->w[i] * o->w[i] : 0;
    }
    sal_clock_turn(o->nls->clock, before);
    return decrease;
}

/* ---- second-order correction ---- */

/* w := sqrt(weight) root c - w  of one segment */
static void curvature_of_segment(const sal_segment *seg, double *w, const double *root,
                                 const double *r, const double *r0)
{
    const double factor = sqrt(fmax(seg->weight, 0));
    const bool full = opt_model_root_is_full(seg);
    for (int i = 0; i < seg->n; i++) {
        double sum = 0;
        for (int j = full ? 0 : i; j < (full ? seg->n : i + 1); j++) {
            sum += root[full ? i * seg->n + j : i] * (r[j] - r0[j]);
        }
        w[i] = factor * sum - w[i];
    }
}

/* The residual's curvature along the step, as far as the linear model sees it:
 *     w = sqrt(weight) root ( r(x (+) d) - r(x) ) - A d
 *     (A d comes in w) */
static void curvature_of_residual(sal_optim *o, const double *r)
{
    for (int b = 0; b <= o->nls->nblock; b++) {
        const sal_block *block = opt_assembly_block(o->assembly, b);
        const double *root = o->root + o->root_at[b];
        int row = o->assembly->res_at[b];
        for (int k = 0; k < block->nseg; k++) {
            const sal_segment *seg = &block->seg[k];
            if (seg->sum == 0) {
                curvature_of_segment(seg, o->w + row, root, r + row, o->r0 + row);
            }
            row += seg->n;
            root += opt_model_root_size(seg);
        }
    }
}

/* e = -(H + mu I)^-1 A'w is added to the step, and d + e replaces the trial if e is short and the
 * merit lower (Transtrum, Sethna, "Improvements to the Levenberg-Marquardt algorithm", 2012:
 * geodesic acceleration, here by a full step). r: at x (+) d. */
static sal_status correct(sal_optim *o, const double *r, sal_err *err)
{
    const int n = o->nls->nvar;
    const double decrease = o->last.before - opt_point_merit(o, &o->trial);
    if (!isfinite(o->trial.cost) || decrease >= GAIN_CORRECT * o->last.predicted) {
        return SAL_OK;
    }
    const sal_work before = sal_clock_turn(o->nls->clock, SAL_WORK_SOLUTION);
    curvature_of_residual(o, r);
    opt_assembly_gradient(o->assembly, o->e, o->A, o->w, o->use);
    sal_clock_turn(o->nls->clock, before);
    sal_status status = opt_model_solve(o, o->e, o->e, err);
    if (status != SAL_OK || !(norm(o->e, n) < CORRECTION_LIMIT * norm(o->d, n))) {
        return status;
    }
    for (int j = 0; j < n; j++) {
        o->e[j] += o->d[j];
    }
    status = opt_trial_at(o, &o->other, o->e, err);
    status = status == SAL_OK ? opt_complete(o, &o->other, err) : status;
    if (status == SAL_OK && opt_point_merit(o, &o->other) < opt_point_merit(o, &o->trial)) {
        const opt_point uncorrected = o->trial;
        o->trial = o->other;
        o->other = uncorrected;
    }
    return status;
}

/* ---- judgement --------------------------------------------------------------------------- */

sal_status opt_trial_judge(sal_optim *o, double *gain, sal_err *err)
{
    sal_status status = opt_trial_at(o, &o->trial, o->d, err);
    const double *r = o->trial.r;
    if (status == SAL_OK && o->nls->linear != NULL) {
        r = memcpy(o->left, r, (size_t)o->nrow * sizeof(double));
        status = opt_complete(o, &o->trial, err);
    }
    if (status == SAL_OK) {
        status = correct(o, r, err);
    }
    if (status != SAL_OK) {
        return status;
    }
    *gain = (o->last.before - opt_point_merit(o, &o->trial)) / o->last.predicted;
    if (*gain > GAIN_TAKEN) {
        opt_trial_accept(o, &o->trial);
        o->last.after = opt_point_merit(o, &o->now);
        o->last.taken = true;
    }
    return SAL_OK;
}
