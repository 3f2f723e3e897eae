/* sweep_page.c: one HTML page about a sweep, for people. It needs no other file; scripts sort
 * the table and play motions. It follows the reader's light or dark scheme.
 *
 *     verdict -> key figures -> bars -> curves -> maps -> samples -> distribution ->
 *         a motion that plays -> motions -> failures -> how it was made -> all cells
 */
#include "pages/sweep_page.h"

#include "pages/pages.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char style_sheet[] =
    ".tile b{font-size:19px}.corner.tiny{stroke:none}"
    ".hatching{stroke:var(--trunk);stroke-width:1.2;fill:none}.charts{gap:18px 14px}"
    ".tiles{grid-template-columns:repeat(auto-fit,minmax(120px,1fr))}"
    ".curve{fill:none;stroke:var(--q);stroke-width:1.8;stroke-linejoin:round}"
    ".dot{fill:var(--q)}.ring{fill:var(--card);stroke:var(--bad);stroke-width:1.6}"
    ".key[class*=' q']{background:var(--q)}.key.joined{margin:0;border-radius:0}"
    ".key.joined:first-of-type{margin-left:8px}.key.joined:last-of-type{margin-right:8px}"
    ".keys{margin:0 0 10px}.key.fine{background:var(--grf)}.key.unsolved{background:var(--bad)}"
    ".bar.fine{fill:var(--grf)}.bar.unsolved{fill:var(--bad)}"
    ".cells rect,.cells path{shape-rendering:crispEdges}.hole{fill:url(#hatch)}"
    ".full.hole{fill:var(--still)}.waits{fill:var(--page);stroke:var(--rule);stroke-width:1}"
    "path.waits{stroke:none}.corner{fill:var(--bad);stroke:var(--card);stroke-width:.7}"
    ".lowest{fill:none;stroke:#fff;stroke-width:1.8}"
    ".lowest.under{stroke:#101418;stroke-width:4.4}"
    "svg .in{font-size:10.5px;text-anchor:middle;pointer-events:none}"
    ".heat .te{font-size:11px}svg .in.dark{fill:#101418}svg .in.light{fill:#f4f6f8}"
    "svg.sign{display:inline-block;vertical-align:-1px}svg.defs{position:absolute}"
    ".progress{display:flex;height:14px;border-radius:7px;overflow:hidden;margin:14px 0 "
    "0;background:var(--rule)}"
    ".progress span{display:block}.progress .fine{background:var(--good)}"
    ".progress .unsolved{background:var(--warn)}.progress .failed{background:var(--bad)}"
    ".motion{border-top:1px solid var(--rule);padding:12px 0 4px}.motion p{margin:0}"
    ".values{color:var(--muted)}.motion .command{color:var(--muted);"
    "overflow-wrap:anywhere}"
    "ul{margin:0;padding-left:18px}.failures td,.failures th{padding-right:14px}"
    ".failures code{overflow-wrap:anywhere}.wide{overflow:auto;max-height:720px}"
    ".cells td,.cells th{padding:3px 12px 3px 0;white-space:nowrap}"
    "table.cells{font-size:13px;font-variant-numeric:tabular-nums}"
    ".cells th{position:sticky;top:0;background:var(--card)}.cells .sorts{cursor:pointer}"
    ".cells th[aria-sort=ascending]::after{content:' \xE2\x96\xB4'}"
    ".cells th[aria-sort=descending]::after{content:' \xE2\x96\xBE'}"
    ".cells td{text-align:right}.cells td.st{text-align:left}"
    ".failures td:nth-child(3){white-space:nowrap}.failures td:first-child{width:24%}"
    ".pale{color:var(--muted)}b.warn,td.warn{color:var(--warn)}";

/* ---- head ---- */

/* How many different points a sample has: pairs of it with other axes are as many times more. */
static int sample_size(const page_page *p, int group)
{
    int n = 0;
    for (int k = 0; k < p->naxis; k++) {
        n = p->axis[k].group == group && p->axis[k].nlevel > n ? p->axis[k].nlevel : n;
    }
    return n;
}

/* ": 12 speed x 5 mass", ": 40 samples of a (with b) x 3 gait" */
static void add_extent(const page_page *p)
{
    sal_text *out = p->out;
    bool any = false;
    for (int k = 0; k < p->naxis; k++) {
        const page_axis *a = p->axis + k;
        char axis[96];
        if (!a->leads && !(a->sampled && a->group == k)) {
            continue;
        }
        page_axis_name(p, a, axis, sizeof axis);
        sal_text_format(out, "%s%d %s", any ? " \xC3\x97 " : ": ",
                        a->leads ? a->nlevel : sample_size(p, a->group),
                        a->leads ? "" : "samples of ");
        page_html_text(out, axis);
        any = true;
    }
}

