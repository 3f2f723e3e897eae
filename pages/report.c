/* report.c: one HTML page about a result, for people. It needs no other file, is complete without
 * its script, and follows the reader's light or dark scheme.
 *
 *     verdict -> key figures -> player, strip of figures -> contacts -> controls, joints -> cost ->
 *         iterations -> constraints -> provenance
 */
#include "pages/report.h"

#include "pages/pages.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STYLE_COLOURS = 0, STYLE_STRIP = 4 };
static const char *const style_sheet[] =
    {/* colours, page, tables and figures, charts, strip, more charts */
     ":root{color-scheme:light dark;--page:#f5f6f8;--card:#fff;--ink:#1b2330;--muted:#5b6675;"
     "--rule:#d9dee6;--left:#2166ac;--right:#c8500a;--trunk:#7b8592;--still:#c3c9d2;--grf:#0b7f6b;"
     "--good:#1b7a43;--warn:#8a6100;--bad:#b3211b;--s2:#0b7f6b;--s3:#7a4fb0;--floor:#8a93a0}"
     "@media(prefers-color-scheme:dark){:root{--page:#11151b;--card:#191f27;--ink:#e5e9ef;"
     "--muted:#9da8b7;--rule:#323b48;--left:#6cb0f0;--right:#f58a4b;--trunk:#8d97a5;"
     "--still:#4a5361;--grf:#3fc8ae;--good:#56c785;--warn:#e0b14a;--bad:#ff7c74;--s2:#3fc8ae;"
     "--s3:#b794f0;--floor:#78828f}}",
     "*{box-sizing:border-box}body{margin:0;background:var(--page);color:var(--ink);"
     "font:15px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',sans-serif}"
     "main{max-width:1140px;margin:0 auto;padding:28px 20px 60px}"
     "h1{font-size:28px;margin:0;line-height:1.2;overflow-wrap:anywhere}"
     "h2{font-size:18px;margin:0 0 4px}header p{margin:4px 0 0;color:var(--muted)}"
     "section,figure{background:var(--card);border:1px solid var(--rule);border-radius:10px;"
     "padding:18px 20px;margin:18px 0 0}.note{margin:0 0 10px;color:var(--muted);max-width:75ch}"
     ".verdict{margin:18px 0 0;padding:14px 20px;border-radius:10px;border:1px "
     "solid;font-size:16px}"
     ".verdict b{font-size:17px}.verdict p{margin:4px 0 0}"
     ".good{color:var(--good)}.warn{color:var(--warn)}"
     ".bad{background:#b3211b;border-color:#b3211b;color:#fff}"
     ".tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(150px,1fr));gap:12px;"
     "margin:18px 0 0}.tile{background:var(--card);border:1px solid var(--rule);border-radius:10px;"
     "padding:12px 14px}.tile b{display:block;font-size:22px;font-weight:600;line-height:1.25;"
     "font-variant-numeric:tabular-nums}.tile small{font-size:14px;font-weight:400}"
     ".tile span{color:var(--muted);font-size:13px;line-height:1.3;display:block}",
     "table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:5px 10px 5px 0;"
     "border-bottom:1px solid "
     "var(--rule);font-weight:400;vertical-align:top;overflow-wrap:anywhere}"
     "thead th,tfoot th,tfoot td{color:var(--muted)}.num{text-align:right;white-space:nowrap;"
     "font-variant-numeric:tabular-nums}.cost td:nth-child(3){width:45%}"
     ".share{width:100%;height:12px;margin-top:5px}.share rect{fill:var(--left)}"
     ".broken{color:var(--bad);font-weight:600}"
     "code,pre{font:13px/1.45 ui-monospace,Menlo,Consolas,monospace}"
     "pre{overflow:auto;max-height:480px;background:var(--page);border:1px solid var(--rule);"
     "border-radius:8px;padding:12px}summary{cursor:pointer;margin:10px 0 0}"
     "figure{padding:18px 12px}figcaption{color:var(--muted);margin:10px 4px 0;text-align:center}"
     ".key{display:inline-block;width:12px;height:12px;border-radius:3px;vertical-align:-1px;"
     "margin:0 4px 0 10px}.key.left{background:var(--left)}.key.right{background:var(--right)}"
     ".key.grf{background:var(--grf)}.charts{display:flex;flex-wrap:wrap;gap:14px 10px}"
     "@media print{section,figure{break-inside:avoid}}",
     "svg{max-width:100%;height:auto;display:block}.strip{margin:0 auto}"
     "svg text{fill:var(--muted);font-size:12px;font-family:inherit}svg .head{fill:var(--ink);"
     "font-size:13px;font-weight:600}.tx,.lx{text-anchor:middle}.ty{text-anchor:end}"
     "svg .sup{font-size:9px}svg .phase{font-size:11px}"
     ".axis,.tick,.zero,.gridline,.half,.limit,.line{fill:none}.gridline{stroke:var(--rule)}"
     ".axis,.tick{stroke:var(--muted)}.zero{stroke:var(--trunk)}"
     ".half{stroke-dasharray:2 4;stroke:var(--trunk)}.limit{stroke:var(--bad);stroke-dasharray:6 4}"
     ".line{stroke-width:2;stroke-linejoin:round;stroke-linecap:round}"
     ".line.left,.line.s0{stroke:var(--left)}.line.right,.line.s1{stroke:var(--right)}"
     ".line.mid{stroke:var(--ink)}.line.other{stroke:var(--still);stroke-width:1.2}"
     ".line.s2{stroke:var(--s2)}.line.s3{stroke:var(--s3)}"
     ".note .s0{color:var(--left)}.note .s1{color:var(--right)}.note .s2{color:var(--s2)}"
     ".bar.left,.bar.s0{fill:var(--left)}.bar.right,.bar.s1{fill:var(--right)}"
     ".bar.mid{fill:var(--ink)}.bar.s2{fill:var(--s2)}.bar.s3{fill:var(--s3)}",
     ".gl{fill:var(--left);stroke:var(--left)}.gr{fill:var(--right);stroke:var(--right)}"
     ".gt{fill:var(--trunk);stroke:var(--trunk)}.gs{fill:var(--still);stroke:var(--still)}"
     ".limb{fill:none;stroke-linecap:round}"
     ".solid{stroke:var(--card);stroke-width:1}.limb.rim{stroke:var(--card)}"
     ".grf{stroke:var(--grf);stroke-width:1.8;fill:none}.grfhead{fill:var(--grf)}"
     ".floor{stroke:var(--floor);fill:none}.ground{fill:var(--rule)}",
     "h3{font-size:15px;margin:16px 0 6px}.mark{color:var(--warn);font-size:13px}"
     ".dots{fill:none;stroke:var(--trunk);stroke-width:3;stroke-linecap:round}"
     ".line.thin{stroke-width:1.5}.ring{fill:none;stroke:var(--trunk);stroke-width:1.5}"
     ".error{fill:none;stroke:var(--left);stroke-width:1.6}.found{fill:var(--left)}"
     ".found.lost{fill:var(--bad)}.void{fill:var(--rule)}svg .in{text-anchor:middle;"
     "fill:var(--ink)}svg .in.full{fill:var(--card)}.bar.outlier{fill:var(--bad)}"
     ".key.outlier{background:var(--bad)}.parameters td:last-child{width:300px}"
     ".channels th{white-space:nowrap}"
     ".wide{overflow-x:auto}@media(max-width:600px){main{padding:16px 8px "
     "40px}section{padding:14px "
     "10px}.wide th{overflow-wrap:normal}.wide table{min-width:560px}}"};

