/* slope_bias.c: how Coriolis, centrifugal and gyroscopic forces change with velocity.
 * Differentiating the recursion of rne.c, with the columns s of the dofs and the velocities V about
 * the centre of mass of the tree: below dof j
 *
 *     dV_b/dv_j = s_j,         dA_b/dv_j = w_j + s_j x V_b,         w_j = sdot_j + V_j x s_j,
 *     V_j the velocity behind joint j
 *     dF_b/dv_j = I_b w_j + B_b s_j,         B_b s = I_b (s x V_b) + s x* (I_b V_b) + V_b x* (I_b
 *                                            s)
 *
 * and with I and B summed over the subtree of the lower of the two dofs, i below j:
 *
 *     dc_i/dv_j = s_i' (I_i w_j + B_i s_j),        dc_j/dv_i = s_j' (I_i w_i + B_i s_i)
 */
#include "base/house.h"
#include "physics/implicit/slope.h"
#include "physics/scratch.h"
#include "physics/stages.h"

#include <string.h>

/* Column k of B: B e_k */
static void gyration_column(double column[6], const double inert[10], const double v[6],
                            const double momentum[6], int k)
{
    double e[6] = {0}, t[6], r[6];
    e[k] = 1;
    sal_sp_cross_motion(t, e, v);
    sal_sp_inertia_mul(column, inert, t); /* I (s x V) */
    sal_sp_cross_force(r, e, momentum);   /* s x* (I V) */
    sal_sp_addscaled(column, column, 1, r);
    sal_sp_inertia_mul(t, inert, e);
    sal_sp_cross_force(r, v, t); /* V x* (I s) */
    sal_sp_addscaled(column, column, 1, r);
}

/* B of every body, summed over its subtree, by columns: [nbody x 36]; of the bodies that count, the
 * rest is zero */
static void gyrations(const sal_model *m, const sal_data *d, double *B, bool only_free)
{
    memset(B, 0, 36 * (size_t)m->nbody * sizeof *B);
    for (int b = 1; b < m->nbody; b++) {
        if (only_free && !phy_body_floats_alone(m, b)) {
            continue;
        }
        const double *inert = d->cinert + SAL_SP_INERTIA * b, *v = d->cvel + 6 * b;
        double momentum[6];
        sal_sp_inertia_mul(momentum, inert, v);
        for (int k = 0; k < 6; k++) {
            gyration_column(B + 36 * b + 6 * k, inert, v, momentum, k);
        }
    }
    for (int b = m->nbody - 1; b > 0; b--) {
        const int p = m->body_parentid[b];
        for (int k = 0; p > 0 && k < 36; k++) {
            B[36 * p + k] += B[36 * b + k];
        }
    }
}

/* w = sdot + V x s of n columns that move together, V the velocity behind them */
static void columns_drift(const sal_data *d, double *w, const double V[6], int dof, int n)
{
    for (int i = dof; i < dof + n; i++) {
        double turn[6];
        sal_sp_cross_motion(turn, V, d->cdof + 6 * i);
        sal_sp_addscaled(w + 6 * i, d->cdof_dot + 6 * i, 1, turn);
    }
}

static void pass(const sal_data *d, double V[6], int dof, int n)
{
    for (int i = dof; i < dof + n; i++) {
        sal_sp_addscaled(V, V, d->qvel[i], d->cdof + 6 * i);
    }
}

/* w of all dofs [nv x 6] */
static void drifts(const sal_model *m, const sal_data *d, double *w)
{
    double V[6] = {0};
    for (int j = 0; j < m->njnt; j++) {
        const int b = m->jnt_bodyid[j], dof = m->jnt_dofadr[j], n = sal_joint_ndof(m->jnt_type[j]);
        if (j == m->body_jntadr[b]) {
            memcpy(V, d->cvel + 6 * m->body_parentid[b], sizeof V);
        }
        const int first = n == 6 ? 3 : n; /* a free joint translates, then turns */
        pass(d, V, dof, first);
        columns_drift(d, w, V, dof, first);
        pass(d, V, dof + first, n - first);
        columns_drift(d, w, V, dof + first, n - first);
    }
}

/* r = I w + B s, l = (s'I, s'B): what dof i, the lower of each pair, contributes */
typedef struct lower_dof {
    double column[6], inertia[6], gyration[6];
} lower_dof;

static void lower_dof_of(lower_dof *low, const double crb[10], const double B[36],
                         const double s[6], const double w[6])
{
    sal_sp_inertia_mul(low->inertia, crb, s);
    sal_sp_inertia_mul(low->column, crb, w);
    for (int k = 0; k < 6; k++) {
        low->gyration[k] = sal_sp_dot(B + 6 * k, s);
        sal_sp_addscaled(low->column, low->column, s[k], B + 6 * k);
    }
}

static bool something_floats(const sal_model *m)
{
    for (int j = 0; j < m->njnt; j++) {
        if (m->jnt_type[j] == SAL_JNT_FREE && phy_body_floats_alone(m, m->jnt_bodyid[j])) {
            return true;
        }
    }
    return false;
}

/* B [nbody x 36], w [nv x 6] */
typedef struct columns {
    double *B, *w;
} columns;

static bool take(const sal_model *m, sal_arena *arena, columns *x)
{
    x->B = sal_arena_take(arena, 36 * (size_t)m->nbody, sizeof *x->B);
    x->w = sal_arena_take(arena, 6 * (size_t)m->nv, sizeof *x->w);
    return x->w != NULL;
}

void phy_slope_bias_scratch(const sal_model *m, sal_arena *arena)
{
    const size_t mark = arena->used;
    columns x;
    take(m, arena, &x);
    arena->used = mark;
}

void phy_slope_add_bias(const sal_model *m, sal_data *d, phy_slope D, bool only_free)
{
    columns x;
    if (only_free && !something_floats(m)) {
        return;
    }
    const size_t mark = d->arena.used;
    if (!take(m, &d->arena, &x)) {
        return;
    }
    double *B = x.B, *w = x.w;
    phy_compose(m, d);
    gyrations(m, d, B, only_free);
    drifts(m, d, w);
    for (int i = 0; i < m->nv; i++) {
        const int b = m->dof_bodyid[i];
        const phy_row row = phy_row_of(m, i);
        lower_dof low;
        if (only_free && !phy_body_floats_alone(m, b)) {
            continue;
        }
        lower_dof_of(&low, d->crb + SAL_SP_INERTIA * b, B + 36 * b, d->cdof + 6 * i, w + 6 * i);
        for (int k = 0; k < row.n; k++) {
            const double *s = d->cdof + 6 * phy_row_dof(row, k);
            D.lower[row.adr + k] -=
                sal_sp_dot(low.inertia, w + 6 * phy_row_dof(row, k)) + sal_sp_dot(low.gyration, s);
            D.upper[row.adr + k] -= sal_sp_dot(low.column, s);
        }
    }
    d->arena.used = mark;
}
