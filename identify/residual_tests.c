/* residual_tests.c: how well the recordings are met: residuals in units of sigma, by channel and by
 * recording, and the errors of rollouts.
 *
 * Whiteness: over all series r_1 .. r_n of a channel (a number of it, in one recording)
 *
 *     lag1 = sum r_t r_{t+1} / sum r_t^2        Q = sum_series n (n + 2) sum_k rho_k^2 / (n - k),
 *     k = 1 .. LAGS
 *
 * Q (Ljung, Box, "On a measure of lack of fit in time series models", Biometrika 65, 1978) is chi
 * square of LAGS freedoms for each series if the residuals are white. Means are not taken away: an
 * offset that stays is a thing unexplained, too.
 */

#include "base/house.h"
#include "identify/assess.h"
#include "problems/recordings/data.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { LAGS = 10 };
static const double OUTLYING = 5; /* deviations of log rms, as the median absolute one tells them */
static const double MAD =
    1.4826; /* standard deviation of a normal variable over its median absolute deviation */

void idn_residual(double *residual, const sal_identification_channel *c, const double *measured,
                  const double *predicted, const double *sigma)
{
    const bool turns = c->n >= 4 && c->nres == c->n - 1; /* which ends in a quaternion */
    const int plain = turns ? c->n - 4 : c->nres;
    for (int i = 0; i < plain; i++) {
        residual[i] = measured[c->adr + i] - predicted[c->adr + i];
    }
    if (turns) {
        double between[4], back[4];
        sal_quat_conj(back, predicted + c->adr + plain);
        sal_quat_mul(between, back, measured + c->adr + plain);
        sal_quat_log(residual + plain, between);
    }
    for (int i = 0; i < c->nres && sigma != NULL; i++) {
        residual[i] /= sigma[c->res_adr + i];
    }
}

/* ---- channels ---- */

/* r [nsample] of one number of a channel in one recording */
static void add_series(sal_identification_channel *c, const double *r, int n, double sums[2])
{
    double rho[LAGS + 1] = {0};
    int known = 0;
    for (int t = 0; t < n; t++) {
        known += isfinite(r[t]) != 0;
        for (int k = 0; k <= LAGS && t + k < n; k++) {
            rho[k] += isfinite(r[t]) && isfinite(r[t + k]) ? r[t] * r[t + k] : 0;
        }
    }
    c->count += known;
    sums[0] += rho[0];
    sums[1] += rho[1];
    if (known > 2 * LAGS && rho[0] > 0) {
        for (int k = 1; k <= LAGS; k++) {
            const double share = rho[k] / rho[0];
            c->ljung_box += known * (known + 2.0) * share * share / (known - k);
        }
        c->freedom += LAGS;
    }
}

/* The residuals of channel c in recording i by series: r [nres x nsample] */
static void residuals_of(const sal_identification_result *e, int c, int i, double *r, double *one)
{
    const sal_identification_channel *channel = e->channel + c;
    const sal_identification_recording *rec = e->recording + i;
    for (int t = 0; t < rec->nsample; t++) {
        idn_residual(one, channel, rec->measured + t * e->nvalue, rec->fitted + t * e->nvalue,
                     e->sigma);
        for (int k = 0; k < channel->nres; k++) {
            r[k * rec->nsample + t] = one[k];
        }
    }
}

static void judge_whiteness(sal_identification_channel *c)
{
    const double by_chance = c->count > 0 ? 2 / sqrt(c->count) : 0, size = fabs(c->lag1);
    const bool given = c->kind == PRB_CHANNEL_CTRL || c->kind == PRB_CHANNEL_FORCE;
    const char *words =
        given                           ? "is an input, not fitted"
        : c->count == 0                 ? "has no sample in the fit"
        : !(size > fmax(.1, by_chance)) ? "residuals are white"
        : !(size > fmax(.3, by_chance)) ? "residuals are nearly white"
        : c->lag1 < 0
            ? "neighbouring residuals have opposite signs: the motion follows the noise, or the "
              "samples were filtered"
            : "neighbouring residuals are alike: the data contain a slow effect that the "
              "model lacks";
    c->white = !(size > fmax(.3, by_chance));
    snprintf(c->text, sizeof c->text, "%s", words);
}