/* ---- verdict ---- */

/* "3.1 % of the weight", "31 times the weight" */
static void add_share(sal_text *out, double share)
{
    page_svg_number(out, share < 1 ? 100 * share : share, 3);
    sal_text_add(out, share < 1 ? " % of the weight" : " times the weight");
}

static void add_extreme(const sal_result *r, const prb_extreme *extreme, const char *unit,
                        sal_text *out)
{
    char name[PRB_COLUMN_NAME] = "";
    if (extreme->dof < 0) {
        return;
    }
    prb_column_name(name, r->model, PRB_COL_DOF, extreme->dof, "");
    page_svg_number(out, extreme->max, 3);
    page_svg_put(out, " $ on ", unit);
    page_html_text(out, name);
    sal_text_add(out, " at ");
    sal_text_real(out, extreme->time, 4);
    sal_text_add(out, " s");
}

/* "reach (tip z)" */
static void add_constraint_name(const prb_constraint_report *c, sal_text *out)
{
    page_html_text(out, c->name);
    if (c->what[0] != 0) {
        sal_text_add(out, " (");
        page_html_text(out, c->what);
        sal_text_add(out, ")");
    }
}

static void why_not_physical(const sal_result *r, sal_text *out)
{
    if (!(r->relative_to_weight <= r->physical_tolerance)) {
        sal_text_add(out,
                     "<p>The motion needs forces that neither an actuator nor a contact gives: ");
        add_extreme(r, &r->force, "N", out);
        sal_text_add(out, r->force.dof >= 0 && r->torque.dof >= 0 ? "; " : "");
        add_extreme(r, &r->torque, "N m", out);
        sal_text_add(out, "; ");
        add_share(out, r->relative_to_weight);
        sal_text_add(out, " (allowed ");
        sal_text_real(out, r->physical_tolerance, 2);
        sal_text_add(out, " of the weight).</p>");
    }
    for (int k = 0; k < r->nconstraint; k++) {
        const prb_constraint_report *c = r->constraint + k;
        if (!(c->violation <= c->tolerance)) {
            sal_text_add(out, "<p>");
            add_constraint_name(c, out);
            sal_text_add(out, " is violated by ");
            sal_text_real(out, c->violation, 3);
            page_svg_put(out, "$$ at ", c->unit[0] == 0 ? "" : " ", c->unit);
            sal_text_real(out, c->time, 4);
            sal_text_add(out, " s.</p>");
        }
    }
}

