/* follow_noise.c: how well each marker of a person is followed.
 *
 * Markers over soft tissue, and those on a part of the body that is no rigid segment (a back that
 * bends), are farther from their sites than others. `saltus person` has seen how far, rms, and
 * writes it into the model as the number `rms_MARKER`. Beside the median of these,
 *
 *     sigma = SIGMA * min(max(rms/median, LEAST), MOST)
 *
 * rms are of poses that fit the markers of one frame as well as they can, and so are smaller than
 * what is wrong with a marker: they serve to compare markers, and SIGMA is for all of them.
 */
#include "base/house.h"
#include "guide/follow.h"

#include <math.h>

static const double SIGMA = 0.01; /* m */
static const double LEAST = 1, MOST = 3;

/* m, rms; NaN: the model does not say. */
static double rms_of(const gde_clip *c, int marker)
{
    const sal_model *m = c->draft.m;
    sal_text name = {0};
    sal_text_format(&name, "rms_%s", c->s.marker[marker]);
    const int i = name.failed ? -1 : sal_model_find(m, SAL_OBJ_NUMERIC, name.data);
    sal_text_clear(&name);
    return i < 0 || m->numeric_size[i] == 0 ? (double)NAN : m->numeric_data[m->numeric_adr[i]];
}

sal_status gde_markers_sigma(gde_clip *c, sal_err *err)
{
    const int nmarker = c->s.nmarker;
    double *known = sal_alloc((size_t)nmarker, sizeof *known);
    c->sigma = sal_alloc((size_t)nmarker, sizeof *c->sigma);
    if (known == NULL || c->sigma == NULL) {
        sal_free(known);
        return sal_fail(err, SAL_NOMEM, "out of memory for the noise of %d markers", nmarker);
    }
    int n = 0;
    for (int i = 0; i < nmarker; i++) {
        c->sigma[i] = gde_marker_site(c, i) < 0 ? (double)NAN : rms_of(c, i);
        if (c->sigma[i] > 0) {
            known[n++] = c->sigma[i];
        }
    }
    sal_sort(known, n);
    for (int i = 0; i < nmarker; i++) {
        const double ratio = c->sigma[i] > 0 ? c->sigma[i] / known[n / 2] : 1;
        c->sigma[i] = SIGMA * fmin(fmax(ratio, LEAST), MOST);
    }
    sal_free(known);
    return SAL_OK;
}
