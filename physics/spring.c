/* spring.c: springs and dampers of joints.
 *
 *     slide, hinge   -k(x) x,  x = q - q_s                        k(x) = k_0 + k_1 x + k_2 x^2
 *     ball           -k(|r|) r,  r = log(q_s* q)
 *     free           -k(|x|) x,  x = p - p_s,  then as ball
 *     every dof      -b(|v|) v                                    b(v) = b_0 + b_1 v + b_2 v^2
 */
#include "physics/stages.h"
#include "physics/width.h"

#include <math.h>
#include <string.h>

/* c0 + c[0] x + c[1] x^2 */
static SAL_INLINE void polynomial(phy_real *r, double c0, const double c[2], const phy_real *x)
{
    *r = c0 + *x * (c[0] + *x * c[1]);
}

/* force = -k(|x|) x */
static void radial_spring(double force[3], const sal_model *m, int j, const double x[3])
{
    const double *c = m->jnt_stiffnesspoly + 2 * j, length = sal_v3_norm(x);
    sal_v3_scale(force, x, -(m->jnt_stiffness[j] + length * (c[0] + length * c[1])));
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

/* Of a ball or a free joint, instant by instant: rotation vectors take branches. */
static void spring_of_rotation(const sal_model *m, const phy_instants *d, int j, phy_real *force)
{
    const int adr = m->jnt_qposadr[j], nq = m->jnt_type[j] == SAL_JNT_FREE ? 7 : 4;
    const int turn = nq - 4; /* numbers before those of the rotation, in q and in the force */
    const double *rest = m->qpos_spring + adr;
    for (int l = 0; l < PHY_WIDTH; l++) {
        double q[7], x[3], f[6];
        for (int k = 0; k < nq; k++) {
            q[k] = phy_lane_of(d->qpos + adr + k, l);
        }
        if (turn > 0) {
            sal_v3_sub(x, q, rest);
            radial_spring(f, m, j, x);
        }
        ball_spring(f + turn, m, j, q + turn, rest + turn);
        for (int k = 0; k < nq - 1; k++) {
            phy_lane_set(force + k, l, f[k]);
        }
    }
}

static void springs(const sal_model *m, phy_instants *d)
{
    for (int j = 0; j < m->njnt; j++) {
        const double *c = m->jnt_stiffnesspoly + 2 * j;
        phy_real *force = d->qfrc_passive + m->jnt_dofadr[j];
        if (!(fabs(m->jnt_stiffness[j]) + fabs(c[0]) + fabs(c[1]) > 0)) {
            continue;
        }
        if (m->jnt_type[j] == SAL_JNT_FREE || m->jnt_type[j] == SAL_JNT_BALL) {
            spring_of_rotation(m, d, j, force);
            continue;
        }
        const int adr = m->jnt_qposadr[j];
        const phy_real x = d->qpos[adr] - m->qpos_spring[adr];
        phy_real k;
        polynomial(&k, m->jnt_stiffness[j], c, &x);
        *force = -x * k;
    }
}

static void dampers(const sal_model *m, phy_instants *d)
{
    for (int i = 0; i < m->nv; i++) {
        const phy_real v = d->qvel[i];
        phy_real speed, b;
        phy_abs(&speed, &v);
        polynomial(&b, m->dof_damping[i], m->dof_dampingpoly + 2 * i, &speed);
        d->qfrc_passive[i] -= v * b;
    }
}

void phy_joint_passive_force(const sal_model *m, phy_instants *d)
{
    memset(d->qfrc_passive, 0, (size_t)m->nv * sizeof *d->qfrc_passive);
    if (!(m->opt.disable & SAL_DSBL_SPRING)) {
        springs(m, d);
    }
    if (!(m->opt.disable & SAL_DSBL_DAMPER)) {
        dampers(m, d);
    }
}
