/* implicit.c: what a step makes of an acceleration, and back. The acceleration a of the continuous
 * law and the a' by which a step of h changes the velocity differ where forces are taken at the end
 * of the step, to first order in the change of velocity:
 *
 *     (M - h D) a' = M a = qfrc_smooth + J'f
 *     Euler            D = - diag(damping of the dofs), or nothing if that is off
 *     implicit         D = d(passive + actuator - c)/dv
 *     implicitfast     its symmetric part without c, see slope.h
 *
 * Constraint forces are those of a: they are not taken at the end of the step.
 * (MuJoCo documentation, "Computation: numerical integration".)
 */
#include "physics/implicit/slope.h"
#include "physics/scratch.h"
#include "physics/stages.h"
#include "physics/width.h"

#include <string.h>

bool phy_damping_is_implicit(const sal_model *m)
{
    /* 2.2.2 knows neither flag */
    if (m->mujoco != SAL_MUJOCO_222 && m->opt.disable & (SAL_DSBL_EULERDAMP | SAL_DSBL_DAMPER)) {
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

static bool take_slope(const sal_model *m, sal_arena *arena, phy_slope *D)
{
    D->lower = sal_arena_take(arena, (size_t)m->nM, sizeof *D->lower);
    D->upper = sal_arena_take(arena, (size_t)m->nM, sizeof *D->upper);
    return D->upper != NULL;
}

/* The factor of M + h diag(damping) */
typedef struct factor {
    double *ld, *diaginv; /* [nM], [nv] */
} factor;

static bool take_factor(const sal_model *m, sal_arena *arena, factor *f)
{
    f->ld = sal_arena_take(arena, (size_t)m->nM, sizeof *f->ld);
    f->diaginv = sal_arena_take(arena, (size_t)m->nv, sizeof *f->diaginv);
    return f->diaginv != NULL;
}

static double *take_lag(const sal_model *m, sal_arena *arena)
{
    return sal_arena_take(arena, (size_t)m->nv, sizeof(double));
}

void phy_implicit_scratch(const sal_model *m, sal_arena *arena)
{
    const size_t mark = arena->used;
    phy_slope D;
    factor f;
    take_factor(m, arena, &f);
    arena->used = mark;
    take_lag(m, arena);
    take_slope(m, arena, &D);
    phy_slope_scratch(m, arena);
    arena->used = mark;
    phy_step_floating_scratch(m, arena);
}

/* D of the two integrators that have one; false: no scratch */
static bool slope_of_step(const sal_model *m, sal_data *d, phy_slope *D)
{
    if (!take_slope(m, &d->arena, D)) {
        return false;
    }
    phy_velocity_slope(
        m, d, *D, m->opt.integrator == SAL_INT_IMPLICIT ? PHY_SLOPE_FULL : PHY_SLOPE_SYMMETRIC);
    return true;
}

void phy_solve_damped(const sal_model *m, sal_data *d, double *x)
{
    const size_t mark = d->arena.used;
    factor f;
    if (!take_factor(m, &d->arena, &f)) {
        return;
    }
    memcpy(f.ld, d->qM, (size_t)m->nM * sizeof *f.ld);
    for (int i = 0; i < m->nv; i++) {
        f.ld[m->dof_Madr[i]] += m->opt.timestep * phy_damping_slope(m, d, i);
    }
    phy_factor_sparse(m, f.ld, f.diaginv);
    phy_solve_sparse(m, f.ld, f.diaginv, x);
    d->arena.used = mark;
}

void phy_add_of_step(const sal_model *m, const sal_data *d, double *r, const double *x)
{
    if (phy_has_step_metric(m)) {
        phy_step_metric_add(m, d, r, x);
    }
    for (int i = 0; phy_damping_is_beside(m) && i < m->nv; i++) {
        r[i] += m->opt.timestep * phy_damping_slope(m, d, i) * x[i];
    }
}

/* (M - h D) a' = M a */
static void implicit_acceleration(const sal_model *m, sal_data *d, double *a)
{
    phy_slope A;
    if (!slope_of_step(m, d, &A)) {
        return;
    }
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
    case SAL_INT_DISCRETE:
        if (m->opt.integrator == SAL_INT_EULER && !phy_nothing_is_implicit(m)) {
            phy_solve_damped(m, d, a); /* (M + h diag(damping)) a' = M a */
        } else {
            memcpy(a, d->qacc, (size_t)m->nv * sizeof *a);
        }
        break;
    }
    d->arena.used = mark;
}

/* r = - M^-1 h D a' of the two integrators that have a D */
static void slope_lag(const sal_model *m, sal_data *d, double *r, const double *discrete)
{
    phy_slope D;
    sal_actuation(m, d); /* actuators whose force is clamped do not give way */
    if (!slope_of_step(m, d, &D)) {
        return;
    }
    phy_slope_mul(m, D, r, discrete);
    for (int i = 0; i < m->nv; i++) {
        r[i] *= -m->opt.timestep;
    }
    sal_solve_m(m, d, r);
}

/* a - a' = - M^-1 h D a' */
static void lag_of(const sal_model *m, sal_data *d, double *lag, const double *discrete)
{
    if (!d->factored) {
        sal_factor(m, d);
    }
    if (m->opt.integrator == SAL_INT_EULER) {
        phy_damping_lag(m, d, lag, discrete);
    } else {
        slope_lag(m, d, lag, discrete);
    }
}

void phy_continuous_acceleration(const sal_model *m, sal_data *d, double *a, const double *discrete)
{
    const size_t mark = d->arena.used;
    double *lag = take_lag(m, &d->arena);
    if (lag == NULL) {
        return;
    }
    if (phy_nothing_is_implicit(m)) {
        memset(lag, 0, (size_t)m->nv * sizeof *lag);
    } else {
        lag_of(m, d, lag, discrete);
    }
    for (int i = 0; i < m->nv; i++) {
        a[i] = discrete[i] + lag[i];
    }
    d->arena.used = mark;
}
