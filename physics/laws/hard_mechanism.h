/* hard_mechanism.h: the hard contact model in a mechanism: what its law and its forward direction
 * share. Private to laws/. */
#ifndef SAL_PHYSICS_LAWS_HARD_MECHANISM_H
#define SAL_PHYSICS_LAWS_HARD_MECHANISM_H

#include "physics/contact_law.h"
#include "physics/laws/hard.h"

/* kappa_t. hard_law.c */
double phy_hard_kappa_slip(const sal_contact_option *o);
/* A block in terms of impulses; its gap and velocity are not in it. hard_law.c */
void phy_hard_block_of(phy_hard_block *hard, phy_hard_relax *relax, const phy_law_block *block,
                       const phy_law_rows *rows);

/* Of a limit or equality, the next instant's gap is this times the gap, and what it moves.
 * hard_law.c */
double phy_hard_gap_share(const phy_law_block *block);

/* hard_mechanism.c */
extern const phy_law_solver phy_hard_solver;

#endif
