/* Motions of skeletons in Biovision's hierarchical format:
 *
 *     HIERARCHY
 *     ROOT Hips { OFFSET x y z  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation
 *                               Yrotation
 *         JOINT LeftLeg { OFFSET ..  CHANNELS 3 Zrotation Xrotation Yrotation End Site { OFFSET ..
 *                                    } } }
 *     MOTION
 *     Frames: 995
 *     Frame Time: 0.008333
 *     (a row for each frame: the channels in the order in which they are named)
 *
 * A channel is a column JOINT_Xposition, JOINT_Xrotation ...; rotations are in degrees, and follow
 * one another in the order of the columns. Lengths are in a unit that the file does not say. An end
 * site is a joint NAME_End without channels.
 */
#include "signals/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { CHANNEL_MAX = 6 };

typedef struct token {
    size_t begin, end;
} token;

typedef struct parser {
    sig_signals *s;
    size_t at;
    int joint; /* inside which we are, -1: none */
    int njoint, ncol;
    bool keep; /* false: joints and columns are only counted */
    sal_diag *diag;
    sal_status status;
    sal_err *err;
} parser;

/* ---- words ---- */

static bool is_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static token next(parser *p)
{
    const sal_source *s = &p->s->source;
    while (p->at < s->length && is_space(s->data[p->at])) {
        p->at++;
    }
    token t = {p->at, p->at};
    while (t.end < s->length && !is_space(s->data[t.end])) {
        t.end++;
    }
    p->at = t.end;
    return t;
}

static bool is(const parser *p, token t, const char *word)
{
    return t.end - t.begin == strlen(word) &&
           memcmp(p->s->source.data + t.begin, word, t.end - t.begin) == 0;
}

static sal_place place_of(const parser *p, token t)
{
    return (sal_place){&p->s->source, t.begin, t.end > t.begin ? t.end - t.begin : 1};
}

static bool complain(parser *p, token t, const char *wanted)
{
    const size_t n = t.end - t.begin;
    if (n == 0) {
        sal_diag_error(p->diag, place_of(p, t), "is the file complete?",
                       "the file ends, but %s is expected here", wanted);
    } else {
        sal_diag_error(p->diag, place_of(p, t), NULL, "'%.*s' was read, but %s is expected",
                       (int)(n < 60 ? n : 60), p->s->source.data + t.begin, wanted);
    }
    return false;
}

static bool expect(parser *p, const char *word)
{
    const token t = next(p);
    return is(p, t, word) || complain(p, t, word);
}

static bool take_number(parser *p, double *x, const char *what)
{
    const token t = next(p);
    const char *text = p->s->source.data + t.begin, *end = NULL;
    return (t.end > t.begin && sal_text_number(text, &end, x) && end == p->s->source.data + t.end &&
            isfinite(*x)) ||
           complain(p, t, what);
}

/* The rest of the line is a name, which may have blanks in it. */
static token take_name(parser *p)
{
    const sal_source *s = &p->s->source;
    while (p->at < s->length && (s->data[p->at] == ' ' || s->data[p->at] == '\t')) {
        p->at++;
    }
    token t = {p->at, p->at};
    while (t.end < s->length && s->data[t.end] != '\n' && s->data[t.end] != '{') {
        t.end++;
    }
    p->at = t.end;
    while (t.end > t.begin && is_space(s->data[t.end - 1])) {
        t.end--;
    }
    return t;
}

/* ---- the hierarchy ---- */

static bool out_of_memory(parser *p)
{
    p->status = sal_fail(p->err, SAL_NOMEM, "out of memory for a skeleton");
    return false;
}

/* Begins a joint: its name and {. */
static bool open_joint(parser *p, bool site)
{
    const token name = take_name(p);
    const int joint = p->njoint++, parent = p->joint;
    if (!site && name.end == name.begin) {
        return complain(p, name, "the name of a joint");
    }
    if (p->keep) {
        sig_joint *j = p->s->joint + joint;
        sal_text text = {0};
        const char *base = site ? p->s->joint[parent].name : p->s->source.data + name.begin;
        sal_text_addn(&text, base, site ? strlen(base) : name.end - name.begin);
        sal_text_add(&text, site ? "_End" : "");
        *j = (sig_joint){.parent = parent, .column = p->ncol};
        j->name = text.failed ? NULL : sig_word(text.data, text.length);
        sal_text_clear(&text);
        p->s->njoint = joint + 1;
        if (j->name == NULL) {
            return out_of_memory(p);
        }
    }
    p->joint = joint;
    return expect(p, "{");
}

static bool read_offset(parser *p)
{
    double x[3];
    for (int i = 0; i < 3; i++) {
        if (!take_number(p, x + i, "a number of OFFSET")) {
            return false;
        }
    }
    if (p->keep) {
        memcpy(p->s->joint[p->joint].offset, x, sizeof x);
    }
    return true;
}

