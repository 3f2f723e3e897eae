/* factor.h: factorisation of a symmetric positive definite matrix whose pattern never changes.
 *
 *     A = H + shift I,   P A P' = L D L',   A x = b
 *
 * The interface behind which one method can replace another; cholmod.c is the general one.
 */
#ifndef SAL_FACTOR_H
#define SAL_FACTOR_H

#include "base/base.h"

typedef struct sal_factor sal_factor;

/* Orders and analyses the pattern of H: lower triangle by columns, rows increasing, every diagonal entry present. */
sal_status sal_factor_new(sal_factor **factor, int n, const int *colptr, const int *rowind,
                          sal_err *err);
void sal_factor_free(sal_factor *factor);

/* Factorises H + shift I, H's values in the order of the pattern. SAL_SINGULAR if it is not positive definite to working precision. */
sal_status sal_factor_compute(sal_factor *factor, const double *values, double shift, sal_err *err);

/* x := (H + shift I)^-1 x with the last factor */
sal_status sal_factor_solve(sal_factor *factor, double *x, sal_err *err);

#endif
