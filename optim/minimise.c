/* minimise.c: Levenberg-Marquardt to the end. */
#include "optim/solver.h"

#include <float.h>
#include <math.h>

static const double SHRINK = 0.1;     /* of the damping after a good step */
static const double GRADIENT = 1e-12; /* cosine below which a gradient is negligible */
static const double ZERO =
    1e-31; /* of the merit at the start: a sum of squares of rounding errors */
static const double GAIN_TRUSTED =
    2; /* a decrease far above the predicted one is no sign of convergence */

/* The step does not change x any more. */
static bool step_is_negligible(const sal_optim *o)
{
    double largest = 0;
    for (int i = 0; i < o->nls->nx; i++) {
        largest = fmax(largest, fabs(o->now.x[i]));
    }
    return o->last.length <= 2 * DBL_EPSILON * (largest + DBL_MIN);
}

/* Actual and predicted decrease are both below the tolerance (More, "The Levenberg-Marquardt
 * algorithm: implementation and theory", 1978, section 7). */
static bool decrease_is_negligible(const sal_optim *o)
{
    const double decrease = o->last.before - o->last.after;
    const double least = o->options.tolerance * o->last.before;
    return o->last.predicted <= least && decrease <= least &&
           decrease <= GAIN_TRUSTED * o->last.predicted;
}

/* One linearisation and its step. *ended: with *stop as the reason. */
static sal_status iterate(sal_optim *o, double zero, bool *ended, sal_stop *stop, sal_err *err)
{
    *ended = true;
    if (!opt_step_allowed(o)) {
        *stop = o->halt;
        return SAL_OK;
    }
    sal_status status = opt_model_linearise(o, err);
    if (status != SAL_OK) {
        return status;
    }
    o->state.count.gradient = o->gradient;
    *stop = SAL_STOP_CONVERGED;
    if (o->cosine <= GRADIENT) {
        return SAL_OK;
    }
    status = opt_step_take(o, err);
    if (status != SAL_OK) {
        return status;
    }
    if (!o->last.taken) {
        *stop = step_is_negligible(o) || o->last.predicted <= o->options.tolerance * o->last.before
                    ? SAL_STOP_CONVERGED
                    : SAL_STOP_STALLED;
        return SAL_OK;
    }
    opt_step_note(o);
    opt_step_tell(o);
    *ended = step_is_negligible(o) || decrease_is_negligible(o) || o->last.after <= zero;
    return SAL_OK;
}

sal_status sal_minimise(sal_optim *o, double *x, sal_optim_result *result, sal_err *err)
{
    sal_stop stop = SAL_STOP_FAILED;
    bool ended = false;
    opt_start(o, x);
    opt_damping_start(&o->state.damping, o->options.damping, SHRINK, o->options.damping_floor);
    sal_status status = opt_point_evaluate(o, &o->now, err);
    if (status == SAL_OK && !isfinite(o->now.cost)) {
        status = sal_fail(err, SAL_DIVERGED,
                          "the residuals are not finite (NaN or infinite) at the initial guess");
    }
    const double zero = ZERO * opt_point_merit(o, &o->now);
    while (status == SAL_OK && !ended) {
        status = iterate(o, zero, &ended, &stop, err);
    }
    if (status != SAL_OK) {
        stop = SAL_STOP_FAILED;
    }
    opt_finish(o, x, result, stop);
    return status;
}
