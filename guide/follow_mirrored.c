/* follow_mirrored.c: whether recorded markers are the mirror image of the model's, because names of
 * left and right are exchanged or an axis has the wrong sign: the markers of the root, the torso
 * and the head, which hardly bend, beside their sites in the home pose (base/handed.h). */
#include "base/house.h"
#include "guide/follow.h"

#include <math.h>
#include <string.h>

static const double FEW = 0.1; /* of the rows */

/* Of `saltus person`; of other models the root's markers have to do. */
static bool hardly_bends(const gde_draft *f, int body)
{
    const char *name = sal_model_name(f->m, SAL_OBJ_BODY, body);
    return body == f->root ||
           (name != NULL && (strcmp(name, "torso") == 0 || strcmp(name, "head") == 0));
}

/* The sites of all markers at home [3 x nmarker]; NaN: they bend, or there is none. */
static void take_home(const gde_clip *c, double *home)
{
    for (int i = 0; i < c->s.nmarker; i++) {
        const int site = gde_marker_site(c, i);
        home[3 * i] = (double)NAN;
        if (site >= 0 && hardly_bends(&c->draft, c->draft.m->site_bodyid[site])) {
            sal_v3_copy(home + 3 * i, c->draft.d->site_xpos + 3 * site);
        }
    }
}

sal_status gde_check_mirrored(const gde_clip *c, sal_err *err)
{
    const size_t n = 3 * (size_t)c->s.nmarker;
    int mirrored = 0;
    double *home = sal_alloc(2 * n, sizeof *home), *seen = home == NULL ? NULL : home + n;
    if (home == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for %d markers", c->s.nmarker);
    }
    take_home(c, home);
    for (int row = 0; row < c->s.nrow; row++) {
        for (int i = 0; i < c->s.nmarker; i++) {
            if (!gde_marker_place(c, i, row, seen + 3 * i)) {
                seen[3 * i] = (double)NAN;
            }
        }
        mirrored += sal_is_mirrored(home, seen, c->s.nmarker);
    }
    sal_free(home);
    return mirrored <= FEW * c->s.nrow
               ? SAL_OK
               : sal_fail(err, SAL_BADINPUT,
                          "in %d of %d rows of '%.200s' the markers are the mirror image of the "
                          "model's: the names of left and right are exchanged, or an axis of the "
                          "recording has the wrong sign; exchange the names, or turn the axis",
                          mirrored, c->s.nrow, c->s.source.path);
}
