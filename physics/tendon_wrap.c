/* tendon_wrap.c: the shortest way of a tendon over a sphere or a cylinder, in the plane.
 *
 * A sphere is cut by the plane through its centre and both ends, a cylinder is seen along its axis:
 * a circle of radius r about 0, ends d0, d1. The tangent from d touches the circle at
 *     t = (r^2 d +- r sqrt(|d|^2 - r^2) d_perp) / |d|^2,        d_perp = (y, -x)
 * and the way is  d0 t0, the arc from t0 to t1, t1 d1. On a cylinder the height grows evenly along
 *                 that way.
 */
#include "base/house.h"
#include "physics/tendon.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static double dot2(const double a[2], const double b[2])
{
    return a[0] * b[0] + a[1] * b[1];
}

static double cross2(const double a[2], const double b[2])
{
    return a[0] * b[1] - a[1] * b[0];
}

static double distance2(const double a[2], const double b[2])
{
    const double d[2] = {b[0] - a[0], b[1] - a[1]};
    return sqrt(dot2(d, d));
}

/* a := a / |a|; (1, 0) if there is no direction */
static void normalise2(double a[2])
{
    const double n = sqrt(dot2(a, a));
    if (n < SAL_MINVAL) {
        a[0] = 1, a[1] = 0;
    } else {
        a[0] /= n, a[1] /= n;
    }
}

/* Whether the segments a b and c d meet:  a + s (b - a) = c + t (d - c),  s, t in [0, 1] */
static bool segments_meet(const double a[2], const double b[2], const double c[2],
                          const double d[2])
{
    const double u[2] = {b[0] - a[0], b[1] - a[1]}, v[2] = {d[0] - c[0], d[1] - c[1]};
    const double w[2] = {c[0] - a[0], c[1] - a[1]}, det = cross2(u, v);
    if (fabs(det) < SAL_MINVAL) {
        return false;
    }
    const double s = cross2(w, v) / det, t = cross2(w, u) / det;
    return s >= 0 && s <= 1 && t >= 0 && t <= 1;
}

/* The point of the segment nearest to 0, and where it lies on it. */
static double nearest(double c[2], const double a[2], const double b[2])
{
    const double u[2] = {b[0] - a[0], b[1] - a[1]}, square = dot2(u, u);
    const double t = square > 0 ? -dot2(a, u) / square : 0;
    const double at = t < 0 ? 0 : t > 1 ? 1 : t;
    c[0] = a[0] + at * u[0];
    c[1] = a[1] + at * u[1];
    return t;
}

static void tangent(double t[2], const double d[2], double r, double sign)
{
    const double square = dot2(d, d), root = sqrt(fmax(0, square - r * r));
    t[0] = (d[0] * r * r + sign * r * root * d[1]) / square;
    t[1] = (d[1] * r * r - sign * r * root * d[0]) / square;
}

/* How good a way is: near to the side, or short; hopeless if its straight parts cross. */
static double score(const double d0[2], const double d1[2], const double t0[2], const double t1[2],
                    const double *side)
{
    double middle[2] = {t0[0] + t1[0], t0[1] + t1[1]};
    if (segments_meet(d0, t0, d1, t1)) {
        return -10000;
    }
    if (side == NULL) {
        const double gap = distance2(t0, t1);
        return -gap * gap;
    }
    normalise2(middle);
    return dot2(middle, side);
}

/* Around the outside; returns the length of the arc, or -1. */
static double around(double t0[2], double t1[2], const double d0[2], const double d1[2],
                     const double *side, double r)
{
    double c[2], way[2][2][2], value[2];
    if (sqrt(dot2(d0, d0)) < r || sqrt(dot2(d1, d1)) < r || r < SAL_MINVAL ||
        distance2(d0, d1) < SAL_MINVAL) {
        return -1;
    }
    nearest(c, d0, d1);
    if (sqrt(dot2(c, c)) > r && (side == NULL || dot2(side, c) >= 0)) {
        return -1;
    }
    for (int k = 0; k < 2; k++) {
        const double sign = k == 0 ? 1 : -1;
        tangent(way[k][0], d0, r, sign);
        tangent(way[k][1], d1, r, -sign);
        value[k] = score(d0, d1, way[k][0], way[k][1], side);
    }
    const int k = value[0] > value[1] ? 0 : 1;
    for (int i = 0; i < 2; i++) {
        t0[i] = way[k][0][i];
        t1[i] = way[k][1][i];
    }
    if (segments_meet(d0, t0, d1, t1)) {
        return -1;
    }
    /* the first way turns clockwise */
    const double turn = (k == 0 ? -1 : 1) * atan2(cross2(t0, t1), dot2(t0, t1));
    return r * (turn < 0 ? turn + 2 * pi : turn);
}

/* The sine z of the angle between either part of the way and the normal where it touches the circle
 * from inside: with A = r/|d0|, B = r/|d1| and the angle G between the ends as seen from the centre
 *     asin(A z) + asin(B z) - 2 asin(z) + G = 0
 * by Newton's method from z = 1, which falls monotonically to the root. 0 if there is none to be
 * found. */
