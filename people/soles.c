/* soles.c: how far the soles are below the feet: the lowest that a pad comes to is the floor. */
#include "people/person.h"

#include "base/house.h"

#include <math.h>
#include <string.h>

/* Which share of the frames, from the lowest on, has a pad on the floor; how much higher than ball
 * and heel the toes of a shoe are, and its tip over these, m. */
static const double share = .2, lift = .008, tip = .013;

typedef struct soles {
    ppl_person *person;
    const ppl_trials *trials;
    const double *x;
    sal_model *m;
    sal_data *d;
    /* [nframe] */
    double *height;
} soles;

/* Whether two markers of a foot were seen at least. */
static bool is_seen(const soles *s, int frame, ppl_side side)
{
    const ppl_person *p = s->person;
    const double *seen = s->trials->place + (size_t)frame * 3 * (size_t)p->nmarker;
    int n = 0;
    for (int i = 0; i < p->nmarker; i++) {
        const ppl_marker *m = p->marker + i;
        n += m->side == side && (m->at.segment == PPL_FOOT || m->at.segment == PPL_TOES) &&
             isfinite(seen[3 * i]);
    }
    return n >= 2;
}

/* With the middle of the pad at (x, y, z) of the foot, its lowest point is  h + c z - radius  over
 * the floor, h the height of (x, y, 0), c the cosine of the foot's axis. z so that it sinks in by
 * its depth on the mean of the lowest frames. */
static void lower(const soles *s, ppl_pad pad, ppl_side side)
{
    double pos[3], sum = 0;
    const double radius = ppl_pad_place(s->person, pad, side, pos);
    const int body =
        sal_model_find(s->m, SAL_OBJ_BODY, side == PPL_LEFT ? "left_foot" : "right_foot");
    int n = 0;
    for (int t = 0; t < s->trials->nframe; t++) {
        const double *R = s->d->xmat + 9 * body;
        memcpy(s->d->qpos, s->x + (size_t)t * (size_t)s->m->nq, (size_t)s->m->nq * sizeof(double));
        sal_kinematics(s->m, s->d);
        const double h = s->d->xpos[3 * body + 2] + R[6] * pos[0] + R[7] * pos[1];
        if (R[8] > .5 && is_seen(s, t, side)) {
            s->height[n++] = (h - radius + ppl_pad_depth(pad)) / R[8];
        }
    }
    sal_sort(s->height, n);
    const int last = (int)ceil(share * n);
    for (int i = 0; i < last; i++) {
        sum += s->height[i] / last;
    }
    if (n > 0) {
        s->person->pad[side == PPL_LEFT][pad] = -sum;
    }
}

/* The toes go on where the ball ends: from the heel on, straight, and a little up; the tip of the
 * shoe, over which a foot rolls at last, a little more. */
static void lengthen(ppl_person *p, ppl_side side)
{
    double heel[2][3], ball[2][3], toe[3], joint[3];
    double *pad = p->pad[side == PPL_LEFT];
    const double rh = ppl_pad_place(p, PPL_HEEL_OUT, side, heel[0]);
    const double rb = ppl_pad_place(p, PPL_BALL_OUT, side, ball[0]);
    ppl_pad_place(p, PPL_HEEL_IN, side, heel[1]);
    ppl_pad_place(p, PPL_BALL_IN, side, ball[1]);
    ppl_bone_place(p, PPL_TOES, side, joint);
    const double xh = (heel[0][0] + heel[1][0]) / 2, xb = (ball[0][0] + ball[1][0]) / 2;
    const double deeper = ppl_pad_depth(PPL_HEEL_OUT) - ppl_pad_depth(PPL_BALL_OUT);
    const double zh = (heel[0][2] + heel[1][2]) / 2 - rh + deeper,
                 zb = (ball[0][2] + ball[1][2]) / 2 - rb;
    for (int k = PPL_TOE_OUT; k <= PPL_TOE_IN; k++) {
        const double radius = ppl_pad_place(p, (ppl_pad)k, side, toe);
        const double ahead = joint[0] + toe[0] - xb;
        pad[k] = zb + (zb - zh) / (xb - xh) * ahead + radius - joint[2] + lift;
    }
    pad[PPL_TOE_TIP] = (pad[PPL_TOE_OUT] + pad[PPL_TOE_IN]) / 2 + tip;
}

sal_status ppl_fit_soles(ppl_person *person, const ppl_trials *trials, const double *x,
                         sal_err *err)
{
    soles s = {.person = person, .trials = trials, .x = x};
    s.height = sal_alloc((size_t)trials->nframe, sizeof *s.height);
    sal_status status =
        s.height == NULL ? sal_fail(err, SAL_NOMEM, "out of memory for %d frames", trials->nframe)
                         : ppl_compile(&s.m, person, err);
    status = status == SAL_OK ? sal_data_new(&s.d, s.m, err) : status;
    for (int side = PPL_RIGHT; side <= PPL_LEFT && status == SAL_OK; side++) {
        for (int k = 0; k < PPL_TOE_OUT; k++) {
            person->pad[side][k] =
                ppl_pad_place(person, (ppl_pad)k, (ppl_side)side, (double[3]){0});
            lower(&s, (ppl_pad)k, (ppl_side)side);
        }
        lengthen(person, (ppl_side)side);
    }
    sal_data_free(s.d);
    sal_model_free(s.m);
    sal_free(s.height);
    return status;
}
