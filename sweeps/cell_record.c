/* cell_record.c: what is kept of a cell that is done, as a small table beside its motion, written
 * after it. Fields are separated by a tab:
 *
 *     # saltus record 1
 *     status  converged           and so on: every field of the list below, in its order
 *     figure  NAME  VALUE  UNIT   for each figure
 *     end                         without it, the record is not whole
 */
#include "sweeps/folder.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOTION_MOST = 1 << 30, RECORD_MOST = 1 << 24 };

static const char *const kinds[] = {
#define KIND_ROW(code, name) name,
    SAL_OUTCOME_LIST(KIND_ROW)
#undef KIND_ROW
};

const char *sal_outcome_name(sal_outcome_kind kind)
{
    return kinds[kind];
}

sal_outcome_kind swp_record_kind(const sal_record *r)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(kinds[i], r->kind) == 0) {
            return (sal_outcome_kind)i;
        }
    }
    return SAL_CELL_CRASHED;
}

void swp_record_clear(sal_record *r)
{
    sal_free(r->figure);
    *r = (sal_record){0};
}

const sal_figure *swp_record_find(const sal_record *r, const char *name)
{
    for (int i = 0; i < r->nfigure; i++) {
        if (strcmp(r->figure[i].name, name) == 0) {
            return &r->figure[i];
        }
    }
    return NULL;
}

double swp_record_figure(const sal_record *r, const char *name)
{
    const sal_figure *figure = swp_record_find(r, name);
    return figure == NULL ? (double)NAN : figure->value;
}

/* ---- fields ---- */

typedef enum field_type { TEXT, WHOLE, REAL, SIZE } field_type;

#define FIELD(name, type)                                                                          \
    {                                                                                              \
#name, type, offsetof(sal_record, name), sizeof((sal_record *)0)->name                     \
    }
static const struct field {
    const char *key;
    field_type type;
    size_t at, size; /* in sal_record */
} fields[] = {FIELD(status, TEXT),  FIELD(kind, TEXT),   FIELD(exit_code, WHOLE),
              FIELD(tries, WHOLE),  FIELD(from, TEXT),   FIELD(version, TEXT),
              FIELD(seconds, REAL), FIELD(reason, TEXT), FIELD(bytes, SIZE),
              FIELD(sha256, TEXT)};
#undef FIELD

enum { NFIELD = sizeof fields / sizeof fields[0] };

static const char first_line[] = "# saltus record 1";

/* ---- writing ---- */

/* A tab, and text without those: control characters become blanks. */
static void add_text(sal_text *out, const char *text)
{
    sal_text_add(out, "\t");
    for (const char *c = text; *c != 0; c++) {
        sal_text_addn(out, (unsigned char)*c < 0x20 || *c == 0x7F ? " " : c, 1);
    }
}

static void add_field(sal_text *out, const sal_record *r, const struct field *f)
{
    const char *at = (const char *)r + f->at;
    int whole;
    double real;
    size_t size;
    sal_text_add(out, f->key);
    switch (f->type) {
    case TEXT:
        add_text(out, at);
        break;
    case WHOLE:
        memcpy(&whole, at, sizeof whole);
        sal_text_format(out, "\t%d", whole);
        break;
    case REAL:
        memcpy(&real, at, sizeof real);
        sal_text_add(out, "\t");
        sal_text_real(out, real, 0);
        break;
    case SIZE:
        memcpy(&size, at, sizeof size);
        sal_text_format(out, "\t%zu", size);
        break;
    }
    sal_text_add(out, "\n");
}

sal_status swp_record_write(const sal_record *r, const char *folder, const char *hash, bool sync,
                            sal_err *err)
{
    char path[PATH_MAX];
    sal_text out = {0};
    sal_text_format(&out, "%s\n", first_line);
    for (int i = 0; i < NFIELD; i++) {
        add_field(&out, r, fields + i);
    }
    for (int i = 0; i < r->nfigure; i++) {
        sal_text_add(&out, "figure");
        add_text(&out, r->figure[i].name);
        sal_text_add(&out, "\t");
        sal_text_real(&out, r->figure[i].value, 0);
        add_text(&out, r->figure[i].unit);
        sal_text_add(&out, "\n");
    }
    sal_text_add(&out, "end\n");
    sal_status (*const write)(const char *, const void *, size_t, sal_err *) =
        sync ? sal_file_write : sal_file_replace;
    swp_cell_path(path, sizeof path, folder, hash, ".tsv");
    const sal_status status = out.failed ? sal_fail(err, SAL_NOMEM, "out of memory for a record")
                                         : write(path, out.data, out.length, err);
    sal_text_clear(&out);
    return status;
}

/* ---- reading ---- */

