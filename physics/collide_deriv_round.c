/* collide_deriv_round.c: pairs whose contact is one of two balls, about a point q1 of shape 1 and the point q2 of shape 2 nearest to it.
 *
 * With D = |q2 - q1| (negative: a centre behind a face), l1 = r1 + dist/2, l2 = r2 + dist/2, D = l1 + l2:  q1 = P - l1 n, q2 = P + l2 n.
 *
 *     dq2 = u + l2 w x n + slides,  dq1 = slides,  d dist = n.u,  D dn = (dq2 - dq1) across n,  dP = dq1 + l1 dn + n (d dist)/2
 *
 * Slides lie across n. Shape 2's point slides after q1: seen from shape 2, q1 moves with -(u - l1 w x n), and q2 along a line e of its
 * surface with g times that, g = 1 if the line is straight.
 */
#include "physics/collide_map.h"

static const double coincide =
    1e-12; /* centres nearer than this: the normal is chance, and is kept */

/* A velocity along `dir`: rate xi. */
typedef struct slide {
    double dir[3], rate[6];
} slide;

/* q2 along e, with g times q1's motion. */
static void follow(slide *s, const double e[3], double g, double l1, const double n[3])
{
    sal_v3_copy(s->dir, e);
    sal_row_along(s->rate, -l1, n, e);
    for (int k = 0; k < 6; k++) {
        s->rate[k] *= -g;
    }
}

/* dP and d dist, from dn along the tangents; on1: q1's slide, or NULL */
static void finish(sal_contact_map *map, const sal_contact *c, double l1, const double dn[2][6],
                   const slide *on1)
{
    const double *n = c->frame, *t1 = c->frame + 3, *t2 = c->frame + 6;
    sal_v3_set(map->dist, 0, 0, 0);
    sal_v3_copy(map->dist + 3, n);
    for (int i = 0; i < 3; i++) {
        double *row = map->pos + 6 * i;
        for (int k = 0; k < 6; k++) {
            row[k] = l1 * (t1[i] * dn[0][k] + t2[i] * dn[1][k]) + 0.5 * n[i] * map->dist[k];
        }
        if (on1 != NULL) {
            sal_row_addscaled(row, on1->dir[i], on1->rate);
        }
    }
    sal_map_turn(map, c, dn[0], dn[1]);
}

/* q2 slides along at most one line, q1 too. */
static void two_balls(sal_contact_map *map, const sal_contact *c, double l1, double l2,
                      const slide *on1, const slide *on2)
{
    double dn[2][6] = {{0}};
    const double D = l1 + l2;
    for (int j = 0; j < 2 && fabs(D) >= coincide; j++) {
        const double *t = c->frame + 3 + 3 * j;
        sal_row_along(dn[j], l2, c->frame, t);
        if (on1 != NULL) {
            sal_row_addscaled(dn[j], -sal_v3_dot(t, on1->dir), on1->rate);
        }
        if (on2 != NULL) {
            sal_row_addscaled(dn[j], sal_v3_dot(t, on2->dir), on2->rate);
        }
        for (int k = 0; k < 6; k++) {
            dn[j][k] /= D;
        }
    }
    finish(map, c, l1, (const double(*)[6])dn, on1);
}

/* q2 on a flat face of shape 2: n rides on it, dn = w x n. */
static void ball_and_face(sal_contact_map *map, const sal_contact *c, double l1)
{
    double dn[2][6] = {{0}};
    sal_v3_copy(dn[0], c->frame + 6); /* t1.(w x n) = w.t2 */
    sal_v3_scale(dn[1], c->frame + 3, -1);
    finish(map, c, l1, (const double(*)[6])dn, NULL);
}

bool sal_map_sphere_sphere(const sal_model *m, const sal_data *d, const sal_contact *c,
                           sal_contact_map *map)
{
    (void)d;
    two_balls(map, c, m->geom_size[3L * c->geom1] + 0.5 * c->dist,
              m->geom_size[3L * c->geom2] + 0.5 * c->dist, NULL, NULL);
    return true;
}

bool sal_map_sphere_capsule(const sal_model *m, const sal_data *d, const sal_contact *c,
                            sal_contact_map *map)
{
    double z[3], offset[3];
    slide s;
    const double *size = m->geom_size + 3L * c->geom2;
    const double l1 = m->geom_size[3L * c->geom1] + 0.5 * c->dist, l2 = size[0] + 0.5 * c->dist;
    sal_m3_column(z, d->geom_xmat + 9L * c->geom2, 2);
    sal_v3_sub(offset, d->geom_xpos + 3L * c->geom1, d->geom_xpos + 3L * c->geom2);
    const bool within = fabs(sal_v3_dot(z, offset)) < size[1];
    follow(&s, z, 1, l1, c->frame);
    two_balls(map, c, l1, l2, NULL, within ? &s : NULL);
    return true;
}

/* As the collider tells apart: beside the wall, the axis; above a cap or nearer to it, its face; else the rim, of radius r, whose nearest point
 * goes round with r/rho, rho the sphere's distance from the axis. */
