#include "optim/kernel.h"

#include <string.h>

/* Compiled for the widest registers the processor may have, chosen when the program starts. Nothing is contracted: every choice gives the same
 * bits. (The address sanitizer is not awake yet when that choice is made.) */
#if defined(__x86_64__) && defined(__linux__) && !defined(__SANITIZE_ADDRESS__)
#define WIDEST __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define WIDEST
#endif
#define INLINE static inline __attribute__((always_inline))

typedef double lane8 __attribute__((vector_size(64)));
typedef double lane4 __attribute__((vector_size(32)));

enum { TILE = 4 }; /* rows of C at a time */

/* ---- tiles: n rows of C, n at most 4 and known to the compiler, by 8, 4 or 1 columns from j on --------------------------------- */

INLINE void tile8(double *C, int ldc, const sal_outer *p, int i, int j, const int n)
{
    lane8 sum[TILE] = {{0}}, b, c;
    for (int k = 0; k < p->nrow; k++) {
        const double *a = p->row[k] + p->i0 + i;
        memcpy(&b, p->row[k] + p->j0 + j, sizeof b);
        for (int r = 0; r < n; r++) {
            sum[r] += a[r] * b;
        }
    }
    for (int r = 0; r < n; r++) {
        double *at = C + (i + r) * ldc + j;
        memcpy(&c, at, sizeof c);
        c += p->sign * sum[r];
        memcpy(at, &c, sizeof c);
    }
}

INLINE void tile4(double *C, int ldc, const sal_outer *p, int i, int j, const int n)
{
    lane4 sum[TILE] = {{0}}, b, c;
    for (int k = 0; k < p->nrow; k++) {
        const double *a = p->row[k] + p->i0 + i;
        memcpy(&b, p->row[k] + p->j0 + j, sizeof b);
        for (int r = 0; r < n; r++) {
            sum[r] += a[r] * b;
        }
    }
    for (int r = 0; r < n; r++) {
        double *at = C + (i + r) * ldc + j;
        memcpy(&c, at, sizeof c);
        c += p->sign * sum[r];
        memcpy(at, &c, sizeof c);
    }
}

INLINE void tile1(double *C, int ldc, const sal_outer *p, int i, int j, const int n)
{
    double sum[TILE] = {0};
    for (int k = 0; k < p->nrow; k++) {
        const double *a = p->row[k] + p->i0 + i, b = p->row[k][p->j0 + j];
        for (int r = 0; r < n; r++) {
            sum[r] += a[r] * b;
        }
    }
    for (int r = 0; r < n; r++) {
        C[(i + r) * ldc + j] += p->sign * sum[r];
    }
}

INLINE void strip(double *C, int ldc, const sal_outer *p, int i, const int n)
{
    int j = 0;
    for (; j + 8 <= p->nj; j += 8) {
        tile8(C, ldc, p, i, j, n);
    }
    if (j + 4 <= p->nj) {
        tile4(C, ldc, p, i, j, n);
        j += 4;
    }
    for (; j < p->nj; j++) {
        tile1(C, ldc, p, i, j, n);
    }
}

WIDEST void sal_outer_add(double *C, int ldc, const sal_outer *p)
{
    int i = 0;
    for (; i + TILE <= p->ni; i += TILE) {
        strip(C, ldc, p, i, TILE);
    }
    switch (p->ni - i) {
    case 3:
        strip(C, ldc, p, i, 3);
        break;
    case 2:
        strip(C, ldc, p, i, 2);
        break;
    case 1:
        strip(C, ldc, p, i, 1);
        break;
    default:
        break;
    }
}

/* ---- vectors --------------------------------------------------------------------------------------------------------------------- */

WIDEST double sal_kernel_dot(const double *a, const double *b, int n)
{
    lane8 sum = {0}, x, y;
    double rest = 0;
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        memcpy(&x, a + i, sizeof x);
        memcpy(&y, b + i, sizeof y);
        sum += x * y;
    }
    for (; i < n; i++) {
        rest += a[i] * b[i];
    }
    return (((sum[0] + sum[4]) + (sum[1] + sum[5])) + ((sum[2] + sum[6]) + (sum[3] + sum[7]))) +
           rest;
}

WIDEST void sal_kernel_add(double *restrict y, double s, const double *restrict x, int n)
{
    lane8 sum, b;
    int i = 0;
    for (; i + 8 <= n; i += 8) {
        memcpy(&sum, y + i, sizeof sum);
        memcpy(&b, x + i, sizeof b);
        sum += s * b;
        memcpy(y + i, &sum, sizeof sum);
    }
    for (; i < n; i++) {
        y[i] += s * x[i];
    }
}
