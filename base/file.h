/* file.h: whole files, written so that a reader sees the old one or the new one, never a part;
 * folders, and locks. */
#ifndef SAL_BASE_FILE_H
#define SAL_BASE_FILE_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* Writes n bytes to a temporary file beside `path`, syncs it, renames it to `path` (through a
 * symbolic link, to what it points to) and syncs the folder. What is not a regular file (a pipe,
 * /dev/stdout) is written directly. Temporary files for this path that killed processes left behind
 * are removed. SAL_BADPATH with the reason; an existing file is then as it was. */
sal_status sal_file_write(const char *path, const void *data, size_t n, sal_err *err);
/* The same for a new or regular file, without waiting for the disk, which takes fifty times as
 * long: it survives the end of this process, not a loss of power. For files that are many and can
 * be made again. It leaves temporary files of others alone. */
sal_status sal_file_replace(const char *path, const void *data, size_t n, sal_err *err);

/* Gives the file `from` the name `to`, in one step. What had that name is named `from` then, where
 * the file system can do this, and is gone where it cannot. Nothing waits for the disk. 0, or -1
 * with errno. */
int sal_file_exchange(const char *from, const char *to);

/* Whether `name`, without a folder, is one of those temporary files: then the name of the file that
 * it is to become begins at name + 1 and has this many bytes (at most 200). 0: it is not. */
size_t sal_file_temporary(const char *name);

/* A folder, synced in the one that has it; *made (may be NULL): it was not there. */
sal_status sal_file_make_folder(const char *path, bool *made, sal_err *err);

typedef enum sal_lock_answer { SAL_LOCK_MINE, SAL_LOCK_TAKEN, SAL_LOCK_FAILED } sal_lock_answer;

/* Locks byte `at` of a file, which is made where there is none, until *fd is closed or this process
 * ends, however it ends. As locks of POSIX are: no other descriptor of this file may be closed
 * meanwhile in this process, and a process does not lock out itself. SAL_LOCK_TAKEN: by *holder
 * (a process; 0: unknown). SAL_LOCK_FAILED: with a reason in err. */
sal_lock_answer sal_file_lock(const char *path, long long at, int *fd, long *holder, sal_err *err);

#endif
