/* Signals in comma-separated values, or others (csv_layout.h): the first line names the columns,
 * with their units behind the name in brackets if they have one, hip[deg], or in a line of their
 * own. A first line of nothing but numbers is no header: columns are then named by their places. */
#include "signals/csv_layout.h"
#include "signals/reader.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* "hip [deg]" -> the length of "hip", and the unit; a unit that does not fit is part of the
 * name. */
static size_t split_unit(const char *name, size_t n, char unit[16])
{
    const int last = n > 0 ? name[n - 1] : 0;
    const int bracket = last == ']' ? '[' : last == ')' ? '(' : 0;
    size_t open = n;
    while (bracket != 0 && open > 0 && name[open - 1] != bracket) {
        open--;
    }
    if (bracket == 0 || open < 2 || n - 1 - open >= 16) {
        return n;
    }
    memcpy(unit, name + open, n - 1 - open);
    unit[n - 1 - open] = 0;
    open--;
    while (open > 0 && (name[open - 1] == ' ' || name[open - 1] == '\t')) {
        open--;
    }
    return open;
}

/* ---- with a header ---- */

static int count_columns(const sig_signals *s, const sig_csv_layout *l, size_t at)
{
    return sig_cell_count(&s->source, at, l->separator) - l->trailing;
}

/* The first column may have no name: programs number the rows there. */
static bool is_nameless_index(const sig_signals *s, int i, const sig_cell *c)
{
    return i == 0 && s->ncol > 1 && c->begin == c->end && !c->broken;
}

static size_t line_behind(const sal_source *s, size_t at)
{
    const char *end = memchr(s->data + at, '\n', s->length - at);
    return end == NULL ? s->length : (size_t)(end - s->data) + 1;
}

static sal_status read_header(sig_signals *s, const sig_csv_layout *l, size_t *at, sal_diag *diag,
                              sal_err *err)
{
    const sal_source *source = &s->source;
    const size_t begin = *at;
    sal_status status = sig_columns(s, count_columns(s, l, begin), err);
    for (int i = 0; i < s->ncol && status == SAL_OK; i++) {
        const sig_cell c = sig_cell_next(source, *at, l->separator);
        sal_place place = sig_cell_place(source, &c);
        char *unit = s->column[i].unit, index[20] = "";
        const size_t n = split_unit(source->data + c.begin, place.length, unit);
        if (sal_text_whole(unit) >= 0) { /* q[0], q[1] .. are an array */
            snprintf(index, sizeof index, "_%.16s", unit);
            unit[0] = 0;
        }
        *at = c.next;
        if (is_nameless_index(s, i, &c)) {
            status = sig_name(s, i, "column1", 7, "", place, err);
            sal_text_add(&s->remark, "the first column has no name: it is called column1\n");
            continue;
        }
        if (c.broken) {
            sal_diag_error(diag, place, NULL, "the quotes of this name do not match");
        } else if (n == 0) {
            place.length = 1;
            sal_diag_error(diag, place, NULL, "column %d has no name", i + 1);
        }
        status = sig_name(s, i, source->data + c.begin, n, index, place, err);
    }
    *at = l->trailing ? line_behind(source, *at > begin ? *at - 1 : begin) : *at;
    return status == SAL_OK ? sal_diag_status(diag, err) : status;
}

/* "[rad]", "(rad)", "rad" -> rad; false: a cell that is no unit and not empty or a dash. */
static bool take_unit(const sal_source *s, const sig_cell *c, char unit[16])
{
    const char *text = s->data + c->begin;
    size_t n = c->end - c->begin;
    const bool brackets = n > 2 && (text[0] == '[' || text[0] == '(');
    char dimension = 0;
    text += brackets;
    n -= brackets ? 2 : 0;
    unit[0] = 0;
    if (n >= 16 || c->broken) {
        return false;
    }
    memcpy(unit, text, n);
    unit[n] = 0;
    if (sig_unit(unit, &dimension) > 0) {
        return true;
    }
    const bool none = n == 0 || (n == 1 && text[0] == '-');
    unit[0] = 0;
    return none;
}

/* A line of units below that of names: nothing else stands in it, and one unit at least. Moves over
 * it. */
static void read_units(sig_signals *s, const sig_csv_layout *l, size_t *at)
{
    const sal_source *source = &s->source;
    for (int pass = 0; pass < 2; pass++) {
        size_t next = *at;
        bool any = false;
        if (!sig_cell_find_row(source, &next) || count_columns(s, l, next) != s->ncol) {
            return;
        }
        for (int i = 0; i < s->ncol; i++) {
            const sig_cell c = sig_cell_next(source, next, l->separator);
            char unit[16];
            if (!take_unit(source, &c, unit)) {
                return;
            }
            any = any || unit[0] != 0;
            if (pass == 1 && s->column[i].unit[0] == 0) {
                memcpy(s->column[i].unit, unit, sizeof unit);
            }
            next = c.next;
        }
        if (!any) {
            return;
        }
        *at = pass == 1 ? line_behind(source, next > 0 ? next - 1 : 0) : *at;
    }
}

