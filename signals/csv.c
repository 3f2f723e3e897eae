#include "signals/csv.h"

#include "signals/cell.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

#define FILE_LIMIT ((size_t)1 << 30)

/* ---- the header ---- */

/* Copies a cell's content, "" as ", and returns where the next copy goes. */
static char *copy_name(char *to, const sal_source *s, const sig_cell *c)
{
    for (size_t i = c->begin; i < c->end; i++) {
        *to++ = s->data[i];
        i += c->quoted && s->data[i] == '"';
    }
    *to++ = 0;
    return to;
}

static sal_status read_header(sig_csv *csv, sal_diag *diag, sal_err *err)
{
    const sal_source *s = &csv->source;
    size_t at = sig_cell_start(s);
    if (!sig_cell_find_row(s, &at)) {
        sal_diag_error(diag, (sal_place){s, 0, 1}, "the first line names the columns",
                       "the table is empty");
        return sal_diag_status(diag, err);
    }
    csv->ncol = sig_cell_count(s, at, ',');
    csv->column = sal_alloc((size_t)csv->ncol, sizeof(sig_csv_column));
    csv->names = sal_alloc(s->length + (size_t)csv->ncol + 1, 1);
    if (csv->column == NULL || csv->names == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the columns of '%.300s'", s->path);
    }
    char *name = csv->names;
    for (int i = 0; i < csv->ncol; i++) {
        const sig_cell c = sig_cell_next(s, at, ',');
        csv->column[i] = (sig_csv_column){name, sig_cell_place(s, &c)};
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

sal_status sig_csv_open(sig_csv *csv, const char *path, sal_diag *diag, sal_err *err)
{
    const size_t n = strlen(path);
    sal_err why = {0};
    *csv = (sig_csv){0};
    sal_status status =
        sal_text_read_file(path, FILE_LIMIT, &csv->source.data, &csv->source.length, &why);
    if (status == SAL_BADINPUT) {
        sal_diag_error(diag, (sal_place){0}, NULL, "%s", why.message);
    }
    if (status != SAL_OK) {
        return sal_fail(err, status, "%s", why.message);
    }
    csv->source.path = sal_alloc(n + 1, 1);
    if (csv->source.path == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory");
    }
    memcpy(csv->source.path, path, n);
    return sal_diag_check_text(diag, &csv->source) ? read_header(csv, diag, err)
                                                   : sal_diag_status(diag, err);
}

void sig_csv_clear(sig_csv *csv)
{
    sal_free(csv->source.path);
    sal_free(csv->source.data);
    sal_free(csv->column);
    sal_free(csv->names);
    *csv = (sig_csv){0};
}

/* ---- rows ---- */

static void read_number(const sig_csv *csv, int column, const sig_cell *c, double *value,
                        sal_diag *diag)
{
    const sal_source *s = &csv->source;
    const char *end = NULL;
    sal_place place = sig_cell_place(s, c);
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

/* The cells of one row into row[] at the place that slot[column] tells (-1: not wanted). Returns
 * where the next begins. */
static size_t read_row(const sig_csv *csv, size_t at, const int *slot, double *row, sal_diag *diag)
{
    const sal_source *s = &csv->source;
    sig_cell c = {0};
    int n = 0;
    const size_t begin = at;
    for (; !c.last; n++) {
        c = sig_cell_next(s, at, ',');
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

sal_status sig_csv_read(const sig_csv *csv, const int *pick, int npick, double **data,
                        sal_place **rows, int *nrow, sal_diag *diag, sal_err *err)
{
    const size_t most = sig_cell_count_rows(&csv->source, csv->body);
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
    for (size_t at = csv->body; sig_cell_find_row(&csv->source, &at); n++) {
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
