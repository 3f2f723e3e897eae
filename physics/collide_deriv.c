/* collide_deriv.c: the maps of a contact, by the function of its two types, or by differences of their collider. */
#include "physics/collide_deriv.h"

#include "physics/collide_map.h"

static sal_map_maker *const makers[SAL_NGEOMTYPES][SAL_NGEOMTYPES] = {
    [SAL_GEOM_PLANE] = {[SAL_GEOM_SPHERE] = sal_map_plane_sphere,
                        [SAL_GEOM_CAPSULE] = sal_map_plane_capsule,
                        [SAL_GEOM_ELLIPSOID] = sal_map_plane_ellipsoid,
                        [SAL_GEOM_CYLINDER] = sal_map_plane_cylinder,
                        [SAL_GEOM_BOX] = sal_map_plane_corner,
                        [SAL_GEOM_MESH] = sal_map_plane_corner},
    [SAL_GEOM_SPHERE] = {[SAL_GEOM_SPHERE] = sal_map_sphere_sphere,
                        [SAL_GEOM_CAPSULE] = sal_map_sphere_capsule,
                        [SAL_GEOM_CYLINDER] = sal_map_sphere_cylinder,
                        [SAL_GEOM_BOX] = sal_map_sphere_box},
    [SAL_GEOM_CAPSULE] = {[SAL_GEOM_CAPSULE] = sal_map_capsule_capsule         },
};

/* With the hint an axis e_k of the world, t1 = (e_k - n_k n)/|..|. */
double sal_hint_slant(const sal_contact *c)
{
    const int k = sal_hint_axis(c->frame);
    return c->frame[k] / c->frame[3 + k];
}

/* n x t1 = t2, n x t2 = -t1 */
void sal_map_turn(sal_contact_map *map, const sal_contact *c, const double dn1[6],
                  const double dn2[6])
{
    const double *n = c->frame, *t1 = c->frame + 3, *t2 = c->frame + 6;
    const double slant = sal_hint_slant(c);
    for (int i = 0; i < 3; i++) {
        const double along2 = -t1[i] - slant * n[i];
        for (int k = 0; k < 6; k++) {
            map->turn[6 * i + k] = t2[i] * dn1[k] + along2 * dn2[k];
        }
    }
}

/* A hint of the world stays behind in a common rotation: spin = (n.t)/(t1.t) t1 - n. The capsule's axis on a plane comes along. */
static void find_spin(sal_contact_map *map, const sal_contact *c, bool hint_rides)
{
    if (hint_rides) {
        sal_v3_set(map->spin, 0, 0, 0);
        return;
    }
    sal_v3_scale(map->spin, c->frame + 3, sal_hint_slant(c));
    sal_v3_sub(map->spin, map->spin, c->frame);
}

void sal_contact_map_at(const sal_model *m, const sal_data *d, int i, sal_contact_map *map)
{
    const sal_contact *c = d->contact + i;
    sal_map_maker *make = makers[m->geom_type[c->geom1]][m->geom_type[c->geom2]];
    if (make == NULL || !make(m, d, c, map)) {
        sal_map_hybrid(m, d, c, map);
    }
    find_spin(map, c, make == sal_map_plane_capsule);
}
