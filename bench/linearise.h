/* linearise.h: one linearisation of a least-squares problem as a solve makes it: residuals,
 * Jacobians, cost, gradient, Hessian. */
#ifndef SAL_BENCH_LINEARISE_H
#define SAL_BENCH_LINEARISE_H

#include "optim/optim.h"

/* At x, by one thread, as often as it is called. */
sal_status linearise_open(sal_optim **optim, const sal_nls *nls, const double *x, int nthread,
                          sal_err *err);
sal_status linearise_run(sal_optim *optim, sal_err *err);

/* A whole iteration: linearise, factorise with the damping of a path, solve, try the step. By any
 * number of threads, at the soft end. */
sal_status iteration_open(sal_optim **optim, const sal_nls *nls, const double *x, int nthread,
                          sal_err *err);
sal_status iteration_run(sal_optim *optim, sal_err *err);
/* Entries of H that are stored. */
int iteration_entries(const sal_optim *optim);

#endif
