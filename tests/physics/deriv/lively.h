/* lively.h: random states in which something happens: contacts by a few millimetres, joints at
 * their limits. For tests only. */
#ifndef SAL_TESTS_PHYSICS_DERIV_LIVELY_H
#define SAL_TESTS_PHYSICS_DERIV_LIVELY_H

#include "physics/physics.h"

/* The k-th state of a model: qpos, qvel, qacc of d. Even ones (of k / 2) are random poses, let down
 * until something touches what does not move, by up to 1 cm, a quarter of them with joints beyond
 * their range by up to 3 %; odd ones come from a short simulation. */
void lively_state(const sal_model *m, sal_data *d, int k);

#endif
