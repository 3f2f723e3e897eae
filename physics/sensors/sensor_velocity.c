/* sensor_velocity.c: sensors that see velocities.
 *
 *     frame, relative to ref:   linvel R_r'(v - v_r - w_r x (p - p_r))      angvel R_r'(w - w_r)
 */
#include "base/house.h"
#include "physics/sensors/sensor.h"

#include <string.h>

static void frame_velocity(const sal_model *m, const sal_data *d, int i, double *out)
{
    phy_pose object, ref;
    double v[3], w[3], vr[3], wr[3], arm[3], swing[3];
    phy_object_pose(m, d, m->sensor_objtype[i], m->sensor_objid[i], &object);
    phy_object_pose(m, d, m->sensor_reftype[i], m->sensor_refid[i], &ref);
    sal_point_velocity(m, d, v, w, object.pos, object.body);
    sal_point_velocity(m, d, vr, wr, ref.pos, ref.body);
    if (m->sensor_type[i] == SAL_SENS_FRAMEANGVEL) {
        sal_v3_sub(w, w, wr);
        sal_m3_multv(out, ref.mat, w);
        return;
    }
    sal_v3_sub(arm, object.pos, ref.pos);
    sal_v3_cross(swing, wr, arm);
    sal_v3_sub(v, v, vr);
    sal_v3_sub(v, v, swing);
    sal_m3_multv(out, ref.mat, v);
}

/* R' v, R' w of a site */
static void site_velocity(const sal_model *m, const sal_data *d, int i, double *out)
{
    const int id = m->sensor_objid[i];
    double v[3], w[3];
    sal_point_velocity(m, d, v, w, d->site_xpos + 3 * id, m->site_bodyid[id]);
    sal_m3_multv(out, d->site_xmat + 9 * id, m->sensor_type[i] == SAL_SENS_GYRO ? w : v);
}

void phy_sensor_velocity(const sal_model *m, const sal_data *d, int i, double *out)
{
    const int id = m->sensor_objid[i];
    switch (m->sensor_type[i]) {
    case SAL_SENS_VELOCIMETER:
    case SAL_SENS_GYRO:
        site_velocity(m, d, i, out);
        break;
    case SAL_SENS_JOINTVEL:
        out[0] = d->qvel[m->jnt_dofadr[id]];
        break;
    case SAL_SENS_TENDONVEL:
        out[0] = d->ten_velocity[id];
        break;
    case SAL_SENS_JOINTLIMITVEL:
    case SAL_SENS_TENDONLIMITVEL: {
        const int row = phy_limit_row(m, d, i);
        out[0] = row < 0 ? 0 : d->efc_vel[row];
        break;
    }
    case SAL_SENS_ACTUATORVEL:
        memcpy(out, d->actuator_velocity + phy_sensor_actuator(m, id),
               (size_t)m->sensor_dim[i] * sizeof *out);
        break;
    case SAL_SENS_BALLANGVEL:
        sal_v3_copy(out, d->qvel + m->jnt_dofadr[id]);
        break;
    case SAL_SENS_FRAMELINVEL:
    case SAL_SENS_FRAMEANGVEL:
        frame_velocity(m, d, i, out);
        break;
    case SAL_SENS_E_KINETIC:
        out[0] = d->energy[1];
        break;
    case SAL_SENS_SUBTREELINVEL:
        sal_v3_copy(out, d->subtree_linvel + 3 * id);
        break;
    case SAL_SENS_SUBTREEANGMOM:
        sal_v3_copy(out, d->subtree_angmom + 3 * id);
        break;
    default:
        break;
    }
}
