/* output.c: what is asked for at every step, as functions of (q_t, v_t, a_t). */
#include "invdyn/output.h"

#include "base/house.h"

#include <string.h>

sal_stage inv_output_stage(const sal_model *m, const sal_output *output)
{
    switch (output->kind) {
    case SAL_OUT_SENSOR:
        return (sal_stage)m->sensor_stage[output->id];
    case SAL_OUT_JOINT:
    case SAL_OUT_DISTANCE:
    case SAL_OUT_PLACE:
    case SAL_OUT_QUAT:
    case SAL_OUT_TENDON:
    case SAL_OUT_CONTROL:
    case SAL_OUT_INPUT:
        return SAL_STAGE_POS;
    case SAL_OUT_POINT:
    case SAL_OUT_PLACE_VELOCITY:
    case SAL_OUT_TENDON_VELOCITY:
    case SAL_OUT_ACTUATOR_VELOCITY:
    case SAL_OUT_VELOCITY:
    case SAL_OUT_ACTUATION:
    case SAL_OUT_ACTUATOR_FORCE:
        return SAL_STAGE_VEL;
    case SAL_OUT_BULK:
        return output->other == SAL_BULK_COM      ? SAL_STAGE_POS
               : output->other == SAL_BULK_LINACC ? SAL_STAGE_ACC
                                                  : SAL_STAGE_VEL;
    case SAL_OUT_ENERGY:
        return output->id == 0 ? SAL_STAGE_POS : SAL_STAGE_VEL;
    case SAL_OUT_FORCE:
    case SAL_OUT_NORMAL:
    case SAL_OUT_CONTACT:
    case SAL_OUT_PRESSURE:
    case SAL_OUT_ACCELERATION:
        return SAL_STAGE_ACC;
    }
    return SAL_STAGE_ACC;
}

int inv_output_dim(const sal_model *m, const sal_output *output)
{
    switch (output->kind) {
    case SAL_OUT_SENSOR:
        return m->sensor_dim[output->id];
    case SAL_OUT_JOINT:
        return sal_joint_ndof(m->jnt_type[output->id]);
    case SAL_OUT_POINT:
    case SAL_OUT_QUAT:
        return 4;
    case SAL_OUT_PLACE:
    case SAL_OUT_PLACE_VELOCITY:
    case SAL_OUT_CONTACT:
    case SAL_OUT_BULK:
        return 3;
    case SAL_OUT_PRESSURE:
        return 2;
    case SAL_OUT_NORMAL:
    case SAL_OUT_DISTANCE:
    case SAL_OUT_ENERGY:
    case SAL_OUT_TENDON:
    case SAL_OUT_TENDON_VELOCITY:
    case SAL_OUT_ACTUATOR_VELOCITY:
        return 1;
    case SAL_OUT_FORCE:
    case SAL_OUT_VELOCITY:
    case SAL_OUT_ACCELERATION:
    case SAL_OUT_ACTUATION:
        return m->nv;
    case SAL_OUT_ACTUATOR_FORCE:
    case SAL_OUT_CONTROL:
        return m->nu;
    case SAL_OUT_INPUT:
        return 2 * m->nu;
    }
    return 0;
}

/* x_b + R_b pos */
static void place_of(const sal_data *d, const sal_point *point, double x[3])
{
    sal_m3_mulv(x, d->xmat + 9 * point->body, point->pos);
    sal_v3_add(x, x, d->xpos + 3 * point->body);
}

/* Height of the lowest point of the sphere over the plane, and the velocity of the material point there along the
 * plane's axes (t1, t2, n):   x = x_b + R_b pos,   z = n.(x - c) - r,   v = velocity of the body at x - r n */
static void write_point(const sal_model *m, const sal_data *d, const sal_point *point, double y[4])
{
    const double *frame = d->geom_xmat + 9 * point->plane;
    double x[3], from[3], normal[3], velocity[3], local[3];
    place_of(d, point, x);
    sal_m3_column(normal, frame, 2);
    sal_v3_sub(from, x, d->geom_xpos + 3 * point->plane);
    sal_v3_addscaled(x, x, -point->radius, normal);
    sal_point_velocity(m, d, velocity, NULL, x, point->body);
    sal_m3_multv(local, frame, velocity);
    y[0] = sal_v3_dot(normal, from) - point->radius;
    sal_v3_copy(y + 1, local);
}

static double normal_force(const sal_model *m, const sal_data *d, const unsigned char *geoms)
{
    double sum = 0;
    for (int i = 0; i < d->ncon; i++) {
        const sal_contact *contact = d->contact + i;
        if (geoms[contact->geom1] || geoms[contact->geom2]) {
            double force[6];
            sal_contact_force(m, d, i, force);
            sum += force[0];
        }
    }
    return sum;
}

