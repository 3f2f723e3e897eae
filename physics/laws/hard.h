/* hard.h: the closed inverse of the hard contact model, block by block: Coulomb contact that does
 * not penetrate, relaxed by kappa > 0 (Howell et al., "Dojo: a differentiable physics engine for
 * robotics", 2022, in generalized coordinates). Private to laws/. Nothing allocates or keeps a
 * state; a result depends on its arguments alone.
 *
 * The forward equations of a contact, at the next instant: s gap, w velocity of its rows, gamma
 * normal impulse, (gamma, xi) and (eta_1, eta) in second-order cones,
 *
 *     gamma s = kappa_n    eta_j = mu_j w_j    (gamma, xi) o (eta_1, eta) = kappa_t (1, 0, ..)
 *     f_1 = gamma          f_j = mu_j xi_j     a o b = (a'b, a_1 b_j + b_1 a_j)
 *
 * have one solution for given s > 0 and w:
 *
 *     gamma = kappa_n/s    r = kappa_t/gamma    u = sqrt(r^2 + 4 |eta|^2)    eta_1 = (r + u)/2
 *     f_j = -mu_j gamma eta_j/eta_1
 *
 * So |(f_j/mu_j)| < gamma: the cone of friction, where each tangent, torsion and rolling (in m) has
 * a mu_j >= 0 of its own; Dojo's formulas are these with all mu_j equal, and its eta and r are ours
 * divided by mu. The impulse is smooth in s, w and mu, at w = 0 and mu = 0, too.
 *
 * Units: f N s (N m s of rows that turn), w m/s (rad/s), s m (rad), kappa_n N m s, kappa_t N m.
 */
#ifndef SAL_PHYSICS_LAWS_HARD_H
#define SAL_PHYSICS_LAWS_HARD_H

enum { PHY_HARD_DIM = 6 }; /* most rows of a block */

typedef enum phy_hard_kind {
    /* of dim rows, normal first: 1 without friction (limits, too), 3, 4, 6 */
    PHY_HARD_CONTACT,
    /* dry friction of a dof or tendon, one row: (bound, f) and (eta_1, w) in cones as above, so
     * f = -bound w/eta_1 with r = kappa_t/bound. It has no gap. */
    PHY_HARD_LOSS,
    /* one row, f = -s/compliance, s the violation at the next instant */
    PHY_HARD_EQUALITY
} phy_hard_kind;

typedef struct phy_hard_block {
    phy_hard_kind kind;
    /* first row among those of all blocks (only hard_forward.h reads it); number of rows */
    int row, dim;
    /* [dim - 1] of a contact: each >= 0 */
    const double *mu;
    /* of dry friction: timestep x frictionloss, >= 0, N s */
    double bound;
    /* of an equality, > 0: m/(N s) */
    double compliance;
} phy_hard_block;

typedef struct phy_hard_relax {
    /* > 0 */
    double kappa_n, kappa_t;
    /* Below this gap gamma goes on along its tangent, gamma = (kappa_n/s0)(2 - s/s0), for
     * configurations that penetrate. 0: no impulse is defined there. */
    double s0;
} phy_hard_relax;

typedef enum phy_hard_state {
    PHY_HARD_EXACT,
    /* s < s0: on the tangent. No forward solution of hard_forward.h has this impulse. */
    PHY_HARD_EXTENDED,
    /* s <= 0 and s0 = 0: no impulse, all results are NaN */
    PHY_HARD_PENETRATES,
    /* a number is not finite, or kappa <= 0: results are of no use */
    PHY_HARD_INVALID
} phy_hard_state;

/* f [dim] of gap s and velocity w [dim]. A contact does not read w[0], dry friction not s, an
 * equality not w. */
phy_hard_state phy_hard_inverse(double *f, const phy_hard_block *block, const phy_hard_relax *relax,
                                double s, const double *w);

/* The potentials of the impulse: f_1 = -d gap/ds, and at fixed gamma f_j = -d slip/dw_j. */
typedef struct phy_hard_value {
    /* N m s: -kappa_n log s, on the tangent below s0; of an equality s^2/(2 compliance); infinite
     * where the block penetrates. In terms of a velocity w_1 with s = d + h w_1 it is gap/h. */
    double gap;
    /* N m: gamma (u - r)/2 - (kappa_t/2) log((u + r)/(2 r)), >= 0 */
    double slip;
} phy_hard_value;

/* The state is that of phy_hard_inverse. */
phy_hard_state phy_hard_potential(phy_hard_value *value, const phy_hard_block *block,
                                  const phy_hard_relax *relax, double s, const double *w);

typedef struct phy_hard_slopes {
    /* df/dw [dim x dim], by rows: symmetric, negative semidefinite; of a contact row 0 and column 0
     * are 0 */
    double w[PHY_HARD_DIM * PHY_HARD_DIM];
    /* df/ds, df/dkappa_n, df/dkappa_t [dim]. Where both kappa are one number, its slope is the sum.
     */
    double s[PHY_HARD_DIM], kappa_n[PHY_HARD_DIM], kappa_t[PHY_HARD_DIM];
} phy_hard_slopes;

/* With g = 2 gamma/(eta_1^2 u), by eta_1 u = r eta_1 + 2 |eta|^2 without cancellation:
 *
 *     df_j/dw_j = -mu_j^2 (gamma r/(eta_1 u) + g sum_{k != j} eta_k^2)
 *     df_j/dw_k = mu_j mu_k g eta_j eta_k
 *     df_j/ds = f_j (1 + r/u) gamma'/gamma      gamma' = -kappa_n/s^2, on the tangent -kappa_n/s0^2
 *     df_j/dkappa_n = f_j (1 + r/u)/kappa_n     df_j/dkappa_t = -f_j r/(u kappa_t)
 *
 * The state is that of phy_hard_inverse. */
phy_hard_state phy_hard_deriv(phy_hard_slopes *slopes, const phy_hard_block *block,
                              const phy_hard_relax *relax, double s, const double *w);

#endif
