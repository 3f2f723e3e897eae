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

/* ---- back: composites of subtrees -------------------------------------------------------------------------------------------------- */

/* r += a, both made of doubles alone */
SAL_INLINE void add_all(void *r, const void *a, size_t size)
{
    double *restrict sum = r;
    const double *restrict x = a;
    for (size_t j = 0; j < size / sizeof(double); j++) {
        sum[j] += x[j];
    }
}

SAL_INLINE void sum_subtrees(const sal_model *m, sal_deriv *w)
{
    for (int b = m->nbody - 1; b > 0; b--) {
        const int p = m->body_parentid[b];
        if (p > 0) {
            add_all(w->composite + p, w->composite + b, sizeof(sal_composite));
        }
        if (p > 0 && w->loaded[b]) {
            add_all(sal_deriv_load(w, p), w->load + b, sizeof(sal_load));
        }
    }
}

/* ---- what each dof is multiplied with, the dofs of a body side by side ------------------------------------------------------------------
 *
 *     Dq[i][k] = mm_i'alp_k + rp_i'psi_k + rg_i'gam_k + rs_i's_k       Dv[i][k] = mm_i'chi_k + rp_i's_k      Da[i][k] = ml_i's_k
 *     Dq[k][i] = y_i's_k                                               Dv[k][i] = z_i's_k                    Da[k][i] = ml_i's_k     */

/* r = I m */
SAL_INLINE void inertia_times(sal_lanes r[6], const double I[10], const sal_lanes m[6])
{
    const double *h = I + 6;
    r[0] = I[0] * m[0] + I[3] * m[1] + I[4] * m[2] + (h[1] * m[5] - h[2] * m[4]);
    r[1] = I[3] * m[0] + I[1] * m[1] + I[5] * m[2] + (h[2] * m[3] - h[0] * m[5]);
    r[2] = I[4] * m[0] + I[5] * m[1] + I[2] * m[2] + (h[0] * m[4] - h[1] * m[3]);
    r[3] = I[9] * m[3] + (h[2] * m[1] - h[1] * m[2]);
    r[4] = I[9] * m[4] + (h[0] * m[2] - h[2] * m[0]);
    r[5] = I[9] * m[5] + (h[1] * m[0] - h[0] * m[1]);
}

/* r += D x = ( E x_w ; x_w x p ) */
SAL_INLINE void add_coriolis(sal_lanes r[6], const sal_composite *c, const sal_lanes x[6])
{
    const double *E = c->E, *p = c->p;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        r[i] += E[3 * i] * x[0] + E[3 * i + 1] * x[1] + E[3 * i + 2] * x[2];
        r[3 + i] += p[k] * x[j] - p[j] * x[k];
    }
}

/* r = D'x = E'x_w + p x x_u, its rotation part: the other is zero */
SAL_INLINE void coriolis_transposed(sal_lanes r[3], const sal_composite *c, const sal_lanes x[6])
{
    const double *E = c->E, *p = c->p;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        r[i] =
            E[i] * x[0] + E[3 + i] * x[1] + E[6 + i] * x[2] + (p[j] * x[3 + k] - p[k] * x[3 + j]);
    }
}

/* r += sign (m x* F) = sign ( w x n + u x f ; w x f ) */
SAL_INLINE void add_cross_force(sal_lanes r[6], const sal_lanes m[6], const double F[6],
                                double sign)
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        r[i] += sign * ((m[j] * F[k] - m[k] * F[j]) + (m[3 + j] * F[3 + k] - m[3 + k] * F[3 + j]));
        r[3 + i] += sign * (m[j] * F[3 + k] - m[k] * F[3 + j]);
    }
}

/* r += sign A x,  r += sign A'x */
SAL_INLINE void add_matrix_times(sal_lanes r[6], const double A[36], const sal_lanes x[6],
                                 double sign)
{
    for (int i = 0; i < 6; i++) {
        const double *a = A + 6 * i;
        r[i] += sign * ((a[0] * x[0] + a[1] * x[1] + a[2] * x[2]) +
                        (a[3] * x[3] + a[4] * x[4] + a[5] * x[5]));
    }
}

SAL_INLINE void add_transposed_times(sal_lanes r[6], const double A[36], const sal_lanes x[6],
                                     double sign)
{
    for (int i = 0; i < 6; i++) {
        const double *a = A + i;
        r[i] += sign * ((a[0] * x[0] + a[6] * x[1] + a[12] * x[2]) +
                        (a[18] * x[3] + a[24] * x[4] + a[30] * x[5]));
    }
}

/* The load's part:  rg = La s,  rs = -Th's - s x* W  (as s'(s_k x* W) = -s_k'(s x* W)),  rp += LB's,
 *                   ml += La s,  y += La gam + LB psi - Th s,  z += LB s */
