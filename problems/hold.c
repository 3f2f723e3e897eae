/* hold.c: contacts and limits that are held as they are.
 *
 * A contact begins with the impedance d0 of its solimp, .9 where nothing else is given: its force
 * jumps, and so does that of a limit. Where a step of the search would carry one over its begin, no
 * linear model tells what follows. So what is near its begin is held: with g the distance beyond
 * the margin, what has g < 0 in the motion that the search begins with goes on acting until g = b,
 * what has g >= 0 does not act before g = b. All contacts of two geoms share b, half way from those
 * that act to those that do not, at most REACH:
 *
 *     acts:  g < b,      b = 1/2 (max g of those that act + min g of the others)
 *
 * The impedance of what acts at g > 0 is d0; its force goes on linearly.
 */
#include "base/house.h"
#include "problems/transcribe.h"

#include <math.h>
#include <string.h>

/* Of one key at a step: the largest distance of what acts, the least of what does not. */
typedef struct prb_nearest {
    double acting, resting;
} prb_nearest;

struct prb_holding {
    sal_data *d;
    /* [nblock] of each step, among */
    sal_held *step;
    /* [n of room], first the current step's at first */
    sal_held_one *one;
    int n, room, first;
    /* [as many of nearest_room] */
    prb_nearest *nearest;
    int nearest_room;
};

void prb_hold_free(prb_holding *hold)
{
    if (hold != NULL) {
        sal_data_free(hold->d);
        sal_free(hold->step);
        sal_free(hold->one);
        sal_free(hold->nearest);
        sal_free(hold);
    }
}

/* ---- the list ---- */

static bool grow(prb_holding *hold)
{
    void *one = sal_list_grow(hold->one, hold->n, &hold->room, sizeof *hold->one);
    hold->one = one != NULL ? one : hold->one;
    void *nearest =
        sal_list_grow(hold->nearest, hold->n, &hold->nearest_room, sizeof *hold->nearest);
    hold->nearest = nearest != NULL ? nearest : hold->nearest;
    return one != NULL && nearest != NULL;
}

static bool add(prb_holding *hold, int key, double g)
{
    int i = hold->first;
    while (i < hold->n && hold->one[i].key != key) {
        i++;
    }
    if (i == hold->n) {
        if (!grow(hold)) {
            return false;
        }
        hold->one[i].key = key;
        hold->nearest[i] = (prb_nearest){-(double)INFINITY, (double)INFINITY};
        hold->n++;
    }
    prb_nearest *nearest = hold->nearest + i;
    const double between = g < 0 ? fmax(nearest->acting, g) : fmin(nearest->resting, g);
    *(g < 0 ? &nearest->acting : &nearest->resting) = between;
    hold->one[i].beyond =
        fmax(-PRB_HOLD_REACH, fmin(PRB_HOLD_REACH, 0.5 * (nearest->acting + nearest->resting)));
    return true;
}

static bool add_limits(prb_holding *hold, const sal_model *m, const double *q)
{
    bool room = true;
    for (int j = 0; j < m->njnt && room; j++) {
        for (int side = 0; side < 2 && room; side++) {
            const double g = prb_limit_gap(m, q, j, side);
            room = !(fabs(g) < PRB_HOLD_REACH) || add(hold, sal_held_limit(j, side), g);
        }
    }
    return room;
}

static sal_status add_step(prb_holding *hold, const sal_model *m, const double *q, sal_err *err)
{
    sal_data *d = hold->d;
    memcpy(d->qpos, q, (size_t)m->nq * sizeof(double));
    sal_kinematics(m, d);
    const sal_status status = sal_collide(m, d, err);
    bool room = status != SAL_OK || add_limits(hold, m, q);
    for (int i = 0; i < d->ncon && status == SAL_OK && room; i++) {
        const sal_contact *contact = d->contact + i;
        const double g = contact->dist - m->pair_include[contact->pair];
        room = add(hold, sal_held_contact(m, d, contact), g);
    }
    return room ? status : sal_fail(err, SAL_NOMEM, "out of memory for contacts that are held");
}

/* ---- holding ---- */

double prb_limit_gap(const sal_model *m, const double *q, int joint, int side)
{
    const int type = m->jnt_type[joint];
    const double *range = m->jnt_range + 2 * joint, at = q[m->jnt_qposadr[joint]];
    if (!m->jnt_limited[joint] || (type != SAL_JNT_HINGE && type != SAL_JNT_SLIDE)) {
        return INFINITY;
    }
    return (side == 0 ? at - range[0] : range[1] - at) - m->jnt_margin[joint];
}

void prb_hold_widen(sal_model *m)
{
    for (int i = 0; i < m->npair; i++) {
        m->pair_detect[i] = fmax(m->pair_detect[i], m->pair_include[i] + PRB_HOLD_REACH);
    }
    sal_model_margins(m);
}

/* The list of every step of the motion in tr->q, with the model of the final stage. */
static sal_status list(const prb_transcription *tr, prb_holding *hold, sal_err *err)
{
    hold->step = sal_alloc((size_t)tr->nblock, sizeof *hold->step);
    sal_status status = hold->step == NULL ? sal_fail(err, SAL_NOMEM, "out of memory for contacts")
                                           : sal_data_new(&hold->d, tr->model, err);
    for (int t = 0; t < tr->nblock && status == SAL_OK; t++) {
        hold->first = hold->n;
        status = add_step(hold, tr->model, tr->q + (size_t)(t + 1) * (size_t)tr->model->nq, err);
        hold->step[t].n = hold->n - hold->first;
    }
    for (int t = 0, first = 0; t < tr->nblock && status == SAL_OK; t++) {
        /* the list no longer grows; it may be empty */
        hold->step[t].one = hold->one == NULL ? NULL : hold->one + first;
        first += hold->step[t].n;
    }
    return status;
}

sal_status prb_hold(prb_transcription *tr, double *x, sal_err *err)
{
    prb_holding *hold = sal_alloc(1, sizeof *hold);
    sal_status status = hold == NULL
                            ? sal_fail(err, SAL_NOMEM, "out of memory for contacts that are held")
                            : tr->nls.stage(tr, 0, 0, x, err);
    if (status == SAL_OK) {
        prb_hold_widen(tr->model);
        prb_transcription_place(tr, x);
        status = list(tr, hold, err);
    }
    if (status == SAL_OK) {
        tr->hold = hold;
    } else {
        prb_hold_free(hold);
    }
    return status;
}

const sal_held *prb_held(const prb_transcription *tr, int step)
{
    return tr->hold == NULL ? NULL : tr->hold->step + step;
}
