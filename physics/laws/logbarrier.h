/* logbarrier.h: the smooth, convex and invertible contact model, one block at a time; private to
 * physics/.
 *
 * (Todorov, "A convex, smooth and invertible contact model for trajectory optimization", ICRA
 * 2011.) A block is a contact with its rows, normal first, or one row. Its impulse f (N s; N m s
 * for torsion and rolling) answers the velocity y of its rows (m/s, rad/s; positive separates):
 *
 *     f(y) = argmin f'R f/2 + f'y + d(f),        s(y) = -min,        f = -ds/dy
 *     d(f) = -kappa [log s_c + log f_n],         s_c = f_n^2 - sum (f_j/mu_j)^2     a cone
 *          = -kappa log f_n                                                          a normal row
 *          = -kappa log(F^2 - f^2)                                 friction of a dof, bound F (N s)
 *          = 0                                                                       an equality
 *
 * R (1/kg) is diagonal and positive, kappa (J) positive, so that f is unique and smooth. With
 * H = R + d''(f):
 *
 *     -df/dy = H^-1,     df/dR_k = -H^-1 e_k f_k,     df/dkappa = -H^-1 d'(f)/kappa
 *
 * y is the next velocity w, less a reference where there is one, plus what a barrier on velocities
 * adds (logbarrier_dense.h). Nothing here allocates or has a state.
 */
#ifndef SAL_PHYSICS_LAWS_LOGBARRIER_H
#define SAL_PHYSICS_LAWS_LOGBARRIER_H

#include "base/base.h"

#include <stdbool.h>

enum { PHY_BARRIER_DIM = 6 };

/* Friction below this is none: the row's impulse is 0, and a contact without any is a normal row.
 */
#define PHY_BARRIER_SMOOTH 1e-5

typedef struct phy_barrier_cone {
    /* 1..6; 1: a normal row */
    int dim;
    /* [dim], 1/kg */
    const double *R;
    /* [dim - 1] */
    const double *mu;
    /* J */
    double kappa;
} phy_barrier_cone;

/* Where the minimum of a cone is. */
typedef struct phy_barrier_force {
    double f[PHY_BARRIER_DIM];
    /* 2 kappa/s_c, the multiplier of the cone (1/kg); 0 for a normal row. It says how far the
     * border is: f_n^2 - sum (f_j/mu_j)^2 may cancel to nothing. */
    double multiplier;
    /* of Newton's method */
    int steps;
} phy_barrier_force;

/* f(y), y [dim]. SAL_DIVERGED: a number is not finite; SAL_BADINPUT: R, kappa or dim out of range.
 * f is NaN then. */
sal_status phy_barrier_cone_force(phy_barrier_force *at, const double *y,
                                  const phy_barrier_cone *cone);

/* The same of 1 to PHY_BARRIER_SIDE cones at once, which takes little longer than one: the same
 * bits for each, status [count], at [count]. */
enum { PHY_BARRIER_SIDE = 4 };
void phy_barrier_cones_force(sal_status *status, phy_barrier_force *at, const double *const *y,
                             const phy_barrier_cone *cone, int count);

/* s(y), J; `at` as phy_barrier_cone_force found it */
double phy_barrier_cone_potential(const phy_barrier_force *at, const double *y,
                                  const phy_barrier_cone *cone);

/* H^-1 = -df/dy [dim x dim], kg. It is symmetric, positive definite (rows without friction: 0), and
 * each entry is accurate even where H could not be inverted. df/dR_k is minus its column k times
 * f_k. */
void phy_barrier_cone_curvature(double *h, const phy_barrier_force *at,
                                const phy_barrier_cone *cone);

/* df/dkappa [dim], s/m; h is the curvature */
void phy_barrier_cone_by_kappa(double *df, const double *h, const phy_barrier_force *at,
                               const phy_barrier_cone *cone);

/* One row: f, -df/dy, s, df/dkappa; df/dR = -slope f. */
typedef struct phy_barrier_row {
    double f, slope, s, by_kappa;
    /* 2 kappa/(F^2 - f^2) of a friction of a dof, 1/kg; else 0 */
    double multiplier;
} phy_barrier_row;

/* NaN in, NaN out. */
phy_barrier_row phy_barrier_normal(double y, double R, double kappa);
phy_barrier_row phy_barrier_equality(double y, double R);
/* |f| < bound; a bound that is not positive gives 0 */
phy_barrier_row phy_barrier_loss(double y, double R, double bound, double kappa);
/* Its slope, from where it is: H = R + z + (z f)^2/kappa, z the multiplier */
double phy_barrier_loss_slope(double f, double multiplier, double R, double kappa);

/* The barrier on a velocity s = w_n - vmin, m/s: it goes on below 0, so that motions that
 * penetrate have an inverse, too.
 *
 *     dbar(s) = -kappa log s                          s >= s0 = kappa/q
 *             = a0 s^2 + a1 s + a2                    else
 *     a0 = q^2/(2 kappa),   a1 = -2 q,   a2 = 3 kappa/2 - kappa log s0
 *
 * twice differentiable at s0, where its slope is -q (N s). */
typedef struct phy_barrier_velocity {
    double value, slope, curvature;
    /* dslope/dq, m/s */
    double by_q;
} phy_barrier_velocity;

phy_barrier_velocity phy_barrier_velocity_at(double s, double kappa, double q);

/* The slope alone */
static inline double phy_barrier_velocity_slope(double s, double kappa, double q)
{
    return s >= kappa / q ? -kappa / s : q * q / kappa * s - 2 * q;
}

/* q at least, and steep enough to hold the impulse speed/A of a fall at `speed` (m/s):
 * max(q, 2 R (speed/A)/A), R and A those of the normal row. Without it a stiff block may end below
 * vmin: a single contact ends above it if and only if, with f0 = (vmin - c)/A,
 *     2 q A > R f0 + vmin - 3 kappa/f0
 */
double phy_barrier_steepness(double q, double R, double A, double speed);

/* R by the gap d (m), from R_min at 0 to R_max at d_max, with x = d/d_max within [0, 1]:
 *
 *     linear     R_min + (R_max - R_min) x
 *     smooth     R_min (R_max/R_min)^x/(1 - x)^2        no bound: the impulse begins at 0
 *
 * (The smooth one ends at x = 1 - 1e-6, so that R remains finite.) */
typedef struct phy_barrier_ramp {
    double R_min, R_max, d_max;
    bool smooth;
} phy_barrier_ramp;

/* R, and dR/dd in *slope */
double phy_barrier_ramp_at(double *slope, const phy_barrier_ramp *ramp, double d);

#endif
