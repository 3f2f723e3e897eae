/* What an identification found, as a table for people (at most 100 columns) and as a JSON
 * object. */
#include "cli/cli.h"

#include <math.h>
#include <string.h>

enum { NAME = 26, ROOM = 97 };

/* ---- lines ---- */

/* The name with its unit, cut to its column. */
static void put_name(sal_text *out, const char *name, const char *unit)
{
    char text[SAL_IDENTIFICATION_NAME + SAL_IDENTIFICATION_UNIT + 8];
    snprintf(text, sizeof text, unit[0] == 0 ? "%s" : "%s (%s)", name, unit);
    if (strlen(text) > NAME) {
        snprintf(text + NAME - 2, 3, "..");
    }
    sal_text_format(out, "  %-*s", NAME, text);
}

/* A number in its column; a dash where there is none. */
static void put_number(sal_text *out, int width, int digits, double value)
{
    if (isnan(value)) {
        sal_text_format(out, " %*s", width, "-");
    } else {
        sal_text_format(out, " %*.*g", width, digits, value);
    }
}

/* Beside the error what it is of the value, or the error from fits of other sets of recordings. */
static void put_parameter(sal_text *out, const sal_identification_result *e,
                          const sal_identification_parameter *p)
{
    const char *note = !p->free          ? "held"
                       : p->at_bound < 0 ? "on its lower bound"
                       : p->at_bound > 0 ? "on its upper bound"
                       : isinf(p->se)    ? "not determined"
                                         : "";
    put_name(out, p->name, p->unit);
    put_number(out, 12, 6, p->value);
    put_number(out, 10, 2, p->se);
    if (e->resampling != SAL_RESAMPLING_NONE) {
        put_number(out, 9, 2, p->se_resampled);
    } else if (isfinite(p->se) && p->value != 0) {
        sal_text_format(out, " %6.2g %%", 100 * p->se / fabs(p->value));
    } else {
        sal_text_format(out, " %8s", "");
    }
    put_number(out, 10, 2, p->se_hessian);
    put_number(out, 10, 5, p->nominal);
    sal_text_format(out, "%s%s\n", note[0] == 0 ? "" : "  ", note);
}

static void put_parameters(sal_text *out, const sal_identification_result *e)
{
    if (e->nparameter > 0) {
        const bool again = e->resampling != SAL_RESAMPLING_NONE;
        sal_text_format(out, "  %-*s %12s %10s %*s %10s %10s\n", NAME, "parameter", "value",
                        "error", again ? 9 : 8,
                        again ? sal_identification_resampling_name(e->resampling) : "", "(Hessian)",
                        "nominal");
    }
    for (int k = 0; k < e->nparameter; k++) {
        put_parameter(out, e, e->parameter + k);
    }
    if (e->nlocal > 0) {
        sal_text_format(out, "  %-*s %12s %10s\n", NAME, "one of each recording", "mean",
                        "scatter");
    }
    for (int k = 0; k < e->nlocal; k++) {
        put_name(out, e->local[k].name, e->local[k].unit);
        put_number(out, 12, 4, e->local[k].value);
        put_number(out, 10, 2, e->local[k].se);
        sal_text_add(out, "\n");
    }
}

static void put_channels(sal_text *out, const sal_identification_result *e)
{
    bool any = false;
    for (int c = 0; c < e->nchannel; c++) {
        const sal_identification_channel *of = e->channel + c;
        if (of->count == 0) {
            continue;
        }
        if (!any) {
            sal_text_format(out, "  %-*s %12s %10s\n", NAME, "channel", "rms/sigma", "neighbours");
        }
        any = true;
        put_name(out, of->name, "");
        put_number(out, 12, 3, of->rms);
        sal_text_format(out, " %10.2f  %s\n", of->lag1,
                        of->white      ? "white"
                        : of->lag1 < 0 ? "alternate"
                                       : "alike");
    }
}

/* "position .0221 (.015 .. .033) m" of the model found; the nominal one's behind it. */
static void put_quartiles(sal_text *out, const sal_identification_result *e, bool held,
                          sal_identification_measure what, sal_identification_measure nominal)
{
    sal_quartiles q, n;
    sal_err err;
    if (sal_identification_quartiles(&q, e, held, what, &err) != SAL_OK ||
        sal_identification_quartiles(&n, e, held, nominal, &err) != SAL_OK) {
        out->failed = true;
    } else if (q.n > 0) {
        sal_text_format(out, "    %-12s %.4g (%.3g .. %.3g) %s",
                        sal_identification_measure_name(what), q.median, q.low, q.high,
                        sal_identification_measure_unit(what));
        if (n.n > 0 && nominal != what) {
            sal_text_format(out, "; nominal %.4g (%.3g .. %.3g)", n.median, n.low, n.high);
        }
        sal_text_add(out, "\n");
    }
}

