/* differentiate.c: the Jacobian of all outputs of a motion: of each step by (q_t, v_t, a_t), exact
 * where that is known and by differences where not, then chained to the three configurations; and
 * the last column, by log h. */
#include "invdyn/workspace.h"

#include <string.h>

/* The last column by repeating the whole step at h (1 + eps) with the same configurations. */
static sal_status timestep_fd(const inv_call *call, inv_worker *worker, const double *q,
                              const double *y, double *Y)
{
    const size_t ny = (size_t)call->w->ny, width = (size_t)call->w->ncolumn;
    const sal_status status = inv_worker_base(call->w, call->mh, worker, q, worker->yplus);
    for (size_t r = 0; r < ny; r++) {
        Y[r * width + width - 1] = (worker->yplus[r] - y[r]) / SAL_FD_STEP;
    }
    return status;
}

/* The outputs of the last stage at the same (q_t, v_t, a_t), by the laws of mh: other rows, the
 * same places. */
static sal_status other_laws(const inv_call *call, inv_worker *worker, const double *q, bool moved)
{
    const sal_model *mh = call->mh;
    sal_data *d = worker->d;
    sal_status status;
    if (moved) { /* differences have left it elsewhere */
        memcpy(d->qpos, q + mh->nq, (size_t)mh->nq * sizeof(double));
        memcpy(d->qvel, worker->v, (size_t)mh->nv * sizeof(double));
        status = sal_position(mh, d, &worker->err);
    } else {
        status = sal_make_constraint(mh, d, &worker->err);
    }
    if (status != SAL_OK) {
        return status;
    }
    sal_velocity(mh, d);
    status = sal_inverse_discrete(mh, d, worker->a, &worker->err);
    inv_worker_outputs(call->w, mh, worker, worker->yplus, SAL_STAGE_ACC);
    return status;
}

/* Four sums side by side: one would wait for every addition. */
static double dot(const double *a, const double *b, int n)
{
    double sum[4] = {0};
    int i = 0;
    for (; i + 4 <= n; i += 4) {
        for (int k = 0; k < 4; k++) {
            sum[k] += a[i + k] * b[i + k];
        }
    }
    for (; i < n; i++) {
        sum[0] += a[i] * b[i];
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* -Dv v - 2 Da a of row r of an output; controls know h by themselves */
static double through_rates(const sal_invdyn *w, const inv_worker *worker, int k, int r)
{
    const size_t row = (size_t)r * (size_t)w->nv;
    double sum = 0;
    if (w->kind[k]->by_timestep != NULL) {
        return w->kind[k]->by_timestep(worker, r - w->output[k].adr);
    }
    if (w->stage[k] >= SAL_STAGE_VEL) {
        sum -= dot(worker->Dv + row, worker->v, w->nv);
    }
    if (w->stage[k] == SAL_STAGE_ACC) {
        sum -= 2 * dot(worker->Da + row, worker->a, w->nv);
    }
    return sum;
}

/* At fixed configurations v goes with 1/h and a with 1/h^2:
 *
 *     dy/d log h = -Dv v - 2 Da a + (what h changes in the laws of force)
 *
 * The last: joints' damping at the end of the step, time constants bound to h (refsafe, the table
 * of smoothing). It needs no collision. */
static sal_status timestep_exact(const inv_call *call, inv_worker *worker, const double *q,
                                 const double *y, double *Y, bool moved)
{
    const sal_invdyn *w = call->w;
    const size_t width = (size_t)w->ncolumn;
    const sal_status status = other_laws(call, worker, q, moved);
    for (int k = 0; k < w->noutput; k++) {
        const sal_output *output = w->output + k;
        const bool law = w->stage[k] == SAL_STAGE_ACC;
        for (int r = output->adr; r < output->adr + output->n; r++) {
            Y[(size_t)r * width + width - 1] = through_rates(w, worker, k, r) +
                                               (law ? (worker->yplus[r] - y[r]) / SAL_FD_STEP : 0);
        }
    }
    return status;
}

static bool any_differs(const sal_invdyn *w, const inv_worker *worker)
{
    return memchr(worker->differ, 1, (size_t)w->noutput) != NULL;
}

/* Y of a step whose inverse dynamics are known. */
static sal_status differentiate(const inv_call *call, inv_worker *worker, int t)
{
    const sal_invdyn *w = call->w;
    const size_t ny = (size_t)w->ny, row = (size_t)t;
    const double *q = inv_window(call, worker, t);
    double *y = call->y + row * ny, *Y = call->Y + row * ny * (size_t)w->ncolumn;
    sal_status status = inv_worker_deriv(call, worker);
    if (status == SAL_OK && w->nz > 0) {
        inv_worker_drive_deriv(w, call->m, worker);
    }
    status = status == SAL_OK ? inv_worker_fd(call, worker, q, y) : status;
    if (status != SAL_OK) {
        return status;
    }
    inv_worker_chain(call, worker, q, Y);
    if (w->nz > 0) {
        inv_worker_drive_chain(w, call->m, worker, Y);
    }
    if (call->mh == NULL) {
        return SAL_OK;
    }
    return w->derivatives == SAL_DERIV_FD
               ? timestep_fd(call, worker, q, y, Y)
               : timestep_exact(call, worker, q, y, Y, any_differs(w, worker));
}

sal_status sal_invdyn_diff(sal_invdyn *w, const sal_model *m, const sal_model *mh, double *y,
                           double *Y, const sal_motion *motion, sal_err *err)
{
    return sal_invdyn_diff_by(w, -1, m, mh, y, Y, motion, err);
}

sal_status sal_invdyn_diff_by(sal_invdyn *w, int number, const sal_model *m, const sal_model *mh,
                              double *y, double *Y, const sal_motion *motion, sal_err *err)
{
    const inv_call call = {
        .w = w, .number = number, .m = m, .mh = mh, .motion = motion, .y = y, .Y = Y};
    return inv_run_spared(&call, inv_work_deriv(w), differentiate, err);
}