static double incidence(double A, double B, double G)
{
    double z = 1 - 1e-7, f = asin(A * z) + asin(B * z) - 2 * asin(z) + G;
    if (f > 0) {
        return 0;
    }
    for (int k = 0; k < 20 && fabs(f) > 1e-6; k++) {
        const double slope = A / fmax(SAL_MINVAL, sqrt(1 - A * A * z * z)) +
                             B / fmax(SAL_MINVAL, sqrt(1 - B * B * z * z)) -
                             2 / fmax(SAL_MINVAL, sqrt(1 - z * z));
        const double next = slope > -SAL_MINVAL ? z : z - f / slope;
        if (!(next < z)) {
            return 0;
        }
        z = next;
        f = asin(A * z) + asin(B * z) - 2 * asin(z) + G;
        if (f > 1e-6) {
            return 0;
        }
    }
    return fabs(f) > 1e-6 ? 0 : z;
}

/* Through a ring: the one point of the circle that makes the way shortest (equal angles on both
 * sides); no arc. */
static double through(double t0[2], double t1[2], const double d0[2], const double d1[2], double r)
{
    const double n0 = sqrt(dot2(d0, d0)), n1 = sqrt(dot2(d1, d1));
    double c[2], t[2] = {0.5 * (d0[0] + d1[0]), 0.5 * (d0[1] + d1[1])};
    if (n0 <= r || n1 <= r || r < SAL_MINVAL) { /* both ends may be at one place */
        return -1;
    }
    const double at = nearest(c, d0, d1);
    if (at > 0 && at < 1 && sqrt(dot2(c, c)) <= r) {
        return -1;
    }
    const double cosine = dot2(d0, d1) / (n0 * n1);
    if (cosine < -1 + SAL_MINVAL) {
        return -1;
    }
    normalise2(t); /* half way, unless better is known */
    if (cosine < 1 - SAL_MINVAL) {
        const double z = incidence(r / n0, r / n1, acos(cosine));
        if (z > 0) { /* from one end's direction towards the other's, by asin(z) - asin(r z / n) */
            const bool ccw = cross2(d0, d1) > 0;
            const double *from = ccw ? d0 : d1, n = ccw ? n0 : n1;
            const double angle = asin(z) - asin(r / n * z);
            const double e[2] = {from[0] / n, from[1] / n};
            t[0] = cos(angle) * e[0] - sin(angle) * e[1];
            t[1] = sin(angle) * e[0] + cos(angle) * e[1];
        }
    }
    for (int i = 0; i < 2; i++) {
        t0[i] = t1[i] = r * t[i];
    }
    return 0;
}

/* The plane of the way, as two axes in the geom's frame. */
static void plane_of(double e0[3], double e1[3], const double p0[3], const double p1[3],
                     bool cylinder)
{
    double normal[3];
    if (cylinder) {
        sal_v3_set(e0, 1, 0, 0);
        sal_v3_set(e1, 0, 1, 0);
        return;
    }
    sal_v3_copy(e0, p0);
    sal_v3_normalise(e0);
    sal_v3_cross(normal, p0, p1);
    if (sal_v3_norm(normal) < SAL_MINVAL) { /* in line: any plane */
        const double x[3] = {fabs(e0[0]) < 0.5, fabs(e0[0]) >= 0.5, 0};
        sal_v3_cross(normal, e0, x);
    }
    sal_v3_normalise(normal);
    sal_v3_cross(e1, normal, e0);
    sal_v3_normalise(e1);
}

static void into_frame(double local[3], const double p[3], const double pos[3], const double mat[9])
{
    double away[3];
    sal_v3_sub(away, p, pos);
    sal_m3_multv(local, mat, away);
}

double phy_tendon_wrap(double meet[3], double leave[3], const double p0[3], const double p1[3],
                       const double side[3], const phy_roller *g)
{
    double end[2][3], d[2][2], t[2][2], e[2][3], s[3] = {0}, beside[2] = {0};
    into_frame(end[0], p0, g->pos, g->mat);
    into_frame(end[1], p1, g->pos, g->mat);
    if (sal_v3_norm(end[0]) < SAL_MINVAL || sal_v3_norm(end[1]) < SAL_MINVAL) {
        return -1;
    }
    plane_of(e[0], e[1], end[0], end[1], g->cylinder);
    if (side != NULL) {
        into_frame(s, side, g->pos, g->mat);
    }
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 2; i++) {
            d[k][i] = sal_v3_dot(end[k], e[i]);
        }
        beside[k] = sal_v3_dot(s, e[k]);
    }
    const bool inside = side != NULL && sal_v3_norm(s) < g->radius;
    normalise2(beside);
    double arc = inside ? through(t[0], t[1], d[0], d[1], g->radius)
                        : around(t[0], t[1], d[0], d[1], side == NULL ? NULL : beside, g->radius);
    if (arc < 0) {
        return -1;
    }
    double local[2][3];
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 3; i++) {
            local[k][i] = t[k][0] * e[0][i] + t[k][1] * e[1][i];
        }
    }
    if (g->cylinder) { /* the height grows evenly */
        const double l0 = distance2(d[0], t[0]), l1 = distance2(t[1], d[1]);
        const double rise = (end[1][2] - end[0][2]) / (l0 + arc + l1);
        local[0][2] = end[0][2] + rise * l0;
        local[1][2] = end[1][2] - rise * l1;
        const double height = local[1][2] - local[0][2];
        arc = sqrt(arc * arc + height * height);
    }
    sal_m3_mulv(meet, g->mat, local[0]);
    sal_m3_mulv(leave, g->mat, local[1]);
    sal_v3_add(meet, meet, g->pos);
    sal_v3_add(leave, leave, g->pos);
    return arc;
}