/* What it should have been: the diagnosis says what to do. */
static void add_unmet(const sal_result *r, sal_text *out)
{
    char verdict[PRB_VERDICT];
    if (r->judged && !r->as_asked) {
        prb_verdict(r, verdict);
        sal_text_add(out, "<p>It is ");
        page_html_text(out, verdict);
        sal_text_add(out, ": see the diagnosis.</p>");
    }
}

static void add_finished(const sal_result *r, sal_text *out)
{
    if (r->to_finish) {
        sal_text_add(out, r->finished
                              ? "<p>It is finished: physical in the model as its file has it, with "
                                "its own contacts and time step.</p>"
                              : "<p>It is not finished: physical with these contacts and steps, "
                                "not in the model as its file has it; see the diagnosis.</p>");
    }
}

static void add_verdict(const sal_result *r, sal_text *out)
{
    const bool physical = prb_result_is_physical(r);
    page_svg_put(out, "<div class=\"verdict $\" role=\"status\"><b>$",
                 !physical           ? "bad"
                 : r->exit_code == 0 ? "good"
                                     : "warn",
                 !physical                   ? "NOT PHYSICAL: "
                 : r->judged && !r->as_asked ? "Physical, but NOT AS ASKED: "
                 : r->judged                 ? "Physical, and as asked: "
                                             : "Physical: ");
    page_html_text(out, r->status);
    sal_text_add(out, "</b>");
    if (!physical) {
        sal_text_add(out, "<p>The model cannot move like this.</p>");
        why_not_physical(r, out);
    } else {
        sal_text_add(out, "<p>The model, driven by these controls, moves like this: all forces "
                          "come from actuators and contacts");
        if (prb_result_has_problem(r)) {
            sal_text_add(out, " (unactuated force, which no actuator can give: ");
            sal_text_real(out, r->relative_to_weight, 2);
            sal_text_add(out, " of the weight, allowed ");
            sal_text_real(out, r->physical_tolerance, 2);
            sal_text_add(out, ")");
        }
        sal_text_add(out, prb_result_is_solved(r)
                              ? ".</p>"
                              : ". But the search stopped before it had converged.</p>");
        add_unmet(r, out);
        add_finished(r, out);
    }
    sal_text_add(out, "</div>\n");
}

