/* mirror_check.h: what both proofs that a model is its own mirror image share; private to
 * invdyn/. */
#ifndef SAL_INVDYN_MIRROR_CHECK_H
#define SAL_INVDYN_MIRROR_CHECK_H

#include "physics/physics.h"

#include <math.h>

static inline bool inv_mirror_near(double a, double b, double scale)
{
    return fabs(a - b) <= 1e-7 * scale + 1e-9;
}

/* The stages up to velocities at (qpos, qvel), without contacts. */
static inline void inv_mirror_velocity(const sal_model *m, sal_data *d)
{
    sal_kinematics(m, d);
    sal_com(m, d);
    sal_tendon(m, d);
    sal_crb(m, d);
    d->ncon = d->nefc = 0;
    sal_velocity(m, d);
}

#endif
