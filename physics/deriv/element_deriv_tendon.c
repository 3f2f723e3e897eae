/* element_deriv_tendon.c: how the forces of spatial tendons change. All that pulls along one tendon
 * is one tension
 *
 *     T = -k(x) x - b(|l'|) l' + sum of its rows' forces,     qfrc = T J',
 *     a function of l, J v and J a
 *
 * so that, with N = dJ/dq, its part -T J' of the inverse has
 *
 *     Dq = -T N - J'(T_l dl + T_v v'N + T_a a'N)      Dv = -T_v J'J      Da = -T_a J'J
 *
 * Rows add to T_l, T_v, T_a as in rows_deriv.c. An equality of two tendons, J = J_y - p' J_z, gives
 * f to y and -p' f to z; what f itself does is
 *     df = -H (N_y'(a + B v) - p' N_z'(a + B v) - p'' dz J_z (a + B v)) - c (dy - p' dz),
 *     dtau = -J'df + p'' f J_z'dz
 *
 * Armature: J'(sum of J_j a_j over the dofs j above or below i, + dJ/dt v) in row i.
 */
#include "physics/constraint.h"
#include "physics/deriv/deriv_pieces.h"
#include "physics/deriv/element_deriv.h"
#include "physics/deriv/scratch.h"
#include "physics/deriv/step_deriv.h"
#include "physics/sensors/sensor.h"
#include "physics/stages.h"
#include "physics/tendon.h"

#include <math.h>
#include <string.h>

typedef struct tension {
    double T, by_length, by_rate, by_acceleration;
    bool counts; /* it pulls, or a row that has it does */
} tension;

/* What an equality needs of its tendons, each [ntenJ]. */
typedef struct turned {
    double *dl, *by_v, *by_a; /* dl/dq, v'N, a'N */
} turned;

/* ---- tensions ---- */

static void add_passive(const sal_model *m, const sal_data *d, int t, tension *x)
{
    if (phy_passive_is_off(m)) {
        return;
    }
    if (!(m->opt.disable & SAL_DSBL_SPRING)) {
        const double stretch = phy_tendon_stretch(m, d, t), *k = m->tendon_stiffnesspoly + 2 * t;
        x->T -= stretch * (m->tendon_stiffness[t] + stretch * (k[0] + stretch * k[1]));
        x->by_length -= phy_tendon_stretch_slope(m, d, t);
    }
    if (!(m->opt.disable & SAL_DSBL_DAMPER)) {
        const double v = d->ten_velocity[t], speed = fabs(v);
        const double *b = m->tendon_dampingpoly + 2 * t;
        x->T -= v * (m->tendon_damping[t] + speed * (b[0] + speed * b[1]));
        x->by_rate -= phy_tendon_damping_slope(m, d, t);
    }
}

/* Rows with J = +-J_t: the sign is that of their product. */
static double sign_of(const sal_model *m, const sal_data *d, int row, int t)
{
    const double *J = d->efc_J + d->efc_J_rowadr[row], *Jt = d->ten_J + m->tendon_Jadr[t];
    double product = 0;
    for (int i = 0; i < d->efc_J_rownnz[row]; i++) {
        product += J[i] * Jt[i];
    }
    return product < 0 ? -1 : 1;
}

/* p' and p'' at the second tendon's length, and the law of the row */
typedef struct pair {
    int y, z; /* z: -1, none */
    double p1, p2;
    phy_row_slope k;
} pair;

static pair pair_of(const sal_model *m, const sal_data *d, const phy_law_rows *rows, int row)
{
    const int i = d->efc_id[row], z = m->eq_obj2id[i];
    const double *c = m->eq_data + 11 * i;
    pair p = {.y = m->eq_obj1id[i], .z = z, .k = phy_row_slope_of(m, d, rows, row)};
    if (z >= 0) {
        const double u = d->ten_length[z] - m->tendon_length0[z];
        p.p1 = phy_equality_slope(c, u);
        p.p2 = 2 * c[2] + u * (6 * c[3] + u * 12 * c[4]);
    }
    return p;
}

