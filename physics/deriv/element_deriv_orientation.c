/* element_deriv_orientation.c: how the torque of an orientation changes
 * (physics/actuation/orientation.c). With
 *
 *     e = log(q* exp(u)),   log(exp(e) exp(a)) = e + J a,   log(exp(a) exp(e)) = e + J'a,
 *     exp(u + du) = exp(u) exp(X du)
 *
 * a rotation a of the body, and its angular velocity w,
 *
 *     T = kp e - kv w       dT = - kp J'a - kv dw + kp J X du
 *     the part s T          d(s T) = s (dT - t t'dT),   s = most/|T|, t = T/|T|;   dT where s = 1
 */
#include "physics/actuator.h"
#include "physics/deriv/element_deriv.h"

/* D := s (D - t t'D) */
static void limit(double D[9], double s, const double t[3])
{
    for (int k = 0; k < 3 && s < 1; k++) {
        const double along = t[0] * D[k] + t[1] * D[3 + k] + t[2] * D[6 + k];
        for (int j = 0; j < 3; j++) {
            D[3 * j + k] = s * (D[3 * j + k] - t[j] * along);
        }
    }
}

/* Rows from `row` on, columns from `column` on of a matrix of n columns */
static void add(double *to, int row, int column, int n, const double D[9])
{
    for (int j = 0; j < 3 && to != NULL; j++) {
        for (int k = 0; k < 3; k++) {
            to[(size_t)(row + j) * (size_t)n + (size_t)(column + k)] += D[3 * j + k];
        }
    }
}

void phy_add_orientation(const sal_model *m, const sal_data *d, const sal_actuation_jacobian *to,
                         int first, const double u[3], double share)
{
    const double *prm = m->actuator_biasprm + 10 * first, *w = d->actuator_velocity + first;
    const double kp = m->actuator_gainprm[10 * first], kv = -prm[2];
    const int dof = m->moment_colind[m->moment_rowadr[first]];
    double e[3], J[9], X[9], Tq[9], Tv[9] = {-kv, 0, 0, 0, -kv, 0, 0, 0, -kv}, Tu[9], t[3];
    phy_orientation_error(d, first, u, e);
    sal_quat_log_deriv(J, e);
    sal_quat_exp_deriv(X, u);
    sal_m3_mul(Tu, J, X);
    for (int j = 0; j < 3; j++) {
        t[j] = kp * e[j] - kv * w[j];
        for (int k = 0; k < 3; k++) {
            Tq[3 * j + k] = -kp * J[3 * k + j];
            Tu[3 * j + k] *= kp;
        }
    }
    sal_v3_scale(t, t, share < 1 ? 1 / sal_v3_norm(t) : 1);
    limit(Tq, share, t);
    limit(Tv, share, t);
    limit(Tu, share, t);
    add(to->Dq, dof, dof, m->nv, Tq);
    add(to->Dv, dof, dof, m->nv, Tv);
    add(to->Dw, dof, first, m->nu, Tu);
    add(to->Fq, first, dof, m->nv, Tq);
    add(to->Fv, first, dof, m->nv, Tv);
}
