/* deriv_rows.c: physics/deriv/smooth_rows.c for several instants at once. */
#include "physics/abreast/turn.h"
#include "physics/abreast/wide_deriv.h"

#define PHY_CELL phy_real
#include "physics/deriv/inertial_row.h"

/* ---- the inertial part ---- */

/* mm = ml = I s,  rp = D's,  y = I alp + D psi + s x* F,  z = I chi + D s */
static SAL_INLINE void inertial_rows(const phy_instants *x, const phy_wide_deriv *w,
                                     const phy_composites_abreast *c, int i)
{
    const int at = 6 * i;
    const phy_real *s = x->cdof + at;
    phy_real *y = w->y + at, *z = w->z + at;
    phy_inertia_times(w->mm + at, c->I, s);
    phy_copy(w->ml + at, w->mm + at, 6);
    phy_coriolis_transposed(w->rp + at, c->E, c->p, s);
    phy_inertia_times(z, c->I, w->chi + at);
    phy_add_coriolis(z, c->E, c->p, s);
    phy_inertia_times(y, c->I, w->alp + at);
    phy_add_coriolis(y, c->E, c->p, x->cdof_dot + at);
    phy_add_cross_force(y, s, c->F);
}

/* ---- loads ---- */

/* Six numbers of each row of eight */
static SAL_INLINE void pack_matrix(phy_real to[36], const double *const from[PHY_WIDTH])
{
    const double *row[PHY_WIDTH];
    for (int i = 0; i < 6; i++) {
        for (int l = 0; l < PHY_WIDTH; l++) {
            row[l] = from[l] + PHY_WIDE * i;
        }
        phy_pack_six(to + 6 * i, row);
    }
}

/* The loads of body b in all instants; whether there are any */
static void pack_loads(phy_wide_deriv *w, int b)
{
    phy_loads_abreast *to = w->load + b;
    const phy_wide_load *load[PHY_WIDTH];
    const double *W[PHY_WIDTH], *La[PHY_WIDTH], *LB[PHY_WIDTH], *LBt[PHY_WIDTH], *Th[PHY_WIDTH];
    unsigned loaded = 0;
    for (int l = 0; l < PHY_WIDTH; l++) {
        load[l] = w->instant[l].subtree[b];
        loaded |= (unsigned)(load[l] != NULL) << l;
    }
    w->loaded[b] = (unsigned char)loaded;
    w->subtree[b] = loaded != 0 ? to : NULL;
    if (loaded == 0) {
        return;
    }
    for (int l = 0; l < PHY_WIDTH; l++) {
        const phy_wide_load *one = load[l] != NULL ? load[l] : w->nothing;
        W[l] = one->W, La[l] = one->La, LB[l] = one->LB, LBt[l] = one->LBt, Th[l] = one->Th;
    }
    phy_pack_six(to->W, W);
    pack_matrix(to->La, La);
    pack_matrix(to->LB, LB);
    pack_matrix(to->LBt, LBt);
    pack_matrix(to->Th, Th);
}

/* On to its parent: added, or handed over where the parent has none. */
static void hand_up(phy_wide_deriv *w, int b, int p)
{
    const size_t all = sizeof *w->load - (w->alike ? sizeof w->load->LBt : 0),
                 numbers = all / sizeof(phy_real);
    if (w->subtree[b] != NULL && w->subtree[p] != NULL) {
        phy_real *sum = w->subtree[p]->W;
        const phy_real *from = w->subtree[b]->W;
        for (size_t j = 0; j < numbers; j++) {
            sum[j] += from[j];
        }
    } else if (w->subtree[b] != NULL) {
        w->subtree[p] = w->subtree[b];
    }
    w->loaded[p] |= w->loaded[b];
}

/* r += sign x_j (row j of M) */
static SAL_INLINE void add_rows(phy_real r[6], const phy_real M[36], const phy_real x[6],
                                double sign)
{
    for (int j = 0; j < 6; j++) {
        const phy_real scale = sign * x[j];
        for (int c = 0; c < 6; c++) {
            r[c] += scale * M[6 * j + c];
        }
    }
}

/* r += sign x_j (column j of M) */
static SAL_INLINE void add_columns(phy_real r[6], const phy_real M[36], const phy_real x[6],
                                   double sign)
{
    for (int j = 0; j < 6; j++) {
        const phy_real scale = sign * x[j];
        for (int c = 0; c < 6; c++) {
            r[c] += scale * M[6 * c + j];
        }
    }
}

