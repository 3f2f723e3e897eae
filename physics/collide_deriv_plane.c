/* collide_deriv_plane.c: a plane and a cylinder: the lowest points of both rims, and two more points of the lower rim.
 *
 * The rim's point p, `dist` above the plane, makes the contact P = p - n dist/2, n is fixed. Points of a rim keep their angle from the lowest one,
 * which stays in the plane of n and the axis a. So p moves with the cylinder and goes round its axis with kappa,
 *
 *     f = (a (a.n) - n) x a,  kappa = w.(f x n)/|n - a (a.n)|^2,  way = a x (p - c2),    dp = u + w x n dist/2 + kappa way
 *
 *     d dist = n.dp,    dP = dp - n (d dist)/2
 */
#include "physics/collide_map.h"

static const double upright =
    1e-6; /* then there is no lowest point, and those it touches with are taken for its own */

void sal_map_plane_cylinder(const sal_data *d, const sal_contact *c, sal_contact_map *map)
{
    const double *n = c->frame, l = 0.5 * c->dist;
    double a[3], down[3], f[3], kappa[3], point[3], way[3];
    sal_m3_column(a, d->geom_xmat + 9L * c->geom2, 2);
    sal_v3_scale(down, a, sal_v3_dot(a, n));
    sal_v3_sub(down, down, n);
    const double square = sal_v3_dot(down, down);
    sal_v3_cross(f, down, a);
    sal_v3_cross(kappa, f, n);
    sal_v3_scale(kappa, kappa, square < upright * upright ? 0 : 1 / square);
    sal_v3_addscaled(point, c->pos, l, n);
    sal_v3_sub(point, point, d->geom_xpos + 3L * c->geom2);
    sal_v3_cross(way, a, point);
    const double rise = sal_v3_dot(n, way);
    *map = (sal_contact_map){0};
    sal_v3_scale(map->dist, kappa, rise);
    sal_v3_copy(map->dist + 3, n);
    for (int i = 0; i < 3; i++) { /* (w x n)_i = w.(n x e_i) */
        double *row = map->pos + 6L * i, e[3] = {0, 0, 0};
        e[i] = 1;
        sal_v3_cross(row, n, e);
        sal_v3_scale(row, row, l);
        sal_v3_addscaled(row, row, way[i] - 0.5 * rise * n[i], kappa);
        sal_v3_addscaled(row + 3, e, -0.5 * n[i], n);
    }
}
