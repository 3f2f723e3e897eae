/* report_cost.c: what a motion costs, and how the search went. */
#include "pages/report.h"

#include <math.h>
#include <string.h>

/* ---- cost ---- */

static void cost_row(const prb_term_report *term, sal_text *out)
{
    const double share = isfinite(term->share) ? fmin(fmax(term->share, 0), 1) : 0;
    sal_text_add(out, "<tr><th scope=\"row\">");
    page_html_text(out, term->name);
    sal_text_add(out, "</th><td class=\"num\">");
    page_svg_number(out, term->value, 4);
    page_svg_put(out,
                 "</td><td><svg viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" "
                 "class=\"share\"><rect width=\"%\" height=\"10\"/></svg></td><td "
                 "class=\"num\">%",
                 100 * share, round(1000 * share) / 10);
    sal_text_add(out, " %</td></tr>\n");
}

void page_report_cost(const sal_result *r, sal_text *out)
{
    if (r->nterm == 0) {
        return;
    }
    sal_text_add(out, "<section><h2>Cost</h2><table class=\"cost\"><thead><tr><th>term</th><th "
                      "class=\"num\">value</th><td></td><th class=\"num\">share</th></tr></thead>"
                      "<tbody>\n");
    for (int k = 0; k < r->nterm; k++) {
        cost_row(r->term + k, out);
    }
    sal_text_add(out, "</tbody><tfoot><tr><th scope=\"row\">total</th><td class=\"num\">");
    page_svg_number(out, r->cost, 5);
    sal_text_add(out, "</td><td></td><td></td></tr></tfoot></table></section>\n");
}

/* Bars, with the value of each term at their ends. */
void page_report_cost_chart(const sal_result *r, sal_text *out)
{
    double left = 60;
    for (int k = 0; k < r->nterm; k++) {
        left = fmax(left, page_text_width(r->term[k].name, false) + 12);
    }
    left = fmin(left, 0.6 * PAGE_PRINT_WIDTH);
    const double right = PAGE_PRINT_WIDTH - 64, pitch = 20, top = 30,
                 bottom = top + r->nterm * pitch + 4, height = bottom + 38;
    if (r->nterm == 0) {
        return;
    }
    page_svg_put(out,
                 "<svg class=\"chart\" viewBox=\"0 0 % %\" width=\"%\" height=\"%\" "
                 "role=\"img\"><title>Cost</title><text x=\"%\" y=\"16\" class=\"head\">Cost: ",
                 (double)PAGE_PRINT_WIDTH, height, (double)PAGE_PRINT_WIDTH, height, left);
    page_svg_number(out, r->cost, 4);
    sal_text_add(out, "</text>");
    for (int k = 0; k <= 4; k++) {
        const double x = left + k * (right - left) / 4;
        page_svg_put(out,
                     "<path class=\"gridline\" d=\"M% %V%\"/><text x=\"%\" y=\"%\" "
                     "class=\"tx\">%</text>",
                     x, top, bottom, x, bottom + 16, 25.0 * k);
    }
    for (int k = 0; k < r->nterm; k++) {
        const prb_term_report *term = r->term + k;
        const double share = isfinite(term->share) ? fmin(fmax(term->share, 0), 1) : 0,
                     y = top + k * pitch + 4, end = left + share * (right - left);
        page_svg_put(out, "<text x=\"%\" y=\"%\" class=\"ty\">", left - 6, y + 11);
        page_html_text(out, term->name);
        page_svg_put(out,
                     "</text><rect class=\"bar left\" x=\"%\" y=\"%\" width=\"%\" "
                     "height=\"14\"/><text x=\"%\" y=\"%\">",
                     left, y, end - left, end + 5, y + 11);
        page_svg_number(out, term->value, 3);
        sal_text_add(out, "</text>");
    }
    page_svg_put(out,
                 "<path class=\"axis\" d=\"M% %V%H%\"/><text x=\"%\" y=\"%\" class=\"lx\">share of "
                 "the cost, ",
                 left, top, bottom, right, 0.5 * (left + right), height - 6);
    sal_text_add(out, "%</text></svg>\n");
}

/* ---- iterations ---- */

typedef enum quantity { COST, VIOLATION } quantity;

static double log_of(const prb_iteration *i, quantity what)
{
    const double x = what == COST ? i->cost : i->violation;
    return x > 0 ? log10(fmax(x, 1e-18)) : (double)NAN;
}

