/* hard_forward.h: the forward direction of the hard contact model: the next velocity of a mechanism
 * whose contacts, limits, dry friction and equalities exert the impulses of hard.h. Private to
 * laws/.
 *
 *     M v = rhs + J'f        f_b = the impulse of block b for gap s_b(v) and velocity (J v)_b
 *
 * v [nv] next velocity, M [nv x nv] and rhs = M v_now + timestep (forces) of the instant before
 * (with implicit damping both have its terms). Solved by a primal-dual predictor-corrector method
 * in the variables (v, gamma, s, xi, eta) of hard.h, each step reduced to nv equations
 * (Howell et al., "Dojo", 2022; Mehrotra, "On the implementation of a primal-dual interior point
 * method", SIAM J. Optim. 2, 1992). The gaps found are positive. Units as in hard.h.
 */
#ifndef SAL_PHYSICS_LAWS_HARD_FORWARD_H
#define SAL_PHYSICS_LAWS_HARD_FORWARD_H

#include "physics/laws/hard.h"
#include "physics/physics.h"

/* The gaps s [nblock] at the next instant, when the next velocity is v [nv], and G = ds/dv
 * [nblock x nv], by rows; G may be NULL. Entries of dry friction are not read. false: they cannot
 * be had, and the solver gives up. */
typedef bool (*phy_hard_gaps)(double *s, double *G, const double *v, void *user);

typedef struct phy_hard_problem {
    /* rows, in blocks that cover each once */
    int nv, nrow, nblock;
    /* [nblock] */
    const phy_hard_block *block;
    /* [nv x nv] by rows, nonsingular; [nv] */
    const double *M, *rhs;
    /* [nrow x nv] by rows */
    const double *J;
    /* s0 is not read: s > 0 in the result, which the inverse reproduces as long as its s0 is not
     * above these gaps */
    phy_hard_relax relax;
    /* NULL: the linear s_b = gap_b + timestep (J v)_row */
    phy_hard_gaps gaps;
    void *user;
    /* [nblock] m, and s; read only without `gaps` */
    const double *gap;
    double timestep;
} phy_hard_problem;

/* The variables of a block: impulses (xi_1, xi_j = f_j/mu_j) and velocities (eta_1, eta_j). */
typedef struct phy_hard_point {
    double s, gamma, xi[PHY_HARD_DIM], eta[PHY_HARD_DIM];
} phy_hard_point;

typedef struct phy_hard_effort {
    /* steps at most; 0: 100 */
    int most;
    /* on all residuals, in their units; 0: 1e-10 */
    double tolerance;
    /* on |products - kappa|, relative to kappa, beside 1e-13 absolute; 0: 1e-6. (A last Newton step
     * squares what is left of either.) */
    double violation;
} phy_hard_effort;

typedef struct phy_hard_result {
    /* both tolerances met; else the fields are the last iterate's */
    bool is_solved;
    /* steps; how often steps became short, and it started again, farther from the cones */
    int steps, jams;
    double residual, violation;
} phy_hard_result;

/* v [nv] and f [nrow]. point [nblock] is the state that a solution leaves; with is_warm it and v
 * are the start, which must be a solution for larger kappa (a smaller kappa's is a poor start).
 * Else they are not read. SAL_OK whether solved or not; SAL_FULL: the arena is too small;
 * SAL_DIVERGED: a number is not finite, or `gaps` said no; SAL_SINGULAR; SAL_BADINPUT: kappa <= 0,
 * a block's dim. The arena is given back. */
sal_status phy_hard_forward(double *v, double *f, phy_hard_point *point, phy_hard_result *result,
                            const phy_hard_problem *problem, const phy_hard_effort *effort,
                            bool is_warm, sal_arena *arena);

/* Scratch of both functions, by measuring (base/memory.h). */
void phy_hard_scratch(int nv, int nrow, int nblock, sal_arena *arena);

/* At a solution v, by the implicit function theorem on the closed law of hard.h,
 *
 *     F = df/dv = df/dw J + df/ds G [nrow x nv]        K = M - J'F [nv x nv]
 *     K dv = d rhs - dM v + dJ'f + J' d'f              d'f: f's change at fixed v
 *
 * so dv/dtau = timestep K^-1. `lu` and `pivot` hold the factors of K (base/dense.h). Gradients of a
 * softer contact: solve and linearise at the larger kappa, then go on with is_warm at the smaller.
 * Errors as above; SAL_DIVERGED if a block penetrates. */
sal_status phy_hard_linearise(double *lu, int *pivot, double *F, const phy_hard_problem *problem,
                              const double *v, sal_arena *arena);

/* The smallest alpha > 0 at which y + alpha d [1 + n], y inside, is on the border of the cone
 * y_0 >= |(y_1 .. y_n)|; infinity if there is none. */
double phy_hard_to_cone(const double *y, const double *d, int n);

#endif
