/* differentiate_deriv.c: exact Jacobians of the outputs of one step by (q_t, v_t, a_t). */
#include "invdyn/workspace.h"

sal_status inv_worker_deriv(const inv_call *call, inv_worker *worker)
{
    const sal_invdyn *w = call->w;
    for (int k = 0; k < w->noutput; k++) {
        const sal_output *output = w->output + k;
        const size_t row = (size_t)output->adr * (size_t)w->nv;
        const inv_output_jacobian D = {worker->Dq + row, worker->Dv + row, worker->Da + row};
        worker->differ[k] =
            !inv_output_is_variable(output) && output->kind != SAL_OUT_INPUT &&
            !(w->twin[k] && inv_output_deriv(call->m, worker->d, output, D, worker->a));
    }
    return SAL_OK;
}
