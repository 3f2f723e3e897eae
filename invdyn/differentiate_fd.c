/* differentiate_fd.c: Jacobians of the outputs by finite differences in stages, the last stage first: a perturbed acceleration needs no
 * kinematics, a perturbed velocity no collision; then chained to the three configurations with the exact derivatives of (-). */
#include "invdyn/workspace.h"

#include <limits.h>
#include <string.h>

/* Inverse dynamics from the stage whose variable was perturbed. */
static sal_status again(const sal_invdyn_call *call, sal_worker *worker, sal_stage from)
{
    const sal_model *m = call->m;
    if (from == SAL_STAGE_POS) {
        const sal_status status = sal_position(m, worker->d, &worker->err);
        if (status != SAL_OK) {
            return status;
        }
    }
    if (from <= SAL_STAGE_VEL) {
        sal_velocity(m, worker->d);
    }
    return sal_inverse_discrete(m, worker->d, worker->a, &worker->err);
}

/* Moves variable i of the stage to its base value plus `step`. */
static void perturb(const sal_invdyn_call *call, sal_worker *worker, sal_stage stage, int i,
                    double step, const double *q)
{
    switch (stage) {
    case SAL_STAGE_POS:
        worker->e[i] = step;
        sal_integrate_pos(call->m, worker->d->qpos, q + call->m->nq, worker->e, 1);
        worker->e[i] = 0;
        break;
    case SAL_STAGE_VEL:
        worker->d->qvel[i] = worker->v[i] + step;
        break;
    case SAL_STAGE_ACC:
        worker->a[i] += step;
        break;
    }
}

/* Row i of D: (y(x + eps e_i) - y) / eps, or (y(x + eps e_i) - y(x - eps e_i)) / 2 eps. Outputs of earlier stages do not change. */
static sal_status difference(const sal_invdyn_call *call, sal_worker *worker, sal_stage stage,
                             int i, const double *q, const double *y, double *D)
{
    const sal_invdyn *w = call->w;
    const double a = worker->a[i], eps = SAL_FD_STEP;
    const double *minus = y;
    double scale = 1 / eps;
    perturb(call, worker, stage, i, eps, q);
    sal_status status = again(call, worker, stage);
    sal_worker_outputs(w, call->m, worker, worker->yplus, stage);
    if (call->w->how == SAL_FD_CENTRED && status == SAL_OK) {
        worker->a[i] = a;
        perturb(call, worker, stage, i, -eps, q);
        status = again(call, worker, stage);
        sal_worker_outputs(w, call->m, worker, worker->yminus, stage);
        minus = worker->yminus;
        scale = 0.5 / eps;
    }
    worker->a[i] = a;
    worker->d->qvel[i] = worker->v[i];
    for (int k = 0; k < w->noutput; k++) {
        const sal_output *output = w->output + k;
        const bool changes = w->stage[k] >= stage;
        for (int r = output->adr; r < output->adr + output->n; r++) {
            D[r] = changes ? (worker->yplus[r] - minus[r]) * scale : 0;
        }
    }
    return status;
}

/* Outputs that are the variables themselves have exact derivatives. */
static void set_identities(const sal_invdyn *w, sal_worker *worker)
{
    for (int k = 0; k < w->noutput; k++) {
        double *D = w->output[k].kind == SAL_OUT_VELOCITY       ? worker->Dv
                    : w->output[k].kind == SAL_OUT_ACCELERATION ? worker->Da
                                                                : NULL;
        for (int i = 0; D != NULL && i < w->nv; i++) {
            memset(D + i * w->ny + w->output[k].adr, 0, (size_t)w->nv * sizeof(double));
            D[i * w->ny + w->output[k].adr + i] = 1;
        }
    }
}

/* First dof of the block that dof i belongs to, and its size (1 or 3). */
static int block_of(const sal_model *m, int i, int *first)
{
    const int joint = m->dof_jntid[i], type = m->jnt_type[joint], dof = m->jnt_dofadr[joint];
    if (type == SAL_JNT_BALL || (type == SAL_JNT_FREE && i >= dof + 3)) {
        *first = type == SAL_JNT_BALL ? dof : dof + 3;
        return 3;
    }
    *first = i;
    return 1;
}

