#include "problems/csv.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

#define FILE_LIMIT ((size_t)1 << 34)

/* ---- cells ---- */

typedef struct cell {
    size_t begin, end; /* of its content: without quotes and surrounding blanks */
    bool quoted;
    bool last;   /* of its row */
    bool broken; /* a quote without its partner, or text beside quotes */
    size_t next; /* where the next cell, or the next row, begins */
} cell;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* Moves behind the closing quote; `at` stands behind the opening one. False at the end of the text. */
static bool skip_quoted(const sal_source *s, size_t *at)
{
    while (*at < s->length) {
        if (s->data[*at] == '"' && s->data[*at + 1] != '"') {
            (*at)++;
            return true;
        }
        *at += s->data[*at] == '"' ? 2 : 1;
    }
    return false;
}

static cell next_cell(const sal_source *s, size_t at)
{
    cell c = {0};
    while (at < s->length && is_blank(s->data[at])) {
        at++;
    }
    c.begin = at;
    if (at < s->length && s->data[at] == '"') {
        c.quoted = true;
        c.begin = ++at;
        c.broken = !skip_quoted(s, &at);
        c.end = c.broken ? at : at - 1;
        while (at < s->length && is_blank(s->data[at])) {
            at++;
        }
        c.broken = c.broken || (at < s->length && s->data[at] != ',' && s->data[at] != '\n');
    }
    while (at < s->length && s->data[at] != ',' && s->data[at] != '\n') {
        at++;
    }
    if (!c.quoted) {
        c.end = at;
        while (c.end > c.begin && is_blank(s->data[c.end - 1])) {
            c.end--;
        }
    }
    c.last = at >= s->length || s->data[at] == '\n';
    c.next = at < s->length ? at + 1 : at;
    return c;
}

/* Moves over blank lines; false at the end. */
static bool find_row(const sal_source *s, size_t *at)
{
    for (size_t i = *at; i < s->length; i++) {
        if (s->data[i] == '\n') {
            *at = i + 1;
        } else if (!is_blank(s->data[i])) {
            return true;
        }
    }
    return false;
}

static sal_place place_of(const sal_source *s, const cell *c)
{
    return (sal_place){s, c->begin, c->end - c->begin};
}

/* ---- the header ---- */

static int count_cells(const sal_source *s, size_t at)
{
    int n = 0;
    for (cell c = {0}; !c.last && n < INT_MAX; n++) {
        c = next_cell(s, at);
        at = c.next;
    }
    return n;
}

/* Copies a cell's content, "" as ", and returns where the next copy goes. */
static char *copy_name(char *to, const sal_source *s, const cell *c)
{
    for (size_t i = c->begin; i < c->end; i++) {
        *to++ = s->data[i];
        i += c->quoted && s->data[i] == '"';
    }
    *to++ = 0;
    return to;
}

static sal_status read_header(sal_csv *csv, sal_diag *diag, sal_err *err)
{
    const sal_source *s = &csv->source;
    static const char mark[] = "\xEF\xBB\xBF"; /* some programs begin UTF-8 files with it */
    size_t at = s->length >= 3 && memcmp(s->data, mark, 3) == 0 ? 3 : 0;
    if (!find_row(s, &at)) {
        sal_diag_error(diag, (sal_place){s, 0, 1}, "the first line names the columns",
                       "the table is empty");
        return sal_diag_status(diag, err);
    }
    csv->ncol = count_cells(s, at);
    csv->column = sal_alloc((size_t)csv->ncol, sizeof(sal_csv_column));
    csv->names = sal_alloc(s->length + (size_t)csv->ncol + 1, 1);
    if (csv->column == NULL || csv->names == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the columns of '%.300s'", s->path);
    }
    char *name = csv->names;
    for (int i = 0; i < csv->ncol; i++) {
        const cell c = next_cell(s, at);
        csv->column[i] = (sal_csv_column){name, place_of(s, &c)};
        name = copy_name(name, s, &c);
        at = c.next;
        if (c.broken) {
            sal_diag_error(diag, csv->column[i].place, NULL,
                           "the quotes of this name do not match");
        } else if (csv->column[i].name[0] == 0) {
            sal_diag_error(diag, csv->column[i].place, NULL, "column %d has no name", i + 1);
        }
    }
    csv->body = at;
    return sal_diag_status(diag, err);
}

