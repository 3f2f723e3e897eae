/* alternatives.c: recordings that are not what their channels say: a rotation the other way round,
 * a quaternion with w last, a force of the other sign, left taken for right. What follows from them
 * is consistent in itself, and wrong. Where the fit is poor, a few recordings are fitted anew with
 * each of these changes, from the start, and with none; it is said which fits better, by how much.
 */
#include "identify/alternatives.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* chi2 over its freedoms beyond which a fit is poor; share of the cost that is clearly less;
 * recordings, iterations and channels of one kind that are tried, at most */
static const double POOR = 2, CLEARLY = 0.5;
enum { RECORDINGS = 4, ITERATIONS = 30, TRIED = 8 };

typedef enum change_kind {
    CHANGE_NONE,
    /* a quaternion is that of the inverse rotation; has w last */
    CHANGE_TURN,
    CHANGE_LAST,
    /* of a control: of one channel; of all */
    CHANGE_SIGN,
    CHANGE_SIGNS,
    /* all channels of the left with those of the right */
    CHANGE_SIDES
} change_kind;

typedef struct change {
    change_kind kind;
    int channel;
} change;

/* ---- a changed data set ---- */

static int quaternion_of(const prb_channel *c)
{
    return c->kind == PRB_CHANNEL_BODY && c->n == 7    ? 3
           : c->kind == PRB_CHANNEL_JOINT && c->n == 4 ? 0
                                                       : -1;
}

/* Whether b is named as a is, with one word of the left turned into that of the right. */
static bool is_other_side(const char *a, const char *b)
{
    static const char *const words[][2] = {
        {"left", "right"}, {"Left", "Right"}, {"LEFT", "RIGHT"}, {"L", "R"}, {"l", "r"}};
    for (size_t w = 0; w < sizeof words / sizeof words[0]; w++) {
        const size_t n = strlen(words[w][0]), m = strlen(words[w][1]);
        for (const char *at = strstr(a, words[w][0]); at != NULL;
             at = strstr(at + 1, words[w][0])) {
            const size_t before = (size_t)(at - a);
            if (strncmp(a, b, before) == 0 && strncmp(b + before, words[w][1], m) == 0 &&
                strcmp(at + n, b + before + m) == 0) {
                return true;
            }
        }
    }
    return false;
}

/* The channel of the other side, -1: there is none. */
static int other_side(const prb_dataset *data, int channel)
{
    const prb_channel *a = data->channel + channel;
    for (int k = 0; k < data->nchannel; k++) {
        const prb_channel *b = data->channel + k;
        if (a->kind == b->kind && a->n == b->n && a->data == b->data && a->nres > 0 &&
            is_other_side(a->name, b->name)) {
            return k;
        }
    }
    return -1;
}

/* One sample, in place. */
static void change_channel(const prb_dataset *data, change_kind kind, int channel, double *value)
{
    const prb_channel *c = data->channel + channel;
    const int from = quaternion_of(c),
              other = kind == CHANGE_SIDES ? other_side(data, channel) : -1;
    double *x = value + c->adr;
    if (kind == CHANGE_TURN) {
        sal_quat_conj(x + from, x + from);
    } else if (kind == CHANGE_LAST) { /* what was read as w x y z is x y z w */
        const double q[4] = {x[from + 3], x[from], x[from + 1], x[from + 2]};
        memcpy(x + from, q, sizeof q);
    } else if (kind == CHANGE_SIDES && other >= 0) {
        for (int i = 0; i < c->n; i++) {
            double *y = value + data->channel[other].adr + i;
            const double was = x[i];
            x[i] = *y;
            *y = was;
        }
    } else if (kind == CHANGE_SIGN || kind == CHANGE_SIGNS) {
        for (int i = 0; i < c->n; i++) {
            x[i] = -x[i];
        }
    }
}

static void change_values(const prb_dataset *data, const change *how, double *value, int nsample)
{
    for (int k = 0; k < nsample; k++) {
        for (int c = 0; c < data->nchannel; c++) {
            const bool all =
                how->kind == CHANGE_SIDES ||
                (how->kind == CHANGE_SIGNS && data->channel[c].kind == PRB_CHANNEL_CTRL);
            if (all || how->channel == c) {
                change_channel(data, how->kind, c, value + (size_t)k * (size_t)data->nvalue);
            }
        }
    }
}

/* ---- fits ---- */

/* A few recordings, the problem about them, and their values as they were. */
typedef struct trials {
    const idn_fit *fit;
    sal_identification identification;
    sal_problem base;
    prb_dataset data;
    idn_settings settings;
    int n;
    int recording[RECORDINGS];
    prb_recording *all;
    idn_stage *stage;
} trials;

static sal_status prepare(trials *t, const idn_fit *fit, sal_err *err)
{
    const sal_identification *i = fit->identification;
    const int nstage = i->settings->nstage;
    const size_t nrecording = (size_t)fit->data->nrecording;
    *t = (trials){.fit = fit,
                  .identification = *i,
                  .base = *i->base,
                  .data = *fit->data,
                  .settings = *i->settings,
                  .n = fit->nmember < RECORDINGS ? fit->nmember : RECORDINGS};
    t->all = sal_alloc(nrecording, sizeof *t->all);
    t->stage = sal_alloc((size_t)nstage, sizeof *t->stage);
    if (t->all == NULL || t->stage == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for other readings of the recordings");
    }
    memcpy(t->all, fit->data->recording, nrecording * sizeof *t->all);
    memcpy(t->stage, i->settings->stage, (size_t)nstage * sizeof *t->stage);
    idn_stage *last = t->stage + nstage - 1;
    last->maxiter = last->maxiter < ITERATIONS ? last->maxiter : ITERATIONS;
    for (int k = 0; k < t->n; k++) { /* spread evenly over those of the fit */
        t->recording[k] = fit->of[k * fit->nmember / t->n].recording;
    }
    t->data.recording = t->all;
    t->base.data = &t->data;
    t->settings.stage = t->stage;
    t->identification.base = &t->base;
    t->identification.settings = &t->settings;
    return SAL_OK;
}

