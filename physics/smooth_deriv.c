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

/* Columns [begin, end) of ancestors and of i itself; whole lanes are written, what is too much will be written again. */
SAL_INLINE void write_ancestors(sal_output_row *row, const sal_deriv *w, bool loaded, int begin,
                                int end)
{
    const int n = w->stride;
    const sal_dof_row *of = w->row + row->i;
    const double *mm = of->mm, *rp = of->rp, *ml = of->ml, *rg = of->rg, *rs = of->rs;
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
    for (int j = 0; j < 6; j++) {
        s[j] = w->s[j * n + row->i];
    }
    for (int k = row->i + 1; k < end; k += SAL_LANES) {
        sal_lanes x;
        sal_lanes_dot6(&x, s, w->y + k, n);
        sal_lanes_store(row->Dq + k, &x);
        sal_lanes_dot6(&x, s, w->z + k, n);
        sal_lanes_store(row->Dv + k, &x);
        sal_lanes_dot6(&x, s, w->ml + k, n);
        sal_lanes_store(row->Da + k, &x);
    }
    row->done = end;
}

/* Inside a group both orders follow the rule of an ancestor, where write_descendants applied the other:
 *     Dq[i][k] -= s_i'(s_k x* (F - W)) */
SAL_INLINE void mend_group(const sal_model *m, const sal_data *d, const sal_deriv *w,
                           const sal_output_row *row)
{
    const int i = row->i, b = m->dof_bodyid[i];
    for (int k = i + 1; k < m->nv && w->first[k] <= i; k++) {
        double f[6], t[6];
        memcpy(f, w->composite[b].F, sizeof f);
        if (w->widened[b]) {
            sal_sp_addscaled(f, f, -1, w->wide[b].W);
        }
        sal_sp_cross_force(t, d->cdof + 6 * k, f);
        row->Dq[k] -= sal_sp_dot(d->cdof + 6 * i, t);
    }
}

/* Row i: the runs of its ancestors, itself, the dofs of its subtree, zeros between. */
SAL_INLINE void write_row(const sal_model *m, const sal_data *d, const sal_deriv *w,
                          sal_output_row *row)
{
    const int i = row->i, b = m->dof_bodyid[i];
    const int *chain = m->chain_dof + m->body_chainadr[b];
    const bool loaded = w->widened[b];
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
    mend_group(m, d, w, row);
}

/* Row i by way of the spare ones: nothing beyond its end is touched. */
SAL_INLINE void write_row_apart(const sal_model *m, const sal_data *d, const sal_deriv *w, int i)
{
    const size_t n = (size_t)m->nv, at = (size_t)i * n, bytes = n * sizeof(double);
    double *spare = w->spare;
    sal_output_row row = {spare, spare + w->stride, spare + 2 * w->stride, i, 0};
    write_row(m, d, w, &row);
    memcpy(w->Dq + at, row.Dq, bytes);
    memcpy(w->Dv + at, row.Dv, bytes);
    memcpy(w->Da + at, row.Da, bytes);
}

/* Rows are written one after the other: what is too much at the end of one is written again by the next. The last has no next; nor are there
 * two rows long enough. */
SAL_LANED void sal_smooth_products(const sal_model *m, const sal_data *d, sal_deriv *w)
{
    const size_t n = (size_t)m->nv;
    for (int i = 0; i < m->nv; i++) {
        const size_t at = (size_t)i * n;
        if (at + n + SAL_LANES - 1 <= n * n) {
            sal_output_row row = {w->Dq + at, w->Dv + at, w->Da + at, i, 0};
            write_row(m, d, w, &row);
        } else {
            write_row_apart(m, d, w, i);
        }
    }
}
