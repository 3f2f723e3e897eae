/* logbarrier_dense.h: all blocks of the smooth invertible contact model together, with the barrier
 * on their velocities, for a given A = J M^-1 J'; private to physics/.
 *
 * (Todorov, ICRA 2011.) With w = A f + c the next velocity of the rows, and E g the vector with
 * g_i = dbar'(w_n - vmin) in the normal row of block i and 0 elsewhere:
 *
 *     forward    c -> f, w      min f'(A + R) f/2 + f'c + d(f) + sum dbar(w_n - vmin)
 *     inverse    w -> f         min f'R f/2 + d(f) + f'y,     y = w + A E g
 *
 * Both have the condition R f + w + d'(f) + A E g = 0, so that they undo each other. The inverse
 * is one product with A and then one root per block.
 *
 *     df/dw = -H^-1 (I + A E G E')     df/dvmin = H^-1 A E G     df[dA] = -H^-1 dA E g
 *     df/dR_k = -H^-1 e_k f_k          forward: df/dc = -(H + A + A E G E'A)^-1 (I + A E G E')
 *
 * H = R + d''(f) is block-diagonal, G = dbar''. Without a velocity barrier (all q 0) the inverse
 * does not need A. Nothing here allocates or has a state; A may be singular.
 */
#ifndef SAL_PHYSICS_LAWS_LOGBARRIER_DENSE_H
#define SAL_PHYSICS_LAWS_LOGBARRIER_DENSE_H

#include "physics/laws/logbarrier.h"

typedef enum phy_barrier_kind {
    /* dim 1: a normal row */
    PHY_BARRIER_CONE,
    /* dim 1 */
    PHY_BARRIER_EQUALITY,
    /* friction of a dof; dim 1 */
    PHY_BARRIER_LOSS
} phy_barrier_kind;

/* The rows of block 0, of block 1, .. */
typedef struct phy_barrier_system {
    int rows, blocks;
    /* [blocks] */
    const int *dim;
    /* [blocks]; NULL: cones */
    const phy_barrier_kind *kind;
    /* [rows], 1/kg */
    const double *R;
    /* [rows]: of a tangential row its friction, of a friction of a dof its bound (N s) */
    const double *mu;
    /* [blocks], m/s; N s, 0: no barrier on the velocity. Only cones have one. */
    const double *vmin, *q;
    /* [rows x rows], symmetric, positive semidefinite, 1/kg. May be NULL where all q are 0, for all
     * but the forward direction. */
    const double *A;
    /* J */
    double kappa;
} phy_barrier_system;

static inline phy_barrier_kind phy_barrier_kind_of(const phy_barrier_system *system, int block)
{
    return system->kind == NULL ? PHY_BARRIER_CONE : system->kind[block];
}

/* ---- inverse ---- */

/* E g and the diagonal of E G E' [rows], and that of d(E g)/dq [rows], each unless NULL */
void phy_barrier_push(double *g, double *G, double *by_q, const double *w,
                      const phy_barrier_system *system);

/* f(y): f [rows], multiplier [blocks] of the cones (0 of others), s [blocks] the potential unless
 * NULL. The status of the worst block: SAL_DIVERGED, SAL_BADINPUT; the others' f is right. */
sal_status phy_barrier_forces(double *f, double *multiplier, double *s, const double *y,
                              const phy_barrier_system *system);

/* f(w), as phy_barrier_forces(y = w + A E g); scratch [rows] */
sal_status phy_barrier_inverse(double *f, double *multiplier, const double *w,
                               const phy_barrier_system *system, double *scratch);

/* H^-1, block by block [sum of dim^2]; f and multiplier as the inverse found them */
void phy_barrier_curvature(double *h, const double *f, const double *multiplier,
                           const phy_barrier_system *system);

/* df = -H^-1 dy [rows]: df[dA] with dy = dA E g, df/dR_k with dy = f_k e_k */
void phy_barrier_answer(double *df, const double *h, const double *dy,
                        const phy_barrier_system *system);

/* df/dw [rows x rows] */
void phy_barrier_by_w(double *df, const double *h, const double *G,
                      const phy_barrier_system *system);

/* -H^-1 A E diag(dg) [rows x blocks]: df/dvmin with dg = -G, df/dq with dg = by_q, both [rows] */
void phy_barrier_by_push(double *df, const double *h, const double *dg,
                         const phy_barrier_system *system);

/* ---- forward ---- */

typedef struct phy_barrier_search {
    /* it ends once the decrement grad'H^-1 grad is below tolerance kappa; the last step is taken
     * nevertheless, so that the error is about the decrement, not its root. 1e-12 serves. */
    double tolerance;
    /* J; solves with this kappa, then with a tenth of it, .., if above the system's. Worth its
     * steps where there is a velocity barrier and kappa is below about 1e-3 of the energies. */
    double first_kappa;
    /* of Newton's method; 0: 300 */
    int most_steps;
    /* begins at the w given */
    bool is_warm;
} phy_barrier_search;

typedef struct phy_barrier_solution {
    /* of Newton's method, all values of kappa */
    int steps;
    /* J */
    double decrement;
    bool is_converged;
    /* The matrix had to be helped by a ridge of 1e-14 of its mean. */
    bool is_ridged;
} phy_barrier_solution;

/* Doubles of scratch that the two functions below need. */
size_t phy_barrier_scratch(int rows, int blocks);

/* f and w [rows]. SAL_DIVERGED: a number is not finite; SAL_BADINPUT: kappa, an R or a dim out of
 * range, an A_nn negative; SAL_SINGULAR: no factor even with a ridge. SAL_OK with is_converged
 * false: the steps were used up. */
sal_status phy_barrier_forward(phy_barrier_solution *solution, double *f, double *w,
                               const double *c, const phy_barrier_system *system,
                               const phy_barrier_search *search, double *scratch);

/* df/dc [rows x rows] at the w of the forward direction; dw/dc = I + A df/dc. Fails as
 * phy_barrier_forces, and SAL_SINGULAR: no factor. */
sal_status phy_barrier_by_c(double *df, const double *w, const phy_barrier_system *system,
                            double *scratch);

#endif
