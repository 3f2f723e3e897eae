/* integrator.h: whether a model's steps can be undone from a motion; private to problems/. */
#ifndef SAL_PROBLEMS_INTEGRATOR_H
#define SAL_PROBLEMS_INTEGRATOR_H

#include "physics/physics.h"

/* True if they can; else a sentence that says why not. */
bool prb_integrator_is_invertible(const sal_model *m, char why[300]);

/* What the inverse dynamics leave out of a model's forward dynamics, as a sentence; NULL: nothing.
 * Said once where a model's motion is inverted. */
const char *prb_left_out_of_inverse(const sal_model *m);

#endif
