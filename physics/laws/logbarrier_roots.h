/* logbarrier_roots.h: the roots of four cones side by side; private to laws/. */
#ifndef SAL_PHYSICS_LAWS_LOGBARRIER_ROOTS_H
#define SAL_PHYSICS_LAWS_LOGBARRIER_ROOTS_H

#include "physics/lanes.h"

/* Cones whose tangents have two values of r = mu_j^2 R_j at most, in the letters of logbarrier.c: y
 * and R are those of the normal, p the sums of (mu_j y_j)^2 over the tangents with each r. */
typedef struct phy_barrier_roots {
    double R[PHY_LANES], y[PHY_LANES], kappa[PHY_LANES], p[2][PHY_LANES], r[2][PHY_LANES];
    /* found: z (NaN: it was not), f_n, 1/(r + z), and the steps that it took */
    double z[PHY_LANES], normal[PHY_LANES], across[2][PHY_LANES], steps[PHY_LANES];
} phy_barrier_roots;

/* Of the first two, of all four. Of each lane the same bits, whatever stands in the others. (Where
 * the processor has halves of registers only, two take less time than four.) */
void phy_barrier_find_pair(phy_barrier_roots *roots);
void phy_barrier_find_four(phy_barrier_roots *roots);

#endif
