/* dense.h: small dense algebra for matrices stored by rows. Nothing here allocates. */
#ifndef SAL_BASE_DENSE_H
#define SAL_BASE_DENSE_H

#include "base/status.h"

/* Cholesky factor in place: A = L L' (n x n, lower triangle read and overwritten by L). Returns n, or the first row whose
 * pivot is not positive. */
int sal_dense_cholesky(double *a, int n);

/* x := (L L')^-1 x */
void sal_dense_cholesky_solve(double *x, const double *l, int n);

/* Eigenvalues in decreasing order and the rotation whose columns are the eigenvectors (right-handed), of a symmetric 3x3 matrix
 * (rows), by Jacobi's method: Golub, Van Loan, "Matrix computations", section 8.5. */
void sal_dense_eigen3(double value[3], double rotation[9], const double a[9]);

#endif
