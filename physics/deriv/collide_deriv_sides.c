/* collide_deriv_sides.c: the contacts that the flat sides of two shapes make, see
 * collision/manifold.h.
 *
 * v is the contact's corner, on the rider; R and B are the velocities that rider and base have
 * there as rigid bodies, M = u + w x (v - P) of shape 2 and 0 of shape 1. With the vectors along,
 * across, up of the seam,
 *
 *     a corner of the rider         dv = R
 *     an edge of it, cut            dv = R + along y,    across.(dv - B) = 0
 *     a line of the base, likewise  dv = B + along y,    across.(dv - R) = 0
 *
 *     d dist = up.(dv - B),    dn = w x n where the normal turns with shape 2, else 0,
 *     dP = dv - s (n d dist + dn dist)/2,    v = P + s n dist/2,    s = 1 if shape 1 is the base,
 *                                                                   else -1
 */
#include "base/house.h"
#include "physics/collision/manifold.h"
#include "physics/deriv/collide_map.h"

/* The seam of the contact, which the collider makes again to the last bit; false: it is another
 * kind of contact. */
static bool seam_of(phy_seam *seam, const sal_model *m, const sal_data *d, const sal_contact *c)
{
    phy_touch touch[PHY_MANIFOLD_MAX];
    phy_seam seams[PHY_MANIFOLD_MAX];
    const phy_meeting meeting = phy_meeting_of(m, d, c->geom1, c->geom2, c->pair);
    const int n = phy_manifold_of(&meeting, touch, seams);
    for (int i = 0; i < n; i++) {
        double off[3];
        sal_v3_sub(off, touch[i].pos, c->pos);
        if (touch[i].dist == c->dist && sal_v3_dot(off, off) <= 0) {
            *seam = seams[i];
            return true;
        }
    }
    return false;
}

/* The line along which a cylinder lies on a side is another one of its wall as it turns: the
 * normal tells which, and how that moves is another formula for each kind of pair. By differences
 * of the collider. */
static bool rolls(const phy_seam *s, const sal_model *m, const sal_contact *c)
{
    const bool is_edge = s->turns == s->base;
    return is_edge && m->geom_type[s->base == 1 ? c->geom2 : c->geom1] == SAL_GEOM_CYLINDER;
}

/* row += s e.M, where v - P = l n:  e.(u + l w x n) = u.e + l w.(n x e) */
static void add_along(double row[6], double s, double l, const double n[3], const double e[3])
{
    double turn[3];
    sal_v3_cross(turn, n, e);
    sal_v3_addscaled(row, row, s * l, turn);
    sal_v3_addscaled(row + 3, row + 3, s, e);
}

/* dv by its rows: what the point is held by goes with R or B, and y along the line. */
static void follow(double dv[3][6], const phy_seam *s, double l, const double n[3])
{
    const bool rides = s->hold != PHY_HOLD_PLANE;
    const double carried = (rides ? s->base == 1 : s->base == 2) ? 1 : 0;
    double slide[6] = {0};
    if (s->hold != PHY_HOLD_CORNER) {
        const double way = carried > 0 ? -1 : 1;
        add_along(slide, way / sal_v3_dot(s->across, s->along), l, n, s->across);
    }
    for (int i = 0; i < 3; i++) {
        const double e[3] = {i == 0, i == 1, i == 2};
        for (int k = 0; k < 6; k++) {
            dv[i][k] = s->along[i] * slide[k];
        }
        add_along(dv[i], carried, l, n, e);
    }
}

bool phy_map_sides(const sal_model *m, const sal_data *d, const sal_contact *c,
                   phy_contact_map *map)
{
    const double *n = c->frame, *t1 = c->frame + 3, *t2 = c->frame + 6;
    double dv[3][6], axis[3];
    phy_seam s;
    if (!seam_of(&s, m, d, c)) {
        return false;
    }
    if (rolls(&s, m, c)) {
        phy_map_hybrid(m, d, c, map);
        return true;
    }
    const double way = s.base == 1 ? 1 : -1, l = 0.5 * way * c->dist;
    *map = (phy_contact_map){.spin = {0, 0, 0}};
    follow(dv, &s, l, n);
    add_along(map->dist, s.base == 2 ? -1 : 0, l, n, s.up);
    phy_turn_axis(axis, c);
    for (int i = 0; i < 3; i++) {
        phy_row_addscaled(map->dist, s.up[i], dv[i]);
    }
    for (int i = 0; i < 3; i++) {
        phy_row_addscaled(map->pos + 6 * i, 1, dv[i]);
        phy_row_addscaled(map->pos + 6 * i, -0.5 * way * n[i], map->dist);
        for (int k = 0; k < 3 && s.turns == 2; k++) { /* w x n = t1 (w.t2) - t2 (w.t1) */
            map->pos[6 * i + k] -= l * (t1[i] * t2[k] - t2[i] * t1[k]);
            map->turn[6 * i + k] = t2[i] * t2[k] - axis[i] * t1[k];
        }
    }
    return true;
}
