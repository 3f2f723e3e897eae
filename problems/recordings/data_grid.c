/* data_grid.c: recorded numbers at even distances in time. */

#include "problems/recordings/data_read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Steps between rows, in median ones, that are nothing unusual: of rows that are evenly spaced, and
 * of others. */
static const double USUAL_EVEN = 1.5, USUAL_UNEVEN = 5;
static const double REACH = 0.1; /* s: a recording may become so slow for a while */

typedef struct grid {
    int n;
    double start, dt;
    double reach;  /* s: prb_recording */
    double *value; /* [n x nvalue] */
} grid;

static size_t width_of(const prb_track *t)
{
    return (size_t)t->data->nvalue;
}

/* ---- spacing ---- */

/* Times are rounded: where samples a second are a whole number, to a thousandth of a sample, that
 * is meant. */
static double whole_rate(const prb_track *t, const int *g, double dt)
{
    const double rate = floor(1 / dt + .5);
    for (int k = 1; k < t->n && rate > 0; k++) {
        if (fabs(t->at[k] - t->at[0] - g[k] / rate) > 1e-3 * dt) {
            return dt;
        }
    }
    return rate > 0 ? 1 / rate : dt;
}

/* A rate that is not that of the other recordings, or of none. */
static void doubt_rate(prb_track *t, double dt)
{
    char text[300];
    const sal_place place = t->time < 0 ? t->file->place : t->s.column[t->time].place;
    const double usual = t->wish->step;
    t->wish->step = usual > 0 ? usual : dt;
    if (dt > .5) {
        snprintf(text, sizeof text, "samples are %.4g s apart; perhaps the time is in ms", dt);
        prb_track_doubt(
            t, PRB_DOUBT_RATE, place,
            "if it is, name the column 'time [ms]' in the file, and leave time= out or write "
            "time=\"time\"",
            text);
    } else if (usual > 0 && fabs(dt / usual - 1) > .02 && !(t->wish->resample > 0)) {
        snprintf(text, sizeof text,
                 "this recording has %.6g samples per second, but the first has %.6g; perhaps the "
                 "rate is wrong",
                 1 / dt, 1 / usual);
        prb_track_doubt(t, PRB_DOUBT_RATE, place,
                        "set resample= to give all recordings the same rate", text);
    }
}

/* rate= beside times that say otherwise. */
static bool check_rate(prb_track *t, double dt)
{
    const double said = t->wish->rate;
    doubt_rate(t, dt);
    if (t->time < 0 || !(said > 0) || fabs(said * dt - 1) < .005) {
        return true;
    }
    sal_diag_error(
        t->r->diag, prb_reader_place(t->wish->element, "rate"),
        "remove rate=, or check the units of the time (s)",
        "the times of '%.300s' (column '%.80s') give %.6g samples per second, but rate= says %.6g",
        t->file->path, t->s.column[t->time].name, 1 / dt, said);
    return false;
}

/* ---- between samples ---- */

/* Values [n] at their times at those of the grid. */
static void interpolate(const prb_track *t, const double *at, const double *value, int n, grid *g)
{
    const size_t width = width_of(t);
    for (int i = 0; i < t->data->nchannel; i++) {
        const prb_channel *c = t->data->channel + i;
        for (int v = c->adr; v < c->adr + c->n; v++) {
            const prb_signal s = {.at = at,
                                  .x = value + v,
                                  .n = n,
                                  .stride = (int)width,
                                  .reach = g->reach,
                                  .straight = prb_channel_is_straight(c)};
            for (int j = 0, k = 0; j < g->n; j++) {
                const double x = g->start + j * g->dt;
                while (k + 2 < n && at[k + 1] <= x) {
                    k++;
                }
                g->value[(size_t)j * width + (size_t)v] = prb_signal_at(&s, k, x);
            }
        }
    }
}

static void normalise(const prb_track *t, grid *g)
{
    for (int i = 0; i < t->data->nchannel; i++) {
        const prb_channel *c = t->data->channel + i;
        const int from = prb_channel_quaternion(t->r->p->model, c);
        for (int k = 0; k < g->n && from >= 0; k++) {
            double *q = g->value + (size_t)k * width_of(t) + c->adr + from;
            const double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
            for (int j = 0; j < 4; j++) {
                q[j] /= length;
            }
        }
    }
}

