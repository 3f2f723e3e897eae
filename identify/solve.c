/* solve.c: from a problem of identification to its result. */
#include "base/house.h"
#include "identify/alternatives.h"
#include "identify/fit.h"
#include "identify/result_part.h"
#include "problems/result/result.h"
#include "problems/solve/fingerprint.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- recordings that are left out ---- */

/* Whole clusters are left out, chosen at random: order[0 .. n-1] of them is shuffled (Fisher,
 * Yates), and those that come first are. scratch [2 nrecording]. */
static void choose_held(const prb_dataset *data, const idn_settings *e, unsigned char *held,
                        int *scratch)
{
    int *cluster = scratch, *order = scratch + data->nrecording;
    const int n = idn_clusters(data, cluster), out = idn_clusters_held(e, n);
    sal_rng rng = {e->seed};
    for (int k = 0; k < n; k++) {
        order[k] = k;
    }
    for (int k = n - 1; k > 0; k--) {
        const int other = (int)(sal_rng_next(&rng) % (uint64_t)(k + 1)), was = order[k];
        order[k] = order[other];
        order[other] = was;
    }
    for (int i = 0; i < data->nrecording; i++) {
        for (int k = 0; k < out; k++) {
            held[i] = held[i] || cluster[i] == order[k];
        }
    }
}

/* ---- the result ---- */

/* The motion of the first recording of the fit, under the model that was found. */
static sal_status evaluate(idn_fit *fit, sal_result **result, sal_err *err)
{
    idn_worker *w = fit->worker;
    const idn_member *of = fit->of;
    sal_problem p = *fit->p;
    const double *local = fit->x + fit->member[0].nx - fit->ps->nlocal;
    sal_status status = idn_member_model(fit, w, w->m, 0, fit->shared, local, err);
    if (status != SAL_OK) {
        return status;
    }
    p.model = w->m;
    p.nstep = of->nstep;
    p.boundary = PRB_OPEN;
    p.image = NULL;
    p.seed = fit->settings->seed;
    return sal_result_evaluate(
        result, &p, w->m, &(sal_motion){.nstep = of->nstep, .q = idn_member_motion(fit, 0, fit->x)},
        0, err);
}

/* Whether all that is left is rounding beside the sigmas: then no step lowers it. */
static bool fits_exactly(const sal_identification_result *found)
{
    static const double rounding = 1e-9;
    return found->freedom > 0 && sqrt(found->chi2 / found->freedom) < rounding;
}

/* Steps that hardly lower the cost end the search. Where parameters would still move by their
 * errors, it has not come to its end; nor where they would move by a part of them, and the
 * tolerance was loose. (At the kink of a law of friction Newton's step leads nowhere.) Nor where
 * parameters that have only their scale in common sink: there is no end. */
static sal_stop outcome(const idn_fit *fit, const sal_joint_result *end,
                        const sal_identification_result *found, bool sinks)
{
    static const double loose = 1e-6;
    const double tolerance = fit->settings->stage[fit->settings->nstage - 1].tolerance;
    const bool far = sinks || found->newton > 1 || (found->newton > 0 && tolerance > loose);
    if (end->stop == SAL_STOP_STALLED && !far && fits_exactly(found)) {
        return SAL_STOP_CONVERGED;
    }
    return end->stop == SAL_STOP_CONVERGED && far ? SAL_STOP_STALLED : end->stop;
}

static void put_outcome(idn_fit *fit, const sal_joint_result *found, sal_stop stop, sal_result *r)
{
    r->cost = found->cost;
    r->optim.stop = stop;
    r->optim.cost = found->cost;
    r->optim.linearisations = fit->linearisations;
    snprintf(r->status, sizeof r->status, "%s", sal_stop_text(stop));
    r->exit_code = prb_result_exit_code(stop);
    r->iteration = fit->iteration;
    r->niteration = fit->niteration;
    fit->iteration = NULL;
}