SAL_INLINE void add_load(sal_deriv *w, const sal_load *load, int k, const sal_lanes s[6],
                         const sal_lanes psi[6], sal_lanes rp[6], sal_lanes y[6], sal_lanes z[6])
{
    const int n = w->stride;
    sal_lanes rg[6] = {{0}}, rs[6] = {{0}}, x[6];
    add_matrix_times(rg, load->La, s, 1);
    sal_lanes_store6(w->row.rg + k, n, rg);
    add_transposed_times(rs, load->Th, s, -1);
    add_cross_force(rs, s, load->W, -1);
    sal_lanes_store6(w->row.rs + k, n, rs);
    add_transposed_times(rp, load->LB, s, 1);
    sal_lanes_load6(x, w->gam + k, n);
    add_matrix_times(y, load->La, x, 1);
    add_matrix_times(y, load->LB, psi, 1);
    add_matrix_times(y, load->Th, s, -1);
    add_matrix_times(z, load->LB, s, 1);
    sal_lanes_load6(x, w->row.mm + k, n);
    for (int j = 0; j < 6; j++) {
        x[j] += rg[j];
    }
    sal_lanes_store6(w->row.ml + k, n, x);
}

/* mm = I s,  rp = D's,  y = I alp + D psi + s x* F,  z = I chi + D s,  ml = mm  of some dofs of a body from k on; then the load's part */
SAL_INLINE void dof_rows(sal_deriv *w, const sal_composite *c, const sal_load *load, int k)
{
    const int n = w->stride;
    const sal_lanes none = {0};
    sal_lanes s[6], psi[6], x[6], r[6], y[6], z[6];
    sal_lanes_load6(s, w->s + k, n);
    sal_lanes_load6(psi, w->psi + k, n);
    inertia_times(r, c->I, s);
    sal_lanes_store6(w->row.mm + k, n, r);
    sal_lanes_store6(w->row.ml + k, n, r);

    sal_lanes_load6(x, w->alp + k, n);
    inertia_times(y, c->I, x);
    add_coriolis(y, c, psi);
    add_cross_force(y, s, c->F, 1);

    sal_lanes_load6(x, w->chi + k, n);
    inertia_times(z, c->I, x);
    add_coriolis(z, c, s);

    coriolis_transposed(r, c, s);
    r[3] = r[4] = r[5] = none;
    if (load != NULL) {
        add_load(w, load, k, s, psi, r, y, z);
    }
    sal_lanes_store6(w->row.rp + k, n, r);
    sal_lanes_store6(w->row.y + k, n, y);
    sal_lanes_store6(w->row.z + k, n, z);
}

/* Ascending, so that what a body writes beyond its last dof is written again. */
SAL_INLINE void all_rows(const sal_model *m, sal_deriv *w)
{
    for (int b = 1; b < m->nbody; b++) {
        const int end = m->body_dofadr[b] + m->body_dofnum[b];
        for (int k = end - m->body_dofnum[b]; k < end; k += SAL_LANES) {
            dof_rows(w, w->composite + b, w->loaded[b] ? w->load + b : NULL, k);
        }
    }
}

/* ---- products of dofs --------------------------------------------------------------------------------------------------------------------- */

/* Row i under way: where it goes, and up to which column it is written. */
typedef struct sal_output_row {
    double *Dq, *Dv, *Da;
    int i, done;
} sal_output_row;

/* Columns of dofs that have nothing to do with dof i. */
SAL_INLINE void write_zeros(sal_output_row *row, int end)
{
    for (; row->done < end; row->done++) {
        row->Dq[row->done] = row->Dv[row->done] = row->Da[row->done] = 0;
    }
}

/* The six numbers of dof i */
SAL_INLINE void gather(double r[6], const double *columns, int stride, int i)
{
    for (int j = 0; j < 6; j++) {
        r[j] = columns[j * stride + i];
    }
}

/* Columns [begin, end) of ancestors and of i itself; whole lanes are written, what is too much will be written again. */
SAL_INLINE void write_ancestors(sal_output_row *row, const sal_deriv *w, bool loaded, int begin,
                                int end)
{
    const int n = w->stride;
    double mm[6], rp[6], ml[6], rg[6], rs[6];
    gather(mm, w->row.mm, n, row->i);
    gather(rp, w->row.rp, n, row->i);
    gather(ml, w->row.ml, n, row->i);
    if (loaded) {
        gather(rg, w->row.rg, n, row->i);
        gather(rs, w->row.rs, n, row->i);
    }
    for (int k = begin; k < end; k += SAL_LANES) {
        sal_lanes q, v, a, x;
        sal_lanes_dot6(&q, mm, w->alp + k, n);
        sal_lanes_dot6(&v, mm, w->chi + k, n);
        sal_lanes_dot6(&a, ml, w->s + k, n);
        if (loaded) {
            sal_lanes_dot6(&x, rp, w->psi + k, n);
            q += x;
            sal_lanes_dot6(&x, rg, w->gam + k, n);
            q += x;
            sal_lanes_dot6(&x, rs, w->s + k, n);
            q += x;
            sal_lanes_dot6(&x, rp, w->s + k, n);
            v += x;
        } else {
            sal_lanes_dot3(&x, rp, w->psi + k, n);
            q += x;
            sal_lanes_dot3(&x, rp, w->s + k, n);
            v += x;
        }
        sal_lanes_store(row->Dq + k, &q);
        sal_lanes_store(row->Dv + k, &v);
        sal_lanes_store(row->Da + k, &a);
    }
    row->done = end;
}