/* What stands out, most serious first; that which is only good to know folded away. */
static void add_diagnosis(const sal_result *r, sal_text *out)
{
    for (int serious = 1; serious >= 0; serious--) {
        int n = 0;
        for (int i = 0; i < r->nfinding; i++) {
            const sal_finding *f = r->finding + i;
            if ((f->level > 0) != (serious == 1)) {
                continue;
            }
            if (n++ == 0) {
                page_svg_put(out, "<section>$<ul>\n",
                             serious ? "<h2>Diagnosis</h2>"
                                     : "<details><summary>Good to know</summary>");
            }
            sal_text_add(out, "<li><b>");
            page_html_text(out, f->kind);
            sal_text_add(out, "</b>: ");
            page_html_text(out, f->text);
            sal_text_add(out, "</li>\n");
        }
        if (n > 0) {
            page_svg_put(out, "</ul>$</section>\n", serious ? "" : "</details>");
        }
    }
}

/* ---- key figures ---- */

static void add_tiles(const prb_gait *g, sal_text *out)
{
    const sal_result *r = g->r;
    const bool mirrored = g->n > r->nstep;
    sal_text_add(out, "<div class=\"tiles\">\n");
    page_report_tile(out, g->speed, 4, "m/s", "mean speed");
    page_report_tile(out, g->period, 4, "s",
                     r->boundary == PRB_OPEN ? "duration"
                     : mirrored              ? "period, both halves"
                                             : "period");
    page_report_tile(out, prb_result_has_problem(r) ? r->cost : (double)NAN, 4, "", "cost");
    page_report_tile(out,
                     prb_result_has_problem(r) || r->relative_to_weight > 0 ? r->relative_to_weight
                                                                            : (double)NAN,
                     2, "", "largest unactuated force, of the weight");
    page_report_tile(out, 1e3 * g->penetration, 3, "mm", "deepest penetration");
    page_report_tile(out, g->slip, 2, "m/s", "mean slip, weighted by load");
    page_report_tile(out, g->peak_load, 3, "\xC3\x97 weight", "highest load on the floor");
    page_report_tile(out, 100 * g->flight, 3, "%", "of the time in flight");
    page_report_tile(out, g->transport, 3, "", "mechanical cost of transport");
    page_report_tile(out, r->weight / 9.81, 4, "kg", "moving mass");
    if (r->optim.linearisations > 0) {
        page_report_tile(out, r->optim.linearisations, 6, "", "linearisations");
    }
    sal_text_add(out, "</div>\n");
}

/* ---- constraints and provenance ---- */

/* What a section of figures and limits begins with; `heads`: the columns before the figure. */
typedef struct ledger {
    const char *title, *kept, *heads, *found, *allowed;
    int n, broken;
} ledger;

static void begin_ledger(const ledger *l, sal_text *out)
{
    page_svg_put(out, "<section><h2>$</h2><details$><summary>", l->title,
                 l->broken > 0 ? " open=\"\"" : "");
    sal_text_format(out, "%d of %d %s</summary>", l->n - l->broken, l->n, l->kept);
    page_svg_put(out,
                 "<table><thead><tr>$<th class=\"num\">$</th><th class=\"num\">$</th><th "
                 "class=\"num\">at, s</th></tr></thead><tbody>\n",
                 l->heads, l->found, l->allowed);
}

/* The figures of a row, from behind its names on. */
static void end_row(bool met, double found, double allowed, const char *unit, double time,
                    sal_text *out)
{
    page_svg_put(out, "<td class=\"num$\">", met ? "" : " broken");
    page_svg_number(out, found, 3);
    sal_text_add(out, "</td><td class=\"num\">");
    page_svg_number(out, allowed, 3);
    page_svg_put(out, "$$", unit[0] == 0 ? "" : " ", unit);
    sal_text_add(out, "</td><td class=\"num\">");
    page_svg_number(out, time, 4);
    sal_text_add(out, "</td></tr>\n");
}

static void end_ledger(sal_text *out)
{
    sal_text_add(out, "</tbody></table></details></section>\n");
}

