/* dense.h: small dense algebra for matrices stored by rows. Nothing here allocates. */
#ifndef SAL_BASE_DENSE_H
#define SAL_BASE_DENSE_H

#include "base/status.h"

/* Cholesky factor in place: A = L L' (n x n, lower triangle read and overwritten by L). Returns n,
 * or the first row whose pivot is not positive. */
int sal_dense_cholesky(double *a, int n);

/* x := (L L')^-1 x */
void sal_dense_cholesky_solve(double *x, const double *l, int n);

/* Factors in place, by Gaussian elimination with partial pivoting: the rows of A [n x n], pivot[k]
 * exchanged with k in turn, become L U (L has ones on its diagonal). Returns n, or the first column
 * without a pivot that is finite and not 0. */
int sal_dense_lu(double *a, int *pivot, int n);

/* x := A^-1 x, with the factors and pivots of A */
void sal_dense_lu_solve(double *x, const double *lu, const int *pivot, int n);

#endif