static void add_head(const page_page *p)
{
    const sal_sweep_view *v = p->view;
    const char *name = v->name == NULL || v->name[0] == 0 ? "a sweep" : v->name;
    sal_text *out = p->out;
    page_report_head(out, name, page_sorter(), p->nplayed > 0 ? page_player_script : NULL);
    sal_text_add(out, style_sheet);
    page_line_style(out);
    sal_text_add(out, "</style></head>\n<body><svg class=\"defs\" width=\"0\" height=\"0\"><defs>"
                      "<pattern id=\"hatch\" width=\"6\" height=\"6\" "
                      "patternUnits=\"userSpaceOnUse\"><path d=\"M-1 7L7 -1M-1 1L1 -1M5 7L7 5\" "
                      "class=\"hatching\"/></pattern></defs></svg><main><header><h1>");
    page_html_text(out, name);
    sal_text_format(out, "</h1><p>a sweep of %d point%s", p->npoint, p->npoint == 1 ? "" : "s");
    add_extent(p);
    if (v->nrepeat > 1) {
        sal_text_format(out, ", %d repeats of each", v->nrepeat);
    }
    sal_text_add(out, "</p></header>\n");
}

static void add_part(const page_page *p, page_cell_state state, const char *style)
{
    if (p->count[state] > 0) {
        page_svg_put(p->out, "<span class=\"$\" style=\"flex:% 0 0\"></span>", style,
                     (double)p->count[state]);
    }
}

static void add_verdict(const page_page *p)
{
    sal_text *out = p->out;
    const int *n = p->count, ncell = p->view->ncell;
    const bool whole = n[PAGE_CELL_WAITING] == 0, clean = n[PAGE_CELL_PHYSICAL] == ncell;
    page_svg_put(out, "<div class=\"verdict $\" role=\"status\"><b>",
                 !whole  ? "bad"
                 : clean ? "good"
                         : "warn");
    if (ncell == 0) {
        sal_text_add(out, "There are no cells.");
    } else if (!whole) {
        sal_text_format(out, "INCOMPLETE: %d of %d cells are still waiting.", n[PAGE_CELL_WAITING],
                        ncell);
    } else if (clean) {
        sal_text_format(out, "Complete: all %d cells are physical and converged.", ncell);
    } else {
        sal_text_format(out, "Complete: %d of %d cells are physical and converged",
                        n[PAGE_CELL_PHYSICAL], ncell);
        if (n[PAGE_CELL_FAILED] > 0) {
            sal_text_format(out, ", %d failed", n[PAGE_CELL_FAILED]);
        }
        sal_text_add(out, ".");
    }
    sal_text_add(out, "</b>");
    if (!whole) {
        sal_text_add(out,
                     "<p>This page shows the cells that are done. To compute the others, run the "
                     "same sweep again with the same folder.</p>");
    }
    sal_text_add(out, "</div>\n<div class=\"progress\">");
    add_part(p, PAGE_CELL_PHYSICAL, "fine");
    add_part(p, PAGE_CELL_UNSOLVED, "unsolved");
    add_part(p, PAGE_CELL_FAILED, "failed");
    add_part(p, PAGE_CELL_WAITING, "rest");
    sal_text_add(out, "</div>\n");
}

/* ---- key figures ---- */

static void add_tile(sal_text *out, double value, int digits, const char *unit, const char *what)
{
    sal_text_add(out, "<div class=\"tile\"><b>");
    page_svg_number(out, value, digits);
    sal_text_add(out, unit[0] == 0 ? "" : "<small> ");
    page_html_text(out, unit);
    page_svg_put(out, "$</b><span>", unit[0] == 0 ? "" : "</small>");
    page_html_text(out, what);
    sal_text_add(out, "</span></div>\n");
}

/* Seconds in the unit in which they are best read. */
static void add_time(sal_text *out, double seconds, const char *what)
{
    const bool hours = seconds >= 2 * 3600, minutes = seconds >= 120;
    add_tile(out,
             hours     ? seconds / 3600
             : minutes ? seconds / 60
                       : seconds,
             3,
             hours     ? "h"
             : minutes ? "min"
                       : "s",
             what);
}

static void add_lowest(const page_page *p)
{
    const page_figure *f = p->figure;
    int low = -1;
    char what[128];
    for (int i = 0; i < p->npoint; i++) {
        const int c = p->best[i];
        if (c >= 0 && p->state[c] == PAGE_CELL_PHYSICAL && isfinite(f->value[c]) &&
            (low < 0 || f->value[c] < f->value[low])) {
            low = c;
        }
    }
    if (low >= 0) {
        snprintf(what, sizeof what, "lowest %s", f->label);
        add_tile(p->out, f->value[low], 4, f->unit, what);
    }
}

