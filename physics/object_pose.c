/* object_pose.c: where a body, geom, site or camera is in the world. */
#include "physics/object_pose.h"

#include "base/house.h"

#include <string.h>

static void world_pose(phy_pose *pose)
{
    memset(pose, 0, sizeof *pose);
    pose->mat[0] = pose->mat[4] = pose->mat[8] = 1;
}

static void set_pose(phy_pose *pose, int body, const double pos[3], const double mat[9])
{
    pose->body = body;
    sal_v3_copy(pose->pos, pos);
    memcpy(pose->mat, mat, sizeof pose->mat);
}

void phy_object_pose(const sal_model *m, const sal_data *d, int type, int id, phy_pose *pose)
{
    world_pose(pose);
    if (id < 0) {
        return;
    }
    switch (type) {
    case SAL_OBJ_BODY:
        set_pose(pose, id, d->xipos + 3 * id, d->ximat + 9 * id);
        break;
    case SAL_OBJ_XBODY:
        set_pose(pose, id, d->xpos + 3 * id, d->xmat + 9 * id);
        break;
    case SAL_OBJ_GEOM:
        set_pose(pose, m->geom_bodyid[id], d->geom_xpos + 3 * id, d->geom_xmat + 9 * id);
        break;
    case SAL_OBJ_SITE:
        set_pose(pose, m->site_bodyid[id], d->site_xpos + 3 * id, d->site_xmat + 9 * id);
        break;
    case SAL_OBJ_CAMERA: {
        const int b = m->cam_bodyid[id];
        double quat[4], pos[3], mat[9];
        sal_m3_mulv(pos, d->xmat + 9 * b, m->cam_pos + 3 * id);
        sal_v3_add(pos, pos, d->xpos + 3 * b);
        phy_object_quat(m, d, type, id, quat);
        sal_quat_matrix(mat, quat);
        set_pose(pose, b, pos, mat);
        break;
    }
    default:
        break;
    }
}

void phy_object_quat(const sal_model *m, const sal_data *d, int type, int id, double quat[4])
{
    static const double identity[4] = {1, 0, 0, 0};
    const double *own = identity;
    int body = 0;
    switch (id < 0 ? SAL_OBJ_NONE : type) {
    case SAL_OBJ_BODY:
        body = id, own = m->body_iquat + 4 * id;
        break;
    case SAL_OBJ_XBODY:
        body = id;
        break;
    case SAL_OBJ_GEOM:
        body = m->geom_bodyid[id], own = m->geom_quat + 4 * id;
        break;
    case SAL_OBJ_SITE:
        body = m->site_bodyid[id], own = m->site_quat + 4 * id;
        break;
    case SAL_OBJ_CAMERA:
        body = m->cam_bodyid[id], own = m->cam_quat + 4 * id;
        break;
    default:
        break;
    }
    sal_quat_mul(quat, d->xquat + 4 * body, own);
}
