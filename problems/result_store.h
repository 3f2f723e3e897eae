/* result_store.h: how arrays of a result stand in its file, for the files that describe parts of it; private to problems/. Each call writes, or reads (h5.h). */
#ifndef SAL_RESULT_STORE_H
#define SAL_RESULT_STORE_H

#include "problems/h5.h"
#include "problems/result.h"

typedef struct sal_columns {
    const sal_model *m;
    sal_column kind;
    const char *array, *unit; /* unit NULL: each column's own */
} sal_columns;

/* ---- result_hdf5.c ---- */

/* rows x ncol numbers; bodies as rows x nbody x 3 or 4; a single column has no second dimension. rows < 0: one vector of ncol. */
void sal_store_double(sal_h5 *f, const sal_columns *c, int rows, int ncol, double *data);
void sal_store_int(sal_h5 *f, const sal_columns *c, int rows, int ncol, int *data);
/* A list of numbers or texts that are members of structs. */
void sal_store_list_reals(sal_h5 *f, const char *name, const char *unit, int n, double *first,
                          size_t stride);
void sal_store_list_ints(sal_h5 *f, const char *name, int n, int *first, size_t stride);
void sal_store_list_texts(sal_h5 *f, const char *name, int n, char *first, size_t stride,
                          size_t width);
/* Reading: room for the n items of a list whose length its array `name` tells. */
void *sal_store_list_room(sal_h5 *f, const char *name, int *n, size_t size);

/* ---- estimate_hdf5.c ---- */

/* /parameter, /local, /channel, /recording: what an identification found; of other results the first alone, empty. */
void sal_store_estimate(sal_h5 *f, sal_result *r);

#endif