/* What stands before the next `end`, which becomes its end; NULL: there is none. */
static char *take_word(char **text, char end)
{
    char *begin = *text, *at = strchr(begin, end);
    if (at == NULL) {
        return NULL;
    }
    *at = 0;
    *text = at + 1;
    return begin;
}

static bool take_copy(char *to, size_t n, const char *word)
{
    const size_t length = strlen(word);
    if (length >= n) {
        return false;
    }
    memcpy(to, word, length + 1);
    return true;
}

static bool take_real(double *to, const char *word)
{
    const char *end;
    return sal_text_number(word, &end, to) && *end == 0;
}

/* "key<TAB>value" */
static bool take_field(sal_record *r, const struct field *f, char *line)
{
    const char *key = line == NULL ? NULL : take_word(&line, '\t');
    char *at = (char *)r + f->at;
    double real;
    if (key == NULL || strcmp(key, f->key) != 0) {
        return false;
    }
    if (f->type == TEXT) {
        return take_copy(at, f->size, line);
    }
    if (!take_real(&real, line)) {
        return false;
    }
    if (f->type == REAL) {
        memcpy(at, &real, sizeof real);
        return true;
    }
    const double most = f->type == SIZE ? 1e15 : INT_MAX;
    if (!(real >= 0 && real <= most && real == floor(real))) {
        return false;
    }
    const int whole = f->type == WHOLE ? (int)real : 0;
    const size_t size = (size_t)real;
    memcpy(at, f->type == WHOLE ? (const char *)&whole : (const char *)&size, f->size);
    return true;
}

/* "figure<TAB>name<TAB>value<TAB>unit" */
static bool take_figure(sal_figure *f, char *line)
{
    const char *key = take_word(&line, '\t'), *name = key == NULL ? NULL : take_word(&line, '\t');
    const char *value = name == NULL ? NULL : take_word(&line, '\t');
    return value != NULL && strcmp(key, "figure") == 0 &&
           take_copy(f->name, sizeof f->name, name) && take_real(&f->value, value) &&
           take_copy(f->unit, sizeof f->unit, line);
}

/* Takes the text apart. False if it is not a whole record. Its figures are NULL where memory ran
 * out. */
static bool take_record(sal_record *r, char *text, size_t n)
{
    const char *line = strlen(text) == n ? take_word(&text, '\n') : NULL;
    bool good = line != NULL && strcmp(line, first_line) == 0;
    size_t lines = 0;
    for (int i = 0; i < NFIELD && good; i++) {
        good = take_field(r, fields + i, take_word(&text, '\n'));
    }
    good = good && r->status[0] != 0;
    if (good && strcmp(r->kind, "poor") == 0) { /* its name in records of earlier versions */
        take_copy(r->kind, sizeof r->kind, sal_outcome_name(SAL_CELL_UNSOLVED));
    }
    for (const char *c = text; good && (c = strchr(c, '\n')) != NULL; c++) {
        lines++;
    }
    r->figure = good ? sal_alloc(lines, sizeof *r->figure) : NULL;
    if (good && r->figure == NULL) {
        return true;
    }
    for (; good && lines > 1; lines--) {
        good = take_figure(r->figure + r->nfigure++, take_word(&text, '\n'));
    }
    return good && lines == 1 && strcmp(text, "end\n") == 0;
}

sal_status swp_record_read(sal_record *r, const char *folder, const char *hash, bool *found,
                           sal_err *err)
{
    char path[PATH_MAX], *text = NULL;
    size_t n = 0;
    sal_err unused;
    *r = (sal_record){0};
    swp_cell_path(path, sizeof path, folder, hash, ".tsv");
    const sal_status status = sal_text_read_file(path, RECORD_MOST, &text, &n, &unused);
    *found = status == SAL_OK && take_record(r, text, n);
    const bool nomem = status == SAL_NOMEM || (*found && r->figure == NULL);
    if (!*found) {
        swp_record_clear(r);
    }
    sal_free(text);
    return nomem ? sal_fail(err, SAL_NOMEM, "out of memory for the record of a cell") : SAL_OK;
}

bool swp_record_has_motion(const sal_record *r, const char *folder, const char *hash)
{
    char path[PATH_MAX], hex[65] = "", *bytes = NULL;
    size_t n = 0;
    sal_err unused;
    if (r->bytes == 0) {
        return false;
    }
    swp_cell_path(path, sizeof path, folder, hash, ".h5");
    if (sal_text_read_file(path, MOTION_MOST, &bytes, &n, &unused) == SAL_OK) {
        sal_sha256_hex(hex, bytes, n);
    }
    sal_free(bytes);
    return n == r->bytes && strcmp(hex, r->sha256) == 0;
}
