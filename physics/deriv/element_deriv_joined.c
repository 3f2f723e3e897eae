/* element_deriv_joined.c: how the forces of connects and welds change, and their rows.
 *
 *     connect    jar = y_1 - y_2 + K d pos,       y_b = a_b + B v_b,
 *     a_b, v_b acceleration and velocity of point P_b of body b
 *     weld       and s (Q z - |z_v|^2 e_v / 4) + K d pos,
 *     z_v = R_2'(w_1 - w_2),  z = z_v' + B z_v
 *
 * with e = (e_0, e_v) the turn between the bodies, Q = (e_0 1 - [e_v])/2, so that e_v' = Q z_v, and
 * s the torquescale;
 *
 *     f = -D jar,    forces f, -f at the points and torques T, -T,    T = s R_2 Q'f_turn
 *
 * D grows with the impedance d, which depends on n = |pos|:   df = -D djar + f d'/(d (1 - d)) dn.
 * With integrator="discrete" (gap_slope.c has s, b and rho) all of y but J qacc, and K d pos, stand
 * over s, with B + h K d for B:
 *
 *     djar = dy + K d dpos/s + (pos + h J v + h^2 aref) K d' dn/s,      df = -D djar + f rho dn
 *
 * 2.2.2 has neither dJ/dt v in it (a_b is
 * the linear part of J qacc, no |z_v|^2, z_v' without w_1 x w_2), nor s in the last K d pos.
 */
#include "physics/constraint.h"
#include "physics/contact_law.h"
#include "physics/deriv/deriv_pieces.h"
#include "physics/deriv/element_deriv.h"
#include "physics/deriv/scratch.h"
#include "physics/deriv/step_deriv.h"
#include "physics/stages.h"

#include <string.h>

typedef struct bond {
    phy_joined e;
    int row;
    bool drifts; /* dJ/dt v is in it, */
    double part; /* 1/s of it */
    const double *kbip;
    double pos[6], n, B;
    bool gapped; /* a law of the level of velocities: df = -H djar - c dpos */
    double H[6], c[6];
    phy_mover on[2];
    phy_pull pull[2];
    double R[9], turn[4], Q[9]; /* R_2, e */
    double spin[3], z[3];       /* w_1 - w_2 and what Q multiplies, in the world; */
    double z_local[3];          /* the latter in the axes of R_2 */
} bond;

/* How one quantity of a bond changes with a dof. */
typedef struct change {
    double y[6]; /* of y_1 - y_2, and of its like of the turn */
    double pos[6], n;
    double point[2][3]; /* of P_1, P_2 */
    double turn[4];     /* of e */
    double carried[3];  /* by which R_2 turns */
} change;

/* Q = (e_0 1 - [e_v])/2 */
static void rate_matrix(double Q[9], const double e[4])
{
    const double q[9] = {e[0], e[3], -e[2], -e[3], e[0], e[1], e[2], -e[1], e[0]};
    for (int i = 0; i < 9; i++) {
        Q[i] = 0.5 * q[i];
    }
}

/* ---- the state ---- */

static void set_turn(bond *b)
{
    double q2[4];
    const double *w1 = b->on[0].V, *w2 = b->on[1].V;
    sal_quat_conj(q2, b->e.left);
    sal_quat_matrix(b->R, q2);
    sal_quat_mul(b->turn, b->e.left, b->e.right);
    rate_matrix(b->Q, b->turn);
    sal_v3_sub(b->spin, w1, w2);
    sal_v3_sub(b->z, b->on[0].A, b->on[1].A);
    sal_v3_addscaled(b->z, b->z, b->B, b->spin);
    if (b->drifts) {
        sal_v3_addcross(b->z, w1, w2);
    }
    sal_m3_multv(b->z_local, b->R, b->z);
}

/* r = s R_2 M'f */
static void torque(const bond *b, double r[3], const double M[9], const double f[3])
{
    double local[3];
    sal_m3_multv(local, M, f);
    sal_m3_mulv(r, b->R, local);
    sal_v3_scale(r, r, b->e.scale);
}

