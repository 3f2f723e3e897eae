/* collide_deriv_part.c: which part of a shape touches, from the contact alone: a smooth piece of
 * its surface, a straight line, a plane, a corner.
 *
 * H is the second derivative of the support function: the farthest point along n moves by H dn.
 * Where the surface is smooth it is the inverse of the shape operator; at corners 0.
 */
#include "base/house.h"
#include "physics/collision/field.h"
#include "physics/deriv/collide_map.h"

static const double across = 1e-6; /* |n.e| of a line that touches */
static const double border = 1e-9; /* relative: nearer to its end a line is left */

/* The line e of the world; false: it is not across n. */
static bool take_line(phy_part *part, const sal_contact *c, const double e[3])
{
    const double x = sal_v3_dot(e, c->frame + 3), y = sal_v3_dot(e, c->frame + 6);
    const double length = sqrt(x * x + y * y);
    if (fabs(sal_v3_dot(e, c->frame)) > across * length) {
        return false;
    }
    part->line[0] = x / length, part->line[1] = y / length;
    part->nline = 1;
    return true;
}

/* H = radius across the line, or in both directions. */
static void take_radius(phy_part *part, double radius)
{
    const double x = part->nline > 0 ? part->line[0] : 0, y = part->nline > 0 ? part->line[1] : 0;
    part->H =
        (phy_m2){radius * (1 - x * x), -radius * x * y, -radius * x * y, radius * (1 - y * y)};
}

/* (S^2 - qq')/|S l|,  q = S^2 l/|S l|,  l = n in the ellipsoid's axes; p = S l/|S l| */
static bool ellipsoid(phy_part *part, const sal_contact *c, const double *R, const double *s)
{
    double l[3], t[2][3], p[3];
    sal_m3_multv(l, R, c->frame);
    for (int k = 0; k < 3; k++) {
        l[k] *= s[k];
    }
    const double length = sal_v3_norm(l);
    sal_v3_scale(p, l, 1 / length);
    for (int i = 0; i < 2; i++) {
        sal_m3_multv(t[i], R, c->frame + 3 + 3L * i);
        for (int k = 0; k < 3; k++) {
            t[i][k] *= s[k];
        }
    }
    const double x = sal_v3_dot(t[0], p), y = sal_v3_dot(t[1], p);
    const double xy = (sal_v3_dot(t[0], t[1]) - x * y) / length;
    part->H = (phy_m2){(sal_v3_dot(t[0], t[0]) - x * x) / length, xy, xy,
                       (sal_v3_dot(t[1], t[1]) - y * y) / length};
    return true;
}

/* An end, or the axis. */
static bool capsule(phy_part *part, const sal_contact *c, const double *R, const double *s,
                    const double x[3])
{
    double z[3];
    sal_m3_column(z, R, 2);
    if (fabs(sal_v3_dot(z, x)) < s[1] * (1 - border) && !take_line(part, c, z)) {
        return false;
    }
    take_radius(part, s[0]);
    return true;
}

/* A cap; the wall; the rim, along which n's part across the axis turns with 1/|n_across|. */
static bool cylinder(phy_part *part, const sal_contact *c, const double *R, const double *s,
                     const double x[3])
{
    double z[3], radial[3], around[3];
    sal_m3_column(z, R, 2);
    const double height = sal_v3_dot(z, x);
    sal_v3_addscaled(radial, x, -height, z);
    sal_v3_cross(around, z, c->frame);
    const double sine = sal_v3_norm(around);
    if (sal_v3_norm(radial) < s[0] * (1 - border)) {
        part->nline = 2;
        return sine < across;
    }
    if (fabs(height) < s[1] * (1 - border)) {
        take_radius(part, take_line(part, c, z) ? s[0] : 0);
        return part->nline == 1;
    }
    if (sine < across) {
        return false;
    }
    const double e1 = sal_v3_dot(around, c->frame + 3) / sine;
    const double e2 = sal_v3_dot(around, c->frame + 6) / sine;
    const double r = s[0] / sine;
    part->H = (phy_m2){r * e1 * e1, r * e1 * e2, r * e1 * e2, r * e2 * e2};
    return true;
}

