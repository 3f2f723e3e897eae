/* follow_soles.c: at which height, by the model of a person, the floor of recorded markers is.
 *
 * The markers of a foot are lowest while it stands. Over the n of both feet,
 *
 *     h = d + median of (mean of the lowest fifth of a marker's heights
 *                        - height of its site in the home pose)
 *
 * In the home pose the soles just touch the floor. Of a person who moves they sink into the
 * contacts with which a motion follows: in a model made by `saltus person` by the number
 * `sole_depth` of its file. And the joints are not quite straight, JOINTS. In recordings of walks,
 * squats and a jump of three people d is 27 to 34 mm. How deep the soles of other models sink is
 * not known: h is then rough, and the search finds more of it along with the motion.
 */
#include "base/house.h"
#include "guide/follow.h"

#include <math.h>

static const double JOINTS = 0.005; /* m */
/* Whether it is known how deep soles sink, and how deep; how large h must be to be seen, and its
 * standard deviation after that; m */
typedef struct sole_use {
    bool known;
    double depth, seen, sigma;
} sole_use;
enum { FIFTH = 5, MARKERS_LEAST = 3 };

static sole_use soles_of(const sal_model *m)
{
    const int i = sal_model_find(m, SAL_OBJ_NUMERIC, "sole_depth");
    return i < 0 ? (sole_use){false, 0.01, 0.05, 0.02}
                 : (sole_use){true, m->numeric_data[m->numeric_adr[i]], 0.01, 0.005};
}

/* Sorted heights [nrow] of a marker, m; returns how many. */
static int heights_of(const gde_clip *c, int marker, double *height)
{
    int n = 0;
    for (int row = 0; row < c->s.nrow; row++) {
        double x[3];
        if (gde_marker_place(c, marker, row, x)) {
            height[n++] = x[2];
        }
    }
    sal_sort(height, n);
    return n;
}

static double mean_of(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += x[i];
    }
    return sum / n;
}

sal_status gde_markers_floor(gde_clip *c, sal_err *err)
{
    const sal_model *m = c->draft.m;
    double *height = sal_alloc((size_t)c->s.nrow + (size_t)c->s.nmarker + 1, sizeof *height),
           *over = height + c->s.nrow;
    int n = 0;
    if (height == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the feet of a recording");
    }
    for (int i = 0; i < c->s.nmarker; i++) {
        const int seen = gde_marker_foot(c, i) < 0 ? 0 : heights_of(c, i, height);
        if (seen >= FIFTH) {
            const int site = gde_marker_site(c, i);
            over[n++] = mean_of(height, seen / FIFTH) - c->draft.d->site_xpos[3 * site + 2];
        }
    }
    const sole_use soles = soles_of(m);
    const double h = n < MARKERS_LEAST ? 0 : soles.depth + JOINTS + sal_median(over, n);
    sal_free(height);
    if (fabs(h) > soles.seen) {
        c->floor[0] = round(1e3 * h) / 1e3;
        gde_note(
            &c->draft,
            "floor of the recording: about %.0f mm %s that of the model; `solve` finds it more "
            "precisely",
            1e3 * fabs(h), h < 0 ? "under" : "over");
    }
    c->floor_sigma = soles.sigma;
    return SAL_OK;
}