/* Rollouts of channels other than poses, by their rms over time. */
static void put_channel_quartiles(sal_text *out, const sal_identification_result *e, bool held)
{
    for (int c = 0; c < e->nchannel; c++) {
        const sal_identification_channel *of = e->channel + c;
        sal_quartiles q, n;
        sal_err err;
        if (of->nres == 6) {
            continue; /* said as position and rotation */
        }
        if (sal_identification_channel_quartiles(&q, e, held, c, false, &err) != SAL_OK ||
            sal_identification_channel_quartiles(&n, e, held, c, true, &err) != SAL_OK) {
            out->failed = true;
        } else if (q.n > 0) {
            sal_text_format(out, "    %-12.12s %.4g (%.3g .. %.3g) %s rms", of->name, q.median,
                            q.low, q.high, of->unit);
            if (n.n > 0) {
                sal_text_format(out, "; nominal %.4g (%.3g .. %.3g)", n.median, n.low, n.high);
            }
            sal_text_add(out, "\n");
        }
    }
}

static void put_recordings(sal_text *out, const sal_identification_result *e)
{
    for (int held = 0; held < 2; held++) {
        int n = 0;
        for (int i = 0; i < e->nrecording; i++) {
            n += (e->recording[i].held != 0) == (held != 0);
        }
        if (n == 0) {
            continue;
        }
        if (held) {
            sal_text_format(out, "  %d recording%s held out, predicted: median (quartiles)\n", n,
                            n == 1 ? "" : "s");
        } else {
            sal_text_format(out, "  %d recording%s in the fit, %d cluster%s: median (quartiles)\n",
                            n, n == 1 ? "" : "s", e->ncluster, e->ncluster == 1 ? "" : "s");
            put_quartiles(out, e, false, SAL_MEASURE_FIT, SAL_MEASURE_FIT);
        }
        put_quartiles(out, e, held, SAL_MEASURE_POSITION, SAL_MEASURE_NOMINAL_POSITION);
        put_quartiles(out, e, held, SAL_MEASURE_ROTATION, SAL_MEASURE_NOMINAL_ROTATION);
        put_channel_quartiles(out, e, held);
    }
}

/* A sentence, broken between words. */
static void put_sentence(sal_text *out, const char *text)
{
    sal_text_add(out, "  *");
    for (size_t column = 3; *text != 0;) {
        const size_t n = strcspn(text, " ");
        if (column + 1 + n > ROOM && column > 4) {
            sal_text_add(out, "\n   ");
            column = 3;
        }
        sal_text_add(out, " ");
        sal_text_addn(out, text, n);
        column += n + 1;
        text += n + strspn(text + n, " ");
    }
    sal_text_add(out, "\n");
}

void cli_identification_lines(sal_text *out, const sal_identification_result *e)
{
    put_parameters(out, e);
    put_channels(out, e);
    put_recordings(out, e);
    for (int i = 0; i < e->nsentence; i++) {
        put_sentence(out, e->sentence[i]);
    }
}

/* ---- JSON ---- */

static void parameter_json(sal_json *json, const sal_identification_result *e,
                           const sal_identification_parameter *p, bool local)
{
    sal_json_object(json, NULL);
    sal_json_string(json, "name", p->name);
    sal_json_string(json, "unit", p->unit);
    sal_json_string(json, "map", p->map);
    sal_json_number(json, local ? "mean" : "value", p->value);
    sal_json_number(json, local ? "scatter" : "se", p->se);
    if (!local) {
        const double reach = sal_identification_reach(p);
        sal_json_numbers(json, "interval", (const double[]){p->value - reach, p->value + reach}, 2);
        sal_json_number(json, "se_freedom", p->freedom);
        sal_json_number(json, "se_hessian", p->se_hessian);
        if (e->resampling != SAL_RESAMPLING_NONE) {
            sal_json_number(json, "se_resampled", p->se_resampled);
        }
        sal_json_bool(json, "free", p->free != 0);
        sal_json_integer(json, "at_bound", p->at_bound);
        sal_json_number(json, "nominal", p->nominal);
        sal_json_number(json, "initial", p->initial);
        sal_json_number(json, "prior_sigma", p->prior_sigma);
    }
    sal_json_number(json, "lower", p->lower);
    sal_json_number(json, "upper", p->upper);
    sal_json_end(json);
}

static void channels_json(sal_json *json, const sal_identification_result *e)
{
    sal_json_array(json, "channels");
    for (int c = 0; c < e->nchannel; c++) {
        const sal_identification_channel *of = e->channel + c;
        sal_json_object(json, NULL);
        sal_json_string(json, "name", of->name);
        sal_json_string(json, "unit", of->unit);
        sal_json_integer(json, "count", of->count);
        sal_json_number(json, "rms", of->rms);
        sal_json_number(json, "lag1", of->lag1);
        sal_json_number(json, "ljung_box", of->ljung_box);
        sal_json_number(json, "freedom", of->freedom);
        sal_json_string(json, "text", of->text);
        sal_json_end(json);
    }
    sal_json_end(json);
}

