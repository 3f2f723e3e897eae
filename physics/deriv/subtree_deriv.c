/* subtree_deriv.c: exact derivatives of what hangs from a body, taken as one.
 *
 * Dof k moves the subtree of its own body where that is within B's, else all of B's. With I, h =
 * sum I_b V_b and F = sum I_b A_b + V_b x* h_b of what it moves, about O, the centre of mass of the
 * tree, which stays where it is (deriv.h has psi, chi, alp):
 *
 *     momentum        dh/dq_k = s_k x* h + I psi_k              dh/dv_k = I s_k
 *     com             m dc/dq_k = linear part of I s_k
 *     velocity        p / m,  p the linear part of h
 *     angular         L = n - (c - O) x p:   dL = dn - (c - O) x dp - dc x p
 *     acceleration    linear part of F / m:  dF/dq_k = s_k x* F + I alp_k + D psi_k
 *     dF/dv_k = I chi_k + D s_k     dF/da_k = I s_k,
 *                     the linear part of D x being x_w x 2p
 */
#include "base/house.h"
#include "physics/deriv/scratch.h"
#include "physics/stages.h"
#include "physics/subtree.h"

#include <string.h>

static void put(double *D, int nv, int k, const double y[3], double scale)
{
    for (int r = 0; r < 3; r++) {
        D[r * nv + k] += scale * y[r];
    }
}

/* dL = dn - (c - O) x dp - dc x p, dh = (dn; dp), p of all of the subtree */
static void angular_momentum(double out[3], const double dh[6], const double arm[3],
                             const double dc[3], const double p[3])
{
    double t[3];
    sal_v3_cross(out, dh + 3, arm);
    sal_v3_add(out, out, dh);
    sal_v3_cross(t, p, dc);
    sal_v3_add(out, out, t);
}

/* Momenta of subtrees [nbody x 6] */
static double *take(const sal_model *m, sal_arena *arena)
{
    return sal_arena_take(arena, 6 * (size_t)m->nbody, sizeof(double));
}

void phy_subtree_deriv(const sal_model *m, sal_data *d, sal_bulk which, const phy_subtree *of,
                       double *Dq, double *Dv)
{
    static const double still[3];
    const size_t mark = d->arena.used;
    const int end = phy_subtree_end(m, of->body), nv = m->nv;
    double *h = take(m, &d->arena);
    if (h == NULL) {
        return;
    }
    phy_compose(m, d);
    phy_subtree_momenta(m, d, h);
    for (int k = 0; k < nv; k++) {
        const int part = phy_subtree_moved(m, of->body, end, k);
        const double *s = d->cdof + 6 * k, *psi = d->cdof_dot + 6 * k;
        const double *I = d->crb + SAL_SP_INERTIA * part;
        double by_v[6], by_q[6], t[6], arm[3], dc[3], dL[3];
        if (part < 0) {
            continue;
        }
        sal_sp_inertia_mul(by_v, I, s);
        if (which == SAL_BULK_COM) {
            put(Dq, nv, k, by_v + 3, 1 / of->mass);
            continue;
        }
        sal_sp_inertia_mul(by_q, I, psi);
        sal_sp_cross_force(t, s, h + 6 * part);
        sal_sp_addscaled(by_q, by_q, 1, t);
        if (which == SAL_BULK_LINVEL) {
            put(Dq, nv, k, by_q + 3, 1 / of->mass);
            put(Dv, nv, k, by_v + 3, 1 / of->mass);
            continue;
        }
        sal_v3_sub(arm, of->com, d->subtree_com + 3 * m->body_rootid[part]);
        sal_v3_scale(dc, by_v + 3, 1 / of->mass);
        angular_momentum(dL, by_q, arm, dc, of->p);
        put(Dq, nv, k, dL, 1);
        angular_momentum(dL, by_v, arm, still, of->p);
        put(Dv, nv, k, dL, 1);
    }
    d->arena.used = mark;
}

/* ---- acceleration ---- */

/* Force and momentum of every body with all that hangs from it. */
typedef struct flow {
    double *A, *h, *force; /* [6 nbody], [6 nbody], [3 nbody] */
    double mass;
    int body, end;
} flow;

static void set_flow(const sal_model *m, const sal_data *d, flow *f)
{
    phy_subtree_accelerations(m, d, f->A);
    phy_subtree_momenta(m, d, f->h);
    for (int b = 0; b < m->nbody; b++) {
        phy_subtree_force(d, f->A, b, f->force + 3 * b);
    }
    for (int b = m->nbody - 1; b > 0; b--) {
        double *parent = f->force + 3 * m->body_parentid[b];
        sal_v3_add(parent, parent, f->force + 3 * b);
    }
}

