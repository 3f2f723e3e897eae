/* evaluate.c: outputs of a motion. */
#include "invdyn/workspace.h"

#include <limits.h>
#include <string.h>

inv_instant inv_worker_instant(const sal_model *m, const inv_worker *worker)
{
    return (inv_instant){m, worker->d, worker->a, worker->z, worker->force};
}

void inv_worker_outputs(const sal_invdyn *w, const sal_model *m, inv_worker *worker, double *y,
                        sal_stage from)
{
    const inv_instant at = inv_worker_instant(m, worker);
    for (int k = 0; k < w->noutput; k++) {
        if (w->stage[k] >= from) {
            w->kind[k]->write(&at, w->output + k, y + w->output[k].adr);
        }
    }
}

static sal_status inverse(const sal_model *m, sal_data *d, const double *a, sal_err *err)
{
    const sal_status status = sal_position(m, d, err);
    if (status != SAL_OK) {
        return status;
    }
    sal_velocity(m, d);
    return sal_inverse_discrete(m, d, a, err);
}

sal_status inv_worker_inverse(const sal_invdyn *w, const sal_model *m, inv_worker *worker)
{
    const sal_status status = inverse(m, worker->d, worker->a, &worker->err);
    if (status == SAL_OK && w->nz > 0) {
        inv_worker_drive(m, worker);
    }
    return status;
}

void inv_motion_rates(const sal_model *m, double *v, double *v1, double *a, const double *q)
{
    const double h = m->opt.timestep;
    sal_motion_velocity(m, v, q, q + m->nq);
    sal_motion_velocity(m, v1, q + m->nq, q + 2 * m->nq);
    for (int i = 0; i < m->nv; i++) {
        a[i] = (v1[i] - v[i]) / h;
    }
}

static bool all_finite(const double *y, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += y[i] * 0; /* 0, or NaN if y[i] is not finite */
    }
    return sum == 0;
}

sal_status inv_worker_finite_outputs(const sal_invdyn *w, const sal_model *m, inv_worker *worker,
                                     double *y)
{
    inv_worker_outputs(w, m, worker, y, SAL_STAGE_POS);
    return all_finite(y, w->ny)
               ? SAL_OK
               : sal_fail(
                     &worker->err, SAL_DIVERGED,
                     "a force or a sensor value of the motion is not finite (NaN or infinite)");
}

sal_status inv_worker_base(const sal_invdyn *w, const sal_model *m, inv_worker *worker,
                           const double *q, double *y)
{
    sal_data *d = worker->d;
    inv_motion_rates(m, worker->v, worker->v1, worker->a, q);
    memcpy(d->qpos, q + m->nq, (size_t)m->nq * sizeof(double));
    memcpy(d->qvel, worker->v, (size_t)m->nv * sizeof(double));
    const sal_status status = inv_worker_inverse(w, m, worker);
    return status == SAL_OK ? inv_worker_finite_outputs(w, m, worker, y) : status;
}

sal_status sal_motion_step(const sal_model *m, sal_data *d, const double *q, sal_err *err)
{
    double *a = d->qacc; /* v_{t+1} first; the inverse makes of it what the continuous law sees */
    inv_motion_rates(m, d->qvel, a, a, q);
    memcpy(d->qpos, q + m->nq, (size_t)m->nq * sizeof(double));
    return inverse(m, d, a, err);
}

void inv_worker_fail(inv_worker *worker, int t)
{
    if (t < worker->failed) {
        worker->failed = t;
    }
}

const double *inv_window(const inv_call *call, inv_worker *worker, int t)
{
    const sal_motion *motion = call->motion;
    worker->z = motion->z == NULL ? NULL : motion->z + (size_t)t * (size_t)call->w->nz;
    worker->d->held = motion->held == NULL ? NULL : motion->held + t;
    return motion->q + (size_t)t * (size_t)call->w->nq;
}

/* As measured on models of 1 to 27 dofs: it grows with the dofs, as bodies and contacts do. */
double inv_work(const sal_invdyn *w)
{
    return 400 * (double)w->nv;
}

double inv_work_deriv(const sal_invdyn *w)
{
    const bool exact = w->derivatives != SAL_DERIV_FD;
    return inv_work(w) * (exact ? 3 : 1 + 2 * (double)w->nv);
}

/* The earliest failure of these workers */
static sal_status report(const inv_worker *worker, int nworker, int begin, sal_err *err)
{
    const inv_worker *first = worker;
    for (int i = 1; i < nworker; i++) {
        if (worker[i].failed < first->failed) {
            first = worker + i;
        }
    }
    return first->failed == INT_MAX ? SAL_OK
                                    : sal_fail(err, first->err.code, "step %d: %s",
                                               begin + first->failed, first->err.message);
}

sal_status inv_run(const inv_call *call, int n, double work, sal_task body, void *ctx, sal_err *err)
{
    sal_invdyn *w = call->w;
    const bool alone = call->number >= 0;
    inv_worker *worker = w->worker + (alone ? call->number : 0);
    const int nworker = alone ? 1 : w->nworker;
    for (int i = 0; i < nworker; i++) {
        worker[i].failed = INT_MAX;
    }
    if (alone) {
        for (int i = 0; i < n; i++) {
            body(ctx, i, call->number);
        }
    } else {
        sal_parallel_for(n, sal_parallel_worth(nworker, work), body, ctx);
    }
    return report(worker, nworker, call->motion->first, err);
}

inv_call inv_call_at(const inv_call *call, int t)
{
    const sal_motion *motion = call->motion;
    inv_call at = *call;
    if (motion->soft != NULL && motion->soft[t]) {
        at.m = motion->softer;
        at.mh = call->mh == NULL ? NULL : motion->softer_h;
    }
    return at;
}

/* The model without sensors, if no output reads one: rays through a height field, for example, can
 * take longer than all else. All but its options remains m's. */
static const sal_model *spare_sensors(const sal_invdyn *w, const sal_model *m, sal_model *spared)
{
    if (m == NULL || w->reads_sensors || m->nsensor == 0) {
        return m;
    }
    *spared = *m;
    spared->opt.disable |= SAL_DSBL_SENSOR;
    return spared;
}

sal_status inv_run_spared(const inv_call *call, double work, inv_step *step, sal_err *err)
{
    sal_model spared[4];
    sal_motion motion = *call->motion;
    inv_call own = *call;
    own.m = spare_sensors(own.w, own.m, &spared[0]);
    own.mh = spare_sensors(own.w, own.mh, &spared[1]);
    motion.softer = spare_sensors(own.w, motion.softer, &spared[2]);
    motion.softer_h = spare_sensors(own.w, motion.softer_h, &spared[3]);
    own.motion = &motion;
    return inv_run_steps(&own, motion.nstep, work, step, err);
}

sal_status sal_invdyn_eval(sal_invdyn *w, const sal_model *m, double *y, const sal_motion *motion,
                           sal_err *err)
{
    const inv_call call = {.w = w, .number = -1, .m = m, .motion = motion, .y = y};
    return inv_run_spared(&call, inv_work(w), NULL, err);
}
