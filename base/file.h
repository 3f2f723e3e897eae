/* file.h: whole files, written so that a reader sees the old one or the new one, never a part. */
#ifndef SAL_BASE_FILE_H
#define SAL_BASE_FILE_H

#include "base/status.h"

#include <stddef.h>

/* Writes n bytes to a temporary file beside `path`, syncs it and renames it to `path` (through a
 * symbolic link, to what it points to). What is not a regular file (a pipe, /dev/stdout) is written
 * directly. SAL_BADPATH with the reason; an existing file is then as it was. */
sal_status sal_file_write(const char *path, const void *data, size_t n, sal_err *err);
/* The same for a new or regular file, without waiting for the disk, which takes fifty times as
 * long: it survives the end of this process, not a loss of power. For files that are many and can
 * be made again. */
sal_status sal_file_replace(const char *path, const void *data, size_t n, sal_err *err);

#endif
