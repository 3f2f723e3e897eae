/* near.c: the pairs of geoms that are near in any of several instants, and in which of them. */
#include "physics/collision/near.h"

static SAL_INLINE bool any(const phy_truth *x)
{
    long long sum = 0;
    for (int l = 0; l < PHY_WIDTH; l++) {
        sum |= (*x)[l];
    }
    return sum != 0;
}

static unsigned char bits(const phy_truth *x)
{
    unsigned sum = 0;
    for (int l = 0; l < PHY_WIDTH; l++) {
        sum |= (unsigned)((*x)[l] & 1) << l;
    }
    return (unsigned char)sum;
}

void phy_near_pairs(const sal_model *m, phy_instants *d)
{
    d->nnear = 0;
    for (int pair = 0; pair < m->npair; pair++) {
        phy_truth near;
        phy_pair_is_near(&near, m, d, pair);
        if (any(&near)) {
            d->near_pair[d->nnear] = pair;
            d->near_lanes[d->nnear++] = bits(&near);
        }
    }
}