/* The user's model file with what was found. */
static sal_status put_model(const idn_fit *fit, sal_identification_result *found, sal_err *err)
{
    sal_text text = {0};
    const sal_status status = idn_identified_model(fit->identification, found, &text, err);
    if (status == SAL_OK) {
        found->model_xml = text.data;
    } else {
        sal_text_clear(&text);
    }
    return status;
}

/* The first sentence: what most of the others come from. */
static sal_status say_first(sal_identification_result *e, const char *text, sal_err *err)
{
    char(*all)[SAL_IDENTIFICATION_TEXT] = sal_alloc((size_t)e->nsentence + 1, sizeof *all);
    if (all == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the sentences about an identification");
    }
    snprintf(all[0], sizeof all[0], "%s", text);
    if (e->nsentence > 0) {
        memcpy(all + 1, e->sentence, (size_t)e->nsentence * sizeof *all);
    }
    sal_free(e->sentence);
    e->sentence = all;
    e->nsentence++;
    return SAL_OK;
}

/* What else is doubtful, each before the other sentences. */
static sal_status say_doubts(const idn_fit *fit, sal_identification_result *e, sal_err *err)
{
    sal_text delays = {0}, masses = {0};
    idn_delays_say(fit, fit->shared, &delays);
    idn_collapse_say(fit, e, &masses);
    sal_status status = delays.failed || masses.failed
                            ? sal_fail(err, SAL_NOMEM, "out of memory for a sentence")
                            : SAL_OK;
    if (status == SAL_OK && delays.length > 0) {
        status = say_first(e, delays.data, err);
    }
    if (status == SAL_OK && masses.length > 0) {
        status = say_first(e, masses.data, err);
    }
    sal_text_clear(&delays);
    sal_text_clear(&masses);
    return status;
}

/* A parameter without effect may come from recordings that were misread. */
static sal_status check_effects(idn_effects *effects, const idn_fit *fit,
                                const sal_identification_result *found, const sal_text *other,
                                sal_err *err)
{
    sal_err why;
    sal_status status = idn_effects_find(effects, fit, found, err);
    if (status != SAL_OK) {
        return status;
    }
    status = idn_effects_check(effects, found, &why);
    return status == SAL_OK
               ? SAL_OK
               : sal_fail(err, status, "%s%s%s", why.message, other->data == NULL ? "" : "; ",
                          other->data == NULL ? "" : other->data);
}

static sal_status make_result(idn_fit *fit, const sal_joint_result *end, const unsigned char *held,
                              sal_result **result, sal_err *err)
{
    const bool interrupted = end->stop == SAL_STOP_INTERRUPTED;
    bool whole = true;
    sal_identification_result *found = NULL;
    sal_text other = {0};
    idn_effects effects = {0};
    sal_status status = idn_result_fill(&found, fit, held, err);
    if (status == SAL_OK && !interrupted && idn_fits_poorly(found)) {
        status = idn_find_alternative(fit, &other, err);
    }
    status = status == SAL_OK && !interrupted ? check_effects(&effects, fit, found, &other, err)
                                              : status;
    status = status == SAL_OK && !interrupted ? idn_resample(fit, found, &whole, err) : status;
    status = status == SAL_OK ? idn_predict(fit, found, held, err) : status;
    status = status == SAL_OK ? sal_identification_result_assess(found, err) : status;
    status = status == SAL_OK && other.data != NULL ? say_first(found, other.data, err) : status;
    if (status == SAL_OK && effects.common.data != NULL) {
        status = say_first(found, effects.common.data, err);
    }
    const bool sinks = effects.common.data != NULL;
    status = status == SAL_OK ? say_doubts(fit, found, err) : status;
    sal_text_clear(&other);
    idn_effects_clear(&effects);
    status = status == SAL_OK ? evaluate(fit, result, err) : status;
    status = status == SAL_OK ? put_model(fit, found, err) : status;
    if (status != SAL_OK) {
        sal_identification_result_free(found);
        return status;
    }
    put_outcome(fit, end, whole ? outcome(fit, end, found, sinks) : SAL_STOP_INTERRUPTED, *result);
    idn_result_attach(*result, found);
    return SAL_OK;
}

/* ---- all ---- */