static void set_law(const sal_model *m, const sal_data *d, bond *b)
{
    const phy_law_rows rows = phy_law_rows_of(m, d);
    for (int r = 0; r < b->e.rows; r++) {
        b->H[r] = d->efc_D[b->row + r];
        if (b->gapped) {
            const phy_row_slope k = phy_row_slope_of(m, d, &rows, b->row + r);
            b->H[r] = k.H;
            b->c[r] = k.c;
        }
    }
}

static void set_bond(const sal_model *m, const sal_data *d, bond *b, int row)
{
    double square = 0;
    phy_join(m, d, d->efc_id[row], &b->e);
    b->row = row;
    b->gapped = phy_law_of(m)->by_gap != NULL;
    b->drifts = m->mujoco != SAL_MUJOCO_222 && !b->gapped;
    b->part = 1 / phy_row_slowing(m, d, row);
    b->kbip = d->efc_KBIP + 4 * row;
    b->B = b->gapped ? 1 / m->opt.timestep : phy_gap_slope_of(m, d, row).b;
    set_law(m, d, b);
    for (int r = 0; r < b->e.rows; r++) {
        const double p =
            d->efc_pos[row + r] * (r >= 3 && m->mujoco == SAL_MUJOCO_222 ? b->e.scale : 1);
        b->pos[r] = d->efc_pos[row + r];
        square += p * p;
    }
    b->n = sqrt(square);
    for (int k = 0; k < 2; k++) {
        b->on[k] = (phy_mover){.body = b->e.body[k], .with_qacc = true, .with_drift = b->drifts};
        phy_mover_set(m, d, b->on + k, b->e.point[k]);
        b->pull[k] = (phy_pull){.body = b->e.body[k]};
        sal_v3_copy(b->pull[k].at, b->e.point[k]);
        sal_v3_scale(b->pull[k].f, d->efc_force + row, k == 0 ? 1 : -1);
    }
    if (b->e.rows == 6) {
        set_turn(b);
        torque(b, b->pull[0].t, b->Q, d->efc_force + row + 3);
        sal_v3_scale(b->pull[1].t, b->pull[0].t, -1);
    }
}

/* The same without dJ/dt v */
static void without_drift(const sal_model *m, const sal_data *d, bond *b)
{
    b->drifts = false;
    for (int k = 0; k < 2; k++) {
        b->on[k].with_drift = false;
        phy_mover_set(m, d, b->on + k, b->e.point[k]);
    }
    if (b->e.rows == 6) {
        set_turn(b);
    }
}

/* ---- its changes ---- */

/* Of s (Q z - |z_v|^2 e_v/4), e and R_2 where they are, as the motions of both bodies change. */
static void spin_change(const bond *b, change *c, const phy_motion_change of[2])
{
    double dz[3], dspin[3], local[3];
    sal_v3_sub(dspin, of[0].w, of[1].w);
    sal_v3_sub(dz, of[0].wdot, of[1].wdot);
    sal_v3_addscaled(dz, dz, b->B, dspin);
    if (b->drifts) {
        sal_v3_addcross(dz, of[0].w, b->on[1].V);
        sal_v3_addcross(dz, b->on[0].V, of[1].w);
    }
    sal_m3_multv(local, b->R, dz);
    sal_m3_mulv(c->y + 3, b->Q, local);
    if (b->drifts) {
        const double along = 2 * sal_v3_dot(b->spin, dspin);
        sal_v3_addscaled(c->y + 3, c->y + 3, -0.25 * along, b->turn + 1);
    }
    sal_v3_scale(c->y + 3, c->y + 3, b->e.scale);
}

/* Of e, de = (0, R_2'by) e / 2, and of the same expression as e and R_2 change (turned: |z_v|
 * stays). */
