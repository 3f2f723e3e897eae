/* velocity.c: all that follows from velocities. */
#include "physics/constraint.h"
#include "physics/stages.h"
#include "physics/tendon.h"

static bool momentum_is_asked_for(const sal_model *m)
{
    for (int i = 0; i < m->nsensor; i++) {
        if (m->sensor_type[i] == SAL_SENS_SUBTREELINVEL ||
            m->sensor_type[i] == SAL_SENS_SUBTREEANGMOM) {
            return true;
        }
    }
    return false;
}

void sal_velocity(const sal_model *m, sal_data *d)
{
    phy_bias_force(m, d);
    if (momentum_is_asked_for(m)) {
        phy_subtree_velocity(m, d);
    }
    phy_tendon_velocity(m, d);
    phy_tendon_bias(m, d);
    phy_passive_force(m, d);
    if (d->callback.passive != NULL) {
        d->callback.passive(m, d, d->callback.user);
    }
    phy_reference(m, d);
    phy_actuator_velocity(m, d);
    if (m->opt.enable & SAL_ENBL_ENERGY) {
        sal_energy(m, d);
    }
    phy_sensors(m, d, SAL_STAGE_VEL);
}
