/* quantity_marker.c: where recorded markers are beside their sites, found along with the motion. */
#include "problems/quantity.h"

void prb_marker_want(prb_wanted *list, const prb_feature *f)
{
    (void)list;
    (void)f;
}

/* They are variables themselves. */
void prb_marker_write(prb_writer *w)
{
    const prb_feature *f = w->feature;
    for (int k = 0; k < 3 * f->nobject; k++) {
        const int at = 3 * f->object[k / 3] + k % 3;
        prb_row_put_offset(w, at, 1);
        prb_row_end(w, w->tr->offset[at]);
    }
}
