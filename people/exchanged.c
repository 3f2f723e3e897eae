/* exchanged.c: markers whose names say the other side. Lengths and places of markers that are free
 * fit an exchanged pair nearly as well: the pelvis becomes smaller, or upper arms longer.
 *
 * In each frame the way v_i from the left marker of a pair to the right one goes along with those
 * of the other pairs,
 *
 *     v_i . sum_j w_j v_j/|v_j| > 0    j != i
 *
 * w = 1 on pelvis, torso and head, LEGS elsewhere. Lower arms do not count: they may be folded.
 */
#include "people/person.h"

#include "base/house.h"

#include <math.h>
#include <string.h>

static const double LEGS = .3;
static const double MOST = .9; /* of the frames of a recording */
enum { FEWEST = 4 };           /* frames, and pairs */

typedef struct pair {
    int right, left;
} pair;

static bool are_equal(const double a[3], const double b[3])
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static bool is_pair(const ppl_marker *a, const ppl_marker *b)
{
    char one[PPL_NAME], two[PPL_NAME];
    const bool alike = a->side == PPL_RIGHT && b->side == PPL_LEFT &&
                       a->at.segment == b->at.segment && a->at.segment != PPL_LOWER_ARM &&
                       are_equal(a->at.pos, b->at.pos);
    const bool sided =
        ppl_side_off(one, a->name + a->prefix) && ppl_side_off(two, b->name + b->prefix);
    return alike && (!sided || strcmp(one, two) == 0);
}

/* [nmarker] has room. */
static int find_pairs(const ppl_person *p, pair *to)
{
    int n = 0;
    for (int i = 0; i < p->nmarker; i++) {
        int left = -1;
        for (int k = 0; k < p->nmarker && left < 0; k++) {
            left = is_pair(p->marker + i, p->marker + k) ? k : -1;
        }
        if (left >= 0) {
            to[n++] = (pair){i, left};
        }
    }
    return n;
}

/* From left to right, of length 1; 0 0 0: one of them was not seen. */
static void way(const double *seen, const pair *p, double v[3])
{
    sal_v3_sub(v, seen + 3 * p->right, seen + 3 * p->left);
    const double length = sal_v3_norm(v);
    for (int k = 0; k < 3; k++) {
        v[k] = length > 0 ? v[k] / length : 0; /* NaN: 0 */
    }
}

static double weight_of(const ppl_person *p, const pair *a)
{
    const ppl_segment s = p->marker[a->right].at.segment;
    return s == PPL_PELVIS || s == PPL_TORSO || s == PPL_HEAD ? 1 : LEGS;
}

/* In how many frames of a recording both markers of pair k were seen, and stand the other way. */
static int count(const ppl_person *p, const ppl_trials *t, const pair *list, int n, int k,
                 int trial, int *against)
{
    int frames = 0;
    *against = 0;
    for (int f = 0; f < t->nframe; f++) {
        const double *seen = t->place + (size_t)f * 3 * (size_t)p->nmarker;
        double own[3], other[3], sum[3] = {0};
        if (t->trial[f] != trial) {
            continue;
        }
        for (int i = 0; i < n; i++) {
            way(seen, list + i, i == k ? own : other);
            if (i != k) {
                sal_v3_addscaled(sum, sum, weight_of(p, list + i), other);
            }
        }
        const double along = sal_v3_dot(own, sum);
        frames += along != 0;
        *against += along < 0;
    }
    return frames;
}

sal_status ppl_say_exchanged(sal_text *notes, const ppl_person *p, const ppl_trials *t,
                             const sal_person_request *request, sal_err *err)
{
    pair *list = sal_alloc((size_t)p->nmarker, sizeof *list);
    if (list == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for %d markers", p->nmarker);
    }
    const int n = find_pairs(p, list);
    for (int trial = 0; trial < t->ntrial && n >= FEWEST; trial++) {
        for (int k = 0; k < n; k++) {
            int against;
            const int frames = count(p, t, list, n, k, trial, &against);
            if (frames >= FEWEST && against > MOST * frames) {
                sal_text_format(notes,
                                "in %d of %d frames of '%.300s' %s is on the left side of the "
                                "person, and %s on the right: are these names exchanged?\n",
                                against, frames, ppl_file_of(request, trial),
                                p->marker[list[k].right].name, p->marker[list[k].left].name);
            }
        }
    }
    sal_free(list);
    return SAL_OK;
}
