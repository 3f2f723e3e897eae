/* rne_deriv.c: derivatives of  M a + c(q, v) for any v and a, by the recursion of rne.c
 *                              differentiated (deriv.h has the notation: s_k the
 * motion columns, V_k- before the group of dof k, V_k+ after it).
 *
 *     psi_k = V_k- x s_k       alp_k = A_k- x s_k + V_k- x psi_k       chi_k = (V_k- + V_k+) x s_k
 *     F = I A + V x* (I V)                            of one body, then of its subtree; and so is
 *     B s = V x* (I s) - I (V x s) + s x* (I V)       what is left of d/dt I and the momentum
 *                                                     carried along
 *
 *     dF/dq_k = s_k x* F + I alp_k + B psi_k          dF/dv_k = I chi_k + B s_k
 *
 * and for k an ancestor of i, i itself or of its group, since (s_k x s_i)'F + s_i'(s_k x* F) = 0,
 * with I, B, F of the subtree of i:
 *
 *     d_ik = s_i'(I alp_k + B psi_k)                  by v:   s_i'(I chi_k + B s_k)
 *     d_ki = s_k'(I alp_i + B psi_i + s_i x* F)               s_k'(I chi_i + B s_i)
 *     (inside a group without F)
 */
#include "physics/deriv/rne_deriv.h"

#include "base/house.h"
#include "physics/deriv/scratch.h"
#include "physics/stages.h"

#include <string.h>

typedef struct recursion {
    const phy_rne_motion *motion;
    double *psi, *alp, *chi; /* [nv x 6] */
    double *V, *A, *F;       /* [nbody x 6] */
    double *B;               /* [nbody x 36] by columns; NULL: nothing has velocity */
} recursion;

static double at(const double *x, int i)
{
    return x == NULL ? 0 : x[i];
}

/* n dofs from i on that start from one frame */
static void pass_group(const sal_data *d, const recursion *r, double V[6], double A[6], int i,
                       int n)
{
    double before[6];
    memcpy(before, V, sizeof before);
    for (int k = 6 * i; k < 6 * (i + n); k += 6) {
        double turn[6];
        sal_sp_cross_motion(r->alp + k, A, d->cdof + k);
        if (r->B != NULL) {
            sal_sp_cross_motion(r->psi + k, V, d->cdof + k);
            sal_sp_cross_motion(turn, V, r->psi + k);
            sal_sp_addscaled(r->alp + k, r->alp + k, 1, turn);
        }
    }
    for (int k = i; k < i + n; k++) {
        sal_sp_addscaled(A, A, at(r->motion->a, k), d->cdof + 6 * k);
        if (r->B != NULL) {
            sal_sp_addscaled(V, V, r->motion->v[k], d->cdof + 6 * k);
            sal_sp_addscaled(A, A, r->motion->v[k], r->psi + 6 * k);
        }
    }
    sal_sp_addscaled(before, before, 1, V);
    for (int k = 6 * i; k < 6 * (i + n) && r->B != NULL; k += 6) {
        sal_sp_cross_motion(r->chi + k, before, d->cdof + k);
    }
}

/* Column k of B: B e_k */
static void gyration_column(double column[6], const double inert[10], const double V[6],
                            const double momentum[6], int k)
{
    double e[6] = {0}, x[6], y[6];
    e[k] = 1;
    sal_sp_inertia_mul(x, inert, e);
    sal_sp_cross_force(column, V, x);
    sal_sp_cross_motion(x, V, e);
    sal_sp_inertia_mul(y, inert, x);
    sal_sp_addscaled(column, column, -1, y);
    sal_sp_cross_force(y, e, momentum);
    sal_sp_addscaled(column, column, 1, y);
}

/* F and B of one body */
static void body_terms(const sal_data *d, const recursion *r, int b)
{
    const double *inert = d->cinert + SAL_SP_INERTIA * b, *V = r->V + 6 * b;
    double momentum[6], gyro[6], *F = r->F + 6 * b;
    sal_sp_inertia_mul(F, inert, r->A + 6 * b);
    if (r->B != NULL) {
        sal_sp_inertia_mul(momentum, inert, V);
        sal_sp_cross_force(gyro, V, momentum);
        sal_sp_addscaled(F, F, 1, gyro);
        for (int k = 0; k < 6; k++) {
            gyration_column(r->B + 36 * b + 6 * k, inert, V, momentum, k);
        }
    }
}

static bool moves(const sal_model *m, const recursion *r, int b)
{
    return !r->motion->only_free || phy_body_floats_alone(m, b);
}

/* F and B of one body after the other, then of their subtrees */
static void recurse(const sal_model *m, const sal_data *d, recursion *r)
{
    memset(r->V, 0, 6 * sizeof *r->V);
    memset(r->A, 0, 6 * sizeof *r->A);
    for (int b = 1; b < m->nbody; b++) {
        const int p = m->body_parentid[b], first = m->body_jntadr[b];
        double *V = r->V + 6 * b, *A = r->A + 6 * b;
        memcpy(V, r->V + 6 * p, 6 * sizeof *V);
        memcpy(A, r->A + 6 * p, 6 * sizeof *A);
        for (int j = first; j < first + m->body_jntnum[b] && moves(m, r, b); j++) {
            const int dof = m->jnt_dofadr[j], n = sal_joint_ndof(m->jnt_type[j]);
            pass_group(d, r, V, A, dof, n < 3 ? n : 3);
            if (n == 6) { /* a free joint shifts, then turns */
                pass_group(d, r, V, A, dof + 3, 3);
            }
        }
        body_terms(d, r, b);
    }
    for (int b = m->nbody - 1; b > 0; b--) {
        const int p = m->body_parentid[b];
        for (int k = 0; p > 0 && k < 6; k++) {
            r->F[6 * p + k] += r->F[6 * b + k];
        }
        for (int k = 0; p > 0 && r->B != NULL && k < 36; k++) {
            r->B[36 * p + k] += r->B[36 * b + k];
        }
    }
}

