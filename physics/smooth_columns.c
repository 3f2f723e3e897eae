/* smooth_columns.c: what the derivatives of the smooth part are made from, by one pass out: for each dof the columns of deriv.h, for each body
 * its part of a composite, about the centre of mass of its tree.
 *
 *     F = I A + V x* (I V)         E = 2 (tr(Gm) 1 - Gm),  Gm = u mc' + [w] S,  V = (w; u)        S = tr(Irot)/2 1 - Irot, the second moment of mass
 */
#include "physics/deriv.h"
#include "physics/lanes.h"

#include <string.h>

/* V, G, A on their way through the joints of a body. */
typedef struct sal_motions {
    double V[6], G[6], A[6];
} sal_motions;

/* The column of dof k */
SAL_INLINE void store(double *columns, int k, const double x[6])
{
    double *to = columns + sal_column_at(k);
    for (int j = 0; j < 6; j++) {
        to[SAL_LANES * j] = x[j];
    }
}

/* The group of n dofs from k on:  V += s v,  G += s a,  A += s a + psi v;  and what its columns are made from. */
SAL_INLINE void pass_group(const sal_data *d, sal_deriv *w, int k, int n, sal_motions *at)
{
    const sal_motions before = *at;
    for (int i = k; i < k + n; i++) {
        const double *s = d->cdof + 6 * i, *psi = d->cdof_dot + 6 * i;
        w->first[i] = k;
        store(w->s, i, s);
        store(w->psi, i, psi);
        store(w->before.V, i, before.V);
        store(w->before.G, i, before.G);
        store(w->before.A, i, before.A);
        for (int j = 0; j < 6; j++) {
            const double sa = d->qacc[i] * s[j];
            at->V[j] += d->qvel[i] * s[j];
            at->G[j] += sa;
            at->A[j] += sa + d->qvel[i] * psi[j];
        }
    }
    for (int i = k; i < k + n; i++) {
        store(w->before.Vplus, i, at->V);
    }
}

/*     gam = G- x s        chi = psi + V+ x s        alp = A- x s + V- x psi */
SAL_INLINE void cross_columns(sal_deriv *w, int n)
{
    const size_t end = sal_column_at(n + SAL_LANES - 1) / 24 * 24;
    for (size_t k = 0; k < end; k += 24) {
        sal_lanes s[6], psi[6], x[6], y[6], z[6];
        sal_lanes_load6(s, w->s + k);
        sal_lanes_load6(psi, w->psi + k);
        sal_lanes_load6(x, w->before.G + k);
        sal_lanes_cross_motion(y, x, s);
        sal_lanes_store6(w->gam + k, y);
        sal_lanes_load6(x, w->before.Vplus + k);
        sal_lanes_cross_motion(y, x, s);
        for (int j = 0; j < 6; j++) {
            y[j] += psi[j];
        }
        sal_lanes_store6(w->chi + k, y);
        sal_lanes_load6(x, w->before.A + k);
        sal_lanes_cross_motion(y, x, s);
        sal_lanes_load6(x, w->before.V + k);
        sal_lanes_cross_motion(z, x, psi);
        for (int j = 0; j < 6; j++) {
            y[j] += z[j];
        }
        sal_lanes_store6(w->alp + k, y);
    }
}

SAL_INLINE void pass_joint(const sal_model *m, const sal_data *d, sal_deriv *w, int j,
                           sal_motions *at)
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

/* E = 2 (tr(Gm) 1 - Gm),  Gm = u mc' + [w] S */
SAL_INLINE void coriolis(double E[9], const double I[10], const double V[6])
{
    const double half = 0.5 * (I[0] + I[1] + I[2]);
    const double S[9] = {half - I[0], -I[3], -I[4], -I[3],      half - I[1],
                         -I[5],       -I[4], -I[5], half - I[2]};
    double Gm[9], trace;
    for (int j = 0; j < 3; j++) { /* [w] S by columns: w x S_j */
        Gm[j] = V[1] * S[6 + j] - V[2] * S[3 + j] + V[3] * I[6 + j];
        Gm[3 + j] = V[2] * S[j] - V[0] * S[6 + j] + V[4] * I[6 + j];
        Gm[6 + j] = V[0] * S[3 + j] - V[1] * S[j] + V[5] * I[6 + j];
    }
    trace = Gm[0] + Gm[4] + Gm[8];
    for (int j = 0; j < 9; j++) {
        E[j] = 2 * ((j % 4 == 0 ? trace : 0) - Gm[j]);
    }
}

/* I, E, 2p and F of one body */
SAL_INLINE void single_body(sal_composite *c, const double I[10], const sal_motions *at)
{
    double h[6], gyro[6];
    memcpy(c->I, I, sizeof c->I);
    sal_sp_inertia_mul(h, I, at->V);
    coriolis(c->E, I, at->V);
    sal_v3_scale(c->p, h + 3, 2);
    sal_sp_inertia_mul(c->F, I, at->A);
    sal_sp_cross_force(gyro, at->V, h);
    sal_sp_addscaled(c->F, c->F, 1, gyro);
}

SAL_LANED void sal_smooth_columns(const sal_model *m, const sal_data *d, sal_deriv *w)
{
    memset(w->G, 0, 6 * sizeof *w->G);
    memset(w->A, 0, 6 * sizeof *w->A);
    if (!(m->opt.disable & SAL_DSBL_GRAVITY)) {
        sal_v3_scale(w->A + 3, m->opt.gravity, -1);
    }
    for (int b = 1; b < m->nbody; b++) {
        const int p = m->body_parentid[b], end = m->body_jntadr[b] + m->body_jntnum[b];
        sal_motions at;
        memcpy(at.V, d->cvel + 6 * p, sizeof at.V);
        memcpy(at.G, w->G + 6 * p, sizeof at.G);
        memcpy(at.A, w->A + 6 * p, sizeof at.A);
        for (int j = m->body_jntadr[b]; j < end; j++) {
            pass_joint(m, d, w, j, &at);
        }
        memcpy(w->G + 6 * b, at.G, sizeof at.G);
        memcpy(w->A + 6 * b, at.A, sizeof at.A);
        single_body(w->composite + b, d->cinert + SAL_SP_INERTIA * b, &at);
    }
    cross_columns(w, m->nv);
}
