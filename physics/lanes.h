/* lanes.h: four numbers side by side, for kernels that do the same to each; private to physics/.
 * Lanes never mix: see base/clones.h. */
#ifndef SAL_PHYSICS_LANES_H
#define SAL_PHYSICS_LANES_H

#include "base/base.h"
#include "base/house.h"

enum { PHY_LANES = 4 };

/* A kernel of lanes. For AVX-512 it was a tenth slower than for AVX2, whose registers hold just
 * four. */
#define PHY_LANED SAL_CLONES("avx2")

typedef double phy_lanes __attribute__((vector_size(PHY_LANES * sizeof(double))));

/* Four numbers anywhere in an array. (Not by memcpy, of which gcc 12 makes two halves that the
 * whole must then wait for.) */
typedef double phy_lanes_anywhere
    __attribute__((vector_size(PHY_LANES * sizeof(double)), aligned(sizeof(double)), may_alias));

static SAL_INLINE void phy_lanes_load(phy_lanes *r, const double *from)
{
    *r = *(const phy_lanes_anywhere *)(const void *)from;
}

static SAL_INLINE void phy_lanes_store(double *to, const phy_lanes *x)
{
    *(phy_lanes_anywhere *)(void *)to = *x;
}

/* The first n of six numbers of four dofs, which are next to each other: see phy_column_at. r = sum
 * a_j x_j */
static SAL_INLINE void phy_lanes_dot(phy_lanes *r, const double *a, const double *x, int n)
{
    phy_lanes c[6];
    for (int j = 0; j < n; j++) {
        phy_lanes_load(c + j, x + PHY_LANES * j);
    }
    *r = a[0] * c[0] + a[1] * c[1] + a[2] * c[2];
    if (n == 6) {
        *r += a[3] * c[3] + a[4] * c[4] + a[5] * c[5];
    }
}

static SAL_INLINE void phy_lanes_load6(phy_lanes r[6], const double *x)
{
    for (int j = 0; j < 6; j++) {
        phy_lanes_load(r + j, x + PHY_LANES * j);
    }
}

static SAL_INLINE void phy_lanes_store6(double *to, const phy_lanes r[6])
{
    for (int j = 0; j < 6; j++) {
        phy_lanes_store(to + PHY_LANES * j, r + j);
    }
}

/* r = a x b for motions: (w x w2 ; w x u2 + u x w2) */
static SAL_INLINE void phy_lanes_cross_motion(phy_lanes r[6], const phy_lanes a[6],
                                              const phy_lanes b[6])
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        r[i] = a[j] * b[k] - a[k] * b[j];
        r[3 + i] = (a[j] * b[3 + k] - a[k] * b[3 + j]) + (a[3 + j] * b[k] - a[3 + k] * b[j]);
    }
}

/* x where a bit of `which` is set, else 0, lane by lane */
static SAL_INLINE void phy_lanes_keep(phy_lanes *x, unsigned which)
{
    typedef long long mask __attribute__((vector_size(sizeof(phy_lanes))));
    const mask bit = {1, 2, 4, 8}, set = {which, which, which, which};
    const mask keep = (set & bit) != 0;
    *x = (phy_lanes)((mask)*x & keep);
}

/* The four numbers that begin at each of four places, one place a lane. Two of a place at a time:
 * halves that come from memory need not cross over in the registers. */
static SAL_INLINE void phy_lanes_gather4(phy_lanes r[4], const double *const from[PHY_LANES])
{
    for (int half = 0; half < 4; half += 2) {
        const sal_pair a = sal_pair_at(from[0] + half), b = sal_pair_at(from[1] + half),
                       c = sal_pair_at(from[2] + half), d = sal_pair_at(from[3] + half);
        const phy_lanes even = __builtin_shufflevector(a, c, 0, 1, 2, 3),
                        odd = __builtin_shufflevector(b, d, 0, 1, 2, 3);
        r[half] = __builtin_shufflevector(even, odd, 0, 4, 2, 6);
        r[half + 1] = __builtin_shufflevector(even, odd, 1, 5, 3, 7);
    }
}

/* The same of six. */
static SAL_INLINE void phy_lanes_gather6(phy_lanes r[6], const double *const from[PHY_LANES])
{
    const double *const last[PHY_LANES] = {from[0] + 2, from[1] + 2, from[2] + 2, from[3] + 2};
    phy_lanes high[4];
    phy_lanes_gather4(r, from);
    phy_lanes_gather4(high, last);
    r[4] = high[2];
    r[5] = high[3];
}

/* Six numbers as a row of eight, the last two zero. */
enum { PHY_WIDE = 2 * PHY_LANES };

typedef struct phy_six {
    phy_lanes low;
    phy_lanes high;
} phy_six;

/* From six numbers; from eight. */
static SAL_INLINE void phy_six_load(phy_six *r, const double x[6])
{
    const phy_lanes high = {x[4], x[5], 0, 0};
    phy_lanes_load(&r->low, x);
    r->high = high;
}

static SAL_INLINE void phy_six_load_wide(phy_six *r, const double x[PHY_WIDE])
{
    phy_lanes_load(&r->low, x);
    phy_lanes_load(&r->high, x + PHY_LANES);
}

static SAL_INLINE void phy_six_store_wide(double to[PHY_WIDE], const phy_six *x)
{
    phy_lanes_store(to, &x->low);
    phy_lanes_store(to + PHY_LANES, &x->high);
}

/* r += s x */
static SAL_INLINE void phy_six_add(phy_six *r, double s, const phy_six *x)
{
    r->low += s * x->low;
    r->high += s * x->high;
}

#endif
