/* collide_deriv_box.c: two boxes, one with a face, the other with a point of its face that opposes
 * it.
 *
 * The face's box is the owner, n its axis. The point x of the other box's face is a corner of that
 * face, or where its edge crosses a side plane of
 * the owner, or where two side planes cross it:  dist = its height over the owner's face, P
 *                                                halfway. With M = u + w x (x - P), the velocity of
 * box 2 there, p1, p2 the axes of the other's face, and u the normal of a side plane,
 *
 *     owner 1:  dx = M + p1 y1 + p2 y2,    u.dx = 0,           d dist = n.dx,
 *     dP = dx - n (d dist)/2,                 dn = 0
 *     owner 2:  dx = p1 y1 + p2 y2,        u.(dx - M) = 0,     d dist = n.(M - dx),
 *     dP = dx + n (d dist)/2 + dn dist/2,     dn = w x n
 *
 * where y = 0 across an edge of the other's face.
 */
#include "base/house.h"
#include "physics/deriv/collide_map.h"

static const double border = 1e-9;

/* A box, and where a point lies in it. */
typedef struct frame {
    double axis[3][3], local[3];
    const double *s;
} frame;

static void take(frame *f, const sal_model *m, const sal_data *d, int geom, const double x[3])
{
    const double *R = d->geom_xmat + 9L * geom;
    double off[3];
    for (int k = 0; k < 3; k++) {
        sal_m3_column(f->axis[k], R, k);
    }
    f->s = m->geom_size + 3L * geom;
    sal_v3_sub(off, x, d->geom_xpos + 3L * geom);
    sal_m3_multv(f->local, R, off);
}

static bool at_end(const frame *f, int k)
{
    return fabs(fabs(f->local[k]) - f->s[k]) <= border * f->s[k];
}

/* The axis most along n. */
static int most_along(const frame *f, const double n[3])
{
    int most = 0;
    for (int k = 1; k < 3; k++) {
        if (fabs(sal_v3_dot(n, f->axis[k])) > fabs(sal_v3_dot(n, f->axis[most]))) {
            most = k;
        }
    }
    return most;
}

/* Whether n is an axis of the box; to the last digit, as the collider takes it from there. */
static bool owns(const sal_data *d, int geom, const double n[3])
{
    double e[3];
    bool any = false;
    for (int k = 0; k < 3; k++) {
        sal_m3_column(e, d->geom_xmat + 9L * geom, k);
        const double side = sal_v3_dot(e, n) > 0 ? 1 : -1;
        any = any || (e[0] == side * n[0] && e[1] == side * n[1] && e[2] == side * n[2]);
    }
    return any;
}

/* p1 y1 + p2 y2 = sum of line . (M along its side plane): the lines along which x follows the
 * owner, and the planes' normals. */
typedef struct follower {
    int n;
    double line[2][3];
    const double *plane[2];
} follower;

/* False: the planes do not cross the face. */
static bool find_follower(follower *f, const frame *owner, int face, const frame *other, int back)
{
    const double *p[2] = {other->axis[(back + 1) % 3], other->axis[(back + 2) % 3]};
    const bool edge[2] = {at_end(other, (back + 1) % 3), at_end(other, (back + 2) % 3)};
    const double *u = owner->axis[(face + 1) % 3], *v = owner->axis[(face + 2) % 3];
    const bool at_u = at_end(owner, (face + 1) % 3), at_v = at_end(owner, (face + 2) % 3);
    f->n = 0;
    if (edge[0] && edge[1]) { /* a corner */
        return true;
    }
    if (edge[0] || edge[1]) { /* an edge */
        const double *along = p[edge[0] ? 1 : 0];
        const double up = at_u ? sal_v3_dot(u, along) : 0, vp = at_v ? sal_v3_dot(v, along) : 0;
        const double share = fabs(up) > fabs(vp) ? up : vp;
        f->n = 1;
        f->plane[0] = fabs(up) > fabs(vp) ? u : v;
        sal_v3_scale(f->line[0], along, 1 / share);
        return fabs(share) > border;
    }
    const double up[2] = {sal_v3_dot(u, p[0]), sal_v3_dot(u, p[1])};
    const double vp[2] = {sal_v3_dot(v, p[0]), sal_v3_dot(v, p[1])};
    const double det = up[0] * vp[1] - up[1] * vp[0];
    f->n = 2;
    f->plane[0] = u, f->plane[1] = v;
    for (int k = 0; k < 3; k++) {
        f->line[0][k] = (vp[1] * p[0][k] - vp[0] * p[1][k]) / det;
        f->line[1][k] = (up[0] * p[1][k] - up[1] * p[0][k]) / det;
    }
    return at_u && at_v && fabs(det) > border;
}

/* row = e.M, M = u + l w x n: (l n x e; e) */
static void row_along(double row[6], double l, const double n[3], const double e[3])
{
    sal_v3_cross(row, n, e);
    sal_v3_scale(row, row, l);
    sal_v3_copy(row + 3, e);
}

/* dx, by its rows */
static void follow(double dx[3][6], const follower *f, double way, double l, const double n[3])
{
    double row[6];
    for (int i = 0; i < 3; i++) {
        const double e[3] = {i == 0, i == 1, i == 2};
        row_along(dx[i], l, n, e);
        for (int k = 0; k < 6 && way > 0; k++) {
            dx[i][k] = 0;
        }
    }
    for (int j = 0; j < f->n; j++) {
        row_along(row, l, n, f->plane[j]);
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < 6; k++) {
                dx[i][k] += way * f->line[j][i] * row[k];
            }
        }
    }
}

bool phy_map_box_box(const sal_model *m, const sal_data *d, const sal_contact *c,
                     phy_contact_map *map)
{
    const double *n = c->frame, *t1 = c->frame + 3, *t2 = c->frame + 6;
    const bool first = owns(d, c->geom1, n);
    const double way = first ? -1 : 1, l = -way * 0.5 * c->dist;
    double x[3], dx[3][6], axis[3];
    frame owner, other;
    follower f;
    if (!first && !owns(d, c->geom2, n)) {
        return false;
    }
    sal_v3_addscaled(x, c->pos, l, n);
    take(&owner, m, d, first ? c->geom1 : c->geom2, x);
    take(&other, m, d, first ? c->geom2 : c->geom1, x);
    if (!find_follower(&f, &owner, most_along(&owner, n), &other, most_along(&other, n))) {
        return false;
    }
    follow(dx, &f, way, l, n);
    for (int k = 0; k < 6; k++) { /* n.M = n.u */
        const double rise = n[0] * dx[0][k] + n[1] * dx[1][k] + n[2] * dx[2][k];
        map->dist[k] = first ? rise : (k < 3 ? 0 : n[k - 3]) - rise;
        for (int i = 0; i < 3; i++) {
            map->pos[6 * i + k] = dx[i][k] + 0.5 * way * n[i] * map->dist[k];
        }
    }
    phy_turn_axis(axis, c);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) { /* w x n = t1 (w.t2) - t2 (w.t1) */
            const double dn1 = first ? 0 : t2[k], dn2 = first ? 0 : -t1[k];
            map->pos[6 * i + k] += 0.5 * c->dist * (t1[i] * dn1 + t2[i] * dn2);
            map->turn[6 * i + k] = t2[i] * dn1 + axis[i] * dn2;
            map->turn[6 * i + 3 + k] = 0;
        }
    }
    return true;
}
