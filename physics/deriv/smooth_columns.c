/* smooth_columns.c: what the derivatives of the smooth part are made from, by one pass out: for
 * each dof the columns of deriv.h, for each body its part of a composite, about the centre of mass
 * of its tree.
 *
 *     F = I A + V x* (I V)         E = 2 (tr(Gm) 1 - Gm),  Gm = u mc' + [w] S,  V = (w; u)
 *     S = tr(Irot)/2 1 - Irot, the second moment of mass
 */
#include "physics/deriv/deriv.h"
#include "physics/lanes.h"

#define PHY_CELL double
#include "physics/deriv/inertial_row.h"

#include <string.h>

/* V, G, A on their way through the joints of a body: stored and loaded whole, as half a number is
 * not waited for. */
typedef struct phy_motions {
    phy_six V, G, A;
} phy_motions;

/* The group of n dofs from k on:  V += s v, G += s a, A += s a + psi v; and what its columns are
 *                                 made from. */
static SAL_INLINE void pass_group(const sal_data *d, phy_deriv *w, int k, int n, phy_motions *at)
{
    const phy_motions before = *at;
    for (int i = k; i < k + n; i++) {
        phy_six s = {{0}, {0}}, psi = {{0}, {0}};
        phy_six_load(&s, d->cdof + 6 * i);
        phy_six_load(&psi, d->cdof_dot + 6 * i);
        w->first[i] = k;
        phy_six_store_wide(w->around[i].V, &before.V);
        phy_six_store_wide(w->around[i].G, &before.G);
        phy_six_store_wide(w->around[i].A, &before.A);
        phy_six_add(&at->V, d->qvel[i], &s);
        phy_six_add(&at->G, d->qacc[i], &s);
        phy_six_add(&at->A, d->qacc[i], &s);
        phy_six_add(&at->A, d->qvel[i], &psi);
    }
    for (int i = k; i < k + n; i++) {
        phy_six_store_wide(w->around[i].Vplus, &at->V);
    }
}

/* Four dofs:  gam = G- x s        chi = psi + V+ x s        alp = A- x s + V- x psi */
static SAL_INLINE void cross_columns(const sal_data *d, const phy_deriv *w,
                                     const int dof[PHY_LANES], size_t at)
{
    const double *s_of[PHY_LANES], *psi_of[PHY_LANES], *V[PHY_LANES], *Vplus[PHY_LANES],
        *G[PHY_LANES], *A[PHY_LANES];
    phy_lanes s[6], psi[6], x[6], y[6], z[6];
    for (int l = 0; l < PHY_LANES; l++) {
        const phy_around *of = w->around + dof[l];
        s_of[l] = d->cdof + 6 * dof[l];
        psi_of[l] = d->cdof_dot + 6 * dof[l];
        V[l] = of->V, Vplus[l] = of->Vplus, G[l] = of->G, A[l] = of->A;
    }
    phy_lanes_gather6(s, s_of);
    phy_lanes_store6(w->s + at, s);
    phy_lanes_gather6(psi, psi_of);
    phy_lanes_store6(w->psi + at, psi);
    phy_lanes_gather6(x, G);
    phy_lanes_cross_motion(y, x, s);
    phy_lanes_store6(w->gam + at, y);
    phy_lanes_gather6(x, Vplus);
    phy_lanes_cross_motion(y, x, s);
    for (int j = 0; j < 6; j++) {
        y[j] += psi[j];
    }
    phy_lanes_store6(w->chi + at, y);
    phy_lanes_gather6(x, A);
    phy_lanes_cross_motion(y, x, s);
    phy_lanes_gather6(x, V);
    phy_lanes_cross_motion(z, x, psi);
    for (int j = 0; j < 6; j++) {
        y[j] += z[j];
    }
    phy_lanes_store6(w->alp + at, y);
}

/* The last columns repeat the last dof. */
static SAL_INLINE void all_columns(const sal_data *d, const phy_deriv *w, int nv)
{
    for (int k = 0; k < nv; k += PHY_LANES) {
        int dof[PHY_LANES];
        for (int l = 0; l < PHY_LANES; l++) {
            dof[l] = k + l < nv ? k + l : nv - 1;
        }
        cross_columns(d, w, dof, phy_column_at(k));
    }
}

static SAL_INLINE void pass_joint(const sal_model *m, const sal_data *d, phy_deriv *w, int j,
                                  phy_motions *at)
{
    const int k = m->jnt_dofadr[j];
    switch ((sal_joint_type)m->jnt_type[j]) {
    case SAL_JNT_FREE:
        pass_group(d, w, k, 3, at);
        pass_group(d, w, k + 3, 3, at);
        break;
    case SAL_JNT_BALL:
        pass_group(d, w, k, 3, at);
        break;
    case SAL_JNT_SLIDE:
    case SAL_JNT_HINGE:
        pass_group(d, w, k, 1, at);
        break;
    }
}

/* I, E, 2p and F of one body */
static SAL_INLINE void single_body(phy_composite *c, const double I[10], const double V[6],
                                   const double A[6])
{
    double h[6], gyro[6], F[6];
    for (int j = 0; j < SAL_SP_INERTIA; j++) {
        c->I[j] = I[j];
    }
    sal_sp_inertia_mul(h, I, V);
    phy_coriolis_of(c->E, I, V);
    sal_v3_scale(c->p, h + 3, 2);
    sal_sp_inertia_mul(F, I, A);
    sal_sp_cross_force(gyro, V, h);
    sal_sp_addscaled(c->F, F, 1, gyro);
}

PHY_LANED void phy_smooth_columns(const sal_model *m, const sal_data *d, phy_deriv *work)
{
    phy_deriv here = *work, *w = &here; /* which no store of lanes can change */
    memset(w->G, 0, PHY_WIDE * sizeof *w->G);
    memset(w->A, 0, PHY_WIDE * sizeof *w->A);
    if (!(m->opt.disable & SAL_DSBL_GRAVITY)) {
        sal_v3_scale(w->A + 3, m->opt.gravity, -1);
    }
    for (int b = 1; b < m->nbody; b++) {
        const int p = m->body_parentid[b], end = m->body_jntadr[b] + m->body_jntnum[b];
        phy_motions at = {.V = {{0}, {0}}};
        phy_six_load(&at.V, d->cvel + 6 * p);
        phy_six_load_wide(&at.G, w->G + PHY_WIDE * p);
        phy_six_load_wide(&at.A, w->A + PHY_WIDE * p);
        for (int j = m->body_jntadr[b]; j < end; j++) {
            pass_joint(m, d, w, j, &at);
        }
        phy_six_store_wide(w->G + PHY_WIDE * b, &at.G);
        phy_six_store_wide(w->A + PHY_WIDE * b, &at.A);
    }
    for (int b = 1; b < m->nbody; b++) {
        single_body(w->composite + b, d->cinert + SAL_SP_INERTIA * b, d->cvel + 6 * b,
                    w->A + PHY_WIDE * b);
    }
    all_columns(d, w, m->nv);
}
