/* comparison_page.c: one HTML page about two results: a table of what differs, and both motions,
 * side by side, at the same time. */
#include "pages/pages.h"
#include "pages/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- figures ---- */

/* The largest force of the actuators on what turns (N m), or on what slides (N); NaN: none */
static double largest_force(const sal_result *r, bool turns)
{
    const sal_model *m = r->model;
    double most = (double)NAN;
    for (int i = 0; i < m->nv; i++) {
        const int type = m->jnt_type[m->dof_jntid[i]];
        if (type != (turns ? SAL_JNT_HINGE : SAL_JNT_SLIDE)) {
            continue;
        }
        for (int t = 0; t < r->nstep; t++) {
            most = fmax(most, fabs(r->qfrc_actuator[(ptrdiff_t)t * m->nv + i]));
        }
    }
    return most > 0 ? most : (double)NAN;
}

static double cost_of(const sal_result *r)
{
    return prb_result_has_problem(r) ? r->cost : (double)NAN;
}

/* ---- the table ---- */

static void add_cell(sal_text *out, double value)
{
    sal_text_add(out, "<td class=\"num\">");
    page_svg_number(out, value, 5);
    sal_text_add(out, "</td>");
}

/* Nothing where neither has it. */
static void add_row(sal_text *out, const char *what, const char *unit, double first, double second)
{
    if (isnan(first) && isnan(second)) {
        return;
    }
    sal_text_add(out, "<tr><th scope=\"row\">");
    page_html_text(out, what);
    page_svg_put(out, "$$</th>", unit[0] == 0 ? "" : ", ", unit);
    add_cell(out, first);
    add_cell(out, second);
    add_cell(out, second - first);
    sal_text_add(out, "</tr>\n");
}

static const prb_term_report *term_of(const sal_result *r, const char *name)
{
    for (int k = 0; k < r->nterm; k++) {
        if (strcmp(r->term[k].name, name) == 0) {
            return r->term + k;
        }
    }
    return NULL;
}

/* The terms of the first in their order, then those that only the second has */
static void add_terms(const sal_result *a, const sal_result *b, sal_text *out)
{
    char what[sizeof a->term->name + 8];
    for (int k = 0; k < a->nterm; k++) {
        const prb_term_report *other = term_of(b, a->term[k].name);
        snprintf(what, sizeof what, "term %s", a->term[k].name);
        add_row(out, what, "", a->term[k].value, other == NULL ? (double)NAN : other->value);
    }
    for (int k = 0; k < b->nterm; k++) {
        if (term_of(a, b->term[k].name) == NULL) {
            snprintf(what, sizeof what, "term %s", b->term[k].name);
            add_row(out, what, "", (double)NAN, b->term[k].value);
        }
    }
}

static void add_table(prb_gait *const g[2], sal_text *out)
{
    const sal_result *a = g[0]->r, *b = g[1]->r;
    sal_text_add(out, "<section><h2>What differs</h2><table class=\"differences\"><thead><tr>"
                      "<td></td><th class=\"num\">A</th><th class=\"num\">B</th>"
                      "<th class=\"num\">B \xE2\x88\x92 A</th></tr></thead><tbody>\n<tr>"
                      "<th scope=\"row\">status</th>");
    for (int i = 0; i < 2; i++) {
        const sal_result *r = g[i]->r;
        page_svg_put(out, "<td class=\"status\">$",
                     prb_result_is_physical(r) ? "physical" : "not physical");
        page_svg_put(out, r->status[0] == 0 ? "" : ", ");
        page_html_text(out, r->status);
        sal_text_add(out, "</td>");
    }
    sal_text_add(out, "<td></td></tr>\n");
    add_row(out, "duration", "s", g[0]->period, g[1]->period);
    add_row(out, "steps", "", g[0]->n, g[1]->n);
    add_row(out, "speed", "m/s", g[0]->speed, g[1]->speed);
    add_row(out, "cost", "", cost_of(a), cost_of(b));
    add_terms(a, b, out);
    add_row(out, "largest torque of an actuated hinge", "N m", largest_force(a, true),
            largest_force(b, true));
    add_row(out, "largest force of an actuated slide", "N", largest_force(a, false),
            largest_force(b, false));
    add_row(out, "mean absolute power", "W", g[0]->power, g[1]->power);
    add_row(out, "mechanical cost of transport", "", g[0]->transport, g[1]->transport);
    add_row(out, "highest load on the floor", "body weights", g[0]->peak_load, g[1]->peak_load);
    add_row(out, "deepest penetration", "mm", 1e3 * g[0]->penetration, 1e3 * g[1]->penetration);
    add_row(out, "mean slip", "m/s", g[0]->slip, g[1]->slip);
    add_row(out, "moving mass", "kg", a->weight / 9.81, b->weight / 9.81);
    sal_text_add(out, "</tbody></table></section>\n");
}

/* ---- the page ---- */

static sal_status add_page(prb_gait *const g[2], const char *const name[2], bool plays,
                           sal_text *out, sal_err *err)
{
    static const char *const heading[] = {"<section><h2>A</h2>", "<section><h2>B</h2>"};
    const page_strip_look look = {.plain = true, .tallest = 200, .most = 11};
    sal_status status = SAL_OK;
    page_report_head(out, "Two motions", plays ? page_player_script : NULL, NULL);
    sal_text_add(
        out,
        ".differences .status{text-align:right}.differences .num{padding-left:10px}header "
        "p{overflow-wrap:anywhere}</style></head>\n<body><main><header><h1>Two motions</h1><p>A: ");
    page_html_text(out, name[0]);
    sal_text_add(out, "<br/>B: ");
    page_html_text(out, name[1]);
    sal_text_add(out, "</p></header>\n");
    if (plays) {
        page_player_section(out);
    }
    add_table(g, out);
    for (int i = 0; i < 2 && status == SAL_OK; i++) {
        sal_text_add(out, heading[i]);
        status = page_report_strip(g[i], &look, out, err);
        sal_text_add(out, "</section>\n");
    }
    sal_text_add(out, "</main>\n");
    if (status == SAL_OK && plays) {
        status = page_player_data((const prb_gait *const[]){g[0], g[1]}, 2, out, err);
    }
    sal_text_add(out, "</body></html>\n");
    return status;
}

sal_status sal_results_report(const sal_result *const result[2], const char *const name[2],
                              const sal_report_options *options, sal_text *out, sal_err *err)
{
    prb_gait *g[2] = {NULL, NULL};
    sal_status status = prb_gait_new(&g[0], result[0], err);
    status = status == SAL_OK ? prb_gait_new(&g[1], result[1], err) : status;
    if (status == SAL_OK) {
        status = add_page(g, name, !options->still && sal_report_plays(), out, err);
    }
    prb_gait_free(g[0]);
    prb_gait_free(g[1]);
    if (status == SAL_OK && out->failed) {
        status = sal_fail(err, SAL_NOMEM, "out of memory for a page");
    }
    return status;
}
