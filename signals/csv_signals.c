/* Signals in comma-separated values: the first line names the columns, with their units behind the
 * name in brackets if they have one: hip[deg]. A first line of nothing but numbers is no header:
 * columns are then named by their places. */
#include "signals/reader.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

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

/* What the first line shows when it is a header of another format. */
static const char *wrong_header(const sig_signals *s, size_t begin, size_t end)
{
    const char *line = s->source.data + begin;
    if (s->ncol == 1 &&
        (memchr(line, ';', end - begin) != NULL || memchr(line, '\t', end - begin) != NULL)) {
        return "the cells are not separated by commas";
    }
    return NULL;
}

static sal_status read_header(sig_signals *s, size_t *at, sal_diag *diag, sal_err *err)
{
    const sal_source *source = &s->source;
    const size_t begin = *at;
    sal_status status = sig_columns(s, sig_cell_count(source, begin, ','), err);
    for (int i = 0; i < s->ncol && status == SAL_OK; i++) {
        const sig_cell c = sig_cell_next(source, *at, ',');
        sal_place place = sig_cell_place(source, &c);
        const size_t n = split_unit(source->data + c.begin, place.length, s->column[i].unit);
        if (c.broken) {
            sal_diag_error(diag, place, NULL, "the quotes of this name do not match");
        } else if (n == 0) {
            place.length = 1;
            sal_diag_error(diag, place, NULL, "column %d has no name", i + 1);
        }
        status = sig_name(s, i, source->data + c.begin, n, "", place, err);
        *at = c.next;
    }
    const char *wrong = status == SAL_OK ? wrong_header(s, begin, *at) : NULL;
    if (wrong != NULL) {
        sal_diag_error(diag, s->column[0].place, "the first line names the columns, with commas",
                       "%s", wrong);
    }
    return status == SAL_OK ? sal_diag_status(diag, err) : status;
}

/* ---- without a header ---- */

/* Whether every cell of the row that begins at `at` is a number. *ordinal: and they are 0, 1, 2, ..
 * (at least three), which programs write for columns that have no names. */
static bool holds_numbers(const sal_source *source, size_t at, bool *ordinal)
{
    sig_cell c = {0};
    int n = 0;
    *ordinal = true;
    for (; !c.last && n < INT_MAX; n++) {
        double value;
        const char *stop;
        c = sig_cell_next(source, at, ',');
        at = c.next;
        if (c.begin == c.end || !sal_text_number(source->data + c.begin, &stop, &value) ||
            stop != source->data + c.end) {
            return false;
        }
        *ordinal = *ordinal && fabs(value - n) <= 0;
    }
    *ordinal = *ordinal && n >= 3;
    return true;
}

/* column1, column2, .. of the row that begins at `at`, which stays a row. */
static sal_status number_columns(sig_signals *s, size_t at, sal_err *err)
{
    sal_status status = sig_columns(s, sig_cell_count(&s->source, at, ','), err);
    for (int i = 0; i < s->ncol && status == SAL_OK; i++) {
        const sig_cell c = sig_cell_next(&s->source, at, ',');
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

/* A column that is called so is probably the time. */
static int find_time(const sig_signals *s)
{
    static const char *const names[] = {"time", "t", "Time", "T", "timestamp"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const int column = sig_find(s, names[i]);
        if (column >= 0 && !s->column[column].text) {
            return column;
        }
    }
    return -1;
}

sal_status sig_read_csv(sig_signals *s, sal_diag *diag, sal_err *err)
{
    size_t at = sig_cell_start(&s->source);
    if (!sig_cell_find_row(&s->source, &at)) {
        sal_diag_error(diag, (sal_place){&s->source, 0, 1}, "the first line names the columns",
                       "the file is empty");
        return sal_diag_status(diag, err);
    }
    bool ordinal;
    s->headless = holds_numbers(&s->source, at, &ordinal);
    if (s->headless && ordinal) {
        sal_diag_warning(diag, (sal_place){&s->source, at, 1},
                         "if these numbers are names of columns, remove this line",
                         "the first line holds the numbers 0, 1, 2, ..; it is read as data");
    }
    sal_status status = s->headless ? number_columns(s, at, err) : read_header(s, &at, diag, err);
    if (status == SAL_OK) {
        const sig_signal_table table = {.at = at, .separator = ',', .words = true};
        status = sig_signals_table(s, &table, diag, err);
    }
    s->time = status == SAL_OK ? find_time(s) : -1;
    return status;
}
