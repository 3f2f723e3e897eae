/* plates_unseen.c: times at which markers do not tell how a person moves.
 *
 * Where markers are lost for longer than is interpolated (between.c), inverse kinematics carries
 * the pose in a straight line from where it was last seen to where it is seen again. What is lost
 * then is the acceleration: over L seconds a body with acceleration a is up to a L^2/8 from that
 * line, 2/3 of it on the mean. Behind a low-pass at f such a bump has a height of some 2 f times
 * its area, and an acceleration of (2 pi f)^2 times that, which is
 *
 *     2/3 a L^3/8 * 2 f * (2 pi f)^2 = (2 pi^2/3) (L f)^3 a
 *
 * Where this is more than WRONG of a, the moments are those of the line, not of the person. On both
 * sides low-passes carry the kinks of the line on.
 *
 * A dof is told by the markers of an instant where the normal matrix of their places, with a wide
 * prior on every dof, leaves it a smaller variance than that prior:
 *
 *     C = (sum J'J/s^2 + I/W^2)^-1,   C_ii < W^2/4
 *
 * Dofs that the most markers ever seen do not tell, such as toes without any, are held by other
 * things, and parts that weigh little change the moments of others little.
 */
#include "base/dense.h"
#include "base/house.h"
#include "problems/recordings/data.h"
#include "problems/recordings/track.h"
#include "runs/plates_inverse.h"

#include <math.h>
#include <string.h>

static const double WRONG = .05;           /* of the acceleration */
static const double SIGMA = .01, WIDE = 1; /* m; m, rad */
static const double HEAVY = .05;           /* of the body: a lower arm is lighter, a leg not */
static const double pi = 3.14159265358979323846;
enum { LISTED = 4 };

typedef struct sight {
    const sal_problem *p;
    const sal_model *m;
    sal_data *d;
    int nstep;
    double h;
    /* [nstep x nchannel], [nstep x nv] */
    unsigned char *seen, *untold;
    /* [nv] not told by the fullest step */
    unsigned char *never;
    /* [nv x nv], [3 x nv], [nv], [3] */
    double *A, *jac, *column;
    /* [nv] what hangs on the dof, over the body */
    double *share;
    unsigned char *left_out;
    int nlisted;
    sal_text *notes;
} sight;

static const unsigned char *seen_at(const sight *s, int t)
{
    return s->seen + (size_t)t * (size_t)s->p->data->nchannel;
}

/* Marks the channels of each step; returns the step with the most. */
static int look(sight *s)
{
    const prb_dataset *data = s->p->data;
    double value[16];
    int most = -1, best = 0;
    for (int t = 0; t < s->nstep; t++) {
        int n = 0;
        for (int c = 0; c < data->nchannel; c++) {
            const prb_channel *channel = data->channel + c;
            const bool here =
                channel->kind == PRB_CHANNEL_SITE && prb_track_at(data, channel, t * s->h, value);
            s->seen[(size_t)t * (size_t)data->nchannel + (size_t)c] = here;
            n += here;
        }
        best = n > most ? t : best;
        most = n > most ? n : most;
    }
    return best;
}

/* Which dofs the markers that are seen at step t do not tell, at the pose of that step. */
static void judge(sight *s, int t, const double *q, unsigned char *untold)
{
    const int nv = s->m->nv;
    const unsigned char *seen = seen_at(s, t);
    memcpy(s->d->qpos, q, (size_t)s->m->nq * sizeof *q);
    sal_kinematics(s->m, s->d);
    sal_com(s->m, s->d);
    memset(s->A, 0, (size_t)nv * (size_t)nv * sizeof *s->A);
    for (int i = 0; i < nv; i++) {
        s->A[i * nv + i] = 1 / (WIDE * WIDE);
    }
    for (int c = 0; c < s->p->data->nchannel; c++) {
        if (!seen[c]) {
            continue;
        }
        sal_jac_site(s->m, s->d, s->jac, NULL, s->p->data->channel[c].id);
        for (int k = 0; k < 3; k++) {
            const double *row = s->jac + k * nv;
            for (int i = 0; i < nv; i++) {
                for (int j = 0; j < nv && fabs(row[i]) > 0; j++) {
                    s->A[i * nv + j] += row[i] * row[j] / (SIGMA * SIGMA);
                }
            }
        }
    }
    const bool definite = sal_dense_cholesky(s->A, nv) == nv;
    for (int i = 0; i < nv; i++) {
        memset(s->column, 0, (size_t)nv * sizeof *s->column);
        s->column[i] = 1;
        sal_dense_cholesky_solve(s->column, s->A, nv);
        untold[i] = definite && s->column[i] > WIDE * WIDE / 4;
    }
}