static bool read_channel(parser *p)
{
    static const char *const known[] = {"Xposition", "Yposition", "Zposition",
                                        "Xrotation", "Yrotation", "Zrotation"};
    const token t = next(p);
    size_t which = 0;
    while (which < sizeof known / sizeof known[0] && !is(p, t, known[which])) {
        which++;
    }
    if (which == sizeof known / sizeof known[0]) {
        return complain(p, t, "a channel, like Xposition or Zrotation,");
    }
    if (p->keep) {
        sig_joint *j = p->s->joint + p->joint;
        char suffix[16];
        snprintf(suffix, sizeof suffix, "_%s", known[which]);
        snprintf(p->s->column[p->ncol].unit, sizeof p->s->column[p->ncol].unit, "%s",
                 which < 3 ? "" : "deg");
        p->status =
            sig_name(p->s, p->ncol, j->name, strlen(j->name), suffix, place_of(p, t), p->err);
        j->nchannel++;
    }
    p->ncol++;
    return p->status == SAL_OK;
}

static bool read_channels(parser *p)
{
    double n;
    const size_t before = p->at;
    if (!take_number(p, &n, "the number of channels")) {
        return false;
    }
    const token t = {before + 1, p->at};
    if (!(n >= 0 && n <= CHANNEL_MAX && n <= floor(n))) {
        return complain(p, t, "a number of channels from 0 to 6");
    }
    for (int i = 0; i < (int)n; i++) {
        if (!read_channel(p)) {
            return false;
        }
    }
    return true;
}

/* One word of the hierarchy and what belongs to it. Keeps `parent` of each open joint in
 * p->s->joint, or while counting on the stack `up`. */
static bool read_word(parser *p, token t, int *up)
{
    const bool root = is(p, t, "ROOT"), joint = is(p, t, "JOINT"), site = is(p, t, "End");
    if (root ? p->joint < 0 : (joint || site) && p->joint >= 0) {
        const int parent = p->joint;
        if (site && !expect(p, "Site")) {
            return false;
        }
        up[p->njoint] = parent;
        return open_joint(p, site);
    }
    if (is(p, t, "}") && p->joint >= 0) {
        p->joint = up[p->joint];
        return true;
    }
    if (is(p, t, "OFFSET") && p->joint >= 0) {
        return read_offset(p);
    }
    if (is(p, t, "CHANNELS") && p->joint >= 0) {
        return read_channels(p);
    }
    return complain(p, t,
                    p->joint < 0 ? "ROOT or MOTION" : "OFFSET, CHANNELS, JOINT, End Site or }");
}

static bool read_hierarchy(parser *p, int *up)
{
    p->at = sig_cell_start(&p->s->source);
    p->joint = -1;
    p->njoint = p->ncol = 0;
    if (!expect(p, "HIERARCHY")) {
        return false;
    }
    for (;;) {
        const token t = next(p);
        if (p->joint < 0 && is(p, t, "MOTION")) {
            return p->ncol > 0 || complain(p, t, "a joint with channels");
        }
        if (!read_word(p, t, up)) {
            return false;
        }
    }
}

/* Counts joints and columns, makes room, and reads them again. */
static sal_status read_skeleton(parser *p)
{
    sig_signals *s = p->s;
    size_t most = 1; /* every joint has a { */
    for (size_t i = 0; i < s->source.length; i++) {
        most += s->source.data[i] == '{';
    }
    /* one whose { is missing is complained of, but counted before */
    int *up = sal_alloc(most + 1, sizeof *up);
    if (up == NULL) {
        return sal_fail(p->err, SAL_NOMEM, "out of memory for a skeleton");
    }
    if (read_hierarchy(p, up)) {
        s->joint = sal_alloc((size_t)p->njoint, sizeof *s->joint);
        p->keep = true;
        p->status = s->joint == NULL ? sal_fail(p->err, SAL_NOMEM, "out of memory for a skeleton")
                                     : sig_columns(s, p->ncol, p->err);
        if (p->status == SAL_OK) {
            read_hierarchy(p, up);
        }
    }
    sal_free(up);
    return p->status == SAL_OK ? sal_diag_status(p->diag, p->err) : p->status;
}

/* ---- the motion ---- */

sal_status sig_read_bvh(sig_signals *s, sal_diag *diag, sal_err *err)
{
    parser p = {.s = s, .diag = diag, .err = err};
    double frames = 0, step = 0;
    sal_status status = read_skeleton(&p);
    if (status != SAL_OK) {
        return status;
    }
    const bool counted = expect(&p, "Frames:") && take_number(&p, &frames, "the number of frames");
    const size_t end = p.at;
    if (counted && expect(&p, "Frame") && expect(&p, "Time:") &&
        take_number(&p, &step, "the time between frames, in s,") && !(step > 0)) {
        sal_diag_error(diag, (sal_place){&s->source, p.at - 1, 1}, NULL,
                       "the time between frames is not more than 0");
    }
    status = sal_diag_status(diag, err);
    if (status == SAL_OK) {
        const sig_signal_table table = {.at = p.at, .separator = ' '};
        status = sig_signals_table(s, &table, diag, err);
    }
    if (status != SAL_OK) {
        return status;
    }
    if (frames != s->nrow) {
        sal_diag_error(diag, (sal_place){&s->source, end - 1, 1}, "is the file complete?",
                       "the header says %.0f frames, but there are %d", frames, s->nrow);
    }
    s->rate = 1 / step;
    return sal_diag_status(diag, err);
}
