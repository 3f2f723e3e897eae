/* ray.c: where a ray meets geoms.  In the geom's axes the ray is  p + x v,  x >= 0:
 *
 *     plane      z = 0, from above, within the rectangle that the plane is drawn as (size 0: no
 *                end)
 *     sphere     |p + x v|^2 = r^2
 *     capsule    the round side for |z| <= l, the balls beyond
 *     ellipsoid  a sphere of radius 1 after division by the half axes
 *     cylinder   the round side for |z| <= l, the discs z = +-l
 *     box        six rectangles
 *
 * The nearest x counts; a ray from inside meets the far side.
 */
#include "physics/collision/ray.h"

#include "base/house.h"

#include <math.h>
#include <stddef.h>

/* The nearer of what was found so far (-1: nothing) and x */
static double nearer(double found, double x)
{
    return x >= 0 && (found < 0 || x < found) ? x : found;
}

/* Roots of a x^2 + 2 b x + c, the smaller first; false if there are none (or one: the ray only
 * touches). */
static bool quadratic(double a, double b, double c, double root[2])
{
    const double disc = b * b - a * c;
    if (disc < SAL_MINVAL || a < SAL_MINVAL) {
        return false;
    }
    root[0] = (-b - sqrt(disc)) / a;
    root[1] = (-b + sqrt(disc)) / a;
    return true;
}

static bool ball_roots(double radius, const double p[3], const double v[3], double root[2])
{
    return quadratic(sal_v3_dot(v, v), sal_v3_dot(v, p), sal_v3_dot(p, p) - radius * radius, root);
}

static double ray_ball(double radius, const double p[3], const double v[3])
{
    double root[2], x = -1;
    if (ball_roots(radius, p, v, root)) {
        x = nearer(nearer(x, root[0]), root[1]);
    }
    return x;
}

static double ray_plane(const double size[3], const double p[3], const double v[3])
{
    if (v[2] > -SAL_MINVAL) { /* it looks away, or along */
        return -1;
    }
    const double x = -p[2] / v[2];
    for (int k = 0; k < 2; k++) {
        if (size[k] > 0 && fabs(p[k] + x * v[k]) > size[k]) {
            return -1;
        }
    }
    return x >= 0 ? x : -1;
}

/* The round side of a cylinder about z, |z| <= half */
static double ray_side(double radius, double half, const double p[3], const double v[3])
{
    double root[2], x = -1;
    if (quadratic(v[0] * v[0] + v[1] * v[1], v[0] * p[0] + v[1] * p[1],
                  p[0] * p[0] + p[1] * p[1] - radius * radius, root)) {
        for (int k = 0; k < 2; k++) {
            if (fabs(p[2] + root[k] * v[2]) <= half) {
                x = nearer(x, root[k]);
            }
        }
    }
    return x;
}

static double ray_capsule(const double size[3], const double p[3], const double v[3])
{
    double x = ray_side(size[0], size[1], p, v), root[2];
    for (int end = -1; end <= 1; end += 2) {
        const double q[3] = {p[0], p[1], p[2] - end * size[1]};
        if (!ball_roots(size[0], q, v, root)) {
            continue;
        }
        for (int k = 0; k < 2; k++) {
            if (end * (p[2] + root[k] * v[2]) >= size[1]) {
                x = nearer(x, root[k]);
            }
        }
    }
    return x;
}

static double ray_ellipsoid(const double size[3], const double p[3], const double v[3])
{
    double a = 0, b = 0, c = -1, root[2], x = -1;
    for (int k = 0; k < 3; k++) {
        const double s = 1 / (size[k] * size[k]);
        a += s * v[k] * v[k];
        b += s * v[k] * p[k];
        c += s * p[k] * p[k];
    }
    if (quadratic(a, b, c, root)) {
        x = nearer(nearer(x, root[0]), root[1]);
    }
    return x;
}

static double ray_cylinder(const double size[3], const double p[3], const double v[3])
{
    double x = ray_side(size[0], size[1], p, v);
    for (int end = -1; end <= 1 && fabs(v[2]) > SAL_MINVAL; end += 2) {
        const double at = (end * size[1] - p[2]) / v[2];
        const double px = p[0] + at * v[0], py = p[1] + at * v[1];
        if (px * px + py * py <= size[0] * size[0]) {
            x = nearer(x, at);
        }
    }
    return x;
}

static double ray_box(const double size[3], const double p[3], const double v[3])
{
    double x = -1;
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        for (int end = -1; end <= 1 && fabs(v[k]) > SAL_MINVAL; end += 2) {
            const double at = (end * size[k] - p[k]) / v[k];
            if (fabs(p[i] + at * v[i]) <= size[i] && fabs(p[j] + at * v[j]) <= size[j]) {
                x = nearer(x, at);
            }
        }
    }
    return x;
}

