/* damping.h: how a damper's force grows with its speed; private to physics/. */
#ifndef SAL_PHYSICS_IMPLICIT_DAMPING_H
#define SAL_PHYSICS_IMPLICIT_DAMPING_H

#include "physics/width.h"

/* r = d(v b(|v|))/dv = b_0 + 2 b_1 |v| + 3 b_2 v^2,  b_1 and b_2 in b */
static SAL_INLINE void phy_damper_slope(phy_real *r, double b0, const double b[2],
                                        const phy_real *v)
{
    phy_real speed;
    phy_abs(&speed, v);
    *r = b0 + speed * (2 * b[0] + speed * 3 * b[1]);
}

#endif