static void add_tiles(const page_page *p)
{
    const int *n = p->count, done = p->view->ncell - n[PAGE_CELL_WAITING];
    double seconds = 0;
    for (int c = 0; c < p->view->ncell; c++) {
        const double own = p->view->record[c].seconds;
        seconds += p->state[c] != PAGE_CELL_WAITING && isfinite(own) ? own : 0;
    }
    sal_text_add(p->out, "<div class=\"tiles\">\n");
    add_tile(p->out, p->view->ncell, 7, "", "cells");
    add_tile(p->out, n[PAGE_CELL_PHYSICAL], 7, "", "physical and converged");
    add_tile(p->out, n[PAGE_CELL_UNSOLVED], 7, "", "not a solution");
    add_tile(p->out, n[PAGE_CELL_FAILED], 7, "", "failed");
    add_tile(p->out, n[PAGE_CELL_WAITING], 7, "", "waiting");
    add_lowest(p);
    if (done > 0) {
        add_time(p->out, seconds, "computed, all cells");
        add_time(p->out, seconds / done, "a cell, on average");
    }
    sal_text_add(p->out, "</div>\n");
}

/* ---- how it was made ---- */

static void add_axis(const page_page *p, int id)
{
    const sal_sweep_view *v = p->view;
    const page_axis *a = NULL;
    sal_text *out = p->out;
    for (int k = 0; k < p->naxis; k++) {
        a = p->axis[k].id == id ? p->axis + k : a;
    }
    sal_text_add(out, "<tr><th scope=\"row\">");
    page_html_text(out, v->axis[id]);
    sal_text_format(out, "</th><td class=\"num\">%d</td><td>", a == NULL ? 1 : a->nlevel);
    const bool listed = a != NULL && a->nlevel <= 12;
    for (int k = 0; listed && k < a->nlevel; k++) {
        sal_text_add(out, k > 0 ? ", " : "");
        char text[64];
        page_level(a, k, text, sizeof text);
        page_html_text(out, text);
    }
    if (a == NULL) {
        page_html_text(out, v->ncell > 0 ? v->value[id] : "");
    } else if (!listed) {
        page_html_text(out, a->text[0]);
        sal_text_add(out, a->numeric ? " to " : " .. ");
        page_html_text(out, a->text[a->nlevel - 1]);
    }
    sal_text_add(out, "</td><td><code>");
    page_html_text(out, page_axis_path(p, id) == NULL ? "" : page_axis_path(p, id));
    sal_text_add(out, "</code></td><td>");
    for (int k = 0; k < p->naxis && a != NULL; k++) {
        if (p->axis + k != a && p->axis[k].group == a->group) {
            sal_text_add(out, "with ");
            page_html_text(out, p->axis[k].name);
            sal_text_add(out, " ");
        }
    }
    sal_text_add(out, "</td></tr>\n");
}

static void add_making(const page_page *p)
{
    const sal_sweep_view *v = p->view;
    sal_text *out = p->out;
    const char *version = "";
    for (int c = 0; c < v->ncell && version[0] == 0; c++) {
        version = v->record[c].version;
    }
    sal_text_add(out, "<section><h2>How it was made</h2>");
    if (v->naxis > 0) {
        sal_text_add(
            out,
            "<table><thead><tr><th>axis</th><th "
            "class=\"num\">values</th><th>which</th><th>of</th><td></td></tr></thead><tbody>\n");
        for (int id = 0; id < v->naxis; id++) {
            add_axis(p, id);
        }
        sal_text_add(out, "</tbody></table>");
    }
    if (version[0] != 0) {
        sal_text_add(out, "<p class=\"note\">by saltus ");
        page_html_text(out, version);
        sal_text_add(out, "</p>");
    }
    if (p->sweep_xml != NULL) {
        sal_text_add(out, "<details><summary>the sweep as it was run</summary><pre>");
        page_html_text(out, p->sweep_xml);
        sal_text_add(out, "</pre></details>");
    }
    sal_text_add(out, "</section>\n");
}

/* ---- the page ---- */

sal_status sal_sweep_report(const sal_sweep_view *view, sal_text *out, sal_err *err)
{
    typedef sal_status section(const page_page *p, sal_err *err);
    static section *const sections[] = {page_bars,      page_curves, page_heat,    page_scatter,
                                        page_histogram, page_play,   page_motions, page_failures};
    page_page *p = NULL;
    sal_status status = page_new(&p, view, out, err);
    if (status != SAL_OK) {
        return status;
    }
    status = page_add_player(p, err);
    add_head(p);
    add_verdict(p);
    add_tiles(p);
    for (size_t i = 0; i < sizeof sections / sizeof *sections && status == SAL_OK; i++) {
        status = sections[i](p, err);
    }
    add_making(p);
    page_table(p);
    sal_text_add(out, "</main>\n");
    if (p->nplayed > 0) {
        page_player_end(out);
    }
    sal_text_add(out, "</body></html>\n");
    page_free(p);
    if (status == SAL_OK && out->failed) {
        status = sal_fail(err, SAL_NOMEM, "out of memory for the page of a sweep");
    }
    return status;
}
