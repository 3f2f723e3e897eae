/* step.c: one step. */
#include "optim/kernel.h"
#include "optim/solver.h"

#include <math.h>
#include <string.h>

static const double GAIN_STRETCH = 0.75,
                    GAIN_SHRINK = 0.25; /* the cap grows above, and shrinks below */
static const double STRETCH = 2;
static const double CAP_DAMPING = 4; /* else the damping is raised by this */
enum { TRIALS = 40 };                /* more than any damping needs */
enum { SETS_MOST = 5 };              /* of ranges that a step knows */

/* Lets the cap grow while steps keep what they promise. */
static void stretch(sal_optim *o, double gain)
{
    if (gain > GAIN_STRETCH) {
        o->state.reach = fmax(1, fmin(o->options.reach, STRETCH * o->state.reach));
    } else if (gain < GAIN_SHRINK) {
        o->state.reach = fmax(1, o->state.reach / (STRETCH * STRETCH));
    }
}

/* ---- steps ---- */

/* d = -(H + D)^-1 g, D the damping, capped, and what it promises; A d in w. *usable: false if there
 * is no step with this damping, which was raised. */
static sal_status solve(sal_optim *o, bool *usable, sal_err *err)
{
    *usable = false;
    sal_status status = opt_model_factorise(o, o->state.damping.mu, err);
    if (status == SAL_SINGULAR) {
        opt_damping_reject(&o->state.damping, o->metric_most > 1 ? 1 : o->curvature);
        return SAL_OK;
    }
    if (status == SAL_OK) {
        status = opt_model_solve(o, o->d, o->g, err);
    }
    if (status != SAL_OK) {
        return status;
    }
    if (!opt_trial_cap(o, o->d)) {
        o->state.damping.mu *= CAP_DAMPING;
        return SAL_OK;
    }
    o->last.length = opt_kernel_largest(o->d, o->nls->nvar);
    o->last.predicted = opt_trial_predict(o, o->d) - opt_foreseen(o);
    *usable = true;
    return SAL_OK;
}

/* The same, with the ranges that it would exceed. */
static sal_status propose(sal_optim *o, bool *usable, sal_err *err)
{
    sal_status status = solve(o, usable, err);
    for (int k = 0; k < SETS_MOST && status == SAL_OK && *usable && opt_foresee(o); k++) {
        status = solve(o, usable, err);
    }
    return status;
}

sal_status opt_step_take(sal_optim *o, sal_err *err)
{
    if (o->options.step == SAL_STEP_DOGLEG && (o->rows & OPT_ROWS_TERMS)) {
        return opt_dogleg_take(o, err);
    }
    const double merit = opt_point_merit(o, &o->now);
    o->last = (opt_step){.before = merit, .after = merit};
    for (int k = 0; k < TRIALS; k++) {
        bool usable;
        sal_status status = propose(o, &usable, err);
        if (status != SAL_OK) {
            return status;
        }
        if (!usable) {
            continue;
        }
        if (!(o->last.predicted > OPT_STEP_HOPELESS * merit)) {
            return SAL_OK;
        }
        double gain;
        status = opt_trial_judge(o, &gain, err);
        if (status != SAL_OK) {
            return status;
        }
        stretch(o, gain);
        if (o->last.taken) {
            opt_damping_accept(&o->state.damping, gain);
            return SAL_OK;
        }
        opt_damping_reject(&o->state.damping, o->metric_most > 1 ? 1 : o->curvature);
    }
    return SAL_OK;
}

sal_status opt_step_in_turn(sal_optim *o, double metric_most, double metric_identity, sal_err *err)
{
    o->metric_most = metric_most;
    o->metric_identity = metric_identity;
    const sal_status status = opt_step_take(o, err);
    opt_step_note(o);
    o->state.step++;
    return status;
}

sal_status opt_step_chord(sal_optim *o, double share, sal_err *err)
{
    sal_status status = opt_point_value(o, err);
    status = status == SAL_OK ? opt_complete(o, &o->now, err) : status;
    if (status != SAL_OK) {
        return status;
    }
    const double merit = opt_point_merit(o, &o->now);
    o->last = (opt_step){.before = merit, .after = merit};
    opt_model_refresh(o);
    status = opt_model_solve(o, o->d, o->g, err);
    if (status != SAL_OK || !opt_trial_cap(o, o->d)) {
        return status;
    }
    o->last.length = opt_kernel_largest(o->d, o->nls->nvar);
    o->last.predicted = opt_trial_predict(o, o->d);
    status = opt_trial_at(o, &o->trial, o->d, err);
    status = status == SAL_OK ? opt_complete(o, &o->trial, err) : status;
    const double decrease = merit - opt_point_merit(o, &o->trial);
    if (status == SAL_OK && decrease > share * o->last.predicted && decrease > 0) {
        opt_trial_accept(o, &o->trial);
        o->last.after = opt_point_merit(o, &o->now);
        o->last.taken = true;
    }
    return status;
}
