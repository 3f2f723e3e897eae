/* draft_text.c: names, numbers and lists of words as a problem file has them. */
#include "base/house.h"
#include "guide/draft.h"
#include "problems/integrator.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MARGIN = 98, INDENT = 12 };

gde_words gde_words_begin(sal_text *out, size_t column, const char *name)
{
    sal_text_format(out, " %s=\"", name);
    return (gde_words){.out = out, .column = column + strlen(name) + 3};
}

void gde_word(gde_words *w, const char *word)
{
    const size_t n = strlen(word) + 1;
    const bool fits = w->column + n < MARGIN;
    sal_text_add(w->out, w->n == 0 ? "" : fits ? " " : "\n            ");
    w->column = (fits ? w->column : INDENT) + n;
    w->n++;
    sal_xml_escape(w->out, word);
}

static void add_number(gde_words *w, int digits, double x)
{
    char text[32];
    snprintf(text, sizeof text, "%.*g", digits, fabs(x) < 1e-9 ? 0 : x); /* rounding of a pose */
    gde_word(w, text);
}

void gde_number_word(gde_words *w, double x)
{
    add_number(w, 4, x);
}

void gde_exact_word(gde_words *w, double x)
{
    add_number(w, 7, x);
}

void gde_words_end(gde_words *w)
{
    sal_text_add(w->out, "\"");
}

const char *gde_name(const sal_model *m, sal_object type, int id, char text[GDE_NAME])
{
    const char *name = sal_model_name(m, type, id);
    const bool word = name[0] != 0 && name[strcspn(name, " \t\r\n")] == 0 && name[0] != '#' &&
                      strlen(name) < GDE_NAME - 2 && sal_model_find(m, type, name) == id;
    if (word) {
        snprintf(text, GDE_NAME, "%s", name);
    } else {
        snprintf(text, GDE_NAME, "#%d", id);
    }
    return text;
}

const char *gde_key_name(const sal_model *m, int key, char text[GDE_NAME])
{
    const char *name = sal_model_name(m, SAL_OBJ_KEY, key);
    return name[0] != 0 ? name : gde_name(m, SAL_OBJ_KEY, key, text);
}

void gde_attribute(sal_text *out, const char *name, const char *value)
{
    sal_text_format(out, " %s=\"", name);
    sal_xml_escape(out, value);
    sal_text_add(out, "\"");
}

double gde_rounded(double x)
{
    char text[32];
    const char *end;
    snprintf(text, sizeof text, "%.2g", x);
    sal_text_number(text, &end, &x);
    return x;
}

void gde_note(gde_draft *f, const char *format, ...)
{
    char line[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(line, sizeof line, format, args);
    va_end(args);
    sal_text_add(&f->notes, line);
    sal_text_add(&f->notes, "\n");
}

static void write_notes(const gde_draft *f, sal_text *out)
{
    for (const char *line = f->notes.data; line != NULL && *line != 0;) {
        const size_t n = strcspn(line, "\n");
        char text[1024];
        snprintf(text, sizeof text, "%.*s", (int)n, line);
        for (char *dash = text; (dash = strstr(dash, "--")) != NULL; dash++) {
            dash[1] = dash[2] == 0 ? 0 : ' '; /* two hyphens may not stand in a comment */
        }
        sal_text_format(out, "     - %s\n", text);
        line += n + 1;
    }
}

void gde_write_opening(const gde_draft *f, sal_text *out, const char *named, const char *model)
{
    const char *slash = strrchr(named, '/'), *base = slash == NULL ? named : slash + 1;
    char name[GDE_NAME], why[300];
    write_notes(f, out);
    sal_text_add(out, "-->\n<problem");
    snprintf(name, sizeof name, "%.*s", (int)fmin((double)strcspn(base, "."), GDE_NAME - 1), base);
    if (name[0] != 0) {
        gde_attribute(out, "name", name);
    }
    sal_text_add(out, ">\n  <model");
    gde_attribute(out, "file", model);
    if (f->m->mujoco != SAL_MUJOCO_314) {
        gde_attribute(out, "compat", sal_mujoco_name(f->m->mujoco));
    }
    sal_text_add(out, "/>\n");
    if (!prb_integrator_is_invertible(f->m, why)) {
        sal_text_add(out, "  <override path=\"option/integrator\" value=\"Euler\"/>  <!-- the "
                          "model's own integrator has no inverse -->\n");
    }
}
