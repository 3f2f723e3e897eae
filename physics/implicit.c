/* implicit.c: what a step makes of an acceleration, and back. The acceleration a of the continuous law and the a' by which a step of h
 * changes the velocity differ where forces are taken at the end of the step, to first order in the change of velocity:
 *
 *     (M - h D) a' = M a = qfrc_smooth + J'f
 *     Euler            D = - diag(damping of the dofs), or nothing if that is off
 *     implicit         D = d(passive + actuator - c)/dv
 *     implicitfast     its symmetric part without c, see slope.h
 *
 * Constraint forces are those of a: they are not taken at the end of the step.
 * (MuJoCo documentation, "Computation: numerical integration".)
 */
#include "physics/slope.h"
#include "physics/stages.h"

#include <string.h>

bool phy_damping_is_implicit(const sal_model *m)
{
    /* 2.2.2 knows neither flag */
    if (!m->compat222 && m->opt.disable & (SAL_DSBL_EULERDAMP | SAL_DSBL_DAMPER)) {
        return false;
    }
    for (int i = 0; i < m->nv; i++) {
        const double *poly = m->dof_dampingpoly + 2 * i;
        if (m->dof_damping[i] > 0 || poly[0] != 0 || poly[1] != 0) {
            return true;
        }
    }
    return false;
}

static phy_slope slope_take(const sal_model *m, sal_data *d)
{
    const size_t n = (size_t)m->nM;
    return (phy_slope){sal_arena_take(&d->arena, n), sal_arena_take(&d->arena, n)};
}

/* D of the two integrators that have one */
static phy_slope slope_of_step(const sal_model *m, sal_data *d)
{
    const phy_slope D = slope_take(m, d);
    phy_velocity_slope(
        m, d, D, m->opt.integrator == SAL_INT_IMPLICIT ? PHY_SLOPE_FULL : PHY_SLOPE_SYMMETRIC);
    return D;
}

/* (M + h diag(damping)) a' = M a */
static void euler_acceleration(const sal_model *m, sal_data *d, double *a)
{
    double *ld = sal_arena_take(&d->arena, (size_t)m->nM);
    double *diaginv = sal_arena_take(&d->arena, (size_t)m->nv);
    memcpy(ld, d->qM, (size_t)m->nM * sizeof *ld);
    for (int i = 0; i < m->nv; i++) {
        ld[m->dof_Madr[i]] += m->opt.timestep * phy_damping_slope(m, d, i);
    }
    phy_factor_sparse(m, ld, diaginv);
    phy_solve_sparse(m, ld, diaginv, a);
}

/* (M - h D) a' = M a */
static void implicit_acceleration(const sal_model *m, sal_data *d, double *a)
{
    const phy_slope A = slope_of_step(m, d);
    for (int k = 0; k < m->nM; k++) {
        A.lower[k] = d->qM[k] - m->opt.timestep * A.lower[k];
        A.upper[k] = d->qM[k] - m->opt.timestep * A.upper[k];
    }
    phy_slope_solve(m, A, a);
}

void phy_discrete_acceleration(const sal_model *m, sal_data *d, double *a)
{
    const size_t mark = d->arena.used;
    for (int i = 0; i < m->nv; i++) {
        a[i] = d->qfrc_smooth[i] + d->qfrc_constraint[i];
    }
    switch ((sal_integrator)m->opt.integrator) {
    case SAL_INT_IMPLICIT:
    case SAL_INT_IMPLICITFAST:
        implicit_acceleration(m, d, a);
        break;
    case SAL_INT_EULER:
    case SAL_INT_RK4:
        if (m->opt.integrator == SAL_INT_EULER && phy_damping_is_implicit(m)) {
            euler_acceleration(m, d, a);
        } else {
            memcpy(a, d->qacc, (size_t)m->nv * sizeof *a);
        }
        break;
    }
    d->arena.used = mark;
}

void phy_continuous_acceleration(const sal_model *m, sal_data *d, double *a, const double *discrete)
{
    const size_t mark = d->arena.used;
    const double h = m->opt.timestep;
    double *lag = sal_arena_take(&d->arena, (size_t)m->nv); /* a - a' = - M^-1 h D a' */
    const bool euler = m->opt.integrator == SAL_INT_EULER;
    if (euler && !phy_damping_is_implicit(m)) {
        memset(lag, 0, (size_t)m->nv * sizeof *lag);
    } else {
        if (euler) {
            for (int i = 0; i < m->nv; i++) {
                lag[i] = h * phy_damping_slope(m, d, i) * discrete[i];
            }
        } else {
            sal_actuation(m, d); /* actuators whose force is clamped do not give way */
            phy_slope_mul(m, slope_of_step(m, d), lag, discrete);
            for (int i = 0; i < m->nv; i++) {
                lag[i] *= -h;
            }
        }
        if (!d->factored) {
            sal_factor(m, d);
        }
        sal_solve_m(m, d, lag);
    }
    for (int i = 0; i < m->nv; i++) {
        a[i] = discrete[i] + lag[i];
    }
    d->arena.used = mark;
}