/* A line for every coordinate that is not at its end. */
static bool box(phy_part *part, const sal_contact *c, const double *R, const double *s,
                const double x[3])
{
    double local[3], e[3];
    int nline = 0;
    sal_m3_multv(local, R, x);
    for (int k = 0; k < 3; k++) {
        if (fabs(local[k]) < s[k] * (1 - border)) {
            nline++;
            sal_m3_column(e, R, k);
            if (!take_line(part, c, e)) {
                return false;
            }
        }
    }
    part->nline = nline;
    return nline <= 2;
}

/* The farthest corner along n, or against it, and those neighbours that are as far. The touching
 * point must be there. */
static bool corners(phy_part *part, const phy_hull *hull, double extent, const sal_contact *c,
                    double sign, const double *R, const double x[3])
{
    const phy_hull h = *hull;
    double l[3], e[3] = {0, 0, 0}, off[3], point[3];
    sal_m3_multv(l, R, c->frame);
    sal_v3_scale(l, l, sign);
    const int top = phy_hull_support(&h, l);
    if (top < 0) {
        return false;
    }
    const double *corner = h.vert + 3L * top, near = border * extent;
    const double level = sal_v3_dot(l, corner) - near;
    sal_m3_multv(point, R, x);
    sal_v3_sub(off, point, corner);
    for (const int *i = h.edge + h.edgeadr[top]; *i >= 0; i++) {
        if (sal_v3_dot(l, h.vert + 3L * *i) >= level) {
            double side[3];
            sal_v3_sub(side, h.vert + 3L * *i, corner);
            sal_v3_addscaled(off, off, -sal_v3_dot(off, side) / sal_v3_dot(side, side), side);
            sal_m3_mulv(e, R, side);
            part->nline++;
        }
    }
    if (part->nline >= 2) {
        part->nline = 2;
        return fabs(sal_v3_dot(l, off)) < 100 * near;
    }
    return sal_v3_norm(off) < 100 * near && (part->nline == 0 || take_line(part, c, e));
}

static bool mesh(phy_part *part, const sal_model *m, int geom, const sal_contact *c,
                 const double *R, const double x[3])
{
    const phy_hull h = phy_hull_of(m, geom);
    return corners(part, &h, m->geom_rbound[geom], c, geom == c->geom2 ? -1 : 1, R, x);
}

/* The contact's prism of a height field, raised as it was. */
static bool prism(phy_part *part, const sal_model *m, int geom, const sal_contact *c,
                  const double *R, const double x[3])
{
    const phy_field f = phy_field_of(m, geom);
    phy_prism p;
    phy_shape s;
    double from_centre[3];
    if (c->prism < 0) {
        return false;
    }
    phy_prism_set(&p, &f, c->prism, m->pair_detect[c->pair]);
    phy_prism_shape(&s, &p, R);
    sal_m3_mulv(from_centre, R, p.centre);
    sal_v3_sub(from_centre, x, from_centre);
    return corners(part, &s.hull, s.extent, c, 1, R, from_centre);
}

/* A shape swollen by r: a ball of this radius about every point that touches. */
void phy_part_swell(phy_part *part, double r)
{
    const double x = part->nline > 0 ? part->line[0] : 0, y = part->nline > 0 ? part->line[1] : 0;
    if (part->nline < 2) {
        part->H.xx += r * (1 - x * x);
        part->H.xy -= r * x * y;
        part->H.yx -= r * x * y;
        part->H.yy += r * (1 - y * y);
    }
}

bool phy_part_of(phy_part *part, const sal_model *m, const sal_data *d, int geom,
                 const sal_contact *c, const double point[3])
{
    const double *R = d->geom_xmat + 9L * geom, *s = m->geom_size + 3L * geom;
    double x[3];
    *part = (phy_part){0};
    sal_v3_sub(x, point, d->geom_xpos + 3L * geom);
    switch ((sal_geom_type)m->geom_type[geom]) {
    case SAL_GEOM_SPHERE:
        take_radius(part, s[0]);
        return true;
    case SAL_GEOM_CAPSULE:
        return capsule(part, c, R, s, x);
    case SAL_GEOM_ELLIPSOID:
        return ellipsoid(part, c, R, s);
    case SAL_GEOM_CYLINDER:
        return cylinder(part, c, R, s, x);
    case SAL_GEOM_BOX:
        return box(part, c, R, s, x);
    case SAL_GEOM_MESH:
        return mesh(part, m, geom, c, R, x);
    case SAL_GEOM_HFIELD:
        return prism(part, m, geom, c, R, x);
    case SAL_GEOM_PLANE:
    case SAL_NGEOMTYPES:
        break;
    }
    return false;
}
