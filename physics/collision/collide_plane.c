/* collide_plane.c: a plane against every primitive.
 *
 * n = plane's z axis, h = n.(c2 - c1) the height of the other shape's centre. A surface point p of
 * height dist makes the contact (dist, p - n dist/2, n). (Formulas of MuJoCo's documentation and
 * behaviour: at most 1, 2, 1, 4, 4 points.)
 */
#include "base/house.h"
#include "physics/collision/touch.h"

/* The contact of the surface point `point`, `dist` above the plane. */
static void set(phy_touch *touch, double dist, const double point[3], const double n[3])
{
    touch->dist = dist;
    sal_v3_addscaled(touch->pos, point, -0.5 * dist, n);
    sal_v3_copy(touch->normal, n);
    sal_v3_set(touch->tangent, 0, 0, 0);
}

/* n and h of the meeting */
static double height(const phy_meeting *p, double n[3])
{
    double h;
    phy_height(&h, n, p->pos1, p->mat1, p->pos2);
    return h;
}

static int plane_ball(phy_touch *touch, const double n[3], double h, const double c[3], double r,
                      double margin)
{
    phy_truth reaches;
    phy_ball_reaches_plane(&reaches, &h, r, margin);
    if (!reaches) {
        return 0;
    }
    phy_ball_on_plane(&touch->dist, touch->pos, n, &h, c, r);
    sal_v3_copy(touch->normal, n);
    sal_v3_set(touch->tangent, 0, 0, 0);
    return 1;
}

int phy_plane_sphere(const phy_meeting *p, phy_touch *touch)
{
    double n[3];
    const double h = height(p, n);
    return plane_ball(touch, n, h, p->pos2, p->size2[0], p->margin);
}

/* Balls at both ends, +z first; the first tangent lies along the capsule. */
int phy_plane_capsule(const phy_meeting *p, phy_touch *touch)
{
    double n[3], z[3], end[3];
    int count = 0;
    const double h = height(p, n);
    sal_m3_column(z, p->mat2, 2);
    for (int side = 1; side >= -1; side -= 2) {
        double lift;
        phy_capsule_end(end, &lift, p->pos2, z, n, &h, side, p->size2[1]);
        if (plane_ball(touch + count, n, lift, end, p->size2[0], p->margin)) {
            sal_v3_copy(touch[count].tangent, z);
            count++;
        }
    }
    return count;
}

/* The lowest point: in the ellipsoid's axes -S^2 l / |S l| with l = R'n, S = diag(semi-axes). */
int phy_plane_ellipsoid(const phy_meeting *p, phy_touch *touch)
{
    double n[3], l[3], local[3], point[3];
    const double *s = p->size2;
    const double h = height(p, n);
    sal_m3_multv(l, p->mat2, n);
    sal_v3_set(local, s[0] * l[0], s[1] * l[1], s[2] * l[2]);
    const double length = sal_v3_norm(local);
    const double dist = h - length; /* n.(p - c2) = -|S l| */
    if (!(dist <= p->margin)) {
        return 0;
    }
    for (int k = 0; k < 3; k++) {
        local[k] *= -s[k] / length;
    }
    sal_m3_mulv(point, p->mat2, local);
    sal_v3_add(point, point, p->pos2);
    set(touch, dist, point, n);
    return 1;
}

/* The corners below the centre, in the order of their signs as bits of a number (x lowest), at most
 * four. */
int phy_plane_box(const phy_meeting *p, phy_touch *touch)
{
    double n[3], l[3], corner[3], point[3];
    const double *s = p->size2;
    const double h = height(p, n);
    int count = 0;
    sal_m3_multv(l, p->mat2, n);
    for (int i = 0; i < 8 && count < 4; i++) {
        sal_v3_set(corner, i & 1 ? s[0] : -s[0], i & 2 ? s[1] : -s[1], i & 4 ? s[2] : -s[2]);
        const double u = sal_v3_dot(l, corner); /* height of the corner above the centre */
        if (h + u <= p->margin && u <= 0) {
            sal_m3_mulv(point, p->mat2, corner);
            sal_v3_add(point, point, p->pos2);
            set(touch + count++, h + u, point, n);
        }
    }
    return count;
}

/* The lowest point of each rim, and two more on the lower rim at 120 degrees from it. a: half axis
 * pointing down, v: radius pointing down, w: the radius across, times sin 120 degrees. */
int phy_plane_cylinder(const phy_meeting *p, phy_touch *touch)
{
    double n[3], a[3], v[3], w[3], point[3];
    const double r = p->size2[0], half = p->size2[1];
    const double h = height(p, n);
    int count = 0;
    sal_m3_column(a, p->mat2, 2);
    if (sal_v3_dot(n, a) > 0) {
        sal_v3_scale(a, a, -1);
    }
    const double fall = sal_v3_dot(n, a);
    sal_v3_scale(v, a, fall);
    sal_v3_sub(v, v, n);
    const double length = sal_v3_norm(v);
    double pv = -r * length; /* n.v, for n.(a (n.a) - n) = -length^2; not rounded like v / length */
    if (length < SAL_MINVAL) { /* upright: every radius is as low as the other */
        sal_m3_column(v, p->mat2, 0);
        sal_v3_scale(v, v, r);
        pv = sal_v3_dot(n, v);
    } else {
        sal_v3_scale(v, v, r / length);
    }
    sal_v3_scale(a, a, half);
    sal_v3_add(point, p->pos2, v);
    sal_v3_add(point, point, a);
    if (!(h + fall * half + pv <= p->margin)) {
        return 0;
    }
    set(touch + count++, h + fall * half + pv, point, n);
    if (h - fall * half + pv <= p->margin) {
        sal_v3_addscaled(point, point, -2, a);
        set(touch + count++, h - fall * half + pv, point, n);
    }
    const double dist = h + fall * half - 0.5 * pv;
    if (dist <= p->margin) {
        sal_v3_cross(w, v, a);
        sal_v3_normalise(w);
        sal_v3_scale(w, w, r * 0.5 * sqrt(3.0));
        for (int side = 1; side >= -1; side -= 2) {
            sal_v3_add(point, p->pos2, a);
            sal_v3_addscaled(point, point, -0.5, v);
            sal_v3_addscaled(point, point, side, w);
            set(touch + count++, dist, point, n);
        }
    }
    return count;
}