double phy_ray_shape(sal_geom_type type, const double *size, const double pos[3],
                     const double mat[9], const double from[3], const double dir[3])
{
    double away[3], p[3], v[3];
    sal_v3_sub(away, from, pos);
    sal_m3_multv(p, mat, away);
    sal_m3_multv(v, mat, dir);
    switch (type) {
    case SAL_GEOM_PLANE:
        return ray_plane(size, p, v);
    case SAL_GEOM_SPHERE:
        return ray_ball(size[0], p, v);
    case SAL_GEOM_CAPSULE:
        return ray_capsule(size, p, v);
    case SAL_GEOM_ELLIPSOID:
        return ray_ellipsoid(size, p, v);
    case SAL_GEOM_CYLINDER:
        return ray_cylinder(size, p, v);
    case SAL_GEOM_BOX:
        return ray_box(size, p, v);
    case SAL_GEOM_HFIELD:
    case SAL_GEOM_MESH:
    case SAL_NGEOMTYPES:
        break;
    }
    return -1;
}

bool phy_shape_holds(sal_geom_type type, const double *size, const double p[3])
{
    const double round = p[0] * p[0] + p[1] * p[1], beyond = fmax(fabs(p[2]) - size[1], 0);
    switch (type) {
    case SAL_GEOM_SPHERE:
        return round + p[2] * p[2] < size[0] * size[0];
    case SAL_GEOM_CAPSULE:
        return round + beyond * beyond < size[0] * size[0];
    case SAL_GEOM_CYLINDER:
        return round < size[0] * size[0] && fabs(p[2]) < size[1];
    case SAL_GEOM_ELLIPSOID: {
        const double x = p[0] / size[0], y = p[1] / size[1], z = p[2] / size[2];
        return x * x + y * y + z * z < 1;
    }
    case SAL_GEOM_BOX:
        return fabs(p[0]) < size[0] && fabs(p[1]) < size[1] && fabs(p[2]) < size[2];
    case SAL_GEOM_PLANE:
    case SAL_GEOM_HFIELD:
    case SAL_GEOM_MESH:
    case SAL_NGEOMTYPES:
        break;
    }
    return false;
}

/* A mesh, unless the ray misses the ball that holds it. */
static double ray_mesh_geom(const sal_model *m, const sal_data *d, int g, const double from[3],
                            const double dir[3])
{
    const double *mat = d->geom_xmat + 9 * g;
    double away[3], p[3], v[3];
    sal_v3_sub(away, from, d->geom_xpos + 3 * g);
    sal_m3_multv(p, mat, away);
    sal_m3_multv(v, mat, dir);
    return ray_ball(1.001 * m->geom_rbound[g], p, v) < 0 ? -1
                                                         : phy_ray_mesh(m, m->geom_dataid[g], p, v);
}

static double ray_field_geom(const sal_model *m, const sal_data *d, int g, const double from[3],
                             const double dir[3])
{
    const phy_field f = phy_field_of(m, g);
    const double *mat = d->geom_xmat + 9 * g;
    double away[3], p[3], v[3];
    sal_v3_sub(away, from, d->geom_xpos + 3 * g);
    sal_m3_multv(p, mat, away);
    sal_m3_multv(v, mat, dir);
    return phy_ray_field(&f, p, v);
}

static double ray_geom(const sal_model *m, const sal_data *d, int g, const double from[3],
                       const double dir[3])
{
    const int type = m->geom_type[g];
    return type == SAL_GEOM_MESH ? ray_mesh_geom(m, d, g, from, dir)
           : type == SAL_GEOM_HFIELD
               ? ray_field_geom(m, d, g, from, dir)
               : phy_ray_shape((sal_geom_type)type, m->geom_size + 3 * g, d->geom_xpos + 3 * g,
                               d->geom_xmat + 9 * g, from, dir);
}

double sal_ray(const sal_model *m, const sal_data *d, const double from[3], const double dir[3],
               int exclude, int *geom)
{
    double found = -1;
    int id = -1;
    for (int g = 0; g < m->ngeom; g++) {
        if (m->geom_bodyid[g] == exclude || m->geom_rgba[4 * g + 3] == 0) {
            continue;
        }
        const double x = ray_geom(m, d, g, from, dir);
        if (x >= 0 && (found < 0 || x < found)) {
            found = x;
            id = g;
        }
    }
    if (geom != NULL) {
        *geom = id;
    }
    return found;
}

/* From above all of it, straight down */
double sal_field_height(const sal_model *m, const sal_data *d, int geom, const double point[3])
{
    const phy_field f = phy_field_of(m, geom);
    const double down[3] = {0, 0, -1};
    double away[3], p[3];
    sal_v3_sub(away, point, d->geom_xpos + 3 * geom);
    sal_m3_multv(p, d->geom_xmat + 9 * geom, away);
    if (fabs(p[0]) > f.size[0] || fabs(p[1]) > f.size[1]) {
        return NAN;
    }
    const double top = 2 * f.size[2] + 1, from[3] = {p[0], p[1], top};
    return p[2] - (top - phy_ray_field(&f, from, down));
}
