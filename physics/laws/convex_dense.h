/* convex_dense.h: the convex contact model of all blocks, for a dense A; private to laws/. Two
 * solvers of the forward direction, and the inverse. All memory is the caller's.
 *
 *     min f'(A + R) f/2 + f'(c - w*) + Q(A f + c)  over the cones of the blocks
 *     Q(w) = q/2 sum_normals max(0, vmin - w_n)^2
 *
 * Todorov, Erez, Tassa, "MuJoCo", IROS 2012, with a penalty in place of its "cost" of velocities.
 * Both directions have the same condition,
 *
 *     f = argmin f'R f/2 + f'y  over the cones,      y = w - w* + A grad Q(w),      w = A f + c
 *
 * so that the inverse, from w, is closed (convex.h), and needs A only where q > 0.
 */
#ifndef SAL_PHYSICS_LAWS_CONVEX_DENSE_H
#define SAL_PHYSICS_LAWS_CONVEX_DENSE_H

#include "physics/laws/cone_block.h"
#include "physics/laws/convex.h"

typedef struct phy_convex_problem {
    /* rows; blocks, which cover each row once, in any order */
    int k, nblock;
    const phy_impulse_block *block;
    /* [k x k] symmetric, positive semidefinite, 1/kg; [k] m/s */
    const double *A, *c;
    /* [k] 1/kg; [k] w*, the reference velocity, m/s: of a normal -gap/timestep */
    const double *R, *wref;
    /* kg; [k] m/s, read at the normals of cones and at normal rows, and only where penalty > 0 */
    double penalty;
    const double *vmin;
} phy_convex_problem;

/* How long a solver may work, and what came of it. */
typedef struct phy_convex_effort {
    int most;
    /* of `residual` */
    double tolerance;
    /* steps or sweeps made */
    int used;
    /* relative to the largest |f|; sweeps: the last sweep's largest change of f; Newton: |f -
     * f(y(f))| */
    double residual;
} phy_convex_effort;

/* The inverse: f [k], zone [nblock] and the sum s of potentials from w [k], in closed form.
 * scratch [2 k]. SAL_BADINPUT, SAL_DIVERGED: the first block's that has one, as in convex.h; the
 * others are solved. */
sal_status phy_convex_from_velocity(double *f, double *s, sal_efc_state *zone,
                                    const phy_convex_problem *problem, const double *w,
                                    double *scratch);

/* Projected Gauss-Seidel: each block is minimised exactly, in turn. R >= 0 will do where the blocks
 * of A + R are definite. f [k] is the start, and the result; matrix [nblock], scratch [2 k]. SAL_OK
 * also where the tolerance was not reached: see effort->residual. SAL_SINGULAR: a block of A + R is
 * indefinite; SAL_DIVERGED, SAL_BADINPUT as above. */
sal_status phy_convex_sweeps(double *f, phy_convex_effort *effort,
                             const phy_convex_problem *problem, phy_cone_matrix *matrix,
                             double *scratch);

/* Newton's method, to full precision; R > 0, and at least 1e-5 of A's diagonal: below that the
 * rounding of y/R may end it early. f [k] is the start, and the result; scratch
 * [phy_convex_newton_scratch]. SAL_OK also where the tolerance was not reached. Errors as above. */
sal_status phy_convex_newton(double *f, phy_convex_effort *effort,
                             const phy_convex_problem *problem, double *scratch);
size_t phy_convex_newton_scratch(int k);

/* Common to both directions. w [k] = A f + c; push [k] = -grad Q(w); y [k] = w - w* - A push. */
void phy_convex_velocity(double *w, const phy_convex_problem *problem, const double *f);
void phy_convex_push(double *push, const phy_convex_problem *problem, const double *w);
void phy_convex_argument(double *y, double *push, const phy_convex_problem *problem,
                         const double *w);

#endif
