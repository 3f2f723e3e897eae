/* report_plots.c: what a motion does over its cycle, and how it was found, as small charts. Left
 * and right share a chart. */
#include "pages/report.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SMALL_WIDTH = 252, SMALL_HEIGHT = 150, WIDE = 520, TALL = 230 };

/* ---- names without their side ---- */

static bool drop_word(char *name, const char *word)
{
    const char *found = prb_gait_word(name, word);
    if (found != NULL) {
        char *at = name + (found - name);
        memmove(at, at + strlen(word), strlen(at + strlen(word)) + 1);
    }
    return found != NULL;
}

void page_stem(char stem[PRB_COLUMN_NAME], const sal_model *m, sal_object type, int id)
{
    prb_object_name(stem, m, type, id);
    if (prb_gait_side(m, type, id) == 0) {
        return;
    }
    if (!drop_word(stem, "left") && !drop_word(stem, "right")) {
        const size_t n = strlen(stem);
        if (n > 2 && stem[1] == '_') {
            memmove(stem, stem + 2, n - 1);
        } else if (n > 2 && stem[n - 2] == '_') {
            stem[n - 2] = 0;
        }
    }
    size_t n = strlen(stem), first = strspn(stem, "_-. ");
    while (n > first && strchr("_-. ", stem[n - 1]) != NULL) {
        stem[--n] = 0;
    }
    memmove(stem, stem + first, strlen(stem + first) + 1);
}

/* The first object of another side with the same stem, or -1. */
static int other_side(const sal_model *m, sal_object type, int id, int n)
{
    char stem[PRB_COLUMN_NAME], candidate[PRB_COLUMN_NAME];
    const int side = prb_gait_side(m, type, id);
    page_stem(stem, m, type, id);
    for (int k = 0; k < n && side != 0; k++) {
        page_stem(candidate, m, type, k);
        if (prb_gait_side(m, type, k) == -side && strcmp(stem, candidate) == 0) {
            return k;
        }
    }
    return -1;
}

static const char *style_of(const sal_model *m, sal_object type, int id)
{
    const int side = prb_gait_side(m, type, id);
    return side > 0 ? "left" : side < 0 ? "right" : "mid";
}

/* ---- strided lines: x over time, one number of each row ---- */

typedef struct trace {
    const double *data;
    int n, stride;
    double *column; /* [n] scratch, shared */
} trace;

static const double *trace_column(const trace *t, int i)
{
    for (int k = 0; k < t->n; k++) {
        t->column[k] = t->data[k * t->stride + i];
    }
    return t->column;
}

static void section_begin(sal_text *out, const char *heading, const char *note)
{
    page_svg_put(out, "<section><h2>$</h2><p class=\"note\">$</p><div class=\"charts\">\n", heading,
                 note);
}

static void section_end(sal_text *out)
{
    sal_text_add(out, "</div></section>\n");
}

static page_chart small_chart(const prb_gait *g, sal_text *out, const char *title,
                              const char *label)
{
    return (page_chart){.out = out,
                        .title = title,
                        .xlabel = "time, s",
                        .ylabel = label,
                        .width = SMALL_WIDTH,
                        .height = SMALL_HEIGHT,
                        .x0 = 0,
                        .x1 = g->period,
                        .y0 = (double)INFINITY,
                        .y1 = -(double)INFINITY};
}

static void mark_half(const prb_gait *g, page_chart *c)
{
    if (g->n > g->r->nstep) {
        page_chart_upright(c, g->r->nstep * g->r->timestep, "half");
    }
}

/* ---- controls ---- */

static void control_chart(const prb_gait *g, const trace *ctrl, int a, int other, sal_text *out)
{
    const sal_model *m = g->r->model;
    char stem[PRB_COLUMN_NAME];
    page_stem(stem, m, SAL_OBJ_ACTUATOR, a);
    page_chart c = small_chart(g, out, stem, "ctrl");
    for (int k = 0; k < 2; k++) {
        const int id = k == 0 ? a : other;
        if (id >= 0) {
            page_chart_extend(&c.y0, &c.y1, ctrl->data + id, ctrl->n, ctrl->stride);
            if (m->actuator_ctrllimited[id]) {
                page_chart_extend(&c.y0, &c.y1, m->actuator_ctrlrange + 2 * id, 2, 1);
            }
        }
    }
    page_chart_begin(&c);
    mark_half(g, &c);
    for (int k = 1; k >= 0; k--) {
        const int id = k == 0 ? a : other;
        if (id >= 0) {
            for (int side = 0; side < 2 && m->actuator_ctrllimited[id]; side++) {
                page_chart_level(&c, m->actuator_ctrlrange[2 * id + side], "limit");
            }
            page_chart_line(&c, g->time, trace_column(ctrl, id), ctrl->n,
                            style_of(m, SAL_OBJ_ACTUATOR, id));
        }
    }
    page_chart_end(&c);
}

