/* passive.c: forces that are there without actuators: springs and dampers (of joints: spring.c, of
 * tendons: tendon.c), the medium (fluid.c), gravity compensation, contacts that stick
 * (contact_adhesion.c).
 *
 *     every body     -J' m c g at its centre of mass
 *     c its share of gravity compensation
 */
#include "base/house.h"
#include "physics/fluid.h"
#include "physics/stages.h"
#include "physics/tendon.h"
#include "physics/width.h"

#include <string.h>

/* Also to qfrc_passive, except where it counts as the actuators' */
static void gravity_compensation(const sal_model *m, sal_data *d)
{
    static const double no_torque[3] = {0, 0, 0};
    memset(d->qfrc_gravcomp, 0, (size_t)m->nv * sizeof *d->qfrc_gravcomp);
    if (m->opt.disable & SAL_DSBL_GRAVITY) {
        return;
    }
    for (int b = 1; b < m->nbody; b++) {
        double force[3];
        if (m->body_gravcomp[b] != 0) {
            sal_v3_scale(force, m->opt.gravity, -m->body_mass[b] * m->body_gravcomp[b]);
            sal_apply_force(m, d, d->qfrc_gravcomp, force, no_torque, d->xipos + 3 * b, b);
        }
    }
    for (int i = 0; i < m->nv; i++) {
        d->qfrc_passive[i] += m->jnt_actgravcomp[m->dof_jntid[i]] ? 0 : d->qfrc_gravcomp[i];
    }
}

void phy_further_passive_force(const sal_model *m, sal_data *d)
{
    if (phy_passive_is_off(m)) {
        memset(d->qfrc_gravcomp, 0, (size_t)m->nv * sizeof *d->qfrc_gravcomp);
        return;
    }
    phy_tendon_passive(m, d);
    if (phy_fluid_acts(m)) {
        phy_fluid_force(m, d);
    }
    if (m->ngravcomp > 0) {
        gravity_compensation(m, d);
    }
    if (m->nadhesion > 0) {
        phy_adhesion_force(m, d);
    }
}

void phy_passive_force(const sal_model *m, sal_data *d)
{
    phy_joint_passive_force(m, d);
    phy_further_passive_force(m, d);
}
