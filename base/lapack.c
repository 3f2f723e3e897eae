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

sal_status sal_lapack_solve(double *x, int w, double *a, int n, sal_err *err)
{
    if (n == 0 || w == 0) {
        return SAL_OK;
    }
    lapack_int *pivot = sal_alloc((size_t)n, sizeof *pivot);
    const lapack_int info = pivot == NULL
                                ? LAPACK_WORK_MEMORY_ERROR
                                : LAPACKE_dgesv(LAPACK_ROW_MAJOR, n, w, a, n, pivot, x, w);
    sal_free(pivot);
    if (info == LAPACK_WORK_MEMORY_ERROR || info == LAPACK_TRANSPOSE_MEMORY_ERROR) {
        return sal_fail(err, SAL_NOMEM, "out of memory for %d linear equations", n);
    }
    return info == 0
               ? SAL_OK
               : sal_fail(err, SAL_SINGULAR, "the matrix of %d linear equations is singular", n);
}