static bool is_pair(const sal_model *m, const sal_data *d, int row)
{
    const int i = d->efc_id[row];
    if (d->efc_type[row] != SAL_EFC_EQUALITY || m->eq_type[i] != SAL_EQ_TENDON) {
        return false;
    }
    return !phy_tendon_is_fixed(m, m->eq_obj1id[i]) ||
           (m->eq_obj2id[i] >= 0 && !phy_tendon_is_fixed(m, m->eq_obj2id[i]));
}

static void add_rows(const sal_model *m, const sal_data *d, const phy_law_rows *rows, tension *all)
{
    for (int row = 0; row < d->nefc && d->efc_type[row] < (int)SAL_EFC_CONTACT_FRICTIONLESS;
         row++) {
        const int type = d->efc_type[row], t = d->efc_id[row];
        if (is_pair(m, d, row)) {
            const pair p = pair_of(m, d, rows, row);
            all[p.y].T += p.k.f;
            all[p.y].counts = true;
            if (p.z >= 0) {
                all[p.z].T -= p.p1 * p.k.f;
                all[p.z].counts = true;
            }
        } else if (type == SAL_EFC_FRICTION_TENDON || type == SAL_EFC_LIMIT_TENDON) {
            const phy_row_slope k = phy_row_slope_of(m, d, rows, row);
            all[t].T += sign_of(m, d, row, t) * k.f;
            all[t].by_acceleration -= k.H;
            all[t].by_rate -= k.B * k.H;
            all[t].by_length -= k.c;
        }
    }
}

/* ---- the matrices ---- */

/* Dq, Dv, Da of a tendon from its tension and N. */
static void add_tension(const sal_model *m, const sal_data *d, phy_deriv *w, int t,
                        const tension *x, const double *N, const turned *r)
{
    const int adr = m->tendon_Jadr[t], n = m->tendon_Jnum[t], *dof = m->ten_dof + adr;
    const double *J = d->ten_J + adr;
    for (int i = 0; i < n; i++) {
        const size_t row = (size_t)dof[i] * (size_t)m->nv;
        for (int k = 0; k < n; k++) {
            const double dT = x->by_length * r->dl[adr + k] + x->by_rate * r->by_v[adr + k] +
                              x->by_acceleration * r->by_a[adr + k];
            w->Dq[row + (size_t)dof[k]] -= x->T * N[i * n + k] + J[i] * dT;
            w->Dv[row + (size_t)dof[k]] -= x->by_rate * J[i] * J[k];
            w->Da[row + (size_t)dof[k]] -= x->by_acceleration * J[i] * J[k];
        }
    }
}

/* True if M has an entry for two dofs. */
static bool are_in_line(const sal_model *m, int i, int k)
{
    return i > k ? phy_dof_moves(m, k, m->dof_bodyid[i]) : phy_dof_moves(m, i, m->dof_bodyid[k]);
}

/* How dJ/dt v changes with the n dofs of a tendon, by q and by v */
typedef struct drift_turn {
    double *by_q, *by_v;
} drift_turn;

static bool take_drift(sal_arena *arena, int n, drift_turn *x)
{
    x->by_q = sal_arena_take(arena, (size_t)n, sizeof *x->by_q);
    x->by_v = sal_arena_take(arena, (size_t)n, sizeof *x->by_v);
    return x->by_v != NULL;
}

