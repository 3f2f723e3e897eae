/* contact_force_deriv.c: how the force of a contact varies, number by number, in the contact's own
 * frame. contact_deriv.c has the notation and djar; here they are taken along every dof of the two
 * bodies.
 *
 *     f = law(jar)      df_j = - sum_l H_jl djar_l + rho f_j ddist, or + (df_j/dgap) ddist
 *
 * In world axes force, torque and point change by dF = sum df_j r_j + theta x F, dT likewise, and
 * dP; what moves both turns the rows r by w + n (c'w).
 *
 * A dof that moves B alone: djar_l, ddist from the collider's maps along s_k, and e_l'(gam_k + B_l
 * psi_k) of its own. What moves both leaves f as it is, but for the tangents, which spin by n
 * (c'w): djar_l = -r_l'(n x Y^l)(c'w). What moves A alone is the difference of the two.
 */
#include "base/house.h"
#include "physics/contact_law.h"
#include "physics/deriv/collide_deriv.h"
#include "physics/deriv/deriv_pieces.h"
#include "physics/deriv/step_deriv.h"
#include "physics/next_gap.h"
#include "physics/stages.h"

#include <string.h>

enum { DIM = 6 };

/* A contact, with the motion of B's body and of B over A at its point for the damping of every
 * row. */
typedef struct pressed {
    const sal_contact *contact;
    phy_contact_law law;
    bool foresees; /* the law knows the gap at the next instant */
    int n;         /* numbers asked for: of the force in the frame, or sums with these weights */
    const sal_contact_weight *weight; /* [n] or NULL */
    double world[3], torque[3];       /* force and torque in world axes */
    double by_gap[DIM];
    double YB[DIM][6], Y[DIM][6];
    phy_contact_map map;
    phy_next_gap gap; /* if foresees */
} pressed;

static void arm_of(const sal_model *m, const sal_data *d, double arm[3], const double point[3],
                   int body)
{
    sal_v3_sub(arm, point, d->subtree_com + 3 * m->body_rootid[body]);
}

/* G = sum s a of the body, at P; V likewise */
static void motion_at(const sal_model *m, const sal_data *d, double G[6], double V[6], int body,
                      const double point[3], const double *a)
{
    const int *chain = m->chain_dof + m->body_chainadr[body];
    double arm[3], sum[6] = {0};
    arm_of(m, d, arm, point, body);
    for (int i = 0; i < m->body_chainnum[body]; i++) {
        sal_sp_addscaled(sum, sum, a[chain[i]], d->cdof + 6 * chain[i]);
    }
    sal_sp_at_point(G, sum, arm);
    sal_sp_at_point(V, d->cvel + 6 * body, arm);
}

/* Rows of tangents and torsion: += B_l (motions of the surfaces) */
static void add_surfaces(const sal_model *m, const sal_data *d, pressed *c)
{
    double SA[6], SB[6];
    if (!phy_surfaces_slide(m, c->contact)) {
        return;
    }
    sal_surface_motion(m, d, c->contact->geom1, c->contact->pos, SA);
    sal_surface_motion(m, d, c->contact->geom2, c->contact->pos, SB);
    for (int l = 1; l < c->law.dim && l <= 3; l++) {
        sal_sp_addscaled(c->YB[l], c->YB[l], c->law.b[l], SB);
        sal_sp_addscaled(c->Y[l], c->Y[l], c->law.b[l], SB);
        sal_sp_addscaled(c->Y[l], c->Y[l], -c->law.b[l], SA);
    }
}

static bool is_pressed(const sal_model *m, const sal_data *d, int i, pressed *c)
{
    double GA[6], VA[6], GB[6], VB[6];
    c->contact = d->contact + i;
    c->foresees = phy_law_of(m)->by_next != NULL;
    if (!phy_contact_law_at(m, d, i, &c->law)) {
        return false;
    }
    const int bodyA = m->geom_bodyid[c->contact->geom1], bodyB = m->geom_bodyid[c->contact->geom2];
    phy_contact_map_at(m, d, i, &c->map);
    if (c->foresees) {
        phy_next_gap_begin(&c->gap, m, d, i, &c->map);
    }
    motion_at(m, d, GA, VA, bodyA, c->contact->pos, d->qacc);
    motion_at(m, d, GB, VB, bodyB, c->contact->pos, d->qacc);
    for (int l = 0; l < c->law.dim; l++) { /* Y^l = G + B_l V */
        double YA[6];
        sal_sp_addscaled(YA, GA, c->law.b[l], VA);
        sal_sp_addscaled(c->YB[l], GB, c->law.b[l], VB);
        sal_sp_addscaled(c->Y[l], c->YB[l], -1, YA);
    }
    add_surfaces(m, d, c);
    return true;
}

