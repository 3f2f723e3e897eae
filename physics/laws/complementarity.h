/* complementarity.h: contacts that obey Coulomb's law and Signorini's conditions to the letter, for
 * a dense A; private to laws/. All memory is the caller's.
 *
 *     w = A f + c
 *     normal     f_0 >= 0,  w_0 >= 0,  f_0 w_0 = 0
 *     tangents   sum (f_j/mu_j)^2 <= f_0^2; where w_t is not 0, f_j = -nu mu_j^2 w_j on the border
 *     equality   w = 0;     friction loss  |f| <= bound, and f = -bound sign(w) where w is not 0
 *
 * (Todorov, Erez, Tassa, "MuJoCo", IROS 2012, names the method: implicit complementarity. The paper
 * about it is of 2010; what stands here was derived anew.) The velocities are those above the
 * reference: c has w* taken off, of a normal w* = -gap/timestep. A regulariser R is added to A's
 * diagonal by the caller.
 *
 * f need not be unique, and where friction couples strongly it need not exist: whoever calls has to
 * look at the residual. There is no inverse; see posthoc.h.
 */
#ifndef SAL_PHYSICS_LAWS_COMPLEMENTARITY_H
#define SAL_PHYSICS_LAWS_COMPLEMENTARITY_H

#include "physics/laws/impulse.h"

typedef struct phy_complementarity_problem {
    /* rows; blocks, which cover each row once, in any order */
    int k, nblock;
    const phy_impulse_block *block;
    /* [k x k] symmetric, positive semidefinite, 1/kg; [k] m/s */
    const double *A, *c;
} phy_complementarity_problem;

/* What was tried, in this order. */
typedef enum phy_complementarity_rung {
    PHY_COMPLEMENTARITY_DIRECT,
    PHY_COMPLEMENTARITY_FRICTION,   /* friction that grows to its value */
    PHY_COMPLEMENTARITY_COMPLIANCE, /* A + r I, r falling to 0 */
    PHY_COMPLEMENTARITY_SWEEPS,     /* a start from Gauss-Seidel */
    PHY_COMPLEMENTARITY_NOTHING     /* none reached the tolerance; the best is returned */
} phy_complementarity_rung;

typedef struct phy_complementarity_effort {
    /* of Newton's method, each time it starts: 60; of the residual: 1e-10 */
    int most;
    double tolerance;
    /* x holds a start, of a problem like this one */
    bool is_warm;
    /* the last rung that may be tried */
    phy_complementarity_rung last;
    /* what came of it: steps in all, |F(x)|/|c| in units in which each block of A is about 1 */
    int used;
    double residual;
    phy_complementarity_rung rung;
} phy_complementarity_effort;

/* f [k], and x [k], the variable of Newton's method, for a warm start and for the derivative;
 * scratch [phy_complementarity_scratch]. SAL_OK also where the tolerance was not reached: see
 * effort->residual. SAL_BADINPUT: a block's shape; SAL_DIVERGED: a number is not finite. Then
 * f = 0. */
sal_status phy_complementarity_solve(double *f, double *x, phy_complementarity_effort *effort,
                                     const phy_complementarity_problem *problem, double *scratch);

/* df/dc [k x k] at the x of a solution; df = df/dc (dc + dA f). SAL_SINGULAR where f is not a
 * function of c. */
sal_status phy_complementarity_derivative(double *slope, const double *x,
                                          const phy_complementarity_problem *problem,
                                          double *scratch);

size_t phy_complementarity_scratch(int k, int nblock);

#endif