bool sal_map_sphere_cylinder(const sal_model *m, const sal_data *d, const sal_contact *c,
                             sal_contact_map *map)
{
    double z[3], offset[3], radial[3], e[3];
    slide s;
    const double *size = m->geom_size + 3L * c->geom2, *n = c->frame;
    const double l1 = m->geom_size[3L * c->geom1] + 0.5 * c->dist;
    sal_m3_column(z, d->geom_xmat + 9L * c->geom2, 2);
    sal_v3_sub(offset, d->geom_xpos + 3L * c->geom1, d->geom_xpos + 3L * c->geom2);
    const double x = sal_v3_dot(z, offset);
    sal_v3_addscaled(radial, offset, -x, z);
    const double rho = sal_v3_norm(radial);
    const bool beside = fabs(x) < size[1], above = rho < size[0];
    if (above && !(beside && size[1] - fabs(x) >= size[0] - rho)) {
        ball_and_face(map, c, l1);
    } else if (beside) {
        follow(&s, z, 1, l1, n);
        two_balls(map, c, l1, size[0] + 0.5 * c->dist, NULL, &s);
    } else {
        sal_v3_cross(e, z, radial);
        sal_v3_scale(e, e, 1 / rho);
        follow(&s, e, size[0] / rho, l1, n);
        two_balls(map, c, l1, 0.5 * c->dist, NULL, &s);
    }
    return true;
}

/* The box's coordinates of the sphere's centre that do not lie beyond a face: q2 slides along these. Two: q2 is on a face; three: the centre
 * is inside, behind the nearest face, where 2.2.2 reports a distance that does not change. */
bool sal_map_sphere_box(const sal_model *m, const sal_data *d, const sal_contact *c,
                        sal_contact_map *map)
{
    double offset[3], l[3], e[3] = {0, 0, 0};
    slide s;
    const double *size = m->geom_size + 3L * c->geom2, *R = d->geom_xmat + 9L * c->geom2;
    int within = 0;
    sal_v3_sub(offset, d->geom_xpos + 3L * c->geom1, d->geom_xpos + 3L * c->geom2);
    sal_m3_multv(l, R, offset);
    for (int k = 0; k < 3; k++) {
        if (fabs(l[k]) <= size[k]) {
            within++;
            sal_m3_column(e, R, k);
        }
    }
    if (within < 2) {
        const double l1 = m->geom_size[3L * c->geom1] + 0.5 * c->dist;
        follow(&s, e, 1, l1, c->frame);
        two_balls(map, c, l1, 0.5 * c->dist, NULL, within == 1 ? &s : NULL);
        return true;
    }
    sal_v3_sub(offset, c->pos, d->geom_xpos + 3L * c->geom1);
    ball_and_face(map, c, sal_v3_dot(offset, c->frame));
    if (within == 3 && m->compat222) {
        sal_v3_set(map->dist + 3, 0, 0, 0);
    }
    return true;
}

/* Whether the point q of the axis through `centre` with half length |a| lies between its ends. */
static bool between_ends(const double q[3], const double centre[3], const double a[3])
{
    double offset[3];
    sal_v3_sub(offset, q, centre);
    return fabs(sal_v3_dot(a, offset)) < (1 - 1e-10) * sal_v3_dot(a, a);
}

/* Axes c1 + x1 a1, c2 + x2 a2, |w + x1 a1 - x2 a2|^2 stationary in those x that are not at an end:
 *     aa dx1 + ab dx2 = b1,  ab dx1 + bb dx2 = -b2,    aa = a1.a1, ab = -a1.a2, bb = a2.a2,
 *     b1 = a1.(u + l2 w x n),    b2 = a2.(u + l2 w x n) + D w.(a2 x n) = a2.(u - l1 w x n) */
bool sal_map_capsule_capsule(const sal_model *m, const sal_data *d, const sal_contact *c,
                             sal_contact_map *map)
{
    slide s1, s2;
    double q[3], b1[6], b2[6];
    const double *n = c->frame, *size1 = m->geom_size + 3L * c->geom1,
                 *size2 = m->geom_size + 3L * c->geom2;
    const double l1 = size1[0] + 0.5 * c->dist, l2 = size2[0] + 0.5 * c->dist;
    sal_m3_column(s1.dir, d->geom_xmat + 9L * c->geom1, 2);
    sal_m3_column(s2.dir, d->geom_xmat + 9L * c->geom2, 2);
    sal_v3_scale(s1.dir, s1.dir, size1[1]);
    sal_v3_scale(s2.dir, s2.dir, size2[1]);
    sal_v3_addscaled(q, c->pos, -l1, n);
    const bool within1 = between_ends(q, d->geom_xpos + 3L * c->geom1, s1.dir);
    sal_v3_addscaled(q, c->pos, l2, n);
    const bool within2 = between_ends(q, d->geom_xpos + 3L * c->geom2, s2.dir);
    sal_row_along(b1, l2, n, s1.dir);
    sal_row_along(b2, -l1, n, s2.dir);
    const double aa = sal_v3_dot(s1.dir, s1.dir), bb = sal_v3_dot(s2.dir, s2.dir);
    const double ab = -sal_v3_dot(s1.dir, s2.dir), det = aa * bb - ab * ab;
    const bool both = within1 && within2;
    for (int k = 0; k < 6; k++) {
        s1.rate[k] = both ? (bb * b1[k] + ab * b2[k]) / det : b1[k] / aa;
        s2.rate[k] = both ? -(aa * b2[k] + ab * b1[k]) / det : -b2[k] / bb;
    }
    two_balls(map, c, l1, l2, within1 ? &s1 : NULL, within2 ? &s2 : NULL);
    return true;
}
