/* Markers and analog channels in C3D files (The C3D File Format User Guide, Motion Lab Systems).
 * Blocks of 512 bytes: a header, parameters in groups (c3d_parameter.c), frames. A frame has for
 * each point x y z and a word that is negative where the point is missing, then the samples of the
 * analog channels in it (c3d_analog.c); all of them two-byte integers, of which those of a point
 * are to be multiplied by POINT:SCALE, or, where POINT:SCALE is negative, four-byte floats.
 */
#include "signals/c3d_analog.h"
#include "signals/reader.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK = 512, POINT_WORDS = 4 };

/* ---- what the file says of itself ---- */

static void read_header(const sig_c3d *c, sig_c3d_header *h)
{
    const unsigned char *b = c->bytes;
    h->npoint = sig_c3d_word(b + 2);
    h->nanalog = sig_c3d_word(b + 4);
    h->first = sig_c3d_word(b + 6);
    h->last = sig_c3d_word(b + 8);
    h->scale = sig_c3d_real(b + 12);
    h->data = (size_t)sig_c3d_word(b + 16);
    h->per_frame = sig_c3d_word(b + 18);
    h->rate = sig_c3d_real(b + 20);
    sig_list(c->s, "%zu bytes in C3D format", c->n);
    sig_list(c->s, "header: %d points, frames %lld to %lld, %.9g a second, scale %.9g", h->npoint,
             h->first, h->last, h->rate, h->scale);
}

static int low_word(double x)
{
    return x >= -32768 && x < 65536 ? (int)x & 0xFFFF : 0;
}

/* Of a file of more than 65535 frames two words, the low one first, say which; they may also be
 * left over from before it was cut. */
static void take_field(const sig_c3d *c, const char *name, long long *frame, sal_diag *diag)
{
    double x[2];
    if (sig_c3d_numbers(c, "TRIAL", name, x, 2) < 2) {
        return;
    }
    if (low_word(x[0]) == *frame || *frame == 0xFFFF) {
        *frame = low_word(x[0]) + 65536LL * low_word(x[1]);
    } else {
        sal_diag_warning(
            diag, (sal_place){&c->s->source, 0, 1}, NULL,
            "TRIAL:%s and the header give different frames; the header's frame is used", name);
    }
}

/* A parameter that repeats, or corrects, what the header says in two bytes, is what counts. */
static void take_parameters(const sig_c3d *c, sig_c3d_header *h, sal_diag *diag)
{
    double x;
    if (sig_c3d_numbers(c, "POINT", "USED", &x, 1) == 1) {
        h->npoint = low_word(x);
    }
    if (sig_c3d_numbers(c, "POINT", "SCALE", &x, 1) == 1) {
        h->scale = x;
    }
    if (sig_c3d_numbers(c, "POINT", "RATE", &x, 1) == 1) {
        h->rate = x;
    }
    if (sig_c3d_numbers(c, "POINT", "DATA_START", &x, 1) == 1) {
        h->data = (size_t)low_word(x);
    }
    take_field(c, "ACTUAL_START_FIELD", &h->first, diag);
    take_field(c, "ACTUAL_END_FIELD", &h->last, diag);
    h->nframe = h->last - h->first + 1;
    h->word = h->scale < 0 ? 4 : 2;
}

static size_t frame_bytes(const sig_c3d_header *h)
{
    return h->word * ((size_t)h->npoint * POINT_WORDS + (size_t)h->nanalog);
}

size_t sig_c3d_frame(const sig_c3d_header *h, size_t i)
{
    return (h->data - 1) * BLOCK + i * frame_bytes(h);
}

static void check(const sig_c3d *c, const sig_c3d_header *h, bool plates, sal_diag *diag)
{
    const sal_place place = {&c->s->source, 0, 1};
    if (h->npoint == 0 && (!plates || h->nanalog == 0)) {
        sal_diag_error(diag, place, NULL, "the file has no markers%s",
                       plates ? " and no analog channels" : "");
        return;
    }
    if (!(isfinite(h->scale) && fabs(h->scale) > 0)) {
        sal_diag_error(diag, place, NULL, "POINT:SCALE is %g", h->scale);
    }
    if (!(isfinite(h->rate) && h->rate > 0)) {
        sal_diag_error(diag, place, NULL, "POINT:RATE is %g", h->rate);
    }
    if (h->nframe <= 0) {
        sal_diag_error(diag, place, NULL, "the file has no frames");
        return;
    }
    const size_t begin = h->data < 2 ? SIZE_MAX : (h->data - 1) * BLOCK;
    const size_t room = begin >= c->n ? 0 : c->n - begin;
    if ((size_t)h->nframe > room / frame_bytes(h)) {
        sal_diag_error(
            diag, place, "is the file complete?",
            "the header says %lld frames from block %zu on, but the file has room for %zu",
            h->nframe, h->data, room / frame_bytes(h));
    }
}