static void turn_change(const bond *b, change *c, const double by[3])
{
    double local[3], x[3], dQ[9], back[3] = {0};
    sal_m3_multv(local, b->R, by);
    c->turn[0] = -0.5 * sal_v3_dot(local, b->turn + 1);
    sal_m3_mulv(c->turn + 1, b->Q, local);
    rate_matrix(dQ, c->turn);
    sal_m3_mulv(x, dQ, b->z_local);
    sal_v3_addscaled(c->y + 3, c->y + 3, b->e.scale, x);
    sal_v3_addcross(back, b->z, c->carried); /* - carried x z */
    sal_m3_multv(local, b->R, back);
    sal_m3_mulv(x, b->Q, local);
    sal_v3_addscaled(c->y + 3, c->y + 3, b->e.scale, x);
    if (b->drifts) {
        const double square = sal_v3_dot(b->spin, b->spin);
        sal_v3_addscaled(c->y + 3, c->y + 3, -0.25 * b->e.scale * square, c->turn + 1);
    }
}

/* dn = pos.dpos / n, the turn counted with the torquescale */
static void pos_change(const sal_model *m, const bond *b, change *c)
{
    const double s = b->e.scale, unit = m->mujoco == SAL_MUJOCO_222 ? 1 : s;
    double sum = sal_v3_dot(b->pos, c->pos);
    if (b->e.rows == 6) {
        sal_v3_scale(c->pos + 3, c->turn + 1, unit);
        sum += s * s * sal_v3_dot(b->turn + 1, c->turn + 1);
    }
    c->n = b->n > 0 ? sum / b->n : 0;
}

/* As the motions of both bodies change so */
static change change_by(const sal_model *m, const sal_data *d, const bond *b, int k, int kind,
                        const phy_motion_change of[2])
{
    change c = {0};
    double by[3] = {0};
    for (int i = 0; i < 2; i++) {
        const double sign = i == 0 ? 1 : -1;
        if (!phy_dof_moves(m, k, b->e.body[i])) {
            continue;
        }
        sal_v3_addscaled(c.y, c.y, sign, of[i].a);
        sal_v3_addscaled(c.y, c.y, sign * b->B, of[i].v);
        if (kind == PHY_BY_Q) {
            phy_point_column(m, d, c.point[i], k, b->e.point[i]);
            sal_v3_addscaled(c.pos, c.pos, sign, c.point[i]);
            sal_v3_addscaled(by, by, sign, d->cdof + 6 * k);
            sal_v3_scale(c.carried, d->cdof + 6 * k, i);
        }
    }
    if (b->e.rows == 6) {
        spin_change(b, &c, of);
    }
    if (b->e.rows == 6 && kind == PHY_BY_Q) {
        turn_change(b, &c, by);
    }
    if (kind == PHY_BY_Q) {
        pos_change(m, b, &c);
    }
    return c;
}

static change all_change(const sal_model *m, const sal_data *d, const phy_deriv *w, const bond *b,
                         int k, int kind)
{
    phy_motion_change of[2] = {{{0}, {0}, {0}, {0}}, {{0}, {0}, {0}, {0}}};
    for (int i = 0; i < 2; i++) {
        if (phy_dof_moves(m, k, b->e.body[i])) {
            of[i] = phy_mover_change(m, w, b->on + i, k, kind);
        }
    }
    return change_by(m, d, b, k, kind, of);
}

/* Of dJ/dt v the part that counts */
static change change_of(const sal_model *m, const sal_data *d, const phy_deriv *w, const bond *b,
                        int k, int kind)
{
    change c = all_change(m, d, w, b, k, kind);
    if (b->drifts && b->part != 1) {
        bond still = *b;
        without_drift(m, d, &still);
        const change rest = all_change(m, d, w, &still, k, kind);
        for (int r = 0; r < 6; r++) {
            c.y[r] = rest.y[r] + b->part * (c.y[r] - rest.y[r]);
        }
    }
    return c;
}

