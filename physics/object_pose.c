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

/* ---- cameras ---- */

/* x = x_b + R_b pos,  R = R(Q_b quat) */
static void fixed_pose(const sal_model *m, const sal_data *d, int camera, phy_pose *pose)
{
    const int b = m->cam_bodyid[camera];
    double quat[4], pos[3], mat[9];
    sal_m3_mulv(pos, d->xmat + 9 * b, m->cam_pos + 3 * camera);
    sal_v3_add(pos, pos, d->xpos + 3 * b);
    phy_object_quat(m, d, SAL_OBJ_CAMERA, camera, quat);
    sal_quat_matrix(mat, quat);
    set_pose(pose, b, pos, mat);
}

/* The centre of what the target carries, even if only the body's own is followed then: as in
 * MuJoCo. */
void phy_camera_constants(sal_model *m, const sal_data *d)
{
    for (int i = 0; i < m->ncam; i++) {
        const int b = m->cam_bodyid[i], target = m->cam_targetbodyid[i];
        phy_pose pose;
        fixed_pose(m, d, i, &pose);
        sal_v3_sub(m->cam_pos0 + 3 * i, pose.pos, d->xpos + 3 * b);
        sal_v3_sub(m->cam_poscom0 + 3 * i, pose.pos,
                   d->subtree_com + 3 * (target < 0 ? b : target));
        memcpy(m->cam_mat0 + 9 * i, pose.mat, sizeof pose.mat);
    }
}

const double *phy_camera_target(const sal_model *m, const sal_data *d, int camera)
{
    const int mode = m->cam_mode[camera], target = m->cam_targetbodyid[camera];
    return target < 0                      ? NULL
           : mode == SAL_CAM_TARGETBODY    ? d->xpos + 3 * target
           : mode == SAL_CAM_TARGETBODYCOM ? d->subtree_com + 3 * target
                                           : NULL;
}

/*     track     x = x_b + pos0 (of all that b carries: c_b + poscom0),  R = R0
 *     target t  z = (x - t)/|x - t|,  x = e_z x z/|e_z x z|,  y = z x x:  it sees along -z
 *
 * Not inlined: most objects are no cameras, and would save registers that only this needs. */
__attribute__((noinline)) static void camera_pose(const sal_model *m, const sal_data *d, int camera,
                                                  phy_pose *pose)
{
    static const double up[3] = {0, 0, 1};
    const double *target = phy_camera_target(m, d, camera);
    const int mode = m->cam_mode[camera], b = m->cam_bodyid[camera];
    double axis[3][3];
    fixed_pose(m, d, camera, pose);
    if (mode == SAL_CAM_TRACK || mode == SAL_CAM_TRACKCOM) {
        const bool com = mode == SAL_CAM_TRACKCOM;
        sal_v3_add(pose->pos, (com ? d->subtree_com : d->xpos) + 3 * b,
                   (com ? m->cam_poscom0 : m->cam_pos0) + 3 * camera);
        memcpy(pose->mat, m->cam_mat0 + 9 * camera, sizeof pose->mat);
    } else if (target != NULL) {
        sal_v3_sub(axis[2], pose->pos, target);
        sal_v3_normalise(axis[2]);
        sal_v3_cross(axis[0], up, axis[2]);
        sal_v3_normalise(axis[0]);
        sal_v3_cross(axis[1], axis[2], axis[0]);
        sal_v3_normalise(axis[1]);
        for (int k = 0; k < 9; k++) {
            pose->mat[k] = axis[k % 3][k / 3];
        }
    }
}

/* ---- any object ---- */

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
    case SAL_OBJ_CAMERA:
        camera_pose(m, d, id, pose);
        break;
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
