/* collide_deriv_plane.c: a plane and the lowest points of another shape.
 *
 * n is fixed. The surface point p, `dist` above the plane, makes the contact P = p - n dist/2. If p
 * moves by dp,
 *
 *     d dist = n.dp,    dP = dp - n (d dist)/2
 */
#include "base/house.h"
#include "physics/deriv/collide_map.h"

/* An upright cylinder has no lowest point; those it touches with are taken for its own. */
static const double upright = 1e-6;

/* dp = u + l w x n:  (w x n)_i = w.(n x e_i) */
void phy_map_plane_point(phy_contact_map *map, const double n[3], double l)
{
    *map = (phy_contact_map){.dist = {0, 0, 0, n[0], n[1], n[2]}};
    sal_v3_set(map->pos, 0, l * n[2], -l * n[1]);
    sal_v3_set(map->pos + 6, -l * n[2], 0, l * n[0]);
    sal_v3_set(map->pos + 12, l * n[1], -l * n[0], 0);
    for (int i = 0; i < 3; i++) {
        sal_v3_scale(map->pos + 6 * i + 3, n, -0.5 * n[i]);
        map->pos[7 * i + 3] += 1;
    }
}

/* Points of a rim keep their angle from the lowest one, which stays in the plane of n and the axis
 * a: they go round the axis with kappa,
 *
 *     f = (a (a.n) - n) x a,  kappa = w.(f x n)/|n - a (a.n)|^2,  way = a x (p - c2),
 *     dp = u + dist/2 w x n + kappa way */
void phy_map_plane_cylinder(const sal_data *d, const sal_contact *c, phy_contact_map *map)
{
    const double *n = c->frame, l = 0.5 * c->dist;
    double a[3], down[3], f[3], kappa[3], point[3], way[3];
    phy_map_plane_point(map, n, l);
    sal_m3_column(a, d->geom_xmat + 9L * c->geom2, 2);
    sal_v3_scale(down, a, sal_v3_dot(a, n));
    sal_v3_sub(down, down, n);
    const double square = sal_v3_dot(down, down);
    if (square < upright * upright) {
        return;
    }
    sal_v3_cross(f, down, a);
    sal_v3_cross(kappa, f, n);
    sal_v3_scale(kappa, kappa, 1 / square);
    sal_v3_addscaled(point, c->pos, l, n);
    sal_v3_sub(point, point, d->geom_xpos + 3L * c->geom2);
    sal_v3_cross(way, a, point);
    const double rise = sal_v3_dot(n, way);
    sal_v3_scale(map->dist, kappa, rise);
    for (int i = 0; i < 3; i++) {
        double *row = map->pos + 6L * i;
        sal_v3_addscaled(row, row, way[i] - 0.5 * rise * n[i], kappa);
    }
}
