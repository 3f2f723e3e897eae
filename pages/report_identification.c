/* report_identification.c: the page of an identification: what was found, how sure that is, and
 * what the data could not tell.
 *
 *     verdict -> key figures -> parameters -> account in words -> correlations -> channels;
 *         recordings are in report_recordings.c
 */
#include "pages/report.h"

#include <math.h>
#include <string.h>

enum { BAR_WIDTH = 300, BAR_HEIGHT = 22, CELL = 46, LABEL = 150, PRINTED = 14 };

static void count_recordings(const sal_identification_result *e, int *fit, int *held, int *samples)
{
    *fit = *held = *samples = 0;
    for (int i = 0; i < e->nrecording; i++) {
        *(e->recording[i].held ? held : fit) += 1;
        *samples += e->recording[i].nsample;
    }
}

/* ---- verdict and key figures ---- */

void page_report_identification_subtitle(const sal_result *r, sal_text *out)
{
    int fit, held, samples;
    count_recordings(sal_identification_of(r), &fit, &held, &samples);
    sal_text_format(out, "identified from %d recording%s", fit, fit == 1 ? "" : "s");
    if (held > 0) {
        sal_text_format(out, ", tested on %d that %s left out of the fit", held,
                        held == 1 ? "was" : "were");
    }
}

void page_report_identification_verdict(const sal_result *r, sal_text *out)
{
    const sal_identification_result *e = sal_identification_of(r);
    int lost = 0, bound = 0;
    for (int k = 0; k < e->nparameter; k++) {
        lost += isinf(e->parameter[k].se) != 0;
        bound += e->parameter[k].at_bound != 0;
    }
    const bool far = r->exit_code == 0 && e->newton > 0;
    const bool good = r->exit_code == 0 && !far && lost == 0 && bound == 0;
    page_svg_put(out, "<div class=\"verdict $\" role=\"status\"><b>", good ? "good" : "warn");
    page_html_text(out, r->status);
    sal_text_add(out, "</b>");
    if (r->exit_code != 0) {
        sal_text_add(out, "<p>The search stopped before it had converged.</p>");
    }
    if (far) {
        sal_text_format(out,
                        "<p>The search may not have converged: one more step would change a "
                        "parameter by %.2g of its standard error.</p>",
                        e->newton);
    }
    if (lost > 0) {
        sal_text_format(out, "<p>%d of %d parameters cannot be determined from these data.</p>",
                        lost, e->nparameter);
    }
    if (bound > 0) {
        sal_text_format(out, "<p>%d of %d parameters %s at a bound.</p>", bound, e->nparameter,
                        bound == 1 ? "is" : "are");
    }
    sal_text_add(out, "</div>\n");
}

static void median_tile(const sal_identification_result *e, bool held,
                        sal_identification_measure what, const char *words, sal_text *out)
{
    sal_quartiles q;
    sal_err err;
    if (sal_identification_quartiles(&q, e, held, what, &err) != SAL_OK) {
        out->failed = true;
    } else {
        page_report_tile(out, q.median, 3, sal_identification_measure_unit(what), words);
    }
}

void page_report_identification_tiles(const sal_result *r, sal_text *out)
{
    const sal_identification_result *e = sal_identification_of(r);
    int fit, held, samples;
    count_recordings(e, &fit, &held, &samples);
    sal_text_add(out, "<div class=\"tiles\">\n");
    page_report_tile(out, fit, 6, "", "recordings in the fit");
    page_report_tile(out, e->ncluster, 6, "", "clusters, independent of one another");
    page_report_tile(out, samples, 7, "", "samples, of all recordings");
    median_tile(e, false, SAL_MEASURE_FIT, "fit, median over recordings", out);
    if (e->freedom > 0) {
        page_report_tile(out, sqrt(e->chi2 / e->freedom), 3, "",
                         "residuals, relative to the sigmas");
    }
    median_tile(e, true, SAL_MEASURE_POSITION, "end of held-out rollouts, median", out);
    median_tile(e, true, SAL_MEASURE_ROTATION, "end of held-out rollouts, median", out);
    page_report_tile(out, r->optim.linearisations, 6, "", "linearisations");
    sal_text_add(out, "</div>\n");
}

/* ---- parameters ---- */

static const double NEAR = 10; /* intervals */

static double place_of(double x, double lo, double hi)
{
    return 8 + (BAR_WIDTH - 16) * (hi > lo ? (x - lo) / (hi - lo) : 0.5);
}

