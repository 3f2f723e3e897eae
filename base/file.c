#include "base/file.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static sal_status write_error(sal_err *err, const char *path, int code)
{
    char reason[128] = "unknown error";
    if (strerror_r(code, reason, sizeof reason) != 0) {
        snprintf(reason, sizeof reason, "error %d", code);
    }
    return sal_fail(err, SAL_BADPATH, "cannot write '%.300s': %s", path, reason);
}

/* 0 or errno */
static int write_all(int fd, const char *bytes, size_t n)
{
    while (n > 0) {
        const ssize_t k = write(fd, bytes, n < 1U << 30 ? n : 1U << 30);
        if (k < 0 && errno != EINTR) {
            return errno;
        }
        bytes += k > 0 ? k : 0;
        n -= k > 0 ? (size_t)k : 0;
    }
    return 0;
}

/* Opens a new file beside `path` and writes its name to `name` [PATH_MAX]; -1 and errno if it
 * cannot. */
static int open_beside(const char *path, char *name)
{
    const char *slash = strrchr(path, '/');
    const int folder = slash == NULL ? 0 : (int)(slash - path) + 1;
    for (int i = 0; i < 1000; i++) {
        const int n = snprintf(name, PATH_MAX, "%.*s.%.200s.%ld-%d.tmp", folder, path,
                               path + folder, (long)getpid(), i);
        if (n >= PATH_MAX) {
            errno = ENAMETOOLONG;
            return -1;
        }
        const int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST) {
            return fd;
        }
    }
    return -1;
}

/* The folder too, or the new name may not survive a loss of power. */
static void sync_folder(const char *path)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    snprintf(folder, sizeof folder, "%.*s", slash == NULL ? 1 : (int)(slash - path) + 1,
             slash == NULL ? "." : path);
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
}

static sal_status write_direct(const char *path, const void *data, size_t n, sal_err *err)
{
    const int fd = open(path, O_WRONLY | O_CLOEXEC);
    int code = fd < 0 ? errno : write_all(fd, data, n);
    if (fd >= 0 && close(fd) != 0 && code == 0) {
        code = errno;
    }
    return code == 0 ? SAL_OK : write_error(err, path, code);
}

static sal_status write_renamed(const char *path, const void *data, size_t n, mode_t mode,
                                bool sync, sal_err *err)
{
    char name[PATH_MAX];
    const int fd = open_beside(path, name);
    if (fd < 0) {
        return write_error(err, path, errno);
    }
    int code = write_all(fd, data, n);
    if (code == 0 && mode != 0) {
        code = fchmod(fd, mode & 07777) != 0 ? errno : 0;
    }
    if (code == 0 && sync && fsync(fd) != 0 && errno != EINVAL && errno != EROFS) {
        code = errno;
    }
    if (close(fd) != 0 && code == 0) {
        code = errno;
    }
    if (code == 0 && rename(name, path) != 0) {
        code = errno;
    }
    if (code != 0) {
        unlink(name);
        return write_error(err, path, code);
    }
    if (sync) {
        sync_folder(path);
    }
    return SAL_OK;
}

sal_status sal_file_write(const char *path, const void *data, size_t n, sal_err *err)
{
    struct stat info;
    if (stat(path, &info) != 0) {
        return write_renamed(path, data, n, 0, true, err);
    }
    if (S_ISDIR(info.st_mode)) {
        return write_error(err, path, EISDIR);
    }
    if (!S_ISREG(info.st_mode)) {
        return write_direct(path, data, n, err);
    }
    char target[PATH_MAX];
    if (realpath(path, target) == NULL) {
        return write_error(err, path, errno);
    }
    return write_renamed(target, data, n, info.st_mode, true, err);
}

sal_status sal_file_replace(const char *path, const void *data, size_t n, sal_err *err)
{
    return write_renamed(path, data, n, 0, false, err);
}
