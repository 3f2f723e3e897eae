/* collide_map.h: the pieces of sal_contact_map_at; private to physics/collide_deriv*.c.
 *
 * Rows of six numbers act on the twist (w; u). The velocity of shape 2's point X is u + w x (X - P); with X = P + l n
 *
 *     n.(u + l w x n) = (0; n) xi,        e.(u + l w x n) = (l n x e; e) xi.
 */
#ifndef SAL_COLLIDE_MAP_H
#define SAL_COLLIDE_MAP_H

#include "physics/collide.h"
#include "physics/collide_deriv.h"

/* Fills dist, pos, turn of a contact; false: it cannot. */
typedef bool sal_map_maker(const sal_model *m, const sal_data *d, const sal_contact *c,
                           sal_contact_map *map);

/* collide_deriv_plane.c */
sal_map_maker sal_map_plane_sphere, sal_map_plane_capsule, sal_map_plane_ellipsoid,
    sal_map_plane_cylinder, sal_map_plane_corner;
/* collide_deriv_round.c */
sal_map_maker sal_map_sphere_sphere, sal_map_sphere_capsule, sal_map_sphere_cylinder,
    sal_map_sphere_box, sal_map_capsule_capsule;
/* collide_deriv_hybrid.c: any pair, by differences of its collider */
void sal_map_hybrid(const sal_model *m, const sal_data *d, const sal_contact *c,
                    sal_contact_map *map);

/* turn, from the rows by which n changes along the two tangents, dn = t1 dn1 + t2 dn2, and a hint fixed in the world:
 *     theta = n x dn + n s,    s = -(n.t)/(t1.t) dn2,    t the hint */
void sal_map_turn(sal_contact_map *map, const sal_contact *c, const double dn1[6],
                  const double dn2[6]);

/* (n.t)/(t1.t) */
double sal_hint_slant(const sal_contact *c);

/* row = (l n x e; e): how fast shape 2's point P + l n moves along e. */
static inline void sal_row_along(double row[6], double l, const double n[3], const double e[3])
{
    row[0] = l * (n[1] * e[2] - n[2] * e[1]);
    row[1] = l * (n[2] * e[0] - n[0] * e[2]);
    row[2] = l * (n[0] * e[1] - n[1] * e[0]);
    row[3] = e[0], row[4] = e[1], row[5] = e[2];
}

static inline void sal_row_addscaled(double row[6], double s, const double other[6])
{
    for (int k = 0; k < 6; k++) {
        row[k] += s * other[k];
    }
}

#endif
