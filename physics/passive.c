/* passive.c: forces that are there without actuators: springs, dampers, gravity compensation; those
 * of tendons are in tendon.c, of the medium in fluid.c.
 *
 *     slide, hinge   -k(x) x,  x = q - q_s                        k(x) = k_0 + k_1 x + k_2 x^2
 *     ball           -k(|r|) r,  r = log(q_s* q)
 *     free           -k(|x|) x,  x = p - p_s,  then as ball
 *     every dof      -b(|v|) v                                    b(v) = b_0 + b_1 v + b_2 v^2
 *     every body     -J' m c g at its centre of mass
 *     c its share of gravity compensation
 */
#include "base/house.h"
#include "physics/fluid.h"
#include "physics/stages.h"
#include "physics/tendon.h"

#include <string.h>

static double polynomial(double c0, const double c[2], double x)
{
    return c0 + x * (c[0] + x * c[1]);
}

/* force = -k(|x|) x */
static void radial_spring(double force[3], const sal_model *m, int j, const double x[3])
{
    const double *poly = m->jnt_stiffnesspoly + 2 * j;
    const double k = polynomial(m->jnt_stiffness[j], poly, sal_v3_norm(x));
    sal_v3_scale(force, x, -k);
}

/* in body axes */
static void ball_spring(double force[3], const sal_model *m, int j, const double q[4],
                        const double rest[4])
{
    double back[4], away[4], r[3];
    sal_quat_conj(back, rest);
    sal_quat_mul(away, back, q);
    sal_quat_normalise(away);
    sal_quat_log(r, away);
    radial_spring(force, m, j, r);
}

static void joint_spring(const sal_model *m, const sal_data *d, int j, double *force)
{
    const double *q = d->qpos + m->jnt_qposadr[j], *rest = m->qpos_spring + m->jnt_qposadr[j];
    double x[3];
    switch ((sal_joint_type)m->jnt_type[j]) {
    case SAL_JNT_FREE:
        sal_v3_sub(x, q, rest);
        radial_spring(force, m, j, x);
        ball_spring(force + 3, m, j, q + 3, rest + 3);
        break;
    case SAL_JNT_BALL:
        ball_spring(force, m, j, q, rest);
        break;
    case SAL_JNT_SLIDE:
    case SAL_JNT_HINGE:
        x[0] = q[0] - rest[0];
        force[0] = -x[0] * polynomial(m->jnt_stiffness[j], m->jnt_stiffnesspoly + 2 * j, x[0]);
        break;
    }
}

static void springs(const sal_model *m, sal_data *d)
{
    for (int j = 0; j < m->njnt; j++) {
        const double *poly = m->jnt_stiffnesspoly + 2 * j;
        if (fabs(m->jnt_stiffness[j]) + fabs(poly[0]) + fabs(poly[1]) > 0) {
            joint_spring(m, d, j, d->qfrc_passive + m->jnt_dofadr[j]);
        }
    }
}

static void dampers(const sal_model *m, sal_data *d)
{
    for (int i = 0; i < m->nv; i++) {
        const double v = d->qvel[i];
        d->qfrc_passive[i] -=
            v * polynomial(m->dof_damping[i], m->dof_dampingpoly + 2 * i, fabs(v));
    }
}

/* Also to qfrc_passive, except where it counts as the actuators' */
static void gravity_compensation(const sal_model *m, sal_data *d)
{
    static const double no_torque[3] = {0, 0, 0};
    memset(d->qfrc_gravcomp, 0, (size_t)m->nv * sizeof *d->qfrc_gravcomp);
    if (m->opt.disable & SAL_DSBL_GRAVITY) {
        return;
    }
    for (int b = 1; b < m->nbody; b++) {
        double force[3];
        if (m->body_gravcomp[b] != 0) {
            sal_v3_scale(force, m->opt.gravity, -m->body_mass[b] * m->body_gravcomp[b]);
            sal_apply_force(m, d, d->qfrc_gravcomp, force, no_torque, d->xipos + 3 * b, b);
        }
    }
    for (int i = 0; i < m->nv; i++) {
        d->qfrc_passive[i] += m->jnt_actgravcomp[m->dof_jntid[i]] ? 0 : d->qfrc_gravcomp[i];
    }
}

void phy_passive_force(const sal_model *m, sal_data *d)
{
    const int off = m->opt.disable;
    memset(d->qfrc_passive, 0, (size_t)m->nv * sizeof *d->qfrc_passive);
    if (phy_passive_is_off(m)) {
        memset(d->qfrc_gravcomp, 0, (size_t)m->nv * sizeof *d->qfrc_gravcomp);
        return;
    }
    if (!(off & SAL_DSBL_SPRING)) {
        springs(m, d);
    }
    if (!(off & SAL_DSBL_DAMPER)) {
        dampers(m, d);
    }
    phy_tendon_passive(m, d);
    if (phy_fluid_acts(m)) {
        phy_fluid_force(m, d);
    }
    if (m->ngravcomp > 0) {
        gravity_compensation(m, d);
    }
}
