#include "bench/linearise.h"

#include "optim/solver.h"

sal_status linearise_open(sal_optim **optim, const sal_nls *nls, const double *x, sal_err *err)
{
    sal_optim_options options;
    sal_optim_defaults(&options);
    options.nthread = 1;
    sal_status status = sal_optim_new(optim, nls, &options, err);
    if (status == SAL_OK) {
        sal_optim_start(*optim, x);
        status = sal_model_linearise(*optim, err);
    }
    return status;
}

sal_status linearise_run(sal_optim *optim, sal_err *err)
{
    return sal_model_linearise(optim, err);
}
