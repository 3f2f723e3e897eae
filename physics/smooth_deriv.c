/* smooth_deriv.c: derivatives of M a + c, and of the wrenches on bodies, by one pass out and one pass back (deriv.h has the notation).
 *
 * Of one body, with h = I V, p its linear part, mc = mass times com, S = tr(Irot)/2 1 - Irot the second moment of mass:
 *
 *     F = I A + V x* h         E = 2 (tr(Gm) 1 - Gm),  Gm = u mc' + [w] S,  V = (w; u)          D x = ( E x_w ; 2 x_w x p )
 *     dF/dq_k = s_k x* F + I alp_k + D psi_k        dF/dv_k = I chi_k + D s_k        dF/da_k = I s_k
 *
 * where D x stands for  dI/dt x + x x* h  and what is left of it: Coriolis forces are 2 w x (velocity), summed over mass. Everything is about
 * one point, so composites over a subtree are sums. With tau_i = s_i'F and (s_k x s_i)'F + s_i'(s_k x* F) = 0, for k an ancestor dof of i, i
 * itself or of its group:
 *
 *     Dq[i][k] = s_i'(I alp_k + D psi_k)               Dv[i][k] = s_i'(I chi_k + D s_k)        Da[i][k] = s_i'I s_k        (I, D of i)
 *     Dq[k][i] = s_k'(I alp_i + D psi_i + s_i x* F)    Dv[k][i] = s_k'(I chi_i + D s_i)        Da[k][i] = Da[i][k]
 *
 * and a load (W, La, LB, Th) of the subtree adds
 *
 *     Dq[i][k] += s_i'(La gam_k + LB psi_k - Th s_k + s_k x* W)     Dv[i][k] += s_i'LB s_k     Da[i][k] += s_i'La s_k
 *     Dq[k][i] += s_k'(La gam_i + LB psi_i - Th s_i)                Dv[k][i] += s_k'LB s_i     Da[k][i] likewise
 *
 * So the pass back needs, of each dof, a few 6-vectors, and of each pair of dofs, products of them with the columns of deriv.h.
 */
#include "physics/deriv.h"
#include "physics/lanes.h"

#include <string.h>

/* ---- out: columns and single bodies ---------------------------------------------------------------------------------------------- */

/* V, G, A on their way through the joints of a body. */
typedef struct sal_motions {
    double V[6], G[6], A[6];
} sal_motions;

SAL_INLINE void store(double *columns, int stride, int k, const double x[6])
{
    for (int j = 0; j < 6; j++) {
        columns[j * stride + k] = x[j];
    }
}

SAL_INLINE void load(double x[6], const double *columns, int stride, int k)
{
    for (int j = 0; j < 6; j++) {
        x[j] = columns[j * stride + k];
    }
}

/* The group of n dofs from k on:  V += s v,  G += s a,  A += s a + psi v;  and what its columns are made from. */
SAL_INLINE void pass_group(const sal_data *d, sal_deriv *w, int k, int n, sal_motions *at)
{
    const sal_motions before = *at;
    for (int i = k; i < k + n; i++) {
        const double *s = d->cdof + 6 * i, *psi = d->cdof_dot + 6 * i;
        w->first[i] = k;
        store(w->s, w->stride, i, s);
        store(w->psi, w->stride, i, psi);
        store(w->before.V, w->stride, i, before.V);
        store(w->before.G, w->stride, i, before.G);
        store(w->before.A, w->stride, i, before.A);
        for (int j = 0; j < 6; j++) {
            const double sa = d->qacc[i] * s[j];
            at->V[j] += d->qvel[i] * s[j];
            at->G[j] += sa;
            at->A[j] += sa + d->qvel[i] * psi[j];
        }
    }
    for (int i = k; i < k + n; i++) {
        store(w->before.Vplus, w->stride, i, at->V);
    }
}

/* r = a x b for lanes of motions in columns: (w x w2 ; w x u2 + u x w2) */
SAL_INLINE void cross_lanes(sal_lanes r[6], const sal_lanes a[6], const sal_lanes b[6])
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        r[i] = a[j] * b[k] - a[k] * b[j];
        r[3 + i] = (a[j] * b[3 + k] - a[k] * b[3 + j]) + (a[3 + j] * b[k] - a[3 + k] * b[j]);
    }
}

