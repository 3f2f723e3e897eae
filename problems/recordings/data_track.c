/* data_track.c: a file of signals becomes a recording. */
#include "problems/recordings/data_read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- which columns ---- */

static void no_column(prb_track *t, const prb_word *word)
{
    char help[300];
    size_t used = 0;
    const char *nearest = sig_nearest(&t->s, word->text);
    if (nearest != NULL) {
        snprintf(help, sizeof help, "did you mean '%.100s'?", nearest);
    }
    for (int i = 0; i < t->s.ncol && nearest == NULL && used + 90 < sizeof help; i++) {
        used += (size_t)snprintf(help + used, sizeof help - used, "%s%.80s",
                                 i == 0 ? "its columns are " : ", ", t->s.column[i].name);
    }
    sal_diag_error(t->r->diag, word->place, help, "'%.300s' has no column '%.100s'%s",
                   t->file->path, word->text,
                   t->file->also == NULL ? "" : ", and neither has the file in also=");
}

/* The columns of a channel; false after an error. */
static bool find_columns(prb_track *t, const prb_channel *c, const sal_xml *element)
{
    int n = 0;
    prb_word word = {.attr = sal_xml_find_attr(element, "columns")};
    const bool single = prb_reader_count_words(word.attr) == 1;
    while (prb_reader_word(t->r, &word) && n < c->n) {
        const int marker = single && c->n == 3 ? sig_find_marker(&t->s, word.text) : -1;
        const int column = marker >= 0 ? t->s.marker_column[marker] : sig_find(&t->s, word.text);
        const int many = marker >= 0 ? 3 : 1;
        if (column < 0 || (marker < 0 && single && c->n == 3)) {
            no_column(t, &word);
            return false;
        }
        if (t->s.column[column].text) {
            sal_diag_error(t->r->diag, t->s.column[column].place, NULL,
                           "column '%.80s' holds words, not numbers", word.text);
            return false;
        }
        if (column >= t->nown && prb_channel_quaternion(t->r->p->model, c) >= 0) {
            sal_diag_error(t->r->diag, word.place, "name that file in file=, and this one in also=",
                           "a rotation must be in the file named by file=, not by also=");
            return false;
        }
        for (int k = 0; k < many && n < c->n; k++) {
            t->column[c->adr + n++] = column + k;
        }
    }
    return n == c->n;
}

/* ---- units ---- */

/* Word number `group` of units=; false if it has fewer. */
static bool unit_word(prb_track *t, const sal_xml *element, int group, prb_word *word)
{
    word->attr = sal_xml_find_attr(element, "units");
    word->end = 0;
    for (int i = 0; word->attr != NULL && prb_reader_word(t->r, word); i++) {
        if (i == group) {
            return true;
        }
    }
    return false;
}

/* A turning speed in a file whose angles are in degrees, and what does not turn there */
static double file_unit(const sig_column *column, char dimension, char *of)
{
    const double si = sig_unit(column->unit, of);
    if (*of == 'A' && dimension == 'W') {
        *of = 'W';
    } else if ((*of == 'A' || *of == 'W') && strchr("LVFT", dimension) != NULL) {
        *of = dimension; /* OpenSim says that a file is in degrees, and means its rotations */
        return 1;
    }
    return si;
}

/* SI units that one of number k is; 0 after an error. */
static double factor_of(prb_track *t, const prb_channel *c, const sal_xml *element, int k)
{
    int group;
    char of = 0, said = 0;
    prb_word word;
    const sig_column *column = t->s.column + t->column[c->adr + k];
    const char dimension = prb_channel_dimension(t->r->p->model, c, k, &group);
    const double in_file = file_unit(column, dimension, &of);
    if (unit_word(t, element, group, &word)) {
        const double given = sig_unit(word.text, &said);
        if (given > 0 && in_file > 0 && fabs(given / in_file - 1) > 1e-9) {
            sal_diag_error(t->r->diag, word.place, "remove units=, since the file gives them",
                           "'%.300s' says that column '%.80s' is in %s, not %s", t->file->path,
                           column->name, column->unit, word.text);
            return 0;
        }
        if (given <= 0) {
            sal_diag_error(t->r->diag, word.place, "for the list: saltus explain channel/units",
                           "'%.20s' is not a known unit", word.text);
            return 0;
        }
        if (dimension != '*' && said != dimension) {
            sal_diag_error(t->r->diag, word.place, NULL, "'%.20s' is not a unit of %s", word.text,
                           prb_dimension_name(dimension));
            return 0;
        }
        return given;
    }
    if (column->unit[0] != 0 && in_file <= 0) {
        sal_diag_error(t->r->diag, column->place, "set units= in the channel",
                       "'%.16s' is not a known unit (column '%.80s')", column->unit, column->name);
        return 0;
    }
    if (in_file > 0 && dimension != '*' && of != dimension) {
        sal_diag_error(t->r->diag, column->place, NULL,
                       "column '%.80s' is in %.16s, which is not a unit of %s", column->name,
                       column->unit, prb_dimension_name(dimension));
        return 0;
    }
    return in_file > 0 ? in_file : 1;
}

