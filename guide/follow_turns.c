/* follow_turns.c: angles that are whole turns beside those which a joint can have.
 *
 * A hinge's column is made continuous, a_i - a_(i-1) within half a turn. With its middle a and that
 * of the joint's range r, the joint is recorded k turns too far,
 *
 *     k = round((a - r) / 2 pi),      |k| <= TURNS
 *
 * where its angles are within the range without these turns, and not with them. Programs that take
 * angles from rotations, or add them up, write such.
 */
#include "base/house.h"
#include "guide/follow.h"

#include <math.h>

static const double TURN = 6.28318530717958647693;
static const double TURNS = 1;       /* more of them are rather degrees */
static const double HALF_TURN = 3.3; /* rad; what is seen in radians goes less far */
static const double BEYOND = 0.2;    /* rad */

/* The least and the largest of a column of angles that goes on without jumps, rad. */
static void span_of(const gde_clip *c, const gde_reading *how, int column, double span[2])
{
    double last = (double)NAN;
    span[0] = span[1] = (double)NAN;
    for (int row = 0; row < c->s.nrow; row++) {
        double x = gde_clip_angle(c, how, row, column);
        if (!isnan(x)) {
            x -= isnan(last) ? 0 : TURN * round((x - last) / TURN);
            span[0] = fmin(span[0], x);
            span[1] = fmax(span[1], x);
            last = x;
        }
    }
}

static bool is_within(const sal_model *m, int joint, const double span[2], double turns)
{
    const double most = fmax(gde_excess(m, joint, span[0] - TURN * turns),
                             gde_excess(m, joint, span[1] - TURN * turns));
    return most <= BEYOND;
}

static double turns_of(const sal_model *m, int joint, const double span[2])
{
    const double *range = m->jnt_range + 2 * joint;
    const double k = round((span[0] + span[1] - range[0] - range[1]) / (2 * TURN));
    return fabs(k) <= TURNS && !is_within(m, joint, span, 0) && is_within(m, joint, span, k) ? k
                                                                                             : 0;
}

void gde_clip_set_turns(gde_clip *c, const gde_reading *how)
{
    const sal_model *m = c->draft.m;
    for (int j = 0; j < m->njnt; j++) {
        const int column = m->jnt_type[j] == SAL_JNT_HINGE ? gde_clip_column(c, how, j) : -1;
        double span[2];
        c->turns[j] = 0;
        if (column >= 0 && m->jnt_limited[j]) {
            span_of(c, how, column, span);
            c->turns[j] = TURN * turns_of(m, j, span);
        }
    }
}

bool gde_clip_cannot_be_radians(const gde_clip *c, int column, int joint)
{
    static const gde_reading radians = {.degrees = false};
    const sal_model *m = c->draft.m;
    double span[2];
    span_of(c, &radians, column, span);
    if (joint >= 0 && m->jnt_limited[joint]) { /* also counted the other way round */
        const double other[2] = {-span[1], -span[0]};
        return !is_within(m, joint, span, turns_of(m, joint, span)) &&
               !is_within(m, joint, other, turns_of(m, joint, other));
    }
    const double size = fmax(-span[0], span[1]);
    return size > HALF_TURN && (span[1] - span[0] > TURN || size > HALF_TURN + TURN * TURNS);
}

void gde_note_turns(gde_clip *c)
{
    char text[GDE_NAME];
    for (int j = 0; j < c->draft.m->njnt && c->made == NULL; j++) {
        if (fabs(c->turns[j]) > 0) {
            gde_note(&c->draft,
                     "the angle of joint '%s' is a whole turn beside its range throughout: it is "
                     "read without this turn",
                     gde_name(c->draft.m, SAL_OBJ_JOINT, j, text));
        }
    }
}
