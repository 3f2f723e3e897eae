/* path.c: from the soft problem to the final one, one increment of softness after another.
 *
 * The optimum is found while the problem is soft; from then on each increment needs only as much
 * work as keeps the point near the path: one Levenberg-Marquardt step, or one chord step, which
 * reuses the last Jacobian and factor.
 */
#include "optim/solver.h"

#include <math.h>
#include <string.h>

enum {
    SOFT_LEAST = 5,      /* iterations at the soft end, at least */
    SOFT_MOST = 30,      /* and at most */
    EXTRA_MOST = 2,      /* more iterations at an increment that has left the path */
    CHORDS_MOST = 2,     /* chord steps per linearisation */
    FALLBACKS_MOST = 10, /* to the last good point */
    FINAL_ON_PATH = 3,   /* iterations at the final stage */
    FINAL_OFF_PATH = 12  /* the same when the path was left */
};
static const double SOFT_DECREASE =
    0.02; /* relative decrease below which the soft end is reached */
static const double FINAL_DECREASE = 0.01; /* the same for the final stage */
static const double LEFT_PATH = 6;         /* times the reference cost */
static const double CHORD_START = 0.2;     /* share of the path without chord steps */
static const double CHORD_SHARE = 0.1; /* of the predicted decrease that a chord step must give */
static const double SHRINK = 0.1;      /* of the damping after a good step */

static int increments(const sal_optim *o)
{
    const bool none = o->nls->stage == NULL || o->options.increments < 1;
    return none ? 0 : (int)ceil(o->options.increments * o->options.softness);
}

/* Softness after k of n increments. */
static double softness_after(const sal_optim *o, int k)
{
    const int n = increments(o);
    return n == 0 ? 0 : o->options.softness * (double)(n - k) / n;
}

/* On the path means a cost below six times the reference c_ref; then c_ref := c if that is lower,
 * else sqrt(c c_ref). */
static bool judge(sal_optim *o)
{
    opt_state *state = &o->state;
    const double cost = opt_point_merit(o, &o->now);
    state->on_path = cost < LEFT_PATH * state->reference;
    if (state->on_path) {
        state->reference = cost < state->reference ? cost : sqrt(cost * state->reference);
    }
    return state->on_path;
}

/* The step just taken lowered the merit by no more than this share of it. */
static bool has_settled(const sal_optim *o, double decrease)
{
    return o->last.before - o->last.after <= decrease * o->last.before;
}

/* ---- the last good point ---- */

void opt_path_keep(sal_optim *o)
{
    opt_state *state = &o->state;
    const bool met = state->phase != OPT_PHASE_POLISH || o->now.violation <= 1;
    if (met && (state->phase != OPT_PHASE_PATH || state->on_path)) {
        memcpy(o->good, o->now.x, (size_t)o->nls->nx * sizeof(double));
        state->good_softness = state->softness;
    }
}

bool opt_path_fall_back(sal_optim *o, sal_status *status, sal_err *err)
{
    opt_state *state = &o->state;
    double softness = state->softness;
    if (state->count.linearisations < 2 || state->fallbacks >= FALLBACKS_MOST) {
        return false;
    }
    state->fallbacks++;
    opt_damping_reject(&state->damping, o->curvature);
    opt_secant_forget(o);
    memcpy(o->now.x, o->good, (size_t)o->nls->nx * sizeof(double));
    if (state->phase == OPT_PHASE_PATH) {
        softness = 0.5 * (state->good_softness + softness);
        while (state->increment > 0 && softness_after(o, state->increment) < softness) {
            state->increment--; /* so that the next one comes after */
        }
        state->step = 0;
        state->on_path = true;
    }
    *status = opt_point_stage(o, softness, state->smoothing, err);
    return true;
}

/* ---- increments ---- */

static sal_status begin_final(sal_optim *o, sal_err *err)
{
    opt_phase_enter(o, OPT_PHASE_FINAL);
    return opt_point_stage(o, 0, 1, err);
}

/* One chord step at the increment at hand. *enough: it stays near the path. */
static sal_status chord(sal_optim *o, bool *enough, sal_err *err)
{
    const opt_state *state = &o->state;
    *enough = false;
    if (!state->on_path || state->chords >= CHORDS_MOST || state->softness >= 1 - CHORD_START) {
        return SAL_OK;
    }
    const sal_status status = opt_step_chord(o, CHORD_SHARE, err);
    o->state.chords++;
    *enough = status == SAL_OK && o->last.taken && judge(o);
    return status;
}

/* Moves to the stage of the increment at hand. *same: it is no other than the one before, as far as
 * the residuals can tell, and so were all before it. */
static sal_status enter_increment(sal_optim *o, bool *same, sal_err *err)
{
    opt_state *state = &o->state;
    const double merit = opt_point_merit(o, &o->now);
    sal_status status = opt_point_stage(o, softness_after(o, state->increment), 1, err);
    if (status == SAL_OK && state->steady) {
        status = opt_point_value(o, err);
        state->steady = status == SAL_OK && opt_point_merit(o, &o->now) == merit;
    }
    *same = state->steady;
    return status;
}

/* To the next increment that asks for a linearisation; those on the way get by with a chord step,
 * or nothing. */
static sal_status go_on(sal_optim *o, sal_err *err)
{
    opt_state *state = &o->state;
    sal_status status = SAL_OK;
    for (bool enough = true; enough && status == SAL_OK;) {
        if (++state->increment >= increments(o)) {
            return begin_final(o, err);
        }
        status = enter_increment(o, &enough, err);
        if (status == SAL_OK && !enough) {
            status = chord(o, &enough, err);
        }
    }
    state->step = 0;
    return status;
}

/* ---- phases ---- */

sal_status opt_path_begin(sal_optim *o, sal_err *err)
{
    opt_damping_start(&o->state.damping, o->options.damping, SHRINK, o->options.damping_floor);
    opt_phase_enter(o, OPT_PHASE_SOFT);
    sal_status status = opt_point_stage(o, softness_after(o, 0), 1, err);
    status = status == SAL_OK ? opt_point_value(o, err) : status;
    o->state.first_merit = opt_point_merit(o, &o->now);
    return status;
}

sal_status opt_path_soft(sal_optim *o, sal_err *err)
{
    const sal_status status = opt_step_in_turn(o, OPT_PATH_METRIC, 1, err);
    const int step = o->state.step;
    if (status != SAL_OK ||
        (step < SOFT_MOST && (step < SOFT_LEAST || !has_settled(o, SOFT_DECREASE)))) {
        return status;
    }
    o->state.reference = opt_point_merit(o, &o->now);
    o->state.on_path = true;
    if (increments(o) == 0) {
        return opt_project_begin(o, err);
    }
    opt_phase_enter(o, OPT_PHASE_PATH);
    o->state.steady = true;
    return go_on(o, err);
}

sal_status opt_path_increment(sal_optim *o, sal_err *err)
{
    o->state.chords = 0;
    const sal_status status = opt_step_in_turn(o, OPT_PATH_METRIC, 1, err);
    return status == SAL_OK && (judge(o) || o->state.step > EXTRA_MOST) ? go_on(o, err) : status;
}

sal_status opt_path_final(sal_optim *o, sal_err *err)
{
    const sal_status status = opt_step_in_turn(o, OPT_PATH_METRIC, 1, err);
    const int most = o->state.on_path ? FINAL_ON_PATH : FINAL_OFF_PATH;
    return status == SAL_OK && (o->state.step >= most || has_settled(o, FINAL_DECREASE))
               ? opt_project_begin(o, err)
               : status;
}
