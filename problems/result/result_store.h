/* result_store.h: how arrays of a result stand in its file, for the files that describe parts of
 * it; private to problems/. Each call writes, or reads (h5.h). */
#ifndef SAL_PROBLEMS_RESULT_RESULT_STORE_H
#define SAL_PROBLEMS_RESULT_RESULT_STORE_H

#include "problems/result/result.h"
#include "signals/h5.h"

typedef struct prb_columns {
    const sal_model *m;
    prb_column kind;
    /* unit NULL: each column's own */
    const char *array, *unit;
} prb_columns;

/* ---- result_store.c ---- */

/* rows x ncol numbers; bodies as rows x nbody x 3 or 4; a single column has no second dimension.
 * rows < 0: one vector of ncol. */
void prb_store_double(sig_h5 *f, const prb_columns *c, int rows, int ncol, double *data);
void prb_store_int(sig_h5 *f, const prb_columns *c, int rows, int ncol, int *data);
/* A list of numbers or texts that are members of structs. */
void prb_store_list_reals(sig_h5 *f, const char *name, const char *unit, int n, double *first,
                          size_t stride);
void prb_store_list_ints(sig_h5 *f, const char *name, int n, int *first, size_t stride);
void prb_store_list_texts(sig_h5 *f, const char *name, int n, char *first, size_t stride,
                          size_t width);
/* Reading: room for the n items of a list whose length its array `name` tells. */
void *prb_store_list_room(sig_h5 *f, const char *name, int *n, size_t size);

/* ---- markers.c ---- */

/* The group /marker, where there is one. */
void prb_store_markers(sig_h5 *f, sal_result *r);
void prb_store_marker_fit(sig_h5 *f, prb_marker_fit *fit);

#endif
