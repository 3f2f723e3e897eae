/* actuator.c: what actuators make of their inputs.  With l, ldot from the transmission, u the
 *                                                   control, w the activation:
 *
 *     none          w = u
 *     integrator    wdot = u
 *     filter        wdot = (u - w) / tau              filterexact: the same, integrated exactly
 *     muscle        wdot = (u - w) / tau(u, w)
 *     motor         see motor.c
 *     orientation   w = the rotation that is missing (orientation.c)
 *
 *     force = gain(l, ldot) w + bias(l, ldot)         the sum of a tendon's scaled back into its
 *                                                     actuatorfrcrange, then each within forcerange
 *             + A sin(N l + phase)                cogging, in no range; nor is friction of motors
 *     qfrc  = moment' force                           within actuatorfrcrange of joints
 *
 * (MuJoCo documentation, "Computation", "Actuation model".)
 */
#include "physics/actuator.h"

#include "base/house.h"
#include "physics/compiling.h"
#include "physics/history.h"
#include "physics/motor.h"
#include "physics/stages.h"

#include <string.h>

static const double pi = 3.14159265358979323846;

static double clip(double x, const double range[2])
{
    return x < range[0] ? range[0] : x > range[1] ? range[1] : x;
}

/* ---- activation ---- */

/* A controller that has run away must not take the mechanism with it: all controls count as zero if
 * one is not finite or huge (MuJoCo's rule). */
static bool controls_are_sane(const sal_model *m, const sal_data *d)
{
    for (int i = 0; i < m->nu; i++) {
        if (!(fabs(phy_acting_control(m, d, i)) <= 1e10)) {
            return false;
        }
    }
    return true;
}

static double control(const sal_model *m, const sal_data *d, int i, bool sane)
{
    const double u = sane ? phy_acting_control(m, d, i) : 0;
    const bool clamps = m->actuator_ctrllimited[i] && !(m->opt.disable & SAL_DSBL_CLAMPCTRL);
    return clamps ? clip(u, m->actuator_ctrlrange + 2 * i) : u;
}

double phy_control(const sal_model *m, const sal_data *d, int i)
{
    return control(m, d, i, controls_are_sane(m, d));
}

bool phy_actuator_is_off(const sal_model *m, int i)
{
    const int group = m->actuator_group[i];
    return group >= 0 && group <= 30 && (m->opt.disableactuator & (1 << group)) != 0;
}

static double activation_rate(const sal_model *m, const sal_data *d, int i, double u)
{
    const double *prm = m->actuator_dynprm + 10 * i, act = d->act[m->actuator_actadr[i]];
    switch ((sal_dyn)m->actuator_dyntype[i]) {
    case SAL_DYN_INTEGRATOR:
        return u;
    case SAL_DYN_FILTER:
    case SAL_DYN_FILTEREXACT:
        return (u - act) / fmax(SAL_MINVAL, prm[0]);
    case SAL_DYN_MUSCLE:
        return phy_muscle_dynamics(u, act, prm);
    case SAL_DYN_MOTOR:
    case SAL_DYN_NONE:
        break;
    }
    return 0;
}

/* The rotation (rad, times the gear) after which a servo's target is the same again; 0: none. Such
 * are servos on ball joints, and between sites that only turn: they take the shorter way round.
 * 2.2.2 follows the target as it is. */
static double period(const sal_model *m, int i)
{
    const double *gear = m->actuator_gear + 6 * i;
    const int type = m->actuator_trntype[i], dyn = m->actuator_dyntype[i];
    const bool ball = type == SAL_TRN_JOINT && m->jnt_type[m->actuator_trnid[i]] == SAL_JNT_BALL;
    const bool turns = type == SAL_TRN_SITE && m->actuator_refid[i] >= 0 && gear[0] == 0 &&
                       gear[1] == 0 && gear[2] == 0;
    if (m->mujoco == SAL_MUJOCO_222 || !(ball || turns) ||
        m->actuator_gaintype[i] != SAL_GAIN_FIXED || m->actuator_biastype[i] != SAL_BIAS_AFFINE ||
        m->actuator_gainprm[10 * i] != -m->actuator_biasprm[10 * i + 1] ||
        !(dyn == SAL_DYN_NONE || dyn == SAL_DYN_INTEGRATOR)) {
        return 0;
    }
    return 2 * pi * sal_v3_norm(ball ? gear : gear + 3);
}