static void judge_channel(sal_identification_result *e, int c, double *r, double *one)
{
    sal_identification_channel *channel = e->channel + c;
    double sums[2] = {0, 0};
    channel->ljung_box = channel->freedom = 0;
    channel->count = 0;
    for (int i = 0; i < e->nrecording; i++) {
        sal_identification_recording *rec = e->recording + i;
        double square = 0;
        int n = 0;
        if (rec->nsample == 0) {
            continue; /* it was neither fitted nor predicted */
        }
        residuals_of(e, c, i, r, one);
        for (int k = 0; k < channel->nres * rec->nsample; k++) {
            square += isfinite(r[k]) ? r[k] * r[k] : 0;
            n += isfinite(r[k]) != 0;
        }
        rec->channel_rms[c] = n > 0 ? sqrt(square / n) : (double)NAN;
        for (int k = 0; k < channel->nres && !rec->held; k++) {
            add_series(channel, r + k * rec->nsample, rec->nsample, sums);
        }
    }
    channel->rms = channel->count > 0 ? sqrt(sums[0] / channel->count) : (double)NAN;
    channel->lag1 = sums[0] > 0 ? sums[1] / sums[0] : (double)NAN;
    judge_whiteness(channel);
}

/* ---- recordings ---- */

/* Adds the squares of a sample's residuals, and how many there are. */
static void add_residuals(const sal_identification_result *e,
                          const sal_identification_recording *rec, int sample, double *one,
                          double *square, int *n)
{
    for (int c = 0; c < e->nchannel; c++) {
        idn_residual(one, e->channel + c, rec->measured + sample * e->nvalue,
                     rec->fitted + sample * e->nvalue, e->sigma);
        for (int k = 0; k < e->channel[c].nres; k++) {
            *square += isfinite(one[k]) ? one[k] * one[k] : 0;
            *n += isfinite(one[k]) != 0;
        }
    }
}

double sal_identification_sample_rms(const sal_identification_result *e,
                                     const sal_identification_recording *rec, int sample,
                                     double *scratch)
{
    double square = 0;
    int n = 0;
    add_residuals(e, rec, sample, scratch, &square, &n);
    return n > 0 ? sqrt(square / n) : (double)NAN;
}

/* Root mean square of all residuals of a recording. */
static double rms_of(const sal_identification_result *e, const sal_identification_recording *rec,
                     double *one)
{
    double square = 0;
    int n = 0;
    for (int t = 0; t < rec->nsample; t++) {
        add_residuals(e, rec, t, one, &square, &n);
    }
    return n > 0 ? sqrt(square / n) : (double)NAN;
}

/* ---- rollouts ---- */

typedef struct tally {
    double square[2],
        /* of places and attitudes: sum over samples; mean over bodies at the last sample that has
         * any */
        last[2];
    int n[2];
} tally;

/* Squared length of the first or last three numbers of a residual. */
static double square3(const double *r)
{
    return r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
}

/* Channels whose error is one of place, of attitude; where among its numbers; -1: neither. data.h
 * has the kinds. */
static int part_of(const sal_identification_channel *c, int what)
{
    const bool pose = c->kind == PRB_CHANNEL_BODY, place = pose || c->kind == PRB_CHANNEL_SITE;
    return what == 0 ? (place && c->nres >= 3 ? 0 : -1) : c->nres == 6 && pose ? 3 : -1;
}

static void add_sample(const sal_identification_result *e, const double *measured,
                       const double *predicted, double *one, tally *sum)
{
    double here[2] = {0, 0};
    int n[2] = {0, 0};
    for (int c = 0; c < e->nchannel; c++) {
        idn_residual(one, e->channel + c, measured, predicted, NULL);
        for (int what = 0; what < 2; what++) {
            const int part = part_of(e->channel + c, what);
            const double square = part >= 0 ? square3(one + part) : (double)NAN;
            here[what] += isfinite(square) ? square : 0;
            n[what] += isfinite(square) != 0;
        }
    }
    for (int what = 0; what < 2; what++) {
        if (n[what] > 0) {
            sum->last[what] = here[what] / n[what];
            sum->square[what] += sum->last[what];
            sum->n[what]++;
        }
    }
}

