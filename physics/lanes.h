/* lanes.h: four numbers side by side, for kernels that do the same to each; private to physics/. Lanes never mix: see base/clones.h. */
#ifndef SAL_LANES_H
#define SAL_LANES_H

#include "base/base.h"

enum { SAL_LANES = 4 };

/* A kernel of lanes. For AVX-512 it was a tenth slower than for AVX2, whose registers hold just four. */
#define SAL_LANED SAL_CLONES("avx2")

typedef double sal_lanes __attribute__((vector_size(SAL_LANES * sizeof(double))));

/* Four numbers anywhere in an array. (Not by memcpy, of which gcc 12 makes two halves that the whole must then wait for.) */
typedef double sal_lanes_anywhere
    __attribute__((vector_size(SAL_LANES * sizeof(double)), aligned(sizeof(double)), may_alias));

SAL_INLINE void sal_lanes_load(sal_lanes *r, const double *from)
{
    *r = *(const sal_lanes_anywhere *)(const void *)from;
}

SAL_INLINE void sal_lanes_store(double *to, const sal_lanes *x)
{
    *(sal_lanes_anywhere *)(void *)to = *x;
}

/* The first n of six numbers of four dofs, which are next to each other: see sal_column_at. r = sum a_j x_j */
SAL_INLINE void sal_lanes_dot(sal_lanes *r, const double *a, const double *x, int n)
{
    sal_lanes c[6];
    for (int j = 0; j < n; j++) {
        sal_lanes_load(c + j, x + SAL_LANES * j);
    }
    *r = a[0] * c[0] + a[1] * c[1] + a[2] * c[2];
    if (n == 6) {
        *r += a[3] * c[3] + a[4] * c[4] + a[5] * c[5];
    }
}

SAL_INLINE void sal_lanes_load6(sal_lanes r[6], const double *x)
{
    for (int j = 0; j < 6; j++) {
        sal_lanes_load(r + j, x + SAL_LANES * j);
    }
}

SAL_INLINE void sal_lanes_store6(double *to, const sal_lanes r[6])
{
    for (int j = 0; j < 6; j++) {
        sal_lanes_store(to + SAL_LANES * j, r + j);
    }
}

/* r = a x b for motions: (w x w2 ; w x u2 + u x w2) */
SAL_INLINE void sal_lanes_cross_motion(sal_lanes r[6], const sal_lanes a[6], const sal_lanes b[6])
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        r[i] = a[j] * b[k] - a[k] * b[j];
        r[3 + i] = (a[j] * b[3 + k] - a[k] * b[3 + j]) + (a[3 + j] * b[k] - a[3 + k] * b[j]);
    }
}

/* x where a bit of `which` is set, else 0, lane by lane */
SAL_INLINE void sal_lanes_keep(sal_lanes *x, unsigned which)
{
    typedef long long mask __attribute__((vector_size(sizeof(sal_lanes))));
    const mask bit = {1, 2, 4, 8}, set = {which, which, which, which};
    const mask keep = (set & bit) != 0;
    *x = (sal_lanes)((mask)*x & keep);
}

/* Four rows of four numbers become columns. */
SAL_INLINE void sal_lanes_transpose(sal_lanes r[4])
{
    const sal_lanes a = __builtin_shufflevector(r[0], r[1], 0, 4, 2, 6),
                    b = __builtin_shufflevector(r[0], r[1], 1, 5, 3, 7),
                    c = __builtin_shufflevector(r[2], r[3], 0, 4, 2, 6),
                    d = __builtin_shufflevector(r[2], r[3], 1, 5, 3, 7);
    r[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    r[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    r[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    r[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

/* The six numbers that begin at each of four places, one place a lane. */
SAL_INLINE void sal_lanes_gather6(sal_lanes r[6], const double *const from[SAL_LANES])
{
    sal_lanes high[SAL_LANES];
    for (int l = 0; l < SAL_LANES; l++) {
        sal_lanes_load(r + l, from[l]);
        sal_lanes_load(high + l, from[l] + 2);
    }
    sal_lanes_transpose(r);
    sal_lanes_transpose(high);
    r[4] = high[2];
    r[5] = high[3];
}

/* Six numbers as a row of eight, the last two zero. */
enum { SAL_WIDE = 2 * SAL_LANES };

typedef struct sal_six {
    sal_lanes low, high;
} sal_six;

/* From six numbers; from eight. */
SAL_INLINE void sal_six_load(sal_six *r, const double x[6])
{
    const sal_lanes high = {x[4], x[5], 0, 0};
    sal_lanes_load(&r->low, x);
    r->high = high;
}

SAL_INLINE void sal_six_load_wide(sal_six *r, const double x[SAL_WIDE])
{
    sal_lanes_load(&r->low, x);
    sal_lanes_load(&r->high, x + SAL_LANES);
}

SAL_INLINE void sal_six_store_wide(double to[SAL_WIDE], const sal_six *x)
{
    sal_lanes_store(to, &x->low);
    sal_lanes_store(to + SAL_LANES, &x->high);
}

/* r += s x */
SAL_INLINE void sal_six_add(sal_six *r, double s, const sal_six *x)
{
    r->low += s * x->low;
    r->high += s * x->high;
}

#endif
