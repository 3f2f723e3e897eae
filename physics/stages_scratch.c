/* stages_scratch.c: the scratch of all stages together. */
#include "physics/scratch.h"

void phy_stages_scratch(const sal_model *m, sal_arena *arena)
{
    phy_kinematics_scratch(m, arena);
    phy_collide_scratch(m, arena);
    phy_equality_scratch(m, arena);
    phy_exact_scratch(m, arena);
    phy_rne_scratch(m, arena);
    phy_energy_scratch(m, arena);
    phy_subtree_scratch(m, arena);
    phy_implicit_scratch(m, arena);
    phy_inverse_scratch(m, arena);
}
