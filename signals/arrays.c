/* arrays.c: arrays of numbers, as programs in Python have them, as columns of signals.
 *
 * The first index of an array is the row; one of two dimensions has columns NAME_0, NAME_1 ..,
 * one of three NAME_0_0, NAME_0_1 .., or, where its last index has one value, NAME_0, NAME_1 ..
 * An array of words whose name speaks of joints says of which joints the columns of arrays are that
 * have as many.
 */
#include "signals/arrays.h"

#include "signals/reader.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JOINT_NAME = 128 };

size_t sig_array_item(const char *descr)
{
    static const char *const known[] = {"<f2", "<f4", "<f8", "<i4", "<i8", "<i2",
                                        "<u2", "<u4", "<u8", "|i1", "|u1", "|b1"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcmp(descr, known[i]) == 0) {
            return (size_t)(descr[2] - '0');
        }
    }
    return 0;
}

size_t sig_array_count(const sig_array *a)
{
    size_t n = 1;
    for (int i = 0; i < a->ndim && i < SIG_ARRAY_NDIM; i++) {
        if (a->shape[i] > 0 && n > SIZE_MAX / 64 / a->shape[i]) {
            return SIZE_MAX / 64;
        }
        n *= a->shape[i];
    }
    return n;
}

enum { DOUBLE = 8 }; /* bytes */

bool sig_array_begin(sig_array *a, size_t n)
{
    a->own = sal_alloc(n, DOUBLE);
    a->bytes = a->own;
    a->n = n * DOUBLE;
    a->item = DOUBLE;
    memcpy(a->descr, "<f8", 4);
    return a->own != NULL;
}

void sig_array_put(sig_array *a, size_t i, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    for (size_t k = 0; k < DOUBLE; k++) {
        a->own[i * DOUBLE + k] = (unsigned char)(bits >> 8 * k);
    }
}

bool sig_array_begin_words(sig_array *a, size_t n)
{
    a->own = sal_alloc(n, SIG_WORD_MOST);
    a->bytes = a->own;
    a->n = n * SIG_WORD_MOST;
    snprintf(a->descr, sizeof a->descr, "|S%d", SIG_WORD_MOST);
    return a->own != NULL;
}

void sig_array_put_word(sig_array *a, size_t i, const char *bytes, size_t n)
{
    memcpy(a->own + i * SIG_WORD_MOST, bytes, n < SIG_WORD_MOST ? n : SIG_WORD_MOST);
}

void sig_arrays_clear(sig_arrays *z)
{
    for (int i = 0; z->list != NULL && i < z->n; i++) {
        sal_free(z->list[i].name);
        sal_free(z->list[i].own);
    }
    sal_free(z->list);
    *z = (sig_arrays){0};
}

/* ---- columns ---- */

/* The unit that an array of the time has by its name, "": s; NULL: it is none. */
static const char *unit_of_time(const sig_array *a)
{
    char name[24];
    const char *unit;
    for (int i = 0; a->item > 0 && sig_time_name(i, name, &unit); i++) {
        if (strcmp(a->name, name) == 0) {
            return unit;
        }
    }
    return NULL;
}

static bool is_time(const sig_array *a)
{
    return a->ndim == 1 && unit_of_time(a) != NULL;
}

/* IEEE 754 binary16: sign, 5 bits of the exponent + 15, 10 of the fraction; 0: no leading one */
static double half(unsigned bits)
{
    const int exponent = (int)(bits >> 10 & 31), fraction = (int)(bits & 1023);
    const double size = exponent == 31  ? (fraction == 0 ? (double)INFINITY : (double)NAN)
                        : exponent == 0 ? ldexp(fraction, -24)
                                        : ldexp(1024 + fraction, exponent - 25);
    return bits >> 15 & 1 ? -size : size;
}

/* Number i of those that are stored. */
static double number(const sig_array *a, size_t i)
{
    const unsigned char *b = a->bytes + a->data + i * a->item;
    uint64_t bits = 0;
    for (size_t k = 0; k < a->item; k++) {
        bits |= (uint64_t)b[k] << 8 * k;
    }
    if (a->descr[1] == 'f' && a->item == 4) {
        const uint32_t low = (uint32_t)bits;
        float f;
        memcpy(&f, &low, sizeof f);
        return (double)f;
    }
    if (a->descr[1] == 'f' && a->item == 2) {
        return half((unsigned)bits);
    }
    if (a->descr[1] == 'f') {
        double d;
        memcpy(&d, &bits, sizeof d);
        return d;
    }
    if (a->descr[1] == 'i' && a->item > 0 &&
        bits >> (8 * a->item - 1)) { /* negative: the bits above are ones */
        const uint64_t above = a->item == 8 ? 0 : ~(uint64_t)0 << 8 * a->item;
        return -(double)(~(bits | above) + 1);
    }
    return (double)bits;
}

