/* diagonal.h: contacts that do not know of each other; private to laws/ (Todorov, Erez, Tassa,
 * "MuJoCo", IROS 2012: the diagonal approximation).
 *
 *     normal     f_0 = max(0, w*_0 - c_0)/(A_00 + R_0)
 *     tangents   f_j = (w*_j - c_j)/(A_jj + R_j), moved along its ray into the cone of friction
 *     equality   f = (w* - c)/(A + R);      friction loss: clamped to its bound
 *
 * One step that is independent of the masses, but no solution of any equation of velocities: there
 * is no inverse; see posthoc.h.
 */
#ifndef SAL_PHYSICS_LAWS_DIAGONAL_H
#define SAL_PHYSICS_LAWS_DIAGONAL_H

#include "physics/laws/impulse.h"

/* f [dim] and zone of one block: diagonal [dim] of A (1/kg), R [dim] >= 0, c [dim] and w* [dim]
 * (m/s). SAL_DIVERGED: a number is not finite; SAL_BADINPUT: the block's shape, or A_jj + R_j <= 0.
 * Then f = 0. */
sal_status phy_diagonal_impulse(double *f, sal_efc_state *zone, const phy_impulse_block *block,
                                const double *diagonal, const double *R, const double *c,
                                const double *wref);

/* w* of a normal: -gap/timestep over a gap; within the other body -gap (1 - exp(-timestep/tc))/
 * timestep, so that the overlap decays with the time constant tc > 0 (s). */
double phy_diagonal_reference(double gap, double timestep, double tc);

#endif
