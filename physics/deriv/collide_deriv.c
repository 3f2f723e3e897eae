/* collide_deriv.c: the maps of a contact: of the nearest points of two shapes where it lies at
 * these, else by differences of the collider. */
#include "physics/deriv/collide_deriv.h"

#include "base/house.h"
#include "physics/deriv/collide_map.h"

/* On a plane the hint is the capsule's axis z, which comes along: theta = n s, s = (w x
 *     z).t2/(t1.z) = w.(z x t2)/(t1.z);
 * upright there is no telling, and none is made. */
static void ride_on_capsule(phy_contact_map *map, const sal_data *d, const sal_contact *c)
{
    double z[3], across[3];
    const double *n = c->frame, *t1 = c->frame + 3, *t2 = c->frame + 6;
    sal_v3_set(map->spin, 0, 0, 0);
    sal_m3_column(z, d->geom_xmat + 9L * c->geom2, 2);
    sal_v3_cross(across, z, t2);
    const double lean = sal_v3_dot(t1, z);
    for (int i = 0; i < 3 && lean > 1e-12; i++) {
        sal_v3_scale(map->turn + 6L * i, across, n[i] / lean);
    }
}

/* A plane meets balls, corners and lowest points, the flat parts of other shapes by their
 * corners. */
static bool plane_and(phy_contact_map *map, const sal_model *m, const sal_data *d,
                      const sal_contact *c)
{
    static const phy_part plane = {.nline = 2};
    phy_part part;
    switch ((sal_geom_type)m->geom_type[c->geom2]) {
    case SAL_GEOM_SPHERE:
    case SAL_GEOM_CAPSULE:
        phy_map_plane_point(map, c->frame, m->geom_size[3L * c->geom2] + 0.5 * c->dist);
        return true;
    case SAL_GEOM_BOX:
    case SAL_GEOM_MESH:
        phy_map_plane_point(map, c->frame, 0.5 * c->dist);
        return true;
    case SAL_GEOM_CYLINDER:
        phy_map_plane_cylinder(d, c, map);
        return true;
    case SAL_GEOM_ELLIPSOID:
        return phy_part_of(&part, m, d, c->geom2, c, c->pos) &&
               phy_map_nearest(map, c, c->dist, &plane, &part);
    case SAL_GEOM_PLANE:
    case SAL_GEOM_HFIELD:
    case SAL_NGEOMTYPES:
        break;
    }
    return false;
}

static bool sphere_and(phy_contact_map *map, const sal_model *m, const sal_data *d,
                       const sal_contact *c)
{
    return phy_map_ball(map, m, d, c, d->geom_xpos + 3L * c->geom1);
}

/* Nearest points, pos - n dist/2 and pos + n dist/2, of which the second is on shape 2 swollen. */
static bool nearest_of(phy_contact_map *map, const sal_model *m, const sal_data *d,
                       const sal_contact *c, double swell)
{
    phy_part part1, part2;
    double point1[3], point2[3];
    sal_v3_addscaled(point1, c->pos, -0.5 * c->dist, c->frame);
    sal_v3_addscaled(point2, c->pos, 0.5 * c->dist + swell, c->frame);
    if (!phy_part_of(&part1, m, d, c->geom1, c, point1) ||
        !phy_part_of(&part2, m, d, c->geom2, c, point2)) {
        return false;
    }
    phy_part_swell(&part2, swell);
    return phy_map_nearest(map, c, c->dist, &part1, &part2);
}

static bool nearest_points(phy_contact_map *map, const sal_model *m, const sal_data *d,
                           const sal_contact *c)
{
    return nearest_of(map, m, d, c, 0);
}

/* See collide_field.c. */
static bool field_and(phy_contact_map *map, const sal_model *m, const sal_data *d,
                      const sal_contact *c)
{
    return nearest_of(map, m, d, c, 0.5 * m->pair_detect[c->pair]);
}

/* Of the first shape; the types after it have sides, too. */
static bool has_sides(int type)
{
    return type >= SAL_GEOM_CYLINDER;
}

static bool by_types(phy_contact_map *map, const sal_model *m, const sal_data *d,
                     const sal_contact *c)
{
    const int type1 = m->geom_type[c->geom1], type2 = m->geom_type[c->geom2];
    if (type1 == SAL_GEOM_PLANE) {
        return plane_and(map, m, d, c);
    }
    if (type1 == SAL_GEOM_HFIELD) {
        return field_and(map, m, d, c);
    }
    if (type1 == SAL_GEOM_SPHERE) {
        return sphere_and(map, m, d, c);
    }
    if (type1 == SAL_GEOM_CAPSULE && type2 == SAL_GEOM_BOX) {
        return phy_map_capsule_box(m, d, c, map);
    }
    const bool boxes = type1 == SAL_GEOM_BOX && type2 == SAL_GEOM_BOX;
    return (boxes ? phy_map_box_box(m, d, c, map)
                  : has_sides(type1) && phy_map_sides(m, d, c, map)) ||
           nearest_points(map, m, d, c);
}

void phy_contact_map_at(const sal_model *m, const sal_data *d, int i, phy_contact_map *map)
{
    const sal_contact *c = d->contact + i;
    if (!by_types(map, m, d, c)) {
        phy_map_hybrid(m, d, c, map);
    }
    phy_map_spin(map, c);
    if (m->geom_type[c->geom1] == SAL_GEOM_PLANE && m->geom_type[c->geom2] == SAL_GEOM_CAPSULE) {
        ride_on_capsule(map, d, c);
    }
}
