/* follow_signs.c: hinges of the legs whose angles a program counts the other way round than the
 * model does. With the right sign soles slide less (follow_reading.c has the score); so hinges are
 * tried with the other sign, one, one with its partner on the other side, or all about one axis,
 * and those that fit best stay so for the next round.
 *
 * Where a joint of a leg was not recorded nothing is judged: its feet slide for that reason, and
 * another sign of a joint beside it may make up for a part of it.
 *
 * This is said, not done: of other joints nothing would show it. Angles that are then within the
 * joint's range, and were beyond it, are said in any case (follow_suspect.c).
 */
#include "base/house.h"
#include "guide/follow.h"

#include <math.h>
#include <string.h>

/* Of clips whose signs are right, the other sign of one hinge never gave less than 0.95 of the
 * score; with the wrong sign of hips, knees and ankles in the plane of walking, 0.1 to 0.9. */
static const double BETTER = GDE_CLOSE;
/* m/s: to gain less than this is chance, as in two steps of a trot, 0.7 s, of which 22 rows are
 * known. */
static const double WORTH = 0.02;
static const double STRAIGHT = 0.9; /* cosine: two axes are the same */
enum { NAMED = 8 };

static bool is_of_a_leg(const gde_clip *c, int joint)
{
    const gde_draft *f = &c->draft;
    const sal_model *m = f->m;
    bool found = false;
    for (int i = 0; i < f->nfoot && c->base.body > 0; i++) {
        for (int b = f->foot[i].body; b > 0 && b != c->base.body; b = m->body_parentid[b]) {
            found = found || b == m->jnt_bodyid[joint];
        }
    }
    return found && m->jnt_type[joint] == SAL_JNT_HINGE && gde_clip_column(c, &c->how, joint) >= 0;
}

static bool legs_are_recorded(const gde_clip *c)
{
    const gde_draft *f = &c->draft;
    const sal_model *m = f->m;
    bool all = c->made == NULL;
    for (int i = 0; i < f->nfoot && c->base.body > 0; i++) {
        for (int b = f->foot[i].body; b > 0 && b != c->base.body; b = m->body_parentid[b]) {
            for (int j = m->body_jntadr[b]; j < m->body_jntadr[b] + m->body_jntnum[b]; j++) {
                all = all && m->jnt_type[j] >= SAL_JNT_SLIDE && gde_clip_column(c, &c->how, j) >= 0;
            }
        }
    }
    return all;
}

/* Which hinges have the other sign together: one; it and its partner on the other side; all that
 * turn about the same axis of the world at home, if that fits better than fewer. */
typedef enum set { ALONE, PAIR, PARALLEL, NSET } set;

static bool is_in(const gde_clip *c, set which, int joint, int other)
{
    const gde_draft *f = &c->draft;
    if (which == PARALLEL) {
        const double along = sal_v3_dot(f->d->xaxis + 3 * joint, f->d->xaxis + 3 * other);
        return fabs(along) > STRAIGHT;
    }
    return other == joint ||
           (which == PAIR &&
            other == sal_mirror_partner(f->m, SAL_OBJ_JOINT, joint, f->left, f->right));
}

/* The axes are those of the pose at home. */
static void turn(gde_clip *c, set which, int joint)
{
    for (int i = 0; i < c->nscalar; i++) {
        const int j = c->by_branch[i];
        if (is_of_a_leg(c, j) && is_in(c, which, joint, j)) {
            c->sign[j] = -c->sign[j];
        }
    }
}

static void go_home(gde_draft *f)
{
    memcpy(f->d->qpos, f->pose, (size_t)f->m->nq * sizeof(double));
    sal_kinematics(f->m, f->d);
}

/* The set that fits best with the other sign, that of *joint, and its score; false: none is
 * better. */
static bool find_best(gde_clip *c, set *which, int *joint, gde_score *best, double *q, double *next)
{
    const double before = best->total;
    double least = fmin(BETTER * before, before - WORTH);
    bool better = false;
    for (int i = 0; i < NSET * c->nscalar; i++) {
        const int j = c->by_branch[i / NSET];
        if (!is_of_a_leg(c, j)) {
            continue;
        }
        go_home(&c->draft);
        turn(c, (set)(i % NSET), j);
        const gde_score found = gde_clip_judge(c, &c->how, q, next);
        go_home(&c->draft);
        turn(c, (set)(i % NSET), j);
        const double total = found.total / (i % NSET == PARALLEL ? BETTER : 1);
        if (total < least) {
            least = total;
            *best = found;
            *which = (set)(i % NSET);
            *joint = j;
            better = true;
        }
    }
    return better;
}

void gde_note_signs(gde_clip *c, gde_score best, double *q, double *next)
{
    const double before = best.speed;
    sal_text list = {0};
    char text[GDE_NAME];
    set which = ALONE;
    int n = 0, joint = -1, rounds = legs_are_recorded(c) ? c->nscalar : 0;
    gde_find_words(&c->draft);
    while (rounds-- > 0 && find_best(c, &which, &joint, &best, q, next)) {
        turn(c, which, joint);
    }
    for (int j = 0; j < c->draft.m->njnt; j++) {
        if (c->sign[j] < 0 && n++ < NAMED) {
            sal_text_format(&list, "%s'%s'", n > 1 ? ", " : "",
                            gde_name(c->draft.m, SAL_OBJ_JOINT, j, text));
        }
        c->sign[j] = 1;
    }
    /* what only changes the rest of the score is no evidence that a figure could show */
    const bool shows = best.speed < fmin(BETTER * before, before - WORTH);
    if (n > 0 && list.data != NULL && shows) {
        gde_note(&c->draft,
                 "with the other sign of joint%s %s%s the recording fits better (soles slide %.2g, "
                 "not %.2g m/s): if %s counted the other way round, change the sign of %s in the "
                 "file",
                 n == 1 ? "" : "s", list.data, n > NAMED ? " .." : "", best.speed, before,
                 n == 1 ? "it is" : "they are", n == 1 ? "its column" : "their columns");
    }
    sal_text_clear(&list);
}
