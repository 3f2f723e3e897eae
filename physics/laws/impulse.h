/* impulse.h: the blocks of rows that the models of contact at the level of velocities work on;
 * private to laws/. These models know no mechanism, only numbers:
 *
 *     w = A f + c,     A = J M^-1 J' [k x k],     c = J (v + h M^-1 (F + tau)) [k]
 *
 * f [k] is an impulse (N s; N m s of rows that turn), w [k] the velocity of the rows at the next
 * instant, positive where a contact opens. The rows of a contact: normal first, then two tangents,
 * torsion, two rolling. Its cone:
 *
 *     f_0 >= 0,     sum_j (f_j/mu_j)^2 <= f_0^2          mu_j = 0: f_j = 0
 */
#ifndef SAL_PHYSICS_LAWS_IMPULSE_H
#define SAL_PHYSICS_LAWS_IMPULSE_H

#include "physics/physics.h"

enum { PHY_IMPULSE_DIM = 6 }; /* most rows of a cone */

typedef enum phy_impulse_family {
    PHY_IMPULSE_EQUALITY, /* any f */
    PHY_IMPULSE_LOSS,     /* |f| <= bound */
    PHY_IMPULSE_NORMAL,   /* f >= 0: limits, contacts without friction */
    PHY_IMPULSE_CONE
} phy_impulse_family;

typedef struct phy_impulse_block {
    phy_impulse_family family;
    /* first row; number of rows: 1, of a cone 1 to 6 */
    int row, dim;
    /* [dim - 1], of a cone: each >= 0; of torsion and rolling in m */
    const double *mu;
    /* of friction loss: timestep x frictionloss, N s */
    double bound;
} phy_impulse_block;

static inline bool phy_impulse_has_normal(const phy_impulse_block *block)
{
    return block->family == PHY_IMPULSE_NORMAL || block->family == PHY_IMPULSE_CONE;
}

/* SAL_BADINPUT where a block is not as said above. */
sal_status phy_impulse_check(const phy_impulse_block *block);

phy_impulse_family phy_impulse_family_of(sal_efc_type type);

/* w* (m/s) of the first row of a block, and its slope by the gap:
 *
 *     w* = -gap/h                     gap > 0: what closes it in this step
 *        = min(-0.1 gap/h, 0.2 m/s)   gap < 0: a part of the penetration is undone
 *        = -0.1 gap/h                 of an equality, whose gap has either sign
 *        = 0                          of friction loss
 *
 * (The limits are our choice: of penetrations Todorov, "A convex, smooth and invertible contact
 * model for trajectory optimization", ICRA 2011, says its sign only.) */
double phy_impulse_reference(double *slope, phy_impulse_family family, double gap, double timestep);

#endif