static bool find_channels(prb_track *t)
{
    bool good = true;
    for (int i = 0; i < t->data->nchannel; i++) {
        const prb_channel *c = t->data->channel + i;
        const sal_xml *element = t->wish->channel[i];
        if (element == NULL) {
            continue;
        }
        bool found = find_columns(t, c, element);
        for (int k = 0; k < c->n && found; k++) {
            t->factor[c->adr + k] = factor_of(t, c, element, k);
            found = t->factor[c->adr + k] > 0;
        }
        good = good && found;
    }
    return good;
}

/* ---- instants ---- */

/* The column of the time, or the rate that takes its place; false after an error. */
static bool find_time(prb_track *t)
{
    char of = 's';
    const prb_data_wish *w = t->wish;
    t->time = t->s.time;
    t->unit = 1;
    if (w->time != NULL) {
        prb_word word = {.place = prb_reader_place(w->element, "time")};
        snprintf(word.text, sizeof word.text, "%s", w->time);
        t->time = sig_find(&t->s, w->time);
        if (t->time < 0) {
            no_column(t, &word);
            return false;
        }
    }
    if (t->time >= 0 && t->s.column[t->time].unit[0] != 0) {
        t->unit = sig_unit(t->s.column[t->time].unit, &of);
        if (!(t->unit > 0) || of != 's') {
            sal_diag_error(t->r->diag, t->s.column[t->time].place, "allowed: s, ms, us, ns",
                           "'%.16s' is not a known unit of time", t->s.column[t->time].unit);
            return false;
        }
    }
    if (t->time < 0 && !(w->rate > 0) && !(t->s.rate > 0)) {
        sal_diag_error(t->r->diag, t->file->place,
                       "set time= (the column of the time) or rate= (samples per second)",
                       "'%.300s' has no column of the time and no rate", t->file->path);
        return false;
    }
    if (t->time < 0 && w->rate > 0 && t->s.rate > 0 && fabs(w->rate / t->s.rate - 1) > .005) {
        sal_diag_error(t->r->diag, prb_reader_place(w->element, "rate"),
                       "remove rate=", "'%.300s' has %.6g samples per second, but rate= is %.6g",
                       t->file->path, t->s.rate, w->rate);
        return false;
    }
    return true;
}

/* Complains of a row whose time is none, or not later than the one before. */
static bool check_time(prb_track *t, int row, double now, double last)
{
    if (now > last) {
        return true;
    }
    const char *name = t->s.column[t->time].name;
    const sal_place place = sig_signals_cell(&t->s, row, t->time);
    if (isnan(now)) {
        sal_diag_error(t->r->diag, place, NULL, "this row has no time (column '%.80s')", name);
    } else {
        sal_diag_error(t->r->diag, place,
                       now < last ? "perhaps the file holds two recordings, or its rows are not in "
                                    "order; use a part of it by from= and to="
                                  : "perhaps the row occurs twice, or the clock is too coarse; use "
                                    "a part of the file by from= and to=",
                       "the time %s: %.9g s comes after %.9g s (column '%.80s')",
                       now < last ? "goes back" : "repeats", now, last, name);
    }
    return false;
}

