/* reference.c: the acceleration at which a constraint would settle undisturbed.
 *
 *     aref = -B vel - K d (pos - margin),      vel = J v and what surfaces move
 *
 * with integrator="discrete"
 *
 *     aref = - (B vel + K d (pos - margin + h vel)) / s,     s = 1 + h B + h^2 K d
 *
 * less dJ/dt v (over s) for connects and welds, and more for contacts that stick
 * (contact_adhesion.c), with the stiffness K and the damping B of
 * impedance.c, so that a violation decays like a spring-damper of the constraint's time constant
 * and damping ratio (MuJoCo documentation, "Solver parameters").
 */
#include "base/house.h"
#include "physics/constraint.h"
#include "physics/stages.h"

double phy_row_slowing(const sal_model *m, const sal_data *d, int row)
{
    const double *kbip = d->efc_KBIP + 4 * row, h = m->opt.timestep;
    return phy_has_step_metric(m) ? 1 + h * (kbip[1] + h * kbip[0] * kbip[2]) : 1;
}

/* Spring and damper of row i where the step begins */
static inline double at_begin_of_step(const sal_data *d, int i)
{
    const double *kbip = d->efc_KBIP + 4 * i;
    return -kbip[1] * d->efc_vel[i] - kbip[0] * kbip[2] * (d->efc_pos[i] - d->efc_margin[i]);
}

/* and where it ends */
static inline double at_end_of_step(const sal_model *m, const sal_data *d, int i)
{
    const double *kbip = d->efc_KBIP + 4 * i, k = kbip[0] * kbip[2], v = d->efc_vel[i];
    return -(kbip[1] * v + k * (d->efc_pos[i] - d->efc_margin[i] + m->opt.timestep * v)) /
           phy_row_slowing(m, d, i);
}

double phy_row_reference(const sal_model *m, const sal_data *d, int row)
{
    return phy_has_step_metric(m) ? at_end_of_step(m, d, row) : at_begin_of_step(d, row);
}

void phy_reference(const sal_model *m, sal_data *d, int rows)
{
    phy_mul_jac(d, d->efc_vel, d->qvel, rows);
    if (m->nsurfacevel > 0) {
        phy_add_surface_motion(m, d);
    }
    if (phy_has_step_metric(m)) {
        for (int i = 0; i < d->nefc; i++) {
            d->efc_aref[i] = at_end_of_step(m, d, i);
        }
    } else {
        for (int i = 0; i < d->nefc; i++) {
            d->efc_aref[i] = at_begin_of_step(d, i);
        }
    }
    if (m->nadhesion > 0) {
        phy_adhesion_reference(m, d);
    }
    if (m->mujoco != SAL_MUJOCO_222) {
        phy_equality_drift(m, d);
    }
}
