/* quantity_floor.c: the floor of the recordings that terms follow, found along with the motion. */
#include "problems/quantity.h"

bool prb_floor_is_free(const sal_problem *p)
{
    for (int k = 0; k < p->nterm + p->nconstraint + p->ninput; k++) {
        if (prb_quantity_of(prb_terms_feature(p, k))->object == PRB_OBJECT_FLOOR) {
            return true;
        }
    }
    return false;
}

void prb_floor_want(prb_wanted *list, const prb_feature *f)
{
    (void)list;
    (void)f;
}

/* Its height is a variable itself. */
void prb_floor_write(prb_writer *w)
{
    for (int k = 0; k < w->feature->nobject; k++) {
        prb_row_put_floor(w, 1);
        prb_row_end(w, w->tr->floor);
    }
}
