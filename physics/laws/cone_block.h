/* cone_block.h: one contact with a full matrix, exactly; private to laws/.
 *
 *     f = argmin f'B f/2 + f'b  over the block's cone       B [dim x dim] positive definite
 *
 * The step "scale f along its ray, then move it within the disc of friction" stops at f = 0 where
 * 0 <= b_0 < mu |b_t|, though the minimum is elsewhere; here f = 0 only where it is the minimum.
 */
#ifndef SAL_PHYSICS_LAWS_CONE_BLOCK_H
#define SAL_PHYSICS_LAWS_CONE_BLOCK_H

#include "physics/laws/impulse.h"

/* What is kept of a block's matrix for many b: it is diagonal in the basis `vector` of the tangents
 * in units of mu, but for the coupling with the normal. */
typedef struct phy_cone_matrix {
    phy_impulse_family family;
    double bound;
    /* rows; tangents with friction, and their rows */
    int dim, tangents, row[PHY_IMPULSE_DIM];
    double mu[PHY_IMPULSE_DIM];
    double normal, coupling[PHY_IMPULSE_DIM], value[PHY_IMPULSE_DIM];
    /* column k belongs to value[k] */
    double vector[PHY_IMPULSE_DIM][PHY_IMPULSE_DIM];
} phy_cone_matrix;

/* Reads B [dim x dim], of which the rows are `stride` numbers apart. A matrix that is only
 * semidefinite is raised by 1e-14 of itself. SAL_BADINPUT: the block's shape; SAL_DIVERGED: a
 * number is not finite; SAL_SINGULAR: B is indefinite, or B_00 <= 0. */
sal_status phy_cone_prepare(phy_cone_matrix *matrix, const phy_impulse_block *block,
                            const double *B, int stride);

/* f [dim] for b [dim]; f and b may be the same. `near`: about what f_0 will be, such as the f_0 of
 * a sweep before, which saves steps; 0: nobody knows. SAL_DIVERGED: b is not finite, f = 0. */
sal_status phy_cone_minimise(double *f, const phy_cone_matrix *matrix, const double *b,
                             double near);

/* f_1 .. f_dim-1 for b [dim] while f_0 >= 0 stays as it is; b_0 does not matter, so f and b may be
 * the same. */
void phy_cone_slide(double *f, const phy_cone_matrix *matrix, const double *b);

#endif