static bool take(const sal_model *m, sal_arena *arena, recursion *r, bool has_velocity)
{
    const size_t nv = (size_t)m->nv, nbody = (size_t)m->nbody;
    r->B = has_velocity ? sal_arena_take(arena, 36 * nbody, sizeof *r->B) : NULL;
    r->psi = sal_arena_take(arena, 6 * nv, sizeof *r->psi);
    r->alp = sal_arena_take(arena, 6 * nv, sizeof *r->alp);
    r->chi = sal_arena_take(arena, 6 * nv, sizeof *r->chi);
    r->V = sal_arena_take(arena, 6 * nbody, sizeof *r->V);
    r->A = sal_arena_take(arena, 6 * nbody, sizeof *r->A);
    r->F = sal_arena_take(arena, 6 * nbody, sizeof *r->F);
    return r->F != NULL;
}

void phy_rne_deriv_scratch(const sal_model *m, sal_arena *arena)
{
    const size_t mark = arena->used;
    recursion r;
    take(m, arena, &r, true);
    arena->used = mark;
}

/* How many dofs of the group of i come before it */
static int place_in_group(const sal_model *m, int i)
{
    const int j = m->dof_jntid[i];
    return sal_joint_ndof(m->jnt_type[j]) == 1 ? 0 : (i - m->jnt_dofadr[j]) % 3;
}

/* What dof i is multiplied with:  d_ik = mm'x_k + g'z_k,  d_ki = y's_k;  inside its group near's_k
 */
typedef struct factors {
    double mm[6], g[6], y[6], near[6];
} factors;

/* mm = I s,  g = B's,  near = I x + B z,  y = near + s x* F
 * (columns x and z; x is alp, or chi, which F is nothing to) */
static void factors_of(factors *f, const sal_data *d, const recursion *r, const double *x,
                       const double *z, int i, int b)
{
    const double *s = d->cdof + 6 * i, *inert = d->crb + SAL_SP_INERTIA * b;
    sal_sp_inertia_mul(f->mm, inert, s);
    sal_sp_inertia_mul(f->near, inert, x + 6 * i);
    for (int k = 0; r->B != NULL && k < 6; k++) {
        const double *column = r->B + 36 * b + 6 * k;
        f->g[k] = sal_sp_dot(column, s);
        sal_sp_addscaled(f->near, f->near, z[6 * i + k], column);
    }
    memcpy(f->y, f->near, sizeof f->y);
    if (x == r->alp) {
        double carried[6];
        sal_sp_cross_force(carried, s, r->F + 6 * b);
        sal_sp_addscaled(f->y, f->y, 1, carried);
    }
}

/* Row and column i of E, from the columns x with I and z with B */
static void add_pairs(const sal_model *m, const sal_data *d, phy_slope E, double scale,
                      const recursion *r, const double *x, const double *z, int i)
{
    const phy_row row = phy_row_of(m, i);
    const int group = place_in_group(m, i);
    double *lower = E.lower + row.adr, *upper = E.upper + row.adr;
    factors f;
    factors_of(&f, d, r, x, z, i, m->dof_bodyid[i]);
    for (int k = 0; k < row.n; k++) {
        const int j = 6 * phy_row_dof(row, k);
        lower[k] += scale * sal_sp_dot(f.mm, x + j);
        upper[k] += scale * sal_sp_dot(k > group ? f.y : f.near, d->cdof + j);
    }
    for (int k = 0; k < row.n && r->B != NULL; k++) {
        lower[k] += scale * sal_sp_dot(f.g, z + 6 * phy_row_dof(row, k));
    }
}

static void derive(const sal_model *m, sal_data *d, phy_slope E, double scale,
                   const phy_rne_motion *motion, bool by_v)
{
    const size_t mark = d->arena.used;
    recursion r = {.motion = motion};
    if (!take(m, &d->arena, &r, motion->v != NULL)) {
        return;
    }
    phy_compose(m, d);
    recurse(m, d, &r);
    for (int i = 0; i < m->nv; i++) {
        if (moves(m, &r, m->dof_bodyid[i])) {
            add_pairs(m, d, E, scale, &r, by_v ? r.chi : r.alp, by_v ? d->cdof : r.psi, i);
        }
    }
    d->arena.used = mark;
}

void phy_rne_deriv_q(const sal_model *m, sal_data *d, phy_slope E, double scale,
                     const phy_rne_motion *motion)
{
    derive(m, d, E, scale, motion, false);
}

void phy_rne_deriv_v(const sal_model *m, sal_data *d, phy_slope E, double scale,
                     const phy_rne_motion *motion)
{
    derive(m, d, E, scale, motion, true);
}
