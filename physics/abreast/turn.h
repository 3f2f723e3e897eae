/* turn.h: numbers of lanes as those of each instant; private to physics/. */
#ifndef SAL_PHYSICS_ABREAST_TURN_H
#define SAL_PHYSICS_ABREAST_TURN_H

#include "physics/lanes.h"
#include "physics/width.h"

#if PHY_WIDTH == 8 && defined(__AVX512F__)

enum { PHY_TURNED = 8 }; /* numbers that are turned at a time */

typedef double phy_eight __attribute__((vector_size(8 * sizeof(double))));

/* Columns of eight by eight numbers into rows: of pairs of rows, then of pairs of these */
static SAL_INLINE void phy_transpose(phy_eight r[8])
{
    phy_eight t[8], u[8];
    for (int i = 0; i < 8; i += 2) {
        t[i] = __builtin_shufflevector(r[i], r[i + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        t[i + 1] = __builtin_shufflevector(r[i], r[i + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (int i = 0; i < 8; i++) { /* u_i: columns i % 4 and i % 4 + 4 of rows 0 .. 3 or 4 .. 7 */
        const int column = i % 4, row = i / 4 * 4 + column % 2;
        u[i] = column < 2 ? __builtin_shufflevector(t[row], t[row + 2], 0, 1, 4, 5, 8, 9, 12, 13)
                          : __builtin_shufflevector(t[row], t[row + 2], 2, 3, 6, 7, 10, 11, 14, 15);
    }
    for (int i = 0; i < 4; i++) {
        r[i] = __builtin_shufflevector(u[i], u[i + 4], 0, 1, 4, 5, 8, 9, 12, 13);
        r[i + 4] = __builtin_shufflevector(u[i], u[i + 4], 2, 3, 6, 7, 10, 11, 14, 15);
    }
}

/* The numbers from `at` on of the first `lanes` instants, to[l] the array of one: the first four
 * plus `first`, the others plus `second`, which are zeros. Minus zero changes nothing. */
static SAL_INLINE void phy_unpack_some(double *const to[PHY_WIDTH], size_t at, const phy_real *from,
                                       double first, double second, int lanes)
{
    phy_eight r[8];
    for (int k = 0; k < 8; k++) {
        r[k] = (phy_eight)from[k] + (k < 4 ? first : second);
    }
    phy_transpose(r);
    for (int l = 0; l < 8; l++) {
        if (l < lanes) {
            *(phy_real *)(void *)(to[l] + at) = (phy_real)r[l];
        }
    }
}

/* The same numbers of each instant into the lanes */
static SAL_INLINE void phy_pack_some(phy_real *to, size_t at, double *const from[PHY_WIDTH])
{
    phy_eight r[8];
    for (int l = 0; l < 8; l++) {
        r[l] = (phy_eight) * (const phy_real *)(const void *)(from[l] + at);
    }
    phy_transpose(r);
    for (int k = 0; k < 8; k++) {
        to[at + (size_t)k] = (phy_real)r[k];
    }
}

#else

enum { PHY_TURNED = PHY_LANES };

static SAL_INLINE void phy_unpack_some(double *const to[PHY_WIDTH], size_t at, const phy_real *from,
                                       double first, double second, int lanes)
{
    (void)second;
    for (int l = 0; l < PHY_WIDTH; l += PHY_LANES) {
        const double *column[PHY_LANES];
        phy_lanes r[PHY_LANES];
        for (int k = 0; k < PHY_LANES; k++) {
            column[k] = (const double *)(from + k) + l;
        }
        phy_lanes_gather4(r, column);
        for (int k = 0; k < PHY_LANES; k++) {
            r[k] += first;
            if (l + k < lanes) {
                phy_lanes_store(to[l + k] + at, r + k);
            }
        }
    }
}

static SAL_INLINE void phy_pack_some(phy_real *to, size_t at, double *const from[PHY_WIDTH])
{
    for (int k = 0; k < PHY_TURNED; k++) {
        for (int l = 0; l < PHY_WIDTH; l++) {
            to[at + (size_t)k][l] = from[l][at + (size_t)k];
        }
    }
}

#endif

/* Whether the last numbers are turned too, some of them once more, or go one by one */
static SAL_INLINE bool phy_turns_rest(int i, int n)
{
    return (int)PHY_TURNED > (int)PHY_LANES && i < n && n >= PHY_TURNED;
}

/* n numbers out of the lanes */
static SAL_INLINE void phy_unpack(double *const to[PHY_WIDTH], const phy_real *from, int n)
{
    int i = 0;
    for (; i + PHY_TURNED <= n; i += PHY_TURNED) {
        phy_unpack_some(to, (size_t)i, from + i, -0.0, -0.0, PHY_WIDTH);
    }
    if (phy_turns_rest(i, n)) {
        i = n - PHY_TURNED;
        phy_unpack_some(to, (size_t)i, from + i, -0.0, -0.0, PHY_WIDTH);
        return;
    }
    for (; i < n; i++) {
        for (int l = 0; l < PHY_WIDTH; l++) {
            to[l][i] = from[i][l];
        }
    }
}

/* n numbers of each instant into the lanes */
static SAL_INLINE void phy_pack(phy_real *to, double *const from[PHY_WIDTH], int n)
{
    int i = 0;
    for (; i + PHY_TURNED <= n; i += PHY_TURNED) {
        phy_pack_some(to, (size_t)i, from);
    }
    if (phy_turns_rest(i, n)) {
        phy_pack_some(to, (size_t)(n - PHY_TURNED), from);
        return;
    }
    for (; i < n; i++) {
        for (int l = 0; l < PHY_WIDTH; l++) {
            to[i][l] = from[l][i];
        }
    }
}

/* The six numbers that begin at each instant's place into the lanes */
static SAL_INLINE void phy_pack_six(phy_real to[6], const double *const from[PHY_WIDTH])
{
    for (int l = 0; l < PHY_WIDTH; l += PHY_LANES) {
        phy_lanes r[6];
        phy_lanes_gather6(r, from + l);
        for (int j = 0; j < 6; j++) {
            phy_lanes_store((double *)(to + j) + l, r + j);
        }
    }
}

#endif