/* ---- names ---- */

static sal_status name_point(sig_signals *s, int i, const char *name, size_t n, sal_place place,
                             sal_err *err)
{
    static const char *const suffix[] = {"_X", "_Y", "_Z"};
    s->marker_column[i] = 3 * i;
    s->marker[i] = sig_word(name, n);
    sal_status status =
        s->marker[i] == NULL ? sal_fail(err, SAL_NOMEM, "out of memory for a name") : SAL_OK;
    for (int k = 0; k < 3 && status == SAL_OK; k++) {
        status = sig_name(s, 3 * i + k, name, n, suffix[k], place, err);
    }
    return status;
}

static sal_status name_points(const sig_c3d *c, const sig_c3d_header *h, int nother, sal_diag *diag,
                              sal_err *err)
{
    sig_signals *s = c->s;
    char unit[16] = "";
    sig_c3d_text(c, "POINT", "UNITS", 0, unit, sizeof unit);
    sal_status status = sig_columns(s, 3 * h->npoint + nother, err);
    status = status == SAL_OK ? sig_markers(s, h->npoint, err) : status;
    for (int i = 0; i < h->npoint && status == SAL_OK; i++) {
        char name[256];
        if (!sig_c3d_listed(c, "POINT", "LABELS", i, name, sizeof name)) {
            snprintf(name, sizeof name, "point_%d", i + 1);
            sal_diag_warning(diag, (sal_place){&s->source, 0, 1}, NULL,
                             "point %d has no label; it is called '%s'", i + 1, name);
        }
        status =
            name_point(s, i, name, strlen(name), sig_list(s, "point %d: %s", i + 1, name), err);
        for (int k = 0; k < 3; k++) {
            snprintf(s->column[3 * i + k].unit, sizeof s->column[3 * i + k].unit, "%s", unit);
        }
    }
    return status;
}

/* POINT:X_SCREEN and Y_SCREEN say how the axes lie on a screen; what points up there is up. */
static void find_up(const sig_c3d *c)
{
    char axis[8] = "";
    sig_c3d_text(c, "POINT", "Y_SCREEN", 0, axis, sizeof axis);
    c->s->up = (char)(strcmp(axis, "+Z") == 0 ? 'z' : strcmp(axis, "+Y") == 0 ? 'y' : 0);
}

/* ---- frames ---- */

static double coordinate(const sig_c3d_header *h, const unsigned char *b)
{
    return h->word == 4 ? sig_c3d_real(b) : h->scale * sig_c3d_integer(b);
}

/* The fourth word: camera mask and residual; negative for a point that is missing, also where it is
 * written as a float. */
static bool is_missing(const sig_c3d_header *h, const unsigned char *b)
{
    return h->word == 4 ? !(sig_c3d_real(b) >= 0) : sig_c3d_integer(b) < 0;
}

static void read_frames(const sig_c3d *c, const sig_c3d_header *h)
{
    for (size_t i = 0; i < (size_t)h->nframe; i++) {
        const unsigned char *b = c->bytes + sig_c3d_frame(h, i);
        double *value = c->s->value + i * (size_t)c->s->ncol;
        for (int k = 0; k < h->npoint; k++) {
            const unsigned char *point = b + (size_t)k * POINT_WORDS * h->word;
            for (size_t axis = 0; axis < 3 && !is_missing(h, point + 3 * h->word); axis++) {
                value[3 * (size_t)k + axis] = coordinate(h, point + axis * h->word);
            }
        }
    }
}

