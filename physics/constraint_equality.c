/* constraint_equality.c: the rows of equality constraints.  P_k = x_k + R_k p_k a point of body k,
 *                                                           J v the rate of pos:
 *
 *     connect   pos = P_1 - P_2                       J = Jp_1 - Jp_2
 *     weld      pos = P_1 - P_2,  s vec(e)
 *     J = Jp_1 - Jp_2,  s/2 vec(q_2* (0, Jr_1 - Jr_2) q_1 q_rel)
 *               e = q_2* q_1 q_rel,   s the torquescale; of sites s_1, s_2: e = (q_2 s_2)* q_1 s_1
 *     joint     pos = y - y_0 - poly(x - x_0)         J = 1 at y, -poly'(x - x_0) at x
 *     tendon    the same with lengths                 J = J_y - poly' J_x
 *
 * (MuJoCo documentation, "Computation", "Equality"; "XML reference", equality.) 2.2.2 leaves s out
 * of the second pos of a weld, counts its rotations with the weights of translations, and has no
 * dJ/dt v in aref.
 */
#include "physics/constraint_row.h"
#include "physics/scratch.h"
#include "physics/stages.h"

#include <string.h>

void phy_join(const sal_model *m, const sal_data *d, int i, phy_joined *e)
{
    const double *data = m->eq_data + 11 * i;
    const bool weld = m->eq_type[i] == SAL_EQ_WELD;
    const int b1 = m->eq_obj1id[i], b2 = m->eq_obj2id[i];
    const double *anchor[2] = {weld ? data + 3 : data, weld ? data : data + 3};
    e->body[0] = b1;
    e->body[1] = b2;
    for (int k = 0; k < 2; k++) {
        sal_m3_mulv(e->point[k], d->xmat + 9 * e->body[k], anchor[k]);
        sal_v3_add(e->point[k], e->point[k], d->xpos + 3 * e->body[k]);
    }
    e->rows = weld ? 6 : 3;
    e->scale = data[10];
    if (weld && m->eq_site[2 * i] < 0) {
        sal_quat_conj(e->left, d->xquat + 4 * b2);
        sal_quat_mul(e->right, d->xquat + 4 * b1, data + 6);
    } else if (weld) {
        double turned[4];
        sal_quat_mul(turned, d->xquat + 4 * b2, m->site_quat + 4 * m->eq_site[2 * i + 1]);
        sal_quat_conj(e->left, turned);
        sal_quat_mul(e->right, d->xquat + 4 * b1, m->site_quat + 4 * m->eq_site[2 * i]);
    }
}

/* vec(a (0, w) b) */
static void turn_of(double r[3], const double a[4], const double w[3], const double b[4])
{
    const double pure[4] = {0, w[0], w[1], w[2]};
    double aw[4], awb[4];
    sal_quat_mul(aw, a, pure);
    sal_quat_mul(awb, aw, b);
    sal_v3_copy(r, awb + 1);
}

/* J' f of the rows of a rotation:  torque_k = s/2 vec(q_2* (0, axis k) q_1 q_rel) . f */
void phy_joined_torque(const phy_joined *e, double torque[3], const double f[3])
{
    for (int k = 0; k < 3; k++) {
        double axis[3] = {0}, w[3];
        axis[k] = 1;
        turn_of(w, e->left, axis, e->right);
        torque[k] = 0.5 * e->scale * sal_v3_dot(w, f);
    }
}

static void violation(const sal_model *m, const phy_joined *e, double pos[6])
{
    double q[4];
    sal_v3_sub(pos, e->point[0], e->point[1]);
    if (e->rows == 6) {
        sal_quat_mul(q, e->left, e->right);
        sal_v3_scale(pos + 3, q + 1, m->mujoco == SAL_MUJOCO_222 ? 1 : e->scale);
    }
}

/* column += sign (u_k + w_k x (P - c); w_k) */
static void add_motion(const sal_model *m, const sal_data *d, const phy_joined *e, int k, int dof,
                       double column[6])
{
    const double *s = d->cdof + 6 * dof, sign = k == 0 ? 1 : -1;
    double arm[3], u[3];
    sal_v3_sub(arm, e->point[k], d->subtree_com + 3 * m->body_rootid[e->body[k]]);
    sal_v3_cross(u, s, arm);
    sal_v3_add(u, u, s + 3);
    sal_v3_addscaled(column, column, sign, u);
    sal_v3_addscaled(column + 3, column + 3, sign, s);
}

/* The dofs of either chain, ascending; which[k]: 1 the first body's, 2 the second's, 3 both. */
static int merge_chains(const sal_model *m, const phy_joined *e, int *dof, int *which)
{
    const int *c[2], n[2] = {m->body_chainnum[e->body[0]], m->body_chainnum[e->body[1]]};
    int at[2] = {0, 0}, count = 0;
    for (int k = 0; k < 2; k++) {
        c[k] = m->chain_dof + m->body_chainadr[e->body[k]];
    }
    while (at[0] < n[0] || at[1] < n[1]) {
        const bool first = at[1] >= n[1] || (at[0] < n[0] && c[0][at[0]] <= c[1][at[1]]);
        const bool second = at[0] >= n[0] || (at[1] < n[1] && c[1][at[1]] <= c[0][at[0]]);
        dof[count] = first ? c[0][at[0]] : c[1][at[1]];
        which[count++] = (first ? 1 : 0) + (second ? 2 : 0);
        at[0] += first;
        at[1] += second;
    }
    return count;
}