static void add_constraints(const sal_result *r, sal_text *out)
{
    ledger l = {.title = "Constraints",
                .kept = "kept",
                .heads = "<th>constraint</th>",
                .found = "largest violation",
                .allowed = "tolerance",
                .n = r->nconstraint};
    for (int k = 0; k < r->nconstraint; k++) {
        l.broken += !(r->constraint[k].violation <= r->constraint[k].tolerance);
    }
    if (l.n == 0) {
        return;
    }
    begin_ledger(&l, out);
    for (int k = 0; k < r->nconstraint; k++) {
        const prb_constraint_report *c = r->constraint + k;
        sal_text_add(out, "<tr><th scope=\"row\">");
        add_constraint_name(c, out);
        sal_text_add(out, "</th>");
        end_row(c->violation <= c->tolerance, c->violation, c->tolerance, c->unit, c->time, out);
    }
    end_ledger(out);
}

/* What the motion was judged by. */
static void add_requirements(const sal_result *r, sal_text *out)
{
    ledger l = {.title = "Requirements",
                .kept = "satisfied",
                .heads = "<th>requirement</th><th>where</th>",
                .found = "found",
                .allowed = "allowed",
                .n = r->nrequirement};
    for (int k = 0; k < r->nrequirement; k++) {
        l.broken += !prb_requirement_is_met(r->requirement + k);
    }
    if (l.n == 0) {
        return;
    }
    begin_ledger(&l, out);
    for (int k = 0; k < r->nrequirement; k++) {
        const prb_requirement_report *q = r->requirement + k;
        sal_text_add(out, "<tr><th scope=\"row\">");
        page_html_text(out, q->name);
        sal_text_add(out, "</th><td>");
        page_html_text(out, q->what);
        sal_text_add(out, "</td>");
        end_row(prb_requirement_is_met(q), q->found, q->allowed, q->unit, q->time, out);
    }
    end_ledger(out);
}

static void add_fact(sal_text *out, const char *what, const char *value)
{
    if (value[0] == 0) {
        return;
    }
    page_svg_put(out, "<tr><th scope=\"row\">$</th><td><code>", what);
    page_html_text(out, value);
    sal_text_add(out, "</code></td></tr>\n");
}

static void add_source(sal_text *out, const char *what, const char *xml)
{
    if (xml[0] == 0) {
        return;
    }
    page_svg_put(out, "<details><summary>$</summary><pre>", what);
    page_html_text(out, xml);
    sal_text_add(out, "</pre></details>\n");
}

static void add_provenance(const sal_result *r, sal_text *out)
{
    char text[128];
    sal_text_add(out, "<section><h2>Provenance</h2><table><tbody>\n");
    snprintf(text, sizeof text, "saltus %s (%s)", r->version, r->git);
    add_fact(out, "made by", text);
    snprintf(text, sizeof text, "%lu (start %d)", r->seed, r->start);
    add_fact(out, "seed", prb_result_has_problem(r) ? text : "");
    snprintf(text, sizeof text, "MuJoCo %s", sal_mujoco_name(r->mujoco));
    add_fact(out, "mechanics", text);
    add_fact(out, "contact model", sal_contact_model_name(r->contact.model));
    if (r->contact.model == SAL_CONTACT_SOFT) {
        add_fact(out, "final contact", r->contact_table ? "smoothing table" : "the model's own");
    }
    add_fact(out, "problem, SHA-256", r->sha256_problem);
    add_fact(out, "model, SHA-256", r->sha256_model);
    sal_text_add(out, "</tbody></table>\n");
    add_source(out, "the problem as solved", r->problem_xml);
    add_source(out, "the model that replays this motion", r->model_xml);
    sal_text_add(out, "</section>\n");
}

/* ---- the page ---- */