/* The rows between from and to; false after an error. */
static bool find_rows(prb_track *t)
{
    bool good = true;
    const double from = fmax(t->wish->from, t->file->start), to = fmin(t->wish->to, t->file->stop);
    double last = -(double)INFINITY, first = (double)NAN, end = (double)NAN;
    t->row = prb_reader_alloc(t->r, (size_t)t->s.nrow + 1, sizeof(int));
    t->at = prb_reader_alloc(t->r, (size_t)t->s.nrow + 1, sizeof(double));
    for (int i = 0; i < t->s.nrow && t->row != NULL && t->at != NULL; i++) {
        const double now = prb_track_time(t, i);
        first = i == 0 ? now : first;
        end = now;
        if (now < from - 1e-9 || now > to + 1e-9) {
            continue;
        }
        const bool later = check_time(t, i, now, last);
        good = good && later;
        last = isnan(now) ? last : now;
        t->row[t->n] = i;
        t->at[t->n++] = now;
    }
    if (good && t->n < 5) {
        sal_diag_error(t->r->diag, t->file->place,
                       t->n < t->s.nrow ? "check from=, to= and the index table" : NULL,
                       "'%.300s' has only %d sample%s between %g and %g s (of %d from %g to %g s); "
                       "more are needed",
                       t->file->path, t->n, t->n == 1 ? "" : "s", fmax(from, first), fmin(to, end),
                       t->s.nrow, first, end);
        good = false;
    }
    return good && !t->r->nomem;
}

/* ---- numbers ---- */

/* Turns y up to z up, by a quarter turn about x: (x, y, z) -> (x, -z, y) */
static void turn(double v[3])
{
    const double y = v[1];
    v[1] = -v[2];
    v[2] = y;
}

/* The same turn before the rotation q: (1, 1, 0, 0)/sqrt 2 q */
static void turn_quaternion(double q[4])
{
    static const double quarter[4] = {0.70710678118654752440, 0.70710678118654752440, 0, 0};
    double turned[4];
    sal_quat_mul(turned, quarter, q);
    sal_quat_copy(q, turned);
}

static void turn_channel(const prb_channel *c, int quaternion, double *x)
{
    const int vectors = quaternion >= 0 ? quaternion : c->n;
    for (int k = 0; k + 3 <= vectors; k += 3) {
        turn(x + k);
    }
    if (quaternion >= 0) {
        turn_quaternion(x + quaternion);
    }
}

/* The recording's floor becomes z = 0: p' = R (p - (0, 0, h)), v' = R v, q' = R q */
static void level_channel(const prb_data_wish *w, const sal_model *m, const prb_channel *c,
                          int quaternion, double *x)
{
    const int vectors = quaternion >= 0 ? quaternion : c->n;
    for (int k = 0; k + 3 <= vectors; k += 3) {
        double v[3] = {x[k], x[k + 1], x[k + 2]};
        x[k + 2] = v[2] -= prb_channel_begins_point(m, c, k) ? w->height : 0;
        if (w->tilted) {
            sal_quat_rotate(x + k, w->level, v);
        }
    }
    if (quaternion >= 0 && w->tilted) {
        double turned[4];
        sal_quat_mul(turned, w->level, x + quaternion);
        sal_quat_copy(x + quaternion, turned);
    }
}

/* The same of a slide that carries a body of the world */
static void lower_slide(const prb_data_wish *w, const sal_model *m, const prb_channel *c, double *x)
{
    const double down[3] = {0, 0, -w->height};
    bool place;
    if (c->kind == PRB_CHANNEL_JOINT && c->order == 0 && c->n == 1) {
        *x += c->scale * prb_channel_carried(m, c, 0, down, &place);
    }
}

/* Into a frame that goes along with the belt: p' = p + t v, t from the first row on. */
static void carry_channel(const prb_track *t, const prb_channel *c, double seconds, double *x)
{
    bool place;
    for (int k = 0; k < c->n; k++) {
        const double v = prb_channel_carried(t->r->p->model, c, k, t->wish->belt, &place);
        x[k] += c->scale * v * (place ? seconds : 1);
    }
}

/* Into axes with z up, and onto the floor z = 0. */
static void place_channel(const prb_track *t, const prb_channel *c, double *x)
{
    const sal_model *m = t->r->p->model;
    const int quaternion = prb_channel_quaternion(m, c);
    if (t->wish->up == 'y') {
        turn_channel(c, quaternion, x);
    }
    if (t->wish->moved) {
        level_channel(t->wish, m, c, quaternion, x);
    }
}

