/* collide_deriv_capsule_box.c: a capsule and a box: a ball against the box, whose centre p = c + x
 * a slides along the capsule's axis.
 *
 * While the ball stays on its place x, the maps are those of a sphere; if x changes by dx, the ball
 * moves by a dx, and that is to say that both shapes move so and the box by -a dx alone:
 *
 *     d dist = dist.(w; u - a dx),    dP = pos (w; u - a dx) + a dx,    theta = turn (w; u - a dx)
 *
 * x follows from c and a in the box's axes R_k, where they change by dc_k = w.(R_k x (c - P)) -
 *     R_k.u, da_k = w.(R_k x a).
 */
#include "base/house.h"
#include "physics/collision/collide_capsule_box.h"
#include "physics/deriv/collide_map.h"

/* Changes of the axis in the box, as rows; of the first ball's place and of the point on the edge
 * there. */
typedef struct rates {
    double c[3][6], a[3][6];
    double x[6], along[6];
} rates;

static void find_axis(rates *r, const phy_meeting *p, const double P[3], double length)
{
    double z[3], off[3], e[3];
    sal_m3_column(z, p->mat1, 2);
    sal_v3_scale(z, z, length);
    sal_v3_sub(off, p->pos1, P);
    *r = (rates){.x = {0}};
    for (int k = 0; k < 3; k++) {
        sal_m3_column(e, p->mat2, k);
        sal_v3_cross(r->c[k], e, off);
        sal_v3_scale(r->c[k] + 3, e, -1);
        sal_v3_cross(r->a[k], e, z);
    }
}

/* x and the edge's point s_j y e_j:  A y + B x = u, B y + C x = v, each unless it is at an end
 *                                    (collide_capsule_box.c);
 *     A = s_j^2, B = -s_j a_j, C = a.a, u = s_j c_j, v = a.w, w = the edge's middle - c (a corner:
 *         y = +-1 all along, w to the corner) */
static void find_first(rates *r, const phy_footing *f)
{
    const int j = f->axis;
    const bool edge = f->kind == PHY_NEAR_EDGE, held = fabs(f->x) >= 1;
    const double A = f->s[j] * f->s[j], B = -f->s[j] * f->a[j], C = f->length * f->length;
    const double det = A * C - B * B;
    double w[3];
    if (!edge && f->kind != PHY_NEAR_CORNER) {
        return;
    }
    for (int k = 0; k < 3; k++) {
        const double side = (f->corner >> k & 1) != 0 ? f->s[k] : -f->s[k];
        w[k] = (edge && k == j ? 0 : side) - f->c[k];
    }
    for (int i = 0; i < 6; i++) {
        double dv = 0;
        for (int k = 0; k < 3; k++) {
            dv += r->a[k][i] * w[k] - r->c[k][i] * f->a[k];
        }
        const double dB = -f->s[j] * r->a[j][i];
        const double du = f->s[j] * r->c[j][i] - dB * f->x, dw = dv - dB * f->along;
        if (!edge) {
            r->x[i] = held ? 0 : dv / C;
        } else {
            r->x[i] = held ? 0 : (A * dw - B * du) / det;
            r->along[i] = held ? du / A : (C * du - B * dw) / det;
        }
    }
}

/* From the first ball's place to the second's, x + way dx. */
static void go_to_second(rates *r, const phy_footing *f)
{
    const phy_stop *stop = &f->stop;
    const int k = stop->k;
    for (int i = 0; i < 6; i++) {
        const double stretch = stop->way * stop->dx * r->a[k][i] / f->a[k];
        const double forth = stop->way * stop->ahead * f->s[k] / fabs(f->a[k]);
        switch (stop->kind) {
        case PHY_STOP_WIDTH:
            r->x[i] -= stretch;
            break;
        case PHY_STOP_EDGE_END:
            r->x[i] -= stretch + forth * r->along[i];
            break;
        case PHY_STOP_BORDER: /* c_k + (end + way dx) a_k stays */
            r->x[i] = -(r->c[k][i] + f->end * r->a[k][i]) / f->a[k] - stretch;
            break;
        case PHY_STOP_END:
        case PHY_STOP_NONE:
            r->x[i] = 0;
            break;
        }
    }
}

/* Of the two balls, the contact's: it lies at c->pos. */
static double place_of(const phy_meeting *p, const phy_footing *f, const sal_contact *c,
                       bool *second)
{
    const double at[2] = {f->x, f->x + f->stop.way * f->stop.dx};
    double least = HUGE_VAL;
    *second = false;
    for (int i = 0; i < (f->stop.kind == PHY_STOP_NONE ? 1 : 2); i++) {
        phy_touch touch;
        double off[3];
        if (phy_capsule_box_ball(p, at[i], &touch) > 0) {
            sal_v3_sub(off, touch.pos, c->pos);
            if (sal_v3_norm(off) < least) {
                least = sal_v3_norm(off);
                *second = i == 1;
            }
        }
    }
    return at[*second ? 1 : 0];
}

bool phy_map_capsule_box(const sal_model *m, const sal_data *d, const sal_contact *c,
                         phy_contact_map *map)
{
    const phy_meeting p = phy_meeting_of(m, d, c->geom1, c->geom2, c->pair);
    phy_footing f;
    rates r;
    double a[3], centre[3];
    bool second;
    phy_capsule_box_find(&f, &p);
    const double x = place_of(&p, &f, c, &second);
    sal_m3_column(a, p.mat1, 2);
    sal_v3_scale(a, a, f.length);
    sal_v3_addscaled(centre, p.pos1, x, a);
    if (!phy_map_ball(map, m, d, c, centre)) {
        return false;
    }
    find_axis(&r, &p, c->pos, f.length);
    find_first(&r, &f);
    if (second) {
        go_to_second(&r, &f);
    }
    const double away = sal_v3_dot(map->dist + 3, a);
    phy_row_addscaled(map->dist, -away, r.x);
    for (int i = 0; i < 3; i++) {
        phy_row_addscaled(map->pos + 6 * i, a[i] - sal_v3_dot(map->pos + 6 * i + 3, a), r.x);
        phy_row_addscaled(map->turn + 6 * i, -sal_v3_dot(map->turn + 6 * i + 3, a), r.x);
    }
    return true;
}