/* Rotation from q0 to q, as a rotation vector in q0's axes. */
static void rotation_from(double w[3], const double q0[4], const double q[4])
{
    double inverse[4], relative[4];
    sal_quat_conj(inverse, q0);
    sal_quat_mul(relative, inverse, q);
    sal_quat_log(w, relative);
}

static void write_joint(const sal_model *m, const sal_data *d, int joint, double *y)
{
    const int adr = m->jnt_qposadr[joint];
    const double *q = d->qpos + adr, *q0 = m->qpos0 + adr;
    switch ((sal_joint_type)m->jnt_type[joint]) {
    case SAL_JNT_FREE:
        sal_v3_copy(y, q);
        rotation_from(y + 3, q0 + 3, q + 3);
        break;
    case SAL_JNT_BALL:
        rotation_from(y, q0, q);
        break;
    case SAL_JNT_SLIDE:
    case SAL_JNT_HINGE:
        y[0] = q[0];
        break;
    }
}

bool inv_output_is_driven(const sal_output *output)
{
    return output->kind == SAL_OUT_ACTUATION || output->kind == SAL_OUT_ACTUATOR_FORCE ||
           output->kind == SAL_OUT_CONTROL || output->kind == SAL_OUT_INPUT;
}

static double energy(const sal_model *m, sal_data *d, int which)
{
    sal_energy(m, d);
    return d->energy[which];
}

/* Outputs of one number. */
static double number_of(const sal_model *m, sal_data *d, const sal_output *output)
{
    const int id = output->id;
    switch ((int)output->kind) {
    case SAL_OUT_NORMAL:
        return normal_force(m, d, output->geoms);
    case SAL_OUT_DISTANCE:
        return sal_geom_distance(m, d, id, output->other, INV_FAR_AWAY, NULL);
    case SAL_OUT_ENERGY:
        return energy(m, d, id);
    case SAL_OUT_TENDON:
        return d->ten_length[id];
    case SAL_OUT_TENDON_VELOCITY:
        return d->ten_velocity[id];
    default: /* SAL_OUT_ACTUATOR_VELOCITY */
        return d->actuator_velocity[id];
    }
}

void inv_output_write(const sal_model *m, sal_data *d, const sal_output *output, double *y,
                      const double *acceleration)
{
    const size_t bytes = (size_t)m->nv * sizeof(double);
    double x[3];
    switch (output->kind) {
    case SAL_OUT_FORCE:
        memcpy(y, d->qfrc_inverse, bytes);
        break;
    case SAL_OUT_SENSOR:
        memcpy(y, d->sensordata + m->sensor_adr[output->id],
               (size_t)m->sensor_dim[output->id] * sizeof(double));
        break;
    case SAL_OUT_POINT:
        write_point(m, d, &output->point, y);
        break;
    case SAL_OUT_NORMAL:
    case SAL_OUT_DISTANCE:
    case SAL_OUT_ENERGY:
    case SAL_OUT_TENDON:
    case SAL_OUT_TENDON_VELOCITY:
    case SAL_OUT_ACTUATOR_VELOCITY:
        y[0] = number_of(m, d, output);
        break;
    case SAL_OUT_JOINT:
        write_joint(m, d, output->id, y);
        break;
    case SAL_OUT_PLACE:
        place_of(d, &output->point, y);
        break;
    case SAL_OUT_PLACE_VELOCITY:
        place_of(d, &output->point, x);
        sal_point_velocity(m, d, y, NULL, x, output->point.body);
        break;
    case SAL_OUT_QUAT:
        sal_quat_copy(y, d->xquat + 4 * output->id);
        break;
    case SAL_OUT_CONTACT:
        inv_output_contact(m, d, output, y);
        break;
    case SAL_OUT_PRESSURE:
        inv_output_pressure(m, d, output, y);
        break;
    case SAL_OUT_BULK:
        sal_bulk_value(m, d, (sal_bulk)output->other, output->id, y);
        break;
    case SAL_OUT_VELOCITY:
        memcpy(y, d->qvel, bytes);
        break;
    case SAL_OUT_ACCELERATION:
        memcpy(y, acceleration, bytes);
        break;
    case SAL_OUT_ACTUATION:
        memcpy(y, d->qfrc_actuator, bytes);
        break;
    case SAL_OUT_ACTUATOR_FORCE:
        memcpy(y, d->actuator_force, (size_t)m->nu * sizeof(double));
        break;
    case SAL_OUT_CONTROL:
        memcpy(y, d->ctrl, (size_t)m->nu * sizeof(double));
        break;
    case SAL_OUT_INPUT:
        break; /* the motion's own, see inv_worker_outputs */
    }
}
