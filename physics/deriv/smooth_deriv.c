/* smooth_deriv.c: derivatives of M a + c, and of the wrenches on bodies, by one pass out and one
 * pass back (deriv.h has the notation).
 *
 * Of one body, with h = I V, p its linear part, mc = mass times com, S = tr(Irot)/2 1 - Irot the
 * second moment of mass:
 *
 *     F = I A + V x* h         E = 2 (tr(Gm) 1 - Gm),  Gm = u mc' + [w] S,  V = (w; u)
 *     D x = ( E x_w ; 2 x_w x p )
 *     dF/dq_k = s_k x* F + I alp_k + D psi_k        dF/dv_k = I chi_k + D s_k
 *     dF/da_k = I s_k
 *
 * where D x stands for  dI/dt x + x x* h and what is left of it: Coriolis forces are 2 w x
 *                       (velocity), summed over mass. Everything is about
 * one point, so composites over a subtree are sums. With tau_i = s_i'F and (s_k x s_i)'F + s_i'(s_k
 * x* F) = 0, for k an ancestor dof of i, i itself or of its group:
 *
 *     Dq[i][k] = s_i'(I alp_k + D psi_k)               Dv[i][k] = s_i'(I chi_k + D s_k)
 *     Da[i][k] = s_i'I s_k        (I, D of i)
 *     Dq[k][i] = s_k'(I alp_i + D psi_i + s_i x* F)    Dv[k][i] = s_k'(I chi_i + D s_i)
 *     Da[k][i] = Da[i][k]
 *
 * and a load (W, La, LB, Th) of the subtree adds
 *
 *     Dq[i][k] += s_i'(La gam_k + LB psi_k - Th s_k + s_k x* W)     Dv[i][k] += s_i'LB s_k
 *     Da[i][k] += s_i'La s_k
 *     Dq[k][i] += s_k'(La gam_i + LB psi_i - Th s_i)                Dv[k][i] += s_k'LB s_i
 *     Da[k][i] likewise
 *
 * So the pass back needs, of each dof, a few 6-vectors, and of each pair of dofs, products of them
 * with the columns of deriv.h.
 */
#include "physics/deriv/deriv.h"
#include "physics/lanes.h"

#include <string.h>

/* Three rows of one dof i: where they go. */
typedef struct phy_output_row {
    double *Dq, *Dv, *Da;
    int i;
} phy_output_row;

/* Four columns of one row in the making. */
typedef struct phy_output_lanes {
    phy_lanes q, v, a;
} phy_output_lanes;

/* The numbers of dof i. */
typedef struct phy_factors {
    double mm[6], ml[6], rp[6];
    const phy_load_row *load;
} phy_factors;

/* The products with ancestors, or with i itself. */
static SAL_INLINE void ancestors(phy_output_lanes *to, const phy_deriv *w, const phy_factors *of,
                                 bool loaded, size_t at)
{
    phy_lanes x;
    phy_lanes_dot(&to->q, of->mm, w->alp + at, 6);
    phy_lanes_dot(&to->v, of->mm, w->chi + at, 6);
    phy_lanes_dot(&to->a, of->ml, w->s + at, 6);
    phy_lanes_dot(&x, of->rp, w->psi + at, loaded ? 6 : 3);
    to->q += x;
    phy_lanes_dot(&x, of->rp, w->s + at, loaded ? 6 : 3);
    to->v += x;
    if (loaded) {
        phy_lanes_dot(&x, of->load->rg, w->gam + at, 6);
        to->q += x;
        phy_lanes_dot(&x, of->load->rs, w->s + at, 6);
        to->q += x;
    }
}

/* The products with what hangs from i. */
static SAL_INLINE void descendants(phy_output_lanes *to, const phy_deriv *w, const double s[6],
                                   size_t at)
{
    phy_lanes_dot(&to->q, s, w->y + at, 6);
    phy_lanes_dot(&to->v, s, w->z + at, 6);
    phy_lanes_dot(&to->a, s, w->ml + at, 6);
}

static SAL_INLINE void keep(phy_output_lanes *x, unsigned which)
{
    phy_lanes_keep(&x->q, which);
    phy_lanes_keep(&x->v, which);
    phy_lanes_keep(&x->a, which);
}