/* ---- grids ---- */

static bool room(prb_track *t, grid *g)
{
    g->value = prb_reader_alloc(t->r, (size_t)g->n * width_of(t), sizeof(double));
    for (size_t i = 0; g->value != NULL && i < (size_t)g->n * width_of(t); i++) {
        g->value[i] = (double)NAN;
    }
    return g->value != NULL;
}

/* Samples every dt, from the first to at most the last row. */
static bool resample(prb_track *t, const double *at, const double *value, int n, double dt, grid *g)
{
    g->start = at[0];
    g->dt = dt;
    g->n = (int)floor((at[n - 1] - at[0]) / dt + 1e-6) + 1;
    if (!room(t, g)) {
        return false;
    }
    interpolate(t, at, value, n, g);
    normalise(t, g);
    return true;
}

/* The file's own rows where they stand evenly, rows that are not there as NaN. */
static bool even_rows(prb_track *t, const int *at, double dt, grid *g)
{
    const size_t width = width_of(t);
    g->n = at[t->n - 1] + 1;
    g->start = t->at[0];
    g->dt = dt;
    if (!room(t, g)) {
        return false;
    }
    for (int k = 0; k < t->n; k++) {
        memcpy(g->value + (size_t)at[k] * width, t->value + (size_t)k * width,
               width * sizeof(double));
    }
    return true;
}

/* ---- gaps ---- */

/* Where no row stands for longer than gap=, beyond a number of steps that is nothing unusual. */
static bool check_holes(prb_track *t, double median, double usual)
{
    bool good = true;
    const double most = t->wish->gap + usual * median;
    for (int k = 1; k < t->n; k++) {
        const double step = t->at[k] - t->at[k - 1];
        if (step > most && !sig_is_slower(t->at, t->n, k)) {
            good = false;
            sal_diag_error(
                t->r->diag, t->s.row[t->row[k]],
                "allow longer gaps by gap= (s), or use a part of the file by from= and to=",
                "there are no samples for %.4g s before this row; rows are usually %.4g s apart",
                step, median);
        }
    }
    return good;
}

/* Without a force its point and its torque do not matter, and are often not told. */
static void fill_idle(const prb_track *t, const prb_channel *c)
{
    for (int k = 0; k < t->n && c->kind == PRB_CHANNEL_FORCE; k++) {
        double *f = t->value + (size_t)k * width_of(t) + c->adr;
        const bool idle = fabs(f[0]) + fabs(f[1]) + fabs(f[2]) <= 0;
        for (int i = 3; i < c->n && idle; i++) {
            f[i] = isnan(f[i]) ? 0 : f[i];
        }
    }
}

/* What acts must be known at every sample: straight lines over its gaps, which are no longer than
 * is allowed, and what was last known behind the end. */
static void bridge(double *x, int n, size_t stride)
{
    int last = -1;
    for (int k = 0; k <= n; k++) {
        if (k < n && isnan(x[(size_t)k * stride])) {
            continue;
        }
        for (int i = last + 1; i < k && (last >= 0 || k < n); i++) {
            const double a = last < 0 ? x[(size_t)k * stride] : x[(size_t)last * stride],
                         b = k == n ? a : x[(size_t)k * stride];
            const double f = last < 0 || k == n ? 0 : (double)(i - last) / (k - last);
            x[(size_t)i * stride] = a + f * (b - a);
        }
        last = k;
    }
}

static void bridge_known(const prb_track *t, grid *g)
{
    for (int i = 0; i < t->data->nchannel; i++) {
        const prb_channel *c = t->data->channel + i;
        for (int v = c->adr; v < c->adr + c->n && c->nres == 0 && t->wish->channel[i] != NULL;
             v++) {
            bridge(g->value + v, g->n, width_of(t));
        }
    }
}

