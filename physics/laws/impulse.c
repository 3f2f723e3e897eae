#include "physics/laws/impulse.h"

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
