/* project.c: onto the constraints, to the last digit, by the way that the cost feels least.
 *
 *     minimise  sum over constraints of weight 1/2 |r|^2 from where the path ended, (C'C + mu M) d
 *               = -C'r with vanishing mu:
 *
 * a step is then nearly the shortest, by the metric M, that satisfies the linearised constraints. M
 * is the Hessian of the terms. (With the identity instead, each time step moves by itself: tiny
 * motions, but large accelerations, which run into the kinks of a contact law one after the other.)
 * The smoothing of the path is withdrawn on the way.
 */
#include "optim/solver.h"

#include <math.h>
#include <string.h>

static const double SMOOTHING[] = {0.2, 0.04}; /* one step each before it is zero */
static const double DAMPING = 1;               /* at the start */
static const double DAMPING_FLOOR = 1e-6;      /* always */
/* The identity's part of the metric, of the largest curvature of the terms and at least of that of
 * the constraints. */
static const double METRIC_SHARE = 1e-6, METRIC_LEAST = 1e-12;
static const double SHRINK = 0.01;     /* of the damping after a good step */
static const double CHORD_SHARE = 0.9; /* a chord step must do nearly all that it promises */
static const double DIGIT_SHARE =
    0.5;                         /* the same for those behind the last decimal that is asked for */
static const double WEAK = 1e-3; /* relative decrease of a step that leads nowhere */
static const double CRAWL = 0.5; /* the same of one that does not come on, */
static const double STUCK = 0.1; /* and of the violation before windows are tried once more */
/* Shares of the violation that places keep which are to be projected apart: while steps still come
 * on, and where the attempt would be over. */
static const double WORST = 0.1, WORST_AT_END = 0.5;
static const double STATIONARY = 1e-2; /* cosine below which no direction lowers the violation */
static const double GRADUAL = 0.6,
                    GRADUAL_LEAST = 1e-6; /* of the smoothing, once that has failed */
static const double FAR = 1e3;            /* tolerances: more than what rounding can hide */
static const double JUMP = 1e3;           /* of the violation: the smoothing went too fast */
enum {
    WITHDRAWALS = sizeof SMOOTHING / sizeof SMOOTHING[0],
    STEPS_MOST = 30,
    SETTLED_MOST = 300, /* the same where nothing else is to be tried */
    CHORDS_MOST = 6,
    WEAK_MOST = 3,
    CRAWL_MOST = 2,
    RETRY_ITERATIONS = 5,
    SHARPEN_ITERATIONS = 20,
    RETRIES = 2
};
static const double SHARPEN = 0.8; /* of the smoothing, each iteration */

static sal_status chords(sal_optim *o, double share, sal_err *err)
{
    for (int k = 0; k < CHORDS_MOST && o->now.penalty > 0; k++) {
        const sal_status status = opt_step_chord(o, share, err);
        if (status != SAL_OK || !o->last.taken) {
            return status;
        }
    }
    return SAL_OK;
}

/* One linearised step towards the constraints. The damping starts at the first of them. */
static sal_status step_nearer(sal_optim *o, bool first, sal_err *err)
{
    const double identity =
        METRIC_SHARE * opt_model_curvature(o, 1, 0) + METRIC_LEAST * o->curvature;
    if (first) {
        opt_damping_start(&o->state.damping, DAMPING, SHRINK, DAMPING_FLOOR);
    }
    o->state.count.projection_steps++;
    return opt_step_in_turn(o, (double)INFINITY, identity, err);
}

/* How the steps come on: so many in a row lead nowhere, or not far. */
static void note_decrease(sal_optim *o)
{
    opt_state *state = &o->state;
    const double decrease = o->last.before - o->last.after;
    state->weak = decrease < WEAK * o->last.before ? state->weak + 1 : 0;
    state->crawl = decrease < CRAWL * o->last.before ? state->crawl + 1 : 0;
}

/* No direction lowers the violation: the residual is perpendicular to all of them, or a unit of
 * length along the steepest would change its square by a hundredth; or, at a kink far from the
 * constraints, no finite step does. */
static bool is_stationary(const sal_optim *o)
{
    const bool kink = isfinite(o->trial.cost) && o->now.violation > FAR &&
                      (!o->last.taken || o->state.weak >= WEAK_MOST);
    return kink || o->cosine <= STATIONARY || o->gradient <= STATIONARY * o->last.before;
}

