/* collide_deriv_hybrid.c: the maps of any pair, by centred differences of its collider: shape 2
 * turns and shifts a little about its own centre, twelve calls.
 *
 * Each call's contact nearest to ours counts as ours. Where it is missing on one side, the
 * difference is taken from the other; on both, the shapes are taken as stuck to each other's
 * contact point: d dist = n.u, dP = u/2, no turn.
 */
#include "base/house.h"
#include "physics/deriv/collide_map.h"

#include <string.h>

static const double step = 1e-6;
static const double reach = 1e-3; /* farther than this from ours it is another contact */

/* The nearest to c, or NULL. */
static const phy_touch *nearest(const phy_touch *touch, int count, const sal_contact *c)
{
    const phy_touch *best = NULL;
    double least = reach * reach;
    for (int i = 0; i < count; i++) {
        double off[3];
        sal_v3_sub(off, touch[i].pos, c->pos);
        const double square = sal_v3_dot(off, off);
        const bool elsewhere = c->prism >= 0 && touch[i].prism != c->prism;
        if (square < least && !elsewhere) {
            least = square;
            best = touch + i;
        }
    }
    return best;
}

/* Shape 2 turned by `angle` about the world axis k through its centre (k < 3), or shifted by it
 * along axis k - 3. */
static void move(double pos[3], double mat[9], int k, double angle)
{
    if (k >= 3) {
        pos[k - 3] += angle;
        return;
    }
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const double cosine = cos(angle), sine = sin(angle);
    for (int column = 0; column < 3; column++) {
        const double x = mat[3 * i + column], y = mat[3 * j + column];
        mat[3 * i + column] = cosine * x - sine * y;
        mat[3 * j + column] = sine * x + cosine * y;
    }
}

/* What changes: dist, pos, normal. */
typedef struct reading {
    double value[7];
} reading;

static void put(reading *r, double dist, const double pos[3], const double normal[3])
{
    r->value[0] = dist;
    sal_v3_copy(r->value + 1, pos);
    sal_v3_copy(r->value + 4, normal);
}

/* The contact after a move; false: gone. */
static bool moved(const sal_model *m, const sal_data *d, const sal_contact *c, int k, double angle,
                  reading *r)
{
    double pos[3], mat[9];
    phy_touch touch[PHY_TOUCH_MAX];
    sal_v3_copy(pos, d->geom_xpos + 3L * c->geom2);
    memcpy(mat, d->geom_xmat + 9L * c->geom2, sizeof mat);
    move(pos, mat, k, angle);
    phy_meeting meeting = phy_meeting_of(m, d, c->geom1, c->geom2, c->pair);
    meeting.pos2 = pos;
    meeting.mat2 = mat;
    const int count = phy_collide_meeting(&meeting, touch);
    const phy_touch *t = nearest(touch, count, c);
    if (t != NULL) {
        put(r, t->dist, t->pos, t->normal);
    }
    return t != NULL;
}

/* v = the velocity of shape 2's point at P:  d dist = n.v, dP = v/2 */
static reading stuck(const sal_data *d, const sal_contact *c, int k)
{
    double v[3] = {0, 0, 0}, lever[3], axis[3] = {0, 0, 0};
    axis[k % 3] = 1;
    sal_v3_sub(lever, c->pos, d->geom_xpos + 3L * c->geom2);
    if (k < 3) {
        sal_v3_cross(v, axis, lever);
    } else {
        sal_v3_copy(v, axis);
    }
    return (reading){{sal_v3_dot(c->frame, v), 0.5 * v[0], 0.5 * v[1], 0.5 * v[2]}};
}

/* The reading's derivative along move k. */
static reading differentiate(const sal_model *m, const sal_data *d, const sal_contact *c, int k)
{
    reading plus, minus, slope = {{0}};
    const bool ahead = moved(m, d, c, k, step, &plus), behind = moved(m, d, c, k, -step, &minus);
    if (!ahead && !behind) {
        return stuck(d, c, k);
    }
    if (!ahead) {
        put(&plus, c->dist, c->pos, c->frame);
    } else if (!behind) {
        put(&minus, c->dist, c->pos, c->frame);
    }
    for (int i = 0; i < 7; i++) {
        slope.value[i] = (plus.value[i] - minus.value[i]) / (ahead && behind ? 2 * step : step);
    }
    return slope;
}

void phy_map_hybrid(const sal_model *m, const sal_data *d, const sal_contact *c,
                    phy_contact_map *map)
{
    double rows[7][6], lever[3], axis[3];
    for (int k = 0; k < 6; k++) {
        const reading slope = differentiate(m, d, c, k);
        for (int i = 0; i < 7; i++) {
            rows[i][k] = slope.value[i];
        }
    }
    /* from twists about shape 2's centre: its velocity is u + w x lever, m.(w x lever) = w.(lever x
     * m) */
    sal_v3_sub(lever, d->geom_xpos + 3L * c->geom2, c->pos);
    for (int i = 0; i < 7; i++) {
        double turn[3];
        sal_v3_cross(turn, lever, rows[i] + 3);
        sal_v3_add(rows[i], rows[i], turn);
    }
    memcpy(map->dist, rows[0], sizeof map->dist);
    memcpy(map->pos, rows[1], sizeof map->pos);
    const double *t1 = c->frame + 3, *t2 = c->frame + 6;
    phy_turn_axis(axis, c);
    for (int k = 0; k < 6; k++) {
        const double dn[3] = {rows[4][k], rows[5][k], rows[6][k]};
        const double dn1 = sal_v3_dot(t1, dn), dn2 = sal_v3_dot(t2, dn);
        for (int i = 0; i < 3; i++) {
            map->turn[6 * i + k] = t2[i] * dn1 + axis[i] * dn2;
        }
    }
}
