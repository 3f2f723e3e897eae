/* lapack.h: what saltus asks of LAPACK. Only lapack.c includes LAPACK's own header. LAPACK runs on
 * as many threads as the program allows it: nothing here sets their number. */
#ifndef SAL_BASE_LAPACK_H
#define SAL_BASE_LAPACK_H

#include "base/status.h"

/* Eigenvalues (increasing) and eigenvectors (row k belongs to value k) of a symmetric matrix
 * a [n x n], by LAPACK's dsyev. Where a is not finite, the values are NaN and the vectors those of
 * the unit matrix. */
void sal_lapack_eigen(double *value, double *vector, const double *a, int n);

/* x := a^-1 x, a [n x n], x [n x w], by Gaussian elimination with partial pivoting: LAPACK's dgesv,
 * which allocates. a is lost. SAL_SINGULAR: a is singular or not finite; SAL_NOMEM. */
sal_status sal_lapack_solve(double *x, int w, double *a, int n, sal_err *err);

#endif
