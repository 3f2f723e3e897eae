/* position.c: all that follows from positions. */
#include "physics/scratch.h"
#include "physics/stages.h"

sal_status sal_position(const sal_model *m, sal_data *d, sal_err *err)
{
    sal_kinematics(m, d);
    sal_com(m, d);
    sal_tendon(m, d);
    sal_status status = sal_collide(m, d, err);
    if (status == SAL_OK) {
        status = sal_make_constraint(m, d, err);
    }
    phy_actuator_length(m, d);
    phy_sensors(m, d, SAL_STAGE_POS);
    return phy_scratch_status_after(status, d, err);
}
