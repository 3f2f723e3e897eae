#include "bench/linearise.h"

#include "optim/solver.h"

sal_status linearise_open(sal_optim **optim, const sal_nls *nls, const double *x, int nthread,
                          sal_err *err)
{
    sal_optim_options options;
    sal_optim_defaults(&options);
    options.nthread = nthread;
    sal_status status = sal_optim_new(optim, nls, &options, err);
    if (status == SAL_OK) {
        opt_start(*optim, x);
        status = opt_model_linearise(*optim, err);
    }
    return status;
}

sal_status linearise_run(sal_optim *optim, sal_err *err)
{
    return opt_model_linearise(optim, err);
}

sal_status iteration_open(sal_optim **optim, const sal_nls *nls, const double *x, int nthread,
                          sal_err *err)
{
    sal_optim_options options;
    sal_optim_defaults(&options);
    options.nthread = nthread;
    sal_status status = sal_optim_new(optim, nls, &options, err);
    if (status == SAL_OK) {
        opt_start(*optim, x);
        (*optim)->metric_most = (*optim)->metric_identity = 1;
        status = opt_point_stage(*optim, 1, 1, err);
    }
    return status;
}

sal_status iteration_run(sal_optim *o, sal_err *err)
{
    o->now.valued = false;
    sal_status status = opt_model_linearise(o, err);
    status = status == SAL_OK ? opt_model_factorise(o, 1, err) : status;
    status = status == SAL_OK ? opt_model_solve(o, o->d, o->g, err) : status;
    if (status == SAL_OK) {
        opt_trial_cap(o, o->d);
        status = opt_trial_at(o, &o->trial, o->d, err);
    }
    return status;
}

int iteration_entries(const sal_optim *o)
{
    return o->assembly->nnz;
}
