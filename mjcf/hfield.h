/* hfield.h: elevations from files; private to mjcf/. */
#ifndef SAL_MJCF_HFIELD_H
#define SAL_MJCF_HFIELD_H

#include "mjcf/spec.h"

enum { SPEC_ELEVATIONS_MAX = 1 << 22 }; /* elevations of a field */

/* nrow x ncol elevations as a file says them, the first row at -y, kept in the spec's pool. */
typedef struct spec_grid {
    int nrow;
    int ncol;
    float *data;
} spec_grid;

/* SAL_BADINPUT unless there are from 2 x 2 to SPEC_ELEVATIONS_MAX. */
sal_status spec_check_grid(long nrow, long ncol, sal_err *err);

/* A file's n bytes; name and content type say which format they have. SAL_BADINPUT with the
 * reason. */
sal_status spec_read_grid(mjcf_spec *spec, const spec_hfield *field, spec_grid *grid,
                          const char *bytes, size_t n, sal_err *err);

/* png_read.c: of an image its first channel (red, or grey) at eight bits; an image has its first
 * row at +y. SAL_BADINPUT with the reason. */
sal_status spec_read_png(mjcf_spec *spec, spec_grid *grid, const char *bytes, size_t n,
                         sal_err *err);

#endif
