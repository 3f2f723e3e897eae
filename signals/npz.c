/* Arrays of NumPy, .npz: a ZIP archive with one .npy for each (NumPy documentation,
 * "numpy.lib.format"):
 *
 *     \x93NUMPY major minor, length of the header (2 bytes, from version 2 on 4), {'descr': '<f8',
 *         'fortran_order': False, 'shape': (100, 3), }, numbers
 *
 * The first index of an array is the row; one of two dimensions has columns NAME_0, NAME_1 ..,
 * one of three NAME_0_0, NAME_0_1 .., or, where its last index has one value, NAME_0, NAME_1 ..
 * An array of words whose name speaks of joints says of which joints the columns of arrays are that
 * have as many. This file and npz_write.c alone know libzip.
 */
#include "signals/reader.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

/* Deflate makes at most 1032 bytes of one. */
enum { INFLATION_MAX = 1032, NDIM_MAX = 3, MAGIC = 8 };

enum { JOINT_NAME = 128 };
static const size_t UNPACKED_MOST = (size_t)1 << 30;

typedef struct array {
    char *name; /* without .npy */
    unsigned char *bytes;
    size_t n;
    size_t data;   /* where the numbers begin */
    char descr[8]; /* "<f8"; "": not one word */
    bool fortran;
    int ndim;
    size_t shape[NDIM_MAX];
    size_t item; /* bytes of a number; 0: it is none that we read */
    sal_place place;
} array;

typedef struct archive {
    zip_t *zip;
    array *list;
    int n;
    size_t unpacked; /* bytes of all arrays so far */
} archive;

/* ---- the header of an array: a dictionary in Python's words ---- */

typedef struct cursor {
    const char *at, *end;
} cursor;

static bool take(cursor *c, char what)
{
    while (c->at < c->end && (*c->at == ' ' || *c->at == '\n' || *c->at == '\t')) {
        c->at++;
    }
    if (c->at < c->end && *c->at == what) {
        c->at++;
        return true;
    }
    return false;
}

/* 'word', of which as much is kept as fits */
static bool take_string(cursor *c, char *word, size_t n)
{
    const bool single = take(c, '\'');
    const char quote = single ? '\'' : '"';
    size_t k = 0;
    if (!single && !take(c, '"')) {
        return false;
    }
    for (; c->at < c->end && *c->at != quote; c->at++) {
        if (k + 1 < n) {
            word[k++] = *c->at;
        }
    }
    word[k] = 0;
    return take(c, quote);
}

static bool take_word(cursor *c, const char *word)
{
    const size_t n = strlen(word);
    take(c, ' ');
    if ((size_t)(c->end - c->at) >= n && memcmp(c->at, word, n) == 0) {
        c->at += n;
        return true;
    }
    return false;
}

/* (100, 3) */
static bool take_shape(cursor *c, array *a)
{
    if (!take(c, '(')) {
        return false;
    }
    for (a->ndim = 0; !take(c, ')'); a->ndim++) {
        size_t n = 0;
        int digits = 0;
        for (take(c, ' '); c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++, digits++) {
            n = 10 * n + (size_t)(*c->at - '0');
        }
        if (digits == 0 || digits > 15) {
            return false;
        }
        if (a->ndim < NDIM_MAX) {
            a->shape[a->ndim] = n;
        }
        if (!take(c, ',') && (c->at >= c->end || *c->at != ')')) {
            return false;
        }
    }
    return true;
}

/* A list of fields instead of one type: their names and types are passed over. */
static bool take_fields(cursor *c)
{
    int depth = 0;
    if (c->at >= c->end || *c->at != '[') {
        return false;
    }
    for (; c->at < c->end; c->at++) {
        depth += *c->at == '[' ? 1 : *c->at == ']' ? -1 : 0;
        if (depth == 0) {
            c->at++;
            return true;
        }
    }
    return false;
}

static bool read_dictionary(array *a, cursor c)
{
    bool descr = false, order = false, shape = false;
    char key[32];
    if (!take(&c, '{')) {
        return false;
    }
    while (!take(&c, '}')) {
        if (!take_string(&c, key, sizeof key) || !take(&c, ':')) {
            return false;
        }
        take(&c, ' ');
        if (strcmp(key, "descr") == 0) {
            descr = take_string(&c, a->descr, sizeof a->descr) || take_fields(&c);
        } else if (strcmp(key, "fortran_order") == 0) {
            a->fortran = take_word(&c, "True");
            order = a->fortran || take_word(&c, "False");
        } else if (strcmp(key, "shape") == 0) {
            shape = take_shape(&c, a);
        } else {
            return false;
        }
        if (!take(&c, ',') && (c.at >= c.end || *c.at != '}')) {
            return false;
        }
    }
    return descr && order && shape;
}

