/* geom_inertia.c: volume and inertia of the shapes of geoms, solid or as a shell. */
#include "mjcf/compile.h"

static const double pi = 3.14159265358979323846;

/* ---- of solids ----
 *
 *     sphere     V = 4/3 pi r^3       I = 2/5 m r^2
 *     capsule    V = pi r^2 h + sphere, of a cylinder c (height h) and two half spheres s:
 *                Ixx = c (3 r^2 + h^2)/12 + 2/5 s r^2 + s h (3 r + 2 h)/8,
 *                Izz = c r^2/2 + 2/5 s r^2
 *     cylinder   V = pi r^2 h         Ixx = m (3 r^2 + h^2)/12,  Izz = m r^2/2
 *     ellipsoid  V = 4/3 pi a b c     Ixx = m (b^2 + c^2)/5
 *     box        V = 8 a b c          Ixx = m (b^2 + c^2)/3 */

static void box_like(double inertia[3], const double s[3], double factor)
{
    inertia[0] = factor * (s[1] * s[1] + s[2] * s[2]);
    inertia[1] = factor * (s[0] * s[0] + s[2] * s[2]);
    inertia[2] = factor * (s[0] * s[0] + s[1] * s[1]);
}

double spec_geom_inertia(int type, const double size[3], double inertia[3])
{
    const double r = size[0], h = 2 * size[1], ball = 4.0 / 3 * pi * r * r * r;
    double volume = 0, across;
    sal_v3_set(inertia, 0, 0, 0);
    switch ((sal_geom_type)type) {
    case SAL_GEOM_SPHERE:
        volume = ball;
        inertia[0] = inertia[1] = inertia[2] = 0.4 * volume * r * r;
        break;
    case SAL_GEOM_CAPSULE: {
        const double c = pi * r * r * h, s = ball;
        volume = c + s;
        across = c * (3 * r * r + h * h) / 12 + 0.4 * s * r * r + s * h * (3 * r + 2 * h) / 8;
        sal_v3_set(inertia, across, across, c * r * r / 2 + 0.4 * s * r * r);
        break;
    }
    case SAL_GEOM_CYLINDER:
        volume = pi * r * r * h;
        across = volume * (3 * r * r + h * h) / 12;
        sal_v3_set(inertia, across, across, volume * r * r / 2);
        break;
    case SAL_GEOM_ELLIPSOID:
        volume = 4.0 / 3 * pi * size[0] * size[1] * size[2];
        box_like(inertia, size, volume / 5);
        break;
    case SAL_GEOM_BOX:
    case SAL_GEOM_HFIELD: /* MuJoCo takes it for a box of the geom's size */
        volume = 8 * size[0] * size[1] * size[2];
        box_like(inertia, size, volume / 3);
        break;
    case SAL_GEOM_PLANE:
    case SAL_GEOM_MESH:
    case SAL_NGEOMTYPES:
        break;
    }
    return volume;
}

/* ---- of surfaces ----
 *
 *     sphere     A = 4 pi r^2                          I = 2/3 m r^2
 *     capsule    of a tube t (height h) and two half spheres s:
 *                Ixx = t (6 r^2 + h^2)/12 + 2/3 s r^2 + s h (r/2 + h/4),   Izz = t r^2 + 2/3 s r^2
 *     cylinder   of a tube t and two discs d:
 *                Ixx = t (6 r^2 + h^2)/12 + d (r^2 + h^2)/4,   Izz = t r^2 + d r^2/2
 *     box        of three pairs of faces, each its own thin plates at their distance */

static double shell_capsule(const double size[3], double inertia[3])
{
    const double r = size[0], h = 2 * size[1], t = 2 * pi * r * h, s = 4 * pi * r * r;
    const double across = t * (6 * r * r + h * h) / 12 + s * (2 * r * r / 3 + h * (r / 2 + h / 4));
    sal_v3_set(inertia, across, across, t * r * r + 2 * s * r * r / 3);
    return t + s;
}

static double shell_cylinder(const double size[3], double inertia[3])
{
    const double r = size[0], h = 2 * size[1], t = 2 * pi * r * h, d = 2 * pi * r * r;
    const double across = t * (6 * r * r + h * h) / 12 + d * (r * r + h * h) / 4;
    sal_v3_set(inertia, across, across, t * r * r + d * r * r / 2);
    return t + d;
}

/* second moment about the centre along axis k: the faces across it lie at its ends, the others are
 * spread along it */
static double shell_box(const double s[3], double inertia[3])
{
    double second[3], total = 0;
    for (int k = 0; k < 3; k++) {
        const double a = s[(k + 1) % 3], b = s[(k + 2) % 3];
        const double ends = 8 * a * b, sides = 8 * s[k] * (a + b);
        second[k] = (ends + sides / 3) * s[k] * s[k];
        total += ends;
    }
    for (int k = 0; k < 3; k++) {
        inertia[k] = second[(k + 1) % 3] + second[(k + 2) % 3];
    }
    return total;
}

/* Thomsen's area,  4 pi (((ab)^p + (ac)^p + (bc)^p)/3)^(1/p), p = 1.6075, and the inertia of a
 *                  layer of 1e-6 m, as MuJoCo has them */
static double shell_ellipsoid(const double s[3], double inertia[3])
{
    static const double p = 1.6075, layer = 1e-6;
    const double mean = (pow(s[0] * s[1], p) + pow(s[0] * s[2], p) + pow(s[1] * s[2], p)) / 3;
    const double area = 4 * pi * pow(mean, 1 / p);
    const double outer[3] = {s[0] + layer, s[1] + layer, s[2] + layer};
    double inner[3];
    const double volume = spec_geom_inertia(SAL_GEOM_ELLIPSOID, outer, inertia) -
                          spec_geom_inertia(SAL_GEOM_ELLIPSOID, s, inner);
    sal_v3_sub(inertia, inertia, inner);
    sal_v3_scale(inertia, inertia, area / volume);
    return area;
}

double spec_shell_inertia(int type, const double size[3], double inertia[3])
{
    double area = 4 * pi * size[0] * size[0];
    switch ((sal_geom_type)type) {
    case SAL_GEOM_SPHERE:
        inertia[0] = inertia[1] = inertia[2] = 2 * area * size[0] * size[0] / 3;
        return area;
    case SAL_GEOM_CAPSULE:
        return shell_capsule(size, inertia);
    case SAL_GEOM_CYLINDER:
        return shell_cylinder(size, inertia);
    case SAL_GEOM_BOX:
    case SAL_GEOM_HFIELD:
        return shell_box(size, inertia);
    case SAL_GEOM_ELLIPSOID:
        return shell_ellipsoid(size, inertia);
    case SAL_GEOM_PLANE:
    case SAL_GEOM_MESH:
    case SAL_NGEOMTYPES:
        break;
    }
    sal_v3_set(inertia, 0, 0, 0);
    return 0;
}