static void report_controls(const prb_gait *g, const trace *ctrl, sal_text *out)
{
    const sal_model *m = g->r->model;
    if (m->nu == 0) {
        return;
    }
    section_begin(out, "Controls",
                  "Inputs of the actuators, in their own units; dashed: their ranges. Each "
                  "control is constant until the next sample.");
    for (int a = 0; a < m->nu; a++) {
        const int other = other_side(m, SAL_OBJ_ACTUATOR, a, m->nu);
        if (other < 0 || other > a) {
            control_chart(g, ctrl, a, other, out);
        }
    }
    section_end(out);
}

/* ---- joints ---- */

static void limit_levels(const sal_model *m, int joint, page_chart *c)
{
    for (int side = 0; side < 2 && m->jnt_limited[joint]; side++) {
        page_chart_level(c, m->jnt_range[2 * joint + side], "limit");
    }
}

/* Travel is taken out of the joint that travels: what remains repeats. */
static const double *joint_column(const prb_gait *g, const trace *qpos, int joint)
{
    const int adr = g->r->model->jnt_qposadr[joint];
    trace_column(qpos, adr);
    if (g->r->image != NULL) {
        const double rate = g->r->image->travel[adr] * g->length / g->r->nstep;
        for (int t = 0; t < qpos->n; t++) {
            qpos->column[t] -= t * rate;
        }
    }
    return qpos->column;
}

static void joint_chart(const prb_gait *g, const trace *qpos, int joint, int other, sal_text *out)
{
    const sal_model *m = g->r->model;
    const bool slide = m->jnt_type[joint] == SAL_JNT_SLIDE;
    const bool travels = g->r->image != NULL && g->r->image->travel[m->jnt_qposadr[joint]] != 0;
    char title[2 * PRB_COLUMN_NAME], stem[PRB_COLUMN_NAME];
    page_stem(stem, m, SAL_OBJ_JOINT, joint);
    snprintf(title, sizeof title, "%s%s", stem, travels ? " \xE2\x88\x92 mean travel" : "");
    page_chart c = small_chart(g, out, title, slide ? "m" : "rad");
    for (int k = 0; k < 2; k++) {
        const int id = k == 0 ? joint : other;
        if (id >= 0) {
            page_chart_extend(&c.y0, &c.y1, joint_column(g, qpos, id), qpos->n, 1);
        }
    }
    page_chart_begin(&c);
    mark_half(g, &c);
    limit_levels(m, joint, &c);
    for (int k = 1; k >= 0; k--) {
        const int id = k == 0 ? joint : other;
        if (id >= 0) {
            page_chart_line(&c, g->time, joint_column(g, qpos, id), qpos->n,
                            style_of(m, SAL_OBJ_JOINT, id));
        }
    }
    page_chart_end(&c);
}

/* Component k of a ball's or free joint's rotation vector, or of a free joint's position without
 * the mean travel. */
static const double *vector_column(const prb_gait *g, const trace *qpos, int adr, bool rotation,
                                   int k)
{
    for (int t = 0; t < qpos->n; t++) {
        const double *q = qpos->data + t * qpos->stride + adr;
        double w[3];
        if (rotation) {
            sal_quat_log(w, q);
        } else {
            sal_v3_addscaled(w, q, -(double)t / g->r->nstep, g->r->travel);
        }
        qpos->column[t] = w[k];
    }
    return qpos->column;
}

