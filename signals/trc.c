/* Tracks of markers, .trc (Motion Analysis; OpenSim documentation, "Marker (.trc) Files"):
 *
 *     PathFileType  4  (X/Y/Z)  walk.trc
 *     DataRate  CameraRate NumFrames NumMarkers Units OrigDataRate OrigDataStartFrame OrigNumFrames
 *     100  100  238  41  mm  100  1  238
 *     Frame#  Time  R.Shoulder  (two empty cells)  L.Shoulder  ...
 *     (two empty cells)  X1  Y1  Z1  X2  ...
 *
 * and, perhaps behind an empty line, rows. Cells are separated by tabs; in the second and third
 * line by any blanks.
 */
#include "signals/reader.h"

#include <stdio.h>
#include <string.h>

enum { NLINE = 5 };

typedef struct header {
    size_t line[NLINE + 1]; /* where each begins, and the first row */
    double rate, nframe, nmarker;
    sal_place rate_place, nframe_place, nmarker_place;
    char unit[16];
} header;

/* ---- lines 1 to 3 ---- */

static bool find_lines(const sig_signals *s, header *h, sal_diag *diag)
{
    const sal_source *source = &s->source;
    size_t at = sig_cell_start(source);
    for (int i = 0; i <= NLINE; i++) {
        if (i < NLINE && !sig_cell_find_row(source, &at)) {
            sal_diag_error(diag, (sal_place){source, 0, 1}, NULL,
                           "the header has %d of its five lines", i);
            return false;
        }
        h->line[i] = at;
        const char *end = memchr(source->data + at, '\n', source->length - at);
        at = end == NULL ? source->length : (size_t)(end - source->data) + 1;
    }
    return true;
}

static bool is(const sal_source *s, const sig_cell *c, const char *word)
{
    return strlen(word) == c->end - c->begin && memcmp(s->data + c->begin, word, strlen(word)) == 0;
}

/* The order of the axes, where the first line says it. */
static void check_kind(const sig_signals *s, const header *h, sal_diag *diag)
{
    const sal_source *source = &s->source;
    sig_cell c = sig_cell_next(source, h->line[0], ' ');
    if (!is(source, &c, "PathFileType")) {
        sal_diag_error(diag, sig_cell_place(source, &c), NULL,
                       "a file of markers begins with PathFileType");
    }
    while (!c.last) {
        c = sig_cell_next(source, c.next, ' ');
        if (c.begin < c.end && source->data[c.begin] == '(' && source->data[c.end - 1] == ')' &&
            !is(source, &c, "(X/Y/Z)")) {
            sal_diag_error(diag, sig_cell_place(source, &c), NULL,
                           "coordinates come in the order (X/Y/Z)");
        }
    }
}

static void take_number(const sal_source *s, const sig_cell *c, double *value, sal_place *place,
                        sal_diag *diag)
{
    const char *end = NULL;
    *place = sig_cell_place(s, c);
    if (!sal_text_number(s->data + c->begin, &end, value) || end != s->data + c->end ||
        !(*value >= 0 && *value < 1e9)) {
        sal_diag_error(diag, *place, NULL, "'%.*s' is not a number that can stand here",
                       (int)(place->length < 40 ? place->length : 40), s->data + c->begin);
        place->source = NULL;
    }
}

static void take_unit(const sal_source *s, const sig_cell *c, header *h, sal_diag *diag)
{
    static const char *const units[] = {"m", "mm", "cm"};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (is(s, c, units[i])) {
            snprintf(h->unit, sizeof h->unit, "%s", units[i]);
            return;
        }
    }
    sal_diag_error(diag, sig_cell_place(s, c), NULL, "Units are m, mm or cm");
}

/* The values of the third line that count, by the keys of the second. */
static void read_values(const sig_signals *s, header *h, sal_diag *diag)
{
    const sal_source *source = &s->source;
    sig_cell key = {.next = h->line[1]}, value = {.next = h->line[2]};
    while (!key.last) {
        key = sig_cell_next(source, key.next, ' ');
        if (value.last) {
            sal_diag_error(diag, sig_cell_place(source, &key), NULL,
                           "the next line has no value for this");
            return;
        }
        value = sig_cell_next(source, value.next, ' ');
        if (is(source, &key, "DataRate")) {
            take_number(source, &value, &h->rate, &h->rate_place, diag);
        } else if (is(source, &key, "NumFrames")) {
            take_number(source, &value, &h->nframe, &h->nframe_place, diag);
        } else if (is(source, &key, "NumMarkers")) {
            take_number(source, &value, &h->nmarker, &h->nmarker_place, diag);
        } else if (is(source, &key, "Units")) {
            take_unit(source, &value, h, diag);
        }
    }
    if (h->unit[0] == 0 && diag->nerror == 0) {
        sal_diag_error(diag, (sal_place){source, h->line[1], 1}, "Units: m, mm or cm",
                       "the header does not say the units");
    }
}

/* ---- lines 4 and 5 ---- */

