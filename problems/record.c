/* record.c: what is kept of a cell that is done, as a small XML file beside its motion, written after it.
 *
 *     <cell status kind exit_code tries from version seconds reason bytes sha256>
 *       <figure name value unit/> ..
 *     </cell>
 */
#include "problems/sweep.h"

#include <limits.h>
#include <math.h>
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

sal_outcome_kind sal_record_kind(const sal_record *r)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(kinds[i], r->kind) == 0) {
            return (sal_outcome_kind)i;
        }
    }
    return SAL_CELL_CRASHED;
}

void sal_record_clear(sal_record *r)
{
    sal_free(r->figure);
    *r = (sal_record){0};
}

double sal_record_figure(const sal_record *r, const char *name)
{
    for (int i = 0; i < r->nfigure; i++) {
        if (strcmp(r->figure[i].name, name) == 0) {
            return r->figure[i].value;
        }
    }
    return (double)NAN;
}

/* ---- writing ---------------------------------------------------------------------------------------------------------------------------- */

static void add_text(sal_text *out, const char *name, const char *value)
{
    sal_text_format(out, " %s=\"", name);
    sal_xml_escape(out, value);
    sal_text_add(out, "\"");
}

static void add_real(sal_text *out, const char *name, double value)
{
    sal_text_format(out, " %s=\"", name);
    sal_text_real(out, value, 0);
    sal_text_add(out, "\"");
}

sal_status sal_record_write(const sal_record *r, const char *folder, const char *hash, sal_err *err)
{
    char path[PATH_MAX];
    sal_text out = {0};
    sal_text_add(&out, "<cell");
    add_text(&out, "status", r->status);
    add_text(&out, "kind", r->kind);
    sal_text_format(&out, " exit_code=\"%d\" tries=\"%d\"", r->exit_code, r->tries);
    add_text(&out, "from", r->from);
    add_text(&out, "version", r->version);
    add_real(&out, "seconds", r->seconds);
    add_text(&out, "reason", r->reason);
    sal_text_format(&out, " bytes=\"%zu\"", r->bytes);
    add_text(&out, "sha256", r->sha256);
    sal_text_add(&out, ">\n");
    for (int i = 0; i < r->nfigure; i++) {
        sal_text_add(&out, "  <figure");
        add_text(&out, "name", r->figure[i].name);
        add_real(&out, "value", r->figure[i].value);
        add_text(&out, "unit", r->figure[i].unit);
        sal_text_add(&out, "/>\n");
    }
    sal_text_add(&out, "</cell>\n");
    sal_cell_path(path, sizeof path, folder, hash, ".xml");
    const sal_status status = out.failed ? sal_fail(err, SAL_NOMEM, "out of memory for a record")
                                         : sal_file_replace(path, out.data, out.length, err);
    sal_text_clear(&out);
    return status;
}

/* ---- reading ---------------------------------------------------------------------------------------------------------------------------- */

static bool take_text(const sal_xml *e, const char *name, char *out, size_t n)
{
    const sal_xml_attr *a = sal_xml_find_attr(e, name);
    if (a == NULL || strlen(a->value) >= n) {
        return false;
    }
    memcpy(out, a->value, strlen(a->value) + 1);
    return true;
}

static bool take_real(const sal_xml *e, const char *name, double *out)
{
    const sal_xml_attr *a = sal_xml_find_attr(e, name);
    const char *end;
    return a != NULL && sal_text_number(a->value, &end, out) && *end == 0;
}

static bool take_whole(const sal_xml *e, const char *name, int *out)
{
    const sal_xml_attr *a = sal_xml_find_attr(e, name);
    *out = a == NULL ? -1 : sal_text_whole(a->value);
    return *out >= 0;
}

/* False if the file is not a record. */
static bool take_record(sal_record *r, const sal_xml *e)
{
    double bytes;
    int n = 0;
    bool good = strcmp(e->tag, "cell") == 0 &&
                take_text(e, "status", r->status, sizeof r->status) &&
                take_text(e, "kind", r->kind, sizeof r->kind) &&
                take_whole(e, "exit_code", &r->exit_code) && take_whole(e, "tries", &r->tries) &&
                take_text(e, "from", r->from, sizeof r->from) &&
                take_text(e, "version", r->version, sizeof r->version) &&
                take_text(e, "reason", r->reason, sizeof r->reason) &&
                take_real(e, "seconds", &r->seconds) && take_real(e, "bytes", &bytes) &&
                take_text(e, "sha256", r->sha256, sizeof r->sha256);
    good = good && bytes >= 0 && bytes < 1e15 && r->status[0] != 0;
    r->bytes = good ? (size_t)bytes : 0;
    for (const sal_xml *c = e->child; c != NULL; c = c->next) {
        n++;
    }
    r->figure = good ? sal_alloc((size_t)n, sizeof *r->figure) : NULL;
    for (const sal_xml *c = e->child; c != NULL && good && r->figure != NULL; c = c->next) {
        sal_figure *f = &r->figure[r->nfigure++];
        good = strcmp(c->tag, "figure") == 0 && take_text(c, "name", f->name, sizeof f->name) &&
               take_text(c, "unit", f->unit, sizeof f->unit) && take_real(c, "value", &f->value);
    }
    return good;
}

sal_status sal_record_read(sal_record *r, const char *folder, const char *hash, bool *found,
                           sal_err *err)
{
    char path[PATH_MAX], *text = NULL;
    size_t n = 0;
    sal_xml_doc doc = {0};
    sal_diag unused = {0};
    *r = (sal_record){0};
    *found = false;
    sal_cell_path(path, sizeof path, folder, hash, ".xml");
    sal_status status = sal_text_read_file(path, RECORD_MOST, &text, &n, err);
    if (status == SAL_OK) {
        status = sal_xml_parse(&doc, path, text, n, &unused, err);
        *found = status == SAL_OK && take_record(r, doc.root);
    }
    if (status == SAL_OK && *found && r->figure == NULL) {
        status = sal_fail(err, SAL_NOMEM, "out of memory for the record of a cell");
    }
    if (!*found) {
        sal_record_clear(r);
    }
    sal_xml_free(&doc);
    sal_diag_clear(&unused);
    sal_free(text);
    return status == SAL_NOMEM ? status : SAL_OK;
}

bool sal_record_has_motion(const sal_record *r, const char *folder, const char *hash)
{
    char path[PATH_MAX], hex[65] = "", *bytes = NULL;
    size_t n = 0;
    sal_err unused;
    if (r->bytes == 0) {
        return false;
    }
    sal_cell_path(path, sizeof path, folder, hash, ".h5");
    if (sal_text_read_file(path, MOTION_MOST, &bytes, &n, &unused) == SAL_OK) {
        sal_sha256_hex(hex, bytes, n);
    }
    sal_free(bytes);
    return n == r->bytes && strcmp(hex, r->sha256) == 0;
}