/* ---- without a header ---- */

/* Whether every cell of the row that begins at `at` is a number. *ordinal: and they are 0, 1, 2, ..
 * (at least three), which programs write for columns that have no names. */
static bool holds_numbers(const sal_source *source, const sig_csv_layout *l, size_t at,
                          bool *ordinal)
{
    sig_cell c = {0};
    int n = 0;
    *ordinal = true;
    for (; !c.last && n < INT_MAX; n++) {
        double value;
        c = sig_cell_next(source, at, l->separator);
        at = c.next;
        if (l->trailing && c.last) {
            break;
        }
        if (!sig_csv_number(source, &c, l->decimal, &value)) {
            return false;
        }
        *ordinal = *ordinal && fabs(value - n) <= 0;
    }
    *ordinal = *ordinal && n >= 3;
    return true;
}

/* column1, column2, .. of the row that begins at `at`, which stays a row. */
static sal_status number_columns(sig_signals *s, const sig_csv_layout *l, size_t at, sal_err *err)
{
    sal_status status = sig_columns(s, count_columns(s, l, at), err);
    for (int i = 0; i < s->ncol && status == SAL_OK; i++) {
        const sig_cell c = sig_cell_next(&s->source, at, l->separator);
        char name[24];
        const int n = snprintf(name, sizeof name, "column%d", i + 1);
        status = sig_name(s, i, name, (size_t)n, "", sig_cell_place(&s->source, &c), err);
        at = c.next;
    }
    sal_text_format(&s->remark,
                    "the first line holds numbers, not names: the columns are named by their "
                    "places, column1 to column%d\n",
                    s->ncol);
    return status;
}

/* ---- the table ---- */

/* A column of numbers of that name, whatever its letters' case; -1: there is none. */
static int find_numbers(const sig_signals *s, const char *name)
{
    for (int k = 0; k < s->ncol; k++) {
        if (strcasecmp(s->column[k].name, name) == 0 && !s->column[k].text) {
            return k;
        }
    }
    return -1;
}

/* A column that is called so is probably the time; the end of its name may say its unit. */
static int find_time(const sig_signals *s)
{
    char name[24];
    const char *unit;
    int column = -1;
    for (int i = 0; column < 0 && sig_time_name(i, name, &unit); i++) {
        column = find_numbers(s, name);
        if (column >= 0 && s->column[column].unit[0] == 0) {
            snprintf(s->column[column].unit, sizeof s->column[column].unit, "%s", unit);
        }
    }
    return column;
}

/* Lines may end in CR alone. */
static void end_lines(sal_source *s)
{
    const bool ended = memchr(s->data, '\n', s->length) != NULL;
    for (size_t i = 0; i < s->length && !ended; i++) {
        if (s->data[i] == '\r') {
            s->data[i] = '\n';
        }
    }
}

sal_status sig_read_csv(sig_signals *s, sal_diag *diag, sal_err *err)
{
    end_lines(&s->source);
    const sig_csv_layout l = sig_csv_find_layout(&s->source, sig_cell_start(&s->source));
    size_t at = l.at;
    if (!sig_cell_find_row(&s->source, &at)) {
        sal_diag_error(diag, (sal_place){&s->source, 0, 1}, "the first line names the columns",
                       "the file is empty");
        return sal_diag_status(diag, err);
    }
    bool ordinal;
    s->headless = holds_numbers(&s->source, &l, at, &ordinal);
    if (s->headless && ordinal) {
        sal_diag_warning(diag, (sal_place){&s->source, at, 1},
                         "if these numbers are names of columns, remove this line",
                         "the first line holds the numbers 0, 1, 2, ..; it is read as data");
    }
    sal_status status =
        s->headless ? number_columns(s, &l, at, err) : read_header(s, &l, &at, diag, err);
    if (status == SAL_OK && !s->headless) {
        read_units(s, &l, &at);
    }
    if (status == SAL_OK) {
        const sig_signal_table table = {.at = at,
                                        .separator = l.separator,
                                        .words = true,
                                        .slack = l.separator != ' ',
                                        .decimal = l.decimal,
                                        .comments = true};
        status = sig_signals_table(s, &table, diag, err);
    }
    s->time = status == SAL_OK ? find_time(s) : -1;
    return status;
}
