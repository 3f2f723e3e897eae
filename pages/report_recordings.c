/* report_recordings.c: the recordings of an identification: how well each is met, signals of some,
 * and how well those left out are predicted. */
#include "pages/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { WIDTH = 1060, HEIGHT = 220, SMALL_WIDTH = 252, SMALL_HEIGHT = 160, MOST_CHARTS = 8 };

/* ---- the fit ---- */

static void fit_bars(const sal_identification_result *e, const page_ranked *list, int n, bool print,
                     sal_text *out)
{
    page_chart c = {.out = out,
                    .print = print,
                    .title = "Fit of the recordings, from the best to the worst",
                    .xlabel = "recordings",
                    .ylabel = "rms / sigma",
                    .width = WIDTH,
                    .height = HEIGHT,
                    .x0 = 0,
                    .x1 = n,
                    .y0 = 0,
                    .y1 = list[n - 1].value};
    page_chart_begin(&c);
    const double unit = (c.right - c.left) / n, gap = unit > 4 ? 1 : 0;
    for (int k = 0; k < n; k++) {
        const sal_identification_recording *r = e->recording + list[k].id;
        const double y = page_chart_y(&c, list[k].value);
        page_svg_put(out, "<rect class=\"bar $\" x=\"%\" y=\"%\" width=\"%\" height=\"%\"><title>",
                     r->outlier ? "outlier"
                     : r->held  ? "right"
                                : "left",
                     c.left + k * unit, y, unit - gap, c.bottom - y);
        page_html_text(out, r->name);
        sal_text_add(out, ": ");
        page_svg_number(out, list[k].value, 3);
        sal_text_add(out, "</title></rect>");
    }
    page_chart_level(&c, 1, "limit");
    page_chart_end(&c);
}

/* ---- signals ---- */

static void column_of(const sal_identification_result *e, const sal_identification_recording *r,
                      const double *signal, int value, double *column)
{
    for (int t = 0; t < r->nsample; t++) {
        column[t] = signal[t * e->nvalue + value];
    }
}

static void dots(page_chart *c, const double *x, const double *y, int n)
{
    const int every = n / 160 + 1; /* so many fit side by side */
    sal_text_add(c->out, "<path class=\"dots\" d=\"");
    for (int t = 0; t < n; t += every) {
        if (isfinite(y[t])) {
            page_svg_put(c->out, "M% %h0", page_chart_x(c, x[t]), page_chart_y(c, y[t]));
        }
    }
    sal_text_add(c->out, "\"/>");
}

/* What stands beside the measurement: the fit, or the rollouts of the model found and the nominal
 * one. */
typedef struct view {
    const sal_model *m;
    const sal_identification_result *e;
    const sal_identification_recording *r;
    const double *measured, *signal;
    bool print;
    double *time, *column; /* [nsample] scratch */
} view;

/* In a file of its own a chart says which recording it is of. */
static void title_of(const view *v, const char *what, char *title, size_t n)
{
    snprintf(title, n, v->print ? "%s, %s" : "%s", what, v->r->name);
}

static void signal_chart(const view *v, const sal_identification_channel *channel, int k,
                         sal_text *out)
{
    const int n = v->r->nsample, value = channel->adr + k;
    const bool fitted = v->signal == v->r->fitted;
    char name[SAL_IDENTIFICATION_NAME + 16], title[2 * sizeof name];
    page_value_name(channel, k, name, sizeof name);
    title_of(v, name, title, sizeof title);
    page_chart c = {.out = out,
                    .print = v->print,
                    .title = title,
                    .xlabel = "time, s",
                    .ylabel = page_value_unit(channel, k),
                    .width = SMALL_WIDTH,
                    .height = SMALL_HEIGHT,
                    .x0 = v->time[0],
                    .x1 = v->time[n - 1],
                    .y0 = (double)INFINITY,
                    .y1 = -(double)INFINITY};
    page_chart_extend(&c.y0, &c.y1, v->r->measured + value, n, v->e->nvalue);
    page_chart_extend(&c.y0, &c.y1, v->signal + value, n, v->e->nvalue);
    page_chart_key(&c, "dots", "measured");
    page_chart_key(&c, fitted ? "s0 thin" : "s1 thin", fitted ? "fitted" : "predicted");
    if (!fitted) {
        page_chart_key(&c, "other", "nominal");
    }
    page_chart_begin(&c);
    if (!fitted) {
        column_of(v->e, v->r, v->r->predicted_nominal, value, v->column);
        page_chart_line(&c, v->time, v->column, n, "other");
    }
    column_of(v->e, v->r, v->measured, value, v->column);
    dots(&c, v->time, v->column, n);
    column_of(v->e, v->r, v->signal, value, v->column);
    page_chart_line(&c, v->time, v->column, n, fitted ? "s0 thin" : "s1 thin");
    page_chart_end(&c);
}

