/* follow_suspect.c: joints of a recording that are probably not meant so, though nothing says that
 * they are wrong: angles far beyond the joint's range, which the motion cannot follow, and joints
 * that never move, or not for STUCK seconds, beside others that do.
 */
#include "base/house.h"
#include "guide/follow.h"

#include <math.h>

static const double BEYOND = 0.1;     /* rad, m */
static const double OFTEN = 0.1;      /* of the samples */
static const double STUCK = 0.5;      /* s */
static const double MILLIMETRES = 50; /* so many times the range of a slide: rather its unit */
enum { ROWS_STUCK = 10 };

/* How many samples are beyond the range of a joint, q times `sign`; *most: by how much, rad, m. */
static int count_beyond(const gde_clip *c, int joint, double sign, double *most)
{
    const sal_model *m = c->draft.m;
    int n = 0;
    *most = 0;
    for (int row = 0; row < c->s.nrow; row++) {
        const double q = c->qpos[(size_t)row * (size_t)m->nq + (size_t)m->jnt_qposadr[joint]];
        const double excess = gde_excess(m, joint, sign * q);
        n += excess > BEYOND;
        *most = fmax(*most, excess);
    }
    return n;
}

static double size_of_range(const sal_model *m, int joint)
{
    return m->jnt_range[2 * joint + 1] - m->jnt_range[2 * joint];
}

static void note_beyond(gde_clip *c, int joint)
{
    const sal_model *m = c->draft.m;
    char text[GDE_NAME];
    double most, other;
    const int n = count_beyond(c, joint, 1, &most);
    if (n < OFTEN * c->s.nrow) {
        return;
    }
    const bool slide = m->jnt_type[joint] == SAL_JNT_SLIDE,
               turned = 5 * count_beyond(c, joint, -1, &other) < n;
    gde_note(&c->draft,
             "joint '%s' is beyond its range, %.3g to %.3g, in %.0f %% of the samples, by up to "
             "%.2g %s: the motion will not follow it there%s%s",
             gde_name(m, SAL_OBJ_JOINT, joint, text), m->jnt_range[2 * joint],
             m->jnt_range[2 * joint + 1], 100.0 * n / c->s.nrow, most, slide ? "m" : "rad",
             turned ? "; with the other sign it would be within" : "",
             slide && most > MILLIMETRES * size_of_range(m, joint)
                 ? ". If its column is in mm, give it that unit: NAME [mm]"
                 : "");
}

static bool is_recorded(const gde_clip *c, int joint)
{
    return c->made != NULL ? c->known[joint] : gde_clip_column(c, &c->how, joint) >= 0;
}

/* The row behind those from `row` on in which a joint has one value. */
static int still_until(const gde_clip *c, int joint, int row)
{
    const size_t nq = (size_t)c->draft.m->nq;
    const double *q = c->qpos + c->draft.m->jnt_qposadr[joint];
    const double first = q[(size_t)row * nq];
    while (row < c->s.nrow && !(fabs(q[(size_t)row * nq] - first) > 0)) {
        row++;
    }
    return row;
}

static bool moves(const gde_clip *c, int joint)
{
    return still_until(c, joint, 0) < c->s.nrow;
}

/* Whether most joints that are recorded move between two rows. */
static bool others_move(const gde_clip *c, int first, int end)
{
    int n = 0;
    for (int i = 0; i < c->nscalar; i++) {
        const int j = c->by_branch[i];
        n += is_recorded(c, j) ? (still_until(c, j, first) < end ? 1 : -1) : 0;
    }
    return n > 0;
}

/* A joint that moves and has one value for a while, in which others move. */
static void note_stuck(gde_clip *c, int joint)
{
    char text[GDE_NAME];
    int first = 0, end = 0;
    for (int row = 0, next; row < c->s.nrow && moves(c, joint); row = next) {
        next = still_until(c, joint, row);
        if (next - row > end - first) {
            first = row;
            end = next;
        }
    }
    const int rows = end - first;
    if (rows >= ROWS_STUCK && rows >= STUCK * c->rate && others_move(c, first, end)) {
        gde_note(&c->draft, "joint '%s' has one value from %.2f to %.2f s, while others move",
                 gde_name(c->draft.m, SAL_OBJ_JOINT, joint, text), sig_time(&c->s, c->rate, first),
                 sig_time(&c->s, c->rate, end - 1));
    }
}

/* Joints that were recorded and have one value throughout, where most others move. */
static void note_still(gde_clip *c)
{
    enum { SHOWN = 6 };
    const sal_model *m = c->draft.m;
    sal_text list = {0};
    char text[GDE_NAME];
    int still = 0, moving = 0;
    for (int i = 0; i < c->nscalar; i++) {
        const int j = c->by_branch[i];
        if (is_recorded(c, j) && moves(c, j)) {
            moving++;
        } else if (is_recorded(c, j) && still++ < SHOWN) {
            sal_text_format(&list, "%s%s", still > 1 ? ", " : "",
                            gde_name(m, SAL_OBJ_JOINT, j, text));
        }
    }
    if (still > 0 && moving > still) {
        gde_note(&c->draft, "%d joint%s one value throughout: %s%s", still,
                 still == 1 ? " has" : "s have", list.data == NULL ? "" : list.data,
                 still > SHOWN ? " .." : "");
    }
    sal_text_clear(&list);
}

void gde_note_suspects(gde_clip *c)
{
    const sal_model *m = c->draft.m;
    for (int i = 0; i < c->nscalar; i++) {
        const int j = c->by_branch[i];
        if (m->jnt_limited[j]) {
            note_beyond(c, j);
        }
        if (is_recorded(c, j)) {
            note_stuck(c, j);
        }
    }
    note_still(c);
}
