/* OpenSim's storage files, .sto and .mot (OpenSim documentation, "Storage (.sto) Files", "Motion
 * (.mot) Files"): lines of key=value up to `endheader`, a line of names, rows. SIMM's older .mot
 * writes `datarows N` and `datacolumns N`. With inDegrees=yes rotational coordinates and their
 * speeds are in degrees; which columns are those of rotations only their names tell. */
#include "signals/reader.h"

#include <stdio.h>
#include <string.h>

typedef struct header {
    sal_place nrow, ncol; /* of the counts; source NULL: not given */
    double rows, columns;
    sal_place degrees; /* of inDegrees */
    bool in_degrees;
    size_t names; /* where the line of names begins */
} header;

/* ---- the header ---- */

static bool same(const char *s, size_t n, const char *word)
{
    for (size_t i = 0; i < n; i++) {
        const char c = (char)(s[i] >= 'A' && s[i] <= 'Z' ? s[i] - 'A' + 'a' : s[i]);
        if (word[i] == 0 || c != word[i]) {
            return false;
        }
    }
    return word[n] == 0;
}

typedef struct entry {
    size_t key, nkey, value, nvalue;
} entry;

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* `key=value` or `key value` in the line [at, end); words behind the value of the latter belong to
 * it. */
static entry read_entry(const char *s, size_t at, size_t end)
{
    entry e = {0};
    while (at < end && is_space(s[at])) {
        at++;
    }
    while (end > at && is_space(s[end - 1])) {
        end--;
    }
    e.key = at;
    while (at < end && s[at] != '=' && !is_space(s[at])) {
        at++;
    }
    e.nkey = at - e.key;
    while (at < end && is_space(s[at])) {
        at++;
    }
    at += at < end && s[at] == '=';
    while (at < end && is_space(s[at])) {
        at++;
    }
    e.value = at;
    e.nvalue = end - at;
    return e;
}

static void take_count(const sig_signals *s, const entry *e, double *count, sal_place *place,
                       sal_diag *diag)
{
    const char *text = s->source.data + e->value, *end = NULL;
    *place = (sal_place){&s->source, e->value, e->nvalue > 0 ? e->nvalue : 1};
    if (e->nvalue == 0 || !sal_text_number(text, &end, count) || end != text + e->nvalue ||
        !(*count >= 0)) {
        sal_diag_error(diag, *place, NULL, "'%.*s' is not a count",
                       (int)(e->nvalue < 40 ? e->nvalue : 40), text);
        place->source = NULL;
    }
}

static void take_entry(const sig_signals *s, const entry *e, header *h, sal_diag *diag)
{
    const char *key = s->source.data + e->key, *value = s->source.data + e->value;
    const sal_place place = {&s->source, e->value, e->nvalue > 0 ? e->nvalue : 1};
    if (same(key, e->nkey, "nrows") || same(key, e->nkey, "datarows")) {
        take_count(s, e, &h->rows, &h->nrow, diag);
    } else if (same(key, e->nkey, "ncolumns") || same(key, e->nkey, "datacolumns")) {
        take_count(s, e, &h->columns, &h->ncol, diag);
    } else if (same(key, e->nkey, "indegrees")) {
        h->degrees = place;
        h->in_degrees = same(value, e->nvalue, "yes");
        if (!h->in_degrees && !same(value, e->nvalue, "no")) {
            sal_diag_error(diag, place, NULL, "inDegrees is yes or no");
        }
    } else if (same(key, e->nkey, "datatype") && !same(value, e->nvalue, "double")) {
        sal_diag_error(diag, place, "write a file with one number in each cell",
                       "cells of type %.*s are not supported; the type must be double",
                       (int)(e->nvalue < 40 ? e->nvalue : 40), value);
    }
}

/* Everything up to the line `endheader`. */
static void read_header(const sig_signals *s, header *h, sal_diag *diag)
{
    const sal_source *source = &s->source;
    size_t at = sig_cell_start(source);
    while (at < source->length) {
        const char *stop = memchr(source->data + at, '\n', source->length - at);
        const size_t end = stop == NULL ? source->length : (size_t)(stop - source->data);
        const entry e = read_entry(source->data, at, end);
        at = stop == NULL ? end : end + 1;
        if (e.nvalue == 0 && same(source->data + e.key, e.nkey, "endheader")) {
            h->names = at;
            return;
        }
        take_entry(s, &e, h, diag);
    }
    sal_diag_error(diag, (sal_place){source, 0, 1}, "is it a .csv?",
                   "no line 'endheader' ends the header");
}

/* ---- columns ---- */

/* What OpenSim's names of forces, muscles and translations have in them. */
static bool is_no_rotation(const char *name)
{
    static const char *const parts[] = {"force", "torque",     "moment", "activation",
                                        "fiber", "excitation", "grf",    "reaction"};
    static const char *const endings[] = {"_tx", "_ty", "_tz", "_vx", "_vy",
                                          "_vz", "_px", "_py", "_pz"};
    char stem[256];
    snprintf(stem, sizeof stem, "%s", name);
    static const char *const kinds[] = {"/value", "/speed", "_u"};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (sal_text_ends(stem, kinds[i])) {
            stem[strlen(stem) - strlen(kinds[i])] = 0;
        }
    }
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (strstr(stem, parts[i]) != NULL) {
            return true;
        }
    }
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        if (sal_text_ends(stem, endings[i])) {
            return true;
        }
    }
    return false;
}