/* Law of row `row`, violation p, J M^-1 J' about `weight` */
static void finish(const sal_model *m, sal_data *d, int row, double p, double weight)
{
    const int i = d->efc_id[row];
    const double *solref = m->eq_solref + 2 * i, *solimp = m->eq_solimp + 5 * i;
    const phy_impedance impedance = phy_impedance_at(solimp, p);
    phy_row_finish(d, row, phy_row_regulariser(weight, impedance.d), impedance,
                   phy_stiffness_of(m, solref, solimp));
}

/* Takes the last n rows back if there is no dof in them. */
static bool are_empty(sal_data *d, int n)
{
    const int first = d->nefc - n, adr = d->efc_J_rowadr[first];
    for (int k = adr; k < d->nJ; k++) {
        if (d->efc_J[k] != 0) {
            return false;
        }
    }
    d->nefc = first;
    d->nJ = adr;
    return true;
}

/* Fills the columns of J of all rows of e, the first of which is `first`. */
static void fill_jacobian(const sal_model *m, sal_data *d, const phy_joined *e, int first,
                          const int *which)
{
    const int n = d->efc_J_rownnz[first];
    const int *dof = d->efc_J_colind + d->efc_J_rowadr[first];
    for (int k = 0; k < n; k++) {
        double column[6] = {0}, w[3];
        for (int b = 0; b < 2; b++) {
            if (which[k] & (1 << b)) {
                add_motion(m, d, e, b, dof[k], column);
            }
        }
        if (which[k] == 3) {
            sal_v3_set(column + 3, 0, 0, 0); /* both turn alike */
        }
        if (e->rows == 6) {
            turn_of(w, e->left, column + 3, e->right);
            sal_v3_scale(column + 3, w, 0.5 * e->scale);
        }
        for (int r = 0; r < e->rows; r++) {
            d->efc_J[d->efc_J_rowadr[first + r] + k] = column[r];
        }
    }
}

/* The dofs of two chains [nv], and of which [nv] */
typedef struct both_chains {
    int *dof, *which;
} both_chains;

static bool take(const sal_model *m, sal_arena *arena, both_chains *both)
{
    both->dof = sal_arena_take(arena, (size_t)m->nv, sizeof *both->dof);
    both->which = sal_arena_take(arena, (size_t)m->nv, sizeof *both->which);
    return both->which != NULL;
}

void phy_equality_scratch(const sal_model *m, sal_arena *arena)
{
    const size_t mark = arena->used;
    both_chains both;
    take(m, arena, &both);
    arena->used = mark;
}

static bool body_rows(const sal_model *m, sal_data *d, int i)
{
    const size_t mark = d->arena.used;
    both_chains both;
    phy_joined e;
    double pos[6], square = 0;
    if (!take(m, &d->arena, &both)) {
        return false;
    }
    phy_join(m, d, i, &e);
    violation(m, &e, pos);
    const int n = merge_chains(m, &e, both.dof, both.which), first = d->nefc;
    bool room = true;
    for (int r = 0; r < e.rows && room; r++) {
        const int row = phy_row_add(m, d, SAL_EFC_EQUALITY, i, n);
        room = row >= 0;
        if (room) {
            memcpy(d->efc_J_colind + d->efc_J_rowadr[row], both.dof, (size_t)n * sizeof *both.dof);
        }
    }
    if (room) {
        fill_jacobian(m, d, &e, first, both.which);
    }
    d->arena.used = mark;
    if (!room || are_empty(d, e.rows)) {
        return room;
    }
    for (int r = 0; r < e.rows; r++) { /* the rotational part counts with the torquescale */
        const double p = r < 3 || m->mujoco != SAL_MUJOCO_222 ? pos[r] : e.scale * pos[r];
        square += p * p;
    }
    const double *w1 = m->body_invweight0 + 2 * e.body[0], *w2 = m->body_invweight0 + 2 * e.body[1];
    for (int r = 0; r < e.rows; r++) {
        const int turn = r >= 3 && m->mujoco != SAL_MUJOCO_222;
        d->efc_pos[first + r] = pos[r];
        finish(m, d, first + r, sqrt(square), w1[turn] + w2[turn]);
    }
    return true;
}

/* ---- joints and tendons ---- */

/* A scalar of the configuration and its gradient. */
typedef struct scalar {
    double value, weight; /* from its initial value; J M^-1 J' at qpos0 */
    const int *dof;
    const double *J;
    int n;
} scalar;