/* With A = Da/h, B = Dv - Da/h (rows i: dy/d..), the blocks d0, d1 of v_t and e0, e1 of v_{t+1} (over h):
 *     dy/dq_{t-1} = B d0        dy/dq_t = Dq + B d1 + A e0        dy/dq_{t+1} = A e1                                  */
static void chain(const sal_invdyn_call *call, sal_worker *worker, const double *q, double *Y)
{
    const sal_model *m = call->m;
    const int nv = m->nv, ny = call->w->ny, width = 3 * nv + 1;
    const double rate = 1 / m->opt.timestep;
    sal_differentiate_pos_deriv(m, worker->d0, worker->d1, q, q + m->nq);
    sal_differentiate_pos_deriv(m, worker->e0, worker->e1, q + m->nq, q + 2 * m->nq);
    for (int i = 0; i < nv; i++) {
        int first;
        const int size = block_of(m, i, &first), column = i - first;
        for (int r = 0; r < ny; r++) {
            double previous = 0, now = 0, next = 0; /* times h */
            for (int k = first; k < first + size; k++) {
                const double A = worker->Da[k * ny + r] * rate, B = worker->Dv[k * ny + r] - A;
                previous += B * worker->d0[3 * k + column];
                now += B * worker->d1[3 * k + column] + A * worker->e0[3 * k + column];
                next += A * worker->e1[3 * k + column];
            }
            double *row = Y + (size_t)r * (size_t)width;
            row[i] = previous * rate;
            row[nv + i] = worker->Dq[i * ny + r] + now * rate;
            row[2 * nv + i] = next * rate;
        }
    }
}

/* Last column: dy/d log h by repeating the step at h (1 + eps) with the same configurations. */
static sal_status timestep_column(const sal_invdyn_call *call, sal_worker *worker, const double *q,
                                  const double *y, double *Y)
{
    const int ny = call->w->ny, width = 3 * call->m->nv + 1;
    sal_status status = SAL_OK;
    if (call->mh != NULL) {
        status = sal_worker_base(call->w, call->mh, worker, q, worker->yplus);
    }
    for (int r = 0; r < ny; r++) {
        Y[(size_t)r * (size_t)width + (size_t)(width - 1)] =
            call->mh == NULL ? 0 : (worker->yplus[r] - y[r]) / SAL_FD_STEP;
    }
    return status;
}

static sal_status differentiate(const sal_invdyn_call *call, sal_worker *worker, const double *q,
                                double *y, double *Y)
{
    const int nv = call->m->nv, ny = call->w->ny;
    sal_status status = sal_worker_base(call->w, call->m, worker, q, y);
    for (int i = 0; i < nv && status == SAL_OK; i++) {
        status = difference(call, worker, SAL_STAGE_ACC, i, q, y, worker->Da + i * ny);
    }
    for (int i = 0; i < nv && status == SAL_OK; i++) {
        status = difference(call, worker, SAL_STAGE_VEL, i, q, y, worker->Dv + i * ny);
    }
    for (int i = 0; i < nv && status == SAL_OK; i++) {
        status = difference(call, worker, SAL_STAGE_POS, i, q, y, worker->Dq + i * ny);
    }
    if (status != SAL_OK) {
        return status;
    }
    set_identities(call->w, worker);
    chain(call, worker, q, Y);
    return timestep_column(call, worker, q, y, Y);
}

static void differentiate_step(void *ctx, int t, int worker)
{
    sal_invdyn_call *call = ctx;
    sal_worker *mine = call->w->worker + worker;
    const size_t ny = (size_t)call->w->ny, row = (size_t)t, width = 3 * (size_t)call->w->nv + 1;
    if (mine->failed == INT_MAX &&
        differentiate(call, mine, call->q + row * (size_t)call->w->nq, call->y + row * ny,
                      call->Y + row * ny * width) != SAL_OK) {
        sal_worker_fail(mine, t);
    }
}

sal_status sal_invdyn_diff(sal_invdyn *w, const sal_model *m, const sal_model *mh, int nstep,
                           double *y, double *Y, const double *q, sal_err *err)
{
    sal_invdyn_call call = {.w = w, .m = m, .mh = mh, .q = q, .y = y, .Y = Y};
    return sal_invdyn_run(&call, nstep, differentiate_step, err);
}
