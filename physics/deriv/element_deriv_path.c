/* element_deriv_path.c: how the Jacobian of a spatial tendon's length changes.
 *
 * A straight piece between points of two bodies,  r = P_1 - P_0,  l = |r|,  u = r/l:
 *
 *     J_i = u'(P_1i - P_0i),      du = (1 - u u') dr / l
 *     P_ik how a point moves with a dof
 *
 * A piece over a geom is a function of where its ends x_0, x_1 are in the geom's axes, and so are
 * the unit forces g_0, g_1 at its ends:
 *
 *     J_i = sum over both ends of  (R g)'(P_i - P_i as a point of the geom),
 *     R dg = R (dg/dx) R'(dP - dP as a point of the geom)
 *
 * dg/dx by differences of that one function: 12 calls, however many dofs move the ends.
 */
#include "physics/deriv/element_deriv.h"
#include "physics/tendon.h"

#include <string.h>

/* ---- straight ---- */

static void add_straight(const phy_turn *p, const phy_span *s)
{
    const sal_model *m = p->m;
    const int body[2] = {m->site_bodyid[s->s0], m->site_bodyid[s->s1]};
    const double *point[2] = {p->d->site_xpos + 3 * s->s0, p->d->site_xpos + 3 * s->s1};
    double u[3], apart[3];
    sal_v3_sub(u, point[1], point[0]);
    const double length = sal_v3_normalise(u);
    if (body[0] == body[1]) {
        return;
    }
    for (int k = 0; k < p->n; k++) {
        double moved[2][3];
        if (p->observer == NULL && phy_dof_moves(m, p->dof[k], body[0]) &&
            phy_dof_moves(m, p->dof[k], body[1])) {
            continue; /* both alike */
        }
        for (int e = 0; e < 2; e++) {
            phy_displacement(p, moved[e], p->dof[k], body[e], point[e]);
        }
        sal_v3_sub(apart, moved[1], moved[0]);
        const double along = sal_v3_dot(u, apart);
        p->dl[k] += along / s->divisor;
        sal_v3_addscaled(apart, apart, -along, u);
        for (int e = 0; e < 2; e++) {
            const double sign = (e == 0 ? -1 : 1) / s->divisor;
            phy_pull pull = {.body = body[e]}, change = {.body = body[e]};
            sal_v3_copy(pull.at, point[e]);
            sal_v3_scale(pull.f, u, sign);
            sal_v3_copy(change.at, moved[e]);
            sal_v3_scale(change.f, apart, length > SAL_MINVAL ? sign / length : 0);
            phy_turn_pull(p, &pull, &change, -1, k);
        }
    }
}

/* ---- over a geom ---- */

/* A piece in the axes of its geom. */
typedef struct winding {
    double radius, side[3];
    bool cylinder, beside;
    double x[6];            /* both ends */
    double g[6], slope[36]; /* the unit forces there, and their derivatives by rows */
    double gradient[6]; /* of the length: g, but for what the search for a ring's point leaves */
} winding;

