/* stages.c: all that follows from positions, and all that follows from velocities. */
#include "physics/stages.h"

#include "physics/constraint.h"
#include "physics/scratch.h"
#include "physics/tendon.h"
#include "physics/width.h"

void sal_kinematics(const sal_model *m, sal_data *d)
{
    phy_kinematics(m, d);
}

void sal_com(const sal_model *m, sal_data *d)
{
    phy_com(m, d);
}

sal_status phy_position_of_placed(const sal_model *m, sal_data *d, phy_placed *placed, sal_err *err)
{
    sal_tendon(m, d);
    sal_status status = phy_collide(m, d, placed, err);
    if (status == SAL_OK) {
        status = phy_make_constraint(m, d, placed, err);
    }
    if (placed == NULL || !placed->actuated) {
        phy_actuator_length(m, d);
    }
    phy_sensors(m, d, SAL_STAGE_POS);
    return phy_scratch_status_after(status, d, err);
}

sal_status sal_position(const sal_model *m, sal_data *d, sal_err *err)
{
    sal_kinematics(m, d);
    sal_com(m, d);
    return phy_position_of_placed(m, d, NULL, err);
}

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

void phy_velocity_of_placed(const sal_model *m, sal_data *d, const phy_placed *placed)
{
    if (momentum_is_asked_for(m)) {
        phy_subtree_velocity(m, d);
    }
    phy_tendon_velocity(m, d);
    phy_tendon_bias(m, d);
    phy_further_passive_force(m, d);
    if (d->callback.passive != NULL) {
        d->callback.passive(m, d, d->callback.user);
    }
    phy_reference(m, d, placed == NULL ? d->nefc : placed->unknown);
    if (placed == NULL || !placed->actuated) {
        phy_actuator_velocity(m, d);
    }
    if (m->opt.enable & SAL_ENBL_ENERGY) {
        sal_energy(m, d);
    }
    phy_sensors(m, d, SAL_STAGE_VEL);
}

void sal_velocity(const sal_model *m, sal_data *d)
{
    phy_bias_force(m, d);
    phy_joint_passive_force(m, d);
    phy_velocity_of_placed(m, d, NULL);
}