/* Markers, and what analog channels read at their instants */
static sal_status read_all(const sig_c3d *c, const sig_c3d_header *h, sig_c3d_analog *a,
                           sal_diag *diag, sal_err *err)
{
    sig_signals *s = c->s;
    sal_status status = sig_c3d_analog_open(a, diag, err);
    status = status == SAL_OK ? name_points(c, h, a->ncol, diag, err) : status;
    status = status == SAL_OK ? sig_c3d_analog_name(a, 3 * h->npoint, err) : status;
    status = status == SAL_OK ? sig_unique(s, diag, err) : status;
    status = status == SAL_OK ? sig_rows(s, (size_t)h->nframe, err) : status;
    status = status == SAL_OK ? sig_list_rows(s, "frame", h->first, err) : status;
    if (status != SAL_OK) {
        return status;
    }
    s->rate = h->rate;
    read_frames(c, h);
    sig_c3d_analog_fill(a, 3 * h->npoint);
    sig_warn_origin(s, diag);
    return SAL_OK;
}

/* The plates alone, a row for each of their samples. */
static sal_status read_plates(const sig_c3d *c, const sig_c3d_header *h, sig_c3d_analog *a,
                              sal_diag *diag, sal_err *err)
{
    sig_signals *s = c->s;
    sal_status status = sig_c3d_analog_open(a, diag, err);
    if (status == SAL_OK && a->nplate == 0) {
        const char *why = s->remark.length > 0 ? s->remark.data : "FORCE_PLATFORM names none";
        sal_diag_error(diag, (sal_place){&s->source, 0, 1}, NULL,
                       "the file has no force plate that can be read: %.*s",
                       (int)strcspn(why, "\n"), why);
        status = sal_diag_status(diag, err);
    }
    status = status == SAL_OK ? sig_columns(s, SIG_C3D_WRENCH * a->nplate, err) : status;
    for (int i = 0; i < a->nplate && status == SAL_OK; i++) {
        status = sig_c3d_plate_name(a, i, SIG_C3D_WRENCH * i, err);
    }
    const size_t nrow = (size_t)h->nframe * (size_t)h->per_frame;
    status = status == SAL_OK ? sig_rows(s, nrow, err) : status;
    status = status == SAL_OK ? sig_list_rows(s, "sample", 1, err) : status;
    for (int row = 0; row < s->nrow && status == SAL_OK; row++) {
        for (int i = 0; i < a->nplate; i++) {
            double *to = s->value + (size_t)row * (size_t)s->ncol;
            sig_c3d_plate_fill(a, i, row, sig_c3d_analog_sample, to + SIG_C3D_WRENCH * i);
        }
    }
    s->rate = h->rate * h->per_frame;
    return status;
}

static sal_status read_data(const sig_c3d *c, sig_c3d_header *h, bool plates, sal_diag *diag,
                            sal_err *err)
{
    sig_c3d_analog a = {.c = c, .h = h};
    take_parameters(c, h, diag);
    check(c, h, plates, diag);
    sal_status status = sal_diag_status(diag, err);
    if (status == SAL_OK) {
        status = plates ? read_plates(c, h, &a, diag, err) : read_all(c, h, &a, diag, err);
    }
    sig_c3d_analog_close(&a);
    if (status != SAL_OK) {
        return status;
    }
    c->s->start = (double)(h->first - 1) / h->rate; /* the first frame there can be is 1 */
    find_up(c);
    sig_check_finite(c->s, diag);
    return sal_diag_status(diag, err);
}

static sal_status read_file(sig_signals *s, bool plates, sal_diag *diag, sal_err *err)
{
    sig_c3d_header h = {0};
    sig_c3d c = {.s = s};
    unsigned char *bytes = sig_bytes(s, &c.n);
    c.bytes = bytes;
    sal_status status = SAL_OK;
    if (c.n < 2 * BLOCK || bytes[1] != 0x50 || bytes[0] < 2) {
        sal_diag_error(diag, (sal_place){&s->source, 0, 1}, NULL, "this is not a C3D file");
    } else {
        read_header(&c, &h);
        status = sig_c3d_open(&c, ((size_t)bytes[0] - 1) * BLOCK, diag, err);
    }
    status = status == SAL_OK ? sal_diag_status(diag, err) : status;
    status = status == SAL_OK ? read_data(&c, &h, plates, diag, err) : status;
    sal_free(c.parameter);
    sal_free(bytes);
    return status;
}

sal_status sig_read_c3d(sig_signals *s, sal_diag *diag, sal_err *err)
{
    return read_file(s, false, diag, err);
}

sal_status sig_read_c3d_plates(sig_signals *s, sal_diag *diag, sal_err *err)
{
    return read_file(s, true, diag, err);
}