/* Bytes of a number of this type; 0: it is none that we read. */
static size_t item_size(const char *descr)
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

static size_t count_numbers(const array *a)
{
    size_t n = 1;
    for (int i = 0; i < a->ndim && i < NDIM_MAX; i++) {
        if (a->shape[i] > 0 && n > SIZE_MAX / 64 / a->shape[i]) {
            return SIZE_MAX / 64;
        }
        n *= a->shape[i];
    }
    return n;
}

static void read_array_header(array *a, sal_diag *diag)
{
    const unsigned char *b = a->bytes;
    size_t header = 0, begin = MAGIC + 2;
    if (a->n < 12 || memcmp(b, "\x93NUMPY", 6) != 0 || b[6] < 1 || b[6] > 3) {
        sal_diag_error(diag, a->place, NULL, "'%.80s' is not an array of NumPy", a->name);
        return;
    }
    header = (size_t)b[8] | (size_t)b[9] << 8;
    if (b[6] > 1) {
        header |= (size_t)b[10] << 16 | (size_t)b[11] << 24;
        begin = MAGIC + 4;
    }
    a->data = begin + header;
    const char *text = (const char *)b + begin;
    if (a->data > a->n || !read_dictionary(a, (cursor){text, text + header})) {
        sal_diag_error(diag, a->place, NULL, "the header of array '%.80s' is broken", a->name);
        return;
    }
    a->item = item_size(a->descr);
    const size_t need = count_numbers(a) * a->item;
    if (a->item > 0 && a->ndim <= NDIM_MAX && need != a->n - a->data) {
        sal_diag_error(diag, a->place, "is the file complete?",
                       "array '%.80s' has %zu bytes of numbers, but its shape wants %zu", a->name,
                       a->n - a->data, need);
    }
}

/* ---- the archive ---- */

static sal_status fail_zip(const sig_signals *s, const char *what, const char *why, sal_diag *diag,
                           sal_err *err)
{
    sal_diag_error(diag, (sal_place){&s->source, 0, 1}, "it is what numpy.savez writes",
                   "%.100s: %.200s", what, why);
    return sal_diag_status(diag, err);
}

static sal_status read_entry(sig_signals *s, archive *z, int i, sal_diag *diag, sal_err *err)
{
    zip_stat_t info;
    array *a = z->list + i;
    zip_stat_init(&info);
    if (zip_stat_index(z->zip, (zip_uint64_t)i, 0, &info) != 0 || info.name == NULL) {
        return fail_zip(s, "an entry of the archive", zip_strerror(z->zip), diag, err);
    }
    const size_t length = strlen(info.name);
    const bool npy = length > 4 && strcmp(info.name + length - 4, ".npy") == 0;
    a->name = sig_word(info.name, npy ? length - 4 : length);
    if (a->name == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for a name");
    }
    a->place = sig_list(s, "%.300s", info.name);
    if (info.comp_method != ZIP_CM_STORE && info.comp_method != ZIP_CM_DEFLATE) {
        return fail_zip(s, a->name, "it is neither stored nor deflated", diag, err);
    }
    if (info.size / INFLATION_MAX > info.comp_size || info.size > SIZE_MAX / 2) {
        return fail_zip(s, a->name, "its size in the archive is not possible", diag, err);
    }
    const size_t most = sal_reading_most(UNPACKED_MOST);
    a->n = (size_t)info.size;
    z->unpacked += a->n;
    if (z->unpacked > most) {
        char what[400];
        snprintf(what, sizeof what, "cannot read '%.300s': it unpacks to", s->source.path);
        sal_err why = {0};
        sal_reading_refuse(what, (double)z->unpacked, most, &why);
        sal_diag_error(diag, (sal_place){0}, NULL, "%s", why.message);
        return sal_diag_status(diag, err);
    }
    a->bytes = sal_alloc(a->n, 1);
    if (a->bytes == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for array '%.100s'", a->name);
    }
    zip_file_t *file = zip_fopen_index(z->zip, (zip_uint64_t)i, 0);
    const zip_int64_t got = file == NULL ? -1 : zip_fread(file, a->bytes, info.size);
    /* one more read compares the checksum */
    char beyond;
    const bool whole = got == (zip_int64_t)info.size && zip_fread(file, &beyond, 1) == 0;
    if (file != NULL) {
        zip_fclose(file);
    }
    if (!whole) {
        return fail_zip(s, a->name, "it cannot be unpacked; is the file complete?", diag, err);
    }
    read_array_header(a, diag);
    return SAL_OK;
}

