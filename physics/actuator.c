/* actuator.c: actuators on joints and tendons.  With gear g and moment dl/dq:
 *
 *     slide, hinge   l = g_0 q               moment g_0
 *     ball           l = log(q) . g          moment g          (in the parent's frame: R(q)' g)
 *     free           l = 0                   moment g          (in the parent's frame: the rotational part R(q)' g)
 *     tendon         l = g_0 length          moment g_0 J
 *
 *     ldot = moment . v,    force = gain(l, ldot) u + bias(l, ldot),    qfrc = moment force
 */
#include "physics/stages.h"
#include "physics/tendon.h"

#include <string.h>

/* The gear of a rotation in body axes; given in the parent's frame it is R(q)' g. */
static void rotation_gear(double moment[3], const double gear[3], const double q[4], int inparent)
{
    sal_v3_copy(moment, gear);
    if (inparent) {
        double back[4];
        sal_quat_conj(back, q);
        sal_quat_rotate(moment, back, gear);
    }
}

static void joint_moment(const sal_model *m, sal_data *d, int i)
{
    const int j = m->actuator_trnid[i], inparent = m->actuator_inparent[i];
    const double *gear = m->actuator_gear + 6 * i, *q = d->qpos + m->jnt_qposadr[j];
    double *length = d->actuator_length + i, *moment = d->actuator_moment + 6 * i, turn[4], w[3];
    memset(moment, 0, 6 * sizeof *moment);
    switch ((sal_joint_type)m->jnt_type[j]) {
    case SAL_JNT_FREE:
        sal_quat_copy(turn, q + 3);
        sal_quat_normalise(turn);
        *length = 0;
        sal_v3_copy(moment, gear);
        rotation_gear(moment + 3, gear + 3, turn, inparent);
        break;
    case SAL_JNT_BALL:
        sal_quat_copy(turn, q);
        sal_quat_normalise(turn);
        sal_quat_log(w, turn);
        rotation_gear(moment, gear, turn, inparent);
        *length = sal_v3_dot(w, moment);
        break;
    case SAL_JNT_SLIDE:
    case SAL_JNT_HINGE:
        *length = gear[0] * q[0];
        moment[0] = gear[0];
        break;
    }
}

void sal_actuator_length(const sal_model *m, sal_data *d)
{
    for (int i = 0; i < m->nu; i++) {
        if (m->actuator_trntype[i] == SAL_TRN_TENDON) { /* its moment is the tendon's Jacobian */
            const double length = d->ten_length[m->actuator_trnid[i]];
            d->actuator_length[i] = m->actuator_gear[6 * i] * length;
        } else {
            joint_moment(m, d, i);
        }
    }
}

/* ldot = moment . v of an actuator on a joint */
static double joint_rate(const sal_model *m, const sal_data *d, int i)
{
    const int j = m->actuator_trnid[i], n = sal_joint_ndof(m->jnt_type[j]);
    const double *v = d->qvel + m->jnt_dofadr[j], *moment = d->actuator_moment + 6 * i;
    double rate = 0;
    for (int k = 0; k < n; k++) {
        rate += moment[k] * v[k];
    }
    return rate;
}

void sal_actuator_velocity(const sal_model *m, sal_data *d)
{
    for (int i = 0; i < m->nu; i++) {
        const bool tendon = m->actuator_trntype[i] == SAL_TRN_TENDON;
        d->actuator_velocity[i] =
            tendon ? m->actuator_gear[6 * i] * d->ten_velocity[m->actuator_trnid[i]]
                   : joint_rate(m, d, i);
    }
}

void sal_actuator_pull(const sal_model *m, const sal_data *d, double *r, int i, double force)
{
    const int id = m->actuator_trnid[i];
    if (m->actuator_trntype[i] == SAL_TRN_TENDON) {
        sal_tendon_pull(m, d, r, id, m->actuator_gear[6 * i] * force);
        return;
    }
    for (int k = 0; k < sal_joint_ndof(m->jnt_type[id]); k++) {
        r[m->jnt_dofadr[id] + k] += d->actuator_moment[6 * i + k] * force;
    }
}

void sal_actuator_moment(const sal_model *m, sal_data *d)
{
    sal_tendon_velocity(m, d);
    sal_actuator_length(m, d);
    sal_actuator_velocity(m, d);
}

static double clip(double x, const double range[2])
{
    return x < range[0] ? range[0] : x > range[1] ? range[1] : x;
}

/* A controller that has run away must not take the mechanism with it: all controls count as zero if one is not finite or huge (MuJoCo's
 * rule). */
static bool controls_are_sane(const sal_model *m, const sal_data *d)
{
    for (int i = 0; i < m->nu; i++) {
        if (!(fabs(d->ctrl[i]) <= 1e10)) {
            return false;
        }
    }
    return true;
}

/* force = gain u + bias */
static double affine_force(const sal_model *m, const sal_data *d, int i, double u)
{
    const double *g = m->actuator_gainprm + 10 * i, *b = m->actuator_biasprm + 10 * i;
    const double l = d->actuator_length[i], ldot = d->actuator_velocity[i];
    double gain = g[0], bias = 0;
    if (m->actuator_gaintype[i] == SAL_GAIN_AFFINE) {
        gain += g[1] * l + g[2] * ldot;
    }
    if (m->actuator_biastype[i] == SAL_BIAS_AFFINE) {
        bias = b[0] + b[1] * l + b[2] * ldot;
    }
    return gain * u + bias;
}

void sal_actuation(const sal_model *m, sal_data *d)
{
    const bool sane = controls_are_sane(m, d);
    sal_actuator_moment(m, d);
    memset(d->actuator_force, 0, (size_t)m->nu * sizeof *d->actuator_force);
    memset(d->qfrc_actuator, 0, (size_t)m->nv * sizeof *d->qfrc_actuator);
    if (m->opt.disable & SAL_DSBL_ACTUATION) {
        return;
    }
    for (int i = 0; i < m->nu; i++) {
        double u = sane ? d->ctrl[i] : 0;
        if (m->actuator_ctrllimited[i] && !(m->opt.disable & SAL_DSBL_CLAMPCTRL)) {
            u = clip(u, m->actuator_ctrlrange + 2 * i);
        }
        double force = affine_force(m, d, i, u);
        if (m->actuator_forcelimited[i]) {
            force = clip(force, m->actuator_forcerange + 2 * i);
        }
        d->actuator_force[i] = force;
        sal_actuator_pull(m, d, d->qfrc_actuator, i, force);
    }
}
