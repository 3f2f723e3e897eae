/* npz_write.c: arrays to a ZIP archive of .npy (NumPy documentation, "numpy.lib.format", version
 * 1.0):
 *
 *     \x93NUMPY 1 0, length of the header (2 bytes), header, numbers by rows, little endian
 *
 * The header is a dictionary in Python's words with blanks behind it and a line feed at its end, so
 * that the numbers begin at a multiple of 64 bytes. This file and npz.c alone know libzip.
 */
#include "signals/npz_write.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <zip.h>

enum { ALIGN = 64, MAGIC = 10, NAME = 80 };

/* 1 January 1980, where the dates of a ZIP begin: APPNOTE.TXT 4.4.6 */
enum { FIRST_DAY = 1 << 5 | 1 };

typedef struct entry {
    char name[NAME];
    sal_text bytes;
} entry;

struct sig_npz {
    entry *list;
    int n, capacity;
    sal_status status; /* the first fault */
    sal_err err;
};

sal_status sig_npz_create(sig_npz **z, sal_err *err)
{
    *z = sal_alloc(1, sizeof **z);
    return *z == NULL ? sal_fail(err, SAL_NOMEM, "out of memory for an archive of arrays") : SAL_OK;
}

static void starve(sig_npz *z, const char *name)
{
    z->status = sal_fail(&z->err, SAL_NOMEM, "out of memory for the array '%.60s'", name);
}

/* ---- one array ---- */

static void add_number(sal_text *text, uint64_t bits, int bytes)
{
    char b[8];
    for (int i = 0; i < bytes; i++) {
        b[i] = (char)(bits >> 8 * i & 0xFFU);
    }
    sal_text_addn(text, b, (size_t)bytes);
}

/* {'descr': '<f4', 'fortran_order': False, 'shape': (100, 3), } */
static void add_header(sal_text *text, const char *type, int ndim, const size_t *shape)
{
    sal_text words = {0};
    sal_text_format(&words, "{'descr': '%s', 'fortran_order': False, 'shape': (", type);
    for (int i = 0; i < ndim; i++) {
        sal_text_format(&words, "%zu%s", shape[i], i + 1 < ndim ? ", " : ndim == 1 ? "," : "");
    }
    sal_text_add(&words, "), }");
    const size_t blanks = (ALIGN - (MAGIC + words.length + 1) % ALIGN) % ALIGN;
    sal_text_format(&words, "%*s\n", (int)blanks, "");
    sal_text_addn(text, "\x93NUMPY\1\0", 8);
    add_number(text, words.length, 2);
    sal_text_addn(text, words.data == NULL ? "" : words.data, words.length);
    text->failed = text->failed || words.failed;
    sal_text_clear(&words);
}

static void add_value(sal_text *text, const char *type, double value)
{
    const int bytes = type[2] - '0';
    uint64_t bits = 0;
    if (type[1] == 'f' && bytes == 4) {
        const float f = (float)value;
        memcpy(&bits, &f, sizeof f); /* low bytes first: all our machines are little endian */
    } else if (type[1] == 'f') {
        memcpy(&bits, &value, sizeof value);
    } else {
        bits = (uint64_t)(int64_t)nearbyint(value);
    }
    add_number(text, bits, bytes);
}

/* Room for one more, with that name; NULL, and the fault is noted, if there is none. */
static entry *new_entry(sig_npz *z, const char *name)
{
    entry *list = sal_list_grow(z->list, z->n, &z->capacity, sizeof *list);
    if (list == NULL) {
        starve(z, name);
        return NULL;
    }
    z->list = list;
    entry *e = list + z->n++;
    snprintf(e->name, sizeof e->name, "%.60s.npy", name);
    return e;
}

static void end_entry(sig_npz *z, const entry *e, const char *name)
{
    if (e->bytes.failed) {
        starve(z, name);
    }
}

void sig_npz_add(sig_npz *z, const sig_npz_array *a)
{
    size_t n = 1;
    entry *e = z->status == SAL_OK ? new_entry(z, a->name) : NULL;
    if (e == NULL) {
        return;
    }
    add_header(&e->bytes, a->type, a->ndim, a->shape);
    for (int i = 0; i < a->ndim; i++) {
        n *= a->shape[i];
    }
    for (size_t i = 0; i < n; i++) {
        add_value(&e->bytes, a->type, a->data[i]);
    }
    end_entry(z, e, a->name);
}

/* ---- words ---- */

/* The next character of a text (RFC 3629), or its byte where it is none */
static uint32_t next_character(const char **at)
{
    const unsigned char *s = (const unsigned char *)*at;
    const size_t n = sal_text_utf8(*at);
    uint32_t code = n < 2 ? s[0] : s[0] & (0xFFU >> (n + 1));
    for (size_t i = 1; i < n; i++) {
        code = code << 6 | (s[i] & 0x3FU);
    }
    *at += n == 0 ? 1 : n;
    return code;
}

