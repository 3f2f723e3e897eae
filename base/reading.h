/* reading.h: whole files, read; and what a program asks of all that it reads.
 */
#ifndef SAL_BASE_READING_H
#define SAL_BASE_READING_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

SAL_BEGIN_C

typedef struct sal_reading {
    /* The most bytes that a file may have, and that it may unpack to; 0: each format has a limit of
     * its own. */
    size_t most;
    /* The path "-" is standard input. What comes through it or through a pipe is kept: it can be
     * read again under the same path. */
    bool pipes;
    /* Notes which files are read, for sal_was_read. */
    bool notes;
} sal_reading;

/* For the whole process, from now on; before any other thread reads. Without it: nothing of
 * this. */
SAL_API void sal_reading_set(const sal_reading *how);

/* The limit of a format whose own one is `usual` bytes. */
SAL_API size_t sal_reading_most(size_t usual);
/* SAL_BADINPUT: `what` ("'walk.npz' unpacks to") has `found` bytes, more than `most` allowed; 0:
 * nobody knows how many more. */
SAL_API sal_status sal_reading_refuse(const char *what, double found, size_t most, sal_err *err);

/* Whether the file at this path, under whatever name, has been read since it was asked to note
 * that. */
SAL_API bool sal_was_read(const char *path);

/* The whole of a file, zero-terminated, to be released with sal_free. Refuses directories
 * (SAL_BADPATH with the reason), and files over `limit` bytes, or what sal_reading says instead
 * (SAL_BADINPUT). */
SAL_API sal_status sal_text_read_file(const char *path, size_t limit, char **data, size_t *length,
                                      sal_err *err);
/* The same for one of several files that together may have `limit` bytes: `before` were read. */
SAL_API sal_status sal_text_read_more(const char *path, size_t before, size_t limit, char **data,
                                      size_t *length, sal_err *err);
/* The first bytes of a file, at most n; how many: 0 where it cannot be read. */
SAL_API size_t sal_text_read_head(const char *path, char *head, size_t n);

SAL_END_C

#endif
