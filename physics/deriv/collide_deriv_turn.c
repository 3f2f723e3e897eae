/* collide_deriv_turn.c: how a contact's frame turns. Its tangents are drawn from a hint t, an axis
 * of the world. */
#include "base/house.h"
#include "physics/deriv/collide_map.h"

/* (n.t)/(t1.t); the hint t is an axis e_k of the world, t1 = (e_k - n_k n)/|..|, which is across t
 * only where the hint was another one. */
static double hint_slant(const sal_contact *c)
{
    const int k = phy_hint_axis(c->frame);
    return c->frame[3 + k] != 0 ? c->frame[k] / c->frame[3 + k] : 0;
}

void phy_turn_axis(double axis[3], const sal_contact *c)
{
    const double slant = hint_slant(c);
    for (int i = 0; i < 3; i++) {
        axis[i] = -c->frame[3 + i] - slant * c->frame[i];
    }
}

void phy_map_spin(phy_contact_map *map, const sal_contact *c)
{
    sal_v3_scale(map->spin, c->frame + 3, hint_slant(c));
    sal_v3_sub(map->spin, map->spin, c->frame);
}
