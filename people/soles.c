/* soles.c: how far the soles are below the feet: the lowest that a pad comes to is the floor.
 *
 * The floor of a recording is at height 0, or it is not, and nothing but the feet tells. With the
 * soles of a usual foot it is found to some 15 mm (-13 to 13 mm in nine recordings of four people
 * with the floor at 0), and to 10 mm in recordings of the same feet. So
 *
 *     near 0 (ZERO)                          0: the soles are as thick as they are seen
 *     elsewhere, others near 0               as far from these as the same soles show
 *     elsewhere, none near 0                 as a usual foot shows
 *
 * and those that are together (SAME) have one floor.
 */
#include "people/person.h"

#include "base/house.h"

#include <math.h>
#include <string.h>

/* Which share of the frames, from the lowest on, has a pad on the floor; how much higher than ball
 * and heel the toes of a shoe are, and its tip over these, m. */
static const double share = .2, lift = .008, tip = .013;
/* m: under the ankle of the generic person; floors that are at height 0, and at one height. */
static const double SOLE = .085, ZERO = .03, SAME = .02;

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
 * height 0, h the height of (x, y, 0), c the cosine of the foot's axis. It sinks in by its depth
 *
 *     into the floor with        z     = -(h - floor - radius + depth)/c
 *     with a usual foot, into    floor = h + c z - radius + depth
 *
 * The mean of -z over the lowest frames of all trials, or of that floor over those of one (trial
 * >= 0); false: the foot was seen in none. */
static bool lowest(const soles *s, ppl_pad pad, ppl_side side, int trial, double *mean)
{
    double pos[3];
    const double radius = ppl_pad_place(s->person, pad, side, pos), depth = ppl_pad_depth(pad),
                 usual = radius - depth - SOLE * s->person->scale[PPL_OF_FOOT];
    const int body =
        sal_model_find(s->m, SAL_OBJ_BODY, side == PPL_LEFT ? "left_foot" : "right_foot");
    int n = 0;
    for (int t = 0; t < s->trials->nframe; t++) {
        const double *R = s->d->xmat + 9 * body;
        const int own = s->trials->trial[t];
        if ((trial >= 0 && own != trial) || !is_seen(s, t, side)) {
            continue;
        }
        memcpy(s->d->qpos, s->x + (size_t)t * (size_t)s->m->nq, (size_t)s->m->nq * sizeof(double));
        sal_kinematics(s->m, s->d);
        const double h = s->d->xpos[3 * body + 2] + R[6] * pos[0] + R[7] * pos[1],
                     bottom = h - radius + depth;
        if (R[8] > .5) {
            s->height[n++] =
                trial >= 0 ? bottom + R[8] * usual : (bottom - s->trials->floor[own]) / R[8];
        }
    }
    sal_sort(s->height, n);
    const int last = (int)ceil(share * n);
    *mean = 0;
    for (int i = 0; i < last; i++) {
        *mean += s->height[i] / last;
    }
    return n > 0;
}

/* m: the height of a trial's floor with the soles of a usual foot, the median of the pads of both
 * feet; NaN: no foot was seen. */
static double floor_of(const soles *s, int trial)
{
    double height[2 * PPL_TOE_OUT];
    int n = 0;
    for (int side = PPL_RIGHT; side <= PPL_LEFT; side++) {
        for (int k = 0; k < PPL_TOE_OUT; k++) {
            n += lowest(s, (ppl_pad)k, (ppl_side)side, trial, height + n);
        }
    }
    return n > 0 ? sal_median(height, n) : (double)NAN;
}

/* The mean of the heights that are within `width` of z; 0: there are none. */
static double mean_near(const double *height, int n, double z, double width)
{
    double sum = 0;
    int many = 0;
    for (int i = 0; i < n; i++) {
        const bool near = fabs(height[i] - z) <= width;
        sum += near ? height[i] : 0;
        many += near;
    }
    return many > 0 ? sum / many : 0;
}

/* seen [ntrial] is scratch. */
static void find_floors(const soles *s, double *seen)
{
    const int n = s->trials->ntrial;
    double least = (double)INFINITY;
    for (int i = 0; i < n; i++) {
        seen[i] = floor_of(s, i);
        least = fabs(seen[i]) < fabs(least) ? seen[i] : least;
    }
    const bool zero = fabs(least) <= ZERO;
    const double thick = zero ? mean_near(seen, n, least, SAME) : 0;
    for (int i = 0; i < n; i++) {
        const bool there = isnan(seen[i]) || (zero && fabs(seen[i] - least) <= SAME);
        s->trials->floor[i] = there ? 0 : mean_near(seen, n, seen[i], SAME) - thick;
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
    s.height = sal_alloc((size_t)trials->nframe + (size_t)trials->ntrial, sizeof *s.height);
    sal_status status =
        s.height == NULL ? sal_fail(err, SAL_NOMEM, "out of memory for %d frames", trials->nframe)
                         : ppl_compile(&s.m, person, err);
    status = status == SAL_OK ? sal_data_new(&s.d, s.m, err) : status;
    if (status == SAL_OK) {
        find_floors(&s, s.height + trials->nframe);
    }
    for (int side = PPL_RIGHT; side <= PPL_LEFT && status == SAL_OK; side++) {
        for (int k = 0; k < PPL_TOE_OUT; k++) {
            double mean;
            if (lowest(&s, (ppl_pad)k, (ppl_side)side, -1, &mean)) {
                person->pad[side][k] = -mean;
            }
        }
        lengthen(person, (ppl_side)side);
    }
    sal_data_free(s.d);
    sal_model_free(s.m);
    sal_free(s.height);
    return status;
}
