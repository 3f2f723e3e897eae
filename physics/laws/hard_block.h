/* hard_block.h: the variables of one block of the hard contact model in a primal-dual step; private
 * to laws/. Newton's equations, with e_.. and c the errors of the block's equations, in those of
 * products the second-order terms of a predicted step, too:
 *
 *     ds = G dv - e_s                 dgamma = -(e_gamma + gamma ds)/s          gamma s = kappa_n
 *     dxi_1 = dgamma - e_xi           deta_j = mu_j J_j dv - e_eta              (dgamma = 0: dry)
 *     dxi_t = B^-1 [-c_t + xi_t c_1/xi_1 + (xi_t eta_1/xi_1 - eta_t) dxi_1
 *                   - (xi_1 deta_t - xi_t (xi_t'deta_t)/xi_1)]                 xi o eta = kappa_t e
 *     deta_1 = (-c_1 - eta_1 dxi_1 - eta_t'dxi_t - xi_t'deta_t)/xi_1            c: its error
 *     B^-1 y = (y + xi_t (eta_t'y)/(xi_1 eta_1 - xi_t'eta_t))/eta_1             Sherman, Morrison
 */
#ifndef SAL_PHYSICS_LAWS_HARD_BLOCK_H
#define SAL_PHYSICS_LAWS_HARD_BLOCK_H

#include "physics/laws/hard_forward.h"

/* A point and what depends on it, or a step: v [nv], gaps s(v) [nblock], J v [nrow] and the
 * variables [nblock]. */
typedef struct phy_hard_iterate {
    double *v, *s, *Jv;
    phy_hard_point *x;
    /* the largest error of the linear equations, and of the products */
    double residual, violation;
} phy_hard_iterate;

/* What the products shall become, less the second-order terms of a predicted step. */
typedef struct phy_hard_target {
    double kappa_n, kappa_t;
    const phy_hard_point *predicted; /* [nblock] or NULL */
} phy_hard_target;

typedef struct phy_hard_error {
    double s, gamma, xi, eta[PHY_HARD_DIM], product[PHY_HARD_DIM];
} phy_hard_error;

/* How many tangents a block has: the dimension of its cones less 1; 0: no cones. */
int phy_hard_tangents(const phy_hard_block *block);
/* Of the rows of a block, the one of tangent j = 1.. */
static inline int phy_hard_tangent_row(const phy_hard_block *block, int j)
{
    return block->kind == PHY_HARD_CONTACT ? j : j - 1;
}

/* The errors of block b at a point. */
void phy_hard_errors(phy_hard_error *e, const phy_hard_problem *p, const phy_hard_iterate *at,
                     int b, const phy_hard_target *goal);
/* The step of a block for ds = Gdv and the velocities Jdv [dim] of its rows; NULL: 0. */
void phy_hard_step(phy_hard_point *d, const phy_hard_block *block, const phy_hard_point *x,
                   const phy_hard_error *e, double Gdv, const double *Jdv);
/* F [dim x nv]: the impulses of block b by v in such a step; G [nv] its row of ds/dv. */
void phy_hard_rows(double *F, const phy_hard_problem *p, int b, const phy_hard_point *x,
                   const double *G);
/* f [nrow], the impulses of the variables (of a step, too); equalities have none: 0. */
void phy_hard_impulses(double *f, const phy_hard_problem *p, const phy_hard_point *x);

#endif
