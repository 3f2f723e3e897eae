/* collide_round.c: spheres and capsules against each other, and a sphere against a cylinder: the
 * nearest points of centres and axes, then two balls. */
#include "base/house.h"
#include "physics/collision/collide.h"

static double clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

/* D = |c2 - c1|:  dist = D - r1 - r2,  n = (c2 - c1)/D,  pos = c1 + n (r1 + dist/2) */
int phy_ball_ball(const phy_meeting *p, phy_touch *touch, const double c1[3], double r1,
                  const double c2[3], double r2)
{
    double offset[3], z1[3], z2[3];
    const double reach = p->margin + r1 + r2;
    sal_v3_sub(offset, c2, c1);
    const double square = sal_v3_dot(offset, offset);
    if (!(reach >= 0 && square <= reach * reach)) {
        return 0;
    }
    const double distance = sqrt(square);
    if (distance < SAL_MINVAL) {
        sal_m3_column(z1, p->mat1, 2);
        sal_m3_column(z2, p->mat2, 2);
        sal_v3_cross(offset, z1, z2);
        sal_v3_normalise(offset);
    } else {
        sal_v3_scale(offset, offset, 1 / distance);
    }
    touch->dist = distance - r1 - r2;
    sal_v3_copy(touch->normal, offset);
    sal_v3_addscaled(touch->pos, c1, r1 + 0.5 * touch->dist, offset);
    sal_v3_set(touch->tangent, 0, 0, 0);
    return 1;
}

int phy_sphere_sphere(const phy_meeting *p, phy_touch *touch)
{
    return phy_ball_ball(p, touch, p->pos1, p->size1[0], p->pos2, p->size2[0]);
}

/* The nearest point of the axis: c2 + clamp(z.(c1 - c2), -L, L) z */
int phy_sphere_capsule(const phy_meeting *p, phy_touch *touch)
{
    double z[3], offset[3], nearest[3];
    sal_m3_column(z, p->mat2, 2);
    sal_v3_sub(offset, p->pos1, p->pos2);
    const double x = clamp(sal_v3_dot(z, offset), -p->size2[1], p->size2[1]);
    sal_v3_addscaled(nearest, p->pos2, x, z);
    return phy_ball_ball(p, touch, p->pos1, p->size1[0], nearest, p->size2[0]);
}

/* Two axes c1 + x1 a1, c2 + x2 a2, x in [-1,1]; |w + x1 a1 - x2 a2|^2 is least where aa x1 + ab x2
 *     = u, ab x1 + bb x2 = v. */
typedef struct phy_axes {
    double a1[3], a2[3];
    double aa, ab, bb, u, v;
} phy_axes;

/* The x2 nearest to x1, or the x1 nearest to x2, within the segment. */
static double nearest2(const phy_axes *s, double x1)
{
    return clamp((s->v - s->ab * x1) / s->bb, -1, 1);
}

static double nearest1(const phy_axes *s, double x2)
{
    return clamp((s->u - s->ab * x2) / s->aa, -1, 1);
}

static int balls_at(const phy_meeting *p, const phy_axes *s, phy_touch *touch, double x1, double x2)
{
    double p1[3], p2[3];
    sal_v3_addscaled(p1, p->pos1, x1, s->a1);
    sal_v3_addscaled(p2, p->pos2, x2, s->a2);
    return phy_ball_ball(p, touch, p1, p->size1[0], p2, p->size2[0]);
}

/* Parallel axes touch along a stretch: the ends of 1, then the ends of 2, at most two points. */
static int parallel(const phy_meeting *p, const phy_axes *s, phy_touch *touch)
{
    int count = balls_at(p, s, touch, 1, nearest2(s, 1));
    count += balls_at(p, s, touch + count, -1, nearest2(s, -1));
    for (int side = 1; side >= -1 && count < 2; side -= 2) {
        count += balls_at(p, s, touch + count, nearest1(s, side), side);
    }
    return count;
}

int phy_capsule_capsule(const phy_meeting *p, phy_touch *touch)
{
    double w[3];
    phy_axes s;
    sal_m3_column(s.a1, p->mat1, 2);
    sal_m3_column(s.a2, p->mat2, 2);
    sal_v3_scale(s.a1, s.a1, p->size1[1]);
    sal_v3_scale(s.a2, s.a2, p->size2[1]);
    sal_v3_sub(w, p->pos1, p->pos2);
    s.aa = sal_v3_dot(s.a1, s.a1), s.ab = -sal_v3_dot(s.a1, s.a2), s.bb = sal_v3_dot(s.a2, s.a2);
    s.u = -sal_v3_dot(s.a1, w), s.v = sal_v3_dot(s.a2, w);
    const double det = s.aa * s.bb - s.ab * s.ab;
    if (!(fabs(det) >= SAL_MINVAL)) {
        return parallel(p, &s, touch);
    }
    double x1 = (s.bb * s.u - s.ab * s.v) / det;
    double x2 = (s.aa * s.v - s.ab * s.u) / det;
    if (x1 > 1 || x1 < -1) {
        x1 = clamp(x1, -1, 1);
        x2 = (s.v - s.ab * x1) / s.bb;
    }
    if (x2 > 1 || x2 < -1) {
        x2 = clamp(x2, -1, 1);
        x1 = nearest1(&s, x2);
    }
    return balls_at(p, &s, touch, x1, x2);
}

/* Where the centre of the sphere lies against the cylinder decides: beside the wall, the axis point
 * as a ball of its radius; above a cap, the cap's plane; beyond both, the rim as a ball of no
 * radius; inside, the nearer of wall and cap. */
int phy_sphere_cylinder(const phy_meeting *p, phy_touch *touch)
{
    double z[3], offset[3], radial[3], point[3];
    const double r = p->size2[0], half = p->size2[1], ball = p->size1[0];
    sal_m3_column(z, p->mat2, 2);
    sal_v3_sub(offset, p->pos1, p->pos2);
    const double x = sal_v3_dot(z, offset);
    sal_v3_addscaled(radial, offset, -x, z);
    const double rho = sal_v3_norm(radial);
    const bool beside = fabs(x) < half, above = rho < r;
    const bool cap = above && !(beside && half - fabs(x) >= r - rho);
    if (beside && !cap) {
        sal_v3_addscaled(point, p->pos2, x, z);
        return phy_ball_ball(p, touch, p->pos1, ball, point, r);
    }
    const double side = x > 0 ? 1 : -1;
    sal_v3_addscaled(point, p->pos2, side * half, z);
    if (!cap) {
        sal_v3_addscaled(point, point, r / rho, radial);
        return phy_ball_ball(p, touch, p->pos1, ball, point, 0);
    }
    /* the cap's plane, normal side z; n points from the sphere into the cylinder */
    const double dist = side * x - half - ball;
    if (!(dist <= p->margin)) {
        return 0;
    }
    touch->dist = dist;
    sal_v3_scale(touch->normal, z, -side);
    sal_v3_addscaled(touch->pos, p->pos1, ball + 0.5 * dist, touch->normal);
    sal_v3_set(touch->tangent, 0, 0, 0);
    return 1;
}
