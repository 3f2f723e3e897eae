/* dense_mechanism.h: a mechanism in dense matrices, for solvers that work on numbers alone. Private
 * to laws/. By rows. */
#ifndef SAL_PHYSICS_LAWS_DENSE_MECHANISM_H
#define SAL_PHYSICS_LAWS_DENSE_MECHANISM_H

#include "physics/physics.h"

/* M [nv x nv], with the damping that the step takes at its end: M + h diag(damping) */
void phy_dense_inertia(double *M, const sal_model *m, sal_data *d);
/* J [nefc x nv] */
void phy_dense_jacobian(double *J, const sal_model *m, const sal_data *d);

#endif