/* Over time: what of the fit is worth a look by itself, in v->column. */
static void extra_chart(const view *v, const char *what, const char *label, const double *time,
                        const double *y, int n, sal_text *out)
{
    char title[2 * SAL_IDENTIFICATION_NAME];
    title_of(v, what, title, sizeof title);
    page_chart c = {.out = out,
                    .print = v->print,
                    .title = title,
                    .xlabel = "time, s",
                    .ylabel = label,
                    .width = SMALL_WIDTH,
                    .height = SMALL_HEIGHT,
                    .x0 = v->time[0],
                    .x1 = v->time[v->r->nsample - 1],
                    .y0 = 0};
    page_chart_extend(&c.y0, &c.y1, y, n, 1);
    page_chart_begin(&c);
    page_chart_line(&c, time, y, n, "mid thin");
    page_chart_end(&c);
}

/* Residuals, root mean square of each sample; and the largest force and torque that nothing
 * explains, of each step. */
static sal_status unactuated_charts(const view *v, sal_text *out, sal_err *err)
{
    const sal_model *m = v->m;
    const sal_identification_result *e = v->e;
    const sal_identification_recording *r = v->r;
    const int T = r->nstep + 1;
    double *force = sal_alloc(2 * (size_t)T, sizeof(double)),
           *one = sal_alloc((size_t)e->nresidual + 1, sizeof(double));
    bool kind[2] = {false, false};
    if (force == NULL || one == NULL) {
        sal_free(force);
        sal_free(one);
        return sal_fail(err, SAL_NOMEM, "out of memory for the charts of a page");
    }
    for (int t = 0; t < r->nsample; t++) {
        v->column[t] = sal_identification_sample_rms(e, r, t, one);
    }
    extra_chart(v, "residual", "rms / sigma", v->time, v->column, r->nsample, out);
    for (int t = 0; t < T; t++) {
        for (int i = 0; i < m->nv; i++) {
            const int turns = prb_result_dof_turns(m, i);
            const double size = fabs(r->unexplained[t * m->nv + i]);
            kind[turns] = true;
            force[turns * T + t] = fmax(force[turns * T + t], size); /* NaN is passed over */
        }
    }
    if (kind[0]) {
        extra_chart(v, "unactuated force", "N", r->time, force, T, out);
    }
    if (kind[1]) {
        extra_chart(v, "unactuated torque", "N m", r->time, force + T, T, out);
    }
    sal_free(force);
    sal_free(one);
    return SAL_OK;
}

/* Channels from the worst met on, as many as make MOST_CHARTS charts; at least one. */
static sal_status signal_charts(const view *v, sal_text *out, sal_err *err)
{
    const sal_identification_result *e = v->e;
    const bool fitted = v->signal == v->r->fitted;
    page_ranked *list = sal_alloc((size_t)e->nchannel + 1, sizeof *list);
    int n = 0, charts = 0;
    if (list == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the charts of a page");
    }
    for (int c = 0; c < e->nchannel; c++) {
        const double rms = (fitted ? v->r->channel_rms : v->r->channel_predicted)[c];
        if (!isnan(rms)) {
            list[n++] = (page_ranked){-rms, c};
        }
    }
    page_rank_sort(list, n);
    for (int i = 0; i < n && charts < MOST_CHARTS; i++) {
        const sal_identification_channel *channel = e->channel + list[i].id;
        for (int k = 0; k < channel->n && charts < MOST_CHARTS; k++, charts++) {
            signal_chart(v, channel, k, out);
        }
    }
    sal_free(list);
    return SAL_OK;
}

