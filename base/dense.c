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

static int pivot_of(const double *a, int k, int n)
{
    int best = k;
    for (int i = k + 1; i < n; i++) {
        if (fabs(a[(size_t)i * (size_t)n + (size_t)k]) >
            fabs(a[(size_t)best * (size_t)n + (size_t)k])) {
            best = i;
        }
    }
    return best;
}

static void exchange_rows(double *a, double *b, int n)
{
    for (int j = 0; j < n; j++) {
        const double kept = a[j];
        a[j] = b[j];
        b[j] = kept;
    }
}

int sal_dense_lu(double *a, int *pivot, int n)
{
    for (int k = 0; k < n; k++) {
        double *row_k = a + (size_t)k * (size_t)n;
        pivot[k] = pivot_of(a, k, n);
        if (pivot[k] != k) {
            exchange_rows(row_k, a + (size_t)pivot[k] * (size_t)n, n);
        }
        if (!isfinite(row_k[k]) || row_k[k] == 0) {
            return k;
        }
        for (int i = k + 1; i < n; i++) {
            double *row_i = a + (size_t)i * (size_t)n;
            const double factor = row_i[k] /= row_k[k];
            for (int j = k + 1; factor != 0 && j < n; j++) {
                row_i[j] -= factor * row_k[j];
            }
        }
    }
    return n;
}

void sal_dense_lu_solve(double *x, const double *lu, const int *pivot, int n)
{
    for (int i = 0; i < n; i++) {
        exchange_rows(x + i, x + pivot[i], 1);
    }
    for (int i = 0; i < n; i++) { /* L y = x */
        for (int k = 0; k < i; k++) {
            x[i] -= lu[(size_t)i * (size_t)n + (size_t)k] * x[k];
        }
    }
    for (int i = n - 1; i >= 0; i--) { /* U x = y */
        for (int k = i + 1; k < n; k++) {
            x[i] -= lu[(size_t)i * (size_t)n + (size_t)k] * x[k];
        }
        x[i] /= lu[(size_t)i * (size_t)n + (size_t)i];
    }
}
