/* follow_gaps.c: samples that a recording lacks: numbers of what is followed, and rows of a table
 * with times. <data gap=> allows for the longest; there the motion is what the cost has without a
 * recording, and what takes longer than USUAL is said.
 */
#include "base/house.h"
#include "guide/follow.h"

#include <math.h>

static const double USUAL = 0.1; /* s: that a recording may lack without a word */
static const double NEXT = 1.5;  /* intervals: rows that are farther apart have others between */

/* Samples that lack, one after the other: how long they last and from when on, s; of which joint,
 * -1: of the root. */
typedef struct hole {
    double seconds, from;
    int joint;
} hole;

/* The longest of one column. Between two samples that are there it lasts as long as they are
 * apart. */
static void look_at_column(const gde_clip *c, int joint, int column, hole *longest)
{
    double seen = sig_time(&c->s, c->rate, 0);
    bool lost = false;
    for (int row = 0; row < c->s.nrow; row++) {
        const double now = sig_time(&c->s, c->rate, row);
        const bool here = !isnan(gde_clip_cell(c, row, column));
        lost = lost || !here || (c->rows_lost && (now - seen) * c->rate > NEXT);
        if (!here && row < c->s.nrow - 1) {
            continue;
        }
        if (lost && now - seen > longest->seconds) {
            *longest = (hole){now - seen, seen, joint};
        }
        seen = now;
        lost = false;
    }
}

static hole find_longest(const gde_clip *c)
{
    const sal_model *m = c->draft.m;
    hole longest = {0, 0, -1};
    for (int i = 0; i < 7 && c->root >= 0; i++) {
        look_at_column(c, -1, i < 3 ? c->place[i] : c->turn[i - 3], &longest);
    }
    for (int j = 0; j < m->njnt; j++) {
        const bool ball = m->jnt_type[j] == SAL_JNT_BALL;
        const int first = ball                              ? c->column[j]
                          : m->jnt_type[j] >= SAL_JNT_SLIDE ? gde_clip_column(c, &c->how, j)
                                                            : -1;
        for (int i = 0; i < (ball ? 7 : 1) && first >= 0; i++) {
            look_at_column(c, j, first + i, &longest);
        }
    }
    return longest;
}

void gde_clip_gaps(gde_clip *c)
{
    char text[GDE_NAME];
    const sal_model *m = c->draft.m;
    const hole longest = find_longest(c);
    c->gap = longest.seconds > 0 || c->request->many
                 ? fmax(USUAL, ceil(100 * longest.seconds - 1e-6) / 100)
                 : 0;
    if (longest.seconds > 1.001 * fmax(USUAL, c->slowest)) {
        gde_note(&c->draft,
                 "samples of '%s' are missing for %.3g s, from %.4g s on: there the motion only "
                 "keeps to the other terms of the cost",
                 longest.joint < 0 ? gde_name(m, SAL_OBJ_BODY, m->jnt_bodyid[c->root], text)
                                   : gde_name(m, SAL_OBJ_JOINT, longest.joint, text),
                 longest.seconds, longest.from);
    }
}
