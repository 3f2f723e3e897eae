/* integrate_pos.c: how positions are integrated: adding and subtracting in configuration space,
 * joint by joint.
 *
 *     hinge, slide, place of a free joint      q2 = q1 + dt v              v = (q2 - q1) / dt
 *     ball joint, rotation of a free joint     q2 = q1 exp(dt w)           w = log(q1* q2) / dt
 *
 * with q a unit quaternion, w the angular velocity in the axes of the body, and exp(dt w) the turn
 * by |w| dt about w; q2 is normalised.
 */
#include "base/house.h"
#include "physics/physics.h"

void sal_integrate_pos(const sal_model *m, double *out, const double *q, const double *v, double dt)
{
    for (int j = 0; j < m->njnt; j++) {
        int iq = m->jnt_qposadr[j], iv = m->jnt_dofadr[j];
        switch ((sal_joint_type)m->jnt_type[j]) {
        case SAL_JNT_FREE:
            sal_v3_addscaled(out + iq, q + iq, dt, v + iv);
            iq += 3, iv += 3;
            /* fall through */
        case SAL_JNT_BALL: {
            double w[3], turn[4], r[4];
            sal_v3_scale(w, v + iv, dt);
            sal_quat_exp(turn, w);
            sal_quat_mul(r, q + iq, turn);
            sal_quat_normalise(r);
            sal_quat_copy(out + iq, r);
            break;
        }
        case SAL_JNT_SLIDE:
        case SAL_JNT_HINGE:
            out[iq] = q[iq] + dt * v[iv];
            break;
        }
    }
}

void sal_differentiate_pos(const sal_model *m, double *v, double dt, const double *q1,
                           const double *q2)
{
    for (int j = 0; j < m->njnt; j++) {
        int iq = m->jnt_qposadr[j], iv = m->jnt_dofadr[j];
        switch ((sal_joint_type)m->jnt_type[j]) {
        case SAL_JNT_FREE:
            for (int k = 0; k < 3; k++) {
                v[iv + k] = (q2[iq + k] - q1[iq + k]) / dt;
            }
            iq += 3, iv += 3;
            /* fall through */
        case SAL_JNT_BALL: {
            double back[4], turn[4];
            sal_quat_conj(back, q1 + iq);
            sal_quat_mul(turn, back, q2 + iq);
            sal_quat_log(v + iv, turn);
            sal_v3_scale(v + iv, v + iv, 1 / dt);
            break;
        }
        case SAL_JNT_SLIDE:
        case SAL_JNT_HINGE:
            v[iv] = (q2[iq] - q1[iq]) / dt;
            break;
        }
    }
}

void sal_normalise_pos(const sal_model *m, double *q)
{
    for (int j = 0; j < m->njnt; j++) {
        if (m->jnt_type[j] == SAL_JNT_FREE) {
            sal_quat_normalise(q + m->jnt_qposadr[j] + 3);
        } else if (m->jnt_type[j] == SAL_JNT_BALL) {
            sal_quat_normalise(q + m->jnt_qposadr[j]);
        }
    }
}
