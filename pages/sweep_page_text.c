/* sweep_page_text.c: cells, values and axes in words, and the commands that show one cell. */
#include "pages/sweep_page.h"

#include <stdio.h>
#include <string.h>

enum { LABEL_CHARS = 16 };

void page_section(sal_text *out, const char *heading, const char *note)
{
    page_svg_put(out, "<section><h2>$</h2><p class=\"note\">$</p>\n", heading, note);
}

/* One, two or three in a row. */
double page_width(const page_page *p)
{
    return p->nfigure == 1 ? 700 : p->nfigure == 2 || p->nfigure == 4 ? 520 : 342;
}

/* ---- words ---- */

void page_cell(const page_page *p, int cell, sal_text *out)
{
    const sal_sweep_view *v = p->view;
    for (int k = 0; k < p->naxis; k++) {
        sal_text_add(out, k > 0 ? ", " : "");
        page_html_text(out, p->axis[k].name);
        sal_text_add(out, " ");
        page_html_text(out, v->value[cell * v->naxis + p->axis[k].id]);
    }
    if (v->nrepeat > 1) {
        sal_text_format(out, "%srepeat %d", p->naxis > 0 ? ", " : "", v->repeat[cell]);
    } else if (p->naxis == 0) {
        sal_text_format(out, "cell %d", cell);
    }
}

void page_value(const page_figure *f, double value, sal_text *out)
{
    page_svg_number(out, value, 4);
    sal_text_add(out, f->unit[0] == 0 ? "" : " ");
    page_html_text(out, f->unit);
}

void page_state(const page_page *p, int cell, sal_text *out)
{
    const sal_record *r = p->view->record + cell;
    if (p->state[cell] == PAGE_CELL_WAITING) {
        sal_text_add(out, "waiting");
        return;
    }
    const char *what = p->state[cell] == PAGE_CELL_FAILED && r->kind[0] != 0 ? r->kind : r->status;
    page_html_text(out, what);
    if (r->reason[0] != 0 && strcmp(r->reason, what) != 0) {
        sal_text_add(out, ": ");
        page_html_text(out, r->reason);
    }
}

void page_label(const page_figure *f, char *label, size_t n)
{
    snprintf(label, n, "%s%s%s", f->label, f->unit[0] == 0 ? "" : ", ", f->unit);
}

void page_level(const page_axis *a, int level, char *text, size_t n)
{
    sal_text number = {0};
    if (a->numeric && strlen(a->text[level]) > 7) {
        sal_text_real(&number, a->number[level], 6);
    }
    snprintf(text, n, "%s", number.data != NULL ? number.data : a->text[level]);
    sal_text_clear(&number);
}

void page_short_level(sal_text *out, const page_axis *a, int level)
{
    char text[LABEL_CHARS * 4 + 4];
    size_t n = 0;
    page_level(a, level, text, sizeof text);
    for (int chars = 0; text[n] != 0 && chars < LABEL_CHARS; chars++) {
        const size_t step = sal_text_utf8(text + n);
        n += step == 0 ? 1 : step;
    }
    const bool whole = text[n] == 0;
    text[n] = 0;
    page_html_text(out, text);
    sal_text_add(out, whole ? "" : "\xE2\x80\xA6");
}

double page_short_width(const page_axis *a)
{
    size_t n = 0;
    for (int i = 0; i < a->nlevel; i++) {
        char text[64];
        page_level(a, i, text, sizeof text);
        const size_t length = strlen(text);
        n = length > n ? length : n;
    }
    return 7.0 * (double)(n < LABEL_CHARS ? n : LABEL_CHARS + 1);
}

void page_axis_name(const page_page *p, const page_axis *a, char *name, size_t n)
{
    int used = snprintf(name, n, "%s", a->name);
    bool any = false;
    for (int k = 0; k < p->naxis && used >= 0 && (size_t)used < n; k++) {
        if (p->axis + k != a && p->axis[k].group == a->group) {
            used += snprintf(name + used, n - (size_t)used, "%s%s", any ? ", " : " (with ",
                             p->axis[k].name);
            any = true;
        }
    }
    if (any && used >= 0 && (size_t)used < n) {
        snprintf(name + used, n - (size_t)used, ")");
    }
}

void page_axis_label(const page_page *p, const page_axis *a, char *label, size_t n)
{
    char name[96];
    page_axis_name(p, a, name, sizeof name);
    snprintf(label, n, "%s%s%s", name, a->unit[0] == 0 ? "" : ", ", a->unit);
}

static const char *attribute(const sal_xml *element, const char *name)
{
    const sal_xml_attr *a = sal_xml_find_attr(element, name);
    return a == NULL ? "" : a->value;
}

static const sal_xml *axis_element(const page_page *p, int id)
{
    const sal_xml *e = p->sweep.root == NULL ? NULL : p->sweep.root->child;
    while (e != NULL &&
           (strcmp(e->tag, "axis") != 0 || strcmp(attribute(e, "name"), p->view->axis[id]) != 0)) {
        e = e->next;
    }
    return e;
}

const char *page_axis_path(const page_page *p, int id)
{
    const sal_xml *axis = axis_element(p, id);
    return axis == NULL ? NULL : attribute(axis, "path");
}

const char *page_axis_unit(const page_page *p, int id)
{
    static const char *const units[][2] = {
        {"travel/speed", "m/s"},
        {"travel/value", "m"},
        {"time/duration", "s"},
        {"/mass", "kg"},
    };
    const sal_xml *axis = axis_element(p, id);
    const char *path = axis == NULL ? "" : attribute(axis, "path");
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        const size_t n = strlen(path), m = strlen(units[i][0]);
        if (n >= m && strcmp(path + n - m, units[i][0]) == 0 &&
            attribute(axis, "template")[0] == 0) {
            return units[i][1];
        }
    }
    return "";
}

