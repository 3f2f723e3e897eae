/* inverse_deriv.c: exact derivatives of the inverse dynamics,  tau = M a + c - passive - J'f.
 *
 * A contact with something that cannot move acts on its body like an added inertia, damping and stiffness: these 6 x 6 matrices are summed
 * up the tree together with the inertias, so nothing is ever multiplied by a Jacobian of contacts. Whatever couples single dofs (limits,
 * springs, tendons, contacts of two moving bodies) is added afterwards.
 */
#include "physics/contact_law.h"
#include "physics/deriv/deriv_pieces.h"
#include "physics/lanes.h"

#include <string.h>

enum {
    COLUMNS = 5 + 5, /* s psi gam alp chi; mm ml rp y z */
    SPARE = 3,
    PATH = 80 /* numbers of phy_contact_pairs per dof, both chains */
};

/* Numbers per dof and per body beside the columns. */
static const size_t dof_numbers = (sizeof(phy_load_row) + sizeof(phy_around)) / sizeof(double);
static const size_t body_numbers =
    2 * PHY_WIDE + 6 +
    (sizeof(phy_composite) + sizeof(phy_load) + sizeof(phy_wide_load)) / sizeof(double);

/* Numbers of an array of columns: whole blocks. */
static size_t column_numbers(const sal_model *m)
{
    return 6 * PHY_LANES * (((size_t)m->nv + PHY_LANES - 1) / PHY_LANES);
}

static size_t words_of(const sal_model *m)
{
    return ((size_t)m->nv + PHY_LANES + 63) / 64;
}

size_t phy_deriv_scratch(const sal_model *m)
{
    const size_t nbody = (size_t)m->nbody, nv = (size_t)m->nv;
    return COLUMNS * column_numbers(m) + nv * (dof_numbers + PATH + SPARE + words_of(m) + 2) +
           nbody * (body_numbers + 2) + 64;
}

static sal_status take(phy_deriv *w, const sal_model *m, sal_data *d, sal_err *err)
{
    const size_t nbody = (size_t)m->nbody, nv = (size_t)m->nv, columns = column_numbers(m);
    double **const column[COLUMNS] = {&w->s, &w->psi, &w->gam, &w->alp, &w->chi,
                                      &w->y, &w->z,   &w->ml,  &w->mm,  &w->rp};
    sal_arena *arena = &d->arena;
    double *numbers = sal_arena_take(arena, COLUMNS * columns + SPARE * (nv + PHY_LANES) +
                                                nv * dof_numbers + nbody * body_numbers);
    int *dofs = (int *)(void *)sal_arena_take(arena, 2 * nv);
    unsigned char *bodies = (unsigned char *)(void *)sal_arena_take(arena, nbody);
    w->subtree = (phy_wide_load **)(void *)sal_arena_take(arena, nbody);
    w->words = (int)words_of(m);
    w->above = (uint64_t *)(void *)sal_arena_take(arena, nv * words_of(m));
    if (numbers == NULL || dofs == NULL || bodies == NULL || w->above == NULL ||
        w->subtree == NULL) {
        return sal_fail(err, SAL_INTERNAL, "the scratch of the data is too small");
    }
    w->first = dofs;
    w->end = dofs + nv;
    for (int k = 0; k < COLUMNS; k++, numbers += columns) {
        *column[k] = numbers;
    }
    w->spare = numbers;
    w->G = w->spare + SPARE * (nv + PHY_LANES);
    w->A = w->G + PHY_WIDE * nbody;
    w->net = w->A + PHY_WIDE * nbody;
    w->composite = (phy_composite *)(void *)(w->net + 6 * nbody);
    w->load = (phy_load *)(void *)(w->composite + nbody);
    w->wide = (phy_wide_load *)(void *)(w->load + nbody);
    w->row = (phy_load_row *)(void *)(w->wide + nbody);
    w->around = (phy_around *)(void *)(w->row + nv);
    w->loaded = bodies;
    memset(bodies, 0, nbody);
    for (size_t b = 0; b < nbody; b++) {
        w->subtree[b] = NULL;
    }
    return SAL_OK;
}

/* A subtree has the dofs from i to before end[i], since bodies are numbered branch after branch; above i is what is above its parent, and i. */
static void find_subtrees(const sal_model *m, phy_deriv *w)
{
    const size_t words = (size_t)w->words;
    for (int i = 0; i < m->nv; i++) {
        uint64_t *above = w->above + (size_t)i * words;
        const int parent = m->dof_parentid[i];
        w->end[i] = i + 1;
        for (size_t k = 0; k < words; k++) {
            above[k] = parent < 0 ? 0 : w->above[(size_t)parent * words + k];
        }
        above[i / 64] |= (uint64_t)1 << (i % 64);
    }
    for (int i = m->nv - 1; i > 0; i--) {
        const int parent = m->dof_parentid[i];
        if (parent >= 0 && w->end[parent] < w->end[i]) {
            w->end[parent] = w->end[i];
        }
    }
}

static sal_status refuse(const sal_model *m, const sal_data *d, sal_err *err)
{
    if (d->callback.passive != NULL) {
        return sal_fail(err, SAL_UNSUPPORTED,
                        "a passive force of the user's own has no exact derivative");
    }
    if (m->opt.enable & SAL_ENBL_DIAGEXACT && d->nefc > 0) {
        return sal_fail(err, SAL_UNSUPPORTED,
                        "constraint rows scaled by their own J M^-1 J' (flag diagexact) have no "
                        "exact derivative");
    }
    return SAL_OK;
}

sal_status sal_inverse_deriv(const sal_model *m, sal_data *d, double *Dq, double *Dv, double *Da,
                             sal_err *err)
{
    const size_t mark = d->arena.used;
    phy_deriv w = {.Dq = Dq, .Dv = Dv, .Da = Da};
    sal_status status = refuse(m, d, err);
    if (status == SAL_OK) {
        status = take(&w, m, d, err);
    }
    if (status != SAL_OK) {
        return status;
    }
    find_subtrees(m, &w);

    /* psi, gam, alp, chi of each dof; inertia and force of each body */
    phy_smooth_columns(m, d, &w);
    /* dW = Th s - La gam - LB psi of what touches the fixed world */
    phy_contact_load(m, d, &w);
    phy_elements_load(m, d, &w);
    /* tau_i = s_i'(F - W), summed over subtrees */
    phy_smooth_rows(m, &w);
    phy_smooth_products(m, d, &w);
    /* -J'f of contacts between two moving bodies */
    phy_contact_pairs(m, d, &w);
    /* limits, friction loss, springs, dampers; what spatial tendons, connects and welds hold together */
    phy_rows_deriv(m, d, &w);
    phy_passive_deriv(m, d, &w);
    phy_elements_deriv(m, d, &w);
    d->arena.used = mark;
    return SAL_OK;
}
