/* data_new.c: a data for everything, with the scratch of the function that needs the most. It
 * stands here, above the rest of physics/, because that may be a derivative. */
#include "physics/deriv/scratch.h"

static void scratch(const sal_model *m, sal_arena *arena)
{
    phy_stages_scratch(m, arena);
    phy_forward_scratch(m, arena);
    phy_step_scratch(m, arena);
    phy_inverse_deriv_scratch(m, arena);
    phy_discrete_deriv_scratch(m, arena);
    phy_actuator_deriv_scratch(m, arena);
    phy_length_deriv_scratch(m, arena);
    phy_parameter_deriv_scratch(m, arena);
    phy_sensor_deriv_scratch(m, arena);
    phy_subtree_deriv_scratch(m, arena);
    phy_energy_deriv_scratch(m, arena);
}

sal_status sal_data_new(sal_data **data, const sal_model *m, sal_err *err)
{
    return phy_data_new(data, m, scratch, err);
}
