/* step_metric.h: forces at the end of a step of integrator="discrete"; private to physics/.
 *
 * An element that pulls with f(l, l') at a length l with Jacobian m (joint, tendon,
 * actuator) is taken where it will be, to first order in the acceleration a of the step h:
 *
 *     f(l + h l'_+, l'_+) = f - h k l' - w m a,       l'_+ = l' + h m a
 *     k = max(0, -df/dl),   b = max(0, -df/dl'),      w = h b + h^2 k
 *
 * so that beside M and c stand S = sum w m'm and s = sum h k l' m':
 *
 *     (M + S) a + c + s = tau + passive + J'f
 *
 *     step_joint     w of each dof from its joint
 *     step_tendon    w of tendons, 0 where they do not pull;   step_actuator   of actuators
 *     step_diag      the diagonal of S
 *     step_bias      s
 *
 * An actuator whose force is at its limit has w = 0. What passes for k of a ball is that along its
 * rotation vector, for all three dofs. The Jacobians count as constant. (MuJoCo 3.13 release notes,
 * integrator discrete; formulas found from what 3.14.0 computes.)
 */
#ifndef SAL_PHYSICS_STEP_METRIC_H
#define SAL_PHYSICS_STEP_METRIC_H

#include "physics/physics.h"

/* -df/dq of joint j's springs at the place of the step, or 0 if they push away; of a free joint:
 * which = 0 of its translation, 1 of its rotation. */
double phy_spring_slope(const sal_model *m, const sal_data *d, int j, int which);
/* The same of tendon t by its length. */
double phy_tendon_spring_slope(const sal_model *m, const sal_data *d, int t);

/* floats [nv]: whether the dof is of a body that floats alone and touches nothing; whether there is
 * any. step_floating.c */
bool phy_step_floats(const sal_model *m, const sal_data *d, unsigned char *floats);

/* R, D of all rows as the step sees them, see step_rows.c. */
void phy_step_rows(const sal_model *m, sal_data *d);

#endif
