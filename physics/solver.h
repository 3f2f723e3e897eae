/* solver.h: the forward problem of the constraints; private to physics/.
 *
 * All solvers seek the one acceleration at which the forces of the law, f = law(J a), give just
 * that acceleration. With the soft law they are told apart by what they minimise:
 *
 *     Newton, CG   P(a) = (a - a_s)' M (a - a_s) / 2 + sum s(J a)        solvers/primal.c
 *     PGS          f' (A + R) f / 2 + f' b  over the cones               solvers/pgs.c
 *                  A = J M^-1 J',   b = J a_s - aref
 *
 * Laws without a quadratic dual (all but soft, and soft with sigma > 0) are solved by Newton where
 * the model asks for PGS; laws with a forward direction of their own have no choice.
 */
#ifndef SAL_PHYSICS_SOLVER_H
#define SAL_PHYSICS_SOLVER_H

#include "physics/physics.h"

/* qacc, efc_force, efc_state, efc_acc, qfrc_constraint, solver_iterations, solver_gradient and
 * solver_converged from qfrc_smooth, qacc_smooth and the rows (sal_factor, phy_reference done), by
 * the model's solver, from qacc_warmstart where that is nearer. */
sal_status phy_solve_constraint(const sal_model *m, sal_data *d, sal_err *err);

/* x := (M + S)^-1 x of integrator="discrete" (phy_step_metric, sal_factor done).
 * solvers/step_solve.c */
void phy_solve_step_metric(const sal_model *m, sal_data *d, double *x);

/* The same forces with friction that does not slip, where the model asks for it: solvers/noslip.c.
 * After phy_solve_constraint. */
sal_status phy_noslip(const sal_model *m, sal_data *d, sal_err *err);

#endif