static void recordings_json(sal_json *json, const sal_identification_result *e)
{
    sal_json_array(json, "recordings");
    for (int i = 0; i < e->nrecording; i++) {
        const sal_identification_recording *r = e->recording + i;
        sal_json_object(json, NULL);
        sal_json_string(json, "name", r->name);
        sal_json_string(json, "cluster", r->cluster);
        sal_json_bool(json, "held", r->held != 0);
        sal_json_integer(json, "samples", r->nsample);
        sal_json_number(json, "cost", r->cost);
        for (int k = 0; k < SAL_NMEASURE; k++) {
            const sal_identification_measure what = (sal_identification_measure)k;
            sal_json_number(json, sal_identification_measure_name(what),
                            sal_identification_measured(r, what));
        }
        sal_json_number(json, "diverged", r->rollout.diverged);
        sal_json_bool(json, "outlier", r->outlier != 0);
        if (r->nsample > 0 && e->nlocal > 0) {
            sal_json_numbers(json, "local", r->local, e->nlocal);
        }
        sal_json_end(json);
    }
    sal_json_end(json);
}

/* {"n", "low", "median", "high"}; nothing where no recording has it */
static void quartile_json(sal_json *json, const char *key, const sal_quartiles *q)
{
    if (q->n > 0) {
        sal_json_object(json, key);
        sal_json_integer(json, "n", q->n);
        sal_json_number(json, "low", q->low);
        sal_json_number(json, "median", q->median);
        sal_json_number(json, "high", q->high);
        sal_json_end(json);
    }
}

/* Of each measure, and of the rollouts of each channel. */
static void quartiles_json(sal_json *json, const sal_identification_result *e, bool held)
{
    sal_json_object(json, held ? "held" : "fit");
    for (int k = 0; k < SAL_NMEASURE; k++) {
        sal_quartiles q;
        sal_err err;
        if (sal_identification_quartiles(&q, e, held, (sal_identification_measure)k, &err) !=
            SAL_OK) {
            json->out->failed = true;
        } else {
            quartile_json(json, sal_identification_measure_name((sal_identification_measure)k), &q);
        }
    }
    for (int nominal = 0; nominal < 2; nominal++) {
        sal_json_object(json, nominal ? "channels_nominal" : "channels");
        for (int c = 0; c < e->nchannel; c++) {
            sal_quartiles q;
            sal_err err;
            if (sal_identification_channel_quartiles(&q, e, held, c, nominal != 0, &err) !=
                SAL_OK) {
                json->out->failed = true;
            } else {
                quartile_json(json, e->channel[c].name, &q);
            }
        }
        sal_json_end(json);
    }
    sal_json_end(json);
}

void cli_identification_json(sal_json *json, const char *key, const sal_identification_result *e)
{
    sal_json_object(json, key);
    sal_json_array(json, "parameters");
    for (int k = 0; k < e->nparameter; k++) {
        parameter_json(json, e, e->parameter + k, false);
    }
    sal_json_end(json);
    sal_json_array(json, "correlation");
    for (int k = 0; k < e->nparameter; k++) {
        sal_json_numbers(json, NULL, e->correlation + k * e->nparameter, e->nparameter);
    }
    sal_json_end(json);
    sal_json_array(json, "locals");
    for (int k = 0; k < e->nlocal; k++) {
        parameter_json(json, e, e->local + k, true);
    }
    sal_json_end(json);
    sal_json_number(json, "chi2", e->chi2);
    sal_json_number(json, "freedom", e->freedom);
    sal_json_integer(json, "clusters", e->ncluster);
    sal_json_bool(json, "sandwich", e->sandwich != 0);
    if (e->newton > 0) {
        sal_json_number(json, "newton", e->newton);
    }
    if (e->resampling != SAL_RESAMPLING_NONE) {
        sal_json_object(json, "resampling");
        sal_json_string(json, "method", sal_identification_resampling_name(e->resampling));
        sal_json_integer(json, "wanted", e->resamples);
        sal_json_integer(json, "done", e->nresample);
        sal_json_end(json);
    }
    sal_json_array(json, "account");
    for (int i = 0; i < e->nsentence; i++) {
        sal_json_string(json, NULL, e->sentence[i]);
    }
    sal_json_end(json);
    quartiles_json(json, e, false);
    quartiles_json(json, e, true);
    channels_json(json, e);
    recordings_json(json, e);
    sal_json_end(json);
}