static void vector_chart(const prb_gait *g, const trace *qpos, int joint, bool rotation,
                         sal_text *out)
{
    static const char *const style[3] = {"s0", "s1", "s2"};
    const sal_model *m = g->r->model;
    const bool behind = rotation && m->jnt_type[joint] == SAL_JNT_FREE;
    const int adr = m->jnt_qposadr[joint] + (behind ? 3 : 0);
    char title[2 * PRB_COLUMN_NAME], name[PRB_COLUMN_NAME];
    prb_object_name(name, m, SAL_OBJ_JOINT, joint);
    snprintf(title, sizeof title, "%s %s: x, y, z", name, rotation ? "rotation" : "position");
    page_chart c = small_chart(g, out, title, rotation ? "rad" : "m");
    for (int k = 0; k < 3; k++) {
        page_chart_extend(&c.y0, &c.y1, vector_column(g, qpos, adr, rotation, k), qpos->n, 1);
    }
    page_chart_begin(&c);
    mark_half(g, &c);
    for (int k = 0; k < 3; k++) {
        page_chart_line(&c, g->time, vector_column(g, qpos, adr, rotation, k), qpos->n, style[k]);
    }
    page_chart_end(&c);
}

static void report_joints(const prb_gait *g, const trace *qpos, sal_text *out)
{
    const sal_model *m = g->r->model;
    section_begin(
        out, "Joints",
        "Positions and angles; dashed: limits. Positions without the mean travel; rotations "
        "of free and ball joints as rotation vectors (<span class=\"s0\">x</span>, "
        "<span class=\"s1\">y</span>, <span class=\"s2\">z</span>).");
    for (int j = 0; j < m->njnt; j++) {
        const int other = other_side(m, SAL_OBJ_JOINT, j, m->njnt), type = m->jnt_type[j];
        const bool scalar = type == SAL_JNT_HINGE || type == SAL_JNT_SLIDE;
        if (type == SAL_JNT_FREE) {
            vector_chart(g, qpos, j, false, out);
        }
        if (!scalar) {
            vector_chart(g, qpos, j, true, out);
        } else if (other < 0 || other > j || m->jnt_type[other] != type) {
            joint_chart(g, qpos, j, other, out);
        }
    }
    section_end(out);
}

sal_status page_report_motion(const prb_gait *g, sal_text *out, sal_err *err)
{
    double *scratch = sal_alloc((size_t)g->n + 1, sizeof(double));
    if (scratch == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the charts of a page");
    }
    const trace ctrl = {g->ctrl, g->n, g->r->model->nu, scratch},
                qpos = {g->qpos, g->n + 1, g->r->model->nq, scratch};
    report_controls(g, &ctrl, out);
    report_joints(g, &qpos, out);
    sal_free(scratch);
    return SAL_OK;
}

/* ---- contacts ---- */

static const char *const group_style[] = {"s0", "s1", "s2", "s3"};

static const char *style_of_group(const prb_gait *g, int k)
{
    const char *style = style_of(g->r->model, SAL_OBJ_BODY, g->group[k].body);
    return strcmp(style, "mid") == 0 && g->ngroup > 1 ? group_style[k % 4] : style;
}

static void force_chart(const prb_gait *g, sal_text *out)
{
    page_chart c = small_chart(g, out, "Normal force", "body weights");
    c.width = WIDE, c.height = TALL;
    c.y0 = 0;
    for (int k = 0; k < g->ngroup; k++) {
        for (int t = 0; t < g->n; t++) {
            c.y1 = fmax(c.y1, g->group[k].normal[t] / g->r->weight);
        }
    }
    page_chart_begin(&c);
    mark_half(g, &c);
    page_chart_level(&c, 1, "limit");
    for (int k = 0; k < g->ngroup; k++) {
        bool pen = false;
        page_svg_put(out, "<path class=\"line $\" d=\"", style_of_group(g, k));
        for (int t = 0; t < g->n; t++) {
            page_svg_put(out, "$% %", pen ? "L" : "M", page_chart_x(&c, g->time[t]),
                         page_chart_y(&c, g->group[k].normal[t] / g->r->weight));
            pen = true;
        }
        sal_text_add(out, "\"/>");
    }
    page_chart_end(&c);
}

/* A row for each group: a bar while it carries more than a hundredth of the weight, darker the
 * more. */