/* ---- from one phase to another ---- */

/* The constraints are met. */
static sal_status begin_polish(sal_optim *o)
{
    if (o->state.nearest) {
        opt_phase_end(o, SAL_STOP_CONVERGED);
        return SAL_OK;
    }
    return opt_polish_begin(o);
}

static sal_status begin_approach(sal_optim *o, sal_err *err)
{
    opt_phase_enter(o, OPT_PHASE_APPROACH);
    o->state.weak = o->state.crawl = 0;
    o->state.stuck = o->state.unfinished = (double)INFINITY;
    sal_status status = opt_point_stage(o, 0, 0, err);
    status = status == SAL_OK ? opt_point_value(o, err) : status;
    return status == SAL_OK && o->now.violation <= 1 ? begin_polish(o) : status;
}

sal_status opt_project_last(sal_optim *o, sal_err *err)
{
    o->state.retries = RETRIES;
    return begin_approach(o, err);
}

sal_status opt_project_settled(sal_optim *o, bool nearest, sal_err *err)
{
    opt_damping_start(&o->state.damping, DAMPING, SHRINK, DAMPING_FLOOR);
    sal_status status = opt_point_stage(o, 0, 0, err);
    status = status == SAL_OK ? opt_point_value(o, err) : status;
    o->state.first_merit = opt_point_merit(o, &o->now);
    o->state.most = SETTLED_MOST;
    o->state.nearest = nearest;
    return status == SAL_OK ? opt_project_last(o, err) : status;
}

/* Withdraws the smoothing, one step each time, then goes all the way. */
static sal_status begin_attempt(sal_optim *o, sal_err *err)
{
    if (o->nls->stage == NULL) {
        return begin_approach(o, err);
    }
    opt_phase_enter(o, OPT_PHASE_WITHDRAW);
    o->state.weak = 0;
    return opt_point_stage(o, 0, SMOOTHING[0], err);
}

/* While the motion is to move out of a kink's way, the smoothing is withdrawn little by little. */
static sal_status sharpen(sal_optim *o, sal_err *err)
{
    return o->state.retries > 1 ? opt_point_stage(o, 0, o->state.smoothing * SHARPEN, err) : SAL_OK;
}

/* Back to where the projection began, for some more iterations on cost and constraints together. */
static sal_status retreat(sal_optim *o, sal_err *err)
{
    o->state.retries++;
    o->state.damping = o->state.kept_damping;
    opt_phase_enter(o, OPT_PHASE_RETREAT);
    memcpy(o->now.x, o->kept, (size_t)o->nls->nx * sizeof(double));
    const sal_status status = opt_point_stage(o, 0, 1, err);
    return status == SAL_OK ? sharpen(o, err) : status;
}

/* The places that keep the violation, or the worst of them, at least all with more than a share
 * `most` of it, are projected apart; from there on with all. *mended: they are. */
static sal_status mend(sal_optim *o, double most, bool *mended, sal_err *err)
{
    opt_state *state = &o->state;
    state->crawl = 0;
    *mended = false;
    if (o->now.violation > STUCK * state->stuck) {
        return SAL_OK;
    }
    opt_window_end end;
    const sal_status status = opt_window_project(o, most, &end, err);
    *mended = end == OPT_WINDOW_MET;
    if (*mended) {
        state->step = state->weak = 0;
        opt_damping_start(&state->damping, DAMPING, SHRINK, DAMPING_FLOOR);
    } else if (end == OPT_WINDOW_FAILED) {
        state->stuck = o->now.violation;
    }
    return status;
}

/* Where few places are left, they are finished apart; where steps crawl, the worst places are. */
static sal_status go_apart(sal_optim *o, bool *mended, sal_err *err)
{
    opt_state *state = &o->state;
    opt_window_end end = OPT_WINDOW_NONE;
    sal_status status = SAL_OK;
    *mended = false;
    if (o->now.violation <= 1) {
        return SAL_OK;
    }
    if (o->now.violation <= STUCK * state->unfinished) {
        status = opt_window_finish(o, &end, err);
        *mended = end == OPT_WINDOW_MET;
        state->unfinished = end == OPT_WINDOW_FAILED ? o->now.violation : state->unfinished;
    }
    return status == SAL_OK && !*mended && state->crawl >= CRAWL_MOST ? mend(o, WORST, mended, err)
                                                                      : status;
}

