/* harden.c: the constraints are met where the world is soft, and held while it hardens.
 *
 * Where the projection found no way, its steps ended at a kink of the final world. In a soft world
 * the kinks are round, so that the constraints can be met there; then
 *
 *     u := u - pace,   project,   pace x 2 where that is easy;
 *                                 where it fails, back to the last point that met them, pace x 0.4
 *
 * u > 0 is the softness of a world as smooth as the path's; u <= 0 has softness 0 and 10^(6 u) of
 * the path's smoothing. The terms choose the way only as the projection's metric, in which the
 * identity has a larger share than there: what is far from the constraints must move in other ways
 * than those that the cost feels least.
 */
#include "optim/solver.h"

#include <math.h>
#include <string.h>

static const double BEGIN = 0.7;                             /* u of the first point, */
static const double END = -1, DECADES = 6;                   /* and of the last */
static const double PACE = 0.1, PACE_MOST = 0.25;            /* of u */
static const double PACE_LEAST = 0.002;                      /* below which there is no way on */
static const double LONGER = 2, SHORTER = 0.4;               /* pace */
static const double MET = 1e4;                               /* tolerances: near enough to go on */
static const double IDENTITY = 1e-3, IDENTITY_LEAST = 1e-12; /* shares, as in project.c */
static const double DAMPING = 1, SHRINK = 0.01, FLOOR = 1e-6;
static const double WEAK = 1e-3;       /* relative decrease of a step that leads nowhere */
static const double CHORD_SHARE = 0.9; /* of the predicted decrease that a chord step must give */
enum {
    EASY = 2,        /* linearisations after which the pace grows */
    FIRST_MOST = 60, /* to meet the constraints at first, */
    EACH_MOST = 8,   /* and each time after */
    ALL_MOST = 200,  /* together */
    WEAK_MOST = 3,
    CHORDS_MOST = 6
};

/* Moves the world to u. */
static sal_status enter(sal_optim *o, double u, sal_err *err)
{
    opt_state *state = &o->state;
    state->hardness = u;
    state->step = 0;
    state->weak = 0;
    opt_damping_start(&state->damping, DAMPING, SHRINK, FLOOR);
    return opt_point_stage(o, fmax(u, 0), u < 0 ? pow(10, DECADES * u) : 1, err);
}

/* From the last point that met the constraints, by one pace, not past the hard world nor the end.
 */
static sal_status go_on(sal_optim *o, sal_err *err)
{
    const double met = o->state.met;
    return enter(o, fmax(met - o->state.pace, met > 0 ? 0 : END), err);
}

/* The solve ends at the point at hand, judged at the final stage. */
static sal_status give_up(sal_optim *o, sal_err *err)
{
    opt_phase_end(o, SAL_STOP_INFEASIBLE);
    sal_status status = opt_point_stage(o, 0, 0, err);
    status = status == SAL_OK ? opt_point_value(o, err) : status;
    return status == SAL_DIVERGED ? SAL_OK : status;
}

/* The constraints are met at u. */
static sal_status harden(sal_optim *o, sal_err *err)
{
    opt_state *state = &o->state;
    if (state->hardness <= END) {
        return opt_project_last(o, err);
    }
    if (state->has_met && state->step <= EASY) {
        state->pace = fmin(LONGER * state->pace, PACE_MOST);
    }
    state->has_met = true;
    state->met = state->hardness;
    memcpy(o->kept, o->now.x, (size_t)o->nls->nx * sizeof(double));
    return go_on(o, err);
}

/* They could not be met at u. */
static sal_status soften(sal_optim *o, sal_err *err)
{
    opt_state *state = &o->state;
    state->pace *= SHORTER;
    if (!state->has_met || state->pace < PACE_LEAST) {
        return give_up(o, err);
    }
    memcpy(o->now.x, o->kept, (size_t)o->nls->nx * sizeof(double));
    return go_on(o, err);
}

static sal_status chords(sal_optim *o, sal_err *err)
{
    sal_status status = SAL_OK;
    bool taken = o->last.taken;
    for (int k = 0; k < CHORDS_MOST && taken && o->now.penalty > 0 && status == SAL_OK; k++) {
        status = opt_step_chord(o, CHORD_SHARE, err);
        taken = o->last.taken;
    }
    return status;
}

sal_status opt_harden_begin(sal_optim *o, sal_err *err)
{
    if (o->nls->stage == NULL) {
        return opt_project_begin(o, err);
    }
    opt_phase_enter(o, OPT_PHASE_HARDEN);
    o->state.pace = PACE;
    o->state.has_met = false;
    return enter(o, BEGIN, err);
}

sal_status opt_harden(sal_optim *o, sal_err *err)
{
    opt_state *state = &o->state;
    const double identity = IDENTITY * opt_model_curvature(o, 1, 0) + IDENTITY_LEAST * o->curvature;
    state->count.projection_steps++;
    sal_status status = opt_step_in_turn(o, (double)INFINITY, identity, err);
    const bool taken = o->last.taken, weak = o->last.before - o->last.after < WEAK * o->last.before;
    state->weak = weak ? state->weak + 1 : 0;
    status = status == SAL_OK ? chords(o, err) : status;
    if (status != SAL_OK) {
        return status;
    }
    if (o->now.violation <= MET) {
        return harden(o, err);
    }
    if (state->count.linearisations >= ALL_MOST) {
        return give_up(o, err);
    }
    const int most = state->has_met ? EACH_MOST : FIRST_MOST;
    return taken && state->weak < WEAK_MOST && state->step < most ? SAL_OK : soften(o, err);
}
