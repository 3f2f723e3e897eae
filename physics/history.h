/* history.h: what delayed actuators and sensors remember; private to physics/.
 *
 * The history of an actuator's control, or of a sensor's reading, is a ring of n samples of dim
 * numbers, in d->history from its address on, as MuJoCo has it:
 *
 *     tick, newest, time [n], value [n dim]
 *
 * `newest` is the place of the last sample in the ring, `tick` when a sensor with an interval last
 * showed something new. At first all values are 0, at the times of the n steps (or intervals)
 * before 0, whatever time a keyframe says. sal_advance adds a sample for the instant that it
 * leaves, so that the shortest delay is a step.
 */
#ifndef SAL_PHYSICS_HISTORY_H
#define SAL_PHYSICS_HISTORY_H

#include "physics/physics.h"

typedef struct phy_history {
    double *tick, *newest, *time, *value;
    int n, dim, interp;
} phy_history;

/* n is 0 where there is none. */
phy_history phy_sensor_history(const sal_model *m, const sal_data *d, int i);

/* The first samples, in memory that is zero */
void phy_history_begin(const sal_model *m, sal_data *d);

/* The values at time t, within the times of the samples */
void phy_history_at(const phy_history *s, double t, double *out);

/* Where the values of a new sample go, which drops the oldest; or of the one that is of time t. */
double *phy_history_add(const phy_history *s, double t);

/* The control that acts now, without its range */
double phy_delayed_control(const sal_model *m, const sal_data *d, int i);
static inline double phy_acting_control(const sal_model *m, const sal_data *d, int i)
{
    return m->nhistory == 0 ? d->ctrl[i] : phy_delayed_control(m, d, i);
}

/* Whether a sensor now shows what it remembers; that into sensordata */
bool phy_sensor_is_recalled(const sal_model *m, const sal_data *d, int i);
void phy_recall_sensor(const sal_model *m, sal_data *d, int i);

/* Samples of this instant: of all controls; of all sensors, those that are late computed anew from
 * what has been computed last. sensors/sensor.c */
void phy_remember_controls(const sal_model *m, sal_data *d);
void phy_remember_sensors(const sal_model *m, sal_data *d);
/* Whether sensor i is to be remembered now; notes its tick. */
bool phy_sensor_is_due(const sal_model *m, sal_data *d, int i);

#endif
