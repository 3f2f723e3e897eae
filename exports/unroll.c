/* unroll.c: whole periods of a cycle as one open motion. Configurations, controls and the forces of
 * actuators are images of those of the result,
 *
 *     q_{t+N} = g(q_t)        u_{t+N} = U u_t        f_{t+N} = S f_t
 *
 * and everything else follows from q_{t-1}, q_t, q_{t+1}, as it does in the result itself.
 */
#include "exports/exports.h"

#include "problems/result/result.h"
#include "runs/unfolded.h"

#include <limits.h>
#include <string.h>

typedef struct unroll {
    const sal_result *r; /* one period */
    sal_result *whole;
    run_unfolded motion;
    double *q; /* [(steps + 2) x nq] from q_{-1} on */
    sal_data *d;
} unroll;

static void copy(double *to, const double *from, int n)
{
    memcpy(to, from, (size_t)n * sizeof *to);
}

/* Forces of the actuators in step t, from the one that is a period earlier */
static void put_actuation(unroll *u, int t)
{
    const sal_model *m = u->whole->model;
    const int nv = m->nv, N = u->r->nstep;
    double *force = u->whole->qfrc_actuator + t * nv;
    if (t < N) {
        copy(force, u->r->qfrc_actuator + t * nv, nv);
    } else {
        sal_image_velocity(u->r->image, m, force, force - N * nv);
    }
    for (int i = 0; i < nv; i++) {
        u->whole->qfrc_unactuated[t * nv + i] = u->whole->qfrc_inverse[t * nv + i] - force[i];
    }
    copy(u->whole->ctrl + t * m->nu, u->motion.ctrl + t * m->nu, m->nu);
}

static sal_status put_step(unroll *u, int t, sal_err *err)
{
    const sal_model *m = u->whole->model;
    copy(u->d->act, u->motion.act + t * m->na, m->na);
    const sal_model *seen = prb_result_model_at(u->r, t % u->r->nstep);
    const sal_status status = sal_motion_step(seen, u->d, u->q + t * m->nq, err);
    if (status != SAL_OK) {
        return status;
    }
    prb_result_put_state(u->whole, u->d, t);
    prb_result_put_forces(u->whole, u->d, t);
    put_actuation(u, t);
    return prb_result_put_contacts(u->whole, u->d, t, true, err);
}

static sal_status put_last(unroll *u, sal_err *err)
{
    const sal_model *m = u->whole->model;
    const int t = u->whole->nstep;
    copy(u->d->act, u->motion.act + t * m->na, m->na);
    copy(u->d->qpos, u->q + (t + 1) * m->nq, m->nq);
    sal_motion_velocity(m, u->d->qvel, u->q + t * m->nq, u->q + (t + 1) * m->nq);
    const sal_status status = sal_position(m, u->d, err);
    if (status != SAL_OK) {
        return status;
    }
    sal_velocity(m, u->d);
    prb_result_put_state(u->whole, u->d, t);
    prb_result_clear_forces(u->whole, t);
    return prb_result_put_contacts(u->whole, u->d, t, false, err);
}

/* Room, and the configurations */
static sal_status prepare(unroll *u, int steps, sal_err *err)
{
    const sal_model *m = u->r->model;
    sal_model *own = NULL;
    sal_status status = run_unfolded_new(&u->motion, u->r, steps * u->r->timestep, err);
    status = status == SAL_OK ? sal_model_copy(&own, m, err) : status;
    status = status == SAL_OK ? prb_result_new(&u->whole, own, steps, err) : status;
    status = status == SAL_OK ? sal_data_new(&u->d, m, err) : status;
    u->q = sal_alloc(((size_t)steps + 2) * (size_t)m->nq, sizeof *u->q);
    if (status == SAL_OK && u->q == NULL) {
        status = sal_fail(err, SAL_NOMEM, "out of memory for a motion of %d steps", steps);
    }
    if (status != SAL_OK || u->q == NULL) {
        return status;
    }
    copy(u->q, u->r->qpos_before, m->nq);
    copy(u->q + m->nq, u->motion.qpos, (steps + 1) * m->nq);
    u->whole->timestep = u->r->timestep;
    u->whole->recording_start = u->r->recording_start;
    copy(u->whole->qpos_before, u->r->qpos_before, m->nq);
    return SAL_OK;
}

static sal_status unroll_steps(unroll *u, int steps, sal_err *err)
{
    sal_status status = prepare(u, steps, err);
    for (int t = 0; t < steps && status == SAL_OK; t++) {
        status = put_step(u, t, err);
    }
    status = status == SAL_OK ? put_last(u, err) : status;
    for (int t = 0; t <= steps && status == SAL_OK; t++) {
        u->whole->time[t] += u->r->time[0];
    }
    if (status == SAL_OK) {
        prb_result_find_extremes(u->whole);
    }
    return status;
}

sal_status sal_result_unroll(sal_result **whole, const sal_result *r, int cycles, sal_err *err)
{
    const bool mirrored = r->image != NULL && r->image->mirrored;
    const int periods = mirrored ? 2 * cycles : cycles;
    const double size = (double)periods * r->nstep * (7.0 * r->model->nbody + 8.0 * r->model->nv);
    unroll u = {.r = r};
    *whole = NULL;
    if (periods <= 1) {
        return SAL_OK;
    }
    if (r->image == NULL) {
        return sal_fail(err, SAL_BADINPUT,
                        "the motion is open, so it cannot be repeated %d times; only a cycle can",
                        cycles);
    }
    if (size > INT_MAX / 8) {
        return sal_fail(err, SAL_BADINPUT, "%d cycles need %.3g numbers, which is too many", cycles,
                        size);
    }
    const sal_status status = unroll_steps(&u, periods * r->nstep, err);
    if (status == SAL_OK) {
        *whole = u.whole;
        u.whole = NULL;
    }
    sal_result_free(u.whole);
    sal_data_free(u.d);
    sal_free(u.q);
    run_unfolded_clear(&u.motion);
    return status;
}
