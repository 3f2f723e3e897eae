/* resample.c: standard errors from fits of other sets of the recordings, each from the motions and
 * parameters of the fit of all of them, by its last two stages. G clusters of recordings,
 *
 *     jackknife   without cluster c, for each of the G:  a_c
 *                 variance  (G - 1)/G sum (a_c - mean)^2
 *     bootstrap   G clusters drawn at random, some of them several times, B times:  a_b
 *                 variance  G/(G - 1) 1/(B - 1) sum (a_b - mean)^2
 *
 * (Efron, "Bootstrap methods: another look at the jackknife", Annals of Statistics 7, 1979). Both
 * see what no score says: that with other recordings other samples are outliers, and other
 * contacts are made. resampled_errors.c makes errors of the values that are kept here.
 *
 * By the last stage alone a fit often goes nowhere: friction and contact put the estimate on a
 * kink, and forces must be believed less for a while before it can leave. (An arm's errors from a
 * bootstrap were half of what they should be.) By all stages from the start some sets of recordings
 * miss the minimum.
 */
#include "base/house.h"
#include "identify/fit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- which members ---- */

typedef struct resampling {
    const idn_fit *fit;
    sal_identification_result *out;
    /* [nmember] the cluster of each, 0 .. ncluster - 1 */
    int *cluster;
    int ncluster;
    /* [ncluster] how often each counts, in room for 2 nrecording */
    int *times;
    /* those of the fit at hand; at most capacity */
    int *member, n;
    size_t capacity;
    sal_rng rng;
    /* of the caller's, and how far the fits before went */
    sal_watch watch;
    int linearisations;
    int at;
} resampling;

/* The clusters of the members alone, counted anew; scratch [2 nrecording]. */
static int find_clusters(const idn_fit *fit, int *cluster, int *scratch)
{
    int *of = scratch, *to = scratch + fit->data->nrecording, n = 0;
    const int all = idn_clusters(fit->data, of);
    for (int c = 0; c < all; c++) {
        to[c] = -1;
    }
    for (int i = 0; i < fit->nmember; i++) {
        const int c = of[fit->of[i].recording];
        to[c] = to[c] < 0 ? n++ : to[c];
        cluster[i] = to[c];
    }
    return n;
}

/* How often each cluster counts in fit `at`. */
static void choose(resampling *r)
{
    if (r->out->resampling == SAL_RESAMPLING_JACKKNIFE) {
        for (int c = 0; c < r->ncluster; c++) {
            r->times[c] = c != r->at;
        }
        return;
    }
    memset(r->times, 0, (size_t)r->ncluster * sizeof *r->times);
    for (int k = 0; k < r->ncluster; k++) {
        r->times[sal_rng_next(&r->rng) % (uint64_t)r->ncluster]++;
    }
}

/* Members in the order of the recordings, each as often as its cluster counts. */
static sal_status list_members(resampling *r, sal_err *err)
{
    size_t n = 0;
    for (int i = 0; i < r->fit->nmember; i++) {
        n += (size_t)r->times[r->cluster[i]];
    }
    if (n > r->capacity) {
        sal_free(r->member);
        r->member = sal_alloc(n, sizeof *r->member);
        r->capacity = r->member == NULL ? 0 : n;
    }
    if (r->member == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for a fit of %d recordings", (int)n);
    }
    r->n = 0;
    for (int i = 0; i < r->fit->nmember; i++) {
        for (int k = 0; k < r->times[r->cluster[i]]; k++) {
            r->member[r->n++] = i;
        }
    }
    return SAL_OK;
}

/* ---- a fit ---- */

static bool progress(void *user, int start, const sal_progress *p)
{
    const resampling *r = user;
    const sal_watch *watch = r->fit->watch;
    char phase[16];
    sal_progress told = *p;
    snprintf(phase, sizeof phase, "refit%d", (r->at + 1) % 1000000);
    told.phase = phase;
    told.linearisation += r->linearisations;
    return watch == NULL || watch->progress == NULL || watch->progress(watch->user, start, &told);
}

