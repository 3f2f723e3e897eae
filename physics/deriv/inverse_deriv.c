/* inverse_deriv.c: exact derivatives of the inverse dynamics,  tau = M a + c - passive - J'f.
 *
 * A contact with something that cannot move acts on its body like an added inertia, damping and
 * stiffness: these 6 x 6 matrices are summed up the tree together with the inertias, so nothing is
 * ever multiplied by a Jacobian of contacts. Whatever couples single dofs (limits, springs,
 * tendons, contacts of two moving bodies) is added afterwards.
 */
#include "physics/contact_law.h"
#include "physics/deriv/deriv_pieces.h"
#include "physics/deriv/element_deriv.h"
#include "physics/deriv/scratch.h"
#include "physics/deriv/step_deriv.h"
#include "physics/lanes.h"

#include <string.h>

bool phy_deriv_take(const sal_model *m, sal_arena *arena, phy_deriv *w)
{
    const size_t nv = (size_t)m->nv, nbody = (size_t)m->nbody;
    const size_t columns = phy_deriv_columns(m), words = phy_deriv_words(m);
    bool room = false;
#define PHY_TAKE(type, name, count)                                                                \
    w->name = sal_arena_take(arena, count, sizeof *w->name);                                       \
    room = w->name != NULL;
    PHY_DERIV_ARRAYS(PHY_TAKE)
#undef PHY_TAKE
    w->words = (int)words;
    return room;
}

void phy_inverse_deriv_scratch(const sal_model *m, sal_arena *arena)
{
    const size_t mark = arena->used;
    phy_deriv w;
    phy_deriv_take(m, arena, &w);
    phy_contact_deriv_scratch(m, arena);
    phy_tendon_deriv_scratch(m, arena);
    phy_joined_deriv_scratch(m, arena);
    phy_step_deriv_scratch(m, arena);
    arena->used = mark;
}

void phy_deriv_clear(const sal_model *m, phy_deriv *w)
{
    memset(w->loaded, 0, (size_t)m->nbody);
    for (int b = 0; b < m->nbody; b++) {
        w->subtree[b] = NULL;
    }
}

/* A subtree has the dofs from i to before end[i], since bodies are numbered branch after branch;
 * above i is what is above its parent, and i. */
void phy_deriv_subtrees(const sal_model *m, uint64_t *above, int words, int *end)
{
    const size_t n = (size_t)words;
    for (int i = 0; i < m->nv; i++) {
        uint64_t *row = above + (size_t)i * n;
        const int parent = m->dof_parentid[i];
        end[i] = i + 1;
        for (size_t k = 0; k < n; k++) {
            row[k] = parent < 0 ? 0 : above[(size_t)parent * n + k];
        }
        row[i / 64] |= (uint64_t)1 << (i % 64);
    }
    for (int i = m->nv - 1; i > 0; i--) {
        const int parent = m->dof_parentid[i];
        if (parent >= 0 && end[parent] < end[i]) {
            end[parent] = end[i];
        }
    }
}

sal_status phy_inverse_deriv_refusal(const sal_model *m, const sal_data *d, sal_err *err)
{
    if (d->callback.passive != NULL) {
        return sal_fail(err, SAL_UNSUPPORTED,
                        "the passive force of a user callback has no exact derivative");
    }
    if (m->opt.enable & SAL_ENBL_DIAGEXACT && d->nefc > 0) {
        return sal_fail(err, SAL_UNSUPPORTED,
                        "the model sets the flag diagexact: constraint rows scaled by their exact "
                        "J M^-1 J' have no exact derivative; disable the flag");
    }
    const char *lacks = phy_has_step_metric(m) ? phy_step_deriv_lacks(m) : NULL;
    if (lacks != NULL) {
        return sal_fail(err, SAL_UNSUPPORTED,
                        "the inverse dynamics of integrator=\"discrete\" have no exact derivative "
                        "for a model with %s",
                        lacks);
    }
    const unsigned needs = phy_law_of(m)->needs;
    if (needs & PHY_LAW_POSTHOC) {
        return sal_fail(err, SAL_UNSUPPORTED,
                        "the contact model %s has no exact derivative: its forces do not follow "
                        "from the motion; use soft, logbarrier, convex or hard",
                        phy_law_of(m)->name);
    }
    if (needs & PHY_LAW_NEEDS_MATRIX) {
        return sal_fail(err, SAL_UNSUPPORTED,
                        "logbarrier with a barrier on velocities has no exact derivative here; "
                        "leave out the barrier");
    }
    return SAL_OK;
}

void phy_inverse_deriv_further(const sal_model *m, sal_data *d, phy_deriv *w)
{
    /* -J'f of contacts between two moving bodies */
    phy_contact_pairs(m, d, w);
    /* limits, friction loss, springs, dampers; what spatial tendons, connects and welds hold
     * together */
    phy_rows_deriv(m, d, w);
    phy_passive_deriv(m, d, w);
    phy_damping_of_step_deriv(m, d, w);
    if (phy_law_of(m)->by_next != NULL) {
        phy_next_gaps_deriv(m, d, w);
    }
    phy_compensation_deriv(m, d, w->Dq);
    phy_joined_deriv(m, d, w);
    phy_tendons_deriv(m, d, w);
    if (phy_has_step_metric(m)) {
        phy_step_metric_deriv(m, d, w);
    }
}

sal_status sal_inverse_deriv(const sal_model *m, sal_data *d, double *Dq, double *Dv, double *Da,
                             sal_err *err)
{
    const size_t mark = d->arena.used;
    phy_deriv w = {.Dq = Dq, .Dv = Dv, .Da = Da};
    const sal_status status = phy_inverse_deriv_refusal(m, d, err);
    if (status != SAL_OK) {
        return status;
    }
    if (!phy_deriv_take(m, &d->arena, &w)) {
        return phy_scratch_status(d, err);
    }
    phy_deriv_clear(m, &w);
    phy_deriv_subtrees(m, w.above, w.words, w.end);

    /* psi, gam, alp, chi of each dof; inertia and force of each body */
    phy_smooth_columns(m, d, &w);
    /* dW = Th s - La gam - LB psi of what touches the fixed world */
    phy_contact_load(m, d, &w);
    phy_elements_load(m, d, &w);
    /* tau_i = s_i'(F - W), summed over subtrees */
    phy_smooth_rows(m, &w);
    phy_smooth_products(m, d, &w);
    phy_inverse_deriv_further(m, d, &w);
    d->arena.used = mark;
    return phy_scratch_status(d, err);
}