/* Columns that it becomes; of an array without rows the shape may be anything. */
static size_t width(const sig_array *a)
{
    const size_t most = INT_MAX;
    size_t n = 1;
    for (int i = 1; i < a->ndim; i++) {
        n = a->shape[i] > 0 && n > most / a->shape[i] ? most : n * a->shape[i];
    }
    return n;
}

/* Columns of the last index alone, of an array that has any. */
static size_t inner(const sig_array *a)
{
    return a->ndim == 3 && a->shape[2] > 0 ? a->shape[2] : 1;
}

/* Takes the array out of those that become columns, and says why. */
static void pass_over(sig_signals *s, sig_array *a, const char *why)
{
    a->item = 0;
    sal_text_format(&s->remark, "array '%.80s' is not read: %s\n", a->name, why);
}

/* The rate is a lone number of such a name; fps and the others are what programs that write clips
 * of motion call it. */
static const char *const rates[] = {"rate",
                                    "fs",
                                    "fps",
                                    "framerate",
                                    "frame_rate",
                                    "frequency",
                                    "mocap_framerate",
                                    "mocap_frame_rate"};

/* And of such a name, the time between two rows, s. */
static const char *const intervals[] = {"dt", "timestep", "time_step", "frame_time",
                                        "FrameDuration"};

enum { NRATE = sizeof rates / sizeof rates[0], NINTERVAL = sizeof intervals / sizeof intervals[0] };

const char *sig_rate_name(int i)
{
    return i < NRATE ? rates[i] : i < NRATE + NINTERVAL ? intervals[i - NRATE] : NULL;
}

static bool is_lone(const sig_array *a, const char *const *names, int n)
{
    bool is = false;
    for (int i = 0; i < n; i++) {
        is = is || strcmp(a->name, names[i]) == 0;
    }
    return is && a->ndim <= SIG_ARRAY_NDIM && sig_array_count(a) == 1;
}

static bool is_rate(const sig_array *a)
{
    return is_lone(a, rates, NRATE);
}

static bool is_interval(const sig_array *a)
{
    return is_lone(a, intervals, NINTERVAL);
}

/* 1/interval; numbers of single precision make 30 of 29.9999985. */
static double rate_of(const sig_array *a)
{
    const double x = number(a, 0), rate = is_interval(a) ? 1 / x : x, whole = round(rate);
    return is_interval(a) && fabs(rate - whole) < 1e-6 * whole ? whole : rate;
}

static void take_rate(sig_signals *s, sig_array *a, const sig_array **taken, sal_diag *diag)
{
    const double rate = rate_of(a);
    if (!(isfinite(rate) && rate > 0)) {
        sal_diag_error(diag, a->place, NULL, "'%.80s' is %g, but a rate is more than 0", a->name,
                       number(a, 0));
    } else if (*taken != NULL && fabs(rate / s->rate - 1) > 1e-6) {
        sal_diag_error(diag, a->place, "leave one of the two out of the file",
                       "'%.80s' says %.9g rows a second, but '%.80s' says %.9g", a->name, rate,
                       (*taken)->name, s->rate);
    } else {
        s->rate = rate;
        *taken = a;
    }
    pass_over(s, a, "it is a lone number (the rate)");
}

/* Where each of several recordings that stand one behind the other begins, and the last ends
 * (LocoMuJoCo). */
static bool is_split(const sig_array *a)
{
    return a->item > 0 && a->ndim == 1 && strcmp(a->name, "split_points") == 0;
}

/* It is no column, and there must be one recording. */
static void take_split(sig_array *a, sal_diag *diag)
{
    if (a->shape[0] > 2) {
        sal_diag_error(
            diag, a->place,
            "cut one out: in Python, d = dict(numpy.load('clips.npz')); p = d.pop('split_points'); "
            "numpy.savez('clip.npz', **{k: v[p[0]:p[1]] if v.shape[:1] == (p[-1],) else v for k, v "
            "in d.items()})",
            "%zu recordings stand one behind the other, as array 'split_points' says",
            a->shape[0] - 1);
    }
    a->item = 0;
}

