/* recorded_show.c: a recording beside the motion that follows it: table, words, JSON. */
#include "base/house.h"
#include "problems/result/part.h"
#include "problems/touch.h"
#include "runs/recorded.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- the table ---- */

/* "1.2 (4.5 at 3.21 s)" in units of 1/scale */
static void with_peak(char text[SAL_RECORDED_CELL], double value, const sal_recorded_peak *most,
                      double scale)
{
    snprintf(text, SAL_RECORDED_CELL, "%.2g (%.2g at %.2f s)", scale * value, scale * most->value,
             most->time);
}

static void with_joint(char text[SAL_RECORDED_CELL], const sal_recorded_peak *load)
{
    if (load->joint == NULL) {
        snprintf(text, SAL_RECORDED_CELL, "no limits");
    } else {
        snprintf(text, SAL_RECORDED_CELL, "%.2g (%.60s)", load->value, load->joint);
    }
}

/* "12 (hand, trunk)", mm */
static void with_pair(char text[SAL_RECORDED_CELL], const sal_recorded_figures *f)
{
    if (f->inside.value > 0) {
        snprintf(text, SAL_RECORDED_CELL, "%.2g (%.38s, %.38s)", 1e3 * f->inside.value, f->pair[0],
                 f->pair[1]);
    } else {
        snprintf(text, SAL_RECORDED_CELL, "0");
    }
}

static bool touches(const sal_recorded_figures *f)
{
    return f->depth_most.value > 0 || f->slip > 0;
}

/* What stands in the world by a free root; of an arm only if it touches something. */
static int floor_rows(sal_recorded_row *row, const sal_recorded_figures *a,
                      const sal_recorded_figures *b)
{
    sal_recorded_row *at = row;
    *at = (sal_recorded_row){.what = "in the floor, 99 % of steps (most), mm"};
    with_peak(at->recording, a->depth, &a->depth_most, 1e3);
    with_peak((at++)->found, b->depth, &b->depth_most, 1e3);
    *at = (sal_recorded_row){.what = "above the floor where it should stand, mm"};
    with_peak(at->recording, a->hover, &a->hover_most, 1e3);
    with_peak((at++)->found, b->hover, &b->hover_most, 1e3);
    *at = (sal_recorded_row){.what = "slip of what carries, cm/s"};
    snprintf(at->recording, sizeof at->recording, "%.2g", 100 * a->slip);
    snprintf((at++)->found, sizeof at->found, "%.2g", 100 * b->slip);
    return (int)(at - row);
}

int sal_recorded_rows(sal_recorded_row row[SAL_RECORDED_ROWS], const sal_recorded *c)
{
    const sal_recorded_figures *a = &c->recording, *b = &c->found;
    const bool root = !isnan(c->place);
    sal_recorded_row *at = row;
    if (root) {
        *at = (sal_recorded_row){.what = "root force unexplained, of the weight"};
        with_peak(at->recording, a->root, &a->root_most, 1);
        with_peak((at++)->found, b->root, &b->root_most, 1);
    }
    at += root || touches(a) || touches(b) ? floor_rows(at, a, b) : 0;
    if (fmax(a->inside.value, b->inside.value) > PRB_WITHIN) {
        *at = (sal_recorded_row){.what = "parts within each other, most, mm"};
        with_pair(at->recording, a);
        with_pair((at++)->found, b);
    }
    *at = (sal_recorded_row){.what = "largest torque over its limit"};
    with_joint(at->recording, &a->load);
    with_joint((at++)->found, &b->load);
    if (c->joint_most.joint != NULL) {
        *at = (sal_recorded_row){.what = "joints from the recording (worst), degrees rms"};
        snprintf(at->found, sizeof at->found, "%.2g (%.2g, %.60s)", c->joints / SAL_DEGREE,
                 c->joint_most.value / SAL_DEGREE, c->joint_most.joint);
        at++;
    }
    if (root) {
        *at = (sal_recorded_row){.what = "root from the recording, rms"};
        snprintf(at->found, sizeof at->found, "%.2g cm, %.2g degrees", 100 * c->place,
                 c->turn / SAL_DEGREE);
        at++;
    }
    if (isfinite(c->markers)) {
        *at = (sal_recorded_row){.what = "markers from their sites (worst), mm rms"};
        snprintf(at->found, sizeof at->found, "%.2g (%.2g, %.60s)", 1e3 * c->markers,
                 1e3 * c->marker_most, c->marker);
        at++;
    }
    return (int)(at - row);
}

void sal_recorded_text(sal_text *out, const sal_recorded *c)
{
    sal_recorded_row row[SAL_RECORDED_ROWS];
    const int nrow = sal_recorded_rows(row, c);
    sal_text_format(out, "  %-46s %-24s %s\n", "", "recording", "motion found");
    for (int i = 0; i < nrow; i++) {
        sal_text_format(out, "  %-46s %-24s %s\n", row[i].what, row[i].recording, row[i].found);
    }
    if (c->impossible.length > 0) {
        sal_text_add(out, "  no controls can do what the recording does:\n");
    }
    for (const char *line = c->impossible.data; line != NULL && *line != 0;) {
        const size_t n = strcspn(line, "\n");
        sal_text_format(out, "    %.*s\n", (int)n, line);
        line += n + 1;
    }
}

