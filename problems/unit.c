/* unit.c: the unit of a term: what its numbers are measured in. Units stand in the table of
 * quantities, quantity_table.c: one for all numbers of a quantity, or a function of the object. */
#include "problems/quantity.h"

const char *prb_feature_unit(const sal_problem *p, const prb_feature *f, int i)
{
    const prb_quantity *q = prb_quantity_of(f);
    const prb_part of = prb_feature_part(p->model, f, i);
    return q->unit_of == NULL ? q->unit : q->unit_of(p->model, f, of.object, of.i);
}
