/* Signals in comma-separated values: the first line names the columns, with their units behind the
 * name in brackets if they have one: hip[deg]. */
#include "signals/reader.h"

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

/* What the first line shows when it is no header, or one of another format. */
static const char *wrong_header(const sig_signals *s, size_t at, size_t end)
{
    const sal_source *source = &s->source;
    bool numbers = true;
    size_t begin = at;
    for (sig_cell c = {0}; !c.last && numbers;) {
        double value;
        const char *stop;
        c = sig_cell_next(source, at, ',');
        at = c.next;
        numbers = c.begin < c.end && sal_text_number(source->data + c.begin, &stop, &value) &&
                  stop == source->data + c.end;
    }
    if (numbers) {
        return "the first line holds numbers, but no names of columns";
    }
    if (s->ncol == 1 && (memchr(source->data + begin, ';', end - begin) != NULL ||
                         memchr(source->data + begin, '\t', end - begin) != NULL)) {
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
    sal_status status = read_header(s, &at, diag, err);
    if (status == SAL_OK) {
        const sig_signal_table table = {.at = at, .separator = ',', .words = true};
        status = sig_signals_table(s, &table, diag, err);
    }
    s->time = status == SAL_OK ? find_time(s) : -1;
    return status;
}
