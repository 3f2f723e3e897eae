/* recorded_show.c: a recording beside the motion that follows it: table, words, JSON. */
#include "runs/recorded.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double DEGREES = 57.295779513082320877;

/* ---- the table ---- */

static void row(sal_text *out, const char *what, const char *recording, const char *found)
{
    sal_text_format(out, "  %-46s %-24s %s\n", what, recording, found);
}

/* "1.2 (4.5 at 3.21 s)" in units of 1/scale */
static void with_peak(char text[64], double value, const sal_recorded_peak *most, double scale)
{
    snprintf(text, 64, "%.2g (%.2g at %.2f s)", scale * value, scale * most->value, most->time);
}

static void peaks(sal_text *out, const char *what, const double value[2],
                  const sal_recorded_peak *const most[2], double scale)
{
    char text[2][64];
    for (int i = 0; i < 2; i++) {
        with_peak(text[i], value[i], most[i], scale);
    }
    row(out, what, text[0], text[1]);
}

static void load_text(char text[96], const sal_recorded_peak *load)
{
    if (load->joint == NULL) {
        snprintf(text, 96, "no limits");
    } else {
        snprintf(text, 96, "%.2g (%.60s)", load->value, load->joint);
    }
}

void sal_recorded_text(sal_text *out, const sal_recorded *c)
{
    const sal_recorded_figures *a = &c->recording, *b = &c->found;
    char first[96], second[96];
    row(out, "", "recording", "motion found");
    peaks(out, "root force unexplained, of the weight", (double[]){a->root, b->root},
          (const sal_recorded_peak *const[]){&a->root_most, &b->root_most}, 1);
    peaks(out, "in the floor, 99 % of steps (most), mm", (double[]){a->depth, b->depth},
          (const sal_recorded_peak *const[]){&a->depth_most, &b->depth_most}, 1e3);
    peaks(out, "above the floor where it should stand, mm", (double[]){a->hover, b->hover},
          (const sal_recorded_peak *const[]){&a->hover_most, &b->hover_most}, 1e3);
    snprintf(first, sizeof first, "%.2g", 100 * a->slip);
    snprintf(second, sizeof second, "%.2g", 100 * b->slip);
    row(out, "slip of what carries, cm/s", first, second);
    load_text(first, &a->load);
    load_text(second, &b->load);
    row(out, "largest torque over its limit", first, second);
    if (c->joint_most.joint != NULL) {
        snprintf(second, sizeof second, "%.2g (%.2g, %.60s)", DEGREES * c->joints,
                 DEGREES * c->joint_most.value, c->joint_most.joint);
        row(out, "joints from the recording (worst), degrees rms", "", second);
    }
    if (!isnan(c->place)) {
        snprintf(second, sizeof second, "%.2g cm, %.2g degrees", 100 * c->place, DEGREES * c->turn);
        row(out, "root from the recording, rms", "", second);
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
