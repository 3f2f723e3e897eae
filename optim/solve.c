/* solve.c: the whole of a solve. */
#include "optim/solver.h"

/* A solve that ends early is judged, like any other, at the final stage. */
static sal_status settle_accounts(sal_optim *o, sal_err *err)
{
    sal_status status = sal_point_stage(o, 0, 0, err);
    status = status == SAL_OK ? sal_point_value(o, err) : status;
    return status == SAL_DIVERGED ? SAL_OK : status;
}

sal_status sal_solve(sal_optim *o, double *x, sal_optim_result *result, sal_err *err)
{
    sal_stop stop = SAL_STOP_FAILED;
    sal_optim_start(o, x);

    /* From the soft problem to the final one. */
    sal_status status = sal_path_follow(o, err);

    /* Onto the constraints, to the last digit. */
    if (status == SAL_OK && !o->halted) {
        status = sal_project(o, &stop, err);
    }

    /* Along the constraints, while that lowers the cost. */
    if (status == SAL_OK && !o->halted && stop == SAL_STOP_CONVERGED) {
        status = sal_polish(o, &stop, err);
    }

    if (status == SAL_OK && o->halted) {
        stop = o->halt;
        status = settle_accounts(o, err);
    }
    sal_optim_finish(o, x, result, status == SAL_OK ? stop : SAL_STOP_FAILED);
    return status;
}
