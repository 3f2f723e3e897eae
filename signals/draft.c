/* The <data> element that a file of signals is probably to be read by: names of the model are taken
 * to be those of the file, which the user corrects. */
#include "base/house.h"
#include "signals/look.h"

#include <stdio.h>
#include <string.h>

typedef struct draft {
    sal_text *out;
    const sig_signals *s;
    const sig_look *look;
    unsigned char *used; /* [ncol] a channel has it */
} draft;

static void add_attribute(sal_text *out, const char *name, const char *value)
{
    sal_text_format(out, " %s=\"", name);
    sal_xml_escape(out, value);
    sal_text_add(out, "\"");
}

/* "a b c", n from column k on; they count as used. */
static void add_names(draft *d, int k, int n)
{
    for (int i = 0; i < n; i++) {
        sal_text_add(d->out, i == 0 ? "" : " ");
        sal_xml_escape(d->out, d->s->column[k + i].name);
        d->used[k + i] = 1;
    }
}

/* The part of a name that says which joint: of /jointset/hip_r/hip_flexion_r/value its third. */
static void short_name(const char *name, char *out, size_t n)
{
    const char *end = name + strlen(name);
    if (sig_name_ends(name, "/value") || sig_name_ends(name, "/speed")) {
        end -= strlen("/value");
    }
    const char *begin = end;
    while (begin > name && begin[-1] != '/') {
        begin--;
    }
    snprintf(out, n, "%.*s", (int)(end - begin), begin);
}

static void add_angle(draft *d, int k)
{
    char name[128];
    const bool degrees = d->look->column[k].angle == SIG_ANGLE_DEGREES;
    short_name(d->s->column[k].name, name, sizeof name);
    sal_text_add(d->out, "  <channel");
    add_attribute(d->out, "name", name);
    add_attribute(d->out, "joint", name);
    sal_text_add(d->out, " columns=\"");
    add_names(d, k, 1);
    sal_text_add(d->out, "\"");
    add_attribute(d->out, "units", degrees ? "deg" : "rad");
    sal_text_add(d->out, " sigma=\"0.01\"/>\n");
}

/* Three columns before it are the place. A w that comes last is named first. */
static void add_pose(draft *d, int k)
{
    const sig_signals *s = d->s;
    const bool placed =
        k >= 3 && !d->used[k - 3] && s->time != k - 1 && s->time != k - 2 && s->time != k - 3;
    sal_text_add(d->out, "  <channel name=\"pose\" body=\"?\" columns=\"");
    for (int i = placed ? k - 3 : k; i < k; i++) {
        sal_xml_escape(d->out, s->column[i].name);
        sal_text_add(d->out, " ");
        d->used[i] = 1;
    }
    for (int i = 0; i < 4; i++) {
        const int from = d->look->column[k].quaternion == 2 ? (i + 3) % 4 : i;
        sal_xml_escape(d->out, s->column[k + from].name);
        sal_text_add(d->out, i < 3 ? " " : "");
        d->used[k + i] = 1;
    }
    sal_text_add(d->out, "\" sigma=\"0.001 0.01\"/>\n");
}

static void add_force(draft *d, int k)
{
    char name[128]; /* ground_force_r of ground_force_r_vx */
    int n = snprintf(name, sizeof name, "%.120s", d->s->column[k].name) - 2;
    n -= n > 0 && name[n - 1] == '_';
    snprintf(name + (n > 0 ? n : 0), 8, "%s", n > 0 ? "" : "force");
    sal_text_add(d->out, "  <channel");
    add_attribute(d->out, "name", name);
    const sig_column_look *c = d->look->column + k;
    const int part[] = {k, c->point, c->torque};
    sal_text_add(d->out, " force=\"?\" columns=\"");
    for (int i = 0; i < 3 && i < c->force / 3; i++) {
        sal_text_add(d->out, i == 0 ? "" : " ");
        add_names(d, part[i], 3);
    }
    sal_text_add(d->out, "\"/>\n");
}

static void add_marker(draft *d, int i)
{
    const sig_signals *s = d->s;
    const int k = s->marker_column[i];
    sal_text_add(d->out, "  <channel");
    add_attribute(d->out, "name", s->marker[i]);
    add_attribute(d->out, "site", s->marker[i]);
    add_attribute(d->out, "columns", s->marker[i]);
    add_attribute(d->out, "units", s->column[k].unit[0] != 0 ? s->column[k].unit : "?");
    sal_text_add(d->out, " sigma=\"0.005\"/>\n");
    d->used[k] = d->used[k + 1] = d->used[k + 2] = 1;
}

static void add_head(draft *d)
{
    const sig_signals *s = d->s;
    const char up[2] = {s->up, 0};
    bool placed = s->nmarker > 0;
    for (int k = 0; k < s->ncol; k++) {
        placed = placed || d->look->column[k].quaternion || d->look->column[k].force;
    }
    sal_text_add(d->out, "<!-- names of bodies, joints and sites, units and sigma (m, rad) are "
                         "guesses; ? is for you to say -->\n<data");
    add_attribute(d->out, "file", s->source.path);
    if (s->clip != NULL) {
        add_attribute(d->out, "clip", s->clip);
    }
    if (s->time >= 0) {
        add_attribute(d->out, "time", s->column[s->time].name);
    } else if (s->rate > 0) {
        sal_text_format(d->out, " rate=\"%.9g\"", s->rate);
    } else {
        sal_text_add(d->out, " rate=\"?\"");
    }
    if (placed) {
        add_attribute(d->out, "up", up[0] != 0 ? up : "?");
    }
    sal_text_add(d->out, ">\n");
}

/* What no channel has. */
static void add_rest(draft *d)
{
    bool any = false;
    for (int k = 0; k < d->s->ncol; k++) {
        if (!d->used[k] && k != d->s->time) {
            sal_text_add(d->out, any ? " " : "  <!-- in no channel: ");
            for (const char *c = d->s->column[k].name; *c != 0; c++) {
                sal_text_addn(d->out, *c == '-' && c[1] == '-' ? "_" : c, 1);
            }
            any = true;
        }
    }
    sal_text_add(d->out, any ? " -->\n" : "");
}

void sig_draft(sal_text *out, const sig_signals *s, const sig_look *look)
{
    draft d = {out, s, look, sal_alloc((size_t)s->ncol, 1)};
    if (d.used == NULL) {
        out->failed = true;
        return;
    }
    int moving = s->nmarker, forces = 0;
    add_head(&d);
    for (int i = 0; i < s->nmarker; i++) {
        add_marker(&d, i);
    }
    for (int k = 0; k < s->ncol;
         k++) { /* before the columns around them are taken for something else */
        if (look->column[k].quaternion && !d.used[k]) {
            add_pose(&d, k);
            moving++;
        } else if (look->column[k].force && !d.used[k]) {
            add_force(&d, k);
            forces++;
        }
    }
    for (int k = 0; k < s->ncol; k++) {
        if (!d.used[k] && look->column[k].angle != SIG_ANGLE_NONE) {
            add_angle(&d, k);
            moving++;
        }
    }
    add_rest(&d);
    if (moving == 0 && forces > 0) {
        sal_text_add(out,
                     "  <!-- forces alone: their file stands in also=, beside file= of the motion, "
                     "and these channels among its own -->\n");
    }
    sal_text_add(out, "</data>\n");
    sal_free(d.used);
}
