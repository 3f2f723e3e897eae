/* result_store.c: arrays of a result in its file, and lists of its structs. */
#include "problems/result/result_store.h"

#include <stdio.h>

static void name_column(const void *ctx, size_t i, char name[SIG_H5_NAME], char unit[SIG_H5_NAME])
{
    const prb_columns *c = ctx;
    prb_column_name(name, c->m, c->kind, (int)i, c->array);
    snprintf(unit, SIG_H5_NAME, "%s",
             c->unit != NULL ? c->unit : prb_column_unit(c->m, c->kind, (int)i));
}

/* rows x ncol numbers; bodies as rows x nbody x 3 or 4; a single column has no second dimension.
 * rows < 0: one vector of ncol. */
static sig_h5_shape shape_of(const prb_columns *c, int rows, int ncol)
{
    const size_t n = (size_t)ncol;
    sig_h5_shape s = {.name = c->array,
                      .rank = 2,
                      .dims = {(size_t)rows, n},
                      .ncol = n,
                      .column = name_column,
                      .ctx = c};
    const size_t part = c->kind == PRB_COL_BODY_POS ? 3 : c->kind == PRB_COL_BODY_QUAT ? 4 : 0;
    if (rows < 0) {
        s.rank = 1, s.dims[0] = n;
    } else if (c->kind == PRB_COL_ONE) {
        s.rank = 1;
    } else if (part > 0) {
        s.rank = 3, s.dims[1] = n / part, s.dims[2] = part;
    }
    return s;
}

void prb_store_double(sig_h5 *f, const prb_columns *c, int rows, int ncol, double *data)
{
    const sig_h5_shape shape = shape_of(c, rows, ncol);
    sig_h5_reals(f, &shape, data);
}

void prb_store_int(sig_h5 *f, const prb_columns *c, int rows, int ncol, int *data)
{
    const sig_h5_shape shape = shape_of(c, rows, ncol);
    sig_h5_ints(f, &shape, data);
}

void prb_store_list_reals(sig_h5 *f, const char *name, const char *unit, int n, double *first,
                          size_t stride)
{
    const prb_columns c = {NULL, PRB_COL_ONE, name, unit};
    const sig_h5_shape shape = shape_of(&c, n, 1);
    sig_h5_reals_of(f, &shape, first, stride);
}

void prb_store_list_ints(sig_h5 *f, const char *name, int n, int *first, size_t stride)
{
    const prb_columns c = {NULL, PRB_COL_ONE, name, "1"};
    const sig_h5_shape shape = shape_of(&c, n, 1);
    sig_h5_ints_of(f, &shape, first, stride);
}

void prb_store_list_texts(sig_h5 *f, const char *name, int n, char *first, size_t stride,
                          size_t width)
{
    const prb_columns c = {NULL, PRB_COL_ONE, name, "1"};
    const sig_h5_shape shape = shape_of(&c, n, 1);
    sig_h5_texts_of(f, &shape, first, stride, width);
}

void *prb_store_list_room(sig_h5 *f, const char *name, int *n, size_t size)
{
    *n = (int)sig_h5_rows(f, name);
    void *items = sal_alloc((size_t)*n, size);
    if (items == NULL) {
        sig_h5_fail(f, SAL_NOMEM, "out of memory");
        *n = 0;
    }
    return items;
}
