/* turn.h: numbers of lanes as those of each instant; private to physics/. */
#ifndef SAL_PHYSICS_ABREAST_TURN_H
#define SAL_PHYSICS_ABREAST_TURN_H

#include "physics/lanes.h"
#include "physics/width.h"

/* Four numbers of each instant, plus zero, to[l] its array, from `at` on. Minus zero changes
 * nothing. */
static SAL_INLINE void phy_unpack_four(double *const to[PHY_WIDTH], size_t at, const phy_real *from,
                                       double zero)
{
    for (int l = 0; l < PHY_WIDTH; l += PHY_LANES) {
        const double *column[PHY_LANES];
        phy_lanes r[PHY_LANES];
        for (int k = 0; k < PHY_LANES; k++) {
            column[k] = (const double *)(from + k) + l;
        }
        phy_lanes_gather4(r, column);
        for (int k = 0; k < PHY_LANES; k++) {
            r[k] += zero;
            phy_lanes_store(to[l + k] + at, r + k);
        }
    }
}

/* n numbers out of the lanes, four of four instants at a time */
static SAL_INLINE void phy_unpack(double *const to[PHY_WIDTH], const phy_real *from, int n)
{
    int i = 0;
    for (; i + PHY_LANES <= n; i += PHY_LANES) {
        phy_unpack_four(to, (size_t)i, from + i, -0.0);
    }
    for (; i < n; i++) {
        for (int l = 0; l < PHY_WIDTH; l++) {
            to[l][i] = from[i][l];
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
