/* sensor.c: the sensors of one stage, their frames, and their cutoff. */
#include "physics/sensor.h"

#include "physics/stages.h"

#include <string.h>

static void world_pose(sal_pose *pose)
{
    memset(pose, 0, sizeof *pose);
    pose->mat[0] = pose->mat[4] = pose->mat[8] = 1;
}

static void set_pose(sal_pose *pose, int body, const double pos[3], const double mat[9])
{
    pose->body = body;
    sal_v3_copy(pose->pos, pos);
    memcpy(pose->mat, mat, sizeof pose->mat);
}

void sal_object_pose(const sal_model *m, const sal_data *d, int type, int id, sal_pose *pose)
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
        sal_object_quat(m, d, type, id, quat);
        sal_quat_matrix(mat, quat);
        set_pose(pose, b, pos, mat);
        break;
    }
    default:
        break;
    }
}

void sal_object_quat(const sal_model *m, const sal_data *d, int type, int id, double quat[4])
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

int sal_limit_row(const sal_model *m, const sal_data *d, int i)
{
    const bool tendon = m->sensor_objtype[i] == SAL_OBJ_TENDON;
    const int type = tendon ? SAL_EFC_LIMIT_TENDON : SAL_EFC_LIMIT_JOINT;
    for (int row = 0; row < d->nefc; row++) {
        if (d->efc_type[row] == type && d->efc_id[row] == m->sensor_objid[i]) {
            return row;
        }
    }
    return -1;
}

static void apply_cutoff(const sal_model *m, int i, double *out)
{
    const double cutoff = m->sensor_cutoff[i];
    const int datatype = m->sensor_datatype[i];
    if (cutoff <= 0 || datatype == SAL_DATA_AXIS || datatype == SAL_DATA_QUATERNION ||
        m->sensor_type[i] == SAL_SENS_GEOMFROMTO || m->sensor_type[i] == SAL_SENS_CONTACT) {
        return;
    }
    for (int k = 0; k < m->sensor_dim[i]; k++) {
        out[k] = out[k] > cutoff                                     ? cutoff
                 : out[k] < -cutoff && datatype != SAL_DATA_POSITIVE ? -cutoff
                                                                     : out[k];
    }
}

static bool is_energy(int type)
{
    return type == SAL_SENS_E_POTENTIAL || type == SAL_SENS_E_KINETIC;
}

/* What several sensors of the stage share, if one of them asks for it. */
static void prepare(const sal_model *m, sal_data *d, sal_stage stage)
{
    bool force = false, energy = false;
    for (int i = 0; i < m->nsensor; i++) {
        const bool now = m->sensor_stage[i] == (int)stage;
        force = force || (now && sal_sensor_needs_body_force(m->sensor_type[i]));
        energy = energy || (now && is_energy(m->sensor_type[i]));
    }
    if (force) {
        sal_body_force(m, d);
    }
    if (energy) {
        sal_energy(m, d);
    }
}

void sal_sensors(const sal_model *m, sal_data *d, sal_stage stage)
{
    static void (*const compute[])(const sal_model *, const sal_data *, int, double *) = {
        [SAL_STAGE_POS] = sal_sensor_position,
        [SAL_STAGE_VEL] = sal_sensor_velocity,
        [SAL_STAGE_ACC] = sal_sensor_acceleration,
    };
    if (m->opt.disable & SAL_DSBL_SENSOR) {
        return;
    }
    prepare(m, d, stage);
    for (int i = 0; i < m->nsensor; i++) {
        if (m->sensor_stage[i] == (int)stage) {
            double *out = d->sensordata + m->sensor_adr[i];
            compute[stage](m, d, i, out);
            if (m->sensor_type[i] == SAL_SENS_USER && d->callback.sensor != NULL) {
                d->callback.sensor(m, d, i, out, d->callback.user);
            }
            apply_cutoff(m, i, out);
        }
    }
}
