/* point.c: what a point costs. */
#include "optim/solver.h"

#include <math.h>
#include <string.h>

/* Sum of squares of a constraint's residuals, and its largest violation. Ranges count where they
 * are exceeded. */
static double constraint_square(const sal_segment *seg, const double *r, double *violation)
{
    double square = 0;
    for (int i = 0; i < seg->n; i++) {
        const double excess = seg->range && r[i] < 0 ? 0 : r[i];
        square += excess * excess;
        const double tol = seg->tols == NULL ? seg->tol : seg->tols[i];
        if (!(fabs(excess) <= *violation * tol)) {
            *violation = fabs(excess) / tol;
        }
    }
    return square;
}

double opt_point_violation_of(const sal_block *block, const double *r)
{
    double most = 0;
    for (int s = 0; s < block->nseg; r += block->seg[s++].n) {
        const sal_segment *seg = &block->seg[s];
        if (seg->constraint && seg->sum == 0) {
            constraint_square(seg, r, &most);
        }
    }
    return most;
}

/* cost = sum over terms of weight norm(r)      penalty = sum over constraints of weight 1/2 |r|^2
 */
static void sum_up(const sal_optim *o, opt_point *p)
{
    const double *r = p->r;
    p->cost = p->penalty = p->violation = 0;
    opt_sums_residual(o->assembly, p->r);
    for (int b = 0; b <= o->nls->nblock; b++) {
        const sal_block *block = opt_assembly_block(o->assembly, b);
        for (int s = 0; s < block->nseg; r += block->seg[s++].n) {
            const sal_segment *seg = &block->seg[s];
            if (seg->sum != 0) {
                continue;
            }
            if (seg->constraint) {
                p->penalty += 0.5 * seg->weight * constraint_square(seg, r, &p->violation);
            } else if (seg->weight != 0) {
                p->cost += seg->weight * sal_norm_value(&seg->norm, r, seg->n);
            }
        }
    }
}

/* p->r: those of this rank's blocks, then of all */
static sal_status residuals(const sal_optim *o, opt_point *p, sal_err *err)
{
    const sal_nls *nls = o->nls;
    const opt_assembly *as = o->assembly;
    if (as->spread == NULL) {
        return nls->residual(nls->ctx, p->r, p->x, err);
    }
    int end;
    const int first = opt_spread_first(as->spread, as->nblock, &end);
    sal_status status = first == end ? SAL_OK
                                     : nls->residual_part(nls->ctx, p->r + as->res_at[first], p->x,
                                                          first, end - first, err);
    sal_clock_turn(nls->clock, SAL_WORK_EXCHANGE);
    status = opt_spread_agree(as->spread, status, err);
    if (status == SAL_OK) {
        opt_spread_collect(as->spread, p->r, as->res_at);
    }
    return status;
}

sal_status opt_point_evaluate(sal_optim *o, opt_point *p, sal_err *err)
{
    const sal_work before = sal_clock_turn(o->nls->clock, SAL_WORK_RESIDUALS);
    o->state.count.evaluations++;
    p->valued = true;
    const sal_status status = residuals(o, p, err);
    sal_clock_turn(o->nls->clock, SAL_WORK_RESIDUALS);
    if (status == SAL_OK) {
        sum_up(o, p);
    }
    sal_clock_turn(o->nls->clock, before);
    if (status == SAL_DIVERGED || (status == SAL_OK && !isfinite(p->cost + p->penalty))) {
        p->cost = p->penalty = p->violation = (double)INFINITY;
        return SAL_OK;
    }
    return status;
}

double opt_point_merit(const sal_optim *o, const opt_point *p)
{
    return (o->rows & OPT_ROWS_TERMS ? p->cost : 0) +
           (o->rows & OPT_ROWS_CONSTRAINTS ? p->penalty : 0);
}

static sal_status check_finite(const sal_optim *o, sal_err *err)
{
    return isfinite(o->now.cost + o->now.penalty)
               ? SAL_OK
               : sal_fail(err, SAL_DIVERGED,
                          "the residuals are not finite (NaN or infinite) at softness %g",
                          o->state.softness);
}

sal_status opt_point_value(sal_optim *o, sal_err *err)
{
    if (o->now.valued) {
        return SAL_OK;
    }
    const sal_status status = opt_point_evaluate(o, &o->now, err);
    return status == SAL_OK ? check_finite(o, err) : status;
}

sal_status opt_point_value_of(sal_optim *o, const double *r, sal_err *err)
{
    if (o->now.valued) {
        return SAL_OK;
    }
    memcpy(o->now.r, r, (size_t)o->nrow * sizeof(double));
    sum_up(o, &o->now);
    o->now.valued = true;
    return check_finite(o, err);
}

sal_status opt_point_stage(sal_optim *o, double softness, double smoothing, sal_err *err)
{
    o->state.softness = softness;
    o->state.smoothing = smoothing;
    sal_status status = SAL_OK;
    if (o->nls->soften != NULL) {
        const bool any = o->state.stretching && o->state.stretch > 0;
        status = o->nls->soften(o->nls->ctx, any ? o->soft : NULL, o->state.stretch, err);
    }
    if (o->nls->stage != NULL && status == SAL_OK) {
        status = o->nls->stage(o->nls->ctx, softness, smoothing, o->now.x, err);
    }
    o->now.valued = false;
    return status;
}