static int count_characters(const char *text)
{
    int n = 0;
    for (; *text != 0; n++) {
        next_character(&text);
    }
    return n;
}

/* All of the same length, the longest; UTF-32, zeros behind those that are shorter */
void sig_npz_add_words(sig_npz *z, const char *name, size_t n,
                       void (*word)(const void *ctx, size_t i, char text[SIG_NPZ_WORD]),
                       const void *ctx)
{
    char text[SIG_NPZ_WORD], type[16];
    int length = 1;
    entry *e = z->status == SAL_OK ? new_entry(z, name) : NULL;
    if (e == NULL) {
        return;
    }
    for (size_t i = 0; i < n; i++) {
        word(ctx, i, text);
        const int characters = count_characters(text);
        length = characters > length ? characters : length;
    }
    snprintf(type, sizeof type, "<U%d", length);
    add_header(&e->bytes, type, 1, &n);
    for (size_t i = 0; i < n; i++) {
        const char *at = text;
        word(ctx, i, text);
        for (int k = 0; k < length; k++) {
            add_number(&e->bytes, *at == 0 ? 0 : next_character(&at), 4);
        }
    }
    end_entry(z, e, name);
}

/* ---- the archive ---- */

static sal_status fail_zip(const char *why, sal_err *err)
{
    return sal_fail(err, SAL_NOMEM, "the archive of arrays cannot be made: %.200s", why);
}

/* The arrays into an archive that is kept in memory as `source`. */
static sal_status pack(const sig_npz *z, zip_source_t *source, sal_err *err)
{
    zip_error_t error;
    zip_error_init(&error);
    zip_t *zip = zip_open_from_source(source, ZIP_CREATE | ZIP_TRUNCATE, &error);
    sal_status status = zip == NULL ? fail_zip(zip_error_strerror(&error), err) : SAL_OK;
    zip_error_fini(&error);
    for (int i = 0; i < z->n && status == SAL_OK; i++) {
        const sal_text *bytes = &z->list[i].bytes;
        zip_source_t *data = zip_source_buffer(zip, bytes->data, bytes->length, 0);
        const zip_int64_t at =
            data == NULL ? -1 : zip_file_add(zip, z->list[i].name, data, ZIP_FL_ENC_UTF_8);
        if (at < 0) {
            zip_source_free(data);
        }
        if (at < 0 || zip_set_file_compression(zip, (zip_uint64_t)at, ZIP_CM_STORE, 0) != 0 ||
            zip_file_set_dostime(zip, (zip_uint64_t)at, 0, FIRST_DAY, 0) != 0) {
            status = fail_zip(zip_strerror(zip), err);
        }
    }
    if (status == SAL_OK && zip_close(zip) != 0) {
        status = fail_zip(zip_strerror(zip), err);
    } else if (status == SAL_OK) {
        zip = NULL;
    }
    if (zip != NULL) {
        zip_discard(zip);
    }
    return status;
}

static sal_status read_back(sal_text *out, zip_source_t *source, sal_err *err)
{
    char part[1 << 14];
    zip_int64_t n = zip_source_open(source);
    if (n == 0) {
        while ((n = zip_source_read(source, part, sizeof part)) > 0) {
            sal_text_addn(out, part, (size_t)n);
        }
        zip_source_close(source);
    }
    return n < 0         ? fail_zip(zip_error_strerror(zip_source_error(source)), err)
           : out->failed ? sal_fail(err, SAL_NOMEM, "out of memory for an archive of arrays")
                         : SAL_OK;
}

static sal_status write_archive(const sig_npz *z, sal_text *out, sal_err *err)
{
    zip_error_t error;
    zip_error_init(&error);
    zip_source_t *source = zip_source_buffer_create(NULL, 0, 1, &error);
    sal_status status = source == NULL ? fail_zip(zip_error_strerror(&error), err) : SAL_OK;
    zip_error_fini(&error);
    if (status == SAL_OK) {
        zip_source_keep(source); /* beyond the archive, which would free it */
        status = pack(z, source, err);
        status = status == SAL_OK ? read_back(out, source, err) : status;
        zip_source_free(source);
    }
    return status;
}

sal_status sig_npz_close(sig_npz *z, sal_text *out, sal_err *err)
{
    sal_status status = SAL_OK;
    if (z == NULL) {
        return SAL_OK;
    }
    if (out != NULL && z->status != SAL_OK) {
        status = z->status;
        *err = z->err;
    } else if (out != NULL) {
        status = write_archive(z, out, err);
    }
    for (int i = 0; i < z->n; i++) {
        sal_text_clear(&z->list[i].bytes);
    }
    sal_free(z->list);
    sal_free(z);
    return status;
}
