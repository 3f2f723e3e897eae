/* reference.c: the acceleration at which a constraint would settle undisturbed.
 *
 *     aref = -B vel - K d (pos - margin),      vel = J v and what surfaces move
 *
 * less dJ/dt v for connects and welds, with the stiffness K and the damping B of impedance.c, so
 * that a violation decays like a spring-damper of the constraint's time constant and damping ratio
 * (MuJoCo documentation, "Solver parameters").
 */
#include "base/house.h"
#include "physics/constraint.h"
#include "physics/stages.h"

void phy_reference(const sal_model *m, sal_data *d, int rows)
{
    phy_mul_jac(d, d->efc_vel, d->qvel, rows);
    phy_add_surface_motion(m, d);
    for (int i = 0; i < d->nefc; i++) {
        const double *kbip = d->efc_KBIP + 4 * i;
        d->efc_aref[i] =
            -kbip[1] * d->efc_vel[i] - kbip[0] * kbip[2] * (d->efc_pos[i] - d->efc_margin[i]);
    }
    if (m->mujoco != SAL_MUJOCO_222) {
        phy_equality_drift(m, d);
    }
}
