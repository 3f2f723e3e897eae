/* apart.c: whether two shapes are so far apart that their function need not be asked.
 *
 * With h(n) = max over a shape's points of n.x, about its centre, and c the way from centre to
 * centre, two shapes are parted along a unit vector n, whichever it is, by at least
 *
 *     |n.c| - h1(n) - h2(n)
 *
 *     sphere     h = r                      cylinder    r |(n_x, n_y)| + l |n_z|
 *     capsule    r + l |n_z|                ellipsoid   |(s_x n_x, s_y n_y, s_z n_z)|
 *     box        s_x |n_x| + s_y |n_y| + s_z |n_z|, and so of the box around a mesh
 *
 * in the shape's own axes. The axes of both and the direction of c are tried. (Gottschalk, Lin,
 * Manocha, "OBBTree", SIGGRAPH 1996, with all fifteen axes that two boxes need.)
 */
#include "base/house.h"
#include "physics/collision/collide.h"

static const double rounding = 1e-6; /* m: what is nearly in reach is looked at */

/* h(n), the radius of a sphere or a capsule left out; n of any length */
static double half_width(sal_geom_type type, const double *s, const double n[3])
{
    const double x = fabs(n[0]), y = fabs(n[1]), z = fabs(n[2]);
    return type == SAL_GEOM_SPHERE      ? 0
           : type == SAL_GEOM_CAPSULE   ? s[1] * z
           : type == SAL_GEOM_CYLINDER  ? s[0] * sqrt(x * x + y * y) + s[1] * z
           : type == SAL_GEOM_ELLIPSOID ? sal_v3_norm((double[3]){s[0] * x, s[1] * y, s[2] * z})
                                        : s[0] * x + s[1] * y + s[2] * z;
}

static double radius(sal_geom_type type, const double *s)
{
    return type == SAL_GEOM_SPHERE || type == SAL_GEOM_CAPSULE ? s[0] : 0;
}

/* h1 + h2, without the radii, along n in the axes of the world */
static double widths(const phy_meeting *p, const double n[3])
{
    double along1[3], along2[3];
    sal_m3_multv(along1, p->mat1, n);
    sal_m3_multv(along2, p->mat2, n);
    return half_width(p->type1, p->size1, along1) + half_width(p->type2, p->size2, along2);
}

static bool parted_by_axes(const phy_meeting *p, const double mat[9], const double c[3],
                           double reach)
{
    for (int k = 0; k < 3; k++) {
        double n[3];
        sal_m3_column(n, mat, k);
        if (fabs(sal_v3_dot(n, c)) - widths(p, n) > reach) {
            return true;
        }
    }
    return false;
}

bool phy_are_apart(const phy_meeting *p)
{
    double c[3];
    sal_v3_sub(c, p->pos2, p->pos1);
    const double length = sal_v3_norm(c), reach = radius(p->type1, p->size1) +
                                                  radius(p->type2, p->size2) + p->margin + rounding;
    return length * (length - reach) > widths(p, c) || parted_by_axes(p, p->mat2, c, reach) ||
           parted_by_axes(p, p->mat1, c, reach);
}
