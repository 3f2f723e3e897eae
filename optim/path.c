/* path.c: from the soft problem to the final one, one increment of softness after another.
 *
 * The optimum is found while the problem is soft; from then on each increment needs only as much work as keeps the point near
 * the path: one Levenberg-Marquardt step, or one chord step, which reuses the last Jacobian and factor.
 */
#include "optim/solver.h"

#include <math.h>

enum {
    SOFT_LEAST = 5,     /* iterations at the soft end, at least */
    SOFT_MOST = 30,     /* and at most */
    EXTRA_MOST = 2,     /* more iterations at an increment that has left the path */
    CHORDS_MOST = 2,    /* chord steps per linearisation */
    FINAL_ON_PATH = 3,  /* iterations at the final stage */
    FINAL_OFF_PATH = 12 /* the same when the path was left */
};
static const double SOFT_DECREASE =
    0.02; /* relative decrease below which the soft end is reached */
static const double FINAL_DECREASE = 0.01; /* the same for the final stage */
static const double LEFT_PATH = 6;         /* times the reference cost */
static const double CHORD_START = 0.2;     /* share of the path without chord steps */
static const double CHORD_SHARE = 0.1; /* of the predicted decrease that a chord step must give */
static const double SHRINK = 0.1;      /* of the damping after a good step */
static const double METRIC_MOST = 1;   /* damping by the Hessian of the terms, at most */

typedef struct path {
    double reference; /* cost that the path is expected to have */
    bool on;          /* the last point was on it */
    int chords;       /* since the last linearisation */
} path;

/* On the path means a cost below six times the reference c_ref; then c_ref := c if that is lower, else sqrt(c c_ref). */
static bool judge(path *p, double cost)
{
    p->on = cost < LEFT_PATH * p->reference;
    if (p->on) {
        p->reference = cost < p->reference ? cost : sqrt(cost * p->reference);
    }
    return p->on;
}

/* At least `least` and at most `most` iterations, until one lowers the merit by less than `decrease` of it. */
static sal_status settle(sal_optim *o, int least, int most, double decrease, sal_err *err)
{
    for (int k = 1; k <= most; k++) {
        const sal_status status = sal_step_iterate(o, err);
        if (status != SAL_OK || o->halted) {
            return status;
        }
        if (k >= least && o->last.before - o->last.after <= decrease * o->last.before) {
            break;
        }
    }
    return SAL_OK;
}

/* One increment: a chord step if that will do, else linearised steps until the point is on the path again. */
static sal_status advance(sal_optim *o, path *p, sal_err *err)
{
    const bool may_chord = p->on && p->chords < CHORDS_MOST && o->softness < 1 - CHORD_START;
    sal_status status = SAL_OK;
    if (may_chord) {
        status = sal_step_chord(o, CHORD_SHARE, err);
        p->chords++;
        if (status != SAL_OK || (o->last.taken && judge(p, sal_point_merit(o, &o->now)))) {
            return status;
        }
    }
    p->chords = 0;
    for (int k = 0; k <= EXTRA_MOST; k++) {
        status = sal_step_iterate(o, err);
        if (status != SAL_OK || o->halted || judge(p, sal_point_merit(o, &o->now))) {
            break;
        }
    }
    return status;
}

/* Damping  mu I + min(mu, 1) M,  M the Hessian of the terms: what the cost feels is damped like what it does not feel, but never so much that
 * the step could not follow the constraints. */
void sal_path_metric(sal_optim *o)
{
    o->metric_most = METRIC_MOST;
    o->metric_identity = 1;
}

sal_status sal_path_follow(sal_optim *o, sal_err *err)
{
    const int n = o->nls->stage == NULL || o->options.increments < 1 ? 0 : o->options.increments;
    path p = {.on = true};
    o->rows = SAL_ROWS_ALL;
    sal_path_metric(o);
    sal_damping_start(&o->damping, o->options.damping, SHRINK, o->options.damping_floor);

    o->phase = "soft";
    sal_status status = sal_point_stage(o, n > 0 ? 1 : 0, 1, err);
    status = status == SAL_OK ? sal_point_value(o, err) : status;
    o->first_merit = sal_point_merit(o, &o->now);
    if (status == SAL_OK) {
        status = settle(o, SOFT_LEAST, SOFT_MOST, SOFT_DECREASE, err);
    }
    p.reference = sal_point_merit(o, &o->now);

    o->phase = "path";
    for (int k = 1; k < n && status == SAL_OK && !o->halted; k++) {
        status = sal_point_stage(o, (double)(n - k) / n, 1, err);
        if (status == SAL_OK) {
            status = advance(o, &p, err);
        }
    }

    o->phase = "final";
    if (n > 0 && status == SAL_OK && !o->halted) {
        status = sal_point_stage(o, 0, 1, err);
        if (status == SAL_OK) {
            status = settle(o, 1, p.on ? FINAL_ON_PATH : FINAL_OFF_PATH, FINAL_DECREASE, err);
        }
    }
    return status;
}