/* A batch of one, 1 x rows x n, is its only member; times may stand or lie. */
static void take_out_of_batch(sig_array *a)
{
    if (unit_of_time(a) != NULL && a->ndim == 2 && (a->shape[0] == 1 || a->shape[1] == 1)) {
        a->shape[0] *= a->shape[1];
        a->ndim = 1;
    }
    if (a->item > 0 && a->ndim == 3 && a->shape[0] == 1 && a->shape[1] > 1 && !a->fortran) {
        a->shape[0] = a->shape[1];
        a->shape[1] = a->shape[2];
        a->ndim = 2;
    }
}

/* Passes over what can be no column, and takes the rate. */
static void sort_out(sig_signals *s, sig_arrays *z, sal_diag *diag)
{
    const sig_array *rate = NULL;
    for (int i = 0; i < z->n; i++) {
        sig_array *a = z->list + i;
        take_out_of_batch(a);
        if (is_split(a)) {
            take_split(a, diag);
        } else if (a->item == 0) {
            pass_over(s, a,
                      "its type is none of f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 b1, little endian");
        } else if (a->ndim > SIG_ARRAY_NDIM) {
            pass_over(s, a, "it has more than three dimensions");
        } else if (is_rate(a) || is_interval(a)) {
            take_rate(s, a, &rate, diag);
        } else if (a->ndim == 0) {
            pass_over(s, a, "it is a lone number");
        }
    }
}

/* Its last index is that of the instants, not its first. */
static void turn(sig_signals *s, sig_array *a)
{
    const size_t n = a->shape[0];
    a->shape[0] = a->shape[1];
    a->shape[1] = n;
    a->fortran = !a->fortran;
    sal_text_format(&s->remark, "the instants of array '%.80s' are its columns, not its rows\n",
                    a->name);
}

/* Turns all arrays if they have as many columns, more than any has rows, but not as many rows. */
static void turn_all(sig_signals *s, sig_arrays *z)
{
    const sig_array *first = NULL;
    bool alike = true, other = false;
    for (int i = 0; i < z->n && alike; i++) {
        const sig_array *a = z->list + i;
        if (a->item > 0) {
            first = first == NULL ? a : first;
            alike = a->ndim == 2 && a->shape[1] == first->shape[1] && a->shape[0] < a->shape[1];
            other = other || a->shape[0] != first->shape[0];
        }
    }
    for (int i = 0; i < z->n && alike && other; i++) {
        if (z->list[i].item > 0) {
            turn(s, z->list + i);
        }
    }
}

/* By number of rows, then as they stand in the file. */
static int compare_rows(const void *a, const void *b)
{
    const sig_array *x = *(const sig_array *const *)a, *y = *(const sig_array *const *)b;
    const size_t m = x->shape[0], n = y->shape[0];
    return m != n ? (m > n) - (m < n) : (x > y) - (x < y);
}

/* The first array of the number of rows, more than one, that the most of the sorted list [n] have;
 * NULL: none has more than one. *rival: one of another number that as many have, or NULL. */
static const sig_array *most_common(const sig_array *const *list, int n, const sig_array **rival)
{
    const sig_array *best = NULL;
    int most = 0;
    *rival = NULL;
    for (int i = 0, same; i < n; i += same) {
        for (same = 1; i + same < n && list[i + same]->shape[0] == list[i]->shape[0]; same++) {
        }
        if (list[i]->shape[0] > 1 && same >= most) {
            *rival = same == most ? best : NULL;
            best = list[i];
            most = same;
        }
    }
    return best;
}

/* Without an array of the time: the array whose rows are the instants. *sure: arrays of another
 * number of rows are something else, not broken. */
