/* saltus import: what was understood of a file of recorded signals, for people and as JSON. */
#include "base/house.h"
#include "signals/look.h"
#include "signals/signals.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- one line for a column, or for a marker ---- */

typedef struct line {
    const char *name, *unit;
    double least[3], most[3];
    int n, missing, gap, jumps;
    bool text;
} line;

static line line_of_column(const sig_signals *s, const sig_look *look, int k)
{
    const sig_column_look *c = look->column + k;
    return (line){.name = s->column[k].name,
                  .unit = s->column[k].unit,
                  .least = {c->least},
                  .most = {c->most},
                  .n = 1,
                  .missing = c->missing,
                  .gap = c->gap,
                  .text = s->column[k].text};
}

static line line_of_marker(const sig_signals *s, const sig_look *look, int i)
{
    const int k = s->marker_column[i];
    const sig_column_look *c = look->column + k;
    line l = {.name = s->marker[i], .unit = s->column[k].unit, .n = 3, .jumps = look->jumps[i]};
    for (int axis = 0; axis < 3; axis++) {
        l.least[axis] = c[axis].least;
        l.most[axis] = c[axis].most;
        l.missing = c[axis].missing > l.missing ? c[axis].missing : l.missing;
        l.gap = c[axis].gap > l.gap ? c[axis].gap : l.gap;
    }
    return l;
}

static bool is_of_marker(const sig_signals *s, int k)
{
    return s->nmarker > 0 && k >= s->marker_column[0] && k < s->marker_column[s->nmarker - 1] + 3;
}

/* ---- for people ---- */

static void write_line(sal_text *out, const line *l, int width)
{
    const int pad = width - (int)strlen(l->name);
    sal_text_format(out, "  %s%*s %-5s", l->name, pad > 0 ? pad : 0, "", l->unit);
    for (int i = 0; i < l->n; i++) {
        if (l->text) {
            sal_text_add(out, " words");
        } else if (isnan(l->least[i])) {
            sal_text_format(out, " %21s", "nothing");
        } else {
            char from[16], to[16];
            snprintf(from, sizeof from, "%.4g", l->least[i]);
            snprintf(to, sizeof to, "%.4g", l->most[i]);
            sal_text_format(out, " %9s .. %-8s", from, to);
        }
    }
    if (l->missing > 0 && !l->text) {
        sal_text_format(out, "  missing %d", l->missing);
        if (l->gap > 0) {
            sal_text_format(out, ", at most %d in a row", l->gap);
        }
    }
    if (l->jumps > 0) {
        sal_text_format(out, "  jumps %d", l->jumps);
    }
    while (out->length > 0 && out->data[out->length - 1] == ' ') {
        out->data[--out->length] = 0;
    }
    sal_text_add(out, "\n");
}

static int width_of_names(const sig_signals *s)
{
    size_t width = 8;
    for (int k = 0; k < s->ncol; k++) {
        const size_t n = strlen(s->column[k].name);
        width = !is_of_marker(s, k) && n > width ? n : width;
    }
    for (int i = 0; i < s->nmarker; i++) {
        const size_t n = strlen(s->marker[i]);
        width = n > width ? n : width;
    }
    return width > 48 ? 48 : (int)width;
}

static bool is_uniform(const sig_look *look)
{
    return look->longest - look->shortest <= .02 * look->step;
}

static void write_times(sal_text *out, const sig_signals *s, const sig_look *look)
{
    if (look->step > 0) {
        sal_text_format(out, "duration  %.6g s, from %.6g to %.6g\n", look->end - look->start,
                        look->start, look->end);
        sal_text_format(out, "rate      %.6g Hz", 1 / look->step);
    } else {
        sal_text_add(out, "rate      not known");
    }
    if (s->time < 0) {
        sal_text_add(out, s->rate > 0 ? ", says the header\n" : "\n");
        return;
    }
    if (look->timed && look->step > 0) {
        if (is_uniform(look)) {
            sal_text_add(out, ", uniform");
        } else {
            sal_text_format(out, " at the median; not uniform: steps from %.4g to %.4g s",
                            look->shortest, look->longest);
        }
        if (look->nlost > 0) {
            sal_text_format(out, "; %d longer than 1.5 of the median, the first before row %d",
                            look->nlost, look->lost + 1);
        }
    }
    sal_text_format(out, "\ntime      %s\n", s->column[s->time].name);
}

static void write_indented(sal_text *out, const char *heading, const char *lines)
{
    const char *end;
    if (lines == NULL || lines[0] == 0) {
        return;
    }
    sal_text_format(out, "%s\n", heading);
    for (; (end = strchr(lines, '\n')) != NULL; lines = end + 1) {
        sal_text_format(out, "  %.*s\n", (int)(end - lines), lines);
    }
}

static void write_joints(sal_text *out, const sig_signals *s)
{
    if (s->njoint > 0) {
        sal_text_format(out, "joints    %d\n", s->njoint);
    }
    for (int i = 0; i < s->njoint; i++) {
        const sig_joint *j = s->joint + i;
        sal_text_format(out, "  %s: %.4g %.4g %.4g from %s\n", j->name, j->offset[0], j->offset[1],
                        j->offset[2], j->parent < 0 ? "the origin" : s->joint[j->parent].name);
    }
}

