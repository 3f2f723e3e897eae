/* forward.c: the acceleration that forces bring about:  M a + c = tau + passive + J' law(J a -
 *                                                       aref). */
#include "base/house.h"
#include "physics/constraint.h"
#include "physics/scratch.h"
#include "physics/solver.h"
#include "physics/stages.h"

#include <string.h>

/* r += J' (force; torque) of the forces applied to bodies at their centres of mass */
static void add_body_forces(const sal_model *m, const sal_data *d, double *r)
{
    for (int b = 1; b < m->nbody; b++) {
        const double *force = d->xfrc_applied + 6 * b, *torque = force + 3;
        if (sal_sp_dot(force, force) != 0) {
            sal_apply_force(m, d, r, force, torque, d->xipos + 3 * b, b);
        }
    }
}

/* x := (M + what stands beside it)^-1 x */
static void solve(const sal_model *m, sal_data *d, double *x)
{
    if (phy_has_step_metric(m)) {
        phy_solve_step_metric(m, d, x);
    } else if (phy_damping_is_beside(m)) {
        phy_solve_damped(m, d, x);
    } else {
        sal_solve_m(m, d, x);
    }
}

/* qfrc_smooth = applied + actuator + passive - bias + J' xfrc,  qacc_smooth = M^-1 qfrc_smooth,
 * with what stands beside bias and M (phy_damping_is_beside, phy_has_step_metric) */
static void smooth_acceleration(const sal_model *m, sal_data *d)
{
    for (int i = 0; i < m->nv; i++) {
        d->qfrc_smooth[i] =
            d->qfrc_applied[i] + d->qfrc_actuator[i] + d->qfrc_passive[i] - d->qfrc_bias[i];
    }
    for (int i = 0; phy_has_step_metric(m) && i < m->nv; i++) {
        d->qfrc_smooth[i] -= d->step_bias[i];
    }
    add_body_forces(m, d, d->qfrc_smooth);
    memcpy(d->qacc_smooth, d->qfrc_smooth, (size_t)m->nv * sizeof(double));
    solve(m, d, d->qacc_smooth);
}

void phy_forward_scratch(const sal_model *m, sal_arena *arena)
{
    phy_stages_scratch(m, arena);
    phy_solver_scratch(m, arena);
}

sal_status sal_forward(const sal_model *m, sal_data *d, sal_err *err)
{
    sal_status status = phy_step_metric_refusal(m, err);
    status = status == SAL_OK ? sal_position(m, d, err) : status;
    if (status != SAL_OK) {
        return status;
    }
    sal_factor(m, d);
    sal_velocity(m, d);
    if (d->callback.control != NULL) {
        d->callback.control(m, d, d->callback.user);
    }
    sal_actuation(m, d);
    if (phy_has_step_metric(m)) {
        phy_step_metric(m, d);
    }
    smooth_acceleration(m, d);
    status = phy_solve_constraint(m, d, err);
    if (status != SAL_OK) {
        return status;
    }
    if (m->mujoco == SAL_MUJOCO_222) { /* later versions keep it at the end of the step */
        memcpy(d->qacc_warmstart, d->qacc, (size_t)m->nv * sizeof(double));
    }
    status = phy_noslip(m, d, err);
    if (status != SAL_OK) {
        return status;
    }
    if (phy_has_step_metric(m)) {
        phy_step_floating_solve(m, d);
    }
    phy_sensors(m, d, SAL_STAGE_ACC);
    return phy_scratch_status(d, err);
}
