/* sensor_position.c: sensors that see positions.
 *
 *     frame, relative to ref:   pos R_r'(p - p_r)      quat q_r* q      axis R_r' R e_k
 */
#include "base/house.h"
#include "physics/collision/ray.h"
#include "physics/sensors/sensor.h"

#include <string.h>

/* R_r' (p - p_r) */
static void frame_pos(const sal_model *m, const sal_data *d, int i, double *out)
{
    phy_pose object, ref;
    double away[3];
    phy_object_pose(m, d, m->sensor_objtype[i], m->sensor_objid[i], &object);
    phy_object_pose(m, d, m->sensor_reftype[i], m->sensor_refid[i], &ref);
    sal_v3_sub(away, object.pos, ref.pos);
    sal_m3_multv(out, ref.mat, away);
}

/* q_r* q */
static void frame_quat(const sal_model *m, const sal_data *d, int i, double *out)
{
    double q[4], ref[4], back[4];
    phy_object_quat(m, d, m->sensor_objtype[i], m->sensor_objid[i], q);
    if (m->sensor_refid[i] < 0) {
        sal_quat_copy(out, q);
        return;
    }
    phy_object_quat(m, d, m->sensor_reftype[i], m->sensor_refid[i], ref);
    sal_quat_conj(back, ref);
    sal_quat_mul(out, back, q);
}

/* R_r' R e_k */
static void frame_axis(const sal_model *m, const sal_data *d, int i, int k, double *out)
{
    phy_pose object, ref;
    double axis[3];
    phy_object_pose(m, d, m->sensor_objtype[i], m->sensor_objid[i], &object);
    phy_object_pose(m, d, m->sensor_reftype[i], m->sensor_refid[i], &ref);
    sal_m3_column(axis, object.mat, k);
    sal_m3_multv(out, ref.mat, axis);
}

/* 1 if the object's origin is in the volume of the site `ref`, else 0. A body without mass, but not
 * the world, is where the centre of mass of its subtree is, as in MuJoCo 3.12. */
static double is_inside(const sal_model *m, const sal_data *d, int i)
{
    const int site = m->sensor_refid[i], id = m->sensor_objid[i];
    const double *size = m->site_size + 3 * site;
    phy_pose object;
    double away[3], p[3];
    phy_object_pose(m, d, m->sensor_objtype[i], id, &object);
    if (m->sensor_objtype[i] == SAL_OBJ_BODY && id > 0 && m->body_mass[id] < SAL_MINVAL) {
        sal_v3_copy(object.pos, d->subtree_com + 3 * id);
    }
    sal_v3_sub(away, object.pos, d->site_xpos + 3 * site);
    sal_m3_multv(p, d->site_xmat + 9 * site, away);
    return phy_shape_holds((sal_geom_type)m->site_type[site], size, p);
}

static void of_frame(const sal_model *m, const sal_data *d, int i, double *out)
{
    switch (m->sensor_type[i]) {
    case SAL_SENS_FRAMEPOS:
        frame_pos(m, d, i, out);
        break;
    case SAL_SENS_FRAMEQUAT:
        frame_quat(m, d, i, out);
        break;
    case SAL_SENS_FRAMEXAXIS:
        frame_axis(m, d, i, 0, out);
        break;
    case SAL_SENS_FRAMEYAXIS:
        frame_axis(m, d, i, 1, out);
        break;
    case SAL_SENS_FRAMEZAXIS:
        frame_axis(m, d, i, 2, out);
        break;
    default:
        break;
    }
}

void phy_sensor_position(const sal_model *m, const sal_data *d, int i, double *out)
{
    const int id = m->sensor_objid[i];
    switch (m->sensor_type[i]) {
    case SAL_SENS_MAGNETOMETER: /* R' magnetic */
        sal_m3_multv(out, d->site_xmat + 9 * id, m->opt.magnetic);
        break;
    case SAL_SENS_JOINTPOS:
        out[0] = d->qpos[m->jnt_qposadr[id]];
        break;
    case SAL_SENS_TENDONPOS:
        out[0] = d->ten_length[id];
        break;
    case SAL_SENS_JOINTLIMITPOS:
    case SAL_SENS_TENDONLIMITPOS: {
        const int row = phy_limit_row(m, d, i);
        out[0] = row < 0 ? 0 : d->efc_pos[row] - d->efc_margin[row];
        break;
    }
    case SAL_SENS_ACTUATORPOS:
        memcpy(out, d->actuator_length + phy_sensor_actuator(m, id),
               (size_t)m->sensor_dim[i] * sizeof *out);
        break;
    case SAL_SENS_BALLQUAT:
        sal_quat_copy(out, d->qpos + m->jnt_qposadr[id]);
        sal_quat_normalise(out);
        break;
    case SAL_SENS_SUBTREECOM:
        sal_v3_copy(out, d->subtree_com + 3 * id);
        break;
    case SAL_SENS_RANGEFINDER:
        phy_sensor_rays(m, d, i, out);
        break;
    case SAL_SENS_CAMPROJECTION:
        phy_sensor_projection(m, d, i, out);
        break;
    case SAL_SENS_INSIDESITE:
        out[0] = is_inside(m, d, i);
        break;
    case SAL_SENS_GEOMDIST:
    case SAL_SENS_GEOMNORMAL:
    case SAL_SENS_GEOMFROMTO:
        phy_sensor_distance(m, d, i, out);
        break;
    case SAL_SENS_E_POTENTIAL:
        out[0] = d->energy[0];
        break;
    case SAL_SENS_CLOCK:
        out[0] = d->time;
        break;
    default:
        of_frame(m, d, i, out);
        break;
    }
}