/* "worst of the fit: toss_106, 5.1 sigma" */
static sal_status show_recording(const sal_result *of, const page_ranked *which, const char *what,
                                 sal_identification_measure measure, bool print, sal_text *out,
                                 sal_err *err)
{
    const sal_identification_result *e = sal_identification_of(of);
    const sal_identification_recording *r = e->recording + which->id;
    const bool fitted = measure == SAL_MEASURE_FIT;
    view v = {.m = of->model,
              .e = e,
              .r = r,
              .measured = r->measured,
              .print = print,
              .signal = fitted ? r->fitted : r->predicted};
    v.time = sal_alloc((size_t)r->nsample, sizeof(double));
    v.column = sal_alloc((size_t)r->nsample, sizeof(double));
    sal_status status = SAL_OK;
    if (v.time == NULL || v.column == NULL) {
        status = sal_fail(err, SAL_NOMEM, "out of memory for the charts of a page");
    } else if (r->nsample > 1) {
        for (int t = 0; t < r->nsample; t++) {
            v.time[t] = r->start + t * r->dt;
        }
        page_svg_put(out, "<h3>$: ", what);
        page_html_text(out, r->name);
        sal_text_add(out, ", ");
        if (isfinite(which->value)) {
            page_svg_number(out, which->value, 3);
            page_svg_put(out, " $", sal_identification_measure_unit(measure));
        } else {
            sal_text_add(out, "diverged after ");
            sal_text_real(out, r->rollout.diverged, 3);
            sal_text_add(out, " s");
        }
        sal_text_add(out, "</h3><div class=\"charts\">\n");
        status = signal_charts(&v, out, err);
        if (status == SAL_OK && fitted) {
            status = unactuated_charts(&v, out, err);
        }
        sal_text_add(out, "</div>\n");
    }
    sal_free(v.time);
    sal_free(v.column);
    return status;
}

static sal_status show_fit(const sal_result *of, page_ranked *list, bool print, sal_text *out,
                           sal_err *err)
{
    const sal_identification_result *e = sal_identification_of(of);
    int n = page_rank(e, -1, SAL_MEASURE_FIT, list);
    if (n == 0) {
        return SAL_OK;
    }
    bool held = false, outlier = false;
    for (int k = 0; k < n; k++) {
        held = held || e->recording[list[k].id].held;
        outlier = outlier || e->recording[list[k].id].outlier;
    }
    page_svg_put(out,
                 "<section><h2>Fit of the recordings</h2><p class=\"note\">Root mean square of "
                 "measured minus fitted values, in units of sigma (dashed: "
                 "one).$$$ Below: measured (dots) and <span class=\"s0\">fitted</span>; "
                 "residuals of each sample, and the largest unactuated force and "
                 "torque at any joint.</p>",
                 held || outlier ? " <span class=\"key left\"></span>in the fit" : "",
                 held ? " <span class=\"key right\"></span>held out" : "",
                 outlier ? " <span class=\"key outlier\"></span>far worse than the others." : "");
    fit_bars(e, list, n, print, out);
    n = page_rank(e, 0, SAL_MEASURE_FIT, list);
    sal_status status = SAL_OK;
    if (n > 0) {
        status = show_recording(of, list + n - 1, n > 1 ? "The worst" : "The recording",
                                SAL_MEASURE_FIT, print, out, err);
    }
    if (status == SAL_OK && n > 2) {
        status = show_recording(of, list + n / 2, "The one in the middle", SAL_MEASURE_FIT, print,
                                out, err);
    }
    sal_text_add(out, "</section>\n");
    return status;
}

/* ---- rollouts ---- */