/* r += x in the lanes that have loads; which NULL: all */
static SAL_INLINE void add_where(phy_real r[6], const phy_real x[6], const phy_truth *which)
{
    for (int j = 0; j < 6; j++) {
        const phy_real sum = r[j] + x[j];
        if (which == NULL) {
            r[j] = sum;
        } else {
            phy_choose(r + j, which, &sum, r + j);
        }
    }
}

static SAL_INLINE void clear(phy_real r[6])
{
    for (int j = 0; j < 6; j++) {
        r[j] = (phy_real){0};
    }
}

/* The load's part of the rows of dof i. alike: see phy_wide_deriv */
static SAL_INLINE void load_row(const phy_instants *x, const phy_wide_deriv *w,
                                const phy_loads_abreast *load, const phy_truth *which, int i,
                                bool alike)
{
    const phy_real *LBt = alike ? load->LB : load->LBt;
    const int at = 6 * i;
    const phy_real *s = x->cdof + at;
    phy_real carried[6], r[6], *rg = w->rg + at, *rs = w->rs + at;
    clear(rg);
    add_rows(rg, load->La, s, 1);
    add_where(w->ml + at, rg, which);
    phy_sp_cross_force(carried, s, load->W);
    for (int j = 0; j < 6; j++) {
        rs[j] = (phy_real){0} + -1 * carried[j];
    }
    add_rows(rs, load->Th, s, -1);
    clear(r);
    add_rows(r, load->LB, s, 1);
    add_where(w->rp + at, r, which);
    if (!alike) {
        clear(r);
        add_rows(r, LBt, s, 1);
    }
    add_where(w->z + at, r, which);
    clear(r);
    add_rows(r, load->La, w->gam + at, 1);
    add_rows(r, LBt, x->cdof_dot + at, 1);
    add_columns(r, load->Th, s, -1);
    add_where(w->y + at, r, which);
}

/* ---- bodies ---- */

/* net = F - W of the subtree */
static SAL_INLINE void net_of(const phy_wide_deriv *w, int b, const phy_truth *which)
{
    const phy_loads_abreast *load = w->subtree[b];
    const phy_real none = {0};
    for (int j = 0; j < 6; j++) {
        phy_real W = none;
        if (load != NULL) {
            phy_choose(&W, which, load->W + j, &none);
        }
        w->net[6 * b + j] = w->composite[b].F[j] - W;
    }
}

static void load_rows(const sal_model *m, const phy_instants *x, phy_wide_deriv *w)
{
    for (int b = m->nbody - 1; b > 0; b--) {
        const int p = m->body_parentid[b], end = m->body_dofadr[b] + m->body_dofnum[b];
        phy_truth which;
        phy_lanes_of_bits(&which, w->loaded[b]);
        net_of(w, b, &which);
        for (int i = end - m->body_dofnum[b]; i < end && w->subtree[b] != NULL; i++) {
            if (w->alike && w->loaded[b] == (1U << PHY_WIDTH) - 1) {
                load_row(x, w, w->subtree[b], NULL, i, true);
            } else {
                load_row(x, w, w->subtree[b], &which, i, w->alike);
            }
        }
        if (p > 0) {
            hand_up(w, b, p);
        }
    }
}

/* Inertias and forces of subtrees */
static void compose(const sal_model *m, const phy_wide_deriv *w)
{
    for (int b = m->nbody - 1; b > 0; b--) {
        const int p = m->body_parentid[b];
        phy_real *sum = w->composite[p].I;
        const phy_real *from = w->composite[b].I;
        for (size_t j = 0; p > 0 && j < sizeof *w->composite / sizeof(phy_real); j++) {
            sum[j] += from[j];
        }
    }
}

void phy_rows_abreast(const sal_model *m, const phy_instants *x, phy_wide_deriv *w)
{
    compose(m, w);
    for (int i = 0; i < m->nv; i++) {
        inertial_rows(x, w, w->composite + m->dof_bodyid[i], i);
    }
    for (int b = 0; b < m->nbody && !w->alike; b++) {
        pack_loads(w, b);
    }
    load_rows(m, x, w);
}
