/* collide_map.h: the pieces of phy_contact_map_at; private to physics/collide_deriv*.c.
 *
 * Rows of six numbers act on the twist (w; u). Along the contact's frame, w x n has the components
 * (w.t2, -w.t1).
 */
#ifndef SAL_PHYSICS_DERIV_COLLIDE_MAP_H
#define SAL_PHYSICS_DERIV_COLLIDE_MAP_H

#include "physics/collision/collide.h"
#include "physics/deriv/collide_deriv.h"

/* A matrix along the contact's tangents (t1, t2). */
typedef struct phy_m2 {
    double xx;
    double xy;
    double yx;
    double yy;
} phy_m2;

/* The part of a shape that touches, along the contact's tangents (t1, t2): straight lines on which
 * the touching point may lie anywhere, and how the point moves on the shape, by H dn, when the
 * direction n of which it is the farthest turns by dn across those lines. */
typedef struct phy_part {
    /* 0, 1, or 2: a plane */
    int nline;
    /* the one line, |line| = 1 */
    double line[2];
    phy_m2 H;
} phy_part;

/* collide_deriv_part.c: of the geom, whose surface point is `point`; false: it cannot be told. */
bool phy_part_of(phy_part *part, const sal_model *m, const sal_data *d, int geom,
                 const sal_contact *c, const double point[3]);

/* Of a shape that is thicker by r all round; both along the contact's tangents. */
void phy_part_swell(phy_part *part, double r);

/* collide_deriv_nearest.c: dist, pos, turn where two parts are nearest to each other, `dist` apart;
 * false: no such thing (flat on flat). */
bool phy_map_nearest(phy_contact_map *map, const sal_contact *c, double dist, const phy_part *part1,
                     const phy_part *part2);

/* collide_deriv_plane.c: a plane and shape 2's point P + l n; the points a cylinder rests on. */
void phy_map_plane_point(phy_contact_map *map, const double n[3], double l);
void phy_map_plane_cylinder(const sal_data *d, const sal_contact *c, phy_contact_map *map);

/* collide_deriv_box.c: two boxes that touch with a face of one; false: they do not, or the contact
 * lies on borders. */
bool phy_map_box_box(const sal_model *m, const sal_data *d, const sal_contact *c,
                     phy_contact_map *map);

/* collide_deriv_sides.c: two shapes of which the contact is one that their flat sides make; false:
 * it is another. */
bool phy_map_sides(const sal_model *m, const sal_data *d, const sal_contact *c,
                   phy_contact_map *map);

/* collide_deriv_ball.c: a ball about `centre`, as large as geom1's, and geom2. */
bool phy_map_ball(phy_contact_map *map, const sal_model *m, const sal_data *d, const sal_contact *c,
                  const double centre[3]);

/* collide_deriv_capsule_box.c */
bool phy_map_capsule_box(const sal_model *m, const sal_data *d, const sal_contact *c,
                         phy_contact_map *map);

/* collide_deriv_hybrid.c: dist, pos, turn of any pair, by differences of its collider. */
void phy_map_hybrid(const sal_model *m, const sal_data *d, const sal_contact *c,
                    phy_contact_map *map);

/* collide_deriv_turn.c: the axis about which the frame turns as n does, dn = t1 dn1 + t2 dn2, where
 * a hint t is fixed in the world:
 *     theta = n x dn + n s = t2 dn1 + axis dn2,    s = -(n.t)/(t1.t) dn2,
 *     axis = -t1 - n (n.t)/(t1.t) */
void phy_turn_axis(double axis[3], const sal_contact *c);
/* spin = (n.t)/(t1.t) t1 - n: a hint of the world stays behind in a common rotation.
 * collide_deriv_turn.c */
void phy_map_spin(phy_contact_map *map, const sal_contact *c);

static inline void phy_row_addscaled(double row[6], double s, const double other[6])
{
    for (int k = 0; k < 6; k++) {
        row[k] += s * other[k];
    }
}

#endif