static sal_status open_archive(sig_signals *s, archive *z, const unsigned char *bytes, size_t n,
                               sal_diag *diag, sal_err *err)
{
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t *source = zip_source_buffer_create(bytes, n, 0, &error);
    z->zip = source == NULL ? NULL : zip_open_from_source(source, ZIP_RDONLY, &error);
    sal_status status = SAL_OK;
    if (z->zip == NULL) {
        status = fail_zip(s, "not a ZIP archive", zip_error_strerror(&error), diag, err);
        zip_source_free(source);
    }
    zip_error_fini(&error);
    const zip_int64_t entries = z->zip == NULL ? 0 : zip_get_num_entries(z->zip, 0);
    z->list = sal_alloc(entries < 1 << 20 ? (size_t)entries : 0, sizeof *z->list);
    if (z->list == NULL || entries >= 1 << 20) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the arrays of '%.300s'", s->source.path);
    }
    while (z->n < entries && status == SAL_OK) {
        z->n++;
        status = read_entry(s, z, z->n - 1, diag, err);
    }
    return status == SAL_OK ? sal_diag_status(diag, err) : status;
}

static void close_archive(archive *z)
{
    for (int i = 0; z->list != NULL && i < z->n; i++) {
        sal_free(z->list[i].name);
        sal_free(z->list[i].bytes);
    }
    sal_free(z->list);
    if (z->zip != NULL) {
        zip_discard(z->zip);
    }
}

/* ---- arrays to columns ---- */