/* The columns of a marker that is lost: exactly 0 0 0 is no place either. */
static void leave_lost(const prb_track *t, const prb_channel *c, int row, double *x)
{
    const int column = t->column[c->adr];
    for (int i = 0; i < t->s.nmarker && x[0] == 0 && x[1] == 0 && x[2] == 0; i++) {
        if (t->s.marker_column[i] == column && !sig_marker_is_seen(&t->s, i, row)) {
            x[0] = x[1] = x[2] = (double)NAN;
        }
    }
}

static bool take_values(prb_track *t)
{
    const size_t width = (size_t)t->data->nvalue;
    const bool belt = fabs(t->wish->belt[0]) + fabs(t->wish->belt[1]) > 0;
    t->value = prb_reader_alloc(t->r, (size_t)t->n * width, sizeof(double));
    for (int k = 0; t->value != NULL && k < t->n; k++) {
        const double *from = t->s.value + (size_t)t->row[k] * (size_t)t->s.ncol;
        double *to = t->value + (size_t)k * width;
        for (size_t v = 0; v < width; v++) {
            to[v] = t->column[v] < 0 ? (double)NAN : t->factor[v] * from[t->column[v]];
        }
        for (int i = 0; i < t->data->nchannel; i++) {
            const prb_channel *c = t->data->channel + i;
            if (t->wish->channel[i] != NULL && c->kind == PRB_CHANNEL_SITE) {
                leave_lost(t, c, t->row[k], to + c->adr);
            }
            if (t->wish->channel[i] != NULL && prb_channel_is_placed(t->r->p->model, c)) {
                place_channel(t, c, to + c->adr);
            } else if (t->wish->channel[i] != NULL && t->wish->moved) {
                lower_slide(t->wish, t->r->p->model, c, to + c->adr);
            }
            if (t->wish->channel[i] != NULL && belt) {
                carry_channel(t, c, t->at[k] - t->at[0], to + c->adr);
            }
        }
    }
    return t->value != NULL;
}

/* ---- the recording ---- */

static bool open_file(prb_track *t)
{
    sal_err err;
    sal_diag own = {0};
    const prb_data_wish *w = t->wish;
    if (w->clip != NULL && !sig_has_clips(t->file->path, w->format)) {
        sal_diag_error(t->r->diag, prb_reader_place(w->element, "clip"), "leave clip out",
                       "'%.300s' has no clips with names: only files of Python (.pkl) have them",
                       t->file->path);
        return false;
    }
    const sal_status status = sig_read_clip(&t->s, t->file->path, w->format, w->clip, &own, &err);
    sal_diag_join(t->r->diag, &own);
    if (status == SAL_BADPATH) {
        sal_diag_error(t->r->diag, t->file->place,
                       "the path is relative to the file that contains it", "%s", err.message);
    }
    t->r->nomem = t->r->nomem || status == SAL_NOMEM;
    if (status == SAL_OK && t->s.up != 0 && w->up != 0 && t->s.up != w->up) {
        sal_diag_error(t->r->diag, prb_reader_place(w->element, "up"), NULL,
                       "the vertical axis of '%.300s' is %c, as defined by its format",
                       t->file->path, t->s.up);
        return false;
    }
    return status == SAL_OK;
}

bool prb_track_read(prb_track *t, prb_recording *out)
{
    const size_t width = (size_t)t->data->nvalue;
    bool good = open_file(t);
    t->column = prb_reader_alloc(t->r, width + 1, sizeof(int));
    t->factor = prb_reader_alloc(t->r, width + 1, sizeof(double));
    for (size_t v = 0; v < width && t->column != NULL; v++) {
        t->column[v] = -1;
    }
    if (good && !t->r->nomem) {
        good = find_time(t) && prb_track_join(t) && find_channels(t) && find_rows(t) &&
               take_values(t) && prb_track_check(t);
    }
    if (good && !t->r->nomem) {
        prb_track_check_joined(t);
    }
    if (good && !t->r->nomem) {
        good = prb_track_even(t, out);
        memcpy(out->belt, t->wish->belt, sizeof out->belt);
        out->height = t->wish->height;
    }
    sal_free(t->column);
    sal_free(t->factor);
    sal_free(t->row);
    sal_free(t->at);
    sal_free(t->value);
    sig_clear(&t->s);
    sig_clear(&t->other);
    return good && !t->r->nomem;
}