/* e_l'x of a motion at P */
static double along_row(const pressed *c, int l, const double x[6])
{
    return sal_v3_dot(c->contact->frame + 3 * (l % 3), l < 3 ? x + 3 : x);
}

static void map_mul(double r[3], const double map[18], const double s[6])
{
    for (int i = 0; i < 3; i++) {
        r[i] = sal_sp_dot(map + 6 * i, s);
    }
}

/* djar of B moving along s = (w; u) at P, but for what gam and psi add:
 *     forces   r'(w x y_B + u x w_B + w_Y x dP - theta x y) + kap_l ddist        moments
 *     r'(w x w_B - theta x w_Y) */
static SAL_INLINE void slope_along(const pressed *c, const double s[6], double ddist,
                                   double djar[DIM])
{
    double dP[3], theta[3];
    map_mul(dP, c->map.pos, s);
    map_mul(theta, c->map.turn, s);
    for (int l = 0; l < c->law.dim; l++) {
        const double *YB = c->YB[l], *Y = c->Y[l];
        double x[3];
        if (l < 3) {
            sal_v3_cross(x, s, YB + 3);
            sal_v3_addcross(x, s + 3, YB);
            sal_v3_addcross(x, Y, dP);
            sal_v3_addcross(x, Y + 3, theta);
        } else {
            sal_v3_cross(x, s, YB);
            sal_v3_addcross(x, Y, theta);
        }
        djar[l] = sal_v3_dot(c->contact->frame + 3 * (l % 3), x);
    }
    for (int l = 0; l < c->law.dim && (l == 0 || c->law.kap[l] != 0); l++) {
        djar[l] += c->law.kap[l] * ddist;
    }
}

/* How a contact changes with a dof; next: its gap at the next instant */
typedef struct change {
    double jar[DIM], dist, next, turn[3], pos[3];
} change;
static const change none;

/* Of force j by log D */
static SAL_INLINE double by_log_D(const pressed *c, int j)
{
    return c->law.sticks ? c->law.by_log_D[j] : c->law.force[j];
}

/* df = - H djar + rho f ddist, with what laws of other levels have instead; the first n numbers */
static SAL_INLINE void force_change(const pressed *c, const change *by, int n, double df[DIM])
{
    for (int j = 0; j < n; j++) {
        df[j] = c->by_gap[j] * by->dist;
        if (c->foresees) {
            df[j] += c->law.by_next[j] * by->next;
        }
        for (int l = 0; l < c->law.dim; l++) {
            df[j] -= c->law.H[j * c->law.dim + l] * by->jar[l];
        }
    }
}

/* Numbers of the force that are read */
static SAL_INLINE int count_read(const pressed *c)
{
    return c->weight == NULL && c->n < c->law.dim ? c->n : c->law.dim;
}

/* Column k of D += df, or its sums in world axes */
static SAL_INLINE void put_change(const pressed *c, const change *by, const double df[DIM],
                                  double *D, int nv, int k)
{
    const int dim = c->law.dim;
    double dF[3], dT[3];
    if (c->weight == NULL) {
        for (int j = 0; j < count_read(c); j++) {
            D[j * nv + k] += df[j];
        }
        return;
    }
    sal_v3_cross(dF, by->turn, c->world);
    sal_v3_cross(dT, by->turn, c->torque);
    for (int j = 0; j < dim; j++) {
        double *sum = j < 3 ? dF : dT;
        sal_v3_addscaled(sum, sum, df[j], c->contact->frame + 3 * (j % 3));
    }
    for (int r = 0; r < c->n; r++) {
        const sal_contact_weight *w = c->weight + r;
        D[r * nv + k] += sal_v3_dot(w->force, dF) + sal_v3_dot(w->pos, by->pos) +
                         w->normal * df[0] + sal_v3_dot(w->torque, dT);
    }
}

static void add_column(const pressed *c, const change *by, double *D, int nv, int k)
{
    double df[DIM] = {0};
    force_change(c, by, count_read(c), df);
    put_change(c, by, df, D, nv, k);
}

/* A dof that moves A carries the contact along, but for the tangents' spin: djar_l = -r_l'(n x
 * Y^l)(c'w) */