/* Columns [i + 1, end) of what hangs from i */
SAL_INLINE void write_descendants(sal_output_row *row, const sal_deriv *w, int end)
{
    const int n = w->stride;
    double s[6];
    gather(s, w->s, n, row->i);
    for (int k = row->i + 1; k < end; k += SAL_LANES) {
        sal_lanes x;
        sal_lanes_dot6(&x, s, w->row.y + k, n);
        sal_lanes_store(row->Dq + k, &x);
        sal_lanes_dot6(&x, s, w->row.z + k, n);
        sal_lanes_store(row->Dv + k, &x);
        sal_lanes_dot6(&x, s, w->row.ml + k, n);
        sal_lanes_store(row->Da + k, &x);
    }
    row->done = end;
}

/* Inside a group both orders follow the rule of an ancestor, where write_descendants applied the other:
 *     Dq[i][k] -= s_i'(s_k x* (F - W)) */
SAL_INLINE void mend_group(const sal_model *m, const sal_deriv *w, const sal_output_row *row)
{
    const int i = row->i, b = m->dof_bodyid[i];
    double f[6], s[6], other[6], t[6];
    memcpy(f, w->composite[b].F, sizeof f);
    if (w->loaded[b]) {
        sal_sp_addscaled(f, f, -1, w->load[b].W);
    }
    gather(s, w->s, w->stride, i);
    for (int k = i + 1; k < m->nv && w->first[k] <= i; k++) {
        gather(other, w->s, w->stride, k);
        sal_sp_cross_force(t, other, f);
        row->Dq[k] -= sal_sp_dot(s, t);
    }
}

/* Row i: the runs of its ancestors, itself, the dofs of its subtree, zeros between. */
SAL_INLINE void write_row(const sal_model *m, const sal_deriv *w, sal_output_row *row)
{
    const int i = row->i, b = m->dof_bodyid[i];
    const int *chain = m->chain_dof + m->body_chainadr[b];
    const bool loaded = w->loaded[b];
    for (int at = 0, last = -1; last < i; at++) {
        const int begin = chain[at];
        while (chain[at] < i && chain[at + 1] == chain[at] + 1) {
            at++;
        }
        last = chain[at];
        write_zeros(row, begin);
        if (loaded) {
            write_ancestors(row, w, true, begin, last + 1);
        } else {
            write_ancestors(row, w, false, begin, last + 1);
        }
    }
    write_descendants(row, w, w->end[i]);
    write_zeros(row, m->nv);
    mend_group(m, w, row);
}

/* Row i by way of the spare ones: nothing beyond its end is touched. */
SAL_INLINE void write_row_apart(const sal_model *m, const sal_deriv *w, int i)
{
    const size_t n = (size_t)m->nv, at = (size_t)i * n, bytes = n * sizeof(double);
    double *spare = w->spare;
    sal_output_row row = {spare, spare + w->stride, spare + 2 * w->stride, i, 0};
    write_row(m, w, &row);
    memcpy(w->Dq + at, row.Dq, bytes);
    memcpy(w->Dv + at, row.Dv, bytes);
    memcpy(w->Da + at, row.Da, bytes);
}

/* Rows are written one after the other: what is too much at the end of one is written again by the next. The last has no next; nor are there
 * two rows long enough. */
SAL_INLINE void write_rows(const sal_model *m, const sal_deriv *w)
{
    const size_t n = (size_t)m->nv;
    for (int i = 0; i < m->nv; i++) {
        const size_t at = (size_t)i * n;
        if (at + n + SAL_LANES - 1 <= n * n) {
            sal_output_row row = {w->Dq + at, w->Dv + at, w->Da + at, i, 0};
            write_row(m, w, &row);
        } else {
            write_row_apart(m, w, i);
        }
    }
}

SAL_LANED void sal_smooth_assemble(const sal_model *m, sal_deriv *w)
{
    sum_subtrees(m, w);
    all_rows(m, w);
    write_rows(m, w);
}
