/* passive.c: springs and dampers of joints; those of tendons are in tendon.c.
 *
 *     slide, hinge   -k (q - q_s) - b v            ball   -k log(q_s* q)            free   -k (x - x_s), then as ball
 */
#include "physics/stages.h"
#include "physics/tendon.h"

#include <string.h>

/* -k log(q_s* q), in body axes */
static void ball_spring(double force[3], double k, const double q[4], const double rest[4])
{
    double back[4], away[4];
    sal_quat_conj(back, rest);
    sal_quat_mul(away, back, q);
    sal_quat_normalise(away);
    sal_quat_log(force, away);
    sal_v3_scale(force, force, -k);
}

static void joint_spring(const sal_model *m, const sal_data *d, int j, double *force)
{
    const double k = m->jnt_stiffness[j];
    const double *q = d->qpos + m->jnt_qposadr[j], *rest = m->qpos_spring + m->jnt_qposadr[j];
    switch ((sal_joint_type)m->jnt_type[j]) {
    case SAL_JNT_FREE:
        sal_v3_sub(force, q, rest);
        sal_v3_scale(force, force, -k);
        ball_spring(force + 3, k, q + 3, rest + 3);
        break;
    case SAL_JNT_BALL:
        ball_spring(force, k, q, rest);
        break;
    case SAL_JNT_SLIDE:
    case SAL_JNT_HINGE:
        force[0] = -k * (q[0] - rest[0]);
        break;
    }
}

void sal_passive_force(const sal_model *m, sal_data *d)
{
    /* 2.2.2 has one flag for both, which sets both bits */
    memset(d->qfrc_passive, 0, (size_t)m->nv * sizeof *d->qfrc_passive);
    if (!(m->opt.disable & SAL_DSBL_SPRING)) {
        for (int j = 0; j < m->njnt; j++) {
            if (m->jnt_stiffness[j] != 0) {
                joint_spring(m, d, j, d->qfrc_passive + m->jnt_dofadr[j]);
            }
        }
    }
    if (!(m->opt.disable & SAL_DSBL_DAMPER)) {
        for (int i = 0; i < m->nv; i++) {
            d->qfrc_passive[i] -= m->dof_damping[i] * d->qvel[i];
        }
    }
    sal_tendon_passive(m, d);
}
