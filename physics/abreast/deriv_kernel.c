/* deriv_kernel.c: the memory of the derivatives of several instants, and the way of what each
 * instant needs for its loads. */
#include "physics/abreast/deriv_kernel.h"

#include "physics/abreast/turn.h"
#include "physics/abreast/wide_deriv.h"

#include <string.h>

/* Of an instant: what its loads are made from, and where they go */
static void lay_out_instant(phy_deriv *one, const sal_model *m, sal_layout *layout)
{
    const size_t nbody = (size_t)m->nbody;
    one->G = sal_layout_take(layout, PHY_WIDE * nbody, sizeof *one->G);
    one->wide = sal_layout_take(layout, nbody, sizeof *one->wide);
    one->subtree = sal_layout_take(layout, nbody, sizeof *one->subtree);
}

/* Places all in a block, the struct first; run twice, to measure and to place. */
static void lay_out(phy_wide_deriv *w, const sal_model *m, sal_layout *layout)
{
    const size_t nv = (size_t)m->nv, nbody = (size_t)m->nbody;
    const size_t words = phy_deriv_words(m), columns = phy_deriv_columns(m);
    sal_layout_take(layout, 1, sizeof *w);
#define PHY_PLACE(type, name, count) w->name = sal_layout_take(layout, count, sizeof(type));
    PHY_WIDE_DERIV_ARRAYS(PHY_PLACE)
#undef PHY_PLACE
    w->words = (int)words;
    for (int l = 0; l < PHY_WIDTH; l++) {
        lay_out_instant(w->instant + l, m, layout);
    }
    phy_deriv one = {.s = sal_layout_take(layout, columns, sizeof *one.s)};
    one.psi = sal_layout_take(layout, columns, sizeof *one.psi);
    one.gam = sal_layout_take(layout, columns, sizeof *one.gam);
    one.alp = sal_layout_take(layout, columns, sizeof *one.alp);
    one.chi = sal_layout_take(layout, columns, sizeof *one.chi);
    for (int l = 0; l < PHY_WIDTH; l++) { /* all instants use them in turn */
        phy_deriv *to = w->instant + l;
        to->first = w->first;
        to->s = one.s, to->psi = one.psi, to->gam = one.gam, to->alp = one.alp, to->chi = one.chi;
    }
}

static size_t size(const sal_model *m)
{
    phy_wide_deriv w = {0};
    sal_layout layout = {NULL, 0};
    lay_out(&w, m, &layout);
    return layout.size;
}

static void begin(const sal_model *m, void *block)
{
    phy_wide_deriv *w = block;
    double *nothing;
    sal_layout layout = {block, 0};
    lay_out(w, m, &layout);
    nothing = w->nothing->W;
    for (size_t j = 0; j < sizeof *w->nothing / sizeof *nothing; j++) {
        nothing[j] = -0.0;
    }
    phy_deriv_subtrees(m, w->above, w->words, w->end);
    phy_row_blocks(m, w);
}

static void columns(const sal_model *m, void *block, void *instants, sal_data *const *d, int n)
{
    phy_wide_deriv *w = block;
    phy_instants *x = instants;
    double *a[PHY_WIDTH]; /* which an instant may have found by itself */
    for (int l = 0; l < PHY_WIDTH; l++) {
        a[l] = d[l < n ? l : n - 1]->qacc;
    }
    phy_pack(x->qacc, a, m->nv);
    phy_columns_abreast(m, x, w);
}

static bool contacts(const sal_model *m, void *block, const void *instants, sal_data *const *d,
                     int n)
{
    return phy_contacts_abreast(m, instants, block, d, n);
}

static void motions(const sal_model *m, void *block)
{
    const phy_wide_deriv *w = block;
    double *G[PHY_WIDTH];
    for (int l = 0; l < PHY_WIDTH; l++) {
        G[l] = w->instant[l].G;
    }
    phy_unpack(G, w->G, PHY_WIDE * m->nbody);
}

static phy_deriv *instant(void *block, int i)
{
    phy_wide_deriv *w = block;
    return w->instant + i;
}

/* Lane l as columns, see phy_column_at */
static void bring_columns(double *to, const phy_real *from, int nv, int l)
{
    for (int k = 0; k < nv; k++) {
        for (int j = 0; j < 6; j++) {
            to[phy_column_at(k) + (size_t)(PHY_LANES * j)] = from[6 * k + j][l];
        }
    }
}

static void bring(const sal_model *m, void *block, const void *instants, int i)
{
    const phy_wide_deriv *w = block;
    const phy_instants *x = instants;
    const phy_deriv *to = w->instant + i;
    bring_columns(to->s, x->cdof, m->nv, i);
    bring_columns(to->psi, x->cdof_dot, m->nv, i);
    bring_columns(to->gam, w->gam, m->nv, i);
    bring_columns(to->alp, w->alp, m->nv, i);
    bring_columns(to->chi, w->chi, m->nv, i);
}

static void products(const sal_model *m, void *block, const void *instants,
                     const phy_abreast_jacobian *J, int n)
{
    phy_rows_abreast(m, instants, block);
    phy_products_abreast(m, instants, block, J, n);
}

const phy_deriv_kernel phy_deriv_kernel_here = {size,    begin,   columns, contacts,
                                                motions, instant, bring,   products};