/* w + k P nearest to the actuator's length */
static double nearest_turn(const sal_model *m, const sal_data *d, int i, double w)
{
    const double P = period(m, i);
    return P > 0 ? w - P * round((w - d->actuator_length[i]) / P) : w;
}

/* filterexact:  w + (u - w)(1 - exp(-h/tau)),   wdot = (u - w)/tau */
static double next_activation(const sal_model *m, const sal_data *d, int i, double rate, double h)
{
    const double act = d->act[m->actuator_actadr[i]];
    const double tau = fmax(SAL_MINVAL, m->actuator_dynprm[10 * i]);
    const double span =
        m->actuator_dyntype[i] == SAL_DYN_FILTEREXACT ? tau * (1 - exp(-h / tau)) : h;
    const double next = act + span * rate;
    return nearest_turn(
        m, d, i, m->actuator_actlimited[i] ? clip(next, m->actuator_actrange + 2 * i) : next);
}

void sal_advance_act(const sal_model *m, sal_data *d, const double *act_dot, double h)
{
    if (m->opt.disable & SAL_DSBL_ACTUATION) {
        return;
    }
    for (int i = 0; i < m->nu; i++) {
        const int adr = m->actuator_actadr[i];
        if (phy_is_motor(m, i)) {
            phy_motor_advance(m, d, i, act_dot, h);
        } else if (adr >= 0) {
            d->act[adr] = next_activation(m, d, i, act_dot[adr], h);
        }
    }
}

/* ---- force ---- */

/* What the gain multiplies: the control, the activation, or with actearly the activation at the end
 * of the step. What a motor takes: the control. */
static double input(const sal_model *m, const sal_data *d, int i, double u)
{
    const int adr = m->actuator_actadr[i];
    if (adr < 0 || phy_is_motor(m, i)) {
        return u;
    }
    return m->actuator_actearly[i] ? next_activation(m, d, i, d->act_dot[adr], m->opt.timestep)
                                   : d->act[adr];
}

void phy_orientation_controls(const sal_model *m, const sal_data *d, int first, double u[4])
{
    const bool sane = controls_are_sane(m, d);
    int begin;
    const int n = phy_orientation_inputs(m, first, &begin);
    for (int k = 0; k < n; k++) {
        u[k] = control(m, d, begin + k, sane);
    }
}

/* The component of the missing rotation that actuator i of an orientation has its gain for; u: all
 * of its controls */
static double missing(const sal_model *m, const sal_data *d, int i, const double *u)
{
    const int first = phy_orientation_first(m, i);
    int begin;
    double e[3], target[4];
    if (i < first) {
        return 0;
    }
    phy_orientation_target(phy_orientation_inputs(m, first, &begin), u, target);
    phy_orientation_error(d, first, target, e);
    return e[i - first];
}

/* The same at the state; u the control */
static double driven_by(const sal_model *m, const sal_data *d, int i, double u)
{
    double all[4];
    if (!phy_is_orientation(m, i)) {
        return input(m, d, i, u);
    }
    phy_orientation_controls(m, d, phy_orientation_first(m, i), all);
    return missing(m, d, i, all);
}

static double driven_with(const sal_model *m, const sal_data *d, int i, const double *w)
{
    int begin;
    if (!phy_is_orientation(m, i)) {
        return w[i];
    }
    phy_orientation_inputs(m, phy_orientation_first(m, i), &begin);
    return missing(m, d, i, w + begin);
}

static bool has_affine_bias(const sal_model *m, int i)
{
    return m->actuator_biastype[i] == SAL_BIAS_AFFINE ||
           m->actuator_biastype[i] == SAL_BIAS_COGGING;
}

static double force_of(const sal_model *m, const sal_data *d, int i, double w)
{
    const double *g = m->actuator_gainprm + 10 * i, *b = m->actuator_biasprm + 10 * i;
    const double l = d->actuator_length[i], ldot = d->actuator_velocity[i];
    phy_muscle muscle;
    double gain = g[0], bias = 0;
    if (phy_is_motor(m, i)) {
        return phy_motor_law(m, d, i, w).force;
    }
    if (m->actuator_gaintype[i] == SAL_GAIN_AFFINE) {
        gain += g[1] * l + g[2] * ldot;
    } else if (m->actuator_gaintype[i] == SAL_GAIN_MUSCLE) {
        phy_muscle_set(&muscle, m, g, i, l, ldot);
        gain = phy_muscle_gain(&muscle);
    }
    if (has_affine_bias(m, i)) {
        bias = b[0] + b[1] * l + b[2] * ldot;
    } else if (m->actuator_biastype[i] == SAL_BIAS_MUSCLE) {
        phy_muscle_set(&muscle, m, b, i, l, ldot);
        bias = phy_muscle_bias(&muscle);
    } else if (m->actuator_biastype[i] == SAL_BIAS_ORIENTATION) {
        bias = b[2] * ldot;
    }
    return gain * nearest_turn(m, d, i, w) + bias;
}

