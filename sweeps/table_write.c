/* Tables as text: CSV, JSON, Markdown. */
#include "base/house.h"
#include "signals/condition.h"
#include "sweeps/table.h"

#include <math.h>
#include <string.h>

static const sal_value *value_at(const sal_table *t, int row, int column)
{
    return t->value + (size_t)row * (size_t)t->ncol + column;
}

static void add_value(sal_text *out, const sal_value *v, int digits)
{
    if (v->text != NULL) {
        sal_text_add(out, v->text);
    } else if (!isnan(v->number)) {
        sal_text_real(out, v->number, digits);
    }
}

/* ---- CSV ---- */

/* In quotes where commas, quotes, line ends or blanks around would be misread; quotes doubled */
static void csv_field(sal_text *out, const char *text)
{
    const size_t n = strlen(text);
    const bool plain =
        strpbrk(text, ",\"\r\n") == NULL && (n == 0 || (text[0] != ' ' && text[n - 1] != ' '));
    if (plain) {
        sal_text_add(out, text);
        return;
    }
    sal_text_add(out, "\"");
    for (const char *c = text; *c != 0; c++) {
        sal_text_addn(out, "\"\"", *c == '"' ? 1 : 0);
        sal_text_addn(out, c, 1);
    }
    sal_text_add(out, "\"");
}

static void write_csv(sal_text *out, const sal_table *t)
{
    for (int k = 0; k < t->ncol; k++) {
        sal_text_add(out, k == 0 ? "" : ",");
        csv_field(out, t->name[k]);
    }
    sal_text_add(out, "\n");
    for (int i = 0; i < t->nrow; i++) {
        for (int k = 0; k < t->ncol; k++) {
            const sal_value *v = value_at(t, i, k);
            sal_text_add(out, k == 0 ? "" : ",");
            if (v->text != NULL) {
                csv_field(out, v->text);
            } else {
                add_value(out, v, 0);
            }
        }
        sal_text_add(out, "\n");
    }
}

/* ---- JSON ---- */

static void write_json(sal_text *out, const sal_table *t)
{
    sal_json json = {.out = out};
    sal_json_array(&json, NULL);
    for (int i = 0; i < t->nrow; i++) {
        sal_text_add(out, i == 0 ? "\n" : "");
        sal_json_object(&json, NULL);
        for (int k = 0; k < t->ncol; k++) {
            const sal_value *v = value_at(t, i, k);
            if (v->text == NULL || isfinite(v->number)) {
                sal_json_number(&json, t->name[k], v->number);
            } else {
                sal_json_string(&json, t->name[k], v->text[0] == 0 ? NULL : v->text);
            }
        }
        sal_json_end(&json);
        sal_text_add(out, "\n");
    }
    sal_json_end(&json);
    sal_text_add(out, "\n");
}

/* ---- Markdown ---- */

enum { SHORT_DIGITS = 6, SHORT_TEXT = 8 };

/* A cell's text on one line, | escaped; numbers shortened. */
static void markdown_field(sal_text *out, const sal_value *v)
{
    sal_text plain = {0};
    const bool shortened = v->text != NULL && isfinite(v->number) && strlen(v->text) > SHORT_TEXT;
    const sal_value number = sig_value_number(v->number);
    add_value(&plain, shortened ? &number : v, SHORT_DIGITS);
    for (const char *c = plain.data; c != NULL && *c != 0; c++) {
        sal_text_addn(out, "\\", *c == '|' ? 1 : 0);
        sal_text_addn(out, *c == '\n' || *c == '\r' || *c == '\t' ? " " : c, 1);
    }
    out->failed = out->failed || plain.failed;
    sal_text_clear(&plain);
}

static int width_of(const char *text, size_t n)
{
    int width = 0;
    for (size_t i = 0; i < n; i++) {
        width += ((unsigned char)text[i] & 0xC0U) != 0x80U; /* bytes that begin a character */
    }
    return width;
}

static void pad(sal_text *out, int n, const char *with)
{
    for (int i = 0; i < n; i++) {
        sal_text_add(out, with);
    }
}

typedef struct layout {
    int *width;    /* [ncol] */
    bool *number;  /* [ncol] all that is there are numbers: to the right */
    sal_text text; /* of all fields, and the heading's first */
    size_t *end;   /* [(nrow + 1) x ncol] in text */
} layout;

static bool lay_out(layout *l, const sal_table *t)
{
    const size_t ncol = (size_t)t->ncol;
    l->width = sal_alloc(ncol, sizeof *l->width);
    l->number = sal_alloc(ncol, sizeof *l->number);
    l->end = sal_alloc(((size_t)t->nrow + 1) * ncol, sizeof *l->end);
    if (l->width == NULL || l->number == NULL || l->end == NULL) {
        return false;
    }
    for (int k = 0; k < t->ncol; k++) {
        l->width[k] = 3; /* of the rule under the headings, at least */
    }
    for (int i = -1; i < t->nrow; i++) {
        for (int k = 0; k < t->ncol; k++) {
            const sal_value heading = {t->name[k], (double)NAN},
                            *v = i < 0 ? &heading : value_at(t, i, k);
            const size_t begin = l->text.length;
            markdown_field(&l->text, v);
            const int width =
                l->text.failed ? 0 : width_of(l->text.data + begin, l->text.length - begin);
            l->end[(size_t)(i + 1) * ncol + (size_t)k] = l->text.length;
            l->width[k] = width > l->width[k] ? width : l->width[k];
            l->number[k] = i < 0 || (l->number[k] &&
                                     (!isnan(v->number) || v->text == NULL || v->text[0] == 0));
        }
    }
    return !l->text.failed;
}

static void markdown_rule(sal_text *out, const layout *l, int ncol)
{
    for (int k = 0; k < ncol; k++) {
        sal_text_add(out, k == 0 ? "| " : " | ");
        pad(out, l->width[k] - 1, "-");
        sal_text_add(out, l->number[k] ? ":" : "-");
    }
    sal_text_add(out, " |\n");
}

static void write_markdown(sal_text *out, const sal_table *t)
{
    layout l = {0};
    if (!lay_out(&l, t)) {
        out->failed = true;
    }
    size_t begin = 0;
    for (int i = 0; i < t->nrow + 1 && !out->failed; i++) {
        for (int k = 0; k < t->ncol; k++) {
            const size_t end = l.end[(size_t)i * (size_t)t->ncol + (size_t)k];
            const int blanks = l.width[k] - width_of(l.text.data + begin, end - begin);
            sal_text_add(out, k == 0 ? "| " : " | ");
            pad(out, l.number[k] ? blanks : 0, " ");
            sal_text_addn(out, l.text.data + begin, end - begin);
            pad(out, l.number[k] ? 0 : blanks, " ");
            begin = end;
        }
        sal_text_add(out, " |\n");
        if (i == 0) {
            markdown_rule(out, &l, t->ncol);
        }
    }
    sal_text_clear(&l.text);
    sal_free(l.width);
    sal_free(l.number);
    sal_free(l.end);
}

void sal_table_write(sal_text *out, const sal_table *t, sal_table_format format)
{
    switch (format) {
    case SAL_TABLE_CSV:
        write_csv(out, t);
        return;
    case SAL_TABLE_JSON:
        write_json(out, t);
        return;
    case SAL_TABLE_MARKDOWN:
        break;
    }
    write_markdown(out, t);
}