/* Where a channel is missing for longer than gap=. */
static bool check_missing(prb_track *t, const prb_channel *c, double median)
{
    const size_t width = width_of(t);
    const double gap = t->wish->drops_jumps ? fmax(PRB_DROP_MOST, t->wish->gap) : t->wish->gap;
    for (int v = c->adr; v < c->adr + c->n; v++) {
        for (int k = 0, m; k < t->n; k += m + 1) {
            for (m = 0; k + m < t->n && isnan(t->value[(size_t)(k + m) * width + (size_t)v]); m++) {
            }
            if (m == t->n) {
                sal_diag_error(t->r->diag, t->s.column[t->column[v]].place,
                               "leave out the recording by skip=, or remove the channel",
                               "column '%.80s' (channel '%.80s') is empty",
                               t->s.column[t->column[v]].name, c->name);
                return false;
            }
            if (m * median > 1.000001 * gap) { /* 0.1 is no tenth */
                sal_diag_error(
                    t->r->diag, prb_track_place(t, k, v),
                    "allow longer gaps by gap= (s); missing samples are then ignored",
                    "numbers are missing for %d sample%s, %.4g s (column '%.80s', channel '%.80s')",
                    m, m == 1 ? "" : "s", m * median, t->s.column[t->column[v]].name, c->name);
                return false;
            }
        }
    }
    return true;
}

static bool check_gaps(prb_track *t, double median, double usual)
{
    bool good = check_holes(t, median, usual);
    for (int i = 0; i < t->data->nchannel; i++) {
        if (t->wish->channel[i] != NULL) {
            fill_idle(t, t->data->channel + i);
            good = check_missing(t, t->data->channel + i, median) && good;
        }
    }
    return good;
}

/* ---- filters ---- */

static bool filter(prb_track *t, grid *g)
{
    bool good = true;
    for (int i = 0; i < t->data->nchannel && good; i++) {
        const prb_channel *c = t->data->channel + i;
        const sal_xml *element = t->wish->channel[i];
        const double own = element == NULL ? 0 : prb_grammar_real("channel", element, "lowpass");
        const double cutoff = isnan(own) ? c->kind == PRB_CHANNEL_CTRL ? 0 : t->wish->lowpass : own;
        if (cutoff * g->dt >= .5) {
            sal_diag_error(t->r->diag,
                           isnan(own) ? prb_reader_place(t->wish->element, "lowpass")
                                      : prb_reader_place(element, "lowpass"),
                           NULL,
                           "the low-pass frequency is too high: %.6g samples per second contain "
                           "only frequencies up to %.6g Hz",
                           1 / g->dt, .5 / g->dt);
            return false;
        }
        for (int v = c->adr; v < c->adr + c->n && cutoff > 0 && good; v++) {
            good =
                prb_lowpass(g->value + v, g->n, (int)width_of(t), cutoff * g->dt, t->wish->order);
        }
    }
    normalise(t, g);
    t->r->nomem = t->r->nomem || !good;
    return good;
}

/* ---- rest ---- */

/* The last sample at which a channel is more than five sigma away from where it comes to rest, its
 * mean over the last samples. */
static int last_movement(const prb_track *t, const grid *g, int rest)
{
    int last = 0;
    const size_t width = width_of(t);
    const int tail = rest < 5 ? 5 : rest > g->n / 4 ? g->n / 4 + 1 : rest;
    for (int i = 0; i < t->data->nchannel; i++) {
        const prb_channel *c = t->data->channel + i;
        const int quaternion = prb_channel_quaternion(t->r->p->model, c);
        const bool counts = t->wish->channel[i] != NULL && c->nres > 0 && c->order == 0 &&
                            c->kind != PRB_CHANNEL_SENSOR;
        for (int k = 0; k < c->n && counts; k++) {
            const double *x = g->value + (size_t)c->adr + (size_t)k;
            const bool turns = quaternion >= 0 && k >= quaternion;
            const double sigma = c->sigma[turns ? quaternion : k] * (turns ? .5 : 1);
            double sum = 0;
            int count = 0;
            for (int j = g->n - tail; j < g->n; j++) {
                const double value = x[(size_t)j * width];
                sum += isnan(value) ? 0 : value;
                count += !isnan(value);
            }
            for (int j = g->n - 1; j > last && count > 0; j--) {
                last = fabs(x[(size_t)j * width] - sum / count) > 5 * sigma ? j : last;
            }
        }
    }
    return last;
}

/* ---- the recording ---- */

