/* smooth_rows.c: what each dof is multiplied with in the derivatives of the smooth part, from the
 * composites of its subtree:
 *
 *     mm = I s        rp = D's + LB's        y = I alp + D psi + s x* F + La gam + LB psi - Th s
 *     ml = mm + La s  rg = La s              z = I chi + D s + LB s
 *                     rs = - Th's - s x* W
 *                     (as s_i'(s_k x* W) = -s_k'(s_i x* W))
 *
 * Matrices are kept as six rows of eight numbers, so that a product is a sum of rows, r = M'x =
 * sum_j x_j (row j of M): whole lanes, no sums across them. Those that are needed both ways are
 * kept both ways.
 */
#include "physics/deriv/deriv.h"
#include "physics/deriv/inertial_row.h"
#include "physics/lanes.h"

#include <string.h>

enum { WIDE = PHY_WIDE };

/* ---- loads, widened ---- */

/* r += A, and its transpose */
static SAL_INLINE void add_matrix(double r[6 * WIDE], const double A[36])
{
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            r[WIDE * i + j] += A[6 * i + j];
        }
    }
}

static SAL_INLINE void add_transpose(double r[6 * WIDE], const double A[36])
{
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            r[WIDE * j + i] += A[6 * i + j];
        }
    }
}

static SAL_INLINE void widen(phy_wide_load *to, const phy_load *load)
{
    for (int j = 0; j < 6; j++) {
        to->W[j] += load->W[j];
    }
    add_matrix(to->La, load->La);
    add_matrix(to->LB, load->LB);
    add_transpose(to->LBt, load->LB);
    add_matrix(to->Th, load->Th);
    add_transpose(to->Tht, load->Th);
}

/* r += a, both made of doubles alone, whole lanes of them */
static SAL_INLINE void add_all(void *r, const void *a, size_t size)
{
    double *sum = r;
    const double *from = a;
    for (size_t j = 0; j < size / sizeof(double); j += PHY_LANES) {
        phy_lanes x, y;
        phy_lanes_load(&x, sum + j);
        phy_lanes_load(&y, from + j);
        x += y;
        phy_lanes_store(sum + j, &x);
    }
}

/* ---- products ---- */

/* r += sign x_j (row j of M) */
static SAL_INLINE void add_rows(phy_six *r, const double M[6 * WIDE], const double x[6],
                                double sign)
{
    for (int j = 0; j < 6; j++) {
        phy_six row;
        phy_six_load_wide(&row, M + WIDE * j);
        phy_six_add(r, sign * x[j], &row);
    }
}

/* m x* F in lanes: numbers that were just stored one by one would have to be waited for */
static SAL_INLINE phy_six cross_force(const double m[6], const double F[6])
{
    double x[6];
    sal_sp_cross_force(x, m, F);
    const phy_six r = {{x[0], x[1], x[2], x[3]}, {x[4], x[5], 0, 0}};
    return r;
}

/* The six numbers of dof i in columns += x */
static SAL_INLINE void add_to_column(double *columns, int i, const phy_six *x)
{
    double *to = columns + phy_column_at(i);
    for (int j = 0; j < 6; j++) {
        to[PHY_LANES * j] += j < PHY_LANES ? x->low[j] : x->high[j - PHY_LANES];
    }
}

/* The load's part of the rows of dof i. */
static SAL_INLINE void load_row(const phy_deriv *w, const phy_wide_load *load, int i)
{
    const phy_six zero = {{0}, {0}};
    phy_six rg = zero, rs = zero, rp = zero, z = zero, y = zero;
    double s[6], gam[6], psi[6];
    phy_column(s, w->s, i);
    phy_column(gam, w->gam, i);
    phy_column(psi, w->psi, i);
    add_rows(&rg, load->La, s, 1);
    phy_six_store_wide(w->row[i].rg, &rg);
    add_to_column(w->ml, i, &rg);
    const phy_six carried = cross_force(s, load->W);
    phy_six_add(&rs, -1, &carried);
    add_rows(&rs, load->Th, s, -1);
    phy_six_store_wide(w->row[i].rs, &rs);
    add_rows(&rp, load->LB, s, 1);
    add_to_column(w->rp, i, &rp);
    add_rows(&z, load->LBt, s, 1);
    add_to_column(w->z, i, &z);
    add_rows(&y, load->La, gam, 1);
    add_rows(&y, load->LBt, psi, 1);
    add_rows(&y, load->Tht, s, -1);
    add_to_column(w->y, i, &y);
}

