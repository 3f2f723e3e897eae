/* sensor.c: the sensors of one stage, their frames, and their cutoff. */
#include "physics/sensors/sensor.h"

#include "base/house.h"
#include "physics/history.h"
#include "physics/stages.h"
#include "physics/tendon.h"

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

/* What several sensors of the stage share, if one of them asks for it; late: one with a delay */
static SAL_INLINE void prepare(const sal_model *m, sal_data *d, sal_stage stage, bool late)
{
    bool force = false, energy = false;
    for (int i = 0; i < m->nsensor; i++) {
        const bool now = m->sensor_stage[i] == (int)stage && (!late || m->sensor_delay[i] > 0);
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

static SAL_INLINE void measure(const sal_model *m, sal_data *d, int i, double *out)
{
    static void (*const compute[])(const sal_model *, const sal_data *, int, double *) = {
        [SAL_STAGE_POS] = phy_sensor_position,
        [SAL_STAGE_VEL] = phy_sensor_velocity,
        [SAL_STAGE_ACC] = phy_sensor_acceleration,
    };
    compute[m->sensor_stage[i]](m, d, i, out);
    if (m->sensor_type[i] == SAL_SENS_USER && d->callback.sensor != NULL) {
        d->callback.sensor(m, d, i, out, d->callback.user);
    }
    apply_cutoff(m, i, out);
}

static SAL_INLINE void read_sensor(const sal_model *m, sal_data *d, int i)
{
    if (m->nhistory > 0 && phy_sensor_is_recalled(m, d, i)) {
        phy_recall_sensor(m, d, i);
    } else {
        measure(m, d, i, d->sensordata + m->sensor_adr[i]);
    }
}

void phy_sensors(const sal_model *m, sal_data *d, sal_stage stage)
{
    if (m->opt.disable & SAL_DSBL_SENSOR) {
        return;
    }
    prepare(m, d, stage, false);
    for (int i = 0; i < m->nsensor; i++) {
        if (m->sensor_stage[i] == (int)stage) {
            read_sensor(m, d, i);
        }
    }
}

void phy_remember_sensors(const sal_model *m, sal_data *d)
{
    for (int stage = SAL_STAGE_POS; stage <= SAL_STAGE_ACC; stage++) {
        prepare(m, d, (sal_stage)stage, true);
    }
    for (int i = 0; i < m->nsensor; i++) {
        if (!phy_sensor_is_due(m, d, i)) {
            continue;
        }
        const phy_history s = phy_sensor_history(m, d, i);
        double *sample = phy_history_add(&s, d->time);
        if (m->sensor_delay[i] > 0) {
            measure(m, d, i, sample);
        } else {
            memcpy(sample, d->sensordata + m->sensor_adr[i], (size_t)s.dim * sizeof *sample);
        }
    }
}

static bool is_of_force(const sal_model *m, int i)
{
    return m->sensor_type[i] == SAL_SENS_FORCE || m->sensor_type[i] == SAL_SENS_TORQUE;
}

void sal_force_sensors(const sal_model *m, sal_data *d)
{
    if (m->opt.disable & SAL_DSBL_SENSOR) {
        return;
    }
    sal_body_force(m, d);
    for (int i = 0; i < m->nsensor; i++) {
        if (is_of_force(m, i)) {
            read_sensor(m, d, i);
        }
    }
}

bool phy_is_carried(const sal_model *m, int body, int carrier)
{
    while (body > carrier) {
        body = m->body_parentid[body];
    }
    return body == carrier;
}

bool phy_tendon_joins(const sal_model *m, int t, int body)
{
    bool inside = false, outside = false;
    if (phy_tendon_is_fixed(m, t) || m->mujoco != SAL_MUJOCO_314) {
        return false;
    }
    for (phy_span span = {0}; phy_tendon_span(m, t, &span);) {
        const int part[3] = {m->site_bodyid[span.s0], m->site_bodyid[span.s1],
                             m->geom_bodyid[span.geom < 0 ? 0 : span.geom]};
        for (int k = 0; k < (span.geom < 0 ? 2 : 3); k++) {
            const bool carried = phy_is_carried(m, part[k], body);
            inside = inside || carried;
            outside = outside || !carried;
        }
    }
    return inside && outside;
}

bool sal_sensor_feels_actuators(const sal_model *m, int i)
{
    bool feels = false;
    for (int a = 0; a < m->nu && is_of_force(m, i); a++) {
        feels = feels ||
                (m->actuator_trntype[a] == SAL_TRN_TENDON &&
                 phy_tendon_joins(m, m->actuator_trnid[a], m->site_bodyid[m->sensor_objid[i]]));
    }
    return feels;
}

bool sal_sensor_reads_actuators(const sal_model *m, int i)
{
    const int type = m->sensor_type[i];
    return type == SAL_SENS_ACTUATORFRC || type == SAL_SENS_JOINTACTFRC ||
           type == SAL_SENS_TENDONACTFRC;
}
