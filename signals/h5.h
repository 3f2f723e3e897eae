/* h5.h: an HDF5 file in memory, written or read by the same calls, so that one description of a
 * layout serves both ways.
 *
 *     sig_h5_create(&f, &err);  or  sig_h5_open(&f, path, bytes, n, &err);
 *     sig_h5_group(f, "trajectory");
 *     sig_h5_attr_real(f, "timestep", &h);             writes h, or reads it
 *     sig_h5_reals(f, &shape, q);                      writes q, or checks the stored shape and
 *                                                      fills q
 *     sig_h5_close(f, &bytes, &n, NULL, &err);         the first fault of all calls since
 *
 * The first fault sticks: later calls do nothing. The same calls with the same data give the same
 * bytes: no time stamps, strings of fixed length, metadata with checksums (HDF5 1.8 format). Behind
 * the end of the HDF5 file stands a line with the digest of all before it, where HDF5 does not
 * look: a damaged file is refused before HDF5 sees it. Without that line (another program has added
 * something) HDF5's own checks remain. One thread at a time. h5.c and hdf5.c, which
 * reads files of others, alone include hdf5.h.
 */
#ifndef SAL_SIGNALS_H5_H
#define SAL_SIGNALS_H5_H

#include "base/base.h"

enum { SIG_H5_NAME = 128 };

typedef struct sig_h5 sig_h5;

typedef struct sig_h5_shape {
    const char *name;
    int rank;
    size_t dims[3];
    /* What one row holds, for the attributes `names` and `units`: column i of ncol. */
    size_t ncol;
    void (*column)(const void *ctx, size_t i, char name[SIG_H5_NAME], char unit[SIG_H5_NAME]);
    const void *ctx;
} sig_h5_shape;

sal_status sig_h5_create(sig_h5 **f, sal_err *err);
/* `path` is only for messages. */
sal_status sig_h5_open(sig_h5 **f, const char *path, const char *bytes, size_t n, sal_err *err);
bool sig_h5_writing(const sig_h5 *f);
bool sig_h5_failed(const sig_h5 *f);
/* Makes this fault the file's first, if there was none. */
void sig_h5_fail(sig_h5 *f, sal_status code, const char *what);

/* Goes to the group `name` of the root; "/" is the root itself. Writing: makes it if there is
 * none. */
void sig_h5_group(sig_h5 *f, const char *name);
/* Is there such a group? */
bool sig_h5_has_group(const sig_h5 *f, const char *name);
/* Reading: whether the group has that array, that attribute. */
bool sig_h5_has(const sig_h5 *f, const char *name);
bool sig_h5_has_attr(const sig_h5 *f, const char *name);
void sig_h5_attr_real(sig_h5 *f, const char *name, double *value);
void sig_h5_attr_int(sig_h5 *f, const char *name, int *value);
void sig_h5_attr_long(sig_h5 *f, const char *name, unsigned long *value);
/* A string in value[n], zero-terminated; one that does not fit is a fault of the file. */
void sig_h5_attr_text(sig_h5 *f, const char *name, char *value, size_t n);

/* Reading: the first dimension of the array `name`, 0 if it cannot be had. */
size_t sig_h5_rows(sig_h5 *f, const char *name);
void sig_h5_reals(sig_h5 *f, const sig_h5_shape *shape, double *data);
void sig_h5_ints(sig_h5 *f, const sig_h5_shape *shape, int *data);
/* The same for numbers spread over structs, `stride` bytes apart. */
void sig_h5_reals_of(sig_h5 *f, const sig_h5_shape *shape, double *first, size_t stride);
void sig_h5_ints_of(sig_h5 *f, const sig_h5_shape *shape, int *first, size_t stride);
/* Texts of at most width - 1 bytes, `stride` bytes apart. */
void sig_h5_texts_of(sig_h5 *f, const sig_h5_shape *shape, char *first, size_t stride,
                     size_t width);
/* One text of any length; read into memory of its own (sal_free). */
void sig_h5_text(sig_h5 *f, const char *name, char **text);
/* Ends writing or reading. Writing: *bytes and *n get the file (sal_free), sha256 the digest of all
 * its bytes (NULL: not wanted). */
sal_status sig_h5_close(sig_h5 *f, char **bytes, size_t *n, char sha256[65], sal_err *err);

#endif
