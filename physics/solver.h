/* solver.h: the forward direction of the constraints; private to physics/. */
#ifndef SAL_PHYSICS_SOLVER_H
#define SAL_PHYSICS_SOLVER_H

#include "physics/physics.h"

/* qacc, efc_force, efc_state, qfrc_constraint, solver_iterations and solver_gradient from
 * qfrc_smooth, qacc_smooth and the rows (sal_factor, phy_reference done). Newton's method, from
 * qacc_warmstart where that is nearer. */
sal_status phy_solve_constraint(const sal_model *m, sal_data *d, sal_err *err);

#endif
