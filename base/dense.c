#include "base/dense.h"

#include <math.h>
#include <stddef.h>

int sal_dense_cholesky(double *a, int n)
{
    for (int i = 0; i < n; i++) {
        double *row_i = a + (size_t)i * (size_t)n;
        for (int j = 0; j <= i; j++) {
            const double *row_j = a + (size_t)j * (size_t)n;
            double sum = row_i[j];
            for (int k = 0; k < j; k++) {
                sum -= row_i[k] * row_j[k];
            }
            if (i > j) {
                row_i[j] = sum / row_j[j];
            } else if (sum > 0) {
                row_i[i] = sqrt(sum);
            } else {
                return i;
            }
        }
    }
    return n;
}

void sal_dense_cholesky_solve(double *x, const double *l, int n)
{
    for (int i = 0; i < n; i++) { /* L y = x */
        const double *row = l + (size_t)i * (size_t)n;
        for (int k = 0; k < i; k++) {
            x[i] -= row[k] * x[k];
        }
        x[i] /= row[i];
    }
    for (int i = n - 1; i >= 0; i--) { /* L' x = y */
        x[i] /= l[(size_t)i * (size_t)n + (size_t)i];
        for (int k = 0; k < i; k++) {
            x[k] -= l[(size_t)i * (size_t)n + (size_t)k] * x[i];
        }
    }
}
