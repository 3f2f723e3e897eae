/* collide_deriv.c: the maps of a contact: of the nearest points of two shapes where it lies at these, else by differences of the collider. */
#include "physics/collide_deriv.h"

#include "physics/collide_map.h"

/* (n.t)/(t1.t); the hint t is an axis e_k of the world, t1 = (e_k - n_k n)/|..|, which is across t only where the hint was another one. */
static double hint_slant(const sal_contact *c)
{
    const int k = sal_hint_axis(c->frame);
    return c->frame[3 + k] != 0 ? c->frame[k] / c->frame[3 + k] : 0;
}

/* n x t2 = -t1 */
void sal_turn_axis(double axis[3], const sal_contact *c)
{
    const double slant = hint_slant(c);
    for (int i = 0; i < 3; i++) {
        axis[i] = -c->frame[3 + i] - slant * c->frame[i];
    }
}

/* A hint of the world stays behind in a common rotation: spin = (n.t)/(t1.t) t1 - n. */
static void find_spin(sal_contact_map *map, const sal_contact *c)
{
    sal_v3_scale(map->spin, c->frame + 3, hint_slant(c));
    sal_v3_sub(map->spin, map->spin, c->frame);
}

/* On a plane the hint is the capsule's axis z, which comes along: theta = n s,  s = (w x z).t2/(t1.z) = w.(z x t2)/(t1.z);
 * upright there is no telling, and none is made. */
static void ride_on_capsule(sal_contact_map *map, const sal_data *d, const sal_contact *c)
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

/* A plane meets balls, corners and lowest points, the flat parts of other shapes by their corners. */
static bool plane_and(sal_contact_map *map, const sal_model *m, const sal_data *d,
                      const sal_contact *c)
{
    static const sal_part plane = {.nline = 2};
    sal_part part;
    switch ((sal_geom_type)m->geom_type[c->geom2]) {
    case SAL_GEOM_SPHERE:
    case SAL_GEOM_CAPSULE:
        sal_map_plane_point(map, c->frame, m->geom_size[3L * c->geom2] + 0.5 * c->dist);
        return true;
    case SAL_GEOM_BOX:
    case SAL_GEOM_MESH:
        sal_map_plane_point(map, c->frame, 0.5 * c->dist);
        return true;
    case SAL_GEOM_CYLINDER:
        sal_map_plane_cylinder(d, c, map);
        return true;
    case SAL_GEOM_ELLIPSOID:
        return sal_part_of(&part, m, d, c->geom2, c, c->pos) &&
               sal_map_nearest(map, c, c->dist, &plane, &part);
    case SAL_GEOM_PLANE:
    case SAL_GEOM_HFIELD:
    case SAL_NGEOMTYPES:
        break;
    }
    return false;
}

/* dist = 2 (n.(P - centre) - r), also in a box, where 2.2.2 reports another one, that does not change. */
bool sal_map_ball(sal_contact_map *map, const sal_model *m, const sal_data *d, const sal_contact *c,
                  const double centre[3])
{
    const double r = m->geom_size[3L * c->geom1];
    const sal_part ball = {
        .H = {r, 0, 0, r}
    };
    sal_part part;
    double point[3];
    sal_v3_sub(point, c->pos, centre);
    const double dist = 2 * (sal_v3_dot(point, c->frame) - r);
    sal_v3_addscaled(point, c->pos, 0.5 * dist, c->frame);
    if (!sal_part_of(&part, m, d, c->geom2, c, point) ||
        !sal_map_nearest(map, c, dist, &ball, &part)) {
        return false;
    }
    if (m->compat222 && m->geom_type[c->geom2] == SAL_GEOM_BOX && dist < -r && c->dist == -r) {
        sal_v3_set(map->dist + 3, 0, 0, 0);
    }
    return true;
}

static bool sphere_and(sal_contact_map *map, const sal_model *m, const sal_data *d,
                       const sal_contact *c)
{
    return sal_map_ball(map, m, d, c, d->geom_xpos + 3L * c->geom1);
}

/* Nearest points, pos - n dist/2 and pos + n dist/2. */
static bool nearest_points(sal_contact_map *map, const sal_model *m, const sal_data *d,
                           const sal_contact *c)
{
    sal_part part1, part2;
    double point1[3], point2[3];
    sal_v3_addscaled(point1, c->pos, -0.5 * c->dist, c->frame);
    sal_v3_addscaled(point2, c->pos, 0.5 * c->dist, c->frame);
    return sal_part_of(&part1, m, d, c->geom1, c, point1) &&
           sal_part_of(&part2, m, d, c->geom2, c, point2) &&
           sal_map_nearest(map, c, c->dist, &part1, &part2);
}

static bool by_types(sal_contact_map *map, const sal_model *m, const sal_data *d,
                     const sal_contact *c)
{
    const int type1 = m->geom_type[c->geom1], type2 = m->geom_type[c->geom2];
    if (type1 == SAL_GEOM_PLANE) {
        return plane_and(map, m, d, c);
    }
    if (type1 == SAL_GEOM_SPHERE) {
        return sphere_and(map, m, d, c);
    }
    if (type1 == SAL_GEOM_CAPSULE && type2 == SAL_GEOM_BOX) {
        return sal_map_capsule_box(m, d, c, map);
    }
    const bool boxes = type1 == SAL_GEOM_BOX && type2 == SAL_GEOM_BOX;
    return (boxes && sal_map_box_box(m, d, c, map)) || nearest_points(map, m, d, c);
}

void sal_contact_map_at(const sal_model *m, const sal_data *d, int i, sal_contact_map *map)
{
    const sal_contact *c = d->contact + i;
    if (!by_types(map, m, d, c)) {
        sal_map_hybrid(m, d, c, map);
    }
    find_spin(map, c);
    if (m->geom_type[c->geom1] == SAL_GEOM_PLANE && m->geom_type[c->geom2] == SAL_GEOM_CAPSULE) {
        ride_on_capsule(map, d, c);
    }
}
