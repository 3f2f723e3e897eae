/* progress.c: the beginning and the end of a solve, and what is told and asked between its
 * turns. */
#include "base/house.h"
#include "optim/solver.h"

#include <math.h>
#include <string.h>

void opt_start(sal_optim *o, const double *x)
{
    memcpy(o->now.x, x, (size_t)o->nls->nx * sizeof(double));
    memset(&o->state, 0, sizeof o->state); /* padding, too: it is saved */
    o->state.count.stop = SAL_STOP_FAILED;
    o->state.count.promise = (double)NAN;
    o->state.softness = 1;
    o->state.smoothing = 1;
    o->state.reach = 1;
    o->last = (opt_step){0};
    o->halted = false;
    o->rows = OPT_ROWS_ALL;
    o->metric_most = 0;
    o->metric_identity = 1;
    o->started = sal_seconds_now();
    if (o->nls->clock != NULL) {
        *o->nls->clock = (sal_clock){.now = o->nls->clock->now};
        sal_clock_turn(o->nls->clock, SAL_WORK_REST);
    }
}

void opt_finish(sal_optim *o, double *x, sal_optim_result *result, sal_stop stop)
{
    sal_optim_result *count = &o->state.count;
    memcpy(x, o->now.x, (size_t)o->nls->nx * sizeof(double));
    count->stop = stop;
    count->cost = o->now.cost;
    count->violation = o->now.violation;
    count->softness = o->state.stretching ? o->state.stretch : 0;
    sal_clock_turn(o->nls->clock, SAL_WORK_REST);
    sal_say(o->options.log, SAL_DEBUG, "%s after phase '%s' and %d linearisations, damping %.3g",
            sal_stop_text(stop), o->progress.phase, count->linearisations, o->state.damping.mu);
    if (result != NULL) {
        *result = *count;
    }
}

/* Ends the solve at the next check, for this reason. */
static void halt(sal_optim *o, sal_stop why)
{
    if (!o->halted) {
        o->halted = true;
        o->halt = why;
    }
}

double opt_elapsed(const sal_optim *o)
{
    return o->state.elapsed + (sal_seconds_now() - o->started);
}

/* Rank 0 says whether the solve is to end, and why. */
static void follow(sal_optim *o)
{
    int end[2] = {o->halted, (int)o->halt};
    const sal_work before = sal_clock_turn(o->nls->clock, SAL_WORK_EXCHANGE);
    opt_spread_follow(o->assembly->spread, o->now.x, o->nls->nx, end, sizeof end);
    sal_clock_turn(o->nls->clock, before);
    o->halted = end[0] != 0;
    o->halt = (sal_stop)end[1];
}

bool opt_step_allowed(sal_optim *o)
{
    if (o->state.count.linearisations >= o->options.maxiter) {
        halt(o, SAL_STOP_MAXITER);
    }
    if (o->options.maxtime > 0 && opt_elapsed(o) >= o->options.maxtime) {
        halt(o, SAL_STOP_MAXTIME);
    }
    follow(o);
    return !o->halted;
}

void opt_step_note(sal_optim *o)
{
    o->progress = (sal_progress){.linearisation = o->state.count.linearisations,
                                 .phase = opt_phase_name(o->state.phase),
                                 .softness = o->state.softness,
                                 .cost = o->now.cost,
                                 .violation = o->now.violation,
                                 .step = o->last.length,
                                 .damping = o->state.damping.mu};
}

void opt_step_tell(sal_optim *o)
{
    if (o->nls->progress != NULL && !o->nls->progress(o->nls->ctx, &o->progress)) {
        halt(o, SAL_STOP_INTERRUPTED);
    }
}
