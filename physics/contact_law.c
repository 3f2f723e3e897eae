/* contact_law.c: the inverse direction: every block asked for its force, the forces brought to the
 * dofs. */
#include "physics/contact_law.h"

#include "physics/constraint.h"
#include "physics/next_gap.h"
#include "physics/scratch.h"

void phy_law_block_at(phy_law_block *block, const sal_model *m, const sal_data *d, int row)
{
    block->type = (sal_efc_type)d->efc_type[row];
    block->row = row;
    block->gap = d->efc_pos[row];
    block->margin = d->efc_margin[row];
    block->loss = d->efc_frictionloss[row];
    block->dim = 1;
    block->friction = NULL;
    block->cone = 0;
    if (block->type >= SAL_EFC_CONTACT_FRICTIONLESS) {
        const sal_contact *contact = d->contact + d->efc_id[row];
        const int pyramid = block->type == SAL_EFC_CONTACT_PYRAMIDAL;
        block->dim = pyramid ? 2 * (contact->dim - 1) : contact->dim;
        block->friction = m->pair_friction + 5 * contact->pair;
        block->cone = contact->mu;
    }
}

static bool is_at_once(const phy_law *law)
{
    return law->forward != NULL && law->forward->inverse != NULL;
}

void phy_law_scratch(const sal_model *m, sal_arena *arena)
{
    const phy_law *law = phy_law_of(m);
    if (law->needs & PHY_LAW_NEEDS_NEXT_GAP) {
        phy_next_scratch(m, arena);
    }
    if (is_at_once(law)) {
        law->forward->measure(m, arena);
    }
}

void phy_constraint_force(const sal_model *m, sal_data *d, int rows_to_multiply)
{
    const phy_law *law = phy_law_of(m);
    const phy_law_rows rows = phy_law_rows_of(m, d);
    phy_law_block block;
    const bool at_once = is_at_once(law);
    phy_mul_jac(d, d->efc_acc, d->qacc, rows_to_multiply);
    if (law->needs & PHY_LAW_NEEDS_NEXT_GAP && !phy_next_gaps(m, d)) {
        return;
    }
    if (at_once && d->nefc > 0) {
        law->forward->inverse(m, d);
    }
    for (int row = 0; row < d->nefc && !at_once; row += block.dim) {
        phy_law_block_at(&block, m, d, row);
        law->inverse(d->efc_force + row, d->efc_state + row, &block, &rows);
    }
    phy_mul_jac_t(m, d, d->qfrc_constraint, d->efc_force);
}
