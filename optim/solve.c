/* solve.c: the whole of a solve, turn by turn. Each turn linearises once; which steps follow, and
 * what comes next, is its phase's to say.
 *
 *     soft ──> path ──> final ──> withdraw ──> approach ──> polish ──> end
 *     the optimum,      still     the last     onto the     along them
 *     where it is easy  smooth    smoothing    constraints
 *                                    │  └──── retreat <───┘  where that fails
 *
 * Another begins with  harden ──> approach: the constraints are met where the world is soft.
 * In yet another the approach is repeated with a stretch of blocks that is soft: stretch.c. An
 * approach that crawls in a few places solves these apart: window.c.
 *
 * Between two turns nothing matters but opt_state and three vectors: a solve that is saved there
 * (state.c) and loaded goes on to the same bits.
 */
#include "optim/solver.h"

#include <string.h>

static sal_status (*const turns[])(sal_optim *o, sal_err *err) = {
#define PHASE_TURN(code, name, rows, turn) turn,
    OPT_PHASE_LIST(PHASE_TURN)
#undef PHASE_TURN
};

/* A projection with a soft stretch is followed by another, or by the last steps. */
static sal_status go_on(sal_optim *o, sal_status status, sal_err *err)
{
    const opt_state *state = &o->state;
    while (status == SAL_OK && state->phase == OPT_PHASE_END && state->stretching &&
           state->nearest) {
        status = opt_stretch_go_on(o, err);
    }
    return status;
}

/* What enters linearly follows to another stage before that is linearised: the step there is then
 * judged by what it adds to this. */
static sal_status follow(sal_optim *o, sal_err *err)
{
    if (o->nls->linear == NULL || o->now.valued || o->state.phase >= OPT_PHASE_POLISH) {
        return SAL_OK;
    }
    sal_status status = opt_point_value(o, err);
    status = status == SAL_OK ? opt_complete(o, &o->now, err) : status;
    if (status == SAL_DIVERGED) { /* the linearisation finds that out, too */
        o->now.valued = false;
        status = SAL_OK;
    }
    return status;
}

/* Linearise, step, judge; tell, and let the state be saved. */
static sal_status turn(sal_optim *o, sal_err *err)
{
    sal_status status = opt_model_linearise(o, err);
    if (status == SAL_DIVERGED && opt_path_fall_back(o, &status, err)) {
        return status;
    }
    if (status == SAL_OK) {
        opt_path_keep(o);
        status = go_on(o, turns[o->state.phase](o, err), err);
    }
    if (status == SAL_OK) {
        status = follow(o, err);
    }
    if (status == SAL_OK) {
        opt_step_tell(o);
        if (o->nls->checkpoint != NULL) {
            o->nls->checkpoint(o->nls->ctx, o);
        }
    }
    return status;
}

/* A solve that ends early is judged, like any other, at the final stage. */
static sal_status judge_at_the_end(sal_optim *o, sal_err *err)
{
    opt_polish_settle(o);
    sal_status status = opt_point_stage(o, 0, 0, err);
    status = status == SAL_OK ? opt_point_value(o, err) : status;
    return status == SAL_DIVERGED ? SAL_OK : status;
}

/* From where the state is, if there is one. */
static sal_status run(sal_optim *o, sal_status status, double *x, sal_optim_result *result,
                      sal_err *err)
{
    while (status == SAL_OK && o->state.phase != OPT_PHASE_END && opt_step_allowed(o)) {
        status = turn(o, err);
    }
    sal_stop stop = o->state.count.stop;
    if (status == SAL_OK && o->state.phase != OPT_PHASE_END) {
        stop = o->halt;
        status = judge_at_the_end(o, err);
    }
    opt_finish(o, x, result, status == SAL_OK ? stop : SAL_STOP_FAILED);
    return status;
}

sal_status sal_solve(sal_optim *o, double *x, sal_optim_result *result, sal_err *err)
{
    opt_start(o, x);
    const sal_status status = opt_path_begin(o, err);
    return run(o, status, x, result, err);
}

sal_status sal_solve_hardening(sal_optim *o, double *x, sal_optim_result *result, sal_err *err)
{
    opt_start(o, x);
    o->state.kept_damping.mu = o->options.damping_floor;
    const sal_status status = opt_harden_begin(o, err);
    return run(o, status, x, result, err);
}

sal_status sal_solve_softening(sal_optim *o, double *x, sal_optim_result *result, sal_err *err)
{
    opt_start(o, x);
    const sal_status status = go_on(o, opt_stretch_begin(o, err), err);
    return run(o, status, x, result, err);
}

sal_status sal_solve_settled(sal_optim *o, double *x, sal_optim_result *result, sal_err *err)
{
    opt_start(o, x);
    o->state.kept_damping.mu = o->options.damping_floor;
    const sal_status status = opt_project_settled(o, false, err);
    return run(o, status, x, result, err);
}

sal_status sal_solve_nearest(sal_optim *o, double *x, sal_optim_result *result, sal_err *err)
{
    opt_start(o, x);
    o->state.kept_damping.mu = o->options.damping_floor;
    const sal_status status = opt_project_settled(o, true, err);
    return run(o, status, x, result, err);
}

bool sal_optim_is_over(const sal_optim *o)
{
    return o->halted || o->state.phase == OPT_PHASE_END;
}

void sal_optim_path_end(const sal_optim *o, double *x)
{
    memcpy(x, o->kept, (size_t)o->nls->nx * sizeof(double));
}

sal_status sal_solve_resume(sal_optim *o, const void *state, size_t n, double *x,
                            sal_optim_result *result, sal_err *err)
{
    opt_start(o, x);
    const sal_status status = opt_state_load(o, state, n, err);
    return run(o, status, x, result, err);
}
