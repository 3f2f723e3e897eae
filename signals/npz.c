/* Arrays of NumPy, .npz: a ZIP archive with one .npy for each (NumPy documentation,
 * "numpy.lib.format"):
 *
 *     \x93NUMPY major minor, length of the header (2 bytes, from version 2 on 4), {'descr': '<f8',
 *         'fortran_order': False, 'shape': (100, 3), }, numbers
 *
 * What becomes of the arrays says arrays.c. This file and npz_write.c alone know libzip.
 */
#include "signals/arrays.h"
#include "signals/inflate.h"
#include "signals/reader.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

/* Deflate makes at most 1032 bytes of one. */
enum { INFLATION_MAX = 1032, MAGIC = 8 };

typedef struct archive {
    zip_t *zip;
    sig_arrays arrays;
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
static bool take_shape(cursor *c, sig_array *a)
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
        if (a->ndim < SIG_ARRAY_NDIM) {
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

static bool read_dictionary(sig_array *a, cursor c)
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

static void read_array_header(sig_array *a, sal_diag *diag)
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
    a->item = sig_array_item(a->descr);
    const size_t need = sig_array_count(a) * a->item;
    if (a->item > 0 && a->ndim <= SIG_ARRAY_NDIM && need != a->n - a->data) {
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
    sig_array *a = z->arrays.list + i;
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
    const size_t most = sal_reading_most(SIG_UNPACKED_MOST);
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
    a->bytes = a->own = sal_alloc(a->n, 1);
    if (a->own == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for array '%.100s'", a->name);
    }
    zip_file_t *file = zip_fopen_index(z->zip, (zip_uint64_t)i, 0);
    const zip_int64_t got = file == NULL ? -1 : zip_fread(file, a->own, info.size);
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
    z->arrays.list = sal_alloc(entries < 1 << 20 ? (size_t)entries : 0, sizeof *z->arrays.list);
    if (z->arrays.list == NULL || entries >= 1 << 20) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the arrays of '%.300s'", s->source.path);
    }
    while (z->arrays.n < entries && status == SAL_OK) {
        z->arrays.n++;
        status = read_entry(s, z, z->arrays.n - 1, diag, err);
    }
    return status == SAL_OK ? sal_diag_status(diag, err) : status;
}

static void close_archive(archive *z)
{
    sig_arrays_clear(&z->arrays);
    if (z->zip != NULL) {
        zip_discard(z->zip);
    }
}

sal_status sig_read_npz(sig_signals *s, sal_diag *diag, sal_err *err)
{
    size_t n;
    archive z = {0};
    unsigned char *bytes = sig_bytes(s, &n);
    sal_status status = open_archive(s, &z, bytes, n, diag, err);
    status = status == SAL_OK ? sig_arrays_read(s, &z.arrays, diag, err) : status;
    close_archive(&z);
    sal_free(bytes);
    return status;
}
