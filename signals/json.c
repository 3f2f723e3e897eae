/* Motions in JSON (RFC 8259): an object of arrays of numbers, which are columns as those of NumPy
 * are (arrays.c), with a lone number for the rate; or the file of a motion as programs that train
 * legged robots have it,
 *
 *     {"LoopMode": "Wrap", "FrameDuration": 0.0167, ..
 *      "Frames": [[x, y, z, qx, qy, qz, qw, joint, joint, ..], ..]}
 *
 * with the time between two rows, s, and what is behind the joints in rows of 61 numbers, those of
 * a robot with four legs of three joints: the places of its feet, then the velocities of all this.
 * Python's NaN is a number that is missing, as null is. What stands in objects and words is passed
 * over, but for arrays of words that name joints.
 *
 * Libraries for JSON keep values, not where they stand: an error could not show the line.
 */
#include "signals/arrays.h"
#include "signals/reader.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { DEEP = SIG_ARRAY_NDIM + 1 };

static const char frames[] = "Frames";
static const size_t UNKNOWN = SIZE_MAX; /* how many numbers a row has */

/* What an array holds */
typedef enum kind { NOTHING, NUMBER, ROW } kind;

typedef struct parser {
    sig_signals *s;
    size_t at;
    sig_arrays arrays;
    int room;       /* for arrays */
    double *number; /* those of the array at hand */
    int n, capacity;
    kind level[DEEP]; /* and what is in its rows */
    sal_diag *diag;
    sal_err *err;
    sal_status status;
} parser;

/* ---- text ---- */

static size_t behind_blanks(const sal_source *s, size_t at)
{
    while (at < s->length && strchr(" \t\r\n", s->data[at]) != NULL && s->data[at] != 0) {
        at++;
    }
    return at;
}

bool sig_is_json(const sal_source *source)
{
    const size_t at = behind_blanks(source, 0);
    return at < source->length && source->data[at] == '{';
}

/* The next byte that is no blank, 0 at the end */
static char peek(parser *p)
{
    const char *text = p->s->source.data;
    p->at = behind_blanks(&p->s->source, p->at);
    return (char)(p->at < p->s->source.length ? text[p->at] : 0);
}

static bool complain(parser *p, const char *wanted)
{
    const sal_source *s = &p->s->source;
    if (p->at >= s->length) {
        sal_diag_error(p->diag, (sal_place){s, s->length, 1}, "is the file complete?",
                       "the file ends, but %s is expected here", wanted);
    } else {
        sal_diag_error(p->diag, (sal_place){s, p->at, 1}, NULL, "%s is expected here", wanted);
    }
    return false;
}

static bool out_of_memory(parser *p)
{
    p->status =
        sal_fail(p->err, SAL_NOMEM, "out of memory for the arrays of '%.300s'", p->s->source.path);
    return false;
}

static bool take(parser *p, char what)
{
    const bool is = peek(p) == what;
    p->at += is;
    return is;
}

/* Behind a member: ',' goes on, `close` ends. */
static bool go_on(parser *p, char close, bool *more)
{
    const char wanted[] = {'\'', ',', '\'', ' ', 'o', 'r', ' ', '\'', close, '\'', 0};
    *more = take(p, ',');
    return *more || take(p, close) || complain(p, wanted);
}

/* A word in quotes, as it stands in the file. */
static bool take_word(parser *p, size_t *begin, size_t *n)
{
    const sal_source *s = &p->s->source;
    if (!take(p, '"')) {
        return complain(p, "a word in double quotes");
    }
    *begin = p->at;
    while (p->at < s->length && s->data[p->at] != '"') {
        p->at += s->data[p->at] == '\\' ? 2 : 1;
    }
    if (p->at >= s->length) {
        return complain(p, "'\"'");
    }
    *n = p->at++ - *begin;
    return true;
}

/* A number, or null or NaN for one that is missing; true and false are 1 and 0. */
static bool take_number(parser *p, double *x)
{
    static const struct {
        const char *word;
        double value;
    } words[] = {{"null", (double)NAN}, {"true", 1}, {"false", 0}};
    const sal_source *s = &p->s->source;
    const char *end = NULL;
    peek(p);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        const size_t n = strlen(words[i].word);
        if (s->length - p->at >= n && memcmp(s->data + p->at, words[i].word, n) == 0) {
            *x = words[i].value;
            p->at += n;
            return true;
        }
    }
    if (p->at >= s->length || !sal_text_number(s->data + p->at, &end, x)) {
        return complain(p, "a number");
    }
    p->at = (size_t)(end - s->data);
    return true;
}

