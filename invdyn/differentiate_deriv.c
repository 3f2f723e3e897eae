/* differentiate_deriv.c: exact Jacobians of the outputs of one step by (q_t, v_t, a_t). */
#include "invdyn/workspace.h"

/* D of output k; false: not at this state. */
static bool derive(const sal_invdyn *w, const inv_instant *at, int k, inv_output_jacobian D)
{
    const inv_output_kind *kind = w->kind[k];
    const sal_output *output = w->output + k;
    if (kind->deriv == NULL) {
        return true;
    }
    return kind->deriv(at, output, D) &&
           (!kind->by_qacc || w->stage[k] != SAL_STAGE_ACC ||
            sal_discrete_rows_deriv(at->m, at->d, D.q, D.v, D.a, at->a, output->n, NULL) == SAL_OK);
}

sal_status inv_worker_deriv(const inv_call *call, inv_worker *worker)
{
    const sal_invdyn *w = call->w;
    const inv_instant at = inv_worker_instant(call->m, worker);
    for (int k = 0; k < w->noutput; k++) {
        const sal_output *output = w->output + k;
        const size_t row = (size_t)output->adr * (size_t)w->nv;
        const inv_output_jacobian D = {worker->Dq + row, worker->Dv + row, worker->Da + row};
        worker->differ[k] = !w->kind[k]->constant && !(w->twin[k] && derive(w, &at, k, D));
    }
    return SAL_OK;
}