static void add_armature(const sal_model *m, sal_data *d, phy_deriv *w, int t, const double *N)
{
    const int adr = m->tendon_Jadr[t], n = m->tendon_Jnum[t], *dof = m->ten_dof + adr;
    const double *J = d->ten_J + adr, c = m->tendon_armature[t], drift = phy_tendon_drift(m, d, t);
    const size_t mark = d->arena.used;
    drift_turn x;
    if (!take_drift(&d->arena, n, &x)) {
        return;
    }
    double *by_q = x.by_q, *by_v = x.by_v;
    phy_tendon_drift_turn(m, d, w, t, PHY_BY_Q, by_q);
    phy_tendon_drift_turn(m, d, w, t, PHY_BY_V, by_v);
    for (int i = 0; i < n; i++) {
        const size_t row = (size_t)dof[i] * (size_t)m->nv;
        double sum = drift;
        for (int j = 0; j < n; j++) {
            sum += are_in_line(m, dof[i], dof[j]) ? J[j] * d->qacc[dof[j]] : 0;
        }
        for (int k = 0; k < n; k++) {
            double turn = by_q[k];
            for (int j = 0; j < n; j++) {
                turn += are_in_line(m, dof[i], dof[j]) ? N[j * n + k] * d->qacc[dof[j]] : 0;
            }
            w->Dq[row + (size_t)dof[k]] += c * (N[i * n + k] * sum + J[i] * turn);
            w->Dv[row + (size_t)dof[k]] += c * J[i] * by_v[k];
            w->Da[row + (size_t)dof[k]] += are_in_line(m, dof[i], dof[k]) ? c * J[i] * J[k] : 0;
        }
    }
    d->arena.used = mark;
}

/* v'N, a'N */
static void set_turned(const sal_model *m, const sal_data *d, int t, const double *N,
                       const turned *r)
{
    const int adr = m->tendon_Jadr[t], n = m->tendon_Jnum[t], *dof = m->ten_dof + adr;
    for (int k = 0; k < n; k++) {
        r->by_v[adr + k] = r->by_a[adr + k] = 0;
        for (int i = 0; i < n; i++) {
            r->by_v[adr + k] += N[i * n + k] * d->qvel[dof[i]];
            r->by_a[adr + k] += N[i * n + k] * d->qacc[dof[i]];
        }
    }
}

/* ---- equalities ---- */

/* Dq += x (k gradient of tendon t's length + H (a + B v)'N)' */
static void add_gradient(const sal_model *m, phy_deriv *w, const turned *r, phy_sparse x, int t,
                         double k, double H, double B)
{
    const int adr = m->tendon_Jadr[t];
    if (phy_tendon_is_fixed(m, t)) {
        phy_add_length(m, w->Dq, k, x, t);
        return;
    }
    for (int i = 0; i < x.n; i++) {
        for (int c = adr; c < adr + m->tendon_Jnum[t]; c++) {
            const double part = k * r->dl[c] + H * (r->by_a[c] + B * r->by_v[c]);
            w->Dq[(size_t)x.dof[i] * (size_t)m->nv + (size_t)m->ten_dof[c]] += x.x[i] * part;
        }
    }
}

static void add_pair(const sal_model *m, const sal_data *d, phy_deriv *w, const turned *r, int row,
                     const pair *p)
{
    const phy_sparse J = phy_sparse_row(d, row);
    const phy_row_slope k = p->k;
    phy_add_square(m, w->Da, k.H, J);
    phy_add_square(m, w->Dv, k.B * k.H, J);
    add_gradient(m, w, r, J, p->y, k.c, k.H, k.B);
    if (p->z < 0) {
        return;
    }
    const phy_sparse Jz = phy_sparse_tendon(m, d, p->z);
    double rate = 0;
    for (int i = 0; i < Jz.n; i++) {
        rate += Jz.x[i] * (d->qacc[Jz.dof[i]] + k.B * d->qvel[Jz.dof[i]]);
    }
    add_gradient(m, w, r, J, p->z, -p->p1 * k.c - p->p2 * k.H * rate, -p->p1 * k.H, k.B);
    add_gradient(m, w, r, Jz, p->z, p->p2 * k.f, 0, 0);
}

/* ---- all of them ---- */

/* The most dofs that a spatial tendon has; -1: there is none. */
static int widest(const sal_model *m)
{
    int most = -1;
    for (int t = 0; t < m->ntendon; t++) {
        most = !phy_tendon_is_fixed(m, t) && m->tendon_Jnum[t] > most ? m->tendon_Jnum[t] : most;
    }
    return most;
}

typedef struct all_tendons {
    turned r;
    double *N;        /* [widest x widest] */
    tension *tension; /* [ntendon] */
} all_tendons;