/* Any value, of which nothing is kept. */
static bool skip(parser *p)
{
    const sal_source *s = &p->s->source;
    size_t depth = 0, begin, n;
    double x;
    do {
        const char c = peek(p);
        if (c == '[' || c == '{' || c == ']' || c == '}') {
            depth += c == '[' || c == '{' ? 1 : (size_t)-1;
            p->at++;
        } else if (c == ',' || c == ':') {
            p->at++;
        } else if (!(c == '"' ? take_word(p, &begin, &n) : take_number(p, &x))) {
            return false;
        }
    } while (depth > 0 && p->at < s->length);
    return depth == 0 || complain(p, "the end of an object or array");
}

/* ---- arrays ---- */

static sig_array *add_array(parser *p, const char *name, size_t n)
{
    sig_array *grown = sal_list_grow(p->arrays.list, p->arrays.n, &p->room, sizeof *grown);
    if (grown == NULL) {
        out_of_memory(p);
        return NULL;
    }
    p->arrays.list = grown;
    sig_array *a = grown + p->arrays.n++;
    *a = (sig_array){.name = sig_word(name, n < SIG_WORD_MOST ? n : SIG_WORD_MOST)};
    if (a->name == NULL) {
        out_of_memory(p);
        return NULL;
    }
    return a;
}

static bool add_number(parser *p)
{
    double x, *grown;
    if (!take_number(p, &x)) {
        return false;
    }
    grown = sal_list_grow(p->number, p->n, &p->capacity, sizeof *grown);
    if (grown == NULL) {
        return out_of_memory(p);
    }
    p->number = grown;
    p->number[p->n++] = x;
    return true;
}

/* Of one depth all are rows, or all are numbers. */
static bool is_as_before(parser *p, int depth, kind is)
{
    kind *before = p->level + depth;
    if (*before != NOTHING && *before != is) {
        return complain(p, is == ROW ? "a number" : "a row of numbers, as before,");
    }
    *before = is;
    return true;
}

/* Numbers, or rows of such; all of one depth have one length. */
static bool read_rows(parser *p, sig_array *a, int depth)
{
    size_t n = 0;
    const size_t begin = p->at;
    bool more = !(take(p, '[') && take(p, ']'));
    a->ndim = depth < a->ndim ? a->ndim : depth + 1;
    for (; more; n++) {
        const bool row = peek(p) == '[' && depth + 1 < DEEP;
        if (!is_as_before(p, depth, row ? ROW : NUMBER) ||
            !(row ? read_rows(p, a, depth + 1) : add_number(p)) || !go_on(p, ']', &more)) {
            return false;
        }
    }
    if (depth < SIG_ARRAY_NDIM && a->shape[depth] != UNKNOWN && a->shape[depth] != n) {
        sal_diag_error(p->diag, (sal_place){&p->s->source, begin, 1}, NULL,
                       "this row has %zu numbers, but one before it %zu", n, a->shape[depth]);
        return false;
    }
    if (depth < SIG_ARRAY_NDIM) {
        a->shape[depth] = n;
    }
    return true;
}

/* Columns first .. first+n-1 of the rows of numbers, each `width` long */
static bool keep_columns(parser *p, sig_array *a, size_t width, size_t first, size_t n)
{
    const size_t rows = width > 0 ? (size_t)p->n / width : 0;
    if (!sig_array_begin(a, rows * n)) {
        return out_of_memory(p);
    }
    for (size_t i = 0; i < rows * n; i++) {
        sig_array_put(a, i, p->number[i / n * width + first + i % n]);
    }
    return true;
}

/* ---- rows that hold a pose ---- */

/* What stands in a row, and how many numbers of it, but for the joints: all that are left. */
typedef struct part {
    const char *name;
    size_t n;
} part;

enum { AS_MANY_AS_ARE_LEFT = 0, POSE = 7, FOUR_LEGS = 61 };

/* Whether numbers 3 .. 6 of each row are a quaternion of length 1, where none is missing. */
static bool hold_pose(const parser *p, size_t width)
{
    const double tolerance = 4e-3;
    bool pose = width > POSE && p->n > 0;
    for (size_t i = 0; i + width <= (size_t)p->n && pose; i += width) {
        const double *q = p->number + i + 3;
        pose = !(fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1) > tolerance);
    }
    return pose;
}

