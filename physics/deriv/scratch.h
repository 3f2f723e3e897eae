/* scratch.h: how much scratch the derivatives take, see physics/scratch.h; private to physics/.
 * Each includes what is called meanwhile. */
#ifndef SAL_PHYSICS_DERIV_SCRATCH_H
#define SAL_PHYSICS_DERIV_SCRATCH_H

#include "physics/scratch.h"

/* Files are named like them. */
void phy_inverse_deriv_scratch(const sal_model *m, sal_arena *arena);
void phy_contact_deriv_scratch(const sal_model *m, sal_arena *arena);
void phy_tendon_deriv_scratch(const sal_model *m, sal_arena *arena);
void phy_joined_deriv_scratch(const sal_model *m, sal_arena *arena);
void phy_actuator_deriv_scratch(const sal_model *m, sal_arena *arena);
void phy_length_deriv_scratch(const sal_model *m, sal_arena *arena);
void phy_discrete_deriv_scratch(const sal_model *m, sal_arena *arena);
void phy_rne_deriv_scratch(const sal_model *m, sal_arena *arena);
void phy_parameter_deriv_scratch(const sal_model *m, sal_arena *arena);
void phy_sensor_deriv_scratch(const sal_model *m, sal_arena *arena);
void phy_sensor_force_deriv_scratch(const sal_model *m, sal_arena *arena);
void phy_subtree_deriv_scratch(const sal_model *m, sal_arena *arena);
void phy_energy_deriv_scratch(const sal_model *m, sal_arena *arena);

#endif
