/* output_data.c: outputs that the stages of the physics leave in sal_data, or compute on
 * request. */
#include "invdyn/output.h"

#include <string.h>

static void copy(double *y, const double *from, int n)
{
    memcpy(y, from, (size_t)n * sizeof *y);
}

int inv_dof_count(const sal_model *m, const sal_output *output)
{
    (void)output;
    return m->nv;
}

int inv_actuator_count(const sal_model *m, const sal_output *output)
{
    (void)output;
    return m->nu;
}

int inv_input_count(const sal_model *m, const sal_output *output)
{
    (void)output;
    return 2 * m->nu;
}

/* ---- one number for each dof or actuator ---- */

void inv_force_write(const inv_instant *at, const sal_output *output, double *y)
{
    copy(y, at->d->qfrc_inverse, output->n);
}

bool inv_force_deriv(const inv_instant *at, const sal_output *output, inv_output_jacobian D)
{
    const size_t bytes = (size_t)output->n * (size_t)at->m->nv * sizeof(double);
    if (at->force == NULL) {
        return sal_inverse_discrete_deriv(at->m, at->d, D.q, D.v, D.a, at->a, NULL) == SAL_OK;
    }
    memcpy(D.q, at->force->D[0], bytes);
    memcpy(D.v, at->force->D[1], bytes);
    memcpy(D.a, at->force->D[2], bytes);
    return true;
}

void inv_velocity_write(const inv_instant *at, const sal_output *output, double *y)
{
    copy(y, at->d->qvel, output->n);
}

void inv_acceleration_write(const inv_instant *at, const sal_output *output, double *y)
{
    copy(y, at->a, output->n);
}

void inv_actuation_write(const inv_instant *at, const sal_output *output, double *y)
{
    copy(y, at->d->qfrc_actuator, output->n);
}

void inv_actuator_force_write(const inv_instant *at, const sal_output *output, double *y)
{
    copy(y, at->d->actuator_force, output->n);
}

void inv_control_write(const inv_instant *at, const sal_output *output, double *y)
{
    copy(y, at->d->ctrl, output->n);
}

void inv_input_write(const inv_instant *at, const sal_output *output, double *y)
{
    copy(y, at->z, output->n);
}

/* ---- sensor ---- */

sal_stage inv_sensor_stage(const sal_model *m, const sal_output *output)
{
    return (sal_stage)m->sensor_stage[output->id];
}

int inv_sensor_count(const sal_model *m, const sal_output *output)
{
    return m->sensor_dim[output->id];
}

void inv_sensor_write(const inv_instant *at, const sal_output *output, double *y)
{
    copy(y, at->d->sensordata + at->m->sensor_adr[output->id], output->n);
}

bool inv_sensor_has_deriv(const sal_model *m, const sal_output *output, sal_err *err)
{
    if (!sal_sensor_has_deriv(m, output->id)) {
        char name[SAL_LABEL_MAX];
        sal_fail(err, SAL_UNSUPPORTED, "%s has no exact derivatives",
                 sal_model_label(m, SAL_OBJ_SENSOR, output->id, name));
        return false;
    }
    return true;
}

bool inv_sensor_deriv(const inv_instant *at, const sal_output *output, inv_output_jacobian D)
{
    return sal_sensor_deriv(at->m, at->d, output->id, D.q, D.v, D.a);
}

/* ---- distance ---- */

static const double far_away = 1e10; /* m: no two geoms are farther apart */

void inv_distance_write(const inv_instant *at, const sal_output *output, double *y)
{
    y[0] = sal_geom_distance(at->m, at->d, output->id, output->other, far_away, NULL);
}

bool inv_distance_deriv(const inv_instant *at, const sal_output *output, inv_output_jacobian D)
{
    return sal_geom_distance_deriv(at->m, at->d, output->id, output->other, far_away, D.q);
}

/* ---- bulk ---- */

sal_stage inv_bulk_stage(const sal_model *m, const sal_output *output)
{
    (void)m;
    return output->other == SAL_BULK_COM      ? SAL_STAGE_POS
           : output->other == SAL_BULK_LINACC ? SAL_STAGE_ACC
                                              : SAL_STAGE_VEL;
}

void inv_bulk_write(const inv_instant *at, const sal_output *output, double *y)
{
    sal_bulk_value(at->m, at->d, (sal_bulk)output->other, output->id, y);
}

bool inv_bulk_deriv(const inv_instant *at, const sal_output *output, inv_output_jacobian D)
{
    sal_bulk_deriv(at->m, at->d, (sal_bulk)output->other, output->id, D.q, D.v, D.a);
    return true;
}

/* ---- energy: potential (id 0) or kinetic (1) ---- */

sal_stage inv_energy_stage(const sal_model *m, const sal_output *output)
{
    (void)m;
    return output->id == 0 ? SAL_STAGE_POS : SAL_STAGE_VEL;
}

void inv_energy_write(const inv_instant *at, const sal_output *output, double *y)
{
    sal_energy(at->m, at->d);
    y[0] = at->d->energy[output->id];
}

bool inv_energy_has_deriv(const sal_model *m, const sal_output *output, sal_err *err)
{
    if (output->id != 0 && !sal_kinetic_energy_has_deriv(m)) {
        sal_fail(err, SAL_UNSUPPORTED,
                 "the kinetic energy has no exact derivatives for a model in which a spatial "
                 "tendon has armature");
        return false;
    }
    return true;
}

bool inv_energy_deriv(const inv_instant *at, const sal_output *output, inv_output_jacobian D)
{
    if (output->id == 0) {
        sal_potential_energy_deriv(at->m, at->d, D.q);
    } else {
        sal_kinetic_energy_deriv(at->m, at->d, D.q, D.v);
    }
    return true;
}

/* ---- tendon, actuator ---- */

void inv_tendon_write(const inv_instant *at, const sal_output *output, double *y)
{
    y[0] = at->d->ten_length[output->id];
}

bool inv_tendon_deriv(const inv_instant *at, const sal_output *output, inv_output_jacobian D)
{
    sal_tendon_length_deriv(at->m, at->d, output->id, D.q);
    return true;
}

void inv_tendon_velocity_write(const inv_instant *at, const sal_output *output, double *y)
{
    y[0] = at->d->ten_velocity[output->id];
}

bool inv_tendon_velocity_deriv(const inv_instant *at, const sal_output *output,
                               inv_output_jacobian D)
{
    sal_tendon_velocity_deriv(at->m, at->d, output->id, D.q, D.v);
    return true;
}

void inv_actuator_velocity_write(const inv_instant *at, const sal_output *output, double *y)
{
    y[0] = at->d->actuator_velocity[output->id];
}

bool inv_actuator_velocity_deriv(const inv_instant *at, const sal_output *output,
                                 inv_output_jacobian D)
{
    sal_actuator_velocity_deriv(at->m, at->d, output->id, D.q, D.v);
    return true;
}
