/* deriv_columns.c: physics/deriv/smooth_columns.c for several instants at once. */
#include "physics/abreast/wide_deriv.h"

#define PHY_CELL phy_real
#include "physics/deriv/inertial_row.h"

typedef struct motions {
    phy_real V[6], G[6], A[6];
} motions;

/* r += s a */
static SAL_INLINE void add_scaled(phy_real r[6], const phy_real *s, const phy_real a[6])
{
    for (int j = 0; j < 6; j++) {
        r[j] += *s * a[j];
    }
}

/* Of the motion before the group:  gam = G- x s        alp = A- x s + V- x psi */
static SAL_INLINE void columns_before(const phy_instants *x, const phy_wide_deriv *w, int i,
                                      const motions *before)
{
    const phy_real *s = x->cdof + 6 * i;
    phy_real *alp = w->alp + 6 * i, turn[6];
    phy_sp_cross_motion(w->gam + 6 * i, before->G, s);
    phy_sp_cross_motion(alp, before->A, s);
    phy_sp_cross_motion(turn, before->V, x->cdof_dot + 6 * i);
    phy_sp_add(alp, turn);
}

/* ... and after it:  chi = psi + V+ x s */
static SAL_INLINE void columns_after(const phy_instants *x, const phy_wide_deriv *w, int i,
                                     const motions *after)
{
    phy_real *chi = w->chi + 6 * i;
    phy_sp_cross_motion(chi, after->V, x->cdof + 6 * i);
    phy_sp_add(chi, x->cdof_dot + 6 * i);
}

/* The group of n dofs from k on:  V += s v, G += s a, A += s a + psi v */
static SAL_INLINE void pass_group(const phy_instants *x, const phy_wide_deriv *w, int k, int n,
                                  motions *at)
{
    for (int i = k; i < k + n; i++) {
        w->first[i] = k;
        columns_before(x, w, i, at);
    }
    for (int i = k; i < k + n; i++) {
        const phy_real *s = x->cdof + 6 * i;
        add_scaled(at->V, x->qvel + i, s);
        add_scaled(at->G, x->qacc + i, s);
        add_scaled(at->A, x->qacc + i, s);
        add_scaled(at->A, x->qvel + i, x->cdof_dot + 6 * i);
    }
    for (int i = k; i < k + n; i++) {
        columns_after(x, w, i, at);
    }
}

/* I, E, 2p and F of one body */
static SAL_INLINE void single_body(phy_composites_abreast *c, const phy_real I[10],
                                   const phy_real V[6], const phy_real A[6])
{
    phy_real h[6], gyro[6];
    phy_copy(c->I, I, SAL_SP_INERTIA);
    phy_sp_inertia_mul(h, I, V);
    phy_coriolis_of(c->E, I, V);
    phy_v3_scale(c->p, h + 3, 2);
    phy_sp_inertia_mul(c->F, I, A);
    phy_sp_cross_force(gyro, V, h);
    phy_sp_add(c->F, gyro);
}

/* G and A of the world: it rests, and rises where bodies fall. */
static void world(const sal_model *m, phy_wide_deriv *w)
{
    const phy_real none = {0};
    for (int j = 0; j < 6; j++) {
        const bool falls = j >= 3 && !(m->opt.disable & SAL_DSBL_GRAVITY);
        const double up = falls ? -1 * m->opt.gravity[j - 3] : 0;
        w->G[j] = none;
        w->A[j] = up - none;
    }
}

void phy_columns_abreast(const sal_model *m, const phy_instants *x, phy_wide_deriv *w)
{
    world(m, w);
    for (int b = 1; b < m->nbody; b++) {
        const int p = m->body_parentid[b], end = m->body_dofadr[b] + m->body_dofnum[b];
        motions at;
        phy_copy(at.V, x->cvel + 6 * p, 6);
        phy_copy(at.G, w->G + PHY_WIDE * p, 6);
        phy_copy(at.A, w->A + 6 * p, 6);
        for (int k = m->body_dofadr[b], next; k < end; k = next) {
            next = phy_group_end(m, k);
            pass_group(x, w, k, next - k, &at);
        }
        phy_copy(w->G + PHY_WIDE * b, at.G, 6);
        phy_copy(w->A + 6 * b, at.A, 6);
    }
    for (int b = 1; b < m->nbody; b++) {
        single_body(w->composite + b, x->cinert + SAL_SP_INERTIA * b, x->cvel + 6 * b,
                    w->A + 6 * b);
    }
}