/* The attempt is over, for better or for worse. */
static sal_status judge(sal_optim *o, sal_err *err)
{
    if (o->now.violation <= 1) {
        return begin_polish(o);
    }
    bool mended;
    const sal_status status = mend(o, WORST_AT_END, &mended, err);
    if (status != SAL_OK || mended) {
        return status == SAL_OK && o->now.violation <= 1 ? begin_polish(o) : status;
    }
    if (o->state.retries < RETRIES) {
        return retreat(o, err);
    }
    opt_phase_end(o, is_stationary(o) ? SAL_STOP_INFEASIBLE : SAL_STOP_STALLED);
    return SAL_OK;
}

/* ---- phases ---- */

sal_status opt_project_begin(sal_optim *o, sal_err *err)
{
    memcpy(o->kept, o->now.x, (size_t)o->nls->nx * sizeof(double));
    o->state.kept_damping = o->state.damping;
    o->state.retries = 0;
    o->state.violation = o->now.violation;
    return begin_attempt(o, err);
}

/* From where the projection began, little by little from the first. */
static sal_status begin_gradual(sal_optim *o, sal_err *err)
{
    memcpy(o->now.x, o->kept, (size_t)o->nls->nx * sizeof(double));
    o->state.retries = 1;
    o->state.weak = 0;
    opt_phase_enter(o, OPT_PHASE_WITHDRAW);
    return opt_point_stage(o, 0, GRADUAL, err);
}

/* What holds a motion far from the constraints, step after step, is not what is smoothed. */
static sal_status withdraw_gradually(sal_optim *o, sal_err *err)
{
    note_decrease(o);
    const bool held = o->state.weak >= WEAK_MOST && o->now.violation > FAR;
    const sal_status status = chords(o, CHORD_SHARE, err);
    if (status != SAL_OK) {
        return status;
    }
    return o->state.smoothing > GRADUAL_LEAST && !held
               ? opt_point_stage(o, 0, GRADUAL * o->state.smoothing, err)
               : begin_approach(o, err);
}

sal_status opt_project_withdraw(sal_optim *o, sal_err *err)
{
    const sal_status status = step_nearer(o, o->state.step == 0, err);
    if (status != SAL_OK) {
        return status;
    }
    if (o->state.retries > 0) {
        return withdraw_gradually(o, err);
    }
    if (o->now.violation > JUMP * o->state.violation) {
        return begin_gradual(o, err);
    }
    return o->state.step < WITHDRAWALS ? opt_point_stage(o, 0, SMOOTHING[o->state.step], err)
                                       : begin_approach(o, err);
}

/* So many steps should have been enough; twice as many where little is left. */
static bool is_late(const sal_optim *o)
{
    const int most = o->state.most > 0 ? o->state.most : STEPS_MOST;
    return o->state.step >= (o->now.violation > FAR ? most : 2 * most);
}

sal_status opt_project_approach(sal_optim *o, sal_err *err)
{
    opt_state *state = &o->state;
    sal_status status = step_nearer(o, state->step == 0 && o->nls->stage == NULL, err);
    if (status != SAL_OK || !o->last.taken) {
        return status == SAL_OK ? judge(o, err) : status;
    }
    note_decrease(o);
    if (state->weak >= WEAK_MOST) {
        return judge(o, err);
    }
    bool mended;
    status = go_apart(o, &mended, err);
    if (status == SAL_OK && !mended) {
        status = chords(o, o->now.violation > 1 ? CHORD_SHARE : DIGIT_SHARE, err);
    }
    return status == SAL_OK && (o->now.violation <= 1 || is_late(o)) ? judge(o, err) : status;
}

sal_status opt_project_retreat(sal_optim *o, sal_err *err)
{
    const int most = o->state.retries > 1 ? SHARPEN_ITERATIONS : RETRY_ITERATIONS;
    const sal_status status = opt_step_in_turn(o, OPT_PATH_METRIC, 1, err);
    if (status != SAL_OK) {
        return status;
    }
    return o->state.step < most ? sharpen(o, err) : begin_attempt(o, err);
}