/* Writes one start's line to x, y; returns its length. */
static int start_line(const sal_result *r, int start, quantity what, double *x, double *y)
{
    int n = 0;
    for (int k = 0; k < r->niteration; k++) {
        if (r->iteration[k].start == start) {
            x[n] = r->iteration[k].linearisation;
            y[n++] = log_of(r->iteration + k, what);
        }
    }
    return n;
}

bool page_begins_phase(const sal_result *r, int k)
{
    int before = k - 1;
    while (before >= 0 && r->iteration[before].start != r->start) {
        before--;
    }
    return r->iteration[k].start == r->start &&
           (before < 0 || strcmp(r->iteration[before].phase, r->iteration[k].phase) != 0);
}

static void phase_marks(const sal_result *r, page_chart *c)
{
    double last = -1e9;
    for (int k = 0; k < r->niteration; k++) {
        const prb_iteration *i = r->iteration + k;
        if (!page_begins_phase(r, k)) {
            continue;
        }
        const double x = page_chart_x(c, i->linearisation);
        page_chart_upright(c, i->linearisation, "half");
        if (c->print) { /* there is no room for names */
            continue;
        }
        last = fmax(x, last + 11);
        page_svg_put(c->out, "<text class=\"phase\" transform=\"translate(%,%) rotate(90)\">",
                     last + 3, c->top + 4);
        page_html_text(c->out, i->phase);
        sal_text_add(c->out, "</text>");
    }
}

static void iteration_chart(const sal_result *r, quantity what, bool print, double *x, double *y,
                            sal_text *out)
{
    page_chart c = {.out = out,
                    .print = print,
                    .title = what == COST ? "Cost" : "Violation of the constraints",
                    .xlabel = "linearisations",
                    .ylabel = what == COST ? "cost" : "in units of the tolerance",
                    .width = 520,
                    .height = 230,
                    .x0 = (double)INFINITY,
                    .x1 = -(double)INFINITY,
                    .y0 = (double)INFINITY,
                    .y1 = -(double)INFINITY,
                    .log = true};
    int nstart = 0;
    for (int k = 0; k < r->niteration; k++) {
        const double at = r->iteration[k].linearisation, value = log_of(r->iteration + k, what);
        page_chart_extend(&c.x0, &c.x1, &at, 1, 1);
        page_chart_extend(&c.y0, &c.y1, &value, 1, 1);
        nstart = r->iteration[k].start >= nstart ? r->iteration[k].start + 1 : nstart;
    }
    if (nstart > 1) {
        page_chart_key(&c, "mid", "best start");
        page_chart_key(&c, "other", "other starts");
    }
    if (what == VIOLATION) {
        page_chart_key(&c, "limit", "tolerance");
    }
    page_chart_key(&c, "half", "phases");
    page_chart_begin(&c);
    phase_marks(r, &c);
    page_chart_level(&c, 0, what == VIOLATION ? "limit" : "gridline");
    for (int s = 0; s < nstart && s < 64; s++) {
        if (s != r->start) {
            page_chart_line(&c, x, y, start_line(r, s, what, x, y), "other");
        }
    }
    page_chart_line(&c, x, y, start_line(r, r->start, what, x, y), "mid");
    page_chart_end(&c);
}

sal_status page_report_iterations(const sal_result *r, bool print, sal_text *out, sal_err *err)
{
    double *x = sal_alloc((size_t)r->niteration, sizeof(double)),
           *y = sal_alloc((size_t)r->niteration, sizeof(double));
    if (x == NULL || y == NULL) {
        sal_free(x);
        sal_free(y);
        return sal_fail(err, SAL_NOMEM, "out of memory for the charts of a page");
    }
    if (r->niteration > 0) {
        const bool motion = sal_identification_of(r) == NULL;
        page_section_begin(
            out, "How it was found",
            !motion
                ? "Cost over the linearisations; each stage minimises a different cost."
                : "Cost of the terms, and the largest violation of a constraint in units of its "
                  "tolerance (dashed: 1; below it, all constraints are satisfied), over the "
                  "linearisations of the best start; other starts in pale lines. The contact "
                  "becomes stiffer from left to right.");
        iteration_chart(r, COST, print, x, y, out);
        if (motion) {
            iteration_chart(r, VIOLATION, print, x, y, out);
        }
        page_section_end(out);
    }
    sal_free(x);
    sal_free(y);
    return SAL_OK;
}