/* A ring where the model had it, a stroke where the search began; beyond the scale an arrow. */
static void mark(double x, bool ring, double lo, double hi, double y, sal_text *out)
{
    const double place = place_of(fmin(hi, fmax(lo, x)), lo, hi), side = x < lo ? -1 : 1;
    if (x < lo || x > hi) {
        page_svg_put(out, "<path class=\"tick\" d=\"M% %l% 4l% 4\"/>", place, y - 4, 5 * side,
                     -5 * side);
    } else if (ring) {
        page_svg_put(out, "<circle class=\"ring\" cx=\"%\" cy=\"%\" r=\"4\"/>", place, y);
    } else if (isfinite(x)) {
        page_svg_put(out, "<path class=\"tick\" d=\"M% %v10\"/>", place, y - 5);
    }
}

/* What the value and its interval are drawn with: others are in it as far as they are within ten
 * intervals, so that a start that was far off does not hide the interval. */
static void choose_scale(const sal_identification_parameter *p, double reach, double *lo,
                         double *hi)
{
    const double all[] = {p->value - reach, p->value + reach}, others[] = {p->nominal, p->initial};
    *lo = (double)INFINITY;
    *hi = -(double)INFINITY;
    page_chart_extend(lo, hi, all, 2, 1);
    for (int i = 0; i < 2; i++) {
        if (fabs(others[i] - p->value) <= NEAR * reach || !(reach > 0)) {
            page_chart_extend(lo, hi, others + i, 1, 1);
        }
    }
}

/* Value with its interval of 95 % */
static void error_bar(const sal_identification_parameter *p, sal_text *out)
{
    const bool known = isfinite(p->se);
    const double reach = known ? sal_identification_reach(p) : 0, y = 0.5 * BAR_HEIGHT;
    double lo, hi;
    choose_scale(p, reach, &lo, &hi);
    page_svg_put(out, "<svg class=\"bars\" viewBox=\"0 0 % %\" width=\"%\" height=\"%\">",
                 (double)BAR_WIDTH, (double)BAR_HEIGHT, (double)BAR_WIDTH, (double)BAR_HEIGHT);
    page_svg_put(out, "<path class=\"gridline\" d=\"M8 %H%\"/>", y, BAR_WIDTH - 8.0);
    mark(p->initial, false, lo, hi, y, out);
    if (isfinite(p->nominal)) {
        mark(p->nominal, true, lo, hi, y, out);
    }
    if (known) {
        const double from = place_of(p->value - reach, lo, hi),
                     to = place_of(p->value + reach, lo, hi);
        page_svg_put(out, "<path class=\"error\" d=\"M% %H%M% %v8M% %v8\"/>", from, y, to, from,
                     y - 4, to, y - 4);
    }
    page_svg_put(out, "<circle class=\"$\" cx=\"%\" cy=\"%\" r=\"3.5\"/></svg>",
                 known ? "found" : "found lost", place_of(p->value, lo, hi), y);
}

static void number_cell(sal_text *out, double value, int digits)
{
    sal_text_add(out, "</td><td class=\"num\">");
    if (isinf(value)) {
        sal_text_add(out, value > 0 ? "\xE2\x88\x9E" : "\xE2\x88\x92\xE2\x88\x9E");
    } else {
        page_svg_number(out, value, digits);
    }
}

static void parameter_row(const sal_identification_result *e, const sal_identification_parameter *p,
                          sal_text *out)
{
    sal_text_add(out, "<tr><th scope=\"row\">");
    page_html_text(out, p->name);
    sal_text_add(out, p->unit[0] == 0 ? "" : ", ");
    page_html_text(out, p->unit);
    if (!p->free || p->at_bound != 0) {
        page_svg_put(out, " <span class=\"mark\">$</span>",
                     !p->free          ? "held"
                     : p->at_bound < 0 ? "on its lower bound"
                                       : "on its upper bound");
    }
    sal_text_add(out, "</th><td class=\"num\">");
    page_svg_number(out, p->value, 6);
    sal_text_add(out, "</td><td class=\"num\">");
    if (isinf(p->se)) {
        sal_text_add(out, "<span class=\"broken\">not determined</span>");
    } else {
        sal_text_add(out, isnan(p->se) ? "" : "\xC2\xB1 ");
        page_svg_number(out, p->se, 2);
    }
    sal_text_add(out, "</td><td class=\"num\">");
    if (isfinite(p->se) && p->value != 0) {
        page_svg_number(out, 100 * p->se / fabs(p->value), 2);
        sal_text_add(out, " %");
    }
    if (e->resampling != SAL_RESAMPLING_NONE) {
        number_cell(out, p->se_resampled, 2);
    }
    number_cell(out, p->se_hessian, 2);
    number_cell(out, p->nominal, 5);
    sal_text_add(out, "</td><td>");
    error_bar(p, out);
    sal_text_add(out, "</td></tr>\n");
}

