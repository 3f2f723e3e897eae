/* convex.h: the closed inverse of the convex contact model, block by block (Todorov, "A convex,
 * smooth and invertible contact model", ICRA 2011, with R diagonal; Todorov, Erez, Tassa, "MuJoCo",
 * IROS 2012). Private to laws/. Nothing allocates or keeps a state.
 *
 *     f(y) = argmin f'R f/2 + f'y  over the cone,      s(y) = -min,      f = -ds/dy
 *
 * y = w - w*: the next velocity of the rows (m/s) above their reference velocity. R > 0 (1/kg).
 */
#ifndef SAL_PHYSICS_LAWS_CONVEX_H
#define SAL_PHYSICS_LAWS_CONVEX_H

#include "physics/laws/impulse.h"

/* f [dim], the block's potential s >= 0 (J) and its zone: SATISFIED (open, f = 0), QUADRATIC
 * (sticks, f = -R^-1 y), CONE (slips, f on the border), LINEARNEG and LINEARPOS (friction loss at
 * +bound and -bound). R [dim], y [dim]. SAL_DIVERGED: a number is not finite; SAL_BADINPUT: the
 * block's shape, or R <= 0. Then f = 0, s = 0. */
sal_status phy_convex_inverse(double *f, double *s, sal_efc_state *zone,
                              const phy_impulse_block *block, const double *R, const double *y);

/* -df/dy = d2s/dy2 [dim x dim], symmetric and positive semidefinite; where zones meet, that of the
 * zone which phy_convex_inverse names. Errors as there; then 0. */
sal_status phy_convex_curvature(double *curvature, const phy_impulse_block *block, const double *R,
                                const double *y);

#endif