/* Share of the recordings whose error is at most x: steps through the sorted errors, the model
 * found and the nominal one. */
static void share_chart(const sal_identification_result *e, int held,
                        sal_identification_measure what, sal_identification_measure nominal,
                        page_ranked *list, bool print, sal_text *out)
{
    const sal_identification_measure of[] = {nominal, what};
    char title[64], label[64];
    snprintf(title, sizeof title, "Error of %s at the end", sal_identification_measure_name(what));
    snprintf(label, sizeof label, "error, %s", sal_identification_measure_unit(what));
    page_chart c = {.out = out,
                    .print = print,
                    .title = title,
                    .xlabel = label,
                    .ylabel = "share of recordings",
                    .width = 520,
                    .height = 240,
                    .y1 = 1};
    for (int k = 0; k < 2; k++) {
        const int n = page_rank(e, held, of[k], list);
        for (int i = 0; i < n; i++) {
            c.x1 = isfinite(list[i].value) ? fmax(c.x1, list[i].value) : c.x1;
        }
    }
    if (page_rank(e, held, what, list) == 0) {
        return;
    }
    page_chart_key(&c, "s1", "identified");
    page_chart_key(&c, "other", "nominal");
    page_chart_begin(&c);
    page_chart_level(&c, 0.5, "half");
    for (int k = 0; k < 2; k++) {
        const int n = page_rank(e, held, of[k], list);
        page_svg_put(out, "<path class=\"line $\" d=\"M% %", k == 0 ? "other" : "s1",
                     page_chart_x(&c, 0), page_chart_y(&c, 0));
        for (int i = 0; i < n && isfinite(list[i].value); i++) {
            page_svg_put(out, "H%V%", page_chart_x(&c, list[i].value),
                         page_chart_y(&c, (i + 1.0) / n));
        }
        page_svg_put(out, "H%\"/>", c.right);
    }
    page_chart_end(&c);
}

static void quartile_cells(const sal_identification_result *e, bool held,
                           sal_identification_measure what, sal_text *out)
{
    sal_quartiles q;
    sal_err err;
    if (sal_identification_quartiles(&q, e, held, what, &err) != SAL_OK) {
        out->failed = true;
        return;
    }
    sal_text_add(out, "<td class=\"num\">");
    if (q.n > 0) {
        page_svg_number(out, q.median, 3);
        sal_text_add(out, " (");
        page_svg_number(out, q.low, 3);
        sal_text_add(out, " \xE2\x80\xA6 ");
        if (isinf(q.high)) {
            sal_text_add(out, "\xE2\x88\x9E");
        } else {
            page_svg_number(out, q.high, 3);
        }
        page_svg_put(out, ") $", sal_identification_measure_unit(what));
    }
    sal_text_add(out, "</td>");
}

static void rollout_table(const sal_identification_result *e, int held, sal_text *out)
{
    static const struct {
        const char *name;
        sal_identification_measure position, rotation;
    } rows[] = {{"as found", SAL_MEASURE_POSITION, SAL_MEASURE_ROTATION},
                {"nominal", SAL_MEASURE_NOMINAL_POSITION, SAL_MEASURE_NOMINAL_ROTATION}};
    page_table_begin(out, "Rollouts", "rollouts");
    sal_text_add(out, "<thead><tr><th>model</th><th class=\"num\">position at the end</th><th "
                      "class=\"num\">rotation at the end</th></tr></thead><tbody>\n");
    for (int k = 0; k < 2; k++) {
        page_svg_put(out, "<tr><th scope=\"row\">$</th>", rows[k].name);
        quartile_cells(e, held != 0, rows[k].position, out);
        quartile_cells(e, held != 0, rows[k].rotation, out);
        sal_text_add(out, "</tr>\n");
    }
    page_table_end(out);
}

