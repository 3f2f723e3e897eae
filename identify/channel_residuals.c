/* channel_residuals.c: what was measured, and what a motion says it should have been.
 *
 *     r = (scale y(t - delay) + offset - measured) / sigma          numbers
 *     r = log(measured* y) / sigma
 *     orientations, as rotation vectors in the body's axes
 *
 * y(t) between steps is linear:  t/h = k + f,  r = (1 - f) r_k + f r_{k+1}.
 */
#include "base/house.h"
#include "identify/fit.h"

#include <math.h>
#include <string.h>

enum { NRES_MOST = 64 };

/* One step's residual, and its derivatives by whatever the value is made of. */
typedef struct idn_instant {
    const prb_channel *c;
    const idn_measured *at;
    const double *measured;
    const double *q, *y, *Y; /* of the step */
    int nv, ncolumn;
    double scale, offset;
} idn_instant;

static int rotation_from(const prb_channel *c) /* where the quaternion is in a sample */
{
    return c->n == 7 ? 3 : c->n == 4 && c->kind == PRB_CHANNEL_JOINT ? 0 : c->n;
}

/* log(measured* q), and the derivative by a rotation of q about its own axes */
static void rotation(const double measured[4], const double q[4], double w[3], double deriv[9])
{
    double conj[4], difference[4];
    sal_quat_conj(conj, measured);
    sal_quat_mul(difference, conj, q);
    sal_quat_log(w, difference);
    sal_quat_log_deriv(deriv, w);
}

static void direct(const idn_instant *s, double *r, double *J, int ld, int column)
{
    const int from = rotation_from(s->c);
    const double *q = s->q + s->at->qposadr, *sigma = s->c->sigma;
    for (int i = 0; i < from; i++) {
        r[i] = (s->scale * q[i] + s->offset - s->measured[i]) / sigma[i];
        if (J != NULL) {
            J[i * ld + column + s->at->dofadr + i] = s->scale / sigma[i];
        }
    }
    if (from < s->c->n) {
        double deriv[9];
        rotation(s->measured + from, q + from, r + from, deriv);
        for (int i = 0; i < 3; i++) {
            r[from + i] /= sigma[from + i];
            for (int j = 0; j < 3 && J != NULL; j++) {
                J[(from + i) * ld + column + s->at->dofadr + from + j] =
                    deriv[3 * i + j] / sigma[from + i];
            }
        }
    }
}

/* Row of Y that belongs to output number `place`, of the columns wanted */
static void put_row(const idn_instant *s, double *row, int place, double factor, int first, int n)
{
    const double *from = s->Y + (size_t)place * (size_t)s->ncolumn + first;
    for (int j = 0; j < n; j++) {
        row[j] += factor * from[j];
    }
}

/* A rotation e of q about its own axes turns q by dq = q (0, e)/2:  e = 2 vec(q* dq) */
static void put_rotation(const idn_instant *s, double *row, const double *q, const double *deriv,
                         double sigma, int first, int n)
{
    /* rows of 2 vec(q* .) */
    const double E[3][4] = {
        {-q[1], q[0], q[3], -q[2]}, {-q[2], -q[3], q[0], q[1]}, {-q[3], q[2], -q[1], q[0]}};
    for (int k = 0; k < 4; k++) {
        const double factor = 2 * (deriv[0] * E[0][k] + deriv[1] * E[1][k] + deriv[2] * E[2][k]);
        put_row(s, row, s->at->quat + k, factor / sigma, first, n);
    }
}

static void by_outputs(const idn_instant *s, double *r, double *J, int ld, int column, int first,
                       int n)
{
    const int from = rotation_from(s->c);
    const double *sigma = s->c->sigma;
    for (int i = 0; i < from; i++) {
        r[i] = (s->scale * s->y[s->at->place + i] + s->offset - s->measured[i]) / sigma[i];
        if (J != NULL) {
            put_row(s, J + i * ld + column, s->at->place + i, s->scale / sigma[i], first, n);
        }
    }
    if (from < s->c->n) {
        double deriv[9];
        const double *q = s->y + s->at->quat;
        rotation(s->measured + from, q, r + from, deriv);
        for (int i = 0; i < 3; i++) {
            r[from + i] /= sigma[from + i];
            if (J != NULL) {
                put_rotation(s, J + (from + i) * ld + column, q, deriv + 3 * i, sigma[from + i],
                             first, n);
            }
        }
    }
}

/* Where a sample falls among the steps 0..n: step k, and the share f of the next. Before the first
 * and behind the last step all goes on evenly: f is below 0, or above 1. */