sal_status sal_csv_open(sal_csv *csv, const char *path, sal_diag *diag, sal_err *err)
{
    const size_t n = strlen(path);
    *csv = (sal_csv){0};
    sal_status status =
        sal_text_read_file(path, FILE_LIMIT, &csv->source.data, &csv->source.length, err);
    if (status != SAL_OK) {
        return status;
    }
    csv->source.path = sal_alloc(n + 1, 1);
    if (csv->source.path == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory");
    }
    memcpy(csv->source.path, path, n);
    return read_header(csv, diag, err);
}

void sal_csv_clear(sal_csv *csv)
{
    sal_free(csv->source.path);
    sal_free(csv->source.data);
    sal_free(csv->column);
    sal_free(csv->names);
    *csv = (sal_csv){0};
}

/* ---- rows ---- */

static void read_number(const sal_csv *csv, int column, const cell *c, double *value,
                        sal_diag *diag)
{
    const sal_source *s = &csv->source;
    const char *end = NULL;
    sal_place place = place_of(s, c);
    if (c->begin == c->end) {
        place.length = 1;
        sal_diag_error(diag, place, NULL, "the cell of column '%.80s' is empty",
                       csv->column[column].name);
    } else if (c->broken || !sal_text_number(s->data + c->begin, &end, value) ||
               end != s->data + c->end) {
        sal_diag_error(diag, place, NULL, "'%.*s' is not a number (column '%.80s')",
                       (int)(place.length < 60 ? place.length : 60), s->data + c->begin,
                       csv->column[column].name);
    }
}

/* The cells of one row into row[] at the place that slot[column] tells (-1: not wanted). Returns where the next begins. */
static size_t read_row(const sal_csv *csv, size_t at, const int *slot, double *row, sal_diag *diag)
{
    const sal_source *s = &csv->source;
    cell c = {0};
    int n = 0;
    const size_t begin = at;
    for (; !c.last; n++) {
        c = next_cell(s, at);
        at = c.next;
        if (n < csv->ncol && slot[n] >= 0) {
            read_number(csv, n, &c, row + slot[n], diag);
        }
    }
    if (n != csv->ncol) {
        sal_diag_error(diag, (sal_place){s, begin, c.end - begin}, NULL,
                       "this row has %d cell%s, but the header names %d column%s", n,
                       n == 1 ? "" : "s", csv->ncol, csv->ncol == 1 ? "" : "s");
    }
    return at;
}

/* Rows there can be at most: lines that are not blank. */
static size_t count_rows(const sal_csv *csv)
{
    const sal_source *s = &csv->source;
    size_t n = 0;
    for (size_t at = csv->body; find_row(s, &at); n++) {
        const char *end = memchr(s->data + at, '\n', s->length - at);
        at = end == NULL ? s->length : (size_t)(end - s->data) + 1;
    }
    return n;
}

sal_status sal_csv_read(const sal_csv *csv, const int *pick, int npick, double **data,
                        sal_place **rows, int *nrow, sal_diag *diag, sal_err *err)
{
    const size_t most = count_rows(csv);
    int *slot = sal_alloc((size_t)csv->ncol, sizeof(int));
    sal_place *places = sal_alloc(rows == NULL ? 1 : most, sizeof(sal_place));
    double *numbers = most > INT_MAX / 2 ? NULL : sal_alloc(most, (size_t)npick * sizeof(double));
    size_t n = 0;
    sal_status status = SAL_OK;
    if (slot == NULL || places == NULL || numbers == NULL) {
        status = sal_fail(err, SAL_NOMEM, "out of memory for the %zu rows of '%.300s'", most,
                          csv->source.path);
        goto done;
    }
    for (int i = 0; i < csv->ncol; i++) {
        slot[i] = -1;
    }
    for (int i = 0; i < npick; i++) {
        slot[pick[i]] = i;
    }
    for (size_t at = csv->body; find_row(&csv->source, &at); n++) {
        const size_t begin = at;
        at = read_row(csv, at, slot, numbers + n * (size_t)npick, diag);
        if (rows != NULL) {
            places[n] = (sal_place){&csv->source, begin, 1};
        }
    }
    status = sal_diag_status(diag, err);
done:
    sal_free(slot);
    if (status != SAL_OK || rows == NULL) {
        sal_free(places);
        places = NULL;
    }
    if (status != SAL_OK) {
        sal_free(numbers);
        numbers = NULL;
    }
    *data = numbers;
    *nrow = status == SAL_OK ? (int)n : 0;
    if (rows != NULL) {
        *rows = places;
    }
    return status;
}
