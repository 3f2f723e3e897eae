/* correct.c: a mirrored cycle of a model that is not quite its own mirror image. Half of it has
 * been found with the averaged model (problems/read/whole_cycle.c):
 *
 *     q_0 .. q_N  ->  q_{N+k} = g(q_k), g the image  ->  first guess of the whole cycle
 *
 * which is near to a solution: its path begins where contacts are nearly as hard as in the end. */
#include "problems/solve/correct.h"

#include "base/house.h"
#include "problems/recordings/read_states.h"

#include <math.h>
#include <string.h>

/* Softness at which the path of the whole begins: it stays with the motion of the half. From .1 on
 * some motions leave it, for better or worse. */
static const double soft_again = 0.02;
static const double least_time = 1e-3; /* s: it is left where the half took all there was */

/* What moves on from the half: its duration and its travel, where they are free */
static void take_globals(sal_problem *p, const sal_result *half)
{
    const double duration = 2 * half->nstep * half->timestep, length = 2 * prb_result_length(half);
    p->init_travel = length;
    if (p->duration_range[1] > p->duration_range[0]) {
        p->duration = fmin(fmax(duration, p->duration_range[0]), p->duration_range[1]);
    }
    if (p->travel == PRB_TRAVEL_FREE) {
        p->travel_value = fmin(fmax(length, p->travel_range[0]), p->travel_range[1]);
    }
}

sal_status prb_correction_new(prb_correction *c, const sal_problem *p, const sal_result *half,
                              double seconds, sal_err *err)
{
    *c = (prb_correction){.p = *p};
    const sal_status status = prb_states_of_result(&c->states, p->model, half, 2, true, err);
    for (int i = 0; i < c->states.nrow && status == SAL_OK; i++) {
        c->states.time[i] /= 2 * half->nstep * half->timestep;
    }
    c->p.init_states = &c->states;
    c->p.init_qpos = half->qpos;
    c->p.init_noise = 0;
    c->p.init_ground = false;
    c->p.nstart = 1;
    c->p.nmore = 0;
    c->p.nrefine = 0;
    c->p.optim.softness = fmin(soft_again, p->optim.softness);
    if (p->optim.maxtime > 0) {
        c->p.optim.maxtime = fmax(p->optim.maxtime - seconds, least_time);
    }
    take_globals(&c->p, half);
    return status;
}

void prb_correction_clear(prb_correction *c)
{
    prb_states_clear(&c->states);
}
