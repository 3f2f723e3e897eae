/* actuator.h: how actuators push, and how fast that changes; private to physics/. */
#ifndef SAL_PHYSICS_ACTUATOR_H
#define SAL_PHYSICS_ACTUATOR_H

#include "physics/width.h"

/* Of a slide or hinge, as most are */
static inline bool phy_is_of_scalar_joint(const sal_model *m, int i)
{
    const int id = m->actuator_trnid[i];
    return m->actuator_trntype[i] == SAL_TRN_JOINT &&
           (m->jnt_type[id] == SAL_JNT_SLIDE || m->jnt_type[id] == SAL_JNT_HINGE);
}

/* actuator_moment and actuator_length of such an actuator: g, l = g q */
static SAL_INLINE void phy_joint_actuator(const sal_model *m, phy_instants *d, int i)
{
    const double *gear = m->actuator_gear + 6 * i;
    phy_spread(d->actuator_moment + m->moment_rowadr[i], gear, 1);
    d->actuator_length[i] = gear[0] * d->qpos[m->jnt_qposadr[m->actuator_trnid[i]]];
}

/* actuator_velocity of any: l' = moment . v; where actuation is disabled 3.12 leaves it zero. */
static SAL_INLINE void phy_actuator_rate(const sal_model *m, phy_instants *d, int i)
{
    const bool off = (m->opt.disable & SAL_DSBL_ACTUATION) != 0 && m->mujoco != SAL_MUJOCO_222;
    const int adr = m->moment_rowadr[i];
    phy_real rate = {0};
    for (int k = adr; !off && k < adr + m->moment_rownnz[i]; k++) {
        rate += d->actuator_moment[k] * d->qvel[m->moment_colind[k]];
    }
    d->actuator_velocity[i] = rate;
}

/* d actuator_force / d actuator_velocity of actuator i at the state, ctrl and act that
 * sal_actuation saw (before act is advanced): the velocity coefficients of gain and bias, for
 * muscles the slope of their force-velocity curve; 0 where forcerange holds the force (2.2.2
 * overlooks that) and where the actuator's group is off. Before 3.13 ctrl is not clamped here.
 *     d qfrc_actuator / d qvel = moment' slope moment */
double phy_actuator_slope(const sal_model *m, const sal_data *d, int i);

/* The same by actuator_length. */
double phy_actuator_length_slope(const sal_model *m, const sal_data *d, int i);

/* The force of an actuator within its forcerange, and how it changes with its length and velocity,
 * and with what its gain multiplies: control or activation. All zero for one whose group is off,
 * slopes where forcerange holds the force. Of an orientation the force alone, without limit. */
typedef struct phy_actuator_law {
    double force;
    double by_length;
    double by_velocity;
    double by_input;
} phy_actuator_law;

/* Adds cogging and friction of motors to the laws [nu]. */
void phy_add_cogging(const sal_model *m, const sal_data *d, phy_actuator_law *law);

/* A force of actuator i, within its forcerange if it has one */
double phy_actuator_within(const sal_model *m, int i, double force);

/* Whether the forces of the actuators of tendon t, before their forceranges, add up to a sum
 * outside its actuatorfrcrange */
bool phy_tendon_is_over(const sal_model *m, const sal_data *d, int t, double *sum);

/* Of all actuators [nu], as sal_actuation sees them before it scales back those of a tendon that is
 * over its range: the laws of these are without forcerange. All are without cogging. */
void phy_actuator_laws(const sal_model *m, const sal_data *d, phy_actuator_law *law);
/* The same as sal_actuation_driven sees them: inputs w [nu], no forcerange. */
void phy_actuator_laws_driven(const sal_model *m, const sal_data *d, const double *w,
                              phy_actuator_law *law);

/* The control that acts, within its range; 0 where one of them is not finite or huge */
double phy_control(const sal_model *m, const sal_data *d, int i);

/* Whether its group is off */
bool phy_actuator_is_off(const sal_model *m, int i);

/* orientation.c. The first of the three axes of an orientation, of whose actuators i is one. */
int phy_orientation_first(const sal_model *m, int i);
/* How many controls it has, 3 or 4, and of which actuators: from *begin on. */
int phy_orientation_inputs(const sal_model *m, int first, int *begin);
/* The orientation that its controls u [ninput] ask for */
void phy_orientation_target(int ninput, const double *u, double target[4]);
/* The rotation that is missing. (phy_actuator_length done.) */
void phy_orientation_error(const sal_data *d, int first, const double target[4], double e[3]);
/* Which part of a torque is kept */
double phy_orientation_share(const sal_model *m, int first, const double torque[3]);
/* Their controls as sal_actuation sees them. actuator.c */
void phy_orientation_controls(const sal_model *m, const sal_data *d, int first, double u[4]);
static inline bool phy_is_orientation(const sal_model *m, int i)
{
    return m->actuator_gaintype[i] == SAL_GAIN_ORIENTATION;
}
/* The one before its axes, for the first number of a quaternion */
static inline bool phy_is_orientation_scalar(const sal_model *m, int i)
{
    return phy_is_orientation(m, i) && m->actuator_gainprm[10 * i + 1] < 0;
}

/* muscle.c. A muscle's prm [9] are range (2), force, scale, lmin, lmax, vmax, fpmax, fvmax. */
typedef struct phy_muscle {
    const double *prm;
    /* in units of the muscle's optimal length, and of vmax */
    double length, velocity;
    /* N: the force at optimal length, velocity 0 */
    double peak;
    /* m: its optimal length */
    double optimal;
    /* m: optimal length times vmax: velocity = ldot / width */
    double width;
    /* below lmin as 2.2.2 does it */
    bool falls_through;
} phy_muscle;
void phy_muscle_set(phy_muscle *u, const sal_model *m, const double *prm, int i, double length,
                    double velocity);
/* force = gain act + bias */
double phy_muscle_gain(const phy_muscle *u);
double phy_muscle_bias(const phy_muscle *u);
/* d gain / d ldot */
double phy_muscle_slope(const phy_muscle *u);
/* d gain / d l, d bias / d l */
double phy_muscle_length_slope(const phy_muscle *u);
double phy_muscle_bias_slope(const phy_muscle *u);
/* d act / dt; prm: time constants of activation and deactivation, and the width over which they
 * blend */
double phy_muscle_dynamics(double ctrl, double act, const double prm[3]);

#endif
