/* stretch.c: the constraints are met where only a stretch of the blocks is soft, and held while it
 * hardens.
 *
 * A projection that fails has mostly failed in some places: a few blocks keep all of the violation,
 * which a kink of the final world does not let go. These blocks, with some on either side, are the
 * stretch; all others are as hard as asked for. From where the projection failed:
 *
 *     s := BEGIN,   project;      where it fails, more blocks; where no other block violates them,
 *                                 s := s + MORE
 *     s := s - pace,   project,   pace x 2 where that is easy;
 *                                 where it fails, back to the last point that met them, pace x 0.4
 *     until s = 0, or the pace is negligible: then the stretch stays as soft as it was last
 */
#include "optim/solver.h"

#include <math.h>
#include <string.h>

static const double BEGIN = 0.4, MORE = 0.2, MOST = 0.8;      /* softness of the stretch */
static const double PACE = 0.1, PACE_LEAST = 0.01;            /* of it */
static const double LONGER = 2, SHORTER = 0.4;                /* pace */
static const double DAMPING = 1, SHRINK = 0.01, FLOOR = 1e-6; /* of each projection */
static const double NEARLY = 0.01;                            /* of it: the stretch is hard */
static const double SHARE = 0.1; /* of the largest violation: such a block belongs to the stretch */
enum { BESIDE = 3, EASY = 6 };   /* blocks on either side; linearisations */
/* Of all linearisations: what the first projection may take, each later one, and all before the
 * last. */
static const double FIRST_SHARE = 0.5, EACH_SHARE = 0.2, ALL_SHARE = 0.75;

/* ---- which blocks ---- */

static void mark_around(sal_optim *o, int b)
{
    const int n = o->nls->nblock;
    for (int k = b - BESIDE; k <= b + BESIDE; k++) {
        if (o->nls->closed) {
            o->soft[(k % n + n) % n] = 1;
        } else if (k >= 0 && k < n) {
            o->soft[k] = 1;
        }
    }
}

static int count(const sal_optim *o)
{
    int n = 0;
    for (int b = 0; b < o->nls->nblock; b++) {
        n += o->soft[b];
    }
    return n;
}

/* Adds the blocks that `now` violates most, and those beside them. Returns how many are new. */
static int mark(sal_optim *o)
{
    const int before = count(o);
    double most = 0;
    for (int pass = 0; pass < 2; pass++) {
        const double *r = o->now.r;
        for (int b = 0; b < o->nls->nblock; r += o->nls->block[b++].nres) {
            const double violation = opt_point_violation_of(o->nls->block + b, r);
            if (pass == 0) {
                most = fmax(most, violation);
            } else if (violation > 1 && violation >= SHARE * most) {
                mark_around(o, b);
            }
        }
    }
    return count(o) - before;
}

/* ---- from one softness to another ---- */

static bool has_taken(const sal_optim *o, double share)
{
    return o->state.count.linearisations > share * o->options.maxiter;
}

/* On to the constraints from `now`, with a stretch of this softness. */
static sal_status project(sal_optim *o, double softness, sal_err *err)
{
    opt_state *state = &o->state;
    state->stretch = softness > NEARLY ? softness : 0;
    state->begun = state->count.linearisations;
    state->most = (int)((state->has_met ? EACH_SHARE : FIRST_SHARE) * o->options.maxiter);
    state->nearest = true;
    opt_damping_start(&state->damping, DAMPING, SHRINK, FLOOR);
    return opt_project_last(o, err);
}

static sal_status end_or_polish(sal_optim *o)
{
    if (o->window) {
        opt_phase_end(o, SAL_STOP_CONVERGED);
        return SAL_OK;
    }
    return opt_polish_begin(o);
}

/* The constraints are met. */
static sal_status harden(sal_optim *o, sal_err *err)
{
    opt_state *state = &o->state;
    if (state->stretch == 0 || state->pace < PACE_LEAST) {
        state->nearest = false;
        return end_or_polish(o);
    }
    if (state->has_met && state->count.linearisations - state->begun <= EASY) {
        state->pace *= LONGER;
    }
    state->has_met = true;
    state->met = state->stretch;
    memcpy(o->kept, o->now.x, (size_t)o->nls->nx * sizeof(double));
    state->pace = has_taken(o, ALL_SHARE) ? 0 : state->pace;
    return project(o, state->met - state->pace, err);
}

/* The solve ends at the point at hand, judged with nothing softened. */
static sal_status give_up(sal_optim *o, sal_err *err)
{
    o->state.stretching = o->state.nearest = false;
    sal_status status = opt_point_stage(o, 0, 0, err);
    status = status == SAL_OK ? opt_point_value(o, err) : status;
    return status == SAL_DIVERGED ? SAL_OK : status;
}

/* More blocks, or a softer stretch */
static sal_status extend(sal_optim *o, sal_err *err)
{
    const int added = mark(o);
    const double softness = o->state.stretch + (added == 0 ? MORE : 0);
    return softness > MOST || has_taken(o, ALL_SHARE) ? give_up(o, err) : project(o, softness, err);
}

/* They could not be met at this softness, but at another before. */
static sal_status retreat(sal_optim *o, sal_err *err)
{
    opt_state *state = &o->state;
    memcpy(o->now.x, o->kept, (size_t)o->nls->nx * sizeof(double));
    state->pace = has_taken(o, ALL_SHARE) ? 0 : SHORTER * state->pace;
    const bool on = state->pace >= PACE_LEAST;
    return project(o, on ? state->met - state->pace : state->met, err);
}

sal_status opt_stretch_go_on(sal_optim *o, sal_err *err)
{
    return o->now.violation <= o->enough ? harden(o, err)
           : o->state.has_met            ? retreat(o, err)
                                         : extend(o, err);
}

sal_status opt_stretch_begin(sal_optim *o, sal_err *err)
{
    memset(o->soft, 0, (size_t)o->nls->nblock);
    sal_status status = opt_point_stage(o, 0, 0, err);
    status = status == SAL_OK ? opt_point_value(o, err) : status;
    if (status != SAL_OK) {
        return status;
    }
    mark(o);
    o->state.stretching = true;
    o->state.pace = PACE;
    return project(o, BEGIN, err);
}
