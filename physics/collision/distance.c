/* distance.c: the signed distance of two geoms, and the segment that measures it.
 *
 *     dist = max over |n| = 1 of min over a in A, b in B of n.(b - a)
 *     apart: the least |b - a|;  overlapping: minus the least motion
 *                                                                          of B that parts them
 * A plane is the half space below it. Where one formula gives the distance (spheres, capsules, a
 * sphere at a cylinder or box) it is used, else the nearest points are sought.
 */
#include "base/house.h"
#include "physics/collision/collide.h"
#include "physics/collision/support.h"

#include <string.h>

/* Both on the segment's ends: pos -+ dist/2 n. */
static double nearest_touch(const phy_touch *touch, int count, double distmax, double fromto[6])
{
    double dist = distmax;
    for (int i = 0; i < count; i++) {
        if (touch[i].dist < dist) {
            dist = touch[i].dist;
            sal_v3_addscaled(fromto, touch[i].pos, -0.5 * dist, touch[i].normal);
            sal_v3_addscaled(fromto + 3, touch[i].pos, 0.5 * dist, touch[i].normal);
        }
    }
    return dist;
}

/* The colliders whose contacts are at the signed distance; NULL: none. (A capsule's contacts with a
 * box are not, once its axis enters.) */
static phy_collider *exact_collider(int type1, int type2)
{
    if (type1 == SAL_GEOM_SPHERE) {
        return type2 == SAL_GEOM_SPHERE     ? phy_sphere_sphere
               : type2 == SAL_GEOM_CAPSULE  ? phy_sphere_capsule
               : type2 == SAL_GEOM_CYLINDER ? phy_sphere_cylinder
               : type2 == SAL_GEOM_BOX      ? phy_sphere_box
                                            : NULL;
    }
    return type1 == SAL_GEOM_CAPSULE && type2 == SAL_GEOM_CAPSULE ? phy_capsule_capsule : NULL;
}

static void shape_of(phy_shape *s, const sal_model *m, const sal_data *d, int g,
                     const double origin[3])
{
    phy_shape_set(s, (sal_geom_type)m->geom_type[g], d->geom_xpos + 3 * g, d->geom_xmat + 9 * g,
                  m->geom_size + 3 * g, origin);
    s->hull = phy_hull_of(m, g);
}

/* The point of the other shape farthest down:  b = s(-n) - radius n,  dist = n.(b - c). */
static double from_plane(const sal_model *m, const sal_data *d, int plane, int g, double distmax,
                         double fromto[6])
{
    phy_shape B;
    double n[3], back[3];
    const double *centre = d->geom_xpos + 3 * plane;
    sal_m3_column(n, d->geom_xmat + 9 * plane, 2);
    sal_v3_scale(back, n, -1);
    shape_of(&B, m, d, g, centre);
    phy_shape_support(&B, back, fromto + 3);
    sal_v3_addscaled(fromto + 3, fromto + 3, -B.radius, n);
    const double dist = sal_v3_dot(n, fromto + 3);
    sal_v3_add(fromto + 3, fromto + 3, centre);
    sal_v3_addscaled(fromto, fromto + 3, -dist, n);
    return dist < distmax ? dist : distmax;
}

static double between(const sal_model *m, const sal_data *d, int g1, int g2, double distmax,
                      double fromto[6])
{
    const int type1 = m->geom_type[g1], type2 = m->geom_type[g2];
    const double *origin = d->geom_xpos + 3 * g1;
    phy_collider *collide = exact_collider(type1, type2);
    if (type1 <= SAL_GEOM_HFIELD) {
        const bool measurable = type1 == SAL_GEOM_PLANE && type2 > SAL_GEOM_HFIELD;
        return measurable ? from_plane(m, d, g1, g2, distmax, fromto) : distmax;
    }
    if (collide != NULL) {
        phy_touch touch[PHY_TOUCH_MAX];
        const phy_meeting meeting = {origin,
                                     d->geom_xmat + 9 * g1,
                                     m->geom_size + 3 * g1,
                                     d->geom_xpos + 3 * g2,
                                     d->geom_xmat + 9 * g2,
                                     m->geom_size + 3 * g2,
                                     distmax,
                                     m->mujoco,
                                     false,
                                     (sal_geom_type)type1,
                                     (sal_geom_type)type2,
                                     {0},
                                     {0},
                                     {0}};
        return nearest_touch(touch, collide(&meeting, touch), distmax, fromto);
    }
    phy_shape A, B;
    phy_nearest r;
    shape_of(&A, m, d, g1, origin);
    shape_of(&B, m, d, g2, origin);
    if (!phy_nearest_points(&A, &B, distmax, &r)) {
        return distmax;
    }
    sal_v3_add(fromto, r.a, origin);
    sal_v3_add(fromto + 3, r.b, origin);
    return r.dist;
}

double sal_geom_distance(const sal_model *m, const sal_data *d, int geom1, int geom2,
                         double distmax, double fromto[6])
{
    double segment[6] = {0};
    const bool swap = m->geom_type[geom1] > m->geom_type[geom2];
    const double dist = between(m, d, swap ? geom2 : geom1, swap ? geom1 : geom2, distmax, segment);
    if (fromto != NULL) {
        memset(fromto, 0, 6 * sizeof *fromto);
    }
    if (fromto != NULL && dist < distmax) {
        sal_v3_copy(fromto, segment + (swap ? 3 : 0));
        sal_v3_copy(fromto + 3, segment + (swap ? 0 : 3));
    }
    return dist;
}