static void carry(const pressed *c, const double s[6], change *q)
{
    const double *normal = c->contact->frame, turn = sal_v3_dot(c->map.spin, s);
    for (int l = 0; l < c->law.dim; l++) {
        double t[3];
        sal_v3_cross(t, normal, l < 3 ? c->Y[l] + 3 : c->Y[l]);
        q->jar[l] -= turn * sal_v3_dot(c->contact->frame + 3 * (l % 3), t);
    }
    sal_v3_add(q->turn, q->turn, s);
    sal_v3_addscaled(q->turn, q->turn, turn, normal);
    sal_v3_add(q->pos, q->pos, s + 3);
}

/* A dof of one side alone, s at P: by q with gam and psi, by v, by a */
static SAL_INLINE void move(const pressed *c, int side, const double s[6], const double gam[6],
                            const double psi[6], change by[3])
{
    const double ddist = sal_sp_dot(c->map.dist, s);
    double t[3];
    slope_along(c, s, ddist, by[0].jar);
    for (int l = 0; l < c->law.dim; l++) {
        by[0].jar[l] =
            side * (by[0].jar[l] + along_row(c, l, gam) + c->law.b[l] * along_row(c, l, psi));
        by[2].jar[l] = side * along_row(c, l, s);
        by[1].jar[l] = c->law.b[l] * by[2].jar[l];
    }
    by[0].dist = side * ddist;
    map_mul(t, c->map.turn, s);
    sal_v3_scale(by[0].turn, t, side);
    map_mul(t, c->map.pos, s);
    sal_v3_scale(by[0].pos, t, side);
}

static void foresee(const sal_model *m, const sal_data *d, const pressed *c, int dof, int side,
                    change by[3])
{
    const phy_sparse J = phy_sparse_row(d, c->contact->efc_address);
    double slope[3];
    int k = 0;
    while (J.dof[k] != dof) {
        k++;
    }
    phy_next_gap_slope(slope, m, d, &c->gap, k, side);
    for (int part = 0; part < 3; part++) {
        by[part].next = slope[part];
    }
}

/* The dofs of one body's chain one after the other, with G, the sum of its a columns; before: G-,
 * that before the dof's group; s: the dof's column at the contact */
typedef struct walk {
    const int *chain;
    int n, i, end;
    double arm[3], before[6], G[6];
    /* of the dof */
    int dof;
    double s[6];
} walk;

static SAL_INLINE void begin_walk(walk *w, const sal_model *m, const sal_data *d, const pressed *c,
                                  int side)
{
    const int body = m->geom_bodyid[side > 0 ? c->contact->geom2 : c->contact->geom1];
    *w = (walk){.chain = m->chain_dof + m->body_chainadr[body],
                .n = m->body_chainnum[body],
                .i = -1,
                .end = -1};
    arm_of(m, d, w->arm, c->contact->pos, body);
}

/* To the next dof of a motion a; false: there is none. */
static SAL_INLINE bool next_dof(walk *w, const sal_model *m, const sal_data *d, const double *a)
{
    if (++w->i >= w->n) {
        return false;
    }
    w->dof = w->chain[w->i];
    if (w->dof >= w->end) {
        w->end = phy_group_end(m, w->dof);
        memcpy(w->before, w->G, sizeof w->before);
    }
    sal_sp_addscaled(w->G, w->G, a[w->dof], d->cdof + 6 * w->dof);
    sal_sp_at_point(w->s, d->cdof + 6 * w->dof, w->arm);
    return true;
}

static SAL_INLINE void rate_of_dof(double gam[6], const walk *w, const sal_data *d)
{
    double t[6];
    sal_sp_cross_motion(t, w->before, d->cdof + 6 * w->dof);
    sal_sp_at_point(gam, t, w->arm);
}

/* The dofs of one side's chain from the common-th on, +1: of B; G- before their groups. */
static void add_side(const sal_model *m, const sal_data *d, const pressed *c, int side, int common,
                     double *const D[3])
{
    walk w;
    for (begin_walk(&w, m, d, c, side); next_dof(&w, m, d, d->qacc);) {
        const int k = w.dof;
        double gam[6], psi[6];
        change by[3] = {none, none, none};
        if (w.i >= common) {
            rate_of_dof(gam, &w, d);
            sal_sp_at_point(psi, d->cdof_dot + 6 * k, w.arm);
            move(c, side, w.s, gam, psi, by);
            if (c->foresees) {
                foresee(m, d, c, k, side, by);
            }
            add_column(c, by + 1, D[1], m->nv, k);
            add_column(c, by + 2, D[2], m->nv, k);
        }
        if (side < 0) {
            carry(c, w.s, by);
        }
        add_column(c, by, D[0], m->nv, k);
    }
}