/* "mx_[N_mm]", of which blanks became _, is mx in N mm, as tables of others write it. */
static void take_unit(sig_column *c)
{
    const size_t n = strlen(c->name);
    char *open = strrchr(c->name, '['), unit[sizeof c->unit] = "", dimension;
    if (open == NULL || open == c->name || c->name[n - 1] != ']' ||
        (size_t)(c->name + n - 1 - open) > sizeof unit) {
        return;
    }
    for (size_t k = 0; open[k + 1] != ']'; k++) {
        unit[k] = (char)(open[k + 1] == '_' ? ' ' : open[k + 1]);
    }
    if (sal_text_whole(unit) < 0 && sig_unit(unit, &dimension) > 0) { /* no index */
        memcpy(c->unit, unit, sizeof unit);
        *(open[-1] == '_' && open - 1 > c->name ? open - 1 : open) = 0;
    }
}

static void set_units(sig_signals *s, const header *h)
{
    for (int i = 0; i < s->ncol; i++) {
        sig_column *c = s->column + i;
        if (i == s->time) {
            snprintf(c->unit, sizeof c->unit, "s");
            continue;
        }
        take_unit(c);
        const bool speed = sal_text_ends(c->name, "/speed") || sal_text_ends(c->name, "_u");
        if (c->unit[0] == 0 && h->in_degrees && !is_no_rotation(c->name)) {
            snprintf(c->unit, sizeof c->unit, speed ? "deg/s" : "deg");
        }
    }
}

/* The line of names; returns where the rows begin. */
static sal_status read_names(sig_signals *s, const header *h, char separator, size_t *at,
                             sal_diag *diag, sal_err *err)
{
    const sal_source *source = &s->source;
    int n = sig_cell_count(source, *at, separator);
    size_t next = *at;
    for (int i = 0; i < n; i++) {
        const sig_cell c = sig_cell_next(source, next, separator);
        next = c.next;
        n -= c.last && c.begin == c.end; /* a tab behind the last name */
    }
    sal_status status = sig_columns(s, n, err);
    for (int i = 0; i < n && status == SAL_OK; i++) {
        const sig_cell c = sig_cell_next(source, *at, separator);
        sal_place place = sig_cell_place(source, &c);
        *at = c.next;
        if (place.length == 0) {
            place.length = 1;
            sal_diag_error(diag, place, NULL, "column %d has no name", i + 1);
        }
        status = sig_name(s, i, source->data + c.begin, c.end - c.begin, "", place, err);
    }
    *at = next;
    /* OpenSim itself writes files whose count is not right, and reads none of it */
    if (status == SAL_OK && h->ncol.source != NULL && h->columns != n) {
        sal_diag_warning(diag, h->ncol, "the rows agree with the names",
                         "the header says %.0f columns, but %d are named", h->columns, n);
    }
    return status;
}

sal_status sig_read_sto(sig_signals *s, sal_diag *diag, sal_err *err)
{
    header h = {0};
    read_header(s, &h, diag);
    size_t at = h.names;
    sal_status status = sal_diag_status(diag, err);
    if (status == SAL_OK && !sig_cell_find_row(&s->source, &at)) {
        sal_diag_error(diag, (sal_place){&s->source, s->source.length, 1}, NULL,
                       "no names of columns follow 'endheader'");
        status = sal_diag_status(diag, err);
    }
    if (status != SAL_OK) {
        return status;
    }
    const char *end = memchr(s->source.data + at, '\n', s->source.length - at);
    const size_t length = end == NULL ? s->source.length - at : (size_t)(end - s->source.data) - at;
    const char separator = memchr(s->source.data + at, '\t', length) != NULL ? '\t' : ' ';
    status = read_names(s, &h, separator, &at, diag, err);
    if (status == SAL_OK) {
        const sig_signal_table table = {.at = at, .separator = separator, .slack = true};
        status = sig_signals_table(s, &table, diag, err);
    }
    if (status != SAL_OK) {
        return status;
    }
    if (h.nrow.source != NULL && h.rows != s->nrow) {
        sal_diag_error(diag, h.nrow, "is the file complete?",
                       "the header says %.0f rows, but there are %d", h.rows, s->nrow);
    }
    s->time = s->ncol > 0 && same(s->column[0].name, strlen(s->column[0].name), "time") ? 0 : -1;
    if (s->time < 0) {
        sal_diag_error(diag, s->column[0].place, NULL, "the first column is 'time' in this format");
    } else {
        set_units(s, &h);
        s->radians = h.degrees.source != NULL && !h.in_degrees;
        sig_check_time(s, 0, diag);
    }
    if (h.degrees.source == NULL) {
        sal_text_add(&s->remark, "the header does not say inDegrees: angles may be in either\n");
    }
    return sal_diag_status(diag, err);
}