static void warn_folded(prb_track *t, double rate)
{
    char text[200];
    snprintf(text, sizeof text,
             "%.6g samples per second are reduced to %.6g without a filter: frequencies above %.6g "
             "Hz will appear as lower ones (aliasing)",
             rate, t->wish->resample, t->wish->resample / 2);
    bool drives = false;
    for (int i = 0; i < t->data->nchannel; i++) {
        drives =
            drives || (t->wish->channel[i] != NULL && t->data->channel[i].kind == PRB_CHANNEL_CTRL);
    }
    prb_track_doubt(t, PRB_DOUBT_FOLDED, prb_reader_place(t->wish->element, "resample"),
                    drives
                        ? "set lowpass=, Hz; it does not apply to controls: write their mean over "
                          "each new sample into the file"
                        : "set lowpass=, Hz",
                    text);
}

static void refuse_uneven(prb_track *t, const sig_spacing *s, const int *at)
{
    const int k = s->worst;
    sal_diag_error(t->r->diag, t->s.row[t->row[k]], "set resample=, Hz",
                   "samples are not evenly spaced: steps are usually %.4g s, but the step to this "
                   "row is %.4g s; it should be %.4g s",
                   s->median, t->at[k] - t->at[k - 1],
                   isinf(s->off) ? s->median : t->at[0] + at[k] * s->dt - t->at[k - 1]);
}

/* Evenly spaced numbers of rows that are not, at the rate that is asked for where nothing filters:
 * else at their own. */
static bool make_even_rows(prb_track *t, const sig_spacing *s, grid *g)
{
    const double wanted = t->wish->resample;
    const double dt = (t->at[t->n - 1] - t->at[0]) / (t->n - 1);
    if (wanted * s->median < .7 && !(t->wish->lowpass > 0)) {
        warn_folded(t, 1 / s->median);
    }
    return check_rate(t, dt) &&
           resample(t, t->at, t->value, t->n, t->wish->lowpass > 0 ? dt : 1 / wanted, g);
}

/* Evenly spaced numbers at the file's own rate, or, where that is uneven and nothing filters, at
 * the one that is asked for. */
static bool make_even(prb_track *t, grid *g)
{
    sig_spacing s;
    int *at = prb_reader_alloc(t->r, (size_t)t->n, sizeof(int));
    bool good = at != NULL && sig_spacing_find(&s, at, t->at, t->n);
    if (!good) {
        t->r->nomem = true;
    } else if (!s.even && !(t->wish->resample > 0)) {
        refuse_uneven(t, &s, at);
        good = false;
    } else {
        const double usual = s.even ? USUAL_EVEN : USUAL_UNEVEN;
        g->reach = fmax(fmax(REACH, s.slowest), usual * s.median);
        good = check_gaps(t, s.median, usual);
        if (s.even) {
            const double dt = whole_rate(t, at, s.dt);
            good = good && check_rate(t, dt) && even_rows(t, at, dt, g);
        } else {
            good = good && make_even_rows(t, &s, g);
        }
    }
    sal_free(at);
    return good;
}

/* Other instants, if they are asked for. */
static bool make_wanted(prb_track *t, grid *g)
{
    const double wanted = t->wish->resample;
    if (!(wanted > 0) || fabs(wanted * g->dt - 1) < 1e-9) {
        return true;
    }
    double *at = prb_reader_alloc(t->r, (size_t)g->n, sizeof(double));
    grid other = {.reach = fmax(g->reach, USUAL_EVEN * g->dt)};
    if (wanted * g->dt < .7 && !(t->wish->lowpass > 0)) {
        warn_folded(t, 1 / g->dt);
    }
    for (int k = 0; at != NULL && k < g->n; k++) {
        at[k] = g->start + k * g->dt;
    }
    const bool good = at != NULL && resample(t, at, g->value, g->n, 1 / wanted, &other);
    sal_free(at);
    sal_free(g->value);
    *g = other;
    return good;
}

bool prb_track_even(prb_track *t, prb_recording *out)
{
    grid g = {0};
    bool good = make_even(t, &g);
    if (good) {
        bridge_known(t, &g);
    }
    good = good && filter(t, &g) && make_wanted(t, &g);
    if (good && t->wish->rest >= 0) {
        const int keep = last_movement(t, &g, t->wish->rest) + 1 + t->wish->rest;
        g.n = keep < g.n ? keep : g.n;
    }
    out->nsample = g.n;
    out->dt = g.dt;
    out->start = g.start;
    out->reach = g.reach;
    out->value = good ? g.value : NULL;
    if (!good) {
        sal_free(g.value);
    }
    return good;
}