static void force_change(const sal_model *m, const sal_data *d, const bond *b, const change *c,
                         double df[6])
{
    const double K = b->kbip[0], imp = b->kbip[2], slope = b->kbip[3], part = b->part;
    const double h = phy_has_step_metric(m) ? m->opt.timestep : 0;
    for (int r = 0; r < b->e.rows; r++) {
        const int row = b->row + r;
        const double ahead = b->pos[r] + h * (d->efc_vel[row] + h * d->efc_aref[row]);
        const double djar = c->y[r] + part * K * (imp * c->pos[r] + ahead * slope * c->n);
        const double rho = d->efc_R[row] > SAL_MINVAL ? phy_gap_slope_of(m, d, row).rho : 0;
        if (b->gapped) {
            df[r] = -b->H[r] * c->y[r] - b->c[r] * c->pos[r];
            continue;
        }
        df[r] = -d->efc_D[row] * djar + d->efc_force[row] * rho * c->n;
    }
}

/* dT = carried x T + s R_2 dQ'f, of a torque that is zero so far */
static void torque_turned(const sal_data *d, const bond *b, const change *c, double dT[3])
{
    double dQ[9];
    if (b->e.rows == 6) {
        rate_matrix(dQ, c->turn);
        torque(b, dT, dQ, d->efc_force + b->row + 3);
        sal_v3_addcross(dT, c->carried, b->pull[0].t);
    }
}

/* Dq[.][k] -= dJ'f:  the points move, and the torque turns */
static void add_turned(const sal_model *m, const sal_data *d, const bond *b, const change *c, int k,
                       double *Dq)
{
    double dT[3] = {0};
    torque_turned(d, b, c, dT);
    for (int p = 0; p < 2; p++) {
        const int body = b->e.body[p], *chain = m->chain_dof + m->body_chainadr[body];
        phy_pull moved = {.body = body};
        sal_v3_copy(moved.at, c->point[p]);
        sal_v3_scale(moved.t, dT, p == 0 ? 1 : -1);
        const phy_felt felt = phy_pull_felt(m, d, b->pull + p, &moved, k);
        for (int a = 0; a < m->body_chainnum[body]; a++) {
            Dq[(size_t)chain[a] * (size_t)m->nv + (size_t)k] -= phy_felt_by(&felt, d, chain[a]);
        }
    }
}

/* y += a x [n] */
static void add_scaled(double *y, double a, const double *x, int n)
{
    for (int k = 0; k < n; k++) {
        y[k] += a * x[k];
    }
}

/* D -= J'F over all rows, F [rows x n] the changes of the forces; by acceleration they are -D J.
 * row [3 n]: scratch */
static void add_forces(const sal_model *m, const sal_data *d, const phy_deriv *w, const bond *b,
                       const double *F[2], double *row, int n)
{
    const int *dof = d->efc_J_colind + d->efc_J_rowadr[b->row];
    double *q = row, *v = q + n, *a = v + n;
    for (int i = 0; i < n; i++) {
        const size_t at = (size_t)dof[i] * (size_t)m->nv;
        memset(row, 0, 3 * (size_t)n * sizeof *row);
        for (int r = 0; r < b->e.rows; r++) {
            const double *J = d->efc_J + d->efc_J_rowadr[b->row + r];
            add_scaled(q, J[i], F[PHY_BY_Q] + r * n, n);
            add_scaled(v, J[i], F[PHY_BY_V] + r * n, n);
            add_scaled(a, J[i] * b->H[r], J, n);
        }
        for (int k = 0; k < n; k++) {
            w->Dq[at + (size_t)dof[k]] -= q[k];
            w->Dv[at + (size_t)dof[k]] -= v[k];
            w->Da[at + (size_t)dof[k]] += a[k];
        }
    }
}

/* How the forces of at most six rows change with n dofs, by q and by v, and rows of the matrices */
typedef struct changes {
    double *by[2]; /* [6 x n] */
    double *row;   /* [3 n] */
} changes;

static bool take(sal_arena *arena, int n, changes *x)
{
    x->by[PHY_BY_Q] = sal_arena_take(arena, 6 * (size_t)n, sizeof(double));
    x->by[PHY_BY_V] = sal_arena_take(arena, 6 * (size_t)n, sizeof(double));
    x->row = sal_arena_take(arena, 3 * (size_t)n, sizeof *x->row);
    return x->row != NULL;
}