/* ---- figures of tables ---- */

enum { FIGURES_MOST = 17 };

static void add_figures(sal_figure *to, int *n, const char *kind, const sal_recorded_figures *f)
{
    prb_figure_set(to + (*n)++, kind, "root", "W", f->root);
    prb_figure_set(to + (*n)++, kind, "depth", "m", f->depth);
    prb_figure_set(to + (*n)++, kind, "deepest", "m", f->depth_most.value);
    prb_figure_set(to + (*n)++, kind, "inside", "m", f->inside.value);
    prb_figure_set(to + (*n)++, kind, "hover", "m", f->hover);
    prb_figure_set(to + (*n)++, kind, "slip", "m/s", f->slip);
    prb_figure_set(to + (*n)++, kind, "load", "",
                   f->load.joint == NULL ? (double)NAN : f->load.value);
}

static void add_all(sal_figure *to, int *n, const sal_recorded *c)
{
    add_figures(to, n, "recorded", &c->recording);
    add_figures(to, n, "found", &c->found);
    prb_figure_set(to + (*n)++, "deviation", "joints", "rad", c->joints);
    prb_figure_set(to + (*n)++, "deviation", "place", "m", c->place);
    prb_figure_set(to + (*n)++, "deviation", "turn", "rad", c->turn);
}

void sal_recorded_figure_names(sal_text *names)
{
    const sal_recorded none = {0};
    sal_figure figure[FIGURES_MOST];
    int n = 0;
    add_all(figure, &n, &none);
    for (int i = 0; i < n; i++) {
        sal_text_format(names, "%s\n", figure[i].name);
    }
}

sal_status sal_recorded_add_figures(const sal_result *result, sal_figure **figure, int *n,
                                    sal_err *err)
{
    sal_recorded c;
    bool known;
    sal_status status = sal_recorded_compare(&c, &known, result, err);
    if (status == SAL_OK && known) {
        sal_figure *more = sal_alloc((size_t)*n + FIGURES_MOST, sizeof *more);
        if (more == NULL) {
            status = sal_fail(err, SAL_NOMEM, "out of memory for figures");
        } else {
            memcpy(more, *figure, (size_t)*n * sizeof *more);
            sal_free(*figure);
            *figure = more;
            add_all(more, n, &c);
        }
    }
    sal_recorded_clear(&c);
    return status;
}

/* ---- JSON ---- */

static void peak_json(sal_json *json, const char *key, const sal_recorded_peak *p)
{
    sal_json_object(json, key);
    sal_json_number(json, "value", p->value);
    sal_json_number(json, "time", p->time);
    if (p->joint != NULL) {
        sal_json_string(json, "joint", p->joint);
    }
    sal_json_end(json);
}

static void figures_json(sal_json *json, const char *key, const sal_recorded_figures *f)
{
    sal_json_object(json, key);
    sal_json_number(json, "root_unexplained", f->root);
    peak_json(json, "root_unexplained_most", &f->root_most);
    sal_json_number(json, "depth", f->depth);
    peak_json(json, "depth_most", &f->depth_most);
    if (f->inside.value > 0) {
        sal_json_object(json, "inside_most");
        sal_json_number(json, "value", f->inside.value);
        sal_json_number(json, "time", f->inside.time);
        sal_json_array(json, "bodies");
        sal_json_string(json, NULL, f->pair[0]);
        sal_json_string(json, NULL, f->pair[1]);
        sal_json_end(json);
        sal_json_end(json);
    }
    sal_json_number(json, "hover", f->hover);
    peak_json(json, "hover_most", &f->hover_most);
    sal_json_number(json, "slip", f->slip);
    if (f->load.joint != NULL) {
        peak_json(json, "load_most", &f->load);
    }
    sal_json_end(json);
}

void sal_recorded_json(sal_json *json, const sal_recorded *c)
{
    sal_json_object(json, "recording");
    figures_json(json, "recorded", &c->recording);
    figures_json(json, "found", &c->found);
    sal_json_number(json, "joints", c->joints);
    if (c->joint_most.joint != NULL) {
        peak_json(json, "joint_most", &c->joint_most);
    }
    sal_json_number(json, "place", c->place);
    sal_json_number(json, "turn", c->turn);
    if (isfinite(c->markers)) {
        sal_json_object(json, "markers");
        sal_json_number(json, "rms", c->markers);
        sal_json_number(json, "most", c->marker_most);
        sal_json_string(json, "marker", c->marker);
        sal_json_end(json);
    }
    sal_json_array(json, "impossible");
    for (const char *line = c->impossible.data; line != NULL && *line != 0;) {
        char text[256];
        const size_t n = strcspn(line, "\n");
        snprintf(text, sizeof text, "%.*s", (int)n, line);
        sal_json_string(json, NULL, text);
        line += n + 1;
    }
    sal_json_end(json);
    sal_json_end(json);
}