/* A rollout that diverged has no end; what it did before still counts over time. */
static void judge_rollout(const sal_identification_result *e,
                          const sal_identification_recording *rec, const double *predicted,
                          double *one, sal_identification_rollout *error)
{
    tally sum = {{0, 0}, {0, 0}, {0, 0}};
    for (int t = 0; t < rec->nsample; t++) {
        add_sample(e, rec->measured + t * e->nvalue, predicted + t * e->nvalue, one, &sum);
    }
    double *const last[] = {&error->position, &error->rotation};
    double *const rms[] = {&error->position_rms, &error->rotation_rms};
    for (int what = 0; what < 2; what++) {
        const bool any = sum.n[what] > 0;
        *rms[what] = any ? sqrt(sum.square[what] / sum.n[what]) : (double)NAN;
        *last[what] = !any                        ? (double)NAN
                      : isfinite(error->diverged) ? (double)INFINITY
                                                  : sqrt(sum.last[what]);
    }
}

/* Root mean square error of channel c of a rollout: of its place, rotation, or numbers. */
static double channel_error(const sal_identification_result *e,
                            const sal_identification_recording *rec, int c, const double *predicted,
                            double *one)
{
    const sal_identification_channel *channel = e->channel + c;
    const int many = channel->kind == PRB_CHANNEL_BODY && channel->nres > 3 ? 3 : channel->nres;
    double square = 0;
    int n = 0;
    for (int t = 0; t < rec->nsample; t++) {
        double here = 0;
        idn_residual(one, channel, rec->measured + t * e->nvalue, predicted + t * e->nvalue, NULL);
        for (int k = 0; k < many; k++) {
            here += one[k] * one[k];
        }
        square += isfinite(here) ? here : 0;
        n += isfinite(here) != 0;
    }
    return n > 0 && many > 0 ? sqrt(square / n) : (double)NAN;
}

/* ---- quartiles ---- */

double sal_identification_measured(const sal_identification_recording *r,
                                   sal_identification_measure what)
{
    switch (what) {
#define MEASURE_CASE(code, name, unit, member)                                                     \
    case code:                                                                                     \
        return r->member;
        SAL_IDENTIFICATION_MEASURE_LIST(MEASURE_CASE)
#undef MEASURE_CASE
    case SAL_NMEASURE:
        break;
    }
    return (double)NAN;
}

const char *sal_identification_measure_name(sal_identification_measure what)
{
    static const char *const names[] = {
#define MEASURE_NAME(code, name, unit, member) name,
        SAL_IDENTIFICATION_MEASURE_LIST(MEASURE_NAME)
#undef MEASURE_NAME
    };
    return names[what];
}

const char *sal_identification_measure_unit(sal_identification_measure what)
{
    static const char *const units[] = {
#define MEASURE_UNIT(code, name, unit, member) unit,
        SAL_IDENTIFICATION_MEASURE_LIST(MEASURE_UNIT)
#undef MEASURE_UNIT
    };
    return units[what];
}

/* Between the sorted values on both sides of the place `share` (n - 1). */
static double quantile(const double *sorted, int n, double share)
{
    const double at = share * (n - 1);
    const int i = (int)at, k = i + 1 < n ? i + 1 : i;
    const bool there = at <= i || sorted[i] == sorted[k]; /* which may be infinite */
    return there ? sorted[i] : sorted[i] + (at - i) * (sorted[k] - sorted[i]);
}

/* Of those of x[n] that are numbers; sorts them. */
static sal_quartiles quartiles_of(double *x, int n)
{
    if (n == 0) {
        return (sal_quartiles){0, (double)NAN, (double)NAN, (double)NAN};
    }
    sal_sort(x, n);
    return (sal_quartiles){n, quantile(x, n, 0.25), quantile(x, n, 0.5), quantile(x, n, 0.75)};
}

/* What the recordings of the fit, or those held out, have of something; what they do not have is
 * NaN. */
typedef double (*teller)(const sal_identification_recording *r, int what);