void phy_joined_deriv_scratch(const sal_model *m, sal_arena *arena)
{
    const size_t mark = arena->used;
    changes x;
    take(arena, m->nv, &x);
    arena->used = mark;
}

static void add_bond(const sal_model *m, sal_data *d, const phy_deriv *w, const bond *b)
{
    const size_t mark = d->arena.used;
    const int n = d->efc_J_rownnz[b->row], *dof = d->efc_J_colind + d->efc_J_rowadr[b->row];
    changes x;
    if (!take(&d->arena, n, &x)) {
        return;
    }
    for (int k = 0; k < n; k++) {
        for (int kind = PHY_BY_Q; kind <= PHY_BY_V; kind++) {
            double df[6];
            const change c = change_of(m, d, w, b, dof[k], kind);
            force_change(m, d, b, &c, df);
            for (int r = 0; r < b->e.rows; r++) {
                x.by[kind][r * n + k] = df[r];
            }
            if (kind == PHY_BY_Q) {
                add_turned(m, d, b, &c, dof[k], w->Dq);
            }
        }
    }
    add_forces(m, d, w, b, (const double *[2]){x.by[0], x.by[1]}, x.row, n);
    d->arena.used = mark;
}

void phy_joined_deriv(const sal_model *m, sal_data *d, const phy_deriv *w)
{
    bond b;
    int rows;
    for (int row = 0; row < d->nefc && d->efc_type[row] == SAL_EFC_EQUALITY; row += rows) {
        const int type = m->eq_type[d->efc_id[row]];
        rows = type == SAL_EQ_WELD ? 6 : type == SAL_EQ_CONNECT ? 3 : 1;
        if (rows > 1) {
            set_bond(m, d, &b, row);
            add_bond(m, d, w, &b);
        }
    }
}

/* ---- what bodies feel of them ---- */

/* Forces of the rows as a pull on one of the bodies. Before 3.14 those of a weld's rotation are
 * felt as a torque in world axes (body_force.c). */
static phy_pull pull_of(const sal_model *m, const bond *b, const double f[6], int p)
{
    const double sign = p == 0 ? 1 : -1;
    phy_pull r = {.body = b->e.body[p]};
    if (b->e.rows == 6 && m->mujoco == SAL_MUJOCO_314) {
        torque(b, r.t, b->Q, f + 3);
    } else if (b->e.rows == 6) {
        sal_v3_copy(r.t, f + 3);
    }
    sal_v3_scale(r.f, f, sign);
    sal_v3_scale(r.t, r.t, sign);
    return r;
}

/* Both pulls change by df of the rows, and as the torque turns. */
static void pull_changes(const sal_model *m, const sal_data *d, const bond *b, const change *c,
                         phy_pull r[2])
{
    double df[6] = {0}, dT[3] = {0};
    force_change(m, d, b, c, df);
    if (m->mujoco == SAL_MUJOCO_314) {
        torque_turned(d, b, c, dT);
    }
    for (int p = 0; p < 2; p++) {
        r[p] = pull_of(m, b, df, p);
        sal_v3_copy(r[p].at, c->point[p]);
        sal_v3_addscaled(r[p].t, r[p].t, p == 0 ? 1 : -1, dT);
    }
}

/* The same of df = -f dlog rho of each row (step_deriv.c) */
static void softening_seen(const sal_model *m, sal_data *d, const bond *b, const phy_observer *o,
                           double scale, double *const D[3])
{
    const size_t mark = d->arena.used;
    const double *by[2];
    for (int r = 0; r < b->e.rows; r++, d->arena.used = mark) {
        if (!phy_softening_of(m, d, b->row + r, by, by + 1)) {
            return;
        }
        for (int k = 0; k < 2 * m->nv; k++) {
            double df[6] = {0};
            df[r] = -d->efc_force[b->row + r] * by[k % 2][k / 2];
            for (int p = 0; p < 2 && df[r] != 0; p++) {
                const phy_pull moved = pull_of(m, b, df, p);
                phy_observe(m, d, o, scale, b->pull + p, &moved, D[k % 2], k / 2);
            }
        }
    }
}

