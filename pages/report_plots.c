/* report_plots.c: what a motion does over its cycle, as small charts. Left and right share a
 * chart. */
#include "pages/report.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { SMALL_WIDTH = 252, SMALL_HEIGHT = 150, WIDE = 520, TALL = 230, MOST_BARS = 350 };
/* Of the weight: a group that carries more is loaded. */
static const double LOADED = 0.01;

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

static page_chart small_chart(const prb_gait *g, bool print, sal_text *out, const char *title,
                              const char *label)
{
    return (page_chart){.out = out,
                        .print = print,
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

/* ---- a pair in one chart: an object, and the one of the other side, or -1 ---- */

static bool is_mirrored(const prb_gait *g)
{
    return g->n > g->r->nstep;
}

/* What the lines of a pair are, and the level lines of its limits where it has some. */
static void key_pair(const prb_gait *g, sal_object type, int id, int other, const char *limit,
                     page_chart *c)
{
    for (int side = 1; side >= -1; side -= 2) {
        const bool there = prb_gait_side(g->r->model, type, id) == side ||
                           (other >= 0 && prb_gait_side(g->r->model, type, other) == side);
        if (there) {
            page_chart_key(c, side > 0 ? "left" : "right", side > 0 ? "left" : "right");
        }
    }
    if (limit != NULL) {
        page_chart_key(c, "limit", limit);
    }
    if (is_mirrored(g)) {
        page_chart_key(c, "half", "half cycle");
    }
}

static void mark_half(const prb_gait *g, page_chart *c)
{
    if (is_mirrored(g)) {
        page_chart_upright(c, g->r->nstep * g->r->timestep, "half");
    }
}

/* ---- controls ---- */

static void control_chart(const prb_gait *g, const trace *ctrl, int a, int other, bool print,
                          sal_text *out)
{
    const sal_model *m = g->r->model;
    char stem[PRB_COLUMN_NAME];
    page_stem(stem, m, SAL_OBJ_ACTUATOR, a);
    page_chart c = small_chart(g, print, out, stem, "control");
    key_pair(g, SAL_OBJ_ACTUATOR, a, other, m->actuator_ctrllimited[a] ? "range" : NULL, &c);
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

static void put_controls(const prb_gait *g, const trace *ctrl, bool print, sal_text *out)
{
    const sal_model *m = g->r->model;
    page_section_begin(out, "Controls",
                       "Inputs of the actuators, in their own units; dashed: their ranges. Each "
                       "control is constant until the next sample.");
    for (int a = 0; a < m->nu; a++) {
        const int other = other_side(m, SAL_OBJ_ACTUATOR, a, m->nu);
        if (other < 0 || other > a) {
            control_chart(g, ctrl, a, other, print, out);
        }
    }
    page_section_end(out);
}

/* ---- joints ---- */

static void limit_levels(const sal_model *m, int joint, page_chart *c)
{
    for (int side = 0; side < 2 && m->jnt_limited[joint]; side++) {
        page_chart_level(c, m->jnt_range[2 * joint + side], "limit");
    }
}

/* Is a limit in the range that the chart will show, or hardly outside? */
static bool limit_is_near(const sal_model *m, int joint, page_chart *c)
{
    const double *range = m->jnt_range + 2 * joint, room = 0.1 * (c->y1 - c->y0);
    bool near = false;
    for (int side = 0; side < 2 && m->jnt_limited[joint]; side++) {
        if (range[side] >= c->y0 - room && range[side] <= c->y1 + room) {
            page_chart_extend(&c->y0, &c->y1, range + side, 1, 1);
            near = true;
        }
    }
    return near;
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

static void joint_chart(const prb_gait *g, const trace *qpos, int joint, int other, bool print,
                        sal_text *out)
{
    const sal_model *m = g->r->model;
    const bool slide = m->jnt_type[joint] == SAL_JNT_SLIDE;
    const bool travels = g->r->image != NULL && g->r->image->travel[m->jnt_qposadr[joint]] != 0;
    char title[2 * PRB_COLUMN_NAME], stem[PRB_COLUMN_NAME];
    page_stem(stem, m, SAL_OBJ_JOINT, joint);
    snprintf(title, sizeof title, "%s%s", stem, travels ? " \xE2\x88\x92 mean travel" : "");
    page_chart c = small_chart(g, print, out, title, slide ? "position, m" : "angle, rad");
    for (int k = 0; k < 2; k++) {
        const int id = k == 0 ? joint : other;
        if (id >= 0) {
            page_chart_extend(&c.y0, &c.y1, joint_column(g, qpos, id), qpos->n, 1);
        }
    }
    key_pair(g, SAL_OBJ_JOINT, joint, other, limit_is_near(m, joint, &c) ? "limit" : NULL, &c);
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

static void vector_chart(const prb_gait *g, const trace *qpos, int joint, bool rotation, bool print,
                         sal_text *out)
{
    static const char *const style[3] = {"s0", "s1", "s2"};
    static const char *const axis[3] = {"x", "y", "z"};
    const sal_model *m = g->r->model;
    const bool behind = rotation && m->jnt_type[joint] == SAL_JNT_FREE;
    const int adr = m->jnt_qposadr[joint] + (behind ? 3 : 0);
    char title[2 * PRB_COLUMN_NAME], name[PRB_COLUMN_NAME];
    prb_object_name(name, m, SAL_OBJ_JOINT, joint);
    snprintf(title, sizeof title, "%s %s: x, y, z", name, rotation ? "rotation" : "position");
    page_chart c =
        small_chart(g, print, out, title, rotation ? "rotation vector, rad" : "position, m");
    for (int k = 0; k < 3; k++) {
        page_chart_key(&c, style[k], axis[k]);
        page_chart_extend(&c.y0, &c.y1, vector_column(g, qpos, adr, rotation, k), qpos->n, 1);
    }
    page_chart_begin(&c);
    mark_half(g, &c);
    for (int k = 0; k < 3; k++) {
        page_chart_line(&c, g->time, vector_column(g, qpos, adr, rotation, k), qpos->n, style[k]);
    }
    page_chart_end(&c);
}

static void put_joints(const prb_gait *g, const trace *qpos, bool print, sal_text *out)
{
    const sal_model *m = g->r->model;
    page_section_begin(
        out, "Joints",
        "Positions and angles; dashed: limits. Positions without the mean travel; rotations "
        "of free and ball joints as rotation vectors (<span class=\"s0\">x</span>, "
        "<span class=\"s1\">y</span>, <span class=\"s2\">z</span>).");
    for (int j = 0; j < m->njnt; j++) {
        const int other = other_side(m, SAL_OBJ_JOINT, j, m->njnt), type = m->jnt_type[j];
        const bool scalar = type == SAL_JNT_HINGE || type == SAL_JNT_SLIDE;
        if (type == SAL_JNT_FREE) {
            vector_chart(g, qpos, j, false, print, out);
        }
        if (!scalar) {
            vector_chart(g, qpos, j, true, print, out);
        } else if (other < 0 || other > j || m->jnt_type[other] != type) {
            joint_chart(g, qpos, j, other, print, out);
        }
    }
    page_section_end(out);
}

/* ---- torques ---- */

/* What the actuators exert at a dof; the other half of a mirrored cycle is the image of the
 * first. */
static const double *torque_column(const prb_gait *g, int dof, const trace *t)
{
    const sal_result *r = g->r;
    for (int k = 0; k < g->n; k++) {
        t->column[k] =
            k < r->nstep
                ? r->qfrc_actuator[k * t->stride + dof]
                : r->image->dof_sign[dof] *
                      r->qfrc_actuator[(k - r->nstep) * t->stride + r->image->dof_index[dof]];
    }
    return t->column;
}

/* The only actuator of a joint, or -1: none, several, or one through something else. */
static int only_actuator(const sal_model *m, int joint)
{
    int found = -1;
    for (int a = 0; a < m->nu; a++) {
        if (m->actuator_trntype[a] != SAL_TRN_JOINT) {
            return -1;
        }
        if (m->actuator_trnid[a] == joint) {
            if (found >= 0) {
                return -1;
            }
            found = a;
        }
    }
    return found;
}

/* Of what the actuators can exert at a joint: the joint's own; else forcerange of its actuator, or
 * ctrlrange of a motor, times gear. */
static bool torque_range(const sal_model *m, int joint, double range[2])
{
    const int a = only_actuator(m, joint);
    const double *limit = NULL;
    double scale = 1;
    if (m->jnt_actfrclimited[joint]) {
        limit = m->jnt_actfrcrange + 2 * joint;
    } else if (a >= 0) {
        const bool motor = m->actuator_gaintype[a] == SAL_GAIN_FIXED &&
                           m->actuator_biastype[a] == SAL_BIAS_NONE &&
                           m->actuator_dyntype[a] == SAL_DYN_NONE;
        scale = m->actuator_gear[6 * a];
        if (m->actuator_forcelimited[a]) {
            limit = m->actuator_forcerange + 2 * a;
        } else if (motor && m->actuator_ctrllimited[a]) {
            limit = m->actuator_ctrlrange + 2 * a;
            scale *= m->actuator_gainprm[10 * a];
        }
    }
    for (int side = 0; side < 2 && limit != NULL; side++) {
        range[side] = scale * limit[side];
    }
    return limit != NULL;
}

static void torque_chart(const prb_gait *g, const trace *t, int joint, int other, bool print,
                         sal_text *out)
{
    const sal_model *m = g->r->model;
    char stem[PRB_COLUMN_NAME];
    double range[2];
    const bool limited = torque_range(m, joint, range);
    page_stem(stem, m, SAL_OBJ_JOINT, joint);
    page_chart c = small_chart(g, print, out, stem,
                               m->jnt_type[joint] == SAL_JNT_SLIDE ? "force, N" : "torque, N m");
    for (int k = 0; k < 2; k++) {
        if ((k == 0 ? joint : other) >= 0) {
            page_chart_extend(&c.y0, &c.y1,
                              torque_column(g, m->jnt_dofadr[k == 0 ? joint : other], t), t->n, 1);
        }
    }
    if (limited) {
        page_chart_extend(&c.y0, &c.y1, range, 2, 1);
    }
    key_pair(g, SAL_OBJ_JOINT, joint, other, limited ? "limit" : NULL, &c);
    page_chart_begin(&c);
    mark_half(g, &c);
    for (int side = 0; side < 2 && limited; side++) {
        page_chart_level(&c, range[side], "limit");
    }
    for (int k = 1; k >= 0; k--) {
        const int id = k == 0 ? joint : other;
        if (id >= 0) {
            page_chart_line(&c, g->time, torque_column(g, m->jnt_dofadr[id], t), t->n,
                            style_of(m, SAL_OBJ_JOINT, id));
        }
    }
    page_chart_end(&c);
}

/* Does an actuator push or turn this hinge or slide, at any time? */
static bool is_driven(const prb_gait *g, int joint)
{
    const sal_model *m = g->r->model;
    bool driven = false;
    for (int t = 0; t < g->r->nstep; t++) {
        const double torque = g->r->qfrc_actuator[t * m->nv + m->jnt_dofadr[joint]];
        driven = driven || (isfinite(torque) && torque != 0);
    }
    return driven && (m->jnt_type[joint] == SAL_JNT_HINGE || m->jnt_type[joint] == SAL_JNT_SLIDE);
}

static void put_torques(const prb_gait *g, const trace *t, bool print, sal_text *out)
{
    const sal_model *m = g->r->model;
    int n = 0;
    for (int j = 0; j < m->njnt; j++) {
        const int other = other_side(m, SAL_OBJ_JOINT, j, m->njnt);
        const bool pair = other >= 0 && m->jnt_type[other] == m->jnt_type[j];
        if ((pair && other < j) || (!is_driven(g, j) && !(pair && is_driven(g, other)))) {
            continue;
        }
        if (n++ == 0) {
            page_section_begin(
                out, "Torques",
                "Forces and torques of the actuators at the joints; dashed: limits.");
        }
        torque_chart(g, t, j, pair ? other : -1, print, out);
    }
    if (n > 0) {
        page_section_end(out);
    }
}

/* ---- with a column of memory ---- */

typedef void trace_drawing(const prb_gait *, const trace *, bool print, sal_text *);

static sal_status draw_traces(const prb_gait *g, const trace *of, trace_drawing *draw, bool print,
                              sal_text *out, sal_err *err)
{
    trace t = *of;
    t.column = sal_alloc((size_t)g->n + 1, sizeof(double));
    if (t.column == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the charts of a page");
    }
    draw(g, &t, print, out);
    sal_free(t.column);
    return SAL_OK;
}

sal_status page_report_controls(const prb_gait *g, bool print, sal_text *out, sal_err *err)
{
    const trace ctrl = {g->ctrl, g->n, g->r->model->nu, NULL};
    return g->r->model->nu == 0 ? SAL_OK : draw_traces(g, &ctrl, put_controls, print, out, err);
}

sal_status page_report_torques(const prb_gait *g, bool print, sal_text *out, sal_err *err)
{
    const trace torque = {g->r->qfrc_actuator, g->n, g->r->model->nv, NULL};
    return draw_traces(g, &torque, put_torques, print, out, err);
}

sal_status page_report_joints(const prb_gait *g, bool print, sal_text *out, sal_err *err)
{
    const trace qpos = {g->qpos, g->n + 1, g->r->model->nq, NULL};
    return draw_traces(g, &qpos, put_joints, print, out, err);
}

/* ---- contacts ---- */

/* Does a side have several groups? */
static bool sides_are_shared(const prb_gait *g)
{
    int n[3] = {0};
    for (int k = 0; k < g->ngroup; k++) {
        n[1 + prb_gait_side(g->r->model, SAL_OBJ_BODY, g->group[k].body)]++;
    }
    return n[0] > 1 || n[2] > 1;
}

/* By side; in print each line has a style of its own. */
static const char *style_of_group(const prb_gait *g, int k, bool print)
{
    static const char *const by_number[] = {"s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7"};
    const char *style = style_of(g->r->model, SAL_OBJ_BODY, g->group[k].body);
    if (print && sides_are_shared(g)) {
        return by_number[k % 8];
    }
    return strcmp(style, "mid") == 0 && g->ngroup > 1 ? by_number[k % 4] : style;
}

void page_report_forces(const prb_gait *g, bool print, sal_text *out)
{
    double *share = g->ngroup == 0 ? NULL : sal_alloc((size_t)g->n, sizeof *share);
    if (share == NULL) {
        out->failed = out->failed || g->ngroup > 0;
        return;
    }
    page_chart c = small_chart(g, print, out, "Normal force", "force, body weights");
    c.width = WIDE, c.height = TALL;
    c.y0 = 0;
    for (int k = 0; k < g->ngroup; k++) {
        for (int t = 0; t < g->n; t++) {
            c.y1 = fmax(c.y1, g->group[k].normal[t] / g->r->weight);
        }
    }
    for (int k = 0; k < g->ngroup; k++) {
        page_chart_key(&c, style_of_group(g, k, print), g->group[k].name);
    }
    page_chart_key(&c, "limit", "body weight");
    page_chart_begin(&c);
    mark_half(g, &c);
    page_chart_level(&c, 1, "limit");
    for (int k = 0; k < g->ngroup; k++) {
        for (int t = 0; t < g->n; t++) {
            share[t] = g->group[k].normal[t] / g->r->weight;
        }
        page_chart_line(&c, g->time, share, g->n, style_of_group(g, k, print));
    }
    sal_free(share);
    page_chart_end(&c);
}

/* For the longest name of a group, and a gap. */
static double name_room(const prb_gait *g)
{
    double room = 50;
    for (int k = 0; k < g->ngroup; k++) {
        room = fmax(room, page_text_width(g->group[k].name, false) + 12);
    }
    return fmin(room, 0.5 * PAGE_PRINT_WIDTH);
}

/* Steps of bar b: one step or, of a long motion, several. */
static int bar_begin(const prb_gait *g, int b)
{
    return g->n <= MOST_BARS ? b : (int)((int64_t)g->n * b / MOST_BARS);
}

/* Of a bar, in twentieths: 0 where the group carries less than a hundredth of the weight. */
static int shade_of(const prb_gait *g, int k, int b)
{
    const int first = bar_begin(g, b), end = bar_begin(g, b + 1);
    double sum = 0;
    for (int t = first; t < end; t++) {
        sum += isfinite(g->group[k].normal[t]) ? g->group[k].normal[t] : 0;
    }
    const double load = sum / (end - first) / g->r->weight;
    return load > LOADED ? (int)round(20 * fmin(1, 0.3 + 0.7 * load)) : 0;
}

/* Bars of one group, those of one shade in one piece. unit: the width of a step */
static void draw_bars(const prb_gait *g, int k, double left, double unit, double y, bool print,
                      sal_text *out)
{
    const int nbar = g->n < MOST_BARS ? g->n : MOST_BARS;
    for (int b = 0, end; b < nbar; b = end) {
        const int shade = shade_of(g, k, b);
        for (end = b + 1; end < nbar && shade_of(g, k, end) == shade;) {
            end++;
        }
        if (shade > 0) {
            const int first = bar_begin(g, b);
            page_svg_put(out,
                         "<rect class=\"bar $\" x=\"%\" y=\"%\" width=\"%\" height=\"20\" "
                         "fill-opacity=\"%\"/>",
                         style_of_group(g, k, print), left + first * unit, y,
                         (bar_begin(g, end) - first) * unit + 0.1, shade / 20.0);
        }
    }
}

static int count_loaded(const prb_gait *g, int k)
{
    int loaded = 0;
    for (int t = 0; t < g->n; t++) {
        loaded += g->group[k].normal[t] / g->r->weight > LOADED;
    }
    return loaded;
}

/* A row for each group: a bar while it carries more than a hundredth of the weight, darker the
 * more. */
void page_report_timing(const prb_gait *g, bool print, sal_text *out)
{
    if (g->ngroup == 0) {
        return;
    }
    const double width = print ? PAGE_PRINT_WIDTH : WIDE;
    const double left = print ? name_room(g) : 120, right = width - (print ? 48 : 64), pitch = 30,
                 top = 30, height = top + g->ngroup * pitch + 34, unit = (right - left) / g->n;
    page_svg_put(out,
                 "<svg class=\"chart\" viewBox=\"0 0 % %\" width=\"%\" height=\"%\" "
                 "role=\"img\"><title>contact timing</title><text x=\"%\" y=\"16\" "
                 "class=\"head\">Contact timing</text>",
                 width, height, width, height, left);
    for (int k = 0; k < g->ngroup; k++) {
        const double y = top + k * pitch;
        page_svg_put(out, "<text x=\"%\" y=\"%\" class=\"ty\">", left - 8, y + 15);
        page_html_text(out, g->group[k].name);
        page_svg_put(out, "</text><path class=\"gridline\" d=\"M% %H%\"/>", left, y + 11, right);
        draw_bars(g, k, left, unit, y + 1, print, out);
        page_svg_put(out, "<text x=\"%\" y=\"%\" class=\"te\">", right + 8, y + 15);
        sal_text_real(out, round(100.0 * count_loaded(g, k) / g->n), 3);
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

sal_status page_report_contacts(const prb_gait *g, sal_text *out, sal_err *err)
{
    if (g->ngroup == 0) {
        return SAL_OK;
    }
    page_section_begin(
        out, "Contacts",
        "Above: sum of the normal forces of all contacts of a body, in body weights (dashed: "
        "one). Below: when each body carries more than 1 % of the weight.");
    page_report_forces(g, false, out);
    page_report_timing(g, false, out);
    page_section_end(out);
    return out->failed ? sal_fail(err, SAL_NOMEM, "out of memory for the charts of a page")
                       : SAL_OK;
}