/* at a limit of its forcerange; all three of an orientation with their torque, which rounding may
 * have left below its limit */
static bool is_held(const sal_model *m, const sal_data *d, int i)
{
    const double force = d->actuator_force[i], *range = m->actuator_forcerange + 2 * i;
    if (phy_is_orientation(m, i)) {
        const double most = m->actuator_gainprm[10 * i + 2];
        const double *torque = d->actuator_force + phy_orientation_first(m, i);
        return most > 0 && sal_v3_norm(torque) >= most * (1 - 1e-12);
    }
    return m->actuator_forcelimited[i] && (force <= range[0] || force >= range[1]);
}

double phy_actuator_slope(const sal_model *m, const sal_data *d, int i)
{
    const double *g = m->actuator_gainprm + 10 * i, *b = m->actuator_biasprm + 10 * i;
    double by_gain = 0, by_bias = 0;
    if (phy_actuator_is_off(m, i) || (is_held(m, d, i) && m->mujoco != SAL_MUJOCO_222)) {
        return 0;
    }
    if (phy_is_motor(m, i)) {
        return phy_motor_slope(m, d, i);
    }
    if (m->actuator_gaintype[i] == SAL_GAIN_AFFINE) {
        by_gain = g[2];
    } else if (m->actuator_gaintype[i] == SAL_GAIN_MUSCLE) {
        phy_muscle muscle;
        phy_muscle_set(&muscle, m, g, i, d->actuator_length[i], d->actuator_velocity[i]);
        by_gain = phy_muscle_slope(&muscle);
    }
    if (has_affine_bias(m, i) || m->actuator_biastype[i] == SAL_BIAS_ORIENTATION) {
        by_bias = b[2];
    }
    const bool clamped = m->mujoco == SAL_MUJOCO_314;
    return by_gain *
               input(m, d, i, clamped ? control(m, d, i, true) : phy_acting_control(m, d, i)) +
           by_bias;
}

/* force = gain w + bias, with w the input; within forcerange or not */
static phy_actuator_law law_of(const sal_model *m, const sal_data *d, int i, double w, bool limited)
{
    const double *g = m->actuator_gainprm + 10 * i, *b = m->actuator_biasprm + 10 * i;
    const double l = d->actuator_length[i], ldot = d->actuator_velocity[i];
    const double *range = m->actuator_forcerange + 2 * i, input_now = nearest_turn(m, d, i, w);
    phy_actuator_law law = {.force = force_of(m, d, i, w), .by_input = g[0]};
    phy_muscle muscle;
    if (phy_is_orientation(m, i)) {
        return (phy_actuator_law){.force = law.force};
    }
    if (limited && !(law.force > range[0] && law.force < range[1])) {
        return (phy_actuator_law){.force = clip(law.force, range)};
    }
    if (phy_is_motor(m, i)) {
        return phy_motor_law(m, d, i, w);
    }
    if (m->actuator_gaintype[i] == SAL_GAIN_AFFINE) {
        law.by_input += g[1] * l + g[2] * ldot;
        law.by_length = g[1] * input_now;
        law.by_velocity = g[2] * input_now;
    } else if (m->actuator_gaintype[i] == SAL_GAIN_MUSCLE) {
        phy_muscle_set(&muscle, m, g, i, l, ldot);
        law.by_input = phy_muscle_gain(&muscle);
        law.by_length = phy_muscle_length_slope(&muscle) * input_now;
        law.by_velocity = phy_muscle_slope(&muscle) * input_now;
    }
    if (has_affine_bias(m, i)) {
        law.by_length += b[1];
        law.by_velocity += b[2];
    } else if (m->actuator_biastype[i] == SAL_BIAS_MUSCLE) {
        phy_muscle_set(&muscle, m, b, i, l, ldot);
        law.by_length += phy_muscle_bias_slope(&muscle);
    }
    return law;
}

