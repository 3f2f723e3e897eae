/* near.h: which pairs of geoms are near enough to be looked at; private to physics/. */
#ifndef SAL_PHYSICS_COLLISION_NEAR_H
#define SAL_PHYSICS_COLLISION_NEAR_H

#include "physics/collision/apart.h"

/* Bounding spheres, or the height of the bounding sphere above a plane, not farther apart than
 * *detect. (Not numbers: not near.) */
static SAL_INLINE void phy_geoms_are_near(phy_truth *near, const sal_model *m,
                                          const phy_instants *d, int g1, int g2,
                                          const double *detect)
{
    const double r1 = m->geom_rbound[g1], reach = r1 + m->geom_rbound[g2] + *detect;
    phy_real offset[3], distance;
    phy_v3_sub(offset, d->geom_xpos + 3 * g2, d->geom_xpos + 3 * g1);
    if (r1 > 0) {
        phy_v3_dot(&distance, offset, offset);
        *near = distance <= reach * reach;
        return;
    }
    if (m->geom_type[g1] == SAL_GEOM_PLANE) {
        const phy_real *mat = d->geom_xmat + 9 * g1;
        distance = offset[0] * mat[2] + offset[1] * mat[5] + offset[2] * mat[8];
        *near = distance <= reach;
        return;
    }
    *near = ~(phy_truth){0};
}

/* Near, and not parted by a closer look at both shapes. */
static SAL_INLINE void phy_geoms_may_touch(phy_truth *may, const sal_model *m,
                                           const phy_instants *d, int g1, int g2,
                                           const double *detect)
{
    const sal_geom_type type1 = (sal_geom_type)m->geom_type[g1];
    const sal_geom_type type2 = (sal_geom_type)m->geom_type[g2];
    phy_geoms_are_near(may, m, d, g1, g2, detect);
    /* of two spheres it says the same again */
    if (!phy_any(may) || type1 < SAL_GEOM_SPHERE || type2 == SAL_GEOM_SPHERE) {
        return;
    }
    const phy_solid a = {type1, d->geom_xpos + 3 * g1, d->geom_xmat + 9 * g1,
                         m->geom_size + 3 * g1};
    const phy_solid b = {type2, d->geom_xpos + 3 * g2, d->geom_xmat + 9 * g2,
                         m->geom_size + 3 * g2};
    phy_truth apart;
    phy_are_apart(&apart, &a, &b, *detect);
    phy_except(may, &apart);
}

static SAL_INLINE void phy_pair_may_touch(phy_truth *may, const sal_model *m, const phy_instants *d,
                                          int pair)
{
    phy_geoms_may_touch(may, m, d, m->pair_geom1[pair], m->pair_geom2[pair], m->pair_detect + pair);
}

#endif
