/* differentiate_fd.c: Jacobians of outputs by finite differences in stages, the last stage first: a
 * perturbed acceleration needs no kinematics, a perturbed velocity no collision; and what only
 * positions decide needs no forces. */
#include "invdyn/workspace.h"

/* Inverse dynamics from the stage whose variable was perturbed to the last one that is looked
 * at. */
static sal_status again(const inv_call *call, inv_worker *worker, sal_stage from, sal_stage to)
{
    const sal_model *m = call->m;
    if (from == SAL_STAGE_POS) {
        const sal_status status = sal_position(m, worker->d, &worker->err);
        if (status != SAL_OK) {
            return status;
        }
    }
    if (from <= SAL_STAGE_VEL && to >= SAL_STAGE_VEL) {
        sal_velocity(m, worker->d);
    }
    const sal_status status =
        to < SAL_STAGE_ACC ? SAL_OK : sal_inverse_discrete(m, worker->d, worker->a, &worker->err);
    if (status == SAL_OK && call->w->nz > 0) {
        inv_worker_drive(m, worker);
    }
    return status;
}

/* The marked outputs of stage `from` and later. */
static void write_outputs(const inv_call *call, const inv_worker *worker, double *y, sal_stage from)
{
    const sal_invdyn *w = call->w;
    const inv_instant at = inv_worker_instant(call->m, worker);
    for (int k = 0; k < w->noutput; k++) {
        if (worker->differ[k] && w->stage[k] >= from) {
            w->kind[k]->write(&at, w->output + k, y + w->output[k].adr);
        }
    }
}

/* Moves variable i of the stage to its base value plus `step`. */
static void perturb(const inv_call *call, inv_worker *worker, sal_stage stage, int i, double step,
                    const double *q)
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

/* Column i of D: (y(x + eps e_i) - y) / eps, or (y(x + eps e_i) - y(x - eps e_i)) / 2 eps. Outputs
 * of earlier stages do not change. */
static sal_status difference(const inv_call *call, inv_worker *worker, sal_stage stage,
                             sal_stage last, int i, const double *q, const double *y)
{
    const sal_invdyn *w = call->w;
    double *const by_stage[] = {
        [SAL_STAGE_POS] = worker->Dq, [SAL_STAGE_VEL] = worker->Dv, [SAL_STAGE_ACC] = worker->Da};
    const double a = worker->a[i], eps = SAL_FD_STEP;
    const double *minus = y;
    double *D = by_stage[stage], scale = 1 / eps;
    perturb(call, worker, stage, i, eps, q);
    sal_status status = again(call, worker, stage, last);
    write_outputs(call, worker, worker->yplus, stage);
    if (w->how == SAL_FD_CENTRED && status == SAL_OK) {
        worker->a[i] = a;
        perturb(call, worker, stage, i, -eps, q);
        status = again(call, worker, stage, last);
        write_outputs(call, worker, worker->yminus, stage);
        minus = worker->yminus;
        scale = 0.5 / eps;
    }
    worker->a[i] = a;
    worker->d->qvel[i] = worker->v[i];
    for (int k = 0; k < w->noutput; k++) {
        const sal_output *output = w->output + k;
        const bool changes = worker->differ[k] && w->stage[k] >= stage;
        for (int r = output->adr; changes && r < output->adr + output->n; r++) {
            D[r * w->nv + i] = (worker->yplus[r] - minus[r]) * scale;
        }
    }
    return status;
}

sal_status inv_worker_fd(const inv_call *call, inv_worker *worker, const double *q, const double *y)
{
    static const sal_stage order[] = {SAL_STAGE_ACC, SAL_STAGE_VEL, SAL_STAGE_POS};
    const sal_invdyn *w = call->w;
    bool any = false;
    sal_stage last = SAL_STAGE_POS;
    for (int k = 0; k < w->noutput; k++) {
        any = any || worker->differ[k];
        last = worker->differ[k] && w->stage[k] > last ? w->stage[k] : last;
    }
    for (int s = 0; any && s < 3; s++) {
        for (int i = 0; order[s] <= last && i < w->nv; i++) {
            const sal_status status = difference(call, worker, order[s], last, i, q, y);
            if (status != SAL_OK) {
                return status;
            }
        }
    }
    return SAL_OK;
}
