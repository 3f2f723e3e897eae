/* motor.h: actuators of dyntype motor; private to physics/, but for what the compiler of models
 * asks (physics/compiling.h). */
#ifndef SAL_PHYSICS_MOTOR_H
#define SAL_PHYSICS_MOTOR_H

#include "physics/actuator.h"
#include "physics/compiling.h"

static inline bool phy_is_motor(const sal_model *m, int i)
{
    return m->actuator_dyntype[i] == SAL_DYN_MOTOR;
}

/* It has friction that implicit integrators know of. */
static inline bool phy_motor_rubs(const sal_model *m, int i)
{
    const double *dyn = m->actuator_dynprm + 10 * i;
    return phy_is_motor(m, i) && dyn[5] > 0 && dyn[6] != 0;
}

/* Its force with control u, before forcerange and cogging, and how it changes at given states. */
phy_actuator_law phy_motor_law(const sal_model *m, const sal_data *d, int i, double u);
/* How that changes by the further control of actuator k */
double phy_motor_by_control(const sal_model *m, const sal_data *d, int i, double u, int k);
/* How the force changes by velocity and by length, as implicit integrators know it: where nothing
 * is at its limit, of friction sigma1 only, and by length of a cold winding */
double phy_motor_slope(const sal_model *m, const sal_data *d, int i);
double phy_motor_length_slope(const sal_model *m, const sal_data *d, int i);
/* Its friction, which is in no range, and the slope by ldot; 0 if it has none. */
double phy_motor_friction(const sal_model *m, const sal_data *d, int i, double *slope);
/* act_dot of its states */
void phy_motor_rates(const sal_model *m, sal_data *d, int i, double u);
/* Its states a time h later; rate: act_dot of all */
void phy_motor_advance(const sal_model *m, sal_data *d, int i, const double *rate, double h);

#endif
