#include "signals/reader.h"
#include "signals/table.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sig_clear(sig_signals *s)
{
    for (int i = 0; s->column != NULL && i < s->ncol; i++) {
        sal_free(s->column[i].name);
        sal_free(s->column[i].joint);
    }
    for (int i = 0; s->marker != NULL && i < s->nmarker; i++) {
        sal_free(s->marker[i]);
    }
    for (int i = 0; s->joint != NULL && i < s->njoint; i++) {
        sal_free(s->joint[i].name);
    }
    sal_free(s->source.path);
    if (s->listing.data == NULL) {
        sal_free(s->source.data);
    }
    sal_text_clear(&s->listing);
    sal_free(s->column);
    sal_free(s->value);
    sal_free(s->row);
    sal_free(s->marker);
    sal_free(s->marker_column);
    sal_free(s->joint);
    sal_text_clear(&s->remark);
    *s = (sig_signals){.time = -1};
}

/* ---- looking up ---- */

int sig_find(const sig_signals *s, const char *name)
{
    for (int i = 0; i < s->ncol; i++) {
        if (strcmp(s->column[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

double sig_time(const sig_signals *s, double rate, int row)
{
    return s->time >= 0 ? s->value[(size_t)row * (size_t)s->ncol + (size_t)s->time]
                        : s->start + row / rate;
}

int sig_find_marker(const sig_signals *s, const char *name)
{
    for (int i = 0; i < s->nmarker; i++) {
        if (strcmp(s->marker[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

const char *sig_nearest(const sig_signals *s, const char *name)
{
    const size_t n = (size_t)s->ncol + (size_t)s->nmarker;
    const char **names = sal_alloc(n, sizeof *names);
    if (names == NULL) {
        return NULL;
    }
    for (int i = 0; i < s->ncol; i++) {
        names[i] = s->column[i].name;
    }
    for (int i = 0; i < s->nmarker; i++) {
        names[s->ncol + i] = s->marker[i];
    }
    const char *nearest = sal_text_nearest(name, names, n);
    sal_free(names);
    return nearest;
}

sal_place sig_signals_cell(const sig_signals *s, int row, int column)
{
    size_t at = s->row[row].offset;
    if (s->separator == 0) {
        return s->row[row];
    }
    for (int i = 0;; i++) {
        const sig_cell c = sig_cell_next(&s->source, at, s->separator);
        if (i == column || c.last) {
            sal_place place = sig_cell_place(&s->source, &c);
            place.length = place.length == 0 ? 1 : place.length;
            return place;
        }
        at = c.next;
    }
}

bool sig_check_time(const sig_signals *s, int column, sal_diag *diag)
{
    const char *name = s->column[column].name;
    double last = -(double)INFINITY;
    bool good = true;
    for (int i = 0; i < s->nrow; i++) {
        const double t = s->value[(size_t)i * (size_t)s->ncol + (size_t)column];
        if (isnan(t)) {
            good = false;
            sal_diag_error(diag, sig_signals_cell(s, i, column), NULL,
                           "this row has no time (column '%.80s')", name);
        } else if (t <= last) {
            good = false;
            sal_diag_error(diag, sig_signals_cell(s, i, column),
                           "recordings put one behind the other belong into files of their own",
                           "the time %s: %.9g comes after %.9g (column '%.80s')",
                           t < last ? "goes back" : "stands still", t, last, name);
        }
        last = isnan(t) ? last : t;
    }
    return good;
}

/* ---- making room ---- */

sal_status sig_columns(sig_signals *s, int n, sal_err *err)
{
    s->column = sal_alloc((size_t)n, sizeof *s->column);
    if (s->column == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the columns of '%.300s'",
                        s->source.path);
    }
    s->ncol = n;
    return SAL_OK;
}

char *sig_word(const char *bytes, size_t n)
{
    char *word = sal_alloc(n + 1, 1);
    for (size_t i = 0; word != NULL && i < n; i++) {
        const unsigned char c = (unsigned char)bytes[i];
        word[i] = (char)(c <= ' ' || c == 0x7F ? '_' : c);
    }
    return word;
}

sal_status sig_name(sig_signals *s, int i, const char *bytes, size_t n, const char *suffix,
                    sal_place place, sal_err *err)
{
    const size_t more = strlen(suffix);
    char *whole = sal_alloc(n + more + 1, 1), *name = NULL;
    if (whole != NULL) {
        memcpy(whole, bytes, n);
        memcpy(whole + n, suffix, more + 1);
        name = sig_word(whole, n + more);
    }
    sal_free(whole);
    sal_free(s->column[i].name);
    s->column[i].name = name;
    s->column[i].place = place;
    return name != NULL ? SAL_OK : sal_fail(err, SAL_NOMEM, "out of memory for a name");
}

sal_status sig_markers(sig_signals *s, int n, sal_err *err)
{
    s->marker = sal_alloc((size_t)n, sizeof *s->marker);
    s->marker_column = sal_alloc((size_t)n, sizeof *s->marker_column);
    if (s->marker == NULL || s->marker_column == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the markers of '%.300s'",
                        s->source.path);
    }
    s->nmarker = n;
    return SAL_OK;
}

sal_status sig_rows(sig_signals *s, size_t n, sal_err *err)
{
    const size_t size = (size_t)s->ncol * sizeof(double);
    const bool fits = n <= INT_MAX / 2 && (s->ncol == 0 || n <= SIZE_MAX / size);
    s->value = fits ? sal_alloc(n, size) : NULL;
    s->row = fits ? sal_alloc(n, sizeof *s->row) : NULL;
    if (s->value == NULL || s->row == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the %zu rows of '%.300s'", n,
                        s->source.path);
    }
    s->nrow = (int)n;
    for (size_t i = 0; i < n * (size_t)s->ncol; i++) {
        s->value[i] = (double)NAN;
    }
    return SAL_OK;
}

/* ---- names ---- */

typedef struct named {
    const char *name;
    int column;
} named;

static int compare_names(const void *a, const void *b)
{
    const named *x = a, *y = b;
    const int order = strcmp(x->name, y->name);
    return order != 0 ? order : (x->column > y->column) - (x->column < y->column);
}

/* Gives all but the first of the columns [n] of one name a number. */
static sal_status number_names(sig_signals *s, const named *same, int n, sal_diag *diag,
                               sal_err *err)
{
    for (int k = 1; k < n; k++) {
        char suffix[16];
        const sig_column *c = s->column + same[k].column;
        snprintf(suffix, sizeof suffix, "#%d", k + 1);
        sal_diag_warning(diag, c->place, NULL, "a second column '%.80s': it is called '%.80s%s'",
                         c->name, c->name, suffix);
        const sal_status status =
            sig_name(s, same[k].column, same[0].name, strlen(same[0].name), suffix, c->place, err);
        if (status != SAL_OK) {
            return status;
        }
    }
    return SAL_OK;
}

sal_status sig_unique(sig_signals *s, sal_diag *diag, sal_err *err)
{
    sal_status status = SAL_OK;
    named *list = sal_alloc((size_t)s->ncol, sizeof *list);
    if (list == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for names");
    }
    for (int pass = 0; pass < 2 && status == SAL_OK; pass++) {
        for (int i = 0; i < s->ncol; i++) {
            list[i] = (named){s->column[i].name, i};
        }
        qsort(list, (size_t)s->ncol, sizeof *list, compare_names);
        for (int i = 0, n; i < s->ncol && status == SAL_OK; i += n) {
            for (n = 1; i + n < s->ncol && strcmp(list[i].name, list[i + n].name) == 0; n++) {
            }
            if (n > 1 && pass == 0) {
                status = number_names(s, list + i, n, diag, err);
            } else if (n > 1) {
                sal_diag_error(diag, s->column[list[i + 1].column].place, NULL,
                               "a second column '%.80s'", list[i].name);
            }
        }
    }
    sal_free(list);
    return status == SAL_OK ? sal_diag_status(diag, err) : status;
}
