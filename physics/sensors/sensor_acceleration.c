/* sensor_acceleration.c: sensors that see accelerations and forces.
 *
 *     accelerometer  R'(a - g)        force  R' f        torque  R'(n + (c - p) x f)
 *     with (n; f) the interaction force about c
 *     touch          sum of the normal forces of the site's body that press on the site's volume: a
 *                    ray from the contact against the
 *                    force that the body feels meets it
 */
#include "base/house.h"
#include "physics/collision/ray.h"
#include "physics/sensors/sensor.h"

#include <string.h>

/* On what cannot move, nothing is felt; 2.2.2 feels gravity. */
static void felt(const sal_model *m, const sal_data *d, const phy_pose *at, double a[3],
                 double wdot[3])
{
    sal_point_acceleration(m, d, a, wdot, at->pos, at->body);
    if (m->mujoco != SAL_MUJOCO_222 && m->body_weldid[at->body] == 0) {
        sal_v3_set(a, 0, 0, 0);
    }
}

/* R'(a - g) of a site */
static void accelerometer(const sal_model *m, const sal_data *d, int site, double *out)
{
    phy_pose pose;
    double a[3], wdot[3];
    phy_object_pose(m, d, SAL_OBJ_SITE, site, &pose);
    felt(m, d, &pose, a, wdot);
    sal_m3_multv(out, pose.mat, a);
}

static void frame_acceleration(const sal_model *m, const sal_data *d, int i, double *out)
{
    phy_pose object;
    double a[3], wdot[3];
    phy_object_pose(m, d, m->sensor_objtype[i], m->sensor_objid[i], &object);
    felt(m, d, &object, a, wdot);
    sal_v3_copy(out, m->sensor_type[i] == SAL_SENS_FRAMELINACC ? a : wdot);
}

static void site_force(const sal_model *m, const sal_data *d, int site, double *out)
{
    const double *f = d->cfrc_int + 6 * m->site_bodyid[site] + 3;
    sal_m3_multv(out, d->site_xmat + 9 * site, f);
}

static void site_torque(const sal_model *m, const sal_data *d, int site, double *out)
{
    const int body = m->site_bodyid[site];
    const double *F = d->cfrc_int + 6 * body;
    double arm[3], torque[3];
    sal_v3_sub(arm, d->subtree_com + 3 * m->body_rootid[body], d->site_xpos + 3 * site);
    sal_v3_cross(torque, arm, F + 3);
    sal_v3_add(torque, torque, F);
    sal_m3_multv(out, d->site_xmat + 9 * site, torque);
}

double phy_touch_force(const sal_model *m, const sal_data *d, int site, int i)
{
    const int body = m->site_bodyid[site];
    const sal_contact *contact = d->contact + i;
    const bool first = m->geom_bodyid[contact->geom1] == body;
    double force[6], dir[3];
    if (!first && m->geom_bodyid[contact->geom2] != body) {
        return 0;
    }
    sal_contact_force(m, d, i, force);
    sal_v3_scale(dir, contact->frame, first ? 1 : -1);
    const bool hit = force[0] > 0 && phy_ray_shape((sal_geom_type)m->site_type[site],
                                                   m->site_size + 3 * site, d->site_xpos + 3 * site,
                                                   d->site_xmat + 9 * site, contact->pos, dir) >= 0;
    return hit ? force[0] : 0;
}

static double touch(const sal_model *m, const sal_data *d, int site)
{
    double sum = 0;
    for (int i = 0; i < d->ncon; i++) {
        sum += phy_touch_force(m, d, site, i);
    }
    return sum;
}

/* Forces of all actuators that pull on the tendon */
static double tendon_actuator_force(const sal_model *m, const sal_data *d, int tendon)
{
    double sum = 0;
    for (int a = 0; a < m->nu; a++) {
        if (m->actuator_trntype[a] == SAL_TRN_TENDON && m->actuator_trnid[a] == tendon) {
            sum += d->actuator_force[a];
        }
    }
    return sum;
}

bool phy_sensor_needs_body_force(int type)
{
    return type == SAL_SENS_ACCELEROMETER || type == SAL_SENS_FORCE || type == SAL_SENS_TORQUE ||
           type == SAL_SENS_FRAMELINACC || type == SAL_SENS_FRAMEANGACC;
}

void phy_sensor_acceleration(const sal_model *m, const sal_data *d, int i, double *out)
{
    const int id = m->sensor_objid[i];
    switch (m->sensor_type[i]) {
    case SAL_SENS_TOUCH:
        out[0] = touch(m, d, id);
        break;
    case SAL_SENS_ACCELEROMETER:
        accelerometer(m, d, id, out);
        break;
    case SAL_SENS_FORCE:
        site_force(m, d, id, out);
        break;
    case SAL_SENS_TORQUE:
        site_torque(m, d, id, out);
        break;
    case SAL_SENS_FRAMELINACC:
    case SAL_SENS_FRAMEANGACC:
        frame_acceleration(m, d, i, out);
        break;
    case SAL_SENS_CONTACT:
        phy_sensor_contact(m, d, i, out);
        break;
    case SAL_SENS_TACTILE:
        phy_sensor_tactile(m, d, i, out);
        break;
    case SAL_SENS_ACTUATORFRC:
        memcpy(out, d->actuator_force + phy_sensor_actuator(m, id),
               (size_t)m->sensor_dim[i] * sizeof *out);
        break;
    case SAL_SENS_JOINTACTFRC:
        out[0] = d->qfrc_actuator[m->jnt_dofadr[id]];
        break;
    case SAL_SENS_TENDONACTFRC:
        out[0] = tendon_actuator_force(m, d, id);
        break;
    case SAL_SENS_JOINTLIMITFRC:
    case SAL_SENS_TENDONLIMITFRC: {
        const int row = phy_limit_row(m, d, i);
        out[0] = row < 0 ? 0 : d->efc_force[row];
        break;
    }
    default:
        break;
    }
}
