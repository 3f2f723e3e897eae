/* The section of parameters of a C3D file: after four bytes (the last tells the processor whose
 * numbers these are) records of
 *
 *     length of the name (negative: locked), number of the group (negative: this is a group), name,
 *         distance to the next record from here (0: the last),
 *     for a parameter: type, number of dimensions, dimensions, items; then a description
 */
#include "base/house.h"
#include "signals/c3d.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INTEL = 84, DEC = 85, MIPS = 86, PARAMETER_MAX = 10000, LISTS = 100 };

int sig_c3d_word(const unsigned char *b)
{
    return b[0] | b[1] << 8;
}

int sig_c3d_integer(const unsigned char *b)
{
    const int word = sig_c3d_word(b);
    return word < 0x8000 ? word : word - 0x10000;
}

double sig_c3d_real(const unsigned char *b)
{
    return (double)sal_bytes_float(b);
}

static int signed_byte(unsigned char b)
{
    return b < 0x80 ? b : b - 0x100;
}

static bool broken(const sig_c3d *c, size_t at, sal_diag *diag)
{
    sal_diag_error(diag, (sal_place){&c->s->source, 0, 1}, "is the file complete?",
                   "the section of parameters is broken at byte %zu", at);
    return false;
}

/* Type, dimensions and items, which begin at `at`. */
static bool read_items(const sig_c3d *c, sig_c3d_parameter *p, size_t at)
{
    if (at + 2 > c->n) {
        return false;
    }
    p->type = signed_byte(c->bytes[at]);
    p->ndim = c->bytes[at + 1];
    p->count = 1;
    if (p->ndim > 7 || at + 2 + (size_t)p->ndim > c->n ||
        (p->type != -1 && p->type != 1 && p->type != 2 && p->type != 4)) {
        return false;
    }
    for (int i = 0; i < p->ndim; i++) {
        p->dim[i] = c->bytes[at + 2 + (size_t)i];
        p->count *= (size_t)p->dim[i];
        if (p->count > c->n) {
            return false;
        }
    }
    p->data = at + 2 + (size_t)p->ndim;
    return p->count <= (c->n - p->data) / (size_t)abs(p->type);
}

/* The record at *at, which moves to the next; false: there is none, or (told) it is broken. */
static bool read_record(sig_c3d *c, size_t *at, sal_diag *diag)
{
    size_t i = *at;
    if (i >= c->n || c->bytes[i] == 0) {
        return false;
    }
    const size_t length = (size_t)abs(signed_byte(c->bytes[i]));
    if (i + 2 + length + 2 > c->n || c->nparameter >= PARAMETER_MAX) {
        return broken(c, i, diag);
    }
    sig_c3d_parameter *p = c->parameter + c->nparameter;
    p->group = signed_byte(c->bytes[i + 1]);
    snprintf(p->name, sizeof p->name, "%.*s", (int)length, (const char *)c->bytes + i + 2);
    i += 2 + length;
    const size_t next = i + (size_t)sig_c3d_word(c->bytes + i);
    if (p->group > 0 && !read_items(c, p, i + 2)) {
        return broken(c, i, diag);
    }
    c->nparameter++;
    *at = next;
    return next > i;
}

sal_status sig_c3d_open(sig_c3d *c, size_t at, sal_diag *diag, sal_err *err)
{
    static const char *const names[] = {"DEC", "SGI"};
    if (at + 4 > c->n) {
        broken(c, at, diag);
        return sal_diag_status(diag, err);
    }
    const int processor = c->bytes[at + 3];
    if (processor != INTEL) {
        sal_diag_error(diag, (sal_place){&c->s->source, 0, 1},
                       "export the file with Intel byte order",
                       "the file has the number format of %s processors; only Intel's is supported",
                       processor == DEC || processor == MIPS ? names[processor - DEC] : "unknown");
        return sal_diag_status(diag, err);
    }
    c->parameter = sal_alloc(PARAMETER_MAX, sizeof *c->parameter);
    if (c->parameter == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the parameters of '%.300s'",
                        c->s->source.path);
    }
    for (at += 4; read_record(c, &at, diag);) {
    }
    return sal_diag_status(diag, err);
}

/* ---- looking up ---- */

static const sig_c3d_parameter *find(const sig_c3d *c, const char *group, const char *name)
{
    int number = 0;
    for (int i = 0; i < c->nparameter; i++) {
        if (c->parameter[i].group < 0 && strcmp(c->parameter[i].name, group) == 0) {
            number = -c->parameter[i].group;
        }
    }
    for (int i = 0; i < c->nparameter && number > 0; i++) {
        if (c->parameter[i].group == number && strcmp(c->parameter[i].name, name) == 0) {
            return c->parameter + i;
        }
    }
    return NULL;
}

int sig_c3d_numbers(const sig_c3d *c, const char *group, const char *name, double *x, int n)
{
    const sig_c3d_parameter *p = find(c, group, name);
    int count = 0;
    for (; p != NULL && p->type > 0 && count < n && (size_t)count < p->count; count++) {
        const unsigned char *b = c->bytes + p->data + (size_t)count * (size_t)p->type;
        x[count] = p->type == 4   ? sig_c3d_real(b)
                   : p->type == 2 ? sig_c3d_integer(b)
                                  : (double)b[0];
    }
    return count;
}

static bool text_of(const sig_c3d *c, const sig_c3d_parameter *p, int i, char *text, size_t n)
{
    const size_t width = p == NULL || p->ndim == 0 ? 1 : (size_t)p->dim[0];
    if (p == NULL || p->type != -1 || ((size_t)i + 1) * width > p->count) {
        return false;
    }
    const char *from = (const char *)c->bytes + p->data + (size_t)i * width;
    size_t length = width;
    while (length > 0 && (from[length - 1] == ' ' || from[length - 1] == 0)) {
        length--;
    }
    while (length > 0 && from[0] == ' ') {
        from++;
        length--;
    }
    snprintf(text, n, "%.*s", (int)length, from);
    return text[0] != 0;
}

bool sig_c3d_text(const sig_c3d *c, const char *group, const char *name, int i, char *text,
                  size_t n)
{
    return text_of(c, find(c, group, name), i, text, n);
}

int sig_c3d_first_dimension(const sig_c3d *c, const char *group, const char *name)
{
    const sig_c3d_parameter *p = find(c, group, name);
    return p == NULL || p->ndim == 0 ? 0 : p->dim[0];
}

bool sig_c3d_listed(const sig_c3d *c, const char *group, const char *name, int i, char *text,
                    size_t n)
{
    for (int list = 1; list <= LISTS; list++) {
        char which[24];
        snprintf(which, sizeof which, list == 1 ? "%s" : "%s%d", name, list);
        const sig_c3d_parameter *p = find(c, group, which);
        const int count = p == NULL || p->ndim < 2 ? 0 : p->dim[1];
        if (i < count || count == 0) {
            return count > 0 && text_of(c, p, i, text, n);
        }
        i -= count;
    }
    return false;
}