/* Columns of dof k; V0, A0 before its group, V1 after it. */
static void acceleration_column(const sal_model *m, const sal_data *d, const flow *f, int k,
                                const double V0[6], const double A0[6], const double V1[6],
                                double *const D[3])
{
    const int part = phy_subtree_moved(m, f->body, f->end, k);
    const double *s = d->cdof + 6 * k, *psi = d->cdof_dot + 6 * k;
    double alp[6], chi[6], t[6], F[6], y[3];
    if (part < 0) {
        return;
    }
    const double *I = d->crb + SAL_SP_INERTIA * part, *p = f->h + 6 * part + 3;
    sal_sp_cross_motion(alp, A0, s);
    sal_sp_cross_motion(t, V0, psi);
    sal_sp_add(alp, t);
    sal_sp_inertia_mul(F, I, alp);
    sal_v3_cross(y, s, f->force + 3 * part);
    sal_v3_add(y, y, F + 3);
    sal_v3_cross(t, psi, p);
    sal_v3_addscaled(y, y, 2, t);
    put(D[0], m->nv, k, y, 1 / f->mass);
    sal_sp_addscaled(t, V0, 1, V1);
    sal_sp_cross_motion(chi, t, s);
    sal_sp_inertia_mul(F, I, chi);
    sal_v3_cross(t, s, p);
    sal_v3_addscaled(y, F + 3, 2, t);
    put(D[1], m->nv, k, y, 1 / f->mass);
    sal_sp_inertia_mul(F, I, s);
    put(D[2], m->nv, k, F + 3, 1 / f->mass);
}

static void body_columns(const sal_model *m, const sal_data *d, const flow *f, int b,
                         double *const D[3])
{
    const int last = m->body_dofadr[b] + m->body_dofnum[b], parent = m->body_parentid[b];
    double V[6], A[6];
    memcpy(V, d->cvel + 6 * parent, sizeof V);
    memcpy(A, f->A + 6 * parent, sizeof A);
    for (int k = m->body_dofadr[b]; k < last;) {
        const int end = phy_group_end(m, k);
        double V0[6], A0[6];
        memcpy(V0, V, sizeof V0);
        memcpy(A0, A, sizeof A0);
        for (int i = k; i < end; i++) {
            sal_sp_addscaled(V, V, d->qvel[i], d->cdof + 6 * i);
            sal_sp_addscaled(A, A, d->qvel[i], d->cdof_dot + 6 * i);
            sal_sp_addscaled(A, A, d->qacc[i], d->cdof + 6 * i);
        }
        for (; k < end; k++) {
            acceleration_column(m, d, f, k, V0, A0, V, D);
        }
    }
}

static bool take_flow(const sal_model *m, sal_arena *arena, flow *f)
{
    const size_t nbody = (size_t)m->nbody;
    f->A = sal_arena_take(arena, 6 * nbody, sizeof *f->A);
    f->h = sal_arena_take(arena, 6 * nbody, sizeof *f->h);
    f->force = sal_arena_take(arena, 3 * nbody, sizeof *f->force);
    return f->force != NULL;
}

void phy_subtree_deriv_scratch(const sal_model *m, sal_arena *arena)
{
    const size_t mark = arena->used;
    flow f;
    take(m, arena);
    arena->used = mark;
    take_flow(m, arena, &f);
    arena->used = mark;
}

static void acceleration_deriv(const sal_model *m, sal_data *d, int body, double *const D[3])
{
    const size_t mark = d->arena.used;
    flow f = {.mass = sal_bulk_mass(m, body), .body = body, .end = phy_subtree_end(m, body)};
    if (!take_flow(m, &d->arena, &f)) {
        return;
    }
    phy_compose(m, d);
    set_flow(m, d, &f);
    for (int b = 1; b < m->nbody; b++) {
        body_columns(m, d, &f, b, D);
    }
    d->arena.used = mark;
}

void sal_bulk_deriv(const sal_model *m, sal_data *d, sal_bulk which, int body, double *Dq,
                    double *Dv, double *Da)
{
    const size_t bytes = 3 * (size_t)m->nv * sizeof *Dq;
    double *const D[3] = {Dq, Dv, Da};
    const int last = which == SAL_BULK_COM ? 0 : which == SAL_BULK_LINACC ? 2 : 1;
    for (int i = 0; i <= last; i++) {
        memset(D[i], 0, bytes);
    }
    if (sal_bulk_mass(m, body) < SAL_MINVAL) {
        return;
    }
    if (which == SAL_BULK_LINACC) {
        acceleration_deriv(m, d, body, D);
    } else {
        const phy_subtree of = phy_subtree_of(m, d, body);
        phy_subtree_deriv(m, d, which, &of, Dq, Dv);
    }
}
