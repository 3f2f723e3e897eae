/* impulse.c: what the rows of a mechanism are as blocks of impulses. */
#include "physics/laws/impulse.h"

static const double undone = 0.1;      /* share of a penetration that a step undoes */
static const double out_at_most = 0.2; /* m/s */

sal_status phy_impulse_check(const phy_impulse_block *block)
{
    const bool is_cone = block->family == PHY_IMPULSE_CONE;
    if (block->dim < 1 || block->dim > (is_cone ? PHY_IMPULSE_DIM : 1) || block->row < 0) {
        return SAL_BADINPUT;
    }
    for (int j = 1; j < block->dim; j++) {
        if (!(block->mu[j - 1] >= 0)) {
            return SAL_BADINPUT;
        }
    }
    return block->family == PHY_IMPULSE_LOSS && !(block->bound >= 0) ? SAL_BADINPUT : SAL_OK;
}

phy_impulse_family phy_impulse_family_of(sal_efc_type type)
{
    switch (type) {
    case SAL_EFC_EQUALITY:
        return PHY_IMPULSE_EQUALITY;
    case SAL_EFC_FRICTION_DOF:
    case SAL_EFC_FRICTION_TENDON:
        return PHY_IMPULSE_LOSS;
    case SAL_EFC_CONTACT_ELLIPTIC:
        return PHY_IMPULSE_CONE;
    case SAL_EFC_LIMIT_JOINT:
    case SAL_EFC_LIMIT_TENDON:
    case SAL_EFC_CONTACT_FRICTIONLESS:
    case SAL_EFC_CONTACT_PYRAMIDAL:
        break;
    }
    return PHY_IMPULSE_NORMAL;
}

double phy_impulse_reference(double *slope, phy_impulse_family family, double gap, double timestep)
{
    *slope = 0;
    if (family == PHY_IMPULSE_LOSS) {
        return 0;
    }
    if (family == PHY_IMPULSE_EQUALITY) {
        *slope = -undone / timestep;
        return *slope * gap;
    }
    if (gap > 0) {
        *slope = -1 / timestep;
        return *slope * gap;
    }
    const bool limited = -undone * gap / timestep > out_at_most;
    *slope = limited ? 0 : -undone / timestep;
    return limited ? out_at_most : -undone * gap / timestep;
}
