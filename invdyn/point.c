/* point.c: points of bodies whose height over the floor matters. */
#include "base/house.h"
#include "invdyn/invdyn.h"

#include <float.h>

/* Distance from a geom's centre to its end along its own z axis, and the radius of the rounded
 * end. */
static void geom_end(const sal_model *m, int geom, double *reach, double *radius)
{
    const double *size = m->geom_size + 3 * geom;
    *reach = 0, *radius = 0;
    switch ((sal_geom_type)m->geom_type[geom]) {
    case SAL_GEOM_SPHERE:
        *radius = size[0];
        break;
    case SAL_GEOM_CAPSULE:
        *reach = size[1], *radius = size[0];
        break;
    case SAL_GEOM_CYLINDER:
        *reach = size[1];
        break;
    case SAL_GEOM_BOX:
    case SAL_GEOM_ELLIPSOID:
        *reach = size[2];
        break;
    case SAL_GEOM_PLANE:
    case SAL_GEOM_HFIELD:
    case SAL_GEOM_MESH:
    case SAL_NGEOMTYPES:
        break;
    }
}

sal_point sal_point_geom(const sal_model *m, int geom, int sign)
{
    sal_point point = {.body = m->geom_bodyid[geom], .plane = -1};
    double reach, z[3], axis[3] = {0, 0, 1};
    geom_end(m, geom, &reach, &point.radius);
    sal_quat_rotate(z, m->geom_quat + 4 * geom, axis);
    sal_v3_addscaled(point.pos, m->geom_pos + 3 * geom, sign * reach, z);
    return point;
}

sal_point sal_point_corner(const sal_model *m, int geom, int corner)
{
    sal_point point = {.body = m->geom_bodyid[geom], .plane = -1};
    double at[3];
    for (int i = 0; i < 3; i++) {
        at[i] = (corner >> i & 1 ? 1 : -1) * m->geom_size[3 * geom + i];
    }
    sal_quat_rotate(point.pos, m->geom_quat + 4 * geom, at);
    sal_v3_add(point.pos, point.pos, m->geom_pos + 3 * geom);
    return point;
}

sal_point sal_point_site(const sal_model *m, int site)
{
    sal_point point = {.body = m->site_bodyid[site], .site = 1 + site, .plane = -1};
    sal_v3_copy(point.pos, m->site_pos + 3 * site);
    return point;
}

const double *sal_point_local(const sal_model *m, const sal_point *point)
{
    return point->site > 0 ? m->site_pos + 3 * (point->site - 1) : point->pos;
}

sal_status sal_point_settle(sal_point *point, const sal_model *m, const sal_data *d, sal_err *err)
{
    double x[3], nearest = DBL_MAX;
    sal_m3_mulv(x, d->xmat + 9 * point->body, sal_point_local(m, point));
    sal_v3_add(x, x, d->xpos + 3 * point->body);
    point->plane = -1;
    for (int g = 0; g < m->ngeom; g++) {
        if (m->geom_type[g] != SAL_GEOM_PLANE || m->body_weldid[m->geom_bodyid[g]] != 0) {
            continue;
        }
        double normal[3], from[3];
        sal_m3_column(normal, d->geom_xmat + 9 * g, 2);
        sal_v3_sub(from, x, d->geom_xpos + 3 * g);
        const double height = sal_v3_dot(normal, from);
        if (normal[2] > 0 && height < nearest) {
            nearest = height;
            point->plane = g;
        }
    }
    if (point->plane < 0) {
        char name[SAL_LABEL_MAX];
        return sal_fail(err, SAL_BADINPUT,
                        "the model has no static plane under %s, so the height of its "
                        "points is not defined",
                        sal_model_label(m, SAL_OBJ_BODY, point->body, name));
    }
    return SAL_OK;
}