static sal_status find_rows(const sig_arrays *z, const sig_array **rows, bool *sure, sal_diag *diag,
                            sal_err *err)
{
    int n = 0;
    const sig_array **list = sal_alloc((size_t)z->n + 1, sizeof *list), *rival = NULL;
    if (list == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for %d arrays", z->n);
    }
    for (int i = 0; i < z->n; i++) {
        if (z->list[i].item > 0) {
            list[n++] = z->list + i;
        }
    }
    *rows = n > 0 ? list[0] : NULL;
    qsort(list, (size_t)n, sizeof *list, compare_rows);
    const sig_array *common = most_common(list, n, &rival);
    *sure = common != NULL;
    *rows = common != NULL ? common : *rows;
    if (rival != NULL) {
        sal_diag_error(diag, common->place,
                       "arrays have a row for every instant; leave out those that are something "
                       "else, or add an array 'time'",
                       "which rows are the instants is not clear: '%.80s' has %zu rows, '%.80s' "
                       "has %zu, and as many arrays have the one number as the other",
                       common->name, common->shape[0], rival->name, rival->shape[0]);
    }
    sal_free(list);
    return rival != NULL ? sal_diag_status(diag, err) : SAL_OK;
}

/* Which arrays become columns, and how many rows they have: as many as the time, or as most. */
static sal_status choose(sig_signals *s, sig_arrays *z, size_t *nrow, sal_diag *diag, sal_err *err)
{
    const sig_array *rows = NULL;
    bool sure = true;
    sort_out(s, z, diag);
    for (int i = z->n - 1; i >= 0; i--) {
        rows = is_time(z->list + i) ? z->list + i : rows;
    }
    if (rows == NULL) {
        turn_all(s, z);
    }
    sal_status status = rows != NULL ? SAL_OK : find_rows(z, &rows, &sure, diag, err);
    for (int i = 0; i < z->n && status == SAL_OK; i++) {
        sig_array *a = z->list + i;
        if (a->item == 0 || a->shape[0] == rows->shape[0]) {
            continue;
        }
        if (sure && a->ndim == 2 && a->shape[1] == rows->shape[0]) {
            turn(s, a);
            continue;
        }
        if (!sure) {
            sal_diag_error(diag, a->place, "arrays have a row for every instant",
                           "array '%.80s' has %zu rows, but '%.80s' has %zu", a->name, a->shape[0],
                           rows->name, rows->shape[0]);
            continue;
        }
        sal_diag_warning(diag, a->place, NULL,
                         "array '%.80s' has %zu rows, not the %zu of '%.80s': it is not read",
                         a->name, a->shape[0], rows->shape[0], rows->name);
        pass_over(s, a, "it does not have a row for every instant");
    }
    *nrow = rows == NULL ? 0 : rows->shape[0];
    return status == SAL_OK ? sal_diag_status(diag, err) : status;
}

/* ---- names of joints ---- */

/* Bytes of a word of an array of them, <U24 (4 for a character) or |S24 (1). */
static size_t word_size(const sig_array *a)
{
    return (a->descr[1] == 'U' ? 4 : 1) * strtoul(a->descr + 2, NULL, 10);
}

/* Whether it is an array of words about joints. */
static bool names_joints(const sig_array *a)
{
    return (strncmp(a->descr, "<U", 2) == 0 || strncmp(a->descr, "|S", 2) == 0) && a->ndim == 1 &&
           (strstr(a->name, "joint") != NULL || strstr(a->name, "dof") != NULL) &&
           a->shape[0] > 1 && a->shape[0] < INT_MAX && word_size(a) > 0 &&
           a->data + a->shape[0] * word_size(a) == a->n;
}

/* Word i, up to a zero. NULL: no memory. */
static char *word_of(const sig_array *a, size_t i)
{
    char word[JOINT_NAME];
    const size_t wide = a->descr[1] == 'U' ? 4 : 1, size = word_size(a);
    const unsigned char *b = a->bytes + a->data + i * size;
    size_t n = 0;
    for (; n * wide < size && n < sizeof word && b[n * wide] != 0; n++) {
        word[n] = (char)b[n * wide];
    }
    return sig_word(word, n);
}

/* Whether a row may begin with the pose of a root. */
static bool may_begin_with_pose(const sig_array *a)
{
    return strcmp(a->name, "qpos") == 0 || strcmp(a->name, "frames") == 0 ||
           strcmp(a->name, "Frames") == 0;
}

/* An array of words about joints with a word for each column of `a`, which is not about bodies,
 * from *first on; NULL: there is none. Before them a row may hold the place of a root and its
 * quaternion, or rotation vector; or the quaternion, and the free joint has a name, too. */