static int step_of(const idn_fit *fit, int member, int sample, double delay, double *f)
{
    const idn_member *of = fit->of + member;
    const double h = fit->data->recording[of->recording].dt / fit->substeps,
                 at = sample * fit->substeps - delay / h, last = of->nstep - 1;
    int k = (int)floor(fmin(fmax(at, 0), last));
    k -= at > k && k > 0 && k + 1 > of->nstep - 1;
    *f = at - k;
    return k;
}

static void set_step(const idn_fit *fit, idn_instant *s, int step, const idn_point *at,
                     const idn_signals *from)
{
    const size_t row = (size_t)step * (size_t)fit->ny;
    s->q = at->q + (size_t)(step + 1) * (size_t)fit->nq;
    s->y = from->y + row;
    s->Y = from->Y == NULL ? NULL : from->Y + row * (size_t)fit->ncolumn;
}

static bool is_known(const idn_instant *s)
{
    for (int i = 0; i < s->c->n; i++) {
        if (!isfinite(s->measured[i])) {
            return false;
        }
    }
    return true;
}

/* r of the step, J in columns from `column` on: of q_t alone, or all three configurations */
static void instant(const idn_instant *s, bool alone, double *r, double *J, int ld, int column)
{
    if (s->at->direct) {
        direct(s, r, J, ld, alone ? column : column + s->nv);
    } else {
        by_outputs(s, r, J, ld, column, alone ? s->nv : 0, alone ? s->nv : 3 * s->nv);
    }
}

int idn_channel_residual(const idn_fit *fit, const idn_point *at, const idn_signals *from,
                         int channel, int sample, double *r, idn_slopes *slopes)
{
    const prb_dataset *data = fit->data;
    const prb_channel *c = data->channel + channel;
    const prb_recording *rec = data->recording + fit->of[at->member].recording;
    const int nv = fit->nv, nc = data->nchannel;
    idn_instant s = {.c = c,
                     .at = fit->measured + channel,
                     .measured = rec->value + (size_t)sample * (size_t)data->nvalue + c->adr,
                     .nv = nv,
                     .ncolumn = fit->ncolumn,
                     .scale = from->calibration[channel],
                     .offset = from->calibration[nc + channel]};
    if (c->data != rec->data || !idn_follows(fit, channel) || !is_known(&s) ||
        !idn_delays_compare(fit, at->member, channel, sample)) {
        return 0;
    }
    double f, next[NRES_MOST] = {0};
    const int k = step_of(fit, at->member, sample, from->calibration[2 * nc + channel], &f);
    const bool between = f > 0 || f < 0;
    slopes->width = s.at->direct && !between ? 1 : between ? 2 : 3;
    slopes->first = s.at->direct || between ? k + 1 : k;
    const int ld = slopes->width * nv;
    double *J = slopes->J;
    if (J != NULL) {
        memset(J, 0, (size_t)(c->nres * ld) * sizeof(double));
    }
    set_step(fit, &s, k, at, from);
    instant(&s, slopes->width < 3, r, J, ld, 0);
    if (!between) {
        return c->nres;
    }
    set_step(fit, &s, k + 1, at, from);
    instant(&s, true, next, J, ld, nv);
    for (int i = 0; i < c->nres; i++) {
        r[i] = (1 - f) * r[i] + f * next[i];
        for (int j = 0; j < ld && J != NULL; j++) {
            J[i * ld + j] *= j < nv ? 1 - f : f;
        }
    }
    return c->nres;
}

void idn_channel_reading(const idn_fit *fit, const idn_point *at, const idn_signals *from,
                         int channel, int sample, double *value)
{
    const prb_dataset *data = fit->data;
    const prb_channel *c = data->channel + channel;
    const idn_measured *measured = fit->measured + channel;
    const int turns = rotation_from(c), nc = data->nchannel;
    const double scale = from->calibration[channel], offset = from->calibration[nc + channel];
    double f;
    const int k = step_of(fit, at->member, sample, from->calibration[2 * nc + channel], &f);
    for (int i = 0; i < c->n; i++) {
        const int place = i < turns ? measured->place + i : measured->quat + i - turns;
        const double *a = measured->direct
                              ? at->q + (size_t)(k + 1) * (size_t)fit->nq + measured->qposadr + i
                              : from->y + (size_t)k * (size_t)fit->ny + place;
        const double *b = measured->direct ? a + fit->nq : a + fit->ny;
        const double mean = f > 0 || f < 0 ? (1 - f) * *a + f * *b : *a;
        value[i] = i < turns ? scale * mean + offset : mean;
    }
    if (turns < c->n) {
        sal_quat_normalise(value + turns);
    }
}
