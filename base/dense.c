#include "base/dense.h"

#include "base/v3.h"

#include <string.h>

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

/* One Jacobi rotation that makes a[p][q] zero: A := G' A G, V := V G. */
static void jacobi_rotate(double a[9], double v[9], int p, int q)
{
    const double apq = a[3 * p + q];
    if (apq == 0) {
        return;
    }
    const double tau = (a[3 * q + q] - a[3 * p + p]) / (2 * apq);
    const double t = (tau >= 0 ? 1 : -1) / (fabs(tau) + sqrt(1 + tau * tau));
    const double c = 1 / sqrt(1 + t * t), s = t * c;
    for (int k = 0; k < 3; k++) { /* columns p and q */
        const double akp = a[3 * k + p], akq = a[3 * k + q];
        a[3 * k + p] = c * akp - s * akq, a[3 * k + q] = s * akp + c * akq;
        const double vkp = v[3 * k + p], vkq = v[3 * k + q];
        v[3 * k + p] = c * vkp - s * vkq, v[3 * k + q] = s * vkp + c * vkq;
    }
    for (int k = 0; k < 3; k++) { /* rows p and q */
        const double apk = a[3 * p + k], aqk = a[3 * q + k];
        a[3 * p + k] = c * apk - s * aqk, a[3 * q + k] = s * apk + c * aqk;
    }
}

void sal_dense_eigen3(double value[3], double rotation[9], const double matrix[9])
{
    double a[9], v[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    memcpy(a, matrix, sizeof a);
    for (int sweep = 0; sweep < 50; sweep++) {
        const double off = fabs(a[1]) + fabs(a[2]) + fabs(a[5]);
        if (off <= 1e-17 * (fabs(a[0]) + fabs(a[4]) + fabs(a[8]))) {
            break;
        }
        jacobi_rotate(a, v, 0, 1);
        jacobi_rotate(a, v, 0, 2);
        jacobi_rotate(a, v, 1, 2);
    }
    int order[3] = {0, 1, 2};
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2 - i; j++) {
            if (a[4 * order[j]] < a[4 * order[j + 1]]) {
                const int swap = order[j];
                order[j] = order[j + 1], order[j + 1] = swap;
            }
        }
    }
    double column[3][3];
    for (int j = 0; j < 3; j++) {
        value[j] = a[4 * order[j]];
        sal_m3_column(column[j], v, order[j]);
    }
    sal_v3_cross(column[2], column[0], column[1]); /* right-handed */
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            rotation[3 * i + j] = column[j][i];
        }
    }
}