static void timing_diagram(const prb_gait *g, sal_text *out)
{
    const double left = 120, right = WIDE - 64, pitch = 30, top = 30,
                 height = top + g->ngroup * pitch + 34, unit = (right - left) / g->n;
    page_svg_put(out,
                 "<svg class=\"chart\" viewBox=\"0 0 % %\" width=\"%\" height=\"%\" "
                 "role=\"img\"><title>contact timing</title><text x=\"%\" y=\"16\" "
                 "class=\"head\">Contact timing</text>",
                 (double)WIDE, height, (double)WIDE, height, left);
    for (int k = 0; k < g->ngroup; k++) {
        const double y = top + k * pitch;
        int loaded = 0;
        page_svg_put(out, "<text x=\"%\" y=\"%\" class=\"ty\">", left - 8, y + 15);
        page_html_text(out, g->group[k].name);
        page_svg_put(out, "</text><path class=\"gridline\" d=\"M% %H%\"/>", left, y + 11, right);
        for (int t = 0; t < g->n; t++) {
            const double load = g->group[k].normal[t] / g->r->weight;
            if (load > 0.01) {
                loaded++;
                page_svg_put(out,
                             "<rect class=\"bar $\" x=\"%\" y=\"%\" width=\"%\" height=\"20\" "
                             "fill-opacity=\"%\"/>",
                             style_of_group(g, k), left + t * unit, y + 1, unit + 0.3,
                             fmin(1, 0.3 + 0.7 * load));
            }
        }
        page_svg_put(out, "<text x=\"%\" y=\"%\" class=\"te\">", right + 8, y + 15);
        sal_text_real(out, round(100.0 * loaded / g->n), 3);
        sal_text_add(out, " %</text>");
    }
    const double bottom = top + g->ngroup * pitch;
    page_svg_put(out, "<path class=\"axis\" d=\"M% %H%\"/>", left, bottom, right);
    for (int k = 0; k <= 4; k++) {
        page_svg_put(out, "<text x=\"%\" y=\"%\" class=\"tx\">", left + k * (right - left) / 4,
                     bottom + 15);
        sal_text_real(out, round(k * g->period / 4 * 1e3) / 1e3, 4);
        sal_text_add(out, "</text>");
    }
    page_svg_put(out, "<text x=\"%\" y=\"%\" class=\"lx\">time, s</text></svg>\n",
                 0.5 * (left + right), bottom + 31);
}

void page_report_contacts(const prb_gait *g, sal_text *out)
{
    if (g->ngroup == 0) {
        return;
    }
    section_begin(
        out, "Contacts",
        "Above: sum of the normal forces of all contacts of a body, in body weights (dashed: "
        "one). Below: when each body carries more than 1 % of the weight.");
    force_chart(g, out);
    timing_diagram(g, out);
    section_end(out);
}

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

static void phase_marks(const sal_result *r, page_chart *c)
{
    const char *phase = "";
    double last = -1e9;
    for (int k = 0; k < r->niteration; k++) {
        const prb_iteration *i = r->iteration + k;
        if (i->start != r->start || strcmp(i->phase, phase) == 0) {
            continue;
        }
        phase = i->phase;
        const double x = page_chart_x(c, i->linearisation);
        page_chart_upright(c, i->linearisation, "half");
        last = fmax(x, last + 11);
        page_svg_put(c->out, "<text class=\"phase\" transform=\"translate(%,%) rotate(90)\">",
                     last + 3, c->top + 4);
        page_html_text(c->out, phase);
        sal_text_add(c->out, "</text>");
    }
}

static void iteration_chart(const sal_result *r, quantity what, double *x, double *y, sal_text *out)
{
    page_chart c = {.out = out,
                    .title = what == COST ? "Cost" : "Violation of the constraints",
                    .xlabel = "linearisations",
                    .ylabel = what == COST ? "cost" : "in units of the tolerance",
                    .width = WIDE,
                    .height = TALL,
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

sal_status page_report_iterations(const sal_result *r, sal_text *out, sal_err *err)
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
        section_begin(
            out, "How it was found",
            !motion
                ? "Cost over the linearisations; each stage minimises a different cost."
                : "Cost of the terms, and the largest violation of a constraint in units of its "
                  "tolerance (dashed: 1; below it, all constraints are satisfied), over the "
                  "linearisations of the best start; other starts in pale lines. The contact "
                  "becomes stiffer from left to right.");
        iteration_chart(r, COST, x, y, out);
        if (motion) {
            iteration_chart(r, VIOLATION, x, y, out);
        }
        section_end(out);
    }
    sal_free(x);
    sal_free(y);
    return SAL_OK;
}
