/* near.c: the pairs of geoms that are near in any of several instants, and in which of them. */
#include "physics/collision/near.h"

void phy_near_pairs(const sal_model *m, phy_instants *d)
{
    d->nnear = 0;
    for (int pair = 0; pair < m->npair; pair++) {
        phy_truth near;
        phy_pair_may_touch(&near, m, d, pair);
        if (phy_any(&near)) {
            d->near_pair[d->nnear] = pair;
            d->near_lanes[d->nnear++] = phy_bits(&near);
        }
    }
}