/* ---- the inertial part, four dofs side by side ---- */

/* The composites of the bodies of four dofs. */
typedef struct phy_composites {
    phy_lanes I[10], E[9], p[3], F[6];
} phy_composites;

enum { COMPOSITE = sizeof(phy_composite) / sizeof(double) };

static SAL_INLINE void composites_of(phy_composites *r, const sal_model *m, const phy_deriv *w,
                                     int k)
{
    phy_lanes *to = (phy_lanes *)(void *)r; /* all of it is lanes */
    const double *from[PHY_LANES];
    for (int l = 0; l < PHY_LANES; l++) {
        const int dof = k + l < m->nv ? k + l : m->nv - 1;
        from[l] = (const double *)(const void *)(w->composite + m->dof_bodyid[dof]);
    }
    for (int j = 0; j < COMPOSITE; j += PHY_LANES) {
        const double *const at[PHY_LANES] = {from[0] + j, from[1] + j, from[2] + j, from[3] + j};
        phy_lanes_gather4(to + j, at);
    }
}

/* mm = ml = I s,  rp = D's,  y = I alp + D psi + s x* F,  z = I chi + D s */
static SAL_INLINE void inertial_rows(const phy_deriv *w, const phy_composites *c, size_t at)
{
    phy_lanes s[6], x[6], r[6];
    phy_lanes_load6(s, w->s + at);
    phy_inertia_times(r, c->I, s);
    phy_lanes_store6(w->mm + at, r);
    phy_lanes_store6(w->ml + at, r);
    phy_coriolis_transposed(r, c->E, c->p, s);
    phy_lanes_store6(w->rp + at, r);
    phy_lanes_load6(x, w->chi + at);
    phy_inertia_times(r, c->I, x);
    phy_add_coriolis(r, c->E, c->p, s);
    phy_lanes_store6(w->z + at, r);
    phy_lanes_load6(x, w->alp + at);
    phy_inertia_times(r, c->I, x);
    phy_lanes_load6(x, w->psi + at);
    phy_add_coriolis(r, c->E, c->p, x);
    phy_add_cross_force(r, s, c->F);
    phy_lanes_store6(w->y + at, r);
}

/* ---- bodies ---- */

/* The loads of a body's subtree when those of its children are in; NULL: none. */
static SAL_INLINE const phy_wide_load *loads_of(phy_deriv *w, int b)
{
    if (w->loaded[b]) {
        widen(phy_deriv_wide(w, b), w->load + b);
    }
    return w->subtree[b];
}

/* On to its parent: added, or handed over where the parent has none. */
static SAL_INLINE void hand_up(const phy_deriv *w, int b, int p)
{
    if (w->subtree[b] != NULL && w->subtree[p] != NULL) {
        add_all(w->subtree[p], w->subtree[b], sizeof(phy_wide_load));
    } else if (w->subtree[b] != NULL) {
        w->subtree[p] = w->subtree[b];
    }
}

static SAL_INLINE void load_rows(const sal_model *m, phy_deriv *w)
{
    for (int b = m->nbody - 1; b > 0; b--) {
        const int p = m->body_parentid[b], end = m->body_dofadr[b] + m->body_dofnum[b];
        const phy_wide_load *load = loads_of(w, b);
        for (int j = 0; j < 6; j++) {
            w->net[6 * b + j] = w->composite[b].F[j] - (load == NULL ? 0 : load->W[j]);
        }
        for (int i = end - m->body_dofnum[b]; i < end && load != NULL; i++) {
            load_row(w, load, i);
        }
        if (p > 0) {
            hand_up(w, b, p);
        }
    }
}

PHY_LANED void phy_smooth_rows(const sal_model *m, phy_deriv *work)
{
    phy_deriv here = *work, *w = &here; /* which no store of lanes can change */
    for (int b = m->nbody - 1; b > 0; b--) {
        if (m->body_parentid[b] > 0) {
            add_all(w->composite + m->body_parentid[b], w->composite + b, sizeof(phy_composite));
        }
    }
    for (int k = 0; k < m->nv; k += PHY_LANES) {
        phy_composites c;
        composites_of(&c, m, w, k);
        inertial_rows(w, &c, phy_column_at(k));
    }
    load_rows(m, w);
}
