/* support.c: the farthest points of the convex shapes.
 *
 *     mesh: a corner of its hull (collide_mesh.c),  sphere 0, capsule (0, 0, +-L), box (+-s1, +-s2,
 *                                                   +-s3), ellipsoid S^2 n / |S n|, cylinder (r
 *                                                   n_xy/|n_xy|, +-L)
 */
#include "physics/collision/support.h"

#include "base/house.h"

void phy_shape_set(phy_shape *s, sal_geom_type type, const double pos[3], const double *mat,
                   const double *size, const double origin[3])
{
    *s = (phy_shape){.type = type, .mat = mat, .size = size};
    sal_v3_sub(s->pos, pos, origin);
    if (type == SAL_GEOM_SPHERE || type == SAL_GEOM_CAPSULE) {
        s->radius = size[0];
        s->extent = type == SAL_GEOM_CAPSULE ? size[1] : 0;
    } else if (type == SAL_GEOM_CYLINDER) {
        s->extent = fmax(size[0], size[1]);
    } else {
        s->extent = fmax(size[0], fmax(size[1], size[2]));
    }
}


/* In the shape's own axes. */
static void support_local(const phy_shape *s, const double l[3], double point[3])
{
    const double *size = s->size;
    sal_v3_set(point, 0, 0, 0);
    if (s->type == SAL_GEOM_CAPSULE) {
        point[2] = copysign(size[1], l[2]);
    } else if (s->type == SAL_GEOM_BOX) {
        sal_v3_set(point, copysign(size[0], l[0]), copysign(size[1], l[1]),
                   copysign(size[2], l[2]));
    } else if (s->type == SAL_GEOM_CYLINDER) {
        const double across = sqrt(l[0] * l[0] + l[1] * l[1]);
        const double scale = across > 0 ? size[0] / across : 0;
        sal_v3_set(point, scale * l[0], scale * l[1], copysign(size[1], l[2]));
    } else if (s->type == SAL_GEOM_ELLIPSOID) {
        const double sl[3] = {size[0] * l[0], size[1] * l[1], size[2] * l[2]};
        const double length = sal_v3_norm(sl);
        sal_v3_set(point, size[0] * sl[0] / length, size[1] * sl[1] / length,
                   size[2] * sl[2] / length);
    } else if (s->type == SAL_GEOM_MESH) {
        const int i = phy_hull_support(&s->hull, l);
        if (i >= 0) {
            sal_v3_copy(point, s->hull.vert + 3 * i);
        }
    }
}

void phy_shape_support(const phy_shape *s, const double n[3], double point[3])
{
    double l[3], local[3];
    sal_m3_multv(l, s->mat, n);
    support_local(s, l, local);
    sal_m3_mulv(point, s->mat, local);
    sal_v3_add(point, point, s->pos);
}

void phy_vertex_least(phy_vertex *v, const phy_shape *A, const phy_shape *B, const double n[3])
{
    const double back[3] = {-n[0], -n[1], -n[2]};
    phy_shape_support(A, n, v->a);
    phy_shape_support(B, back, v->b);
    sal_v3_sub(v->w, v->b, v->a);
}

double phy_separation(const phy_shape *A, const phy_shape *B, const double n[3])
{
    phy_vertex v;
    phy_vertex_least(&v, A, B, n);
    return sal_v3_dot(n, v.w);
}
