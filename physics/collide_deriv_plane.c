/* collide_deriv_plane.c: a plane and the lowest points of another shape.
 *
 * The surface point p, `dist` above the plane, makes the contact P = p - n dist/2; n is fixed. Let p be the material point that moves with
 * u + w x (p - P) and slides along its shape by q:
 *
 *     d dist = n.u + n.q,    dP = u + dist/2 w x n + q - n (d dist)/2
 *
 * (a ball of radius r: about its centre, P = e - n (r + dist/2), with r + dist/2 in the place of dist/2).
 */
#include "physics/collide_map.h"

/* The maps of a point P + l n of shape 2 that does not slide. */
static void point_above(sal_contact_map *map, const double n[3], double l)
{
    *map = (sal_contact_map){0};
    for (int i = 0; i < 3; i++) {
        double e[3] = {0, 0, 0};
        e[i] = 1;
        sal_row_along(map->pos + 6 * i, l, n, e);
        sal_v3_addscaled(map->pos + 6 * i + 3, map->pos + 6 * i + 3, -0.5 * n[i], n);
    }
    sal_v3_copy(map->dist + 3, n);
}

bool sal_map_plane_sphere(const sal_model *m, const sal_data *d, const sal_contact *c,
                          sal_contact_map *map)
{
    (void)d;
    point_above(map, c->frame, m->geom_size[3L * c->geom2] + 0.5 * c->dist);
    return true;
}

bool sal_map_plane_corner(const sal_model *m, const sal_data *d, const sal_contact *c,
                          sal_contact_map *map)
{
    (void)m;
    (void)d;
    point_above(map, c->frame, 0.5 * c->dist);
    return true;
}

/* The hint is the capsule's axis z, so that the tangents spin: theta = n s,  s = (w x z).t2/(t1.z) = w.(z x t2)/(t1.z);
 * upright there is no telling, and none is made. */
bool sal_map_plane_capsule(const sal_model *m, const sal_data *d, const sal_contact *c,
                           sal_contact_map *map)
{
    double z[3], across[3];
    const double *n = c->frame, *t1 = c->frame + 3, *t2 = c->frame + 6;
    sal_map_plane_sphere(m, d, c, map);
    sal_m3_column(z, d->geom_xmat + 9L * c->geom2, 2);
    sal_v3_cross(across, z, t2);
    const double lean = sal_v3_dot(t1, z);
    for (int i = 0; i < 3 && lean > 1e-12; i++) {
        sal_v3_scale(map->turn + 6 * i, across, n[i] / lean);
    }
    return true;
}

/* The support point in direction l of the ellipsoid's axes is S^2 l/|S l|; in its own axes -n turns by w x n, and with it the point by
 *     q = H (w x n),    H = (S^2 - pp')/|S l|,    p = S^2 l/|S l|        q_i = w.(n x H_i) */
bool sal_map_plane_ellipsoid(const sal_model *m, const sal_data *d, const sal_contact *c,
                             sal_contact_map *map)
{
    const double *n = c->frame, *R = d->geom_xmat + 9L * c->geom2,
                 *s = m->geom_size + 3L * c->geom2;
    double l[3], p[3], scaled[9], H[9];
    point_above(map, n, 0.5 * c->dist);
    sal_m3_multv(l, R, n);
    sal_v3_set(p, s[0] * l[0], s[1] * l[1], s[2] * l[2]);
    const double length = sal_v3_norm(p);
    sal_v3_set(l, s[0] * p[0] / length, s[1] * p[1] / length, s[2] * p[2] / length);
    sal_m3_mulv(p, R, l);
    for (int k = 0; k < 9; k++) {
        scaled[k] = R[k] * s[k % 3];
    }
    for (int i = 0; i < 3; i++) {
        double slide[3];
        for (int j = 0; j < 3; j++) { /* R S^2 R' - pp' */
            H[3 * i + j] = (sal_v3_dot(scaled + 3 * i, scaled + 3 * j) - p[i] * p[j]) / length;
        }
        sal_v3_cross(slide, n, H + 3 * i);
        sal_v3_add(map->pos + 6 * i, map->pos + 6 * i, slide);
    }
    return true;
}

/* Points of a rim keep their angle from the lowest one, which stays in the plane of n and the axis a: the rim turns within the cylinder by
 *     kappa = w.(f x n)/|n - a (a.n)|,    f = (a (a.n) - n)/|..| x a,    q = kappa a x rho,    rho = p's radius.
 * An upright cylinder has no lowest point; those it touches with are taken for its own. */
bool sal_map_plane_cylinder(const sal_model *m, const sal_data *d, const sal_contact *c,
                            sal_contact_map *map)
{
    const double *n = c->frame, *R = d->geom_xmat + 9L * c->geom2;
    double a[3], down[3], f[3], kappa[3], rho[3], way[3];
    (void)m;
    point_above(map, n, 0.5 * c->dist);
    sal_m3_column(a, R, 2);
    sal_v3_scale(down, a, sal_v3_dot(a, n));
    sal_v3_sub(down, down, n);
    const double slope = sal_v3_norm(down);
    if (slope < 1e-6) {
        return true;
    }
    sal_v3_cross(f, down, a);
    sal_v3_cross(kappa, f, n);
    sal_v3_scale(kappa, kappa, 1 / (slope * slope));
    sal_v3_addscaled(rho, c->pos, 0.5 * c->dist, n);
    sal_v3_sub(rho, rho, d->geom_xpos + 3L * c->geom2);
    sal_v3_cross(way, a, rho);
    const double rise = sal_v3_dot(n, way);
    sal_v3_addscaled(way, way, -0.5 * rise, n);
    sal_v3_scale(map->dist, kappa, rise);
    for (int i = 0; i < 3; i++) {
        sal_v3_addscaled(map->pos + 6 * i, map->pos + 6 * i, way[i], kappa);
    }
    return true;
}
