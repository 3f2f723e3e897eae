/* slope.h: how forces change with velocity, for steps that are implicit in it; private to physics/.
 *
 *     D = d(passive + actuator - c)/dv,      nonzero (or taken to be) only where M is: a dof and
 *                                            those above it in its tree
 */
#ifndef SAL_PHYSICS_SLOPE_H
#define SAL_PHYSICS_SLOPE_H

#include "physics/physics.h"

/* A matrix with the pattern of M that need not be symmetric: below the diagonal (and on it) in the
 * layout of qM; above, mirrored into the same layout (its diagonal is not used). */
typedef struct phy_slope {
    /* [nM] */
    double *lower, *upper;
} phy_slope;

typedef enum phy_slope_kind {
    PHY_SLOPE_FULL,     /* all of D */
    PHY_SLOPE_SYMMETRIC /* without c, symmetrised; whole for bodies that float alone */
} phy_slope_kind;

/* D at the state whose velocities and actuator forces are known (sal_velocity, sal_actuation
 * done). */
void phy_velocity_slope(const sal_model *m, sal_data *d, phy_slope D, phy_slope_kind kind);

/* D -= dc/dv, in all trees, or (only_free) in those that are one free body. slope_bias.c */
void phy_slope_add_bias(const sal_model *m, sal_data *d, phy_slope D, bool only_free);

/* D += d(forces of the medium)/dv; symmetric: each element's own part is symmetrised, but for
 * bodies that float alone. slope_fluid.c */
void phy_slope_add_fluid(const sal_model *m, sal_data *d, phy_slope D, bool symmetric);

/* True if the body's tree has a free joint and no other and, before 3.14, all its mass in the body
 * of that joint: MuJoCo's standalone bodies. slope_alone.c */
bool phy_body_floats_alone(const sal_model *m, int body);

/* x := A^-1 x for A with the pattern of M; A is overwritten. */
void phy_slope_solve(const sal_model *m, phy_slope A, double *x);
/* r = A x; r is not x */
void phy_slope_mul(const sal_model *m, phy_slope A, double *r, const double *x);

#endif