/* The heaviest part with a dof that is not told at step t; -1: none. */
static int part_of(const sight *s, int t)
{
    int part = -1;
    for (int i = 0; i < s->m->nv; i++) {
        if (s->untold[(size_t)t * (size_t)s->m->nv + (size_t)i] != 0 &&
            (part < 0 || s->share[i] > s->share[part])) {
            part = i;
        }
    }
    return part < 0 ? -1 : s->m->dof_bodyid[part];
}

/* Steps `first` to `last`, of which part is not told. */
static void leave_out(sight *s, int part, int first, int last, int margin)
{
    const int from = first - margin > 0 ? first - margin : 0,
              to = last + margin < s->nstep - 1 ? last + margin : s->nstep - 1;
    const char *name = sal_model_name(s->m, SAL_OBJ_BODY, part);
    memset(s->left_out + from, 1, (size_t)to - (size_t)from + 1);
    if (s->nlisted++ < LISTED) {
        sal_text_format(s->notes,
                        "from %.2f to %.2f s too few markers are seen to tell how '%s' moves: "
                        "%.2f to %.2f s are left out\n",
                        first * s->h, last * s->h, name == NULL ? "" : name, from * s->h,
                        to * s->h);
    }
}

/* Runs of steps in which some part is not told. */
static void find_runs(sight *s, double cutoff, double reach)
{
    const int margin = (int)ceil(reach / s->h - 1e-6);
    const double most = cbrt(WRONG / (2 * pi * pi / 3)) / cutoff;
    for (int t = 0, end; t < s->nstep; t = end) {
        int part = part_of(s, t);
        for (end = t + 1; end < s->nstep && part >= 0 && part_of(s, end) >= 0; end++) {
            const int other = part_of(s, end);
            part = other < part ? other : part; /* what carries comes first */
        }
        if (part >= 0 && (end - t + 1) * s->h > most) {
            leave_out(s, part, t, end - 1, margin);
        }
    }
    if (s->nlisted > LISTED) {
        sal_text_format(s->notes, "so are %d other times at which too few markers are seen\n",
                        s->nlisted - LISTED);
    }
}

/* Only steps that lack a marker which the fullest step has are looked at. */
static void find_untold(sight *s, const prb_states *poses)
{
    const size_t n = (size_t)s->p->data->nchannel, nv = (size_t)s->m->nv, nq = (size_t)s->m->nq;
    const int best = look(s);
    judge(s, best, poses->qpos + (size_t)best * nq, s->never);
    for (int t = 0; t < s->nstep; t++) {
        unsigned char *untold = s->untold + (size_t)t * nv;
        if (memcmp(seen_at(s, t), seen_at(s, best), n) == 0) {
            continue;
        }
        judge(s, t, poses->qpos + (size_t)t * nq, untold);
        for (size_t i = 0; i < nv; i++) {
            untold[i] = untold[i] != 0 && s->never[i] == 0 && s->share[i] >= HEAVY;
        }
    }
}

/* [nv] mass of a dof's body and of all that hangs on it, over that of all */
static void weigh(sight *s)
{
    const sal_model *m = s->m;
    double all = 0;
    for (int b = 1; b < m->nbody; b++) {
        all += m->body_mass[b];
        for (int i = 0; i < m->nv; i++) {
            int up = b;
            while (up > 0 && up != m->dof_bodyid[i]) {
                up = m->body_parentid[up];
            }
            s->share[i] += up > 0 ? m->body_mass[b] : 0;
        }
    }
    for (int i = 0; i < m->nv; i++) {
        s->share[i] /= all;
    }
}

sal_status run_inverse_unseen(run_inverse *c, double cutoff, double reach, sal_err *err)
{
    const sal_problem *p = c->p;
    const size_t n = (size_t)p->nstep, nv = (size_t)p->model->nv,
                 nchannel = (size_t)p->data->nchannel;
    sight s = {.p = p,
               .m = c->m,
               .d = c->d,
               .nstep = p->nstep,
               .h = c->h,
               .left_out = c->left_out,
               .notes = c->notes};
    s.seen = sal_alloc(n * (nchannel + nv) + nv, 1);
    s.A = sal_alloc(nv * (nv + 5), sizeof(double));
    if (s.seen == NULL || s.A == NULL) {
        sal_free(s.seen);
        sal_free(s.A);
        return sal_fail(err, SAL_NOMEM, "out of memory for %d steps", p->nstep);
    }
    s.untold = s.seen + n * nchannel;
    s.never = s.untold + n * nv;
    s.jac = s.A + nv * nv;
    s.column = s.jac + 3 * nv;
    s.share = s.column + nv;
    weigh(&s);
    find_untold(&s, &c->poses);
    find_runs(&s, cutoff, reach);
    sal_free(s.seen);
    sal_free(s.A);
    return SAL_OK;
}