static const sig_array *names_of(const sig_arrays *z, const sig_array *a, size_t *first)
{
    static const size_t before[] = {0, 6, 7};
    const int ways = may_begin_with_pose(a) ? 3 : 1;
    for (int i = 0; i < z->n && a->ndim > 1 && strstr(a->name, "body") == NULL; i++) {
        for (int k = 0; k < ways && names_joints(z->list + i); k++) {
            *first = before[k];
            if (z->list[i].shape[0] + *first == width(a)) {
                return z->list + i;
            }
        }
    }
    return NULL;
}

/* Names column k of an array, which is `column` of all, and its joint. */
static sal_status name_column(sig_signals *s, const sig_arrays *z, const sig_array *a, size_t k,
                              int column, sal_err *err)
{
    char suffix[48] = "";
    size_t first = 0;
    const sig_array *joints = names_of(z, a, &first);
    if (a->ndim == 2 || (a->ndim == 3 && inner(a) == 1)) {
        snprintf(suffix, sizeof suffix, "_%zu", k);
    } else if (a->ndim == 3) {
        snprintf(suffix, sizeof suffix, "_%zu_%zu", k / inner(a), k % inner(a));
    }
    if (joints != NULL && k >= first) {
        s->column[column].joint = word_of(joints, k - first);
        if (s->column[column].joint == NULL) {
            return sal_fail(err, SAL_NOMEM, "out of memory for a name");
        }
    }
    return sig_name(s, column, a->name, strlen(a->name), suffix, a->place, err);
}

static sal_status name_columns(sig_signals *s, const sig_arrays *z, sal_err *err)
{
    size_t n = 0;
    for (int i = 0; i < z->n; i++) {
        n += z->list[i].item > 0 ? width(z->list + i) : 0;
        if (n > INT_MAX / 2) {
            return sal_fail(err, SAL_FULL, "'%.300s' has too many columns", s->source.path);
        }
    }
    sal_status status = sig_columns(s, (int)n, err);
    for (int i = 0, column = 0; i < z->n && status == SAL_OK; i++) {
        const sig_array *a = z->list + i;
        if (is_time(a) && s->time < 0) {
            s->time = column;
            snprintf(s->column[column].unit, sizeof s->column[column].unit, "%s", unit_of_time(a));
        }
        for (size_t k = 0; a->item > 0 && k < width(a) && status == SAL_OK; k++) {
            status = name_column(s, z, a, k, column++, err);
        }
    }
    return status;
}

/* Where the number of column k, k = (i, j) = i inner + j, of a row stands among those of the array:
 * the last index runs fastest, or, as Fortran has it, the first. */
static size_t place_of(const sig_array *a, size_t row, size_t k)
{
    const size_t n = inner(a), middle = width(a) / n;
    return a->fortran ? (k % n * middle + k / n) * a->shape[0] + row : row * width(a) + k;
}

static void fill(sig_signals *s, const sig_arrays *z)
{
    const size_t rows = (size_t)s->nrow, ncol = (size_t)s->ncol;
    size_t column = 0;
    for (int i = 0; i < z->n; i++) {
        const sig_array *a = z->list + i;
        const size_t n = a->item > 0 ? width(a) : 0;
        for (size_t row = 0; row < rows; row++) {
            for (size_t k = 0; k < n; k++) {
                s->value[row * ncol + column + k] = number(a, place_of(a, row, k));
            }
        }
        column += n;
    }
}

sal_status sig_arrays_read(sig_signals *s, sig_arrays *z, sal_diag *diag, sal_err *err)
{
    size_t rows = 0;
    sal_status status = choose(s, z, &rows, diag, err);
    status = status == SAL_OK ? name_columns(s, z, err) : status;
    if (status == SAL_OK && (rows == 0 || s->ncol == 0)) {
        const char *remark = s->remark.data; /* a line for each array that is not read */
        char why[200] = "";
        snprintf(why, sizeof why, "%.*s", remark == NULL ? 0 : (int)strcspn(remark, "\n"),
                 remark == NULL ? "" : remark);
        sal_diag_error(diag, (sal_place){&s->source, 0, 1}, why[0] == 0 ? NULL : why,
                       "there are no rows of numbers");
        status = sal_diag_status(diag, err);
    }
    status = status == SAL_OK ? sig_rows(s, rows, err) : status;
    status = status == SAL_OK ? sig_list_rows(s, "row", 0, err) : status;
    if (status == SAL_OK) {
        fill(s, z);
        sig_check_finite(s, diag);
        status = sal_diag_status(diag, err);
    }
    return status;
}