static bool take(const sal_model *m, sal_arena *arena, int most, all_tendons *x)
{
    const size_t n = (size_t)most, ntenJ = (size_t)m->ntenJ;
    x->r.dl = sal_arena_take(arena, ntenJ, sizeof *x->r.dl);
    x->r.by_v = sal_arena_take(arena, ntenJ, sizeof *x->r.by_v);
    x->r.by_a = sal_arena_take(arena, ntenJ, sizeof *x->r.by_a);
    x->N = sal_arena_take(arena, n * n, sizeof *x->N);
    x->tension = sal_arena_take(arena, (size_t)m->ntendon, sizeof *x->tension);
    return x->tension != NULL;
}

void phy_tendon_deriv_scratch(const sal_model *m, sal_arena *arena)
{
    const size_t mark = arena->used;
    const int most = widest(m);
    if (most >= 0) {
        all_tendons x;
        drift_turn drift;
        take(m, arena, most, &x);
        take_drift(arena, most, &drift);
    }
    arena->used = mark;
}

void phy_tendons_deriv(const sal_model *m, sal_data *d, phy_deriv *w)
{
    const phy_law_rows rows = phy_law_rows_of(m, d);
    const size_t mark = d->arena.used;
    const int most = widest(m);
    all_tendons room;
    if (most < 0 || !take(m, &d->arena, most, &room)) {
        return;
    }
    const turned r = room.r;
    double *N = room.N;
    tension *all = room.tension;
    memset(all, 0, (size_t)m->ntendon * sizeof *all);
    for (int t = 0; t < m->ntendon; t++) {
        add_passive(m, d, t, all + t);
    }
    add_rows(m, d, &rows, all);
    for (int t = 0; t < m->ntendon; t++) {
        const tension *x = all + t;
        const bool pulls = x->T != 0 || x->by_length != 0 || x->by_rate != 0 ||
                           x->by_acceleration != 0 || x->counts || m->tendon_armature[t] > 0;
        if (!phy_tendon_is_fixed(m, t) && pulls) {
            phy_tendon_turn(m, d, t, N, r.dl + m->tendon_Jadr[t]);
            set_turned(m, d, t, N, &r);
            add_tension(m, d, w, t, x, N, &r);
            if (m->tendon_armature[t] > 0) {
                add_armature(m, d, w, t, N);
            }
        }
    }
    for (int row = 0; row < d->nefc && d->efc_type[row] == SAL_EFC_EQUALITY; row++) {
        if (is_pair(m, d, row)) {
            const pair p = pair_of(m, d, &rows, row);
            add_pair(m, d, w, &r, row, &p);
        }
    }
    d->arena.used = mark;
}

/* ---- what bodies feel of them ---- */

/* How the force f that lengthens a tendon varies besides x: f -= armature dJ/dt v */
static void less_drift(const sal_model *m, const sal_data *d, const phy_deriv *w, int t,
                       const drift_turn *x)
{
    const double c = m->tendon_armature[t];
    const int n = m->tendon_Jnum[t];
    memset(x->by_q, 0, (size_t)n * sizeof *x->by_q);
    memset(x->by_v, 0, (size_t)n * sizeof *x->by_v);
    if (c > 0) {
        phy_tendon_drift_turn(m, d, w, t, PHY_BY_Q, x->by_q);
        phy_tendon_drift_turn(m, d, w, t, PHY_BY_V, x->by_v);
    }
    for (int k = 0; k < n; k++) {
        x->by_q[k] *= -c;
        x->by_v[k] *= -c;
    }
}

/* s'E of a force of 1 */
static void unit_seen(const sal_model *m, const sal_data *d, const phy_observer *o, int t,
                      double J[PHY_SEEN])
{
    phy_straight straight[2];
    double arc;
    memset(J, 0, PHY_SEEN * sizeof *J);
    for (phy_span span = {0}; phy_tendon_span(m, t, &span);) {
        const int n = phy_tendon_straights(m, d, &span, straight, &arc);
        for (int e = 0; e < 2 * n; e++) {
            const phy_straight *p = straight + e / 2;
            double u[3], arm[3], at[3];
            if (!phy_is_carried(m, p->body[e % 2], o->body)) {
                continue;
            }
            sal_v3_sub(u, p->point[1], p->point[0]);
            sal_v3_normalise(u);
            sal_v3_scale(u, u, (e % 2 == 0 ? -1 : 1) / p->divisor);
            sal_v3_sub(arm, p->point[e % 2], phy_centre(m, d, o->body));
            for (int r = 0; r < o->n; r++) {
                sal_sp_point_velocity(at, o->s[r], arm);
                J[r] += sal_v3_dot(at, u);
            }
        }
    }
}