double phy_actuator_length_slope(const sal_model *m, const sal_data *d, int i)
{
    if (phy_actuator_is_off(m, i) || is_held(m, d, i)) {
        return 0;
    }
    if (phy_is_motor(m, i)) {
        return phy_motor_length_slope(m, d, i);
    }
    return phy_is_orientation(m, i)
               ? m->actuator_biasprm[10 * i + 1]
               : law_of(m, d, i, input(m, d, i, control(m, d, i, true)), false).by_length;
}

double phy_actuator_within(const sal_model *m, int i, double force)
{
    return m->actuator_forcelimited[i] ? clip(force, m->actuator_forcerange + 2 * i) : force;
}

static bool acts_on(const sal_model *m, int i, int t)
{
    return m->actuator_trntype[i] == SAL_TRN_TENDON && m->actuator_trnid[i] == t;
}

bool phy_tendon_is_over(const sal_model *m, const sal_data *d, int t, double *sum)
{
    const double *range = m->tendon_actfrcrange + 2 * t;
    const bool sane = controls_are_sane(m, d);
    *sum = 0;
    for (int i = 0; i < m->nu && m->tendon_actfrclimited[t]; i++) {
        if (acts_on(m, i, t) && !phy_actuator_is_off(m, i)) {
            *sum += force_of(m, d, i, input(m, d, i, control(m, d, i, sane)));
        }
    }
    return m->tendon_actfrclimited[t] && (*sum < range[0] || *sum > range[1]);
}

static bool is_scaled(const sal_model *m, const sal_data *d, int i)
{
    double sum;
    return m->actuator_trntype[i] == SAL_TRN_TENDON &&
           phy_tendon_is_over(m, d, m->actuator_trnid[i], &sum);
}

/* What the further control i of motor k does, whose law is known: it moves the motor's force. */
static double fed_slope(const sal_model *m, const sal_data *d, int i, int k, bool limited,
                        const phy_actuator_law *law)
{
    const double *range = m->actuator_forcerange + 2 * k;
    const bool cut = limited && !(law[k].force > range[0] && law[k].force < range[1]);
    return cut ? 0 : phy_motor_by_control(m, d, k, phy_control(m, d, k), i);
}

void phy_actuator_laws(const sal_model *m, const sal_data *d, phy_actuator_law *law)
{
    const bool sane = controls_are_sane(m, d);
    for (int i = 0; i < m->nu; i++) {
        const int motor = phy_motor_fed_by(m, i), of = motor < 0 ? i : motor;
        const double w = driven_by(m, d, i, control(m, d, i, sane));
        const bool limited = m->actuator_forcelimited[of] && !is_scaled(m, d, of);
        const phy_actuator_law none = {0};
        law[i] = phy_actuator_is_off(m, i) ? none : law_of(m, d, i, w, limited);
        if (motor >= 0 && !phy_actuator_is_off(m, i)) {
            law[i] = none;
            law[i].by_input = fed_slope(m, d, i, motor, limited, law);
        }
    }
}

void phy_actuator_laws_driven(const sal_model *m, const sal_data *d, const double *w,
                              phy_actuator_law *law)
{
    for (int i = 0; i < m->nu; i++) {
        const phy_actuator_law none = {0};
        law[i] = phy_actuator_is_off(m, i) ? none : law_of(m, d, i, driven_with(m, d, i, w), false);
    }
}

/* ---- cogging, and friction of motors ---- */

static bool cogs(const sal_model *m, int i)
{
    return m->actuator_biastype[i] == SAL_BIAS_COGGING && !phy_actuator_is_off(m, i);
}

static bool rubs(const sal_model *m, int i)
{
    return phy_is_motor(m, i) && !phy_actuator_is_off(m, i);
}

/* A sin(N l + phase), and its slope by l */
static double cogging(const sal_model *m, const sal_data *d, int i, double *slope)
{
    const double *prm = m->actuator_biasprm + 10 * i + 3;
    const double angle = prm[1] * d->actuator_length[i] + prm[2];
    *slope = prm[0] * prm[1] * cos(angle);
    return prm[0] * sin(angle);
}

void phy_add_cogging(const sal_model *m, const sal_data *d, phy_actuator_law *law)
{
    for (int i = 0; i < m->nu; i++) {
        double slope;
        if (cogs(m, i)) {
            law[i].force += cogging(m, d, i, &slope);
            law[i].by_length += slope;
        }
        if (rubs(m, i)) {
            law[i].force += phy_motor_friction(m, d, i, &slope);
            law[i].by_velocity += slope;
        }
    }
}

