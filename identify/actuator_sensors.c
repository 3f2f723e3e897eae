/* actuator_sensors.c: channels of sensors that read what actuators do. Invertible dynamics computes
 * that from the controls that were recorded, as outputs of its own:
 *
 *     actuatorfrc           F_i
 *     jointactuatorfrc      (moment' F)_j
 *     tendonactuatorfrc     F_i of the actuator that pulls on the tendon
 */
#include "identify/identification.h"

/* The actuator that pulls on a tendon; -1: none, or several. */
static int actuator_of(const sal_model *m, int tendon)
{
    int found = -1, n = 0;
    for (int a = 0; a < m->nu; a++) {
        if (m->actuator_trntype[a] == SAL_TRN_TENDON && m->actuator_trnid[a] == tendon) {
            found = a;
            n++;
        }
    }
    return n == 1 ? found : -1;
}

int idn_actuator_reading(const sal_model *m, int sensor)
{
    const int id = m->sensor_objid[sensor];
    switch (m->sensor_type[sensor]) {
    case SAL_SENS_JOINTACTFRC:
        return m->jnt_dofadr[id];
    case SAL_SENS_TENDONACTFRC:
        return actuator_of(m, id);
    default:
        return m->sensor_dim[sensor] == 1 ? id : -1;
    }
}

/* Why such a sensor is no channel; NULL: it is one. */
static const char *why_not(const sal_model *m, int sensor)
{
    if (m->sensor_cutoff[sensor] > 0) {
        return "has a cutoff, which hides forces";
    }
    if (idn_actuator_reading(m, sensor) >= 0) {
        return NULL;
    }
    return m->sensor_type[sensor] == SAL_SENS_TENDONACTFRC
               ? "is of a tendon on which not exactly one actuator pulls"
               : "has three numbers";
}

bool idn_check_actuator_sensors(prb_reader *r, const sal_xml *element)
{
    const sal_model *m = r->p->model;
    bool some = false;
    for (int c = 0; c < r->p->data->nchannel; c++) {
        const prb_channel *channel = r->p->data->channel + c;
        if (channel->kind != PRB_CHANNEL_SENSOR || !sal_sensor_reads_actuators(m, channel->id)) {
            continue;
        }
        const char *why = why_not(m, channel->id),
                   *name = sal_model_name(m, SAL_OBJ_SENSOR, channel->id);
        some = true;
        if (why != NULL) {
            sal_diag_error(r->diag, element->place, "measure single actuators (actuatorfrc)",
                           "channel '%s': sensor '%s' %s", channel->name, name == NULL ? "" : name,
                           why);
        }
    }
    return some;
}
