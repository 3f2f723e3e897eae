/* lqr.c: the discrete Riccati recursion, in the form that keeps P positive (Joseph):
 *
 *     K = -(R + B'P B)^-1 B'P A
 *     P := Q + K'R K + (A + B K)'P (A + B K)
 */
#include "runs/lqr.h"

#include "base/house.h"

#include <math.h>
#include <string.h>

sal_status run_lqr_new(run_lqr *l, int n, int nu, const double *Q, const double *R, sal_err *err)
{
    const size_t N = (size_t)n, U = (size_t)nu;
    *l = (run_lqr){.n = n, .nu = nu, .Q = Q, .R = R};
    l->P = sal_alloc(N * N, sizeof(double));
    l->block = sal_alloc(2 * N * N + U * N + U * U + U, sizeof(double));
    return l->P == NULL || l->block == NULL
               ? sal_fail(err, SAL_NOMEM, "out of memory for gains of %d states", n)
               : SAL_OK;
}

void run_lqr_clear(run_lqr *l)
{
    sal_free(l->P);
    sal_free(l->block);
    *l = (run_lqr){0};
}

/* C [r x c] += A' B,  A [k x r], B [k x c] */
static void add_transposed_product(double *C, const double *A, const double *B, int k, int r, int c)
{
    for (int s = 0; s < k; s++) {
        for (int i = 0; i < r; i++) {
            const double a = A[s * r + i];
            for (int j = 0; j < c && a != 0; j++) {
                C[i * c + j] += a * B[s * c + j];
            }
        }
    }
}

/* C [r x c] += A B,  A [r x k], B [k x c] */
static void add_product(double *C, const double *A, const double *B, int r, int k, int c)
{
    for (int i = 0; i < r; i++) {
        for (int s = 0; s < k; s++) {
            const double a = A[i * k + s];
            for (int j = 0; j < c && a != 0; j++) {
                C[i * c + j] += a * B[s * c + j];
            }
        }
    }
}

static void clear(double *a, int n)
{
    memset(a, 0, (size_t)n * sizeof *a);
}

/* K = -(R + B'P B)^-1 B'P A */
static bool find_gain(const run_lqr *l, double *K, const double *A, const double *B)
{
    const int n = l->n, nu = l->nu;
    double *BP = l->block + 2 * n * n, *S = BP + nu * n, *column = S + nu * nu;
    clear(BP, nu * n + nu * nu);
    clear(K, nu * n);
    add_transposed_product(BP, B, l->P, n, nu, n);
    add_product(S, BP, B, nu, n, nu);
    add_product(K, BP, A, nu, n, n);
    for (int i = 0; i < nu; i++) {
        S[i * nu + i] += l->R[i];
    }
    if (sal_dense_cholesky(S, nu) < nu) {
        return false;
    }
    for (int k = 0; k < n; k++) {
        for (int i = 0; i < nu; i++) {
            column[i] = -K[i * n + k];
        }
        sal_dense_cholesky_solve(column, S, nu);
        for (int i = 0; i < nu; i++) {
            K[i * n + k] = column[i];
        }
    }
    return true;
}

/* P := Q + K'R K + (A + B K)'P (A + B K), symmetric to the last bit */
static bool find_cost(run_lqr *l, const double *K, const double *A, const double *B)
{
    const int n = l->n;
    double *closed = l->block, *PC = closed + n * n, *P = l->P;
    memcpy(closed, A, (size_t)(n * n) * sizeof *A);
    add_product(closed, B, K, n, l->nu, n);
    clear(PC, n * n);
    add_product(PC, P, closed, n, n, n);
    clear(P, n * n);
    add_transposed_product(P, closed, PC, n, n, n);
    bool finite = true;
    for (int i = 0; i < n; i++) {
        P[i * n + i] += l->Q[i];
        for (int j = 0; j <= i; j++) {
            double x = 0.5 * (P[i * n + j] + P[j * n + i]);
            for (int u = 0; u < l->nu; u++) {
                x += l->R[u] * K[u * n + i] * K[u * n + j];
            }
            P[i * n + j] = P[j * n + i] = x;
            finite = finite && isfinite(x);
        }
    }
    return finite;
}

bool run_lqr_step(run_lqr *l, double *K, const double *A, const double *B)
{
    return find_gain(l, K, A, B) && find_cost(l, K, A, B);
}