static sal_status identify(sal_result **result, const sal_identification *i, int nthread,
                           const sal_watch *watch, sal_err *err)
{
    const size_t n = (size_t)i->base->data->nrecording;
    idn_fit *fit = NULL;
    sal_joint_result end = {.stop = SAL_STOP_CONVERGED};
    unsigned char *held = sal_alloc(n, 1);
    int *fitted = sal_alloc(3 * n, sizeof(int)), nfitted = 0;
    sal_status status = SAL_OK;
    if (held == NULL || fitted == NULL) {
        status = sal_fail(err, SAL_NOMEM, "out of memory for %d recordings", (int)n);
        goto done;
    }
    choose_held(i->base->data, i->settings, held, fitted + n);
    for (int k = 0; k < (int)n; k++) {
        fitted[nfitted] = k;
        nfitted += !held[k];
    }
    status = idn_fit_new(&fit, i, fitted, NULL, nfitted, nthread, watch, err);
    status = status == SAL_OK ? idn_fit_run_stages(fit, &end, err) : status;
    status = status == SAL_OK ? make_result(fit, &end, held, result, err) : status;
done:
    idn_fit_free(fit);
    sal_free(held);
    sal_free(fitted);
    return status;
}

/* ---- given parameters ---- */

/* The last stage alone, in which nothing is estimated. */
static sal_status hold_all(idn_settings *held, idn_stage *stage, const sal_identification *i,
                           sal_err *err)
{
    *held = *i->settings;
    *stage = i->settings->stage[i->settings->nstage - 1];
    stage->freed = sal_alloc((size_t)i->parameters->nparameter + 1, sizeof(bool));
    held->stage = stage;
    held->nstage = 1;
    held->errors = SAL_RESAMPLING_NONE;
    return stage->freed == NULL ? sal_fail(err, SAL_NOMEM, "out of memory") : SAL_OK;
}

sal_status sal_identification_predict(sal_result **result, const sal_identification *i, int nthread,
                                      sal_err *err)
{
    const double begin = sal_seconds_now();
    const size_t n = (size_t)i->base->data->nrecording;
    const sal_joint_result end = {.stop = SAL_STOP_CONVERGED};
    const int first = 0;
    sal_identification given = *i;
    idn_settings settings;
    idn_stage stage = {0};
    idn_fit *fit = NULL;
    unsigned char *held = sal_alloc(n, 1);
    *result = NULL;
    sal_status status = held == NULL
                            ? sal_fail(err, SAL_NOMEM, "out of memory for %d recordings", (int)n)
                            : hold_all(&settings, &stage, i, err);
    if (status != SAL_OK || held == NULL) {
        goto done;
    }
    given.settings = &settings;
    memset(held, 1, n);
    status = idn_fit_new(&fit, &given, &first, NULL, 1, nthread, NULL, err);
    status = status == SAL_OK ? idn_fit_enter(fit, &stage, err) : status;
    status = status == SAL_OK ? make_result(fit, &end, held, result, err) : status;
    if (status == SAL_OK) {
        (*result)->seconds = sal_seconds_now() - begin;
    }
done:
    idn_fit_free(fit);
    sal_free(stage.freed);
    sal_free(held);
    return status;
}

/* All ranks must have read the same problem and model. */
static sal_status agree(const sal_identification *i, const sal_watch *watch, sal_err *err)
{
    if (watch == NULL || !sal_ranks_are_many(watch->ranks)) {
        return SAL_OK;
    }
    prb_fingerprint print;
    const sal_status status = prb_fingerprint_of(i->base, &print, err);
    return status == SAL_OK ? prb_fingerprint_agree(watch->ranks, &print, err) : status;
}

sal_status sal_identification_solve(sal_result **result, const sal_identification *i, int nthread,
                                    const sal_watch *watch, sal_err *err)
{
    const double begin = sal_seconds_now();
    *result = NULL;
    sal_status status = agree(i, watch, err);
    status = status == SAL_OK ? identify(result, i, nthread, watch, err) : status;
    if (status == SAL_OK) {
        (*result)->seconds = sal_seconds_now() - begin;
    }
    return status;
}