static int count_markers(const sig_signals *s, const header *h, sal_diag *diag)
{
    const sal_source *source = &s->source;
    int n = 0;
    sig_cell c = {.next = h->line[3]};
    for (int i = 0; !c.last; i++) {
        c = sig_cell_next(source, c.next, '\t');
        const bool named = c.begin < c.end;
        if (i < 2 ? !is(source, &c, i == 0 ? "Frame#" : "Time") : named && i % 3 != 2) {
            const sal_place place = {source, c.begin, named ? c.end - c.begin : 1};
            sal_diag_error(
                diag, place,
                "Frame#, Time, and the name of each marker over the first of its three columns",
                i < 2 ? "the columns of a file of markers begin with Frame# and Time"
                      : "this name is over a Y or Z column, not over the X column of a marker");
            return 0;
        }
        n = named && i >= 2 ? (i - 2) / 3 + 1 : n;
    }
    if (h->nmarker_place.source != NULL && h->nmarker != n) {
        sal_diag_error(diag, h->nmarker_place, NULL, "the header says %.0f markers, but names %d",
                       h->nmarker, n);
    }
    return n;
}

/* The three columns of marker i, whose name is `c`. */
static sal_status name_marker(sig_signals *s, const header *h, int i, const sig_cell *c,
                              sal_err *err)
{
    static const char *const suffix[] = {"_X", "_Y", "_Z"};
    const size_t n = c->end - c->begin;
    s->marker_column[i] = 2 + 3 * i;
    s->marker[i] = sig_word(s->source.data + c->begin, n);
    sal_status status =
        s->marker[i] == NULL ? sal_fail(err, SAL_NOMEM, "out of memory for a name") : SAL_OK;
    for (int k = 0; k < 3 && status == SAL_OK; k++) {
        const int column = s->marker_column[i] + k;
        snprintf(s->column[column].unit, sizeof s->column[column].unit, "%s", h->unit);
        status = sig_name(s, column, s->source.data + c->begin, n, suffix[k],
                          sig_cell_place(&s->source, c), err);
    }
    return status;
}

static sal_status read_names(sig_signals *s, const header *h, int n, sal_diag *diag, sal_err *err)
{
    static const char *const first[] = {"Frame#", "Time"};
    sal_status status = sig_columns(s, 2 + 3 * n, err);
    status = status == SAL_OK ? sig_markers(s, n, err) : status;
    sig_cell c = {.next = h->line[3]};
    for (int i = 0; i < 2 + 3 * n && status == SAL_OK; i++) {
        c = sig_cell_next(&s->source, c.next, '\t');
        const sal_place place = sig_cell_place(&s->source, &c);
        if (i < 2) {
            status = sig_name(s, i, first[i], strlen(first[i]), "", place, err);
        } else if (i % 3 == 2) {
            status = name_marker(s, h, (i - 2) / 3, &c, err);
            if (c.begin == c.end) {
                sal_diag_error(diag, (sal_place){&s->source, c.begin, 1}, NULL,
                               "marker %d has no name", (i - 2) / 3 + 1);
            }
        }
        c.next = c.last ? c.end : c.next; /* the two cells behind the last name may be left out */
    }
    return status;
}

/* X1 Y1 Z1 X2 ..., numbered or not */
static void check_axes(const sig_signals *s, const header *h, sal_diag *diag)
{
    const sal_source *source = &s->source;
    sig_cell c = {.next = h->line[4]};
    for (int i = 0; i < s->ncol && diag->nerror == 0; i++) {
        const bool beyond = c.last;
        c = beyond ? c : sig_cell_next(source, c.next, '\t');
        const char want = (char)(i < 2 ? 0 : "XYZ"[(i - 2) % 3]);
        const char is_there = (char)(beyond || c.begin == c.end ? 0 : source->data[c.begin]);
        if (is_there != want && is_there != want + ('x' - 'X')) {
            const sal_place place = {source, c.begin, c.begin < c.end ? c.end - c.begin : 1};
            const char letter[2] = {want, 0};
            sal_diag_error(diag, place, "the line below the names must be X1 Y1 Z1 X2 Y2 Z2 ...",
                           "%s is expected here, under '%.80s'", want == 0 ? "nothing" : letter,
                           s->column[i].name);
        }
    }
}

sal_status sig_read_trc(sig_signals *s, sal_diag *diag, sal_err *err)
{
    header h = {0};
    int n = 0;
    if (find_lines(s, &h, diag)) {
        check_kind(s, &h, diag);
        read_values(s, &h, diag);
        n = diag->nerror == 0 ? count_markers(s, &h, diag) : 0;
        if (n == 0 && diag->nerror == 0) {
            sal_diag_error(diag, (sal_place){&s->source, h.line[3], 1}, NULL,
                           "the file has no markers");
        }
    }
    sal_status status = sal_diag_status(diag, err);
    status = status == SAL_OK ? read_names(s, &h, n, diag, err) : status;
    if (status == SAL_OK) {
        check_axes(s, &h, diag);
        status = sal_diag_status(diag, err);
    }
    if (status == SAL_OK) {
        const sig_signal_table table = {.at = h.line[5], .separator = '\t', .slack = true};
        status = sig_signals_table(s, &table, diag, err);
    }
    if (status != SAL_OK) {
        return status;
    }
    s->time = 1;
    snprintf(s->column[1].unit, sizeof s->column[1].unit, "s");
    s->rate = h.rate;
    if (h.nframe_place.source != NULL && h.nframe != s->nrow) {
        sal_diag_error(diag, h.nframe_place, "is the file complete?",
                       "the header says %.0f frames, but there are %d", h.nframe, s->nrow);
    }
    if (sig_check_time(s, s->time, diag)) {
        sig_warn_rate(s, h.rate_place, diag);
    }
    sig_warn_origin(s, diag);
    return sal_diag_status(diag, err);
}