static scalar scalar_of(const sal_model *m, const sal_data *d, int type, int id)
{
    static const double one = 1;
    if (type == SAL_EQ_JOINT) {
        const int q = m->jnt_qposadr[id], dof = m->jnt_dofadr[id];
        const int *chain = m->chain_dof + m->body_chainadr[m->jnt_bodyid[id]];
        while (*chain != dof) { /* a place where this number stands */
            chain++;
        }
        return (scalar){d->qpos[q] - m->qpos0[q], m->dof_invweight0[dof], chain, &one, 1};
    }
    const int adr = m->tendon_Jadr[id];
    return (scalar){d->ten_length[id] - m->tendon_length0[id], m->tendon_invweight0[id],
                    m->ten_dof + adr, d->ten_J + adr, m->tendon_Jnum[id]};
}

/* Row J = J_y - slope J_x, columns ascending; returns their number. */
static int combine(sal_data *d, int row, const scalar *y, const scalar *x, double slope)
{
    int *column = d->efc_J_colind + d->efc_J_rowadr[row], n = 0;
    double *J = d->efc_J + d->efc_J_rowadr[row];
    for (int a = 0, b = 0; a < y->n || b < x->n; n++) {
        const bool first = b >= x->n || (a < y->n && y->dof[a] <= x->dof[b]);
        const bool second = a >= y->n || (b < x->n && x->dof[b] <= y->dof[a]);
        column[n] = first ? y->dof[a] : x->dof[b];
        J[n] = (first ? y->J[a] : 0) - (second ? slope * x->J[b] : 0);
        a += first;
        b += second;
    }
    return n;
}

static bool scalar_row(const sal_model *m, sal_data *d, int i)
{
    const double *c = m->eq_data + 11 * i;
    const int type = m->eq_type[i], other = m->eq_obj2id[i];
    const scalar y = scalar_of(m, d, type, m->eq_obj1id[i]);
    scalar x = {0};
    if (other >= 0) {
        x = scalar_of(m, d, type, other);
    }
    const int row = phy_row_add(m, d, SAL_EFC_EQUALITY, i, y.n + x.n);
    if (row < 0) {
        return false;
    }
    const double u = x.value, poly = c[0] + u * (c[1] + u * (c[2] + u * (c[3] + u * c[4])));
    const double slope = phy_equality_slope(c, u);
    const int n = combine(d, row, &y, &x, slope);
    d->efc_J_rownnz[row] = n;
    d->nJ = d->efc_J_rowadr[row] + n;
    if (are_empty(d, 1)) {
        return true;
    }
    d->efc_pos[row] = y.value - (other >= 0 ? poly : c[0]);
    finish(m, d, row, d->efc_pos[row], y.weight + x.weight);
    return true;
}

bool phy_equality_rows(const sal_model *m, sal_data *d, int i)
{
    const bool bodies = m->eq_type[i] == SAL_EQ_CONNECT || m->eq_type[i] == SAL_EQ_WELD;
    return bodies ? body_rows(m, d, i) : scalar_row(m, d, i);
}

/* ---- dJ/dt v ---- */

/* With w = w_1 - w_2 and q' = (0, w) q / 2:
 *     (q_2* (0,w) q_1 q_rel)' = q_2* [ (0, wdot) + ((0,w)(0,w_1) - (0,w_2)(0,w)) / 2 ] q_1 q_rel */
static void turn_drift(double r[3], const phy_joined *e, const double w1[3], const double w2[3],
                       const double wdot[3])
{
    double w[3], inner[4], a[4], b[4], x[4];
    sal_v3_sub(w, w1, w2);
    const double q[4] = {0, w[0], w[1], w[2]}, q1[4] = {0, w1[0], w1[1], w1[2]};
    const double q2[4] = {0, w2[0], w2[1], w2[2]};
    sal_quat_mul(a, q, q1);
    sal_quat_mul(b, q2, q);
    inner[0] = 0.5 * (a[0] - b[0]);
    for (int k = 0; k < 3; k++) {
        inner[k + 1] = wdot[k] + 0.5 * (a[k + 1] - b[k + 1]);
    }
    sal_quat_mul(x, e->left, inner);
    sal_quat_mul(a, x, e->right);
    sal_v3_scale(r, a + 1, 0.5 * e->scale);
}

void phy_equality_drift(const sal_model *m, sal_data *d)
{
    phy_joined e;
    for (int row = 0; row < d->nefc && d->efc_type[row] == SAL_EFC_EQUALITY; row += e.rows) {
        const int i = d->efc_id[row];
        double w[2][3], wdot[2][3], a[2][3], drift[6];
        e.rows = 1;
        if (m->eq_type[i] != SAL_EQ_CONNECT && m->eq_type[i] != SAL_EQ_WELD) {
            continue;
        }
        phy_join(m, d, i, &e);
        for (int k = 0; k < 2; k++) {
            double v[3];
            phy_point_drift(m, d, v, w[k], a[k], wdot[k], e.point[k], e.body[k]);
        }
        sal_v3_sub(drift, a[0], a[1]);
        sal_v3_sub(wdot[0], wdot[0], wdot[1]);
        if (e.rows == 6) {
            turn_drift(drift + 3, &e, w[0], w[1], wdot[0]);
        }
        for (int r = 0; r < e.rows; r++) { /* aref -= dJ/dt v */
            d->efc_aref[row + r] -= drift[r] / phy_row_slowing(m, d, row + r);
        }
    }
}