/* Unit forces g at the ends, and the length; false if it passes by. */
static bool wind(const winding *w, const double x[6], double g[6], double *length)
{
    static const double origin[3] = {0, 0, 0}, unit[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const phy_roller roller = {origin, unit, w->radius, w->cylinder};
    double meet[3], leave[3];
    const double arc = phy_tendon_wrap(meet, leave, x, x + 3, w->beside ? w->side : NULL, &roller);
    if (arc < 0) {
        sal_v3_copy(meet, x + 3);
        sal_v3_copy(leave, x);
    }
    sal_v3_sub(g, x, meet);
    sal_v3_sub(g + 3, x + 3, leave);
    const double l0 = sal_v3_normalise(g), l1 = sal_v3_normalise(g + 3);
    *length = arc < 0 ? l0 : l0 + arc + l1;
    return arc >= 0;
}

static bool set_winding(const phy_turn *p, winding *w, const phy_span *s)
{
    const sal_data *d = p->d;
    const double *centre = d->geom_xpos + 3 * s->geom, *R = d->geom_xmat + 9 * s->geom;
    const double *point[3] = {d->site_xpos + 3 * s->s0, d->site_xpos + 3 * s->s1,
                              d->site_xpos + 3 * (s->side < 0 ? s->s0 : s->side)};
    double *local[3] = {w->x, w->x + 3, w->side}, length, span = 0;
    w->radius = p->m->geom_size[3 * s->geom];
    w->cylinder = s->cylinder;
    w->beside = s->side >= 0;
    for (int e = 0; e < 3; e++) {
        double away[3];
        sal_v3_sub(away, point[e], centre);
        sal_m3_multv(local[e], R, away);
        span += sal_v3_norm(away) / 3;
    }
    if (!wind(w, w->x, w->g, &length)) {
        return false;
    }
    const double eps = 2e-6 * span;
    for (int c = 0; c < 6; c++) { /* central differences, c-th coordinate */
        double x[6], g[2][6], l[2];
        for (int side = 0; side < 2; side++) {
            memcpy(x, w->x, sizeof x);
            x[c] += side == 0 ? -eps : eps;
            wind(w, x, g[side], l + side);
        }
        w->gradient[c] = (l[1] - l[0]) / (2 * eps);
        for (int r = 0; r < 6; r++) {
            w->slope[6 * r + c] = (g[1][r] - g[0][r]) / (2 * eps);
        }
    }
    return true;
}

static void add_wound(const phy_turn *p, const phy_span *s, const winding *w)
{
    const sal_model *m = p->m;
    const sal_data *d = p->d;
    const int bg = m->geom_bodyid[s->geom];
    const int body[2] = {m->site_bodyid[s->s0], m->site_bodyid[s->s1]};
    const double *point[2] = {d->site_xpos + 3 * s->s0, d->site_xpos + 3 * s->s1};
    const double *R = d->geom_xmat + 9 * s->geom;
    for (int k = 0; k < p->n; k++) {
        const double *turn = d->cdof + 6 * p->dof[k];
        const bool turns = phy_dof_moves(m, p->dof[k], bg);
        double moved[2][3], dx[6], dg[6] = {0};
        for (int e = 0; e < 2; e++) {
            double along[3], apart[3];
            phy_displacement(p, moved[e], p->dof[k], body[e], point[e]);
            phy_displacement(p, along, p->dof[k], bg, point[e]);
            sal_v3_sub(apart, moved[e], along);
            sal_m3_multv(dx + 3 * e, R, apart);
        }
        p->dl[k] += sal_sp_dot(w->gradient, dx) / s->divisor;
        for (int r = 0; r < 6; r++) {
            dg[r] = sal_sp_dot(w->slope + 6 * r, dx);
        }
        for (int e = 0; e < 4; e++) { /* at both ends: on its body, against the geom's */
            const int end = e / 2;
            const double sign = (e % 2 == 0 ? 1 : -1) / s->divisor;
            phy_pull pull = {.body = e % 2 == 0 ? body[end] : bg}, change = {.body = bg};
            sal_v3_copy(pull.at, point[end]);
            sal_m3_mulv(pull.f, R, w->g + 3 * end);
            sal_m3_mulv(change.f, R, dg + 3 * end);
            if (turns) {
                sal_v3_addcross(change.f, turn, pull.f);
            }
            sal_v3_scale(pull.f, pull.f, sign);
            sal_v3_scale(change.f, change.f, sign);
            sal_v3_copy(change.at, moved[end]);
            phy_turn_pull(p, &pull, &change, -1, k);
        }
    }
}

void phy_tendon_turn_seen(const phy_turn *turn, int t)
{
    const size_t n = (size_t)turn->n;
    winding w;
    memset(turn->N, 0, n * n * sizeof *turn->N);
    memset(turn->dl, 0, n * sizeof *turn->dl);
    for (phy_span span = {0}; phy_tendon_span(turn->m, t, &span);) {
        if (span.geom >= 0 && set_winding(turn, &w, &span)) {
            add_wound(turn, &span, &w);
        } else {
            add_straight(turn, &span);
        }
    }
}

void phy_tendon_turn(const sal_model *m, const sal_data *d, int t, double *N, double *dl)
{
    const phy_turn p = {.m = m,
                        .d = d,
                        .n = m->tendon_Jnum[t],
                        .dof = m->ten_dof + m->tendon_Jadr[t],
                        .N = N,
                        .dl = dl};
    phy_tendon_turn_seen(&p, t);
}

/* ---- dJ/dt v ---- */

/* Of a straight piece, with rdot, rddot the relative velocity and acceleration of its ends:
 *     D = (u.rddot + (|rdot|^2 - (u.rdot)^2)/l) / divisor */
static double drift_change(const phy_turn *p, const phy_deriv *w, const phy_span *s,
                           const phy_mover end[2], int dof, int by)
{
    double r[3], u[3], v[3], a[3], dr[3] = {0}, dv[3] = {0}, da[3] = {0}, du[3];
    const double *point[2] = {p->d->site_xpos + 3 * s->s0, p->d->site_xpos + 3 * s->s1};
    sal_v3_sub(r, point[1], point[0]);
    sal_v3_copy(u, r);
    const double l = sal_v3_normalise(u);
    sal_v3_sub(v, end[1].v, end[0].v);
    sal_v3_sub(a, end[1].a, end[0].a);
    for (int e = 0; e < 2; e++) {
        const double sign = e == 0 ? -1 : 1;
        if (phy_dof_moves(p->m, dof, end[e].body)) {
            const phy_motion_change c = phy_mover_change(p->m, w, end + e, dof, by);
            double column[3];
            phy_point_column(p->m, p->d, column, dof, point[e]);
            sal_v3_addscaled(dr, dr, by == PHY_BY_Q ? sign : 0, column);
            sal_v3_addscaled(dv, dv, sign, c.v);
            sal_v3_addscaled(da, da, sign, c.a);
        }
    }
    if (!(l > SAL_MINVAL)) {
        return sal_v3_dot(u, da) / s->divisor;
    }
    const double along = sal_v3_dot(u, v), dl = sal_v3_dot(u, dr);
    sal_v3_addscaled(du, dr, -dl, u);
    sal_v3_scale(du, du, 1 / l);
    const double across = sal_v3_dot(v, v) - along * along;
    const double dalong = sal_v3_dot(du, v) + sal_v3_dot(u, dv);
    const double dacross = 2 * sal_v3_dot(v, dv) - 2 * along * dalong;
    return (sal_v3_dot(du, a) + sal_v3_dot(u, da) + dacross / l - across * dl / (l * l)) /
           s->divisor;
}

void phy_tendon_drift_turn(const sal_model *m, const sal_data *d, const phy_deriv *w, int t, int by,
                           double *r)
{
    const int n = m->tendon_Jnum[t];
    const phy_turn p = {.m = m, .d = d, .n = n, .dof = m->ten_dof + m->tendon_Jadr[t]};
    memset(r, 0, (size_t)n * sizeof *r);
    for (phy_span s = {0}; phy_tendon_span(m, t, &s);) {
        const int site[2] = {s.s0, s.s1};
        phy_mover end[2];
        for (int e = 0; e < 2; e++) {
            end[e] = (phy_mover){.body = m->site_bodyid[site[e]], .with_drift = true};
            phy_mover_set(m, d, end + e, d->site_xpos + 3 * site[e]);
        }
        for (int k = 0; k < n; k++) {
            r[k] += drift_change(&p, w, &s, end, p.dof[k], by);
        }
    }
}