/* The values that a fit found; NaN where its stage held a parameter. */
static void keep_values(const resampling *r, const idn_fit *fit, double *value)
{
    const idn_parameters *ps = fit->ps;
    idn_parameters_values(ps, value, fit->shared);
    for (int k = 0; k < ps->nshared; k++) {
        int at;
        const idn_parameter *p = idn_parameters_of(ps, false, k, &at);
        if (r->fit->stage->maxiter == 0 || !r->fit->stage->freed[p - ps->parameter]) {
            value[k] = (double)NAN;
        }
    }
}

/* The last two stages, of which the first serves to leave where all recordings had led. */
static sal_status run_stages(const resampling *r, idn_fit *fit, sal_joint_result *end, sal_err *err)
{
    const idn_settings *e = r->fit->settings;
    const idn_stage *last = e->stage + e->nstage - 1;
    sal_status status = SAL_OK;
    if (e->nstage > 1 && !last[-1].kinematic) {
        status = idn_fit_run(fit, last - 1, false, end, err);
    }
    return status == SAL_OK && end->stop != SAL_STOP_INTERRUPTED
               ? idn_fit_run(fit, last, false, end, err)
               : status;
}

/* A fit that fails otherwise than for want of memory is left out. */
static sal_status fit_again(resampling *r, sal_stop *stop, sal_err *err)
{
    sal_identification_result *out = r->out;
    sal_joint_result end = {.stop = SAL_STOP_CONVERGED};
    idn_fit *fit = NULL;
    choose(r);
    sal_status status = list_members(r, err);
    status =
        status == SAL_OK ? idn_fit_again(&fit, r->fit, r->member, r->n, &r->watch, err) : status;
    status = status == SAL_OK ? run_stages(r, fit, &end, err) : status;
    *stop = end.stop;
    if (status == SAL_OK && end.stop != SAL_STOP_INTERRUPTED) {
        keep_values(r, fit, out->resample + (size_t)out->nresample++ * (size_t)out->nparameter);
    }
    r->linearisations += fit == NULL ? 0 : fit->linearisations;
    idn_fit_free(fit);
    return status == SAL_NOMEM ? status : SAL_OK;
}

/* ---- all ---- */

static sal_status begin(resampling *r, idn_fit *fit, sal_identification_result *out, sal_err *err)
{
    const idn_settings *settings = fit->settings;
    const size_t n = (size_t)fit->nmember, nrecording = (size_t)fit->data->nrecording;
    *r = (resampling){.fit = fit,
                      .out = out,
                      .cluster = sal_alloc(n, sizeof(int)),
                      .times = sal_alloc(2 * nrecording, sizeof(int)),
                      .rng = {settings->seed},
                      .linearisations = fit->linearisations};
    r->watch.progress = progress;
    r->watch.user = r;
    r->watch.ranks = fit->watch == NULL ? NULL : fit->watch->ranks;
    if (r->cluster == NULL || r->times == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the clusters of recordings");
    }
    r->ncluster = find_clusters(fit, r->cluster, r->times);
    out->resampling = (int)settings->errors;
    return sal_identification_result_resamples(
        out, settings->errors == SAL_RESAMPLING_BOOTSTRAP ? settings->resamples : r->ncluster, err);
}

sal_status idn_resample(idn_fit *fit, sal_identification_result *out, bool *whole, sal_err *err)
{
    resampling r;
    sal_stop stop = SAL_STOP_CONVERGED;
    *whole = true;
    if (fit->settings->errors == SAL_RESAMPLING_NONE || fit->ps->nshared == 0) {
        return SAL_OK;
    }
    sal_status status = begin(&r, fit, out, err);
    for (; r.at < out->resamples && status == SAL_OK && stop != SAL_STOP_INTERRUPTED; r.at++) {
        status = fit_again(&r, &stop, err);
    }
    *whole = stop != SAL_STOP_INTERRUPTED;
    fit->linearisations = r.linearisations;
    sal_free(r.cluster);
    sal_free(r.times);
    sal_free(r.member);
    return status;
}
