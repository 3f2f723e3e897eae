/* inverse.c: the force that a motion needs (Todorov, "Convex and analytically-invertible dynamics with contacts and constraints", ICRA 2014).
 *
 *     tau = M a + c - passive - J' law(J a - aref)
 */
#include "physics/constraint.h"
#include "physics/stages.h"

#include <string.h>

sal_status sal_inverse(const sal_model *m, sal_data *d, sal_err *err)
{
    const sal_status status = sal_position(m, d, err);
    if (status == SAL_OK) {
        sal_velocity(m, d);
        sal_inverse_acceleration(m, d);
    }
    return status;
}

void sal_inverse_acceleration(const sal_model *m, sal_data *d)
{
    /* qfrc_constraint = J' law(J a - aref) */
    sal_constraint_force(m, d);

    /* tau = M a + c - passive - qfrc_constraint */
    sal_mul_m(m, d, d->qfrc_inverse, d->qacc);
    for (int i = 0; i < m->nv; i++) {
        d->qfrc_inverse[i] += d->qfrc_bias[i] - d->qfrc_passive[i] - d->qfrc_constraint[i];
    }
    sal_sensors(m, d, SAL_STAGE_ACC);
}

bool sal_damping_is_implicit(const sal_model *m)
{
    /* 2.2.2 knows neither flag */
    if (!m->compat222 && m->opt.disable & (SAL_DSBL_EULERDAMP | SAL_DSBL_DAMPER)) {
        return false;
    }
    for (int i = 0; i < m->nv; i++) {
        if (m->dof_damping[i] > 0) {
            return true;
        }
    }
    return false;
}

sal_status sal_inverse_discrete(const sal_model *m, sal_data *d, const double *qacc_discrete,
                                sal_err *err)
{
    if (m->opt.integrator != SAL_INT_EULER) {
        return sal_fail(err, SAL_UNSUPPORTED,
                        "inverse dynamics in discrete time needs <option integrator=\"Euler\">");
    }
    const size_t mark = d->arena.used;
    double *lag = sal_arena_take(&d->arena, (size_t)m->nv); /* a - a' */
    memset(lag, 0, (size_t)m->nv * sizeof *lag);
    if (sal_damping_is_implicit(m)) {
        /* M a = (M + h diag(damping)) a',   so   a - a' = M^-1 (h diag(damping) a') */
        for (int i = 0; i < m->nv; i++) {
            lag[i] = m->opt.timestep * m->dof_damping[i] * qacc_discrete[i];
        }
        if (!d->factored) {
            sal_factor(m, d);
        }
        sal_solve_m(m, d, lag);
    }
    for (int i = 0; i < m->nv; i++) {
        d->qacc[i] = qacc_discrete[i] + lag[i];
    }
    d->arena.used = mark;
    sal_inverse_acceleration(m, d);
    return SAL_OK;
}
