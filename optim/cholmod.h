/* cholmod.h: factorisation L D L' of any pattern, in an order that fills in little. Private to
 * factor.c. */
#ifndef SAL_OPTIM_CHOLMOD_H
#define SAL_OPTIM_CHOLMOD_H

#include "base/base.h"
#include "optim/mix.h"

typedef struct opt_cholmod opt_cholmod;

/* The pattern: lower triangle by columns. work: what one factorisation takes, as sum of squares of
 * the lengths of the factor's columns. */
sal_status opt_cholmod_new(opt_cholmod **cholmod, int n, const int *colptr, const int *rowind,
                           double *work);
void opt_cholmod_free(opt_cholmod *f);
/* SAL_SINGULAR if A is not positive definite, SAL_NOMEM. */
sal_status opt_cholmod_compute(opt_cholmod *f, const opt_mix *A);
/* x := A^-1 x */
sal_status opt_cholmod_solve(opt_cholmod *f, double *x);

#endif
