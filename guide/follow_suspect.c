/* follow_suspect.c: joints of a recording that are probably not meant so, though nothing says that
 * they are wrong: angles far beyond the joint's range, which the motion cannot follow, and joints
 * that never move beside others that do.
 */
#include "base/house.h"
#include "guide/follow.h"

#include <math.h>

static const double BEYOND = 0.1; /* rad, m */
static const double OFTEN = 0.1;  /* of the samples */

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

static void note_beyond(gde_clip *c, int joint)
{
    const sal_model *m = c->draft.m;
    char text[GDE_NAME];
    double most, other;
    const int n = count_beyond(c, joint, 1, &most);
    if (n < OFTEN * c->s.nrow) {
        return;
    }
    const bool turned = 5 * count_beyond(c, joint, -1, &other) < n;
    gde_note(&c->draft,
             "joint '%s' is beyond its range, %.3g to %.3g, in %.0f %% of the samples, by up to "
             "%.2g %s: the motion will not follow it there%s",
             gde_name(m, SAL_OBJ_JOINT, joint, text), m->jnt_range[2 * joint],
             m->jnt_range[2 * joint + 1], 100.0 * n / c->s.nrow, most,
             m->jnt_type[joint] == SAL_JNT_HINGE ? "rad" : "m",
             turned ? "; with the other sign it would be within" : "");
}

static bool moves(const gde_clip *c, int joint)
{
    const size_t nq = (size_t)c->draft.m->nq;
    const double *q = c->qpos + c->draft.m->jnt_qposadr[joint];
    for (int row = 1; row < c->s.nrow; row++) {
        if (fabs(q[(size_t)row * nq] - q[0]) > 0) {
            return true;
        }
    }
    return false;
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
        const bool recorded = c->made != NULL ? c->known[j] : gde_clip_column(c, &c->how, j) >= 0;
        if (recorded && moves(c, j)) {
            moving++;
        } else if (recorded && still++ < SHOWN) {
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
        if (m->jnt_limited[c->by_branch[i]]) {
            note_beyond(c, c->by_branch[i]);
        }
    }
    note_still(c);
}
