/* step_metric.c: S and s of integrator="discrete", and products with S. */
#include "physics/implicit/step_metric.h"

#include "base/house.h"
#include "physics/actuator.h"
#include "physics/compiling.h"
#include "physics/fluid.h"
#include "physics/stages.h"
#include "physics/tendon.h"

#include <math.h>
#include <string.h>

const char *phy_step_metric_lacks(const sal_model *m)
{
    return !phy_has_step_metric(m)              ? NULL
           : m->opt.solver == SAL_SOLVER_PGS    ? "solver=\"PGS\""
           : m->opt.noslip_iterations > 0       ? "noslip_iterations"
           : m->opt.enable & SAL_ENBL_DIAGEXACT ? "the flag diagexact"
           : phy_fluid_acts(m)                  ? "a medium (density, viscosity)"
                                                : NULL;
}

sal_status phy_step_metric_refusal(const sal_model *m, sal_err *err)
{
    const char *what = phy_step_metric_lacks(m);
    return what == NULL
               ? SAL_OK
               : sal_fail(err, SAL_UNSUPPORTED,
                          "integrator=\"discrete\" and %s are not supported together", what);
}

/* d(x k(x))/dx = k_0 + 2 k_1 x + 3 k_2 x^2, at least 0 */
static double slope_of(double k0, const double poly[2], double x)
{
    return fmax(0, k0 + x * (2 * poly[0] + 3 * x * poly[1]));
}

/* |log(q_s* q)| */
static double turn_of(const double q[4], const double rest[4])
{
    double back[4], away[4], r[3];
    sal_quat_conj(back, rest);
    sal_quat_mul(away, back, q);
    sal_quat_normalise(away);
    sal_quat_log(r, away);
    return sal_v3_norm(r);
}

double phy_spring_slope(const sal_model *m, const sal_data *d, int j, int which)
{
    const double *q = d->qpos + m->jnt_qposadr[j], *rest = m->qpos_spring + m->jnt_qposadr[j];
    const double *poly = m->jnt_stiffnesspoly + 2 * j, k0 = m->jnt_stiffness[j];
    double x[3];
    switch ((sal_joint_type)m->jnt_type[j]) {
    case SAL_JNT_SLIDE:
    case SAL_JNT_HINGE:
        return slope_of(k0, poly, q[0] - rest[0]);
    case SAL_JNT_BALL:
        return slope_of(k0, poly, turn_of(q, rest));
    case SAL_JNT_FREE:
        break;
    }
    sal_v3_sub(x, q, rest);
    return slope_of(k0, poly, which == 0 ? sal_v3_norm(x) : turn_of(q + 3, rest + 3));
}

double phy_tendon_spring_slope(const sal_model *m, const sal_data *d, int t)
{
    const double x = phy_tendon_stretch(m, d, t);
    return x == 0 ? 0 : slope_of(m->tendon_stiffness[t], m->tendon_stiffnesspoly + 2 * t, x);
}

static int dofs_of(int type)
{
    return type == SAL_JNT_FREE ? 6 : type == SAL_JNT_BALL ? 3 : 1;
}

static void joints(const sal_model *m, sal_data *d)
{
    const double h = m->opt.timestep;
    for (int j = 0; j < m->njnt; j++) {
        const bool off = (m->opt.disable & SAL_DSBL_SPRING) != 0;
        const int first = m->jnt_dofadr[j], n = dofs_of(m->jnt_type[j]);
        for (int i = first; i < first + n; i++) {
            const double k = off ? 0 : phy_spring_slope(m, d, j, n == 6 && i >= first + 3);
            const double b =
                m->opt.disable & SAL_DSBL_DAMPER ? 0 : fmax(0, phy_damping_slope(m, d, i));
            d->step_diag[i] = h * b + h * h * k;
            d->step_bias[i] = h * k * d->qvel[i];
        }
    }
}

static void tendons(const sal_model *m, sal_data *d)
{
    const double h = m->opt.timestep;
    for (int t = 0; t < m->ntendon; t++) {
        const double k = m->opt.disable & SAL_DSBL_SPRING ? 0 : phy_tendon_spring_slope(m, d, t);
        const double b =
            m->opt.disable & SAL_DSBL_DAMPER ? 0 : fmax(0, phy_tendon_damping_slope(m, d, t));
        d->step_tendon[t] = h * b + h * h * k;
        if (k > 0) {
            phy_tendon_pull(m, d, d->step_bias, t, h * k * d->ten_velocity[t]);
        }
    }
}

static void actuators(const sal_model *m, sal_data *d)
{
    const double h = m->opt.timestep;
    for (int i = 0; i < m->nu; i++) {
        double k = 0, b = 0;
        if (!(m->opt.disable & SAL_DSBL_ACTUATION)) {
            k = fmax(0, -phy_actuator_length_slope(m, d, i));
            b = fmax(0, -phy_actuator_slope(m, d, i));
        }
        d->step_actuator[i] = h * b + h * h * k;
        if (k > 0) {
            phy_actuator_pull(m, d, d->step_bias, i, h * k * d->actuator_velocity[i]);
        }
    }
}

bool phy_step_element_at(const sal_model *m, const sal_data *d, int i, phy_step_element *e)
{
    if (i < m->ntendon) {
        const int adr = m->tendon_Jadr[i];
        *e = (phy_step_element){m->ten_dof + adr, d->ten_J + adr, m->tendon_Jnum[i],
                                d->step_tendon[i]};
    } else if (i < m->ntendon + m->nu) {
        const int u = i - m->ntendon, adr = m->moment_rowadr[u];
        *e = (phy_step_element){m->moment_colind + adr, d->actuator_moment + adr,
                                m->moment_rownnz[u], d->step_actuator[u]};
    }
    return i < m->ntendon + m->nu;
}

void phy_step_metric(const sal_model *m, sal_data *d)
{
    phy_step_element e;
    joints(m, d);
    tendons(m, d);
    actuators(m, d);
    memcpy(d->step_joint, d->step_diag, (size_t)m->nv * sizeof *d->step_joint);
    for (int i = 0; phy_step_element_at(m, d, i, &e); i++) {
        for (int k = 0; e.w != 0 && k < e.n; k++) {
            d->step_diag[e.dof[k]] += e.w * e.x[k] * e.x[k];
        }
    }
    phy_step_rows(m, d);
}

void phy_step_metric_add(const sal_model *m, const sal_data *d, double *r, const double *x)
{
    phy_step_element e;
    for (int i = 0; i < m->nv; i++) {
        r[i] += d->step_joint[i] * x[i];
    }
    for (int i = 0; phy_step_element_at(m, d, i, &e); i++) {
        double rate = 0;
        for (int k = 0; e.w != 0 && k < e.n; k++) {
            rate += e.x[k] * x[e.dof[k]];
        }
        for (int k = 0; e.w != 0 && k < e.n; k++) {
            r[e.dof[k]] += e.w * rate * e.x[k];
        }
    }
}
