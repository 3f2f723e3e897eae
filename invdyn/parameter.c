/* parameter.c: how the forces of a motion vary with numbers of the model. */
#include "invdyn/workspace.h"

#include <limits.h>

typedef struct parameter_call {
    inv_call call;
    const sal_model_change *change;
    int n;
    double *P;
} parameter_call;

static void step_parameters(void *ctx, int t, int worker)
{
    parameter_call *p = ctx;
    const inv_call at = inv_call_at(&p->call, t), *call = &at;
    inv_worker *mine = call->w->worker + worker;
    const size_t nv = (size_t)call->m->nv, row = (size_t)t * (size_t)p->n * nv;
    if (mine->failed != INT_MAX) {
        return;
    }
    sal_status status =
        inv_worker_base(call->w, call->m, mine, inv_window(call, mine, t), mine->yplus);
    for (int k = 0; k < p->n && status == SAL_OK; k++) {
        if (!sal_inverse_parameter_deriv(call->m, mine->d, p->change + k, mine->a,
                                         p->P + row + (size_t)k * nv)) {
            status =
                sal_fail(&mine->err, SAL_UNSUPPORTED,
                         "a geom whose size is a parameter touches a geom that is not a plane; "
                         "derivatives with respect to sizes exist only for contacts with planes");
        }
    }
    if (status != SAL_OK) {
        inv_worker_fail(mine, t);
    }
}

sal_status sal_invdyn_parameters(sal_invdyn *w, const sal_model *m, double *P,
                                 const sal_motion *motion, const sal_model_change *change, int n,
                                 sal_err *err)
{
    parameter_call p = {
        .call = {.w = w, .number = -1, .m = m, .motion = motion}, .change = change, .n = n, .P = P};
    const double work = (1 + n) * inv_work(w) * motion->nstep;
    return inv_run(&p.call, motion->nstep, work, step_parameters, &p, err);
}
