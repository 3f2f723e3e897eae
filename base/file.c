#include "base/file.h"

#include "base/memory.h"

#include <dirent.h>
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

/* ---- temporary files: .NAME.PROCESS-COUNT.tmp, locked by the process that writes it ---- */

static int folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? 0 : (int)(slash - path) + 1;
}

/* The folder of a path in `folder` [PATH_MAX]; its length in the path. */
static int folder_of(char *folder, const char *path)
{
    const int n = folder_length(path);
    snprintf(folder, PATH_MAX, "%.*s", n == 0 ? 1 : n, n == 0 ? "." : path);
    return n;
}

/* Locks a file of this process; false: another has locked it, or has removed it meanwhile. */
static bool hold(int fd)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};
    struct stat info;
    if (fcntl(fd, F_SETLK, &lock) != 0) {
        return errno != EAGAIN && errno != EACCES; /* a file system without locks */
    }
    return fstat(fd, &info) == 0 && info.st_nlink > 0;
}

/* Opens a new file beside `path` and writes its name to `name` [PATH_MAX]; -1 and errno if it
 * cannot. */
static int open_beside(const char *path, char *name)
{
    const int folder = folder_length(path);
    for (int i = 0; i < 1000; i++) {
        const int n = snprintf(name, PATH_MAX, "%.*s.%.200s.%ld-%d.tmp", folder, path,
                               path + folder, (long)getpid(), i);
        if (n >= PATH_MAX) {
            errno = ENAMETOOLONG;
            return -1;
        }
        const int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST) {
            return -1;
        }
        if (fd >= 0 && hold(fd)) {
            return fd;
        }
        if (fd >= 0) {
            close(fd);
        }
    }
    return -1;
}

/* Where the digits in front of text + end begin */
static size_t digits_before(const char *text, size_t end)
{
    while (end > 0 && text[end - 1] >= '0' && text[end - 1] <= '9') {
        end--;
    }
    return end;
}

size_t sal_file_temporary(const char *name)
{
    const size_t n = strlen(name), end = n < 4 ? 0 : n - 4; /* of the count */
    const size_t count = digits_before(name, end);
    if (name[0] != '.' || strcmp(name + end, ".tmp") != 0 || count == end || count < 4 ||
        name[count - 1] != '-') {
        return 0;
    }
    const size_t process = digits_before(name, count - 1);
    return process < count - 1 && process > 2 && name[process - 1] == '.' ? process - 2 : 0;
}

/* Is this the name of a temporary file for `base`, of another process? */
static bool is_of_another(const char *name, const char *base)
{
    const size_t n = sal_file_temporary(name);
    return n > 0 && n == strnlen(base, 200) && strncmp(name + 1, base, n) == 0 &&
           strtol(name + 2 + n, NULL, 10) != (long)getpid();
}

/* What killed processes left of this path: nobody holds it. */
static void sweep_up(const char *path)
{
    char folder[PATH_MAX];
    const char *base = path + folder_of(folder, path);
    DIR *list = opendir(folder);
    for (const struct dirent *e; list != NULL && (e = readdir(list)) != NULL;) {
        if (!is_of_another(e->d_name, base)) {
            continue;
        }
        const int fd = openat(dirfd(list), e->d_name, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
        if (fd >= 0 && hold(fd)) {
            unlinkat(dirfd(list), e->d_name, 0);
        }
        if (fd >= 0) {
            close(fd);
        }
    }
    if (list != NULL) {
        closedir(list);
    }
}

/* The folder too, or the new name may not survive a loss of power. */
static void sync_folder(const char *path)
{
    char folder[PATH_MAX];
    folder_of(folder, path);
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

/* Into a new file beside `path`, which then takes its name; errno of what failed, 0: nothing.
 * *gone: the new file was not there any more. */
static int write_beside(const char *path, const void *data, size_t n, mode_t mode, bool sync,
                        bool *gone)
{
    char name[PATH_MAX];
    const int fd = open_beside(path, name);
    *gone = false;
    if (fd < 0) {
        return errno;
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
        *gone = code == ENOENT;
    }
    if (code != 0) {
        unlink(name);
    }
    return code;
}

/* Closed, which may fail and so comes before it takes its name, the new file is held no more: who
 * sweeps up at this moment takes it for one that was left. Then it is written again. */
static sal_status write_renamed(const char *path, const void *data, size_t n, mode_t mode,
                                bool sync, sal_err *err)
{
    bool gone = true;
    int code = 0;
    for (int tries = 0; gone && tries < 100; tries++) {
        code = write_beside(path, data, n, mode, sync, &gone);
    }
    if (code != 0) {
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
        sweep_up(path);
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
    sweep_up(target);
    return write_renamed(target, data, n, info.st_mode, true, err);
}

sal_status sal_file_replace(const char *path, const void *data, size_t n, sal_err *err)
{
    return write_renamed(path, data, n, 0, false, err);
}

/* ---- folders and locks ---- */

sal_status sal_file_make_folder(const char *path, bool *made, sal_err *err)
{
    char plain[PATH_MAX];
    const bool is_new = mkdir(path, 0777) == 0;
    if (!is_new && errno != EEXIST) {
        return sal_fail(err, SAL_BADPATH, "cannot make the folder '%.300s': %s", path,
                        strerror(errno));
    }
    if (is_new) {
        snprintf(plain, sizeof plain, "%s", path);
        for (size_t n = strlen(plain); n > 1 && plain[n - 1] == '/'; n--) {
            plain[n - 1] = 0;
        }
        sync_folder(plain);
    }
    if (made != NULL) {
        *made = is_new;
    }
    return SAL_OK;
}

sal_lock_answer sal_file_lock(const char *path, long long at, int *fd, long *holder, sal_err *err)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)at, .l_len = 1};
    *holder = 0;
    *fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (*fd >= 0 && fcntl(*fd, F_SETLK, &lock) == 0) {
        return SAL_LOCK_MINE;
    }
    const int code = errno;
    const bool taken = *fd >= 0 && (code == EAGAIN || code == EACCES);
    if (taken && fcntl(*fd, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK) {
        *holder = (long)lock.l_pid;
    }
    if (*fd >= 0) {
        close(*fd);
        *fd = -1;
    }
    if (!taken) {
        sal_fail(err, SAL_BADPATH, "cannot lock '%.300s': %s", path, strerror(code));
    }
    return taken ? SAL_LOCK_TAKEN : SAL_LOCK_FAILED;
}