/* integrator="discrete" makes a contact softer as log rho varies: df = - f dlog rho
 * (step_deriv.c). */
static void add_softening(const sal_model *m, sal_data *d, const pressed *c, double *const D[3])
{
    const size_t mark = d->arena.used;
    const double *by[2];
    if (phy_softening_of(m, d, c->contact->efc_address, by, by + 1)) {
        for (int k = 0; k < 2 * m->nv; k++) {
            const double soft = by[k % 2][k / 2];
            double df[DIM] = {0};
            for (int j = 0; j < DIM && soft != 0; j++) {
                df[j] = j < count_read(c) ? -by_log_D(c, j) * soft : 0;
            }
            if (soft != 0) {
                put_change(c, &none, df, D[k % 2], m->nv, k / 2);
            }
        }
    }
    d->arena.used = mark;
}

static bool add_contact(const sal_model *m, sal_data *d, int i, pressed *c, double *const D[3])
{
    if (m->opt.enable & SAL_ENBL_DIAGEXACT) {
        return false;
    }
    if (is_pressed(m, d, i, c)) {
        const int common = phy_common_dofs(m, m->geom_bodyid[c->contact->geom1],
                                           m->geom_bodyid[c->contact->geom2]);
        for (int j = 0; j < c->law.dim; j++) {
            c->by_gap[j] = c->law.gapped ? c->law.by_gap[j] : c->law.rho * by_log_D(c, j);
        }
        sal_m3_multv(c->world, c->contact->frame, c->law.force);
        sal_m3_multv(c->torque, c->contact->frame, c->law.force + 3);
        add_side(m, d, c, -1, common, D);
        add_side(m, d, c, 1, common, D);
        add_softening(m, d, c, D);
    }
    return true;
}

bool sal_contact_force_deriv(const sal_model *m, sal_data *d, int i, int n, double *Dq, double *Dv,
                             double *Da)
{
    double *const D[3] = {Dq, Dv, Da};
    pressed c;
    c.n = n, c.weight = NULL;
    return add_contact(m, d, i, &c, D);
}

bool sal_contact_sum_deriv(const sal_model *m, sal_data *d, int i, int n,
                           const sal_contact_weight *weight, double *Dq, double *Dv, double *Da)
{
    double *const D[3] = {Dq, Dv, Da};
    pressed c;
    c.n = n, c.weight = weight;
    return add_contact(m, d, i, &c, D);
}

/* ---- the first row of a contact along a motion x that stays as it is ---- */

/* What it takes of c: no damping, no stiffness, Y of x */
static void set_motion(const sal_model *m, const sal_data *d, pressed *c, int i, const double *x)
{
    c->contact = d->contact + i;
    c->law.dim = m->opt.cone == SAL_CONE_PYRAMIDAL && c->contact->dim > 1 ? 2 : 1;
    phy_contact_map_at(m, d, i, &c->map);
    double YA[6], V[6];
    motion_at(m, d, YA, V, m->geom_bodyid[c->contact->geom1], c->contact->pos, x);
    motion_at(m, d, c->YB[0], V, m->geom_bodyid[c->contact->geom2], c->contact->pos, x);
    sal_sp_addscaled(c->Y[0], c->YB[0], -1, YA);
    memcpy(c->YB[1], c->YB[0], sizeof c->YB[0]);
    memcpy(c->Y[1], c->Y[0], sizeof c->Y[0]);
}

/* Of the dofs of one side, as add_side */
static void row_of_side(const sal_model *m, const sal_data *d, const pressed *c, int side,
                        const double *x, double *g)
{
    const double *mu = m->pair_friction + 5 * c->contact->pair;
    const int common =
        phy_common_dofs(m, m->geom_bodyid[c->contact->geom1], m->geom_bodyid[c->contact->geom2]);
    walk w;
    for (begin_walk(&w, m, d, c, side); next_dof(&w, m, d, x);) {
        double gam[6];
        change by[3] = {none, none, none};
        if (w.i >= common) {
            rate_of_dof(gam, &w, d);
            move(c, side, w.s, gam, gam, by);
        }
        if (side < 0) {
            carry(c, w.s, by);
        }
        g[w.dof] += by->jar[0] + (c->law.dim > 1 ? mu[0] * by->jar[1] : 0);
    }
}

void phy_contact_row_deriv(const sal_model *m, const sal_data *d, int i, const double *x, double *g)
{
    pressed c = {0};
    set_motion(m, d, &c, i, x);
    row_of_side(m, d, &c, -1, x, g);
    row_of_side(m, d, &c, 1, x, g);
}