/* The cost of the recordings with a change, fitted from the start; inf: it cannot be had. */
static sal_status cost_of(trials *t, const change *how, double *cost, sal_err *err)
{
    const prb_recording *was = t->fit->data->recording;
    idn_fit *fit = NULL;
    sal_joint_result end = {.cost = (double)INFINITY};
    sal_status status = SAL_OK;
    for (int k = 0; k < t->n; k++) {
        prb_recording *rec = t->all + t->recording[k];
        const size_t n = (size_t)rec->nsample * (size_t)t->data.nvalue;
        rec->value = sal_alloc(n, sizeof(double));
        if (rec->value == NULL) {
            status = sal_fail(err, SAL_NOMEM, "out of memory for other readings of the recordings");
            continue;
        }
        memcpy(rec->value, was[t->recording[k]].value, n * sizeof(double));
        change_values(&t->data, how, rec->value, rec->nsample);
    }
    status = status == SAL_OK ? idn_fit_new(&fit, &t->identification, t->recording, NULL, t->n,
                                            t->fit->nworker, NULL, err)
                              : status;
    status = status == SAL_OK ? idn_fit_run_stages(fit, &end, err) : status;
    *cost = status == SAL_OK && isfinite(end.cost) ? end.cost : (double)INFINITY;
    idn_fit_free(fit);
    for (int k = 0; k < t->n; k++) {
        sal_free(t->all[t->recording[k]].value);
        t->all[t->recording[k]].value = was[t->recording[k]].value;
    }
    return status == SAL_NOMEM ? status : SAL_OK;
}

/* ---- which changes ---- */

/* Those that the channels allow; returns how many. */
static int list_changes(const prb_dataset *data, change *list)
{
    int n = 0, controls = 0, sides = 0, turns = 0;
    for (int c = 0; c < data->nchannel; c++) {
        const prb_channel *of = data->channel + c;
        if (quaternion_of(of) >= 0 && of->nres > 0 && turns++ < TRIED) {
            list[n++] = (change){CHANGE_TURN, c};
            list[n++] = (change){CHANGE_LAST, c};
        }
        if (of->kind == PRB_CHANNEL_CTRL && controls++ < TRIED) {
            list[n++] = (change){CHANGE_SIGN, c};
        }
        sides += other_side(data, c) >= 0;
    }
    if (controls > 1) {
        list[n++] = (change){CHANGE_SIGNS, -1};
    }
    if (sides > 0) {
        list[n++] = (change){CHANGE_SIDES, -1};
    }
    return n;
}

static void say_change(sal_text *out, const prb_dataset *data, const change *how)
{
    const char *name = how->channel < 0 ? "" : data->channel[how->channel].name;
    switch (how->kind) {
    case CHANGE_TURN:
        sal_text_format(out,
                        "the quaternions of channel '%s' were those of the inverse rotations "
                        "(x, y, z with the opposite sign)",
                        name);
        break;
    case CHANGE_LAST:
        sal_text_format(out, "the quaternions of channel '%s' had w last (order x y z w)", name);
        break;
    case CHANGE_SIGN:
        sal_text_format(out, "channel '%s' had the opposite sign (scale=\"-1\")", name);
        break;
    case CHANGE_SIGNS:
        sal_text_add(out, "all channels of controls had the opposite sign (scale=\"-1\")");
        break;
    case CHANGE_SIDES:
        sal_text_add(out, "the channels of left and right were exchanged");
        break;
    case CHANGE_NONE:
        break;
    }
}

bool idn_fits_poorly(const sal_identification_result *found)
{
    double chi2 = 0, freedom = 0;
    for (int i = 0; i < found->nrecording; i++) {
        const sal_identification_recording *r = found->recording + i;
        chi2 += r->held ? 0 : 2 * r->cost;
        freedom += r->held ? 0 : r->nresidual - r->nvariable;
    }
    return freedom > 0 && chi2 > POOR * freedom;
}

sal_status idn_find_alternative(const idn_fit *fit, sal_text *out, sal_err *err)
{
    trials t;
    const change as_is = {CHANGE_NONE, -1};
    change *list = sal_alloc(3 * (size_t)fit->data->nchannel + 2, sizeof *list), best = as_is;
    sal_status status = list == NULL ? sal_fail(err, SAL_NOMEM, "out of memory for %d channels",
                                                fit->data->nchannel)
                                     : SAL_OK;
    const int n = list == NULL ? 0 : list_changes(fit->data, list);
    double cost = (double)INFINITY, least = (double)INFINITY;
    if (n == 0) {
        sal_free(list);
        return status;
    }
    status = prepare(&t, fit, err);
    status = status == SAL_OK ? cost_of(&t, &as_is, &cost, err) : status;
    for (int k = 0; k < n && status == SAL_OK; k++) {
        double other;
        status = cost_of(&t, list + k, &other, err);
        if (status == SAL_OK && other < least) {
            least = other;
            best = list[k];
        }
    }
    if (status == SAL_OK && least < CLEARLY * cost) {
        sal_text_format(out, "%d recording%s would fit better if ", t.n, t.n == 1 ? "" : "s");
        say_change(out, fit->data, &best);
        sal_text_format(out, ": fitted anew, their cost is %.4g instead of %.4g.", least, cost);
        status = out->failed ? sal_fail(err, SAL_NOMEM, "out of memory") : status;
    }
    sal_free(t.all);
    sal_free(t.stage);
    sal_free(list);
    return status;
}
