#include "base/lapack.h"

#include "base/memory.h"

#include <lapacke.h>

#include <math.h>
#include <string.h>

/* LAPACK stores matrices by columns. The columns of a symmetric matrix are its rows, and what
 * LAPACK returns as column k, a vector, is row k to us. */
void sal_lapack_eigen(double *value, double *vector, const double *a, int n)
{
    const size_t size = (size_t)n * (size_t)n;
    memcpy(vector, a, size * sizeof *a);
    if (n == 0 || LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'U', n, vector, n, value) == 0) {
        return;
    }
    for (size_t i = 0; i < size; i++) {
        vector[i] = i % ((size_t)n + 1) == 0;
    }
    for (int k = 0; k < n; k++) {
        value[k] = NAN;
    }
}

bool sal_lapack_solve(double *x, int w, double *a, int n)
{
    lapack_int *pivot = sal_alloc((size_t)n, sizeof *pivot);
    const bool good =
        n == 0 || w == 0 ||
        (pivot != NULL && LAPACKE_dgesv(LAPACK_ROW_MAJOR, n, w, a, n, pivot, x, w) == 0);
    sal_free(pivot);
    return good;
}
