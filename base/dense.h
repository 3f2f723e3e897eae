/* dense.h: small dense algebra for matrices stored by rows. Nothing here allocates. */
#ifndef SAL_BASE_DENSE_H
#define SAL_BASE_DENSE_H

#include "base/status.h"

/* Cholesky factor in place: A = L L' (n x n, lower triangle read and overwritten by L). Returns n,
 * or the first row whose pivot is not positive. */
int sal_dense_cholesky(double *a, int n);

/* x := (L L')^-1 x */
void sal_dense_cholesky_solve(double *x, const double *l, int n);

#endif
