/* difference.c: velocities from configurations, and their exact derivatives. */
#include "base/house.h"
#include "invdyn/invdyn.h"

/* The block of one rotation: w = log(conj(q0) q1), q perturbed on the right,
 *     dw/dq1 = J(w)       dw/dq0 = -J(w)'
 *     J the inverse right Jacobian, see sal_quat_log_deriv */
static void rotation_deriv(double d0[9], double d1[9], const double q0[4], const double q1[4])
{
    double inverse[4], relative[4], w[3];
    sal_quat_conj(inverse, q0);
    sal_quat_mul(relative, inverse, q1);
    sal_quat_log(w, relative);
    sal_quat_log_deriv(d1, w);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            d0[3 * i + k] = -d1[3 * k + i];
        }
    }
}

static void scalar_deriv(double *d0, double *d1, int dof, int n)
{
    for (int i = dof; i < dof + n; i++) {
        sal_v3_set(d0 + 3 * i, -1, 0, 0);
        sal_v3_set(d1 + 3 * i, 1, 0, 0);
    }
}

void sal_differentiate_pos_deriv(const sal_model *m, double *d0, double *d1, const double *q0,
                                 const double *q1)
{
    for (int j = 0; j < m->njnt; j++) {
        int dof = m->jnt_dofadr[j], adr = m->jnt_qposadr[j];
        switch ((sal_joint_type)m->jnt_type[j]) {
        case SAL_JNT_FREE:
            scalar_deriv(d0, d1, dof, 3);
            rotation_deriv(d0 + 3 * (dof + 3), d1 + 3 * (dof + 3), q0 + adr + 3, q1 + adr + 3);
            break;
        case SAL_JNT_BALL:
            rotation_deriv(d0 + 3 * dof, d1 + 3 * dof, q0 + adr, q1 + adr);
            break;
        case SAL_JNT_SLIDE:
        case SAL_JNT_HINGE:
            scalar_deriv(d0, d1, dof, 1);
            break;
        }
    }
}

void sal_motion_velocity(const sal_model *m, double *v, const double *q0, const double *q1)
{
    sal_differentiate_pos(m, v, m->opt.timestep, q0, q1);
}
