/* follow_stands.c: times at which a person stands on something that is not the floor: a box, a
 * step. The model has nothing there, so the motion is that of the longest time between them.
 *
 * A foot is as high as its markers are over their sites in the home pose, on the mean. The person
 * stands on something where both feet are higher than ON, and a marker of one of them is slower
 * than STILL, for longer than the highest point of a jump takes. In between it leaves or reaches
 * what it stands on, and that takes LEAVES.
 */
#include "base/house.h"
#include "guide/follow.h"

#include <math.h>
#include <string.h>

static const double ON = 0.08;                 /* m */
static const double STILL = 0.25;              /* m/s */
static const double APEX = 0.1, LEAVES = 0.06; /* s */
static const double LEAST = 0.3;               /* s: a shorter motion is none */
static const char *const feet[2][2] = {{"right_foot", "right_toes"}, {"left_foot", "left_toes"}};

typedef struct stands {
    const gde_clip *c;
    int up;
    double metre;
    /* [nrow] 1: on something */
    unsigned char *on;
} stands;

int gde_marker_foot(const gde_clip *c, int marker)
{
    const sal_model *m = c->draft.m;
    const int site = gde_marker_site(c, marker);
    const char *body = site < 0 ? "" : sal_model_name(m, SAL_OBJ_BODY, m->site_bodyid[site]);
    for (int foot = 0; foot < 2; foot++) {
        if (strcmp(body, feet[foot][0]) == 0 || strcmp(body, feet[foot][1]) == 0) {
            return foot;
        }
    }
    return -1;
}

static const double *place(const stands *s, int marker, int row)
{
    const sig_signals *t = &s->c->s;
    return t->value + (size_t)row * (size_t)t->ncol + (size_t)t->marker_column[marker];
}

/* m/s, from the rows on both sides; NaN: not known */
static double speed(const stands *s, int marker, int row)
{
    const int last = s->c->s.nrow - 1, a = row > 0 ? row - 1 : 0, b = row < last ? row + 1 : last;
    double way[3];
    sal_v3_sub(way, place(s, marker, b), place(s, marker, a));
    return sal_v3_norm(way) * s->metre / gde_clip_seconds(s->c, a, b);
}

static bool stands_on(const stands *s, int row)
{
    double height[2] = {0}, slowest = (double)INFINITY;
    int seen[2] = {0};
    for (int i = 0; i < s->c->s.nmarker; i++) {
        const int foot = gde_marker_foot(s->c, i);
        const double z = s->metre * place(s, i, row)[s->up] - s->c->floor[0];
        if (foot >= 0 && isfinite(z)) {
            const int site = gde_marker_site(s->c, i);
            height[foot] += z - s->c->draft.d->site_xpos[3 * site + 2];
            seen[foot]++;
            slowest = fmin(slowest, speed(s, i, row));
        }
    }
    return seen[0] > 0 && seen[1] > 0 && slowest < STILL && height[0] > ON * seen[0] &&
           height[1] > ON * seen[1];
}

/* Shorter than the highest point of a jump is not standing; what is, lasts a little longer. */
static void settle(stands *s)
{
    const int n = s->c->s.nrow, apex = (int)ceil(APEX * s->c->rate),
              more = (int)ceil(LEAVES * s->c->rate);
    for (int row = 0, end; row < n; row = end) {
        for (end = row; end < n && s->on[end] == s->on[row]; end++) {
        }
        if (s->on[row] == 1 && end - row <= apex) {
            memset(s->on + row, 0, (size_t)(end - row));
        }
    }
    for (int row = 0; row < n; row++) {
        for (int k = row - more; k <= row + more && s->on[row] == 1; k++) {
            if (k >= 0 && k < n && s->on[k] == 0) {
                s->on[k] = 2;
            }
        }
    }
}

static void find_longest(const stands *s, int *first, int *last)
{
    const int n = s->c->s.nrow;
    int most = -1;
    for (int row = 0, end; row < n; row = end) {
        for (end = row; end < n && (s->on[end] > 0) == (s->on[row] > 0); end++) {
        }
        if (s->on[row] == 0 && end - row > most) {
            most = end - row;
            *first = row;
            *last = end - 1;
        }
    }
}

sal_status gde_clip_on_floor(gde_clip *c, int *first, int *last, sal_err *err)
{
    stands s = {.c = c, .up = c->how.up == 'y' ? 1 : 2, .metre = c->how.unit};
    s.on = sal_alloc((size_t)c->s.nrow, 1);
    *first = 0;
    *last = c->s.nrow - 1;
    if (s.on == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for %d frames", c->s.nrow);
    }
    for (int row = 0; row < c->s.nrow; row++) {
        s.on[row] = stands_on(&s, row);
    }
    settle(&s);
    find_longest(&s, first, last);
    sal_free(s.on);
    if (gde_clip_seconds(c, *first, *last) < LEAST) {
        *first = 0;
        *last = c->s.nrow - 1;
        gde_note(&c->draft,
                 "the feet are far above the floor almost all the time: is its height 0?");
    } else if (*last - *first < c->s.nrow - 1) {
        gde_note(&c->draft,
                 "the feet stand on something else than the floor before %.2f s or after %.2f s; "
                 "only the time between is used",
                 gde_clip_seconds(c, 0, *first), gde_clip_seconds(c, 0, *last));
    }
    return SAL_OK;
}