/* Root mean square errors by channel, medians over recordings. */
static void channel_table(const sal_identification_result *e, int held, sal_text *out)
{
    page_table_begin(out, "Channels of the rollouts", "rollouts");
    sal_text_add(out, "<thead><tr><th>channel</th><th class=\"num\">rms of the rollouts, "
                      "median</th><th class=\"num\">nominal</th><td></td></tr></thead><tbody>\n");
    for (int c = 0; c < e->nchannel; c++) {
        sal_quartiles found, nominal;
        sal_err err;
        if (sal_identification_channel_quartiles(&found, e, held != 0, c, false, &err) != SAL_OK ||
            sal_identification_channel_quartiles(&nominal, e, held != 0, c, true, &err) != SAL_OK) {
            out->failed = true;
        } else if (found.n > 0) {
            sal_text_add(out, "<tr><th scope=\"row\">");
            page_html_text(out, e->channel[c].name);
            sal_text_add(out, "</th><td class=\"num\">");
            page_svg_number(out, found.median, 3);
            sal_text_add(out, "</td><td class=\"num\">");
            page_svg_number(out, nominal.median, 3);
            sal_text_add(out, "</td><td>");
            page_html_text(out, e->channel[c].unit);
            sal_text_add(out, "</td></tr>\n");
        }
    }
    page_table_end(out);
}

static bool any_predicted(const sal_identification_result *e, int held)
{
    for (int i = 0; i < e->nrecording; i++) {
        const sal_identification_recording *r = e->recording + i;
        for (int c = 0; c < e->nchannel && r->nsample > 0; c++) {
            if ((r->held != 0) == held &&
                (!isnan(r->channel_predicted[c]) || isfinite(r->rollout.diverged))) {
                return true;
            }
        }
    }
    return false;
}

static sal_status show_rollouts(const sal_result *of, int held, page_ranked *list, bool print,
                                sal_text *out, sal_err *err)
{
    const sal_identification_result *e = sal_identification_of(of);
    if (!any_predicted(e, held)) {
        return SAL_OK;
    }
    page_svg_put(out,
                 "<section><h2>$</h2><p class=\"note\">Simulations from one initial state with the "
                 "known inputs: medians (and quartiles) over recordings. <span class=\"s1\">The "
                 "model found</span>; pale: the nominal model, from the same state. A simulation "
                 "that diverges counts as an infinite error.</p>",
                 held ? "Prediction of the recordings held out"
                      : "Prediction of the recordings of the fit");
    sal_status status = SAL_OK;
    const int n = page_rank(e, held, SAL_MEASURE_POSITION, list);
    if (n > 0) {
        rollout_table(e, held, out);
        sal_text_add(out, "<div class=\"charts\">\n");
        share_chart(e, held, SAL_MEASURE_POSITION, SAL_MEASURE_NOMINAL_POSITION, list, print, out);
        share_chart(e, held, SAL_MEASURE_ROTATION, SAL_MEASURE_NOMINAL_ROTATION, list, print, out);
        sal_text_add(out, "</div>\n");
    }
    channel_table(e, held, out);
    if (held && n > 0) {
        page_rank(e, held, SAL_MEASURE_POSITION, list);
        const page_ranked middle = list[(n - 1) / 2], worst = list[n - 1];
        status = show_recording(of, &middle, "The one in the middle", SAL_MEASURE_POSITION, print,
                                out, err);
        if (status == SAL_OK && n > 1) {
            status = show_recording(of, &worst, "The worst", SAL_MEASURE_POSITION, print, out, err);
        }
    }
    sal_text_add(out, "</section>\n");
    return status;
}

sal_status page_report_recordings(const sal_result *of, bool print, sal_text *out, sal_err *err)
{
    const sal_identification_result *e = sal_identification_of(of);
    page_ranked *list = sal_alloc((size_t)e->nrecording + 1, sizeof *list);
    if (list == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the recordings of a page");
    }
    sal_status status = show_fit(of, list, print, out, err);
    if (status == SAL_OK) {
        status = show_rollouts(of, 1, list, print, out, err);
    }
    if (status == SAL_OK && !any_predicted(e, 1)) {
        status = show_rollouts(of, 0, list, print, out, err);
    }
    sal_free(list);
    return status;
}