static void add_cogging(const sal_model *m, sal_data *d)
{
    for (int i = 0; i < m->nu; i++) {
        double slope;
        if (cogs(m, i)) {
            d->actuator_force[i] += cogging(m, d, i, &slope);
        }
        if (rubs(m, i)) {
            d->actuator_force[i] += phy_motor_friction(m, d, i, &slope);
        }
    }
}

/* ---- limits where forces come together ---- */

/* The sum of the actuators' forces on each tendon, scaled back into its range */
static void limit_tendons(const sal_model *m, sal_data *d)
{
    for (int t = 0; t < m->ntendon; t++) {
        double sum;
        if (!phy_tendon_is_over(m, d, t, &sum)) {
            continue;
        }
        for (int i = 0; i < m->nu; i++) {
            d->actuator_force[i] *=
                acts_on(m, i, t) ? clip(sum, m->tendon_actfrcrange + 2 * t) / sum : 1;
        }
    }
}

static void limit_actuators(const sal_model *m, sal_data *d)
{
    for (int i = 0; i < m->nu; i++) {
        if (!phy_actuator_is_off(m, i)) {
            d->actuator_force[i] = phy_actuator_within(m, i, d->actuator_force[i]);
        }
        if (phy_is_orientation(m, i) && phy_orientation_first(m, i) == i) {
            double *torque = d->actuator_force + i;
            sal_v3_scale(torque, torque, phy_orientation_share(m, i, torque));
        }
    }
}

/* Gravity compensation that counts as the actuators' comes before the limit; there is none without
 * actuators, as in MuJoCo. */
static void add_compensation(const sal_model *m, sal_data *d)
{
    for (int i = 0; i < m->nv && m->ngravcomp > 0 && m->nu > 0; i++) {
        d->qfrc_actuator[i] += m->jnt_actgravcomp[m->dof_jntid[i]] ? d->qfrc_gravcomp[i] : 0;
    }
}

static void limit_joints(const sal_model *m, sal_data *d)
{
    for (int j = 0; j < m->njnt; j++) {
        if (m->jnt_actfrclimited[j]) {
            double *force = d->qfrc_actuator + m->jnt_dofadr[j];
            *force = clip(*force, m->jnt_actfrcrange + 2 * j);
        }
    }
}

void sal_actuation(const sal_model *m, sal_data *d)
{
    const bool sane = controls_are_sane(m, d);
    memset(d->actuator_force, 0, (size_t)m->nu * sizeof *d->actuator_force);
    memset(d->qfrc_actuator, 0, (size_t)m->nv * sizeof *d->qfrc_actuator);
    memset(d->act_dot, 0, (size_t)m->na * sizeof *d->act_dot);
    if (m->opt.disable & SAL_DSBL_ACTUATION) {
        return;
    }
    for (int i = 0; i < m->nu; i++) {
        if (phy_actuator_is_off(m, i)) {
            continue;
        }
        const double u = control(m, d, i, sane);
        if (phy_is_motor(m, i)) {
            phy_motor_rates(m, d, i, u);
        } else if (m->actuator_actadr[i] >= 0) {
            d->act_dot[m->actuator_actadr[i]] = activation_rate(m, d, i, u);
        }
        d->actuator_force[i] = force_of(m, d, i, driven_by(m, d, i, u));
    }
    limit_tendons(m, d);
    limit_actuators(m, d);
    add_cogging(m, d);
    for (int i = 0; i < m->nu; i++) {
        phy_actuator_pull(m, d, d->qfrc_actuator, i, d->actuator_force[i]);
    }
    add_compensation(m, d);
    limit_joints(m, d);
}

void sal_actuation_driven(const sal_model *m, sal_data *d, const double *w)
{
    memset(d->actuator_force, 0, (size_t)m->nu * sizeof *d->actuator_force);
    memset(d->qfrc_actuator, 0, (size_t)m->nv * sizeof *d->qfrc_actuator);
    if (m->opt.disable & SAL_DSBL_ACTUATION) {
        return;
    }
    for (int i = 0; i < m->nu; i++) {
        d->actuator_force[i] =
            phy_actuator_is_off(m, i) ? 0 : force_of(m, d, i, driven_with(m, d, i, w));
    }
    add_cogging(m, d);
    for (int i = 0; i < m->nu; i++) {
        phy_actuator_pull(m, d, d->qfrc_actuator, i, d->actuator_force[i]);
    }
    add_compensation(m, d);
}