SAL_INLINE void load_lanes(sal_lanes r[6], const double *columns, int stride)
{
    for (int j = 0; j < 6; j++) {
        sal_lanes_load(r + j, columns + j * stride);
    }
}

SAL_INLINE void store_lanes(double *columns, int stride, const sal_lanes r[6])
{
    for (int j = 0; j < 6; j++) {
        sal_lanes_store(columns + j * stride, r + j);
    }
}

/*     gam = G- x s        chi = psi + V+ x s        alp = A- x s + V- x psi */
SAL_INLINE void cross_columns(sal_deriv *w, int n)
{
    const int stride = w->stride;
    for (int k = 0; k < n; k += SAL_LANES) {
        sal_lanes s[6], psi[6], x[6], y[6], z[6];
        load_lanes(s, w->s + k, stride);
        load_lanes(psi, w->psi + k, stride);
        load_lanes(x, w->before.G + k, stride);
        cross_lanes(y, x, s);
        store_lanes(w->gam + k, stride, y);
        load_lanes(x, w->before.Vplus + k, stride);
        cross_lanes(y, x, s);
        for (int j = 0; j < 6; j++) {
            y[j] += psi[j];
        }
        store_lanes(w->chi + k, stride, y);
        load_lanes(x, w->before.A + k, stride);
        cross_lanes(y, x, s);
        load_lanes(x, w->before.V + k, stride);
        cross_lanes(z, x, psi);
        for (int j = 0; j < 6; j++) {
            y[j] += z[j];
        }
        store_lanes(w->alp + k, stride, y);
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

/* ---- back: subtrees and pairs of dofs ---------------------------------------------------------------------------------------------- */

/* r = A x, r = A'x of a 6 x 6 matrix by rows */
SAL_INLINE void multiply(double r[6], const double A[36], const double x[6])
{
    for (int i = 0; i < 6; i++) {
        r[i] = sal_sp_dot(A + 6 * i, x);
    }
}

SAL_INLINE void multiply_t(double r[6], const double A[36], const double x[6])
{
    for (int i = 0; i < 6; i++) {
        r[i] = x[0] * A[i];
    }
    for (int j = 1; j < 6; j++) {
        for (int i = 0; i < 6; i++) {
            r[i] += x[j] * A[6 * j + i];
        }
    }
}

/* What dof i is multiplied with:
 *     Dq[i][k] = mm'alp_k + rg'gam_k + rp'psi_k + rs's_k        Dv[i][k] = mm'chi_k + rp's_k        Da[i][k] = (mm + rg)'s_k
 *     Dq[k][i] = y's_k                                           Dv[k][i] = z's_k                    Da[k][i] = ml's_k          */
typedef struct sal_dof_row {
    double mm[6], rg[6], rp[6], rs[6], y[6], z[6], mr[6], ml[6];
    bool loaded;
} sal_dof_row;

/* The inertial part:  mm = I s,  rp = D's,  y = I alp + D psi + s x* F,  z = I chi + D s */
SAL_INLINE void inertial_row(sal_dof_row *row, const sal_deriv *w, const sal_composite *c, int i)
{
    double s[6], x[6], t[6], lever[3];
    load(s, w->s, w->stride, i);
    sal_sp_inertia_mul(row->mm, c->I, s);
    sal_m3_multv(row->rp, c->E, s);
    sal_v3_cross(lever, c->p, s + 3);
    sal_v3_add(row->rp, row->rp, lever);

    load(x, w->alp, w->stride, i);
    sal_sp_inertia_mul(row->y, c->I, x);
    sal_sp_cross_force(t, s, c->F);
    sal_sp_addscaled(row->y, row->y, 1, t);
    load(x, w->psi, w->stride, i);
    sal_m3_mulv(t, c->E, x);
    sal_v3_cross(t + 3, x, c->p);
    sal_sp_addscaled(row->y, row->y, 1, t);

    load(x, w->chi, w->stride, i);
    sal_sp_inertia_mul(row->z, c->I, x);
    sal_m3_mulv(t, c->E, s);
    sal_v3_cross(t + 3, s, c->p);
    sal_sp_addscaled(row->z, row->z, 1, t);
}

/* The load's part:  rg = La's,  rp += LB's,  rs = -Th's - s x* W (as s'(s_k x* W) = -s_k'(s x* W)),
 *                   y += La gam + LB psi - Th s,  z += LB s,  ml += La s */
SAL_INLINE void loaded_row(sal_dof_row *row, const sal_deriv *w, const sal_load *load_i, int i)
{
    double s[6], x[6], t[6];
    load(s, w->s, w->stride, i);
    multiply_t(row->rg, load_i->La, s);
    multiply_t(t, load_i->LB, s);
    for (int j = 0; j < 3; j++) {
        row->rp[j] += t[j];
        row->rp[3 + j] = t[3 + j];
    }
    multiply_t(row->rs, load_i->Th, s);
    sal_sp_cross_force(t, s, load_i->W);
    for (int j = 0; j < 6; j++) {
        row->rs[j] = -row->rs[j] - t[j];
    }
    load(x, w->gam, w->stride, i);
    multiply(t, load_i->La, x);
    sal_sp_addscaled(row->y, row->y, 1, t);
    load(x, w->psi, w->stride, i);
    multiply(t, load_i->LB, x);
    sal_sp_addscaled(row->y, row->y, 1, t);
    multiply(t, load_i->Th, s);
    sal_sp_addscaled(row->y, row->y, -1, t);
    multiply(t, load_i->LB, s);
    sal_sp_addscaled(row->z, row->z, 1, t);
    multiply(t, load_i->La, s);
    sal_sp_addscaled(row->ml, row->mm, 1, t);
    sal_sp_addscaled(row->mr, row->mm, 1, row->rg);
}

/* The products of one dof with the columns of the others. */
typedef struct sal_products {
    double *Dq, *Dv, *Da;    /* [stride] of row i */
    double *Dqt, *Dvt, *Dat; /* of column i */
} sal_products;

/* to[k] for the columns k from `begin` to before `end`, whole lanes */
SAL_INLINE void smooth_products(const sal_products *to, const sal_dof_row *row, const sal_deriv *w,
                                int begin, int end)
{
    const int n = w->stride;
    for (int k = begin; k < end; k += SAL_LANES) {
        sal_lanes x, y;
        sal_lanes_dot6(&x, row->mm, w->alp + k, n);
        sal_lanes_dot3(&y, row->rp, w->psi + k, n);
        x += y;
        sal_lanes_store(to->Dq + k, &x);
        sal_lanes_dot6(&x, row->mm, w->chi + k, n);
        sal_lanes_dot3(&y, row->rp, w->s + k, n);
        x += y;
        sal_lanes_store(to->Dv + k, &x);
        sal_lanes_dot6(&x, row->mm, w->s + k, n);
        sal_lanes_store(to->Da + k, &x);
        sal_lanes_dot6(&x, row->y, w->s + k, n);
        sal_lanes_store(to->Dqt + k, &x);
        sal_lanes_dot6(&x, row->z, w->s + k, n);
        sal_lanes_store(to->Dvt + k, &x);
    }
}

SAL_INLINE void loaded_products(const sal_products *to, const sal_dof_row *row, const sal_deriv *w,
                                int begin, int end)
{
    const int n = w->stride;
    for (int k = begin; k < end; k += SAL_LANES) {
        sal_lanes x, y;
        sal_lanes_dot6(&x, row->mm, w->alp + k, n);
        sal_lanes_dot6(&y, row->rp, w->psi + k, n);
        x += y;
        sal_lanes_dot6(&y, row->rg, w->gam + k, n);
        x += y;
        sal_lanes_dot6(&y, row->rs, w->s + k, n);
        x += y;
        sal_lanes_store(to->Dq + k, &x);
        sal_lanes_dot6(&x, row->mm, w->chi + k, n);
        sal_lanes_dot6(&y, row->rp, w->s + k, n);
        x += y;
        sal_lanes_store(to->Dv + k, &x);
        sal_lanes_dot6(&x, row->mr, w->s + k, n);
        sal_lanes_store(to->Da + k, &x);
        sal_lanes_dot6(&x, row->ml, w->s + k, n);
        sal_lanes_store(to->Dat + k, &x);
        sal_lanes_dot6(&x, row->y, w->s + k, n);
        sal_lanes_store(to->Dqt + k, &x);
        sal_lanes_dot6(&x, row->z, w->s + k, n);
        sal_lanes_store(to->Dvt + k, &x);
    }
}

/* Writes the products of dof i with the dofs `begin` to before `end`, of which i may be the last: row i, and column i above the diagonal. */
SAL_INLINE void write_run(const sal_deriv *w, const sal_products *from, int nv, int i, int begin,
                          int end)
{
    const size_t row = (size_t)i * (size_t)nv;
    for (int k = begin; k < end; k++) {
        w->Dq[row + (size_t)k] = from->Dq[k];
        w->Dv[row + (size_t)k] = from->Dv[k];
        w->Da[row + (size_t)k] = from->Da[k];
    }
    for (int k = begin; k < end && k < i; k++) {
        const size_t column = (size_t)k * (size_t)nv + (size_t)i;
        w->Dq[column] = from->Dqt[k];
        w->Dv[column] = from->Dvt[k];
        w->Da[column] = from->Dat[k];
    }
}

/* Row and column i: products with all ancestors, in runs of dofs that follow each other, whole blocks of columns at a time. */
SAL_INLINE void assemble_dof(const sal_model *m, const sal_deriv *w, const sal_dof_row *row, int i,
                             const sal_products *to)
{
    const int *chain = m->chain_dof + m->body_chainadr[m->dof_bodyid[i]];
    int done = 0; /* columns before this one are there */
    sal_products from = *to;
    if (!row->loaded) {
        from.Dat = from.Da;
    }
    for (int at = 0, last = -1; last < i; at++) {
        const int begin = chain[at];
        while (chain[at] < i && chain[at + 1] == chain[at] + 1) {
            at++;
        }
        last = chain[at];
        const int low = begin / SAL_LANES * SAL_LANES > done ? begin / SAL_LANES * SAL_LANES : done;
        done = (last / SAL_LANES + 1) * SAL_LANES;
        if (row->loaded) {
            loaded_products(to, row, w, low, done);
        } else {
            smooth_products(to, row, w, low, done);
        }
        write_run(w, &from, m->nv, i, begin, last + 1);
    }
}

/* Inside a group both orders follow the rule of an ancestor; where i came after k the column of i got the other:
 *     Dq[k][i] -= s_k'(s_i x* (F - W)) */
SAL_INLINE void mend_group(const sal_model *m, const sal_deriv *w, int i, const sal_load *load_i)
{
    double s[6], other[6], t[6], f[6];
    memcpy(f, w->composite[m->dof_bodyid[i]].F, sizeof f);
    if (load_i != NULL) {
        sal_sp_addscaled(f, f, -1, load_i->W);
    }
    load(s, w->s, w->stride, i);
    sal_sp_cross_force(t, s, f);
    for (int k = w->first[i]; k < i; k++) {
        load(other, w->s, w->stride, k);
        w->Dq[(size_t)k * (size_t)m->nv + (size_t)i] -= sal_sp_dot(other, t);
    }
}

/* r += a, both made of doubles alone */
SAL_INLINE void add_all(void *r, const void *a, size_t size)
{
    double *restrict sum = r;
    const double *restrict x = a;
    for (size_t j = 0; j < size / sizeof(double); j++) {
        sum[j] += x[j];
    }
}

SAL_INLINE void add_to_parent(sal_deriv *w, int b, int p)
{
    add_all(w->composite + p, w->composite + b, sizeof(sal_composite));
    if (w->loaded[b]) {
        add_all(sal_deriv_load(w, p), w->load + b, sizeof(sal_load));
    }
}

SAL_LANED void sal_smooth_assemble(const sal_model *m, sal_data *d, sal_deriv *w)
{
    const size_t mark = d->arena.used, n = (size_t)w->stride;
    double *rows = sal_arena_take(&d->arena, 6 * n);
    const sal_products to = {rows,         rows + n,     rows + 2 * n,
                             rows + 3 * n, rows + 4 * n, rows + 5 * n};
    for (int b = m->nbody - 1; b > 0; b--) {
        const int end = m->body_dofadr[b] + m->body_dofnum[b];
        const sal_load *load_b = w->loaded[b] ? w->load + b : NULL;
        for (int i = end - 1; i >= end - m->body_dofnum[b]; i--) {
            sal_dof_row row = {.loaded = load_b != NULL};
            inertial_row(&row, w, w->composite + b, i);
            if (row.loaded) {
                loaded_row(&row, w, load_b, i);
            }
            assemble_dof(m, w, &row, i, &to);
            if (w->first[i] < i) {
                mend_group(m, w, i, load_b);
            }
        }
        if (m->body_parentid[b] > 0) {
            add_to_parent(w, b, m->body_parentid[b]);
        }
    }
    d->arena.used = mark;
}