/* D[.][k] += J df, f a function of l, J v, J a */
static void add_seen(const sal_model *m, const sal_data *d, int t, const tension *x,
                     const turned *r, const drift_turn *drift, const double weight[PHY_SEEN],
                     double *const D[3])
{
    for (int k = 0; k < m->tendon_Jnum[t]; k++) {
        const int at = m->tendon_Jadr[t] + k;
        const double Jk = d->ten_J[at];
        const double df[3] = {x->by_length * r->dl[at] + x->by_rate * r->by_v[at] +
                                  x->by_acceleration * r->by_a[at] + drift->by_q[k],
                              x->by_rate * Jk + drift->by_v[k], x->by_acceleration * Jk};
        for (int i = 0; i < PHY_SEEN; i++) {
            for (int by = 0; by < 3; by++) {
                D[by][i * m->nv + m->ten_dof[at]] += weight[i] * df[by];
            }
        }
    }
}

/* D[.] -= J f dlog rho of the tendon's rows, see step_deriv.c */
static void softening_seen(const sal_model *m, sal_data *d, int t, const double weight[PHY_SEEN],
                           double *const D[3])
{
    const size_t mark = d->arena.used;
    const double *by[2];
    for (int row = 0; row < d->nefc; row++, d->arena.used = mark) {
        const int type = d->efc_type[row];
        if ((type != SAL_EFC_FRICTION_TENDON && type != SAL_EFC_LIMIT_TENDON) ||
            d->efc_id[row] != t || d->efc_state[row] == SAL_EFC_LINEARNEG ||
            d->efc_state[row] == SAL_EFC_LINEARPOS || !phy_softening_of(m, d, row, by, by + 1)) {
            continue;
        }
        const double f = sign_of(m, d, row, t) * d->efc_force[row];
        for (int k = 0; k < 2 * m->nv; k++) {
            for (int i = 0; i < PHY_SEEN; i++) {
                D[k % 2][i * m->nv + k / 2] -= weight[i] * f * by[k % 2][k / 2];
            }
        }
    }
}

void phy_tendon_seen(const sal_model *m, sal_data *d, const phy_deriv *w, const phy_observer *o,
                     int t, double scale, double *const D[3])
{
    const phy_law_rows rows = phy_law_rows_of(m, d);
    const size_t mark = d->arena.used;
    const int most = widest(m);
    double J[PHY_SEEN];
    all_tendons room;
    drift_turn drift;
    if (!take(m, &d->arena, most, &room) || !take_drift(&d->arena, most, &drift)) {
        return;
    }
    const phy_turn turn = {.m = m,
                           .d = d,
                           .n = m->tendon_Jnum[t],
                           .dof = m->ten_dof + m->tendon_Jadr[t],
                           .N = room.N,
                           .dl = room.r.dl + m->tendon_Jadr[t],
                           .observer = o,
                           .scale = scale * phy_tendon_force(m, d, t),
                           .seen = D[0]};
    memset(room.tension, 0, (size_t)m->ntendon * sizeof *room.tension);
    add_passive(m, d, t, room.tension + t);
    add_rows(m, d, &rows, room.tension);
    room.tension[t].by_acceleration -= m->tendon_armature[t];
    phy_tendon_turn_seen(&turn, t);
    set_turned(m, d, t, room.N, &room.r);
    less_drift(m, d, w, t, &drift);
    unit_seen(m, d, o, t, J);
    for (int r = 0; r < PHY_SEEN; r++) {
        J[r] *= scale;
    }
    add_seen(m, d, t, room.tension + t, &room.r, &drift, J, D);
    softening_seen(m, d, t, J, D);
    d->arena.used = mark;
}
