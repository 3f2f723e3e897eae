/* apart.h: whether two shapes are so far apart that the function of their types need not be asked,
 * in one instant or in several; private to physics/.
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
 * in the shape's own axes. The direction of c and the axes of both are tried. (Gottschalk, Lin,
 * Manocha, "OBBTree", SIGGRAPH 1996, with all fifteen axes that two boxes need.) Of two boxes only
 * their axes are: the distance of box_box is one along its own choice of axes, and may be less than
 * that of the nearest points.
 */
#ifndef SAL_PHYSICS_COLLISION_APART_H
#define SAL_PHYSICS_COLLISION_APART_H

#include "physics/width.h"

#define PHY_NEARLY_IN_REACH 1e-6 /* m: such pairs are looked at */

/* A sphere or what comes after it: centre, rotation (rows), size */
typedef struct phy_solid {
    sal_geom_type type;
    const phy_real *pos, *mat;
    const double *size;
} phy_solid;

/* The radius of a sphere or a capsule, which h has along every n; 0 for others */
static inline double phy_solid_radius(const phy_solid *s)
{
    return s->type == SAL_GEOM_SPHERE || s->type == SAL_GEOM_CAPSULE ? s->size[0] : 0;
}

/* |axis j . n| */
static SAL_INLINE void phy_solid_along(phy_real *r, const phy_solid *s, int j, const phy_real n[3])
{
    phy_real axis[3];
    phy_m3_column(axis, s->mat, j);
    phy_v3_dot(r, axis, n);
    phy_abs(r, r);
}

/* h(n) without that radius; n of any length */
static SAL_INLINE void phy_solid_width(phy_real *h, const phy_solid *s, const phy_real n[3])
{
    phy_real x, y, z, square;
    if (s->type == SAL_GEOM_SPHERE) {
        *h = (phy_real){0};
        return;
    }
    phy_solid_along(&z, s, 2, n);
    if (s->type == SAL_GEOM_CAPSULE) {
        *h = s->size[1] * z;
        return;
    }
    phy_solid_along(&x, s, 0, n);
    phy_solid_along(&y, s, 1, n);
    if (s->type == SAL_GEOM_CYLINDER) {
        square = x * x + y * y;
        phy_sqrt(h, &square);
        *h = s->size[0] * *h + s->size[1] * z;
        return;
    }
    x = s->size[0] * x, y = s->size[1] * y, z = s->size[2] * z;
    if (s->type == SAL_GEOM_ELLIPSOID) {
        square = x * x + y * y + z * z;
        phy_sqrt(h, &square);
        return;
    }
    *h = x + y + z;
}

/* apart := apart, or parted along an axis of a */
static SAL_INLINE void phy_try_axes(phy_truth *apart, const phy_solid *a, const phy_solid *b,
                                    const phy_real c[3], double reach)
{
    for (int k = 0; k < 3 && !phy_all(apart); k++) {
        phy_real n[3], gap, wide1, wide2;
        phy_m3_column(n, a->mat, k);
        phy_v3_dot(&gap, n, c);
        phy_abs(&gap, &gap);
        phy_solid_width(&wide1, a, n);
        phy_solid_width(&wide2, b, n);
        *apart |= gap - wide1 - wide2 > reach;
    }
}

/* apart := parted along the way c from centre to centre:
 *     |c|^2 - h1(c) - h2(c) > |c| reach,  without a root */
static SAL_INLINE void phy_try_centres(phy_truth *apart, const phy_solid *a, const phy_solid *b,
                                       const phy_real c[3], double reach)
{
    phy_real square, wide1, wide2;
    phy_v3_dot(&square, c, c);
    phy_solid_width(&wide1, a, c);
    phy_solid_width(&wide2, b, c);
    const phy_real rest = square - wide1 - wide2;
    *apart = (rest > 0) & (rest * rest > square * (reach * reach));
}

/* True only if the surfaces are farther apart than the margin; false where that takes a closer
 * look, too. */
static SAL_INLINE void phy_are_apart(phy_truth *apart, const phy_solid *a, const phy_solid *b,
                                     double margin)
{
    const double reach = phy_solid_radius(a) + phy_solid_radius(b) + margin + PHY_NEARLY_IN_REACH;
    phy_real c[3];
    phy_v3_sub(c, b->pos, a->pos);
    *apart = (phy_truth){0};
    if (a->type != SAL_GEOM_BOX || b->type != SAL_GEOM_BOX) {
        phy_try_centres(apart, a, b, c, reach);
    }
    phy_try_axes(apart, b, a, c, reach);
    phy_try_axes(apart, a, b, c, reach);
}

#endif