/* Row i, four columns at a time: each a product with an ancestor, with a descendant, or zero. Whole
 * lanes are written, beyond the row, too. */
static SAL_INLINE void write_row(int nv, const phy_deriv *w, const phy_output_row *row, bool loaded)
{
    const int i = row->i, end = w->end[row->i], all = (1 << PHY_LANES) - 1;
    const uint64_t *above = w->above + (size_t)i * (size_t)w->words;
    phy_factors of = {.load = w->row + i};
    double s[6];
    phy_column(s, w->s, i);
    phy_column(of.mm, w->mm, i);
    phy_column(of.ml, w->ml, i);
    phy_column(of.rp, w->rp, i);
    for (int k = 0; k < nv; k += PHY_LANES) {
        const size_t at = phy_column_at(k);
        const unsigned up = (unsigned)(above[k / 64] >> (k % 64)) & (unsigned)all;
        phy_output_lanes x = {{0}, {0}, {0}}, y;
        if (up != 0) {
            ancestors(&x, w, &of, loaded, at);
            keep(&x, up);
        }
        if (k + PHY_LANES > i + 1 && k < end) {
            const unsigned before = k > i ? 0 : (2U << (i - k)) - 1;
            const unsigned within = end - k < PHY_LANES ? (1U << (end - k)) - 1 : (unsigned)all;
            descendants(&y, w, s, at);
            keep(&y, within & ~before);
            x.q += y.q, x.v += y.v, x.a += y.a;
        }
        phy_lanes_store(row->Dq + k, &x.q);
        phy_lanes_store(row->Dv + k, &x.v);
        phy_lanes_store(row->Da + k, &x.a);
    }
}

/* Inside a group both orders follow the rule of an ancestor, where i came first the other was
 * applied:
 *     Dq[i][k] -= s_i'(s_k x* (F - W)) */
static SAL_INLINE void mend_group(const sal_model *m, const sal_data *d, const phy_deriv *w,
                                  const phy_output_row *row)
{
    const int i = row->i, b = m->dof_bodyid[i];
    for (int k = i + 1; k < m->nv && w->first[k] <= i; k++) {
        double t[6];
        sal_sp_cross_force(t, d->cdof + 6 * k, w->net + 6 * b);
        row->Dq[k] -= sal_sp_dot(d->cdof + 6 * i, t);
    }
}

static SAL_INLINE void finish_row(const sal_model *m, const sal_data *d, const phy_deriv *w,
                                  const phy_output_row *row)
{
    if (w->subtree[m->dof_bodyid[row->i]] != NULL) {
        write_row(m->nv, w, row, true);
    } else {
        write_row(m->nv, w, row, false);
    }
    mend_group(m, d, w, row);
}

/* Row i by way of the spare ones: nothing beyond its end is touched. */
static SAL_INLINE void write_row_apart(const sal_model *m, const sal_data *d, const phy_deriv *w,
                                       int i)
{
    const size_t n = (size_t)m->nv, at = (size_t)i * n, bytes = n * sizeof(double);
    double *spare = w->spare;
    const phy_output_row row = {spare, spare + n + PHY_LANES, spare + 2 * (n + PHY_LANES), i};
    finish_row(m, d, w, &row);
    memcpy(w->Dq + at, row.Dq, bytes);
    memcpy(w->Dv + at, row.Dv, bytes);
    memcpy(w->Da + at, row.Da, bytes);
}

/* Rows are written one after the other: what is too much at the end of one is written again by the
 * next. The last has no next; nor are there two rows long enough. */
PHY_LANED void phy_smooth_products(const sal_model *m, const sal_data *d, const phy_deriv *work)
{
    const phy_deriv here = *work, *w = &here; /* which no store of lanes can change */
    const size_t n = (size_t)m->nv;
    for (int i = 0; i < m->nv; i++) {
        const size_t at = (size_t)i * n;
        if (at + n + PHY_LANES - 1 <= n * n) {
            const phy_output_row row = {w->Dq + at, w->Dv + at, w->Da + at, i};
            finish_row(m, d, w, &row);
        } else {
            write_row_apart(m, d, w, i);
        }
    }
}
