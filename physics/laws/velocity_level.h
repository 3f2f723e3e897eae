/* velocity_level.h: a block of rows in the numbers of velocities; private to laws/. */
#ifndef SAL_PHYSICS_LAWS_VELOCITY_LEVEL_H
#define SAL_PHYSICS_LAWS_VELOCITY_LEVEL_H

#include "physics/contact_law.h"
#include "physics/laws/impulse.h"

typedef struct phy_velocities {
    phy_impulse_block block;
    double w[PHY_IMPULSE_DIM], y[PHY_IMPULSE_DIM]; /* m/s: next velocity; less the reference */
    double A[PHY_IMPULSE_DIM], R[PHY_IMPULSE_DIM]; /* 1/kg */
    double reference, reference_slope, dR;         /* w*_n, dw*_n/dgap, (dR/dgap)/A */
    double kappa;                                  /* J */
} phy_velocities;

void phy_velocities_of(phy_velocities *b, const phy_law_block *block, const phy_law_rows *rows);

#endif
