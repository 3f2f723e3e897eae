/* data_also.c: signals that another instrument recorded along, in a file of their own: they become
 * columns of the first file, at its instants, by straight lines between theirs. */
#include "problems/recordings/data_read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- instants ---- */

/* When the rows of the other file are; false after an error. */
static bool find_instants(prb_track *t, double *at)
{
    const sig_signals *s = &t->other;
    char of = 's';
    const char *said = t->wish->time;
    const int named = said == NULL ? -1 : sig_find(s, said);
    const int time = named >= 0 ? named : s->time;
    const double unit =
        time < 0 || s->column[time].unit[0] == 0 ? 1 : sig_unit(s->column[time].unit, &of);
    if (time < 0 && !(s->rate > 0)) {
        sal_diag_error(t->r->diag, t->file->place,
                       "the file needs a column of the time, measured with the same clock as in "
                       "the first file",
                       "'%.300s' has no column of the time", t->file->also);
        return false;
    }
    if (!(unit > 0) || of != 's') {
        sal_diag_error(t->r->diag, s->column[time].place, "allowed: s, ms, us",
                       "'%.16s' is not a known unit of time", s->column[time].unit);
        return false;
    }
    if (time >= 0 && !sig_check_time(s, time, t->r->diag)) {
        return false;
    }
    for (int i = 0; i < s->nrow; i++) {
        at[i] = time < 0 ? s->start + i / s->rate
                         : unit * s->value[(size_t)i * (size_t)s->ncol + (size_t)time];
    }
    return true;
}

/* Column v of the other file at an instant between its rows k and k + 1; NaN outside. */
static double look_up(const sig_signals *s, const double *at, int k, int v, double when)
{
    const double *a = s->value + (size_t)k * (size_t)s->ncol + (size_t)v, *b = a + s->ncol;
    const double f = (when - at[k]) / (at[k + 1] - at[k]);
    if (!(f > -1e-6 && f < 1 + 1e-6)) {
        return (double)NAN;
    }
    return f < 1e-6 ? *a : f > 1 - 1e-6 ? *b : *a + f * (*b - *a);
}

/* ---- one table ---- */

static bool join_values(prb_track *t, const double *at)
{
    sig_signals *s = &t->s, *o = &t->other;
    const size_t own = (size_t)s->ncol, more = (size_t)o->ncol;
    double *value = prb_reader_alloc(t->r, (size_t)s->nrow, (own + more) * sizeof(double));
    for (int i = 0, k = 0; value != NULL && i < s->nrow; i++) {
        double *to = value + (size_t)i * (own + more);
        const double when = prb_track_time(t, i);
        while (k + 2 < o->nrow && at[k + 1] <= when) {
            k++;
        }
        memcpy(to, s->value + (size_t)i * own, own * sizeof(double));
        for (size_t v = 0; v < more; v++) {
            to[own + v] = look_up(o, at, k, (int)v, when);
        }
    }
    if (value != NULL) {
        sal_free(s->value);
        s->value = value;
    }
    return value != NULL;
}

static bool join_columns(prb_track *t)
{
    sig_signals *s = &t->s, *o = &t->other;
    sig_column *column =
        prb_reader_alloc(t->r, (size_t)s->ncol + (size_t)o->ncol + 1, sizeof *column);
    if (column == NULL) {
        return false;
    }
    memcpy(column, s->column, (size_t)s->ncol * sizeof *column);
    memcpy(column + s->ncol, o->column, (size_t)o->ncol * sizeof *column);
    sal_free(s->column);
    s->column = column;
    for (int i = 0; i < o->ncol; i++) {
        o->column[i].name = NULL; /* theirs now */
    }
    s->ncol += o->ncol;
    return true;
}

static bool join_markers(prb_track *t)
{
    sig_signals *s = &t->s, *o = &t->other;
    const size_t n = (size_t)s->nmarker + (size_t)o->nmarker;
    char **marker = prb_reader_alloc(t->r, n + 1, sizeof *marker);
    int *column = prb_reader_alloc(t->r, n + 1, sizeof *column);
    if (marker == NULL || column == NULL) {
        sal_free(marker);
        sal_free(column);
        return false;
    }
    for (int i = 0; i < s->nmarker; i++) {
        marker[i] = s->marker[i];
        column[i] = s->marker_column[i];
    }
    for (int i = 0; i < o->nmarker; i++) {
        marker[s->nmarker + i] = o->marker[i];
        column[s->nmarker + i] = t->nown + o->marker_column[i];
        o->marker[i] = NULL;
    }
    sal_free(s->marker);
    sal_free(s->marker_column);
    s->marker = marker;
    s->marker_column = column;
    s->nmarker = (int)n;
    return true;
}

bool prb_track_join(prb_track *t)
{
    sal_err err;
    sal_diag own = {0};
    t->nown = t->s.ncol;
    if (t->file->also == NULL) {
        return true;
    }
    const sal_status status = sig_read(&t->other, t->file->also, NULL, &own, &err);
    sal_diag_join(t->r->diag, &own);
    t->r->nomem = t->r->nomem || status == SAL_NOMEM;
    if (status == SAL_BADPATH) {
        sal_diag_error(t->r->diag, t->file->place,
                       "the path is relative to the file that contains it", "%s", err.message);
    }
    if (status != SAL_OK) {
        return false;
    }
    if (t->other.nrow < 2) {
        sal_diag_error(t->r->diag, t->file->place, NULL, "'%.300s' has only one row",
                       t->file->also);
        return false;
    }
    double *at = prb_reader_alloc(t->r, (size_t)t->other.nrow, sizeof(double));
    const bool good = at != NULL && find_instants(t, at) && join_values(t, at) && join_columns(t) &&
                      join_markers(t);
    if (good) {
        t->other_step = (at[t->other.nrow - 1] - at[0]) / (t->other.nrow - 1);
    }
    sal_free(at);
    return good;
}

/* Whether a channel reads a column of the other file that no filter smooths. */
static bool is_folded(const prb_track *t, const prb_channel *c)
{
    bool other = false;
    for (int v = c->adr; v < c->adr + c->n; v++) {
        other = other || t->column[v] >= t->nown;
    }
    return other && (c->kind == PRB_CHANNEL_CTRL || !(t->wish->lowpass > 0));
}

void prb_track_check_joined(prb_track *t)
{
    const double step = (t->at[t->n - 1] - t->at[0]) / (t->n - 1);
    const sal_xml_attr *also = sal_xml_find_attr(t->wish->element, "also");
    char text[300];
    if (t->file->also == NULL || !(t->other_step < .7 * step)) {
        return;
    }
    for (int i = 0; i < t->data->nchannel; i++) {
        const prb_channel *c = t->data->channel + i;
        if (t->wish->channel[i] != NULL && is_folded(t, c)) {
            snprintf(text, sizeof text,
                     "%.6g samples per second of channel '%.80s' are reduced to the %.6g of the "
                     "first file: frequencies above %.6g Hz will appear as lower ones (aliasing)",
                     1 / t->other_step, c->name, 1 / step, .5 / step);
            prb_track_doubt(
                t, PRB_DOUBT_FOLDED, also == NULL ? t->file->place : also->value_place,
                "write the mean over each sample of the first file into the other file; "
                "lowpass= comes later, and does not apply to controls",
                text);
            return;
        }
    }
}
