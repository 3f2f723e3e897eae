/* lanes.h: four numbers side by side, for kernels that do the same to each; private to physics/.
 *
 * A kernel marked SAL_LANED is compiled for the widest registers the processor may have, chosen when the program starts. Lanes never mix and
 * nothing is contracted, so every choice gives the same bits.
 */
#ifndef SAL_LANES_H
#define SAL_LANES_H

#include <string.h>

enum { SAL_LANES = 4 };

typedef double sal_lanes __attribute__((vector_size(SAL_LANES * sizeof(double))));

/* clang 14 finds such a function only within its own file */
#if defined(__x86_64__) && defined(__linux__) && !defined(__clang__) &&                            \
    !defined(__SANITIZE_ADDRESS__)
#define SAL_LANED __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define SAL_LANED
#endif

/* What a laned kernel calls must be compiled as part of it. */
#define SAL_INLINE static inline __attribute__((always_inline))

SAL_INLINE void sal_lanes_load(sal_lanes *r, const double *from)
{
    memcpy(r, from, sizeof *r);
}

SAL_INLINE void sal_lanes_store(double *to, const sal_lanes *x)
{
    memcpy(to, x, sizeof *x);
}

/* r = a'x: six numbers a with six lanes of columns, `stride` apart from x on */
SAL_INLINE void sal_lanes_dot6(sal_lanes *r, const double a[6], const double *x, int stride)
{
    sal_lanes c[6];
    for (int j = 0; j < 6; j++) {
        sal_lanes_load(c + j, x + j * stride);
    }
    *r = (a[0] * c[0] + a[1] * c[1] + a[2] * c[2]) + (a[3] * c[3] + a[4] * c[4] + a[5] * c[5]);
}

/* The same of the first three. */
SAL_INLINE void sal_lanes_dot3(sal_lanes *r, const double a[3], const double *x, int stride)
{
    sal_lanes c[3];
    for (int j = 0; j < 3; j++) {
        sal_lanes_load(c + j, x + j * stride);
    }
    *r = a[0] * c[0] + a[1] * c[1] + a[2] * c[2];
}

/* Six lanes of motions or forces, `stride` apart. */
SAL_INLINE void sal_lanes_load6(sal_lanes r[6], const double *columns, int stride)
{
    for (int j = 0; j < 6; j++) {
        sal_lanes_load(r + j, columns + j * stride);
    }
}

SAL_INLINE void sal_lanes_store6(double *columns, int stride, const sal_lanes r[6])
{
    for (int j = 0; j < 6; j++) {
        sal_lanes_store(columns + j * stride, r + j);
    }
}

/* r = a x b for lanes of motions in columns: (w x w2 ; w x u2 + u x w2) */
SAL_INLINE void sal_lanes_cross_motion(sal_lanes r[6], const sal_lanes a[6], const sal_lanes b[6])
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        r[i] = a[j] * b[k] - a[k] * b[j];
        r[3 + i] = (a[j] * b[3 + k] - a[k] * b[3 + j]) + (a[3 + j] * b[k] - a[3 + k] * b[j]);
    }
}

#endif