static bool is_time(const array *a)
{
    return a->item > 0 && a->ndim == 1 &&
           (strcmp(a->name, "time") == 0 || strcmp(a->name, "t") == 0);
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
static double number(const array *a, size_t i)
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
static size_t width(const array *a)
{
    const size_t most = INT_MAX;
    size_t n = 1;
    for (int i = 1; i < a->ndim; i++) {
        n = a->shape[i] > 0 && n > most / a->shape[i] ? most : n * a->shape[i];
    }
    return n;
}

/* Columns of the last index alone, of an array that has any. */
static size_t inner(const array *a)
{
    return a->ndim == 3 && a->shape[2] > 0 ? a->shape[2] : 1;
}

/* Takes the array out of those that become columns, and says why. */
static void pass_over(sig_signals *s, array *a, const char *why)
{
    a->item = 0;
    sal_text_format(&s->remark, "array '%.80s' is not read: %s\n", a->name, why);
}

static bool is_lone(const array *a, const char *const *names)
{
    const bool lone = a->ndim == 0 || (a->ndim == 1 && a->shape[0] == 1);
    while (*names != NULL && strcmp(a->name, *names) != 0) {
        names++;
    }
    return lone && *names != NULL;
}

/* A lone number of such a name is the rate; fps and the others are what programs that write clips
 * of motion call it. */
static bool is_rate(const array *a)
{
    static const char *const names[] = {"rate",
                                        "fs",
                                        "fps",
                                        "framerate",
                                        "frame_rate",
                                        "frequency",
                                        "mocap_framerate",
                                        "mocap_frame_rate",
                                        NULL};
    return is_lone(a, names);
}

/* And of such a name, the time between two rows, s. */
static bool is_interval(const array *a)
{
    static const char *const names[] = {"dt", "timestep", "time_step", "frame_time", NULL};
    return is_lone(a, names);
}

/* 1/interval; numbers of single precision make 30 of 29.9999985. */
static double rate_of(const array *a)
{
    const double x = number(a, 0), rate = is_interval(a) ? 1 / x : x, whole = round(rate);
    return is_interval(a) && fabs(rate - whole) < 1e-6 * whole ? whole : rate;
}

static void take_rate(sig_signals *s, array *a, const array **taken, sal_diag *diag)
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

/* Passes over what can be no column, and takes the rate. */
static void sort_out(sig_signals *s, archive *z, sal_diag *diag)
{
    const array *rate = NULL;
    for (int i = 0; i < z->n; i++) {
        array *a = z->list + i;
        if (a->item == 0) {
            pass_over(s, a,
                      "its type is none of f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 b1, little endian");
        } else if (a->ndim > NDIM_MAX) {
            pass_over(s, a, "it has more than three dimensions");
        } else if (is_rate(a) || is_interval(a)) {
            take_rate(s, a, &rate, diag);
        } else if (a->ndim == 0) {
            pass_over(s, a, "it is a lone number");
        }
    }
}

/* By number of rows, then as they stand in the file. */
static int compare_rows(const void *a, const void *b)
{
    const array *x = *(const array *const *)a, *y = *(const array *const *)b;
    const size_t m = x->shape[0], n = y->shape[0];
    return m != n ? (m > n) - (m < n) : (x > y) - (x < y);
}

/* The first array of the number of rows, more than one, that the most of the sorted list [n] have;
 * NULL: none has more than one. *rival: one of another number that as many have, or NULL. */
static const array *most_common(const array *const *list, int n, const array **rival)
{
    const array *best = NULL;
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
static sal_status find_rows(const archive *z, const array **rows, bool *sure, sal_diag *diag,
                            sal_err *err)
{
    int n = 0;
    const array **list = sal_alloc((size_t)z->n + 1, sizeof *list), *rival = NULL;
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
    const array *common = most_common(list, n, &rival);
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
static sal_status choose(sig_signals *s, archive *z, size_t *nrow, sal_diag *diag, sal_err *err)
{
    const array *rows = NULL;
    bool sure = true;
    sort_out(s, z, diag);
    for (int i = z->n - 1; i >= 0; i--) {
        rows = is_time(z->list + i) ? z->list + i : rows;
    }
    sal_status status = rows != NULL ? SAL_OK : find_rows(z, &rows, &sure, diag, err);
    for (int i = 0; i < z->n && status == SAL_OK; i++) {
        array *a = z->list + i;
        if (a->item == 0 || a->shape[0] == rows->shape[0]) {
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
static size_t word_size(const array *a)
{
    return (a->descr[1] == 'U' ? 4 : 1) * strtoul(a->descr + 2, NULL, 10);
}

/* Whether it is an array of words about joints. */
static bool names_joints(const array *a)
{
    return (strncmp(a->descr, "<U", 2) == 0 || strncmp(a->descr, "|S", 2) == 0) && a->ndim == 1 &&
           (strstr(a->name, "joint") != NULL || strstr(a->name, "dof") != NULL) &&
           a->shape[0] > 1 && a->shape[0] < INT_MAX && word_size(a) > 0 &&
           a->data + a->shape[0] * word_size(a) == a->n;
}

/* Word i, up to a zero. NULL: no memory. */
static char *word_of(const array *a, size_t i)
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

/* An array of words about joints with a word for each column of `a`, which is not about bodies;
 * NULL: there is none. */
static const array *names_of(const archive *z, const array *a, size_t *first)
{
    const size_t free = 7; /* numbers of qpos that the free joint has, whose name is the first */
    const bool pose = strcmp(a->name, "qpos") == 0;
    for (int i = 0; i < z->n && a->ndim > 1 && strstr(a->name, "body") == NULL; i++) {
        const size_t n = z->list[i].shape[0];
        *first = pose && n + free - 1 == width(a) ? free - 1 : 0;
        if (names_joints(z->list + i) && n + *first == width(a)) {
            return z->list + i;
        }
    }
    return NULL;
}

/* Names column k of an array, which is `column` of all, and its joint. */
static sal_status name_column(sig_signals *s, const archive *z, const array *a, size_t k,
                              int column, sal_err *err)
{
    char suffix[48] = "";
    size_t first = 0;
    const array *joints = names_of(z, a, &first);
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

static sal_status name_columns(sig_signals *s, const archive *z, sal_err *err)
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
        const array *a = z->list + i;
        s->time = a->item > 0 && is_time(a) && s->time < 0 ? column : s->time;
        for (size_t k = 0; a->item > 0 && k < width(a) && status == SAL_OK; k++) {
            status = name_column(s, z, a, k, column++, err);
        }
    }
    return status;
}

/* Where the number of column k, k = (i, j) = i inner + j, of a row stands among those of the array:
 * the last index runs fastest, or, as Fortran has it, the first. */
static size_t place_of(const array *a, size_t row, size_t k)
{
    const size_t n = inner(a), middle = width(a) / n;
    return a->fortran ? (k % n * middle + k / n) * a->shape[0] + row : row * width(a) + k;
}

static void fill(sig_signals *s, const archive *z)
{
    const size_t rows = (size_t)s->nrow, ncol = (size_t)s->ncol;
    size_t column = 0;
    for (int i = 0; i < z->n; i++) {
        const array *a = z->list + i;
        const size_t n = a->item > 0 ? width(a) : 0;
        for (size_t row = 0; row < rows; row++) {
            for (size_t k = 0; k < n; k++) {
                s->value[row * ncol + column + k] = number(a, place_of(a, row, k));
            }
        }
        column += n;
    }
}

static sal_status read_arrays(sig_signals *s, archive *z, sal_diag *diag, sal_err *err)
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

sal_status sig_read_npz(sig_signals *s, sal_diag *diag, sal_err *err)
{
    size_t n;
    archive z = {0};
    unsigned char *bytes = sig_bytes(s, &n);
    sal_status status = open_archive(s, &z, bytes, n, diag, err);
    status = status == SAL_OK ? read_arrays(s, &z, diag, err) : status;
    close_archive(&z);
    sal_free(bytes);
    return status;
}
