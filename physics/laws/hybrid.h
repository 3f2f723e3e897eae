/* hybrid.h: the variable that stands for force and velocity at once, for complementarity.c.
 *
 * Rows are scaled, f = S f~, w = w~/S, A~ = S A S, c~ = S c, so that the mean of a block's diagonal
 * is 1 and a cone is round: S_j = mu_j/mu s, mu the largest of the mu_j. Then, tildes left out,
 *
 *     normal   f_0 = max(x_0, 0)          tangents   f_t = x_t min(1, mu f_0/|x_t|)
 *     equality f = x                      loss       f = clamp(x, -bound, bound)
 *     w = f - x
 *
 * fulfil all conditions of complementarity for any x, and what is left to solve is
 *
 *     F(x) = A f + c - w = (A - I) f(x) + x + c = 0,    F' = (A - I) P + I,    P = df/dx
 *     P of a cone: open 0, stick I, slip [1, 0; mu u, mu x_0/|x_t| (I - u u')],  u = x_t/|x_t|
 */
#ifndef SAL_PHYSICS_LAWS_HYBRID_H
#define SAL_PHYSICS_LAWS_HYBRID_H

#include "physics/laws/complementarity.h"

typedef struct phy_hybrid {
    int k, nblock;
    const phy_impulse_block *block;
    /* of mu: 1, or less while friction grows */
    double share;
    /* [k] S; scaled [k x k] A and [k] c; |c| */
    double *scale, *A, *c;
    double size;
} phy_hybrid;

/* Scales a problem; the arrays are placed. Errors as of phy_complementarity_solve. */
sal_status phy_hybrid_scale(phy_hybrid *hybrid, const phy_complementarity_problem *problem);

/* mu and bound of a block in scaled rows */
double phy_hybrid_mu(const phy_hybrid *hybrid, const phy_impulse_block *block);
double phy_hybrid_bound(const phy_hybrid *hybrid, const phy_impulse_block *block);

/* f [k] scaled, and residual [k] = F(x); returns |F| */
double phy_hybrid_residual(double *residual, double *f, const phy_hybrid *hybrid, const double *x);

/* f [k] scaled */
void phy_hybrid_force(double *f, const phy_hybrid *hybrid, const double *x);

/* P [dim x dim] of a block */
void phy_hybrid_projection(double *P, const phy_hybrid *hybrid, const phy_impulse_block *block,
                           const double *x);

/* J [k x k] = F'(x) with A + ridge I in place of A */
void phy_hybrid_jacobian(double *J, const phy_hybrid *hybrid, const double *x, double ridge);

#endif