static void write_people(sal_text *out, const sig_signals *s, const sig_look *look)
{
    const int width = width_of_names(s);
    sal_text_format(out, "file      %s\nformat    %s\nrows      %d\n", s->source.path, s->format,
                    s->nrow);
    write_times(out, s, look);
    sal_text_format(out, "up        %s\n",
                    s->up == 'y'   ? "y, says the file"
                    : s->up == 'z' ? "z, says the file"
                                   : "the file does not say");
    write_joints(out, s);
    if (s->nmarker > 0) {
        sal_text_format(out, "markers   %d\n", s->nmarker);
    }
    for (int i = 0; i < s->nmarker; i++) {
        const line l = line_of_marker(s, look, i);
        write_line(out, &l, width);
    }
    sal_text_format(out, "columns   %d%s\n", s->ncol,
                    s->nmarker > 0 ? ", with three of each marker" : "");
    for (int k = 0; k < s->ncol; k++) {
        if (!is_of_marker(s, k)) {
            const line l = line_of_column(s, look, k);
            write_line(out, &l, width);
        }
    }
    write_indented(out, "guesses", look->guess.data);
    write_indented(out, "remarks", s->remark.data);
    sal_text_add(out, "\n");
    sig_draft(out, s, look);
}

/* ---- as JSON ---- */

static void json_line(sal_json *j, const line *l)
{
    sal_json_object(j, NULL);
    sal_json_string(j, "name", l->name);
    sal_json_string(j, "unit", l->unit);
    if (l->n == 1) {
        sal_json_number(j, "min", l->least[0]);
        sal_json_number(j, "max", l->most[0]);
        sal_json_bool(j, "words", l->text);
    } else {
        sal_json_numbers(j, "min", l->least, l->n);
        sal_json_numbers(j, "max", l->most, l->n);
        sal_json_integer(j, "jumps", l->jumps);
    }
    sal_json_integer(j, "missing", l->missing);
    sal_json_integer(j, "longest_gap", l->gap);
    sal_json_end(j);
}

static void json_strings(sal_json *j, const char *key, const char *lines)
{
    sal_json_array(j, key);
    for (const char *end; lines != NULL && (end = strchr(lines, '\n')) != NULL; lines = end + 1) {
        char one[1000];
        snprintf(one, sizeof one, "%.*s", (int)(end - lines), lines);
        sal_json_string(j, NULL, one);
    }
    sal_json_end(j);
}

static void json_times(sal_json *j, const sig_signals *s, const sig_look *look)
{
    sal_json_object(j, "time");
    sal_json_string(j, "column", s->time < 0 ? NULL : s->column[s->time].name);
    sal_json_number(j, "start", look->step > 0 ? look->start : (double)NAN);
    sal_json_number(j, "end", look->step > 0 ? look->end : (double)NAN);
    sal_json_number(j, "rate", look->step > 0 ? 1 / look->step : (double)NAN);
    sal_json_number(j, "header_rate", s->rate > 0 ? s->rate : (double)NAN);
    sal_json_bool(j, "uniform", look->step > 0 && is_uniform(look));
    sal_json_number(j, "shortest_step", look->timed ? look->shortest : look->step);
    sal_json_number(j, "longest_step", look->timed ? look->longest : look->step);
    sal_json_integer(j, "long_steps", look->nlost);
    sal_json_end(j);
}

static void json_joints(sal_json *j, const sig_signals *s)
{
    sal_json_array(j, "joints");
    for (int i = 0; i < s->njoint; i++) {
        sal_json_object(j, NULL);
        sal_json_string(j, "name", s->joint[i].name);
        sal_json_integer(j, "parent", s->joint[i].parent);
        sal_json_numbers(j, "offset", s->joint[i].offset, 3);
        sal_json_end(j);
    }
    sal_json_end(j);
}

static void write_json(sal_text *out, const sig_signals *s, const sig_look *look)
{
    const char up[2] = {s->up, 0};
    sal_json j = {.out = out, .lines = true};
    sal_text draft = {0};
    sal_json_object(&j, NULL);
    sal_json_string(&j, "file", s->source.path);
    sal_json_string(&j, "format", s->format);
    sal_json_integer(&j, "rows", s->nrow);
    json_times(&j, s, look);
    sal_json_string(&j, "up", s->up == 0 ? NULL : up);
    json_joints(&j, s);
    sal_json_array(&j, "markers");
    for (int i = 0; i < s->nmarker; i++) {
        const line l = line_of_marker(s, look, i);
        json_line(&j, &l);
    }
    sal_json_end(&j);
    sal_json_array(&j, "columns");
    for (int k = 0; k < s->ncol; k++) {
        const line l = line_of_column(s, look, k);
        json_line(&j, &l);
    }
    sal_json_end(&j);
    json_strings(&j, "guesses", look->guess.data);
    json_strings(&j, "remarks", s->remark.data);
    sig_draft(&draft, s, look);
    sal_json_string(&j, "draft", draft.data);
    sal_json_end(&j);
    sal_text_add(out, "\n");
    out->failed = out->failed || draft.failed;
    sal_text_clear(&draft);
}

sal_status sal_signals_describe(sal_text *out, const char *path, const char *format,
                                const char *clip, bool json, sal_diag *diag, sal_err *err)
{
    sig_signals s;
    sig_look look = {0};
    sal_diag own = {0};
    sal_status status = sig_read_clip(&s, path, format, clip, &own, err);
    if (status == SAL_OK) {
        status = sig_look_at(&look, &s, &own, err);
    }
    if (status == SAL_OK) {
        (json ? write_json : write_people)(out, &s, &look);
        status = out->failed || s.remark.failed
                     ? sal_fail(err, SAL_NOMEM, "out of memory")
                     : sal_diag_status(&own, err); /* times that go back */
    }
    sal_diag_join(diag, &own);
    sig_look_clear(&look);
    sig_clear(&s);
    return status;
}
