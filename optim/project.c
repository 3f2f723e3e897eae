/* project.c: onto the constraints, to the last digit, by the way that the cost feels least.
 *
 *     minimise  sum over constraints of weight 1/2 |r|^2  from where the path ended,  (C'C + mu M) d = -C'r  with vanishing mu:
 *
 * a step is then nearly the shortest, by the metric M, that satisfies the linearised constraints. M is the Hessian of the terms. (With the
 * identity instead, each time step moves by itself: tiny motions, but large accelerations, which run into the kinks of a contact
 * law one after the other.) The smoothing of the path is withdrawn on the way.
 */
#include "optim/solver.h"

#include <math.h>

static const double SMOOTHING[] = {0.2, 0.04}; /* one step each before it is zero */
static const double DAMPING = 1;               /* at the start */
static const double DAMPING_FLOOR = 1e-6;      /* always */
/* The identity's part of the metric, of the largest curvature of the terms and at least of that of the constraints. */
static const double METRIC_SHARE = 1e-6, METRIC_LEAST = 1e-12;
static const double SHRINK = 0.01;     /* of the damping after a good step */
static const double CHORD_SHARE = 0.9; /* a chord step must do nearly all that it promises */
static const double DIGIT_SHARE =
    0.5;                         /* the same for those behind the last decimal that is asked for */
static const double WEAK = 1e-3; /* relative decrease of a step that leads nowhere */
static const double STATIONARY = 1e-2; /* cosine below which no direction lowers the violation */
enum {
    STEPS_MOST = 30,
    CHORDS_MOST = 6,
    WEAK_MOST = 3,
    RETRY_ITERATIONS = 5,
    SHARPEN_ITERATIONS = 20,
    RETRIES = 2
};
static const double SHARPEN = 0.8; /* of the smoothing, each iteration */

static sal_status chords(sal_optim *o, double share, sal_err *err)
{
    for (int k = 0; k < CHORDS_MOST && o->now.penalty > 0; k++) {
        const sal_status status = sal_step_chord(o, share, err);
        if (status != SAL_OK || !o->last.taken) {
            return status;
        }
    }
    return SAL_OK;
}

/* One linearised step towards the constraints. The damping starts at the first of them. */
static sal_status approach(sal_optim *o, bool first, sal_err *err)
{
    o->last = (sal_step){0};
    if (!sal_step_allowed(o)) {
        return SAL_OK;
    }
    sal_status status = sal_model_linearise(o, err);
    if (status != SAL_OK) {
        return status;
    }
    o->metric_most = (double)INFINITY;
    o->metric_identity = METRIC_SHARE * sal_model_curvature(o, 1, 0) + METRIC_LEAST * o->curvature;
    if (first) {
        sal_damping_start(&o->damping, DAMPING, SHRINK, DAMPING_FLOOR);
    }
    o->count.projection_steps++;
    status = sal_step_take(o, err);
    if (status == SAL_OK) {
        sal_step_report(o);
    }
    return status;
}

/* Until the constraints hold and no digit is left to gain, or steps lead nowhere. */
static sal_status to_last_digit(sal_optim *o, bool first, sal_err *err)
{
    int weak = 0;
    sal_status status = SAL_OK;
    for (int k = 0; k < STEPS_MOST && o->now.violation > 1; k++, first = false) {
        status = approach(o, first, err);
        if (status != SAL_OK || o->halted || !o->last.taken) {
            return status;
        }
        weak = o->last.before - o->last.after < WEAK * o->last.before ? weak + 1 : 0;
        if (weak >= WEAK_MOST) {
            return SAL_OK;
        }
        status = chords(o, o->now.violation > 1 ? CHORD_SHARE : DIGIT_SHARE, err);
        if (status != SAL_OK) {
            return status;
        }
    }
    return status;
}

/* Withdraws the smoothing, one step each time, then goes all the way. */
static sal_status attempt(sal_optim *o, sal_err *err)
{
    const int n = o->nls->stage == NULL ? 0 : (int)(sizeof SMOOTHING / sizeof SMOOTHING[0]);
    o->rows = SAL_ROWS_CONSTRAINTS;
    for (int k = 0; k < n; k++) {
        sal_status status = sal_point_stage(o, 0, SMOOTHING[k], err);
        if (status == SAL_OK) {
            status = approach(o, k == 0, err);
        }
        if (status != SAL_OK || o->halted) {
            return status;
        }
    }
    sal_status status = sal_point_stage(o, 0, 0, err);
    status = status == SAL_OK ? sal_point_value(o, err) : status;
    return status == SAL_OK ? to_last_digit(o, n == 0, err) : status;
}

/* Back to where the projection began, for some more iterations on cost and constraints together; where that was not enough, while the smoothing
 * is withdrawn little by little, so that the motion can move out of a kink's way. */
static sal_status retreat(sal_optim *o, const sal_damping *damping, bool sharpen, sal_err *err)
{
    double smoothing = 1;
    o->rows = SAL_ROWS_ALL;
    sal_path_metric(o);
    o->damping = *damping;
    sal_status status = sal_point_stage(o, 0, smoothing, err);
    sal_point_copy(o, &o->now, &o->kept);
    for (int k = 0;
         k < (sharpen ? SHARPEN_ITERATIONS : RETRY_ITERATIONS) && status == SAL_OK && !o->halted;
         k++) {
        if (sharpen) {
            smoothing *= SHARPEN;
            status = sal_point_stage(o, 0, smoothing, err);
        }
        status = status == SAL_OK ? sal_step_iterate(o, err) : status;
    }
    return status;
}

/* No direction lowers the violation: the residual is perpendicular to all of them, or a unit of length along the steepest would change its
 * square by a hundredth. */
static bool is_stationary(const sal_optim *o)
{
    return o->cosine <= STATIONARY || o->gradient <= STATIONARY * o->last.before;
}

sal_status sal_project(sal_optim *o, sal_stop *stop, sal_err *err)
{
    const sal_damping damping = o->damping;
    sal_point_copy(o, &o->kept, &o->now);
    o->phase = "project";
    sal_status status = attempt(o, err);
    for (int k = 0; k < RETRIES && status == SAL_OK && !o->halted && o->now.violation > 1; k++) {
        status = retreat(o, &damping, k > 0, err);
        if (status == SAL_OK && !o->halted) {
            status = attempt(o, err);
        }
    }
    *stop = o->now.violation <= 1 ? SAL_STOP_CONVERGED
            : is_stationary(o)    ? SAL_STOP_INFEASIBLE
                                  : SAL_STOP_STALLED;
    o->damping = damping;
    return status;
}
