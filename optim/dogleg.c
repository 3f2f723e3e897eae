/* dogleg.c: a step within a trust region.
 *
 *     d = -(H + tiny)^-1 g
 *     where that is within the region  |D d| <= radius,  D^2 = diag H
 *     p = -a D^-2 g,  a = |D^-1 g|^2 / |A D^-2 g|^2
 *     the best point along steepest descent; shortened, where it is outside
 *     p + t (d - p)   on the border                           otherwise
 *
 * (Powell, "A new algorithm for unconstrained optimization", 1970; Madsen, Nielsen, Tingleff,
 * "Methods for non-linear least squares problems", DTU, 2004, section 3.3; D: More, "The
 * Levenberg-Marquardt algorithm: implementation and theory", 1978.) H is factorised once per
 * linearisation.
 */
#include "optim/kernel.h"
#include "optim/solver.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { TRIALS = 60, SHIFTS = 40 };
static const double SHIFT = 1e-16;        /* of the largest curvature: where H is singular, */
static const double SHIFT_RAISE = 10;     /* and this many times more while it stays so */
static const double LEAST_WEIGHT = 1e-16; /* of the largest curvature */

static double weighted_square(const sal_optim *o, const double *a, const double *b)
{
    double sum = 0;
    for (int j = 0; j < o->nls->nvar; j++) {
        sum += o->weight[j] * a[j] * b[j];
    }
    return sum;
}

/* The Gauss-Newton step */
static sal_status gauss_newton(sal_optim *o, sal_err *err)
{
    double shift = 0;
    for (int k = 0; k < SHIFTS; k++) {
        sal_status status =
            opt_model_factorise_mix(o, 1, o->rows & OPT_ROWS_CONSTRAINTS ? 1 : 0, shift, err);
        if (status == SAL_OK) {
            status = opt_model_solve(o, o->newton, o->g, err);
            if (status != SAL_OK || isfinite(opt_kernel_largest(o->newton, o->nls->nvar))) {
                return status;
            }
        }
        if (status != SAL_SINGULAR && status != SAL_OK) {
            return status;
        }
        shift = fmax(SHIFT_RAISE * shift, fmax(SHIFT * o->curvature, DBL_MIN));
    }
    return sal_fail(err, SAL_SINGULAR, "the Gauss-Newton step is not finite (NaN or infinite)");
}

/* p into `descent`, D^2 into `weight` */
static void steepest_descent(sal_optim *o)
{
    double square = 0, along = 0;
    for (int j = 0; j < o->nls->nvar; j++) {
        o->weight[j] =
            fmax(opt_model_diagonal_of_merit(o, j), LEAST_WEIGHT * o->curvature + DBL_MIN);
        o->descent[j] = -o->g[j] / o->weight[j];
        square -= o->g[j] * o->descent[j];
    }
    opt_assembly_product(o->assembly, o->w, o->A, o->descent);
    for (int i = 0; i < o->nrow; i++) {
        along += o->use[i] ? o->w[i] * o->w[i] : 0;
    }
    for (int j = 0; j < o->nls->nvar; j++) {
        o->descent[j] *= along > 0 ? square / along : 0;
    }
}

/* d on the dogleg with |D d| <= radius. p: descent, e: Gauss-Newton. With u = e - p:
 *     |D (p + t u)|^2 = radius^2,   t = rest / (p.u + sqrt((p.u)^2 + u.u rest)),
 *     rest = radius^2 - p.p                (no cancellation) */
static void combine(sal_optim *o, double radius)
{
    const int n = o->nls->nvar;
    const double *p = o->descent, *e = o->newton;
    const double ee = weighted_square(o, e, e), pp = weighted_square(o, p, p);
    double share = 0, t = 1; /* d = share p + t (e - share p) */
    if (sqrt(ee) > radius) {
        share = fmin(1, radius / sqrt(pp));
        const double pu = weighted_square(o, p, e) - pp, uu = ee - pp - 2 * pu;
        const double rest = fmax(radius * radius - pp, 0);
        const double root = sqrt(fmax(pu * pu + uu * rest, 0));
        t = share < 1 || !(rest > 0) ? 0 : pu > 0 ? rest / (pu + root) : (root - pu) / uu;
    }
    for (int j = 0; j < n; j++) {
        o->d[j] = share * p[j] + t * (e[j] - share * p[j]);
    }
}

/* d, capped, and what it promises */
static void propose(sal_optim *o)
{
    const double cap = o->options.cap;
    combine(o, o->state.damping.radius);
    const double length = opt_kernel_largest(o->d, o->nls->nvar),
                 factor = cap > 0 && length > cap ? cap / length : 1;
    for (int j = 0; j < o->nls->nvar; j++) {
        o->d[j] *= factor;
    }
    o->last.length = factor * length;
    o->last.predicted = opt_trial_predict(o, o->d);
}

sal_status opt_dogleg_take(sal_optim *o, sal_err *err)
{
    const double merit = opt_point_merit(o, &o->now);
    opt_damping *region = &o->state.damping;
    o->last = (opt_step){.before = merit, .after = merit};
    sal_status status = gauss_newton(o, err);
    if (status != SAL_OK) {
        return status;
    }
    steepest_descent(o);
    region->radius =
        region->radius > 0 ? region->radius : sqrt(weighted_square(o, o->newton, o->newton));
    for (int k = 0; k < TRIALS; k++) {
        propose(o);
        if (!(o->last.predicted > OPT_STEP_HOPELESS * merit)) {
            return SAL_OK;
        }
        double gain;
        status = opt_trial_judge(o, &gain, err);
        if (status != SAL_OK) {
            return status;
        }
        opt_damping_resize(region, gain, sqrt(weighted_square(o, o->d, o->d)));
        if (o->last.taken) {
            return SAL_OK;
        }
    }
    return SAL_OK;
}
