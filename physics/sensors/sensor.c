/* sensor.c: the sensors of one stage, their frames, and their cutoff. */
#include "physics/sensors/sensor.h"

#include "physics/stages.h"

#include <string.h>

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
        force = force || (now && phy_sensor_needs_body_force(m->sensor_type[i]));
        energy = energy || (now && is_energy(m->sensor_type[i]));
    }
    if (force) {
        sal_body_force(m, d);
    }
    if (energy) {
        sal_energy(m, d);
    }
}

void phy_sensors(const sal_model *m, sal_data *d, sal_stage stage)
{
    static void (*const compute[])(const sal_model *, const sal_data *, int, double *) = {
        [SAL_STAGE_POS] = phy_sensor_position,
        [SAL_STAGE_VEL] = phy_sensor_velocity,
        [SAL_STAGE_ACC] = phy_sensor_acceleration,
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
