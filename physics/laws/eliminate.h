/* eliminate.h: linear equations without memory of their own; private to laws/. */
#ifndef SAL_PHYSICS_LAWS_ELIMINATE_H
#define SAL_PHYSICS_LAWS_ELIMINATE_H

#include "physics/physics.h"

/* x := a^-1 x, a [n x n], x [n x w], by Gaussian elimination with partial pivoting; a is lost.
 * SAL_SINGULAR: a pivot is not above 1e-14 of the largest entry that its row had, or not finite;
 * then x is lost too. */
sal_status phy_eliminate(double *x, int w, double *a, int n);

#endif