static void local_rows(const sal_identification_result *e, sal_text *out)
{
    if (e->nlocal == 0) {
        return;
    }
    sal_text_add(out, "<table><thead><tr><th>one of each recording</th><th class=\"num\">mean</th>"
                      "<th class=\"num\">scatter</th></tr></thead><tbody>\n");
    for (int k = 0; k < e->nlocal; k++) {
        const sal_identification_parameter *p = e->local + k;
        sal_text_add(out, "<tr><th scope=\"row\">");
        page_html_text(out, p->name);
        sal_text_add(out, p->unit[0] == 0 ? "" : ", ");
        page_html_text(out, p->unit);
        sal_text_add(out, "</th><td class=\"num\">");
        page_svg_number(out, p->value, 4);
        number_cell(out, p->se, 2);
        sal_text_add(out, "</td></tr>\n");
    }
    sal_text_add(out, "</tbody></table>");
}

static void parameter_head(const sal_identification_result *e, sal_text *out)
{
    page_table_begin(out, "Parameters", "parameters");
    sal_text_add(out, "<thead><tr><th>parameter</th><th "
                      "class=\"num\">value</th><th class=\"num\">standard error</th><th "
                      "class=\"num\">of the value</th>");
    if (e->resampling != SAL_RESAMPLING_NONE) {
        page_svg_put(out, "<th class=\"num\">$</th>",
                     sal_identification_resampling_name(e->resampling));
    }
    sal_text_add(out, "<th class=\"num\">Hessian</th><th "
                      "class=\"num\">nominal</th><td></td></tr></thead><tbody>\n");
}

void page_report_parameters(const sal_identification_result *e, sal_text *out)
{
    if (e->nparameter + e->nlocal == 0) {
        return;
    }
    page_svg_put(
        out,
        "<section><h2>Parameters</h2><p class=\"note\">$ Drawn, each on a scale of its "
        "own: the value with its 95 $ interval; the ring is the nominal "
        "value, the stroke the initial guess; an arrow: it is beyond the scale.</p>",
        e->sandwich ? "Standard errors are those between clusters (sandwich): they assume only "
                      "that clusters of recordings are independent. Those from the Hessian, beside "
                      "them, assume that all residuals are independent."
                    : "There are too few clusters of recordings for standard errors between "
                      "clusters (sandwich): those from the Hessian, which assume that all "
                      "residuals are independent, are used where they are larger.",
        "%");
    if (e->nparameter > 0) {
        parameter_head(e, out);
        for (int k = 0; k < e->nparameter; k++) {
            parameter_row(e, e->parameter + k, out);
        }
        page_table_end(out);
    }
    local_rows(e, out);
    sal_text_add(out, "</section>\n");
}

void page_report_findings(const sal_identification_result *e, sal_text *out)
{
    if (e->nsentence == 0) {
        return;
    }
    sal_text_add(out, "<section><h2>Findings</h2><ul>\n");
    for (int i = 0; i < e->nsentence; i++) {
        sal_text_add(out, "<li>");
        page_html_text(out, e->sentence[i]);
        sal_text_add(out, "</li>\n");
    }
    sal_text_add(out, "</ul></section>\n");
}

/* ---- correlations ---- */

static void correlation_cell(const sal_identification_result *e, int i, int k, double x, double y,
                             double size, sal_text *out)
{
    const double rho = e->correlation[i * e->nparameter + k];
    if (isnan(rho)) {
        page_svg_put(out, "<rect class=\"void\" x=\"%\" y=\"%\" width=\"%\" height=\"%\"/>", x, y,
                     size, size);
        return;
    }
    page_svg_put(out,
                 "<rect class=\"bar $\" x=\"%\" y=\"%\" width=\"%\" height=\"%\" "
                 "fill-opacity=\"%\"><title>",
                 rho < 0 ? "right" : "left", x, y, size, size, fmin(1, fabs(rho)));
    page_html_text(out, e->parameter[i].name);
    sal_text_add(out, ", ");
    page_html_text(out, e->parameter[k].name);
    sal_text_add(out, ": ");
    sal_text_real(out, rho, 3);
    sal_text_add(out, "</title></rect>");
    if (e->nparameter <= PRINTED && i != k) {
        page_svg_put(out, "<text class=\"$\" x=\"%\" y=\"%\">", fabs(rho) > 0.6 ? "in full" : "in",
                     x + 0.5 * size, y + 0.5 * size + 4);
        sal_text_real(out, round(100 * rho) / 100 + 0.0, 2);
        sal_text_add(out, "</text>");
    }
}

