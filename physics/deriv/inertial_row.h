/* inertial_row.h: what a row of the inertial part of derivatives is made of, in numbers of the type
 * PHY_CELL: of four dofs, or of a dof or body of one or several instants, for a file that defines
 * it so. Private to physics/.
 *
 *     I   inertia of a composite: Irot (6), h = m c (3), m
 *     D   its Coriolis matrix ( E  0 ; [-p]x  0 ): E (9), p (3)
 *     F   the force it needs
 */
#ifndef SAL_PHYSICS_DERIV_INERTIAL_ROW_H
#define SAL_PHYSICS_DERIV_INERTIAL_ROW_H

#include "physics/lanes.h"

#ifndef PHY_CELL
#define PHY_CELL phy_lanes
#endif

/* E = 2 (tr(Gm) 1 - Gm),  Gm = u mc' + [w] S,  of one body that moves with V = (w, u) */
static SAL_INLINE void phy_coriolis_of(PHY_CELL E[9], const PHY_CELL I[10], const PHY_CELL V[6])
{
    const PHY_CELL none = {0}, half = 0.5 * (I[0] + I[1] + I[2]);
    const PHY_CELL S[9] = {half - I[0], -I[3], -I[4], -I[3],      half - I[1],
                           -I[5],       -I[4], -I[5], half - I[2]};
    PHY_CELL Gm[9];
    for (int j = 0; j < 3; j++) { /* [w] S by columns: w x S_j */
        Gm[j] = V[1] * S[6 + j] - V[2] * S[3 + j] + V[3] * I[6 + j];
        Gm[3 + j] = V[2] * S[j] - V[0] * S[6 + j] + V[4] * I[6 + j];
        Gm[6 + j] = V[0] * S[3 + j] - V[1] * S[j] + V[5] * I[6 + j];
    }
    const PHY_CELL trace = Gm[0] + Gm[4] + Gm[8];
    for (int j = 0; j < 9; j++) {
        E[j] = 2 * ((j % 4 == 0 ? trace : none) - Gm[j]);
    }
}

/* r = I m = ( Irot w + h x u ; m u - h x w ) */
static SAL_INLINE void phy_inertia_times(PHY_CELL r[6], const PHY_CELL I[10], const PHY_CELL m[6])
{
    const PHY_CELL *h = I + 6;
    r[0] = I[0] * m[0] + I[3] * m[1] + I[4] * m[2] + (h[1] * m[5] - h[2] * m[4]);
    r[1] = I[3] * m[0] + I[1] * m[1] + I[5] * m[2] + (h[2] * m[3] - h[0] * m[5]);
    r[2] = I[4] * m[0] + I[5] * m[1] + I[2] * m[2] + (h[0] * m[4] - h[1] * m[3]);
    r[3] = I[9] * m[3] + (h[2] * m[1] - h[1] * m[2]);
    r[4] = I[9] * m[4] + (h[0] * m[2] - h[2] * m[0]);
    r[5] = I[9] * m[5] + (h[1] * m[0] - h[0] * m[1]);
}

/* r += D x = ( E x_w ; x_w x p ) */
static SAL_INLINE void phy_add_coriolis(PHY_CELL r[6], const PHY_CELL E[9], const PHY_CELL p[3],
                                        const PHY_CELL x[6])
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        r[i] += E[3 * i] * x[0] + E[3 * i + 1] * x[1] + E[3 * i + 2] * x[2];
        r[3 + i] += p[k] * x[j] - p[j] * x[k];
    }
}

/* r = D'x = ( E'x_w + p x x_u ; 0 ) */
static SAL_INLINE void phy_coriolis_transposed(PHY_CELL r[6], const PHY_CELL E[9],
                                               const PHY_CELL p[3], const PHY_CELL x[6])
{
    const PHY_CELL none = {0};
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        r[i] =
            E[i] * x[0] + E[3 + i] * x[1] + E[6 + i] * x[2] + (p[j] * x[3 + k] - p[k] * x[3 + j]);
        r[3 + i] = none;
    }
}

/* r += m x* F = ( w x n + u x f ; w x f ) */
static SAL_INLINE void phy_add_cross_force(PHY_CELL r[6], const PHY_CELL m[6], const PHY_CELL F[6])
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        r[i] += (m[j] * F[k] - m[k] * F[j]) + (m[3 + j] * F[3 + k] - m[3 + k] * F[3 + j]);
        r[3 + i] += m[j] * F[3 + k] - m[k] * F[3 + j];
    }
}

#endif