void page_report_head(sal_text *out, const char *title, const char *script, const char *other)
{
    sal_text_add(out, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>");
    page_policy(out, (const char *const[2]){script, other});
    sal_text_add(out, "<meta name=\"viewport\" "
                      "content=\"width=device-width,initial-scale=1\"/><title>");
    page_html_text(out, title);
    sal_text_add(out, " \xC2\xB7 saltus</title><style>");
    for (size_t i = 0; i < sizeof style_sheet / sizeof style_sheet[0]; i++) {
        sal_text_add(out, style_sheet[i]);
    }
}

void page_report_strip_style(sal_text *out)
{
    sal_text_add(out, style_sheet[STYLE_COLOURS]);
    sal_text_add(out, "text{fill:var(--muted);font:12px system-ui,sans-serif;text-anchor:middle}");
    sal_text_add(out, style_sheet[STYLE_STRIP]);
}

static void add_head(const prb_gait *g, const char *script, sal_text *out)
{
    const sal_result *r = g->r;
    const char *name = r->problem_name[0] == 0 ? "a motion" : r->problem_name;
    page_report_head(out, name, script, NULL);
    sal_text_add(out, "</style></head>\n<body><main><header><h1>");
    page_html_text(out, name);
    sal_text_add(out, "</h1><p>");
    if (sal_identification_of(r) != NULL) {
        page_report_identification_subtitle(r, out);
        sal_text_add(out, "</p></header>\n");
        return;
    }
    sal_text_add(out, r->boundary == PRB_OPEN ? "an open motion"
                      : g->n > r->nstep ? "half of a cycle whose other half is its mirror image"
                                        : "one period of a cycle");
    page_svg_put(out, ", % steps of ", (double)r->nstep);
    sal_text_real(out, 1e3 * r->timestep, 4);
    sal_text_add(out, " ms</p></header>\n");
}

/* The motion that was searched. */
static sal_status add_motion(const prb_gait *g, const sal_result *measured, bool plays,
                             sal_text *out, sal_err *err)
{
    const page_strip_look look = {.tallest = 270, .most = 11};
    add_verdict(g->r, out);
    add_diagnosis(g->r, out);
    add_tiles(g, out);
    sal_status status = page_report_plates(g->r, measured, out, err);
    status = status == SAL_OK ? page_report_recorded(g->r, out, err) : status;
    if (plays) {
        page_player_section(out);
    }
    status = status == SAL_OK ? page_report_strip(g, &look, out, err) : status;
    status = status == SAL_OK ? page_report_contacts(g, out, err) : status;
    status = status == SAL_OK ? page_report_controls(g, false, out, err) : status;
    status = status == SAL_OK ? page_report_torques(g, false, out, err) : status;
    status = status == SAL_OK ? page_report_joints(g, false, out, err) : status;
    if (status == SAL_OK) {
        page_report_cost(g->r, out);
    }
    return status;
}

/* What was identified; the motion drawn is that of the first recording. */
static sal_status add_identification(const prb_gait *g, bool plays, sal_text *out, sal_err *err)
{
    const page_strip_look look = {.tallest = 270, .most = 11};
    const sal_identification_result *e = sal_identification_of(g->r);
    page_report_identification_verdict(g->r, out);
    page_report_identification_tiles(g->r, out);
    page_report_parameters(e, out);
    page_report_findings(e, out);
    add_diagnosis(g->r, out);
    page_report_correlations(e, out);
    page_report_channels(e, out);
    sal_status status = page_report_recordings(g->r, false, out, err);
    page_report_drawn(e, out);
    if (plays) {
        page_player_section(out);
    }
    status = status == SAL_OK ? page_report_strip(g, &look, out, err) : status;
    return status == SAL_OK ? page_report_contacts(g, out, err) : status;
}

bool sal_report_plays(void)
{
    return page_player_script != NULL;
}

sal_status sal_result_report(const sal_result *result, const sal_report_options *options,
                             sal_text *out, sal_err *err)
{
    const bool plays = !options->still && sal_report_plays();
    const bool identified = sal_identification_of(result) != NULL;
    prb_gait *g = NULL;
    sal_status status = prb_gait_new(&g, result, err);
    if (status != SAL_OK) {
        return status;
    }
    add_head(g, plays ? page_player_script : NULL, out);
    status = identified ? add_identification(g, plays, out, err)
                        : add_motion(g, options->measured, plays, out, err);
    if (status == SAL_OK) {
        status = page_report_iterations(result, false, out, err);
    }
    if (!identified) {
        add_requirements(result, out);
        add_constraints(result, out);
    }
    add_provenance(result, out);
    sal_text_add(out, "</main>\n");
    if (status == SAL_OK && plays) {
        status = page_player_data((const prb_gait *const[]){g}, 1, out, err);
    }
    sal_text_add(out, "</body></html>\n");
    prb_gait_free(g);
    if (status == SAL_OK && out->failed) {
        status = sal_fail(err, SAL_NOMEM, "out of memory for a page");
    }
    return status;
}