void phy_joined_seen(const sal_model *m, sal_data *d, const phy_deriv *w, const phy_observer *o,
                     int row, double scale, double *const D[3])
{
    bond b;
    set_bond(m, d, &b, row);
    const int n = d->efc_J_rownnz[row], *dof = d->efc_J_colind + d->efc_J_rowadr[row];
    for (int k = 0; k < n; k++) {
        for (int kind = PHY_BY_Q; kind <= PHY_BY_A; kind++) {
            const change c = change_of(m, d, w, &b, dof[k], kind);
            phy_pull moved[2];
            pull_changes(m, d, &b, &c, moved);
            for (int p = 0; p < 2; p++) {
                phy_observe(m, d, o, scale, b.pull + p, moved + p, D[kind], dof[k]);
            }
        }
    }
    softening_seen(m, d, &b, o, scale, D);
}

/* ---- a row along a motion x that stays as it is ---- */

/* The motion x of a body, or of that what its dofs make that come before the group of k */
static void motion_of(const sal_model *m, const sal_data *d, int body, const double *x, int k,
                      double X[6])
{
    const int *chain = m->chain_dof + m->body_chainadr[body];
    memset(X, 0, 6 * sizeof *X);
    for (int a = 0; a < m->body_chainnum[body]; a++) {
        if (k < 0 || phy_group_end(m, chain[a]) <= k) {
            sal_sp_addscaled(X, X, x[chain[a]], d->cdof + 6 * chain[a]);
        }
    }
}

/* By q_k, as an acceleration without drift (element_deriv_point.c):
 *     gam = X_k- x s_k,     da = (gam)_P + w_k x a,     dw = gam_w + w_k x w */
static phy_motion_change motion_change(const sal_model *m, const sal_data *d, const phy_mover *p,
                                       const double *x, int k)
{
    const double *s = d->cdof + 6 * k;
    phy_motion_change r = {{0}, {0}, {0}, {0}};
    double before[6], gam[6];
    motion_of(m, d, p->body, x, k, before);
    sal_sp_cross_motion(gam, before, s);
    sal_sp_point_velocity(r.a, gam, p->arm);
    sal_v3_addcross(r.a, s, p->a);
    sal_v3_copy(r.wdot, gam);
    sal_v3_addcross(r.wdot, s, p->A);
    return r;
}

void phy_joined_row_deriv(const sal_model *m, const sal_data *d, int row, const double *x,
                          double *g)
{
    static const bond none = {.row = 0};
    bond b = none;
    int first = row;
    while (first > 0 && d->efc_type[first - 1] == SAL_EFC_EQUALITY &&
           d->efc_id[first - 1] == d->efc_id[row]) {
        first--;
    }
    phy_join(m, d, d->efc_id[row], &b.e);
    for (int i = 0; i < 2; i++) {
        phy_mover *p = b.on + i;
        p->body = b.e.body[i];
        sal_v3_sub(p->arm, b.e.point[i], phy_centre(m, d, p->body));
        motion_of(m, d, p->body, x, -1, p->A);
        sal_sp_point_velocity(p->a, p->A, p->arm);
    }
    if (b.e.rows == 6) {
        set_turn(&b);
    }
    for (int k = 0; k < d->efc_J_rownnz[row]; k++) {
        const int dof = d->efc_J_colind[d->efc_J_rowadr[row] + k];
        phy_motion_change of[2] = {{{0}, {0}, {0}, {0}}, {{0}, {0}, {0}, {0}}};
        for (int i = 0; i < 2; i++) {
            if (phy_dof_moves(m, dof, b.e.body[i])) {
                of[i] = motion_change(m, d, b.on + i, x, dof);
            }
        }
        const change c = change_by(m, d, &b, dof, PHY_BY_Q, of);
        g[dof] += c.y[row - first];
    }
}
