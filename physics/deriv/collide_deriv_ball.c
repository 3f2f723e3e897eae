/* collide_deriv_ball.c: a ball that touches a shape. */
#include "base/house.h"
#include "physics/deriv/collide_map.h"

/* dist = 2 (n.(P - centre) - r), also in a box, where 2.2.2 reports another one, that does not
 * change. */
bool phy_map_ball(phy_contact_map *map, const sal_model *m, const sal_data *d, const sal_contact *c,
                  const double centre[3])
{
    const double r = m->geom_size[3L * c->geom1];
    const phy_part ball = {.H = {r, 0, 0, r}};
    phy_part part;
    double point[3];
    sal_v3_sub(point, c->pos, centre);
    const double dist = 2 * (sal_v3_dot(point, c->frame) - r);
    sal_v3_addscaled(point, c->pos, 0.5 * dist, c->frame);
    if (!phy_part_of(&part, m, d, c->geom2, c, point) ||
        !phy_map_nearest(map, c, dist, &ball, &part)) {
        return false;
    }
    if (m->mujoco == SAL_MUJOCO_222 && m->geom_type[c->geom2] == SAL_GEOM_BOX && dist < -r &&
        c->dist == -r) {
        sal_v3_set(map->dist + 3, 0, 0, 0);
    }
    return true;
}