/* ---- commands ---- */

/* 'it'\''s' */
void page_shell(sal_text *out, const char *word)
{
    const size_t n = strlen(word),
                 plain = strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                      "0123456789_./=+:,@%-");
    if (n > 0 && plain == n) {
        page_html_text(out, word);
        return;
    }
    sal_text_add(out, "&#39;");
    for (const char *s = word, *next; *s != 0; s = next) {
        char part[512];
        size_t length = strcspn(s, "'");
        length = length < sizeof part ? length : sizeof part - 1;
        while (length > 0 && s[length] != 0 && ((unsigned char)s[length] & 0xC0) == 0x80) {
            length--; /* whole characters */
        }
        snprintf(part, sizeof part, "%.*s", (int)length, s);
        page_html_text(out, part);
        next = s + length;
        if (*next == '\'') {
            sal_text_add(out, "&#39;\\&#39;&#39;");
            next++;
        } else if (length == 0) {
            next++;
        }
    }
    sal_text_add(out, "&#39;");
}

void page_command(const page_page *p, int cell)
{
    char path[4096];
    sal_sweep_motion(path, sizeof path, p->view->folder, p->view->hash[cell]);
    sal_text_add(p->out, "saltus report ");
    page_shell(p->out, path);
    sal_text_format(p->out, " -o cell_%d.html", cell);
}

static void add_setting(sal_text *out, const char *path, const char *value)
{
    sal_text word = {0};
    sal_text_add(&word, path);
    sal_text_add(&word, "=");
    sal_text_add(&word, value);
    sal_text_add(out, " --set ");
    page_shell(out, word.data == NULL ? "" : word.data);
    out->failed = out->failed || word.failed;
    sal_text_clear(&word);
}

/* The value in the place of each {} of the template; the value itself without one. */
static void add_axis_setting(sal_text *out, const sal_xml *axis, const char *value)
{
    const char *template = attribute(axis, "template");
    sal_text text = {0};
    if (template[0] == 0) {
        template = "{}";
    }
    for (const char *s = template; *s != 0;) {
        const char *hole = strstr(s, "{}");
        sal_text_addn(&text, s, hole == NULL ? strlen(s) : (size_t)(hole - s));
        sal_text_add(&text, hole == NULL ? "" : value);
        s = hole == NULL ? s + strlen(s) : hole + 2;
    }
    add_setting(out, attribute(axis, "path"), text.data == NULL ? "" : text.data);
    out->failed = out->failed || text.failed;
    sal_text_clear(&text);
}

/* In the order in which a sweep sets them: what all cells have, the axes, the repeat. */
static void add_settings(const page_page *p, int cell)
{
    const sal_sweep_view *v = p->view;
    const sal_xml *repeat = sal_xml_child(p->sweep.root, "repeat");
    for (const sal_xml *e = p->sweep.root->child; e != NULL; e = e->next) {
        if (strcmp(e->tag, "set") == 0) {
            add_setting(p->out, attribute(e, "path"), attribute(e, "value"));
        }
    }
    for (int k = 0; k < v->naxis; k++) {
        const sal_xml *axis = axis_element(p, k);
        if (axis != NULL && attribute(axis, "path")[0] != 0) {
            add_axis_setting(p->out, axis, v->value[cell * v->naxis + k]);
        }
    }
    if (repeat != NULL) {
        const char *path = attribute(repeat, "path");
        const int first = sal_text_whole(attribute(repeat, "first"));
        char number[24];
        snprintf(number, sizeof number, "%d", (first < 0 ? 1 : first) + v->repeat[cell]);
        add_setting(p->out, path[0] == 0 ? "init/seed" : path, number);
    }
}

/* Whether the values of a <continuation>'s axis differ between two cells. */
static bool goes_along(const page_page *p, const sal_xml *continuation, int from, int to)
{
    const sal_sweep_view *v = p->view;
    for (int k = 0; k < v->naxis; k++) {
        if (strcmp(attribute(continuation, "axis"), v->axis[k]) == 0) {
            return strcmp(v->value[from * v->naxis + k], v->value[to * v->naxis + k]) != 0;
        }
    }
    return false;
}

/* What a cell that begins with the motion of another sets besides. */
static void add_start(const page_page *p, int cell, const char *from)
{
    const sal_sweep_view *v = p->view;
    char path[4096];
    int before = 0;
    while (before < v->ncell && strcmp(v->hash[before], from) != 0) {
        before++;
    }
    for (const sal_xml *e = before < v->ncell ? p->sweep.root->child : NULL; e != NULL;
         e = e->next) {
        if (strcmp(e->tag, "continuation") == 0 && goes_along(p, e, before, cell)) {
            const char *noise = attribute(e, "noise"), *nstart = attribute(e, "nstart"),
                       *softness = attribute(e, "softness");
            add_setting(p->out, "init/noise", noise[0] == 0 ? "0" : noise);
            add_setting(p->out, "init/nstart", nstart[0] == 0 ? "1" : nstart);
            if (softness[0] != 0) {
                add_setting(p->out, "solver/softness", softness);
            }
            break;
        }
    }
    sal_sweep_motion(path, sizeof path, v->folder, from);
    add_setting(p->out, "init/result", path);
}

void page_solve_command(const page_page *p, int cell)
{
    const char *from = p->view->record[cell].from;
    if (p->sweep.root == NULL) {
        return;
    }
    sal_text_add(p->out, "<code>saltus solve ");
    page_shell(p->out, attribute(p->sweep.root, "problem"));
    add_settings(p, cell);
    if (from[0] != 0) {
        add_start(p, cell, from);
    }
    sal_text_add(p->out, "</code>");
}
