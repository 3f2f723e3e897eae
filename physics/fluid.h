/* fluid.h: forces of the medium that bodies move through, and how they change with velocity;
 * private to physics/.
 *
 * The medium acts on elements: the box of equal inertia of a body, or each geom with
 * fluidshape="ellipsoid" of a body that has one. An element has a frame, in whose axes its force
 * (torque; force) is a function of its velocity (angular; linear) against the medium.
 */
#ifndef SAL_PHYSICS_FLUID_H
#define SAL_PHYSICS_FLUID_H

#include "physics/physics.h"

typedef struct phy_fluid {
    int body;
    /* the frame in the world */
    const double *pos, *mat;
    /* in its axes, wind taken off */
    double velocity[6];
    /* on it */
    double force[6];
    /* row-major d force / d velocity, if asked for */
    double slope[36];
} phy_fluid;

static inline bool phy_fluid_acts(const sal_model *m)
{
    return m->opt.density != 0 || m->opt.viscosity != 0;
}

/* Elements of body b, in order: true, and the next one in f, or false behind the last. *next starts
 * as 0. (cvel known.) */
bool phy_fluid_next(const sal_model *m, const sal_data *d, int b, int *next, bool slope,
                    phy_fluid *f);

/* qfrc_passive += the forces of the medium */
void phy_fluid_force(const sal_model *m, sal_data *d);

/* the ellipsoid of a geom with semi-axes r: velocity to force and, if slope is not NULL, its
 * derivative; coefficients are geom_fluid's. fluid_ellipsoid.c */
void phy_fluid_ellipsoid(const sal_model *m, const double r[3], const double fluid[12],
                         const double velocity[6], double force[6], double *slope);

#endif
