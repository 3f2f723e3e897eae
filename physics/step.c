/* step.c: one step of semi-implicit Euler, joint damping implicit.
 *
 *     (M + h diag(damping)) a' = M a = qfrc_smooth + J'f,      v += h a',      q := q (+) h v
 */
#include "physics/constraint.h"
#include "physics/stages.h"

#include <string.h>

/* The first entry that is not a number or beyond all bounds, or -1 */
static int wild(const double *x, int n)
{
    for (int i = 0; i < n; i++) {
        if (!(fabs(x[i]) <= 1e10)) {
            return i;
        }
    }
    return -1;
}

static sal_status check(const char *what, const double *x, int n, double time, sal_err *err)
{
    const int i = wild(x, n);
    if (i < 0) {
        return SAL_OK;
    }
    return sal_fail(err, SAL_DIVERGED,
                    "the simulation is unstable: %s[%d] is %g at time %g s; a smaller timestep may "
                    "help",
                    what, i, x[i], time);
}

/* a' [nv] from qfrc_smooth + qfrc_constraint */
static void discrete_acceleration(const sal_model *m, sal_data *d, double *a)
{
    if (!sal_damping_is_implicit(m)) {
        memcpy(a, d->qacc, (size_t)m->nv * sizeof *a);
        return;
    }
    const size_t mark = d->arena.used;
    double *ld = sal_arena_take(&d->arena, (size_t)m->nM);
    double *diaginv = sal_arena_take(&d->arena, (size_t)m->nv);
    memcpy(ld, d->qM, (size_t)m->nM * sizeof *ld);
    for (int i = 0; i < m->nv; i++) {
        ld[m->dof_Madr[i]] += m->opt.timestep * m->dof_damping[i];
        a[i] = d->qfrc_smooth[i] + d->qfrc_constraint[i];
    }
    sal_factor_sparse(m, ld, diaginv);
    sal_solve_sparse(m, ld, diaginv, a);
    d->arena.used = mark;
}

sal_status sal_step(const sal_model *m, sal_data *d, sal_err *err)
{
    if (m->opt.integrator != SAL_INT_EULER) {
        return sal_fail(err, SAL_UNSUPPORTED, "stepping needs <option integrator=\"Euler\">");
    }
    const size_t mark = d->arena.used;
    double *a = sal_arena_take(&d->arena, (size_t)m->nv);
    sal_status status = check("qpos", d->qpos, m->nq, d->time, err);
    status = status != SAL_OK ? status : check("qvel", d->qvel, m->nv, d->time, err);
    status = status != SAL_OK ? status : sal_forward(m, d, err);
    status = status != SAL_OK ? status : check("qacc", d->qacc, m->nv, d->time, err);
    if (status == SAL_OK) {
        discrete_acceleration(m, d, a);
        for (int i = 0; i < m->nv; i++) {
            d->qvel[i] += m->opt.timestep * a[i];
        }
        sal_integrate_pos(m, d->qpos, d->qpos, d->qvel, m->opt.timestep);
        d->time += m->opt.timestep;
        memcpy(d->qacc_warmstart, d->qacc, (size_t)m->nv * sizeof *a);
    }
    d->arena.used = mark;
    return status;
}
