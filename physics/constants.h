/* constants.h: what a model is compiled to know about itself at qpos0; private to physics/, for the compiler. */
#ifndef SAL_PHYSICS_CONSTANTS_H
#define SAL_PHYSICS_CONSTANTS_H

#include "physics/physics.h"

/* Fills body_subtreemass, dof_M0, dof_invweight0, body_invweight0, actuator_length0, actuator_acc0 and meaninertia, at qpos0; damping ratios of servos become velocity
 * coefficients.
 * Everything else that describes tree, masses, joints, dofs (with dof_Madr), chains, actuators and capacities must be there.
 * SAL_SINGULAR names the first dof without inertia. Allocates a data for the while. */
sal_status phy_model_constants(sal_model *m, sal_err *err);

/* moment_rowadr, moment_rownnz, moment_colind: which dofs each actuator acts on. Transmissions, chains and tendons must be there, and room in
 * moment_colind for nv entries behind the last row. */
void phy_moment_pattern(sal_model *m);

#endif