/* A name of at most 20 bytes. */
static void short_name(sal_text *out, const char *name)
{
    char text[24];
    size_t n = 0;
    while (name[n] != 0 && n < 20) {
        const size_t step = sal_text_utf8(name + n);
        n += step == 0 ? 1 : step;
    }
    memcpy(text, name, n < sizeof text ? n : sizeof text - 1);
    text[n < sizeof text ? n : sizeof text - 1] = 0;
    page_html_text(out, text);
    sal_text_add(out, name[n] == 0 ? "" : "\xE2\x80\xA6");
}

void page_report_correlations(const sal_identification_result *e, sal_text *out)
{
    const int n = e->nparameter;
    if (n < 2) {
        return;
    }
    size_t longest = 0;
    for (int i = 0; i < n; i++) {
        const size_t length = strlen(e->parameter[i].name);
        longest = length > longest ? length : longest;
    }
    const double size = fmin(CELL, 900.0 / n), top = 8, side = n * size,
                 below = 26 + 4.6 * fmin((double)longest, 21);
    sal_text_add(out, "<section><h2>Correlations</h2><p class=\"note\">Of the errors of each two "
                      "parameters: <span class=\"s0\">blue</span> together, <span "
                      "class=\"s1\">orange</span> against one another; full colour: the data "
                      "determine only a combination of the two. Grey: no standard error.</p>");
    page_svg_put(out,
                 "<svg class=\"chart\" viewBox=\"0 0 % %\" width=\"%\" height=\"%\" role=\"img\">"
                 "<title>correlations</title>",
                 LABEL + side + 130, top + side + below, LABEL + side + 130, top + side + below);
    for (int i = 0; i < n; i++) {
        page_svg_put(out, "<text class=\"ty\" x=\"%\" y=\"%\">", LABEL - 8.0,
                     top + (i + 0.5) * size + 4);
        short_name(out, e->parameter[i].name);
        page_svg_put(out, "</text><text class=\"te\" transform=\"translate(%,%) rotate(40)\">",
                     LABEL + (i + 0.5) * size - 4, top + side + 14);
        short_name(out, e->parameter[i].name);
        sal_text_add(out, "</text>");
        for (int k = 0; k < n; k++) {
            correlation_cell(e, i, k, LABEL + k * size, top + i * size, size - 1, out);
        }
    }
    sal_text_add(out, "</svg></section>\n");
}

/* ---- channels ---- */

void page_report_channels(const sal_identification_result *e, sal_text *out)
{
    sal_text_add(out,
                 "<section><h2>Channels</h2><p class=\"note\">Residuals of the fit in units of "
                 "sigma, and whether they are white: the correlation of neighbouring samples, and "
                 "Ljung and Box's Q over its freedoms, which is about 1 for white residuals.</p>");
    page_table_begin(out, "Channels", "channels");
    sal_text_add(out, "<thead><tr><th>channel</th><th class=\"num\">residuals</th><th "
                      "class=\"num\">rms / sigma</th><th class=\"num\">neighbours</th><th "
                      "class=\"num\">Q / freedoms</th><td></td></tr></thead><tbody>\n");
    for (int c = 0; c < e->nchannel; c++) {
        const sal_identification_channel *of = e->channel + c;
        sal_text_add(out, "<tr><th scope=\"row\">");
        page_html_text(out, of->name);
        sal_text_add(out, "</th><td class=\"num\">");
        sal_text_format(out, "%d", of->count);
        number_cell(out, of->rms, 3);
        number_cell(out, of->count > 0 ? round(100 * of->lag1) / 100 + 0.0 : (double)NAN, 2);
        number_cell(out, of->freedom > 0 ? of->ljung_box / of->freedom : (double)NAN, 2);
        page_svg_put(out, "</td><td$>", of->count > 0 && !of->white ? " class=\"warn\"" : "");
        page_html_text(out, of->text);
        sal_text_add(out, "</td></tr>\n");
    }
    page_table_end(out);
    sal_text_add(out, "</section>\n");
}

/* ---- the drawing ---- */

void page_report_drawn(const sal_identification_result *e, sal_text *out)
{
    int i = 0;
    while (i < e->nrecording && e->recording[i].held) {
        i++;
    }
    if (i < e->nrecording) {
        sal_text_add(out, "<section><h2>");
        page_html_text(out, e->recording[i].name);
        sal_text_add(out, "</h2><p class=\"note\">The motion found of the first recording of the "
                          "fit, and its contacts under the model found.</p></section>\n");
    }
}