static sal_status tell(sal_quartiles *q, const sal_identification_result *e, bool held, teller of,
                       int what, sal_err *err)
{
    double *x = sal_alloc((size_t)e->nrecording + 1, sizeof(double));
    int n = 0;
    if (x == NULL) {
        *q = quartiles_of(x, 0);
        return sal_fail(err, SAL_NOMEM, "out of memory for the figures of recordings");
    }
    for (int i = 0; i < e->nrecording; i++) {
        const double value = of(e->recording + i, what);
        if ((e->recording[i].held != 0) == held && !isnan(value)) {
            x[n++] = value;
        }
    }
    *q = quartiles_of(x, n);
    sal_free(x);
    return SAL_OK;
}

static double tell_measure(const sal_identification_recording *r, int what)
{
    return sal_identification_measured(r, (sal_identification_measure)what);
}

static double tell_found(const sal_identification_recording *r, int c)
{
    return r->nsample > 0 ? r->channel_predicted[c] : (double)NAN;
}

static double tell_nominal(const sal_identification_recording *r, int c)
{
    return r->nsample > 0 ? r->channel_nominal[c] : (double)NAN;
}

sal_status sal_identification_quartiles(sal_quartiles *q, const sal_identification_result *e,
                                        bool held, sal_identification_measure what, sal_err *err)
{
    return tell(q, e, held, tell_measure, (int)what, err);
}

sal_status sal_identification_channel_quartiles(sal_quartiles *q,
                                                const sal_identification_result *e, bool held,
                                                int c, bool nominal, sal_err *err)
{
    return tell(q, e, held, nominal ? tell_nominal : tell_found, c, err);
}

/* ---- outliers ---- */

/* Recordings whose log rms lies far above the others' (training and held out alike, but judged by
 * the former). */
static sal_status find_outliers(sal_identification_result *e, sal_err *err)
{
    sal_quartiles q = {0};
    double *x = sal_alloc((size_t)e->nrecording + 1, sizeof(double));
    sal_status status = x == NULL
                            ? sal_fail(err, SAL_NOMEM, "out of memory for outliers")
                            : sal_identification_quartiles(&q, e, false, SAL_MEASURE_FIT, err);
    int n = 0;
    for (int i = 0; status == SAL_OK && i < e->nrecording; i++) {
        const sal_identification_recording *r = e->recording + i;
        if (!r->held && r->rms > 0) {
            x[n++] = fabs(log(r->rms / q.median));
        }
    }
    if (status == SAL_OK && n > 4 && q.median > 0) {
        sal_sort(x, n);
        const double most = OUTLYING * MAD * fmax(quantile(x, n, 0.5), 0.02);
        for (int i = 0; i < e->nrecording; i++) {
            e->recording[i].outlier = log(e->recording[i].rms / q.median) > most;
        }
    }
    sal_free(x);
    return status;
}

sal_status idn_test_residuals(idn_assessment *a, sal_err *err)
{
    sal_identification_result *e = a->e;
    size_t longest = 1;
    for (int i = 0; i < e->nrecording; i++) {
        const size_t n = (size_t)e->recording[i].nsample;
        longest = n > longest ? n : longest;
    }
    double *one = sal_alloc((size_t)e->nresidual + 1, sizeof(double)),
           *r = sal_alloc((size_t)(e->nresidual + 1) * longest, sizeof(double));
    sal_status status =
        one == NULL || r == NULL ? sal_fail(err, SAL_NOMEM, "out of memory for residuals") : SAL_OK;
    for (int c = 0; status == SAL_OK && c < e->nchannel; c++) {
        judge_channel(e, c, r, one);
    }
    for (int i = 0; status == SAL_OK && i < e->nrecording; i++) {
        sal_identification_recording *rec = e->recording + i;
        rec->rms = rms_of(e, rec, one);
        for (int c = 0; c < e->nchannel && rec->nsample > 0; c++) {
            rec->channel_predicted[c] = channel_error(e, rec, c, rec->predicted, one);
            rec->channel_nominal[c] = channel_error(e, rec, c, rec->predicted_nominal, one);
        }
        judge_rollout(e, rec, rec->predicted, one, &rec->rollout);
        judge_rollout(e, rec, rec->predicted_nominal, one, &rec->rollout_nominal);
    }
    sal_free(one);
    sal_free(r);
    return status == SAL_OK ? find_outliers(e, err) : status;
}