/* Such rows are an array for each of what they hold, in place of the last array. */
static bool keep_poses(parser *p, size_t rows, size_t width)
{
    static const part plain[] = {
        {"root_pos", 3}, {"root_rot", 4}, {"dof_pos", AS_MANY_AS_ARE_LEFT}, {NULL, 0}};
    static const part legs[] = {{"root_pos", 3},  {"root_rot", 4},     {"dof_pos", 12},
                                {"foot_pos", 12}, {"root_lin_vel", 3}, {"root_ang_vel", 3},
                                {"dof_vel", 12},  {"foot_vel", 12},    {NULL, 0}};
    size_t first = 0;
    sig_array *last = p->arrays.list + --p->arrays.n;
    sal_free(last->name);
    *last = (sig_array){0};
    for (const part *x = width == FOUR_LEGS ? legs : plain; x->name != NULL; x++) {
        const size_t n = x->n == AS_MANY_AS_ARE_LEFT ? width - first : x->n;
        sig_array *a = add_array(p, x->name, strlen(x->name));
        if (a == NULL || !keep_columns(p, a, width, first, n)) {
            return false;
        }
        a->ndim = 2;
        a->shape[0] = rows;
        a->shape[1] = n;
        first += n;
    }
    sal_text_format(&p->s->remark,
                    "'Frames' holds poses: place, quaternion x y z w, joints%s of each instant\n",
                    width == FOUR_LEGS ? ", feet, and the velocities of these," : "");
    return true;
}

/* ["hip", "knee"] -> words of SIG_WORD_MOST bytes each, filled up with zeros */
static bool read_words(parser *p, sig_array *a)
{
    char *grown, *word = NULL;
    int n = 0, room = 0;
    bool well = take(p, '['), more = true;
    while (well && more) {
        size_t begin, length;
        well = take_word(p, &begin, &length);
        grown = well ? sal_list_grow(word, n, &room, SIG_WORD_MOST) : NULL;
        if (!well || grown == NULL) {
            well = well && out_of_memory(p);
            break;
        }
        word = grown;
        memcpy(word + (size_t)n * SIG_WORD_MOST, p->s->source.data + begin,
               length < SIG_WORD_MOST ? length : SIG_WORD_MOST);
        n++;
        well = go_on(p, ']', &more);
    }
    a->own = (unsigned char *)word;
    a->bytes = a->own;
    a->n = (size_t)n * SIG_WORD_MOST;
    a->ndim = 1;
    a->shape[0] = (size_t)n;
    snprintf(a->descr, sizeof a->descr, "|S%d", SIG_WORD_MOST);
    return well;
}

static bool begins_words(parser *p)
{
    const size_t begin = p->at;
    const bool words = take(p, '[') && peek(p) == '"';
    p->at = begin;
    return words;
}

static bool read_numbers(parser *p, sig_array *a)
{
    p->n = 0;
    if (peek(p) != '[') {
        return add_number(p) && keep_columns(p, a, 1, 0, 1);
    }
    for (int i = 0; i < SIG_ARRAY_NDIM; i++) {
        a->shape[i] = UNKNOWN;
    }
    memset(p->level, 0, sizeof p->level);
    if (!read_rows(p, a, 0)) {
        return false;
    }
    const size_t rows = a->shape[0], width = rows > 0 ? (size_t)p->n / rows : 0;
    if (a->ndim == 2 && strcmp(a->name, frames) == 0 && hold_pose(p, width)) {
        return keep_poses(p, rows, width);
    }
    return keep_columns(p, a, width, 0, width);
}

/* The value of a member. */
static bool read_value(parser *p, const char *name, size_t n)
{
    const char c = peek(p);
    if (c == '{' || c == '"') {
        return skip(p);
    }
    sig_array *a = add_array(p, name, n);
    return a != NULL && (begins_words(p) ? read_words(p, a) : read_numbers(p, a));
}

static bool read_object(parser *p)
{
    bool more = true;
    if (peek(p) == '[') { /* rows alone */
        return read_value(p, frames, strlen(frames));
    }
    if (!take(p, '{')) {
        return complain(p, "'{', with which a motion in JSON begins,");
    }
    while (more && !(p->arrays.n == 0 && take(p, '}'))) {
        size_t begin, n;
        if (!take_word(p, &begin, &n) || !(take(p, ':') || complain(p, "':'")) ||
            !read_value(p, p->s->source.data + begin, n) || !go_on(p, '}', &more)) {
            return false;
        }
    }
    return peek(p) == 0 || complain(p, "the end of the file");
}

static void list_arrays(sig_signals *s, sig_arrays *z)
{
    for (int i = 0; i < z->n; i++) {
        z->list[i].place = sig_list(s, "%s", z->list[i].name);
    }
}

sal_status sig_read_json(sig_signals *s, sal_diag *diag, sal_err *err)
{
    parser p = {.s = s, .diag = diag, .err = err, .status = SAL_OK};
    if (!read_object(&p)) {
        p.status = p.status == SAL_OK ? sal_diag_status(diag, err) : p.status;
    } else {
        size_t n;
        unsigned char *bytes = sig_bytes(s, &n);
        list_arrays(s, &p.arrays);
        p.status = sig_arrays_read(s, &p.arrays, diag, err);
        sal_free(bytes);
    }
    sal_free(p.number);
    sig_arrays_clear(&p.arrays);
    return p.status;
}
