/* hessian.h: the Hessian of the forward solver, H = M + sum J_b' C_b J_b, with the zeros
 * that stay zero left out; private to physics/.
 *
 * M has entries between a dof and those above it in its tree, a constraint between all dofs it
 * moves. Eliminating from the last dof to the first, as factor.c does for M, a constraint on one
 * branch adds nothing to the pattern, and one between two branches only what lies below where they
 * meet (George and Liu, "Computer solution of large sparse positive definite systems", 1981,
 * chapter 5).
 */
#ifndef SAL_PHYSICS_SOLVERS_HESSIAN_H
#define SAL_PHYSICS_SOLVERS_HESSIAN_H

#include "physics/physics.h"

typedef struct phy_hessian {
    const sal_model *m;
    /* [nv x nv] entries (i, j <= i) of the pattern; the rest is never touched */
    double *h;
    /* [nv] scratch */
    double *w;
    /* [nv] 1 over the pivots of M, the least that those of H can be */
    const double *inverse_pivot_m;
    int *adr,
        /* [nv] row i's entries left of the diagonal are in the columns col[adr ..], ascending, num
         * of them */
        *num;
    /* [nv] how many of them, from the first, follow each other without gaps */
    int *straight;
    int *col;
} phy_hessian;

/* The pattern for the first `rows` rows of the data; false if the scratch of the data is too small
 * (phy_hessian_scratch). */
bool phy_hessian_begin(phy_hessian *H, const sal_model *m, sal_data *d, int rows);
/* H = M, which is factored (sal_factor), with what stands beside it (phy_damping_is_beside,
 * phy_has_step_metric). */
void phy_hessian_set(phy_hessian *H, const sal_data *d);
/* H += J' C J for `dim` rows from `row` on, which share their columns; C [dim x dim] symmetric.
 * weighted: scratch [dim x columns]. */
void phy_hessian_add(phy_hessian *H, const sal_data *d, int row, int dim, const double *c,
                     double *weighted);
/* H = L'DL in place; false if a number in it is NaN. */
bool phy_hessian_factor(phy_hessian *H);
/* x := H^-1 x */
void phy_hessian_solve(const phy_hessian *H, double *x);

#endif
