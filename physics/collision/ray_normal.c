/* ray_normal.c: the outward normal of a geom where a ray meets it. In the geom's axes, at p:
 *
 *     plane      e_z                  sphere     p
 *     capsule    p less the nearest point of its axis
 *     ellipsoid  p_k/s_k^2
 *     cylinder   e_z towards a disc, else p across z, whichever surface p is nearer to
 *     box        towards the face that p is nearest to
 *     mesh       of the triangle that the ray meets
 */
#include "base/house.h"
#include "physics/collision/ray.h"

static void across(const double p[3], double n[3])
{
    sal_v3_set(n, p[0], p[1], 0);
}

static void of_cylinder(const double *size, const double p[3], double n[3])
{
    const double side = fabs(sqrt(p[0] * p[0] + p[1] * p[1]) - size[0]);
    if (fabs(fabs(p[2]) - size[1]) < side) {
        sal_v3_set(n, 0, 0, p[2]);
    } else {
        across(p, n);
    }
}

static void of_box(const double *size, const double p[3], double n[3])
{
    int nearest = 0;
    for (int k = 1; k < 3; k++) {
        if (fabs(fabs(p[k]) - size[k]) < fabs(fabs(p[nearest]) - size[nearest])) {
            nearest = k;
        }
    }
    sal_v3_set(n, 0, 0, 0);
    n[nearest] = p[nearest];
}

/* n is e_z so far */
static void of_shape(sal_geom_type type, const double *size, const double p[3], double n[3])
{
    switch (type) {
    case SAL_GEOM_SPHERE:
        sal_v3_copy(n, p);
        break;
    case SAL_GEOM_CAPSULE:
        sal_v3_set(n, p[0], p[1], p[2] - fmax(-size[1], fmin(p[2], size[1])));
        break;
    case SAL_GEOM_ELLIPSOID:
        sal_v3_set(n, p[0] / (size[0] * size[0]), p[1] / (size[1] * size[1]),
                   p[2] / (size[2] * size[2]));
        break;
    case SAL_GEOM_CYLINDER:
        of_cylinder(size, p, n);
        break;
    case SAL_GEOM_BOX:
        of_box(size, p, n);
        break;
    case SAL_GEOM_PLANE:
    case SAL_GEOM_HFIELD:
    case SAL_GEOM_MESH:
    case SAL_NGEOMTYPES:
        break;
    }
}

void phy_ray_normal(const sal_model *m, const sal_data *d, int geom, const double from[3],
                    const double dir[3], double x, double normal[3])
{
    const double *mat = d->geom_xmat + 9 * geom;
    const int type = m->geom_type[geom];
    double away[3], start[3], v[3], p[3], n[3] = {0, 0, 1};
    sal_v3_sub(away, from, d->geom_xpos + 3 * geom);
    sal_m3_multv(start, mat, away);
    sal_m3_multv(v, mat, dir);
    sal_v3_addscaled(p, start, x, v);
    if (type == SAL_GEOM_MESH) {
        phy_mesh_normal(m, m->geom_dataid[geom], start, v, n);
    } else if (type == SAL_GEOM_HFIELD) {
        const phy_field f = phy_field_of(m, geom);
        phy_field_normal(&f, p, n);
    } else {
        of_shape((sal_geom_type)type, m->geom_size + 3 * geom, p, n);
    }
    sal_v3_normalise(n);
    sal_m3_mulv(normal, mat, n);
}
