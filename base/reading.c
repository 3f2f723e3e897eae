#include "base/reading.h"

#include "base/memory.h"
#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What came through a pipe */
typedef struct kept {
    char *path, *data;
    size_t length;
    struct kept *next;
} kept;

typedef struct seen {
    dev_t device;
    ino_t inode;
} seen;

static struct {
    sal_reading how;
    pthread_mutex_t lock;
    kept *pipe;
    seen *file;
    int nfile, room;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER};

void sal_reading_set(const sal_reading *how)
{
    all.how = *how;
}

/* ---- how large a file may be ---- */

size_t sal_reading_most(size_t usual)
{
    return all.how.most > 0 ? all.how.most : usual;
}

/* "1.5 GB" */
static void write_size(char *text, size_t n, double bytes)
{
    static const char *const unit[] = {"bytes", "kB", "MB", "GB", "TB"};
    int k = 0;
    for (; bytes >= 1024 && k < 4; k++) {
        bytes /= 1024;
    }
    snprintf(text, n, "%.4g %s", bytes, unit[k]);
}

sal_status sal_reading_refuse(const char *what, double found, size_t most, sal_err *err)
{
    char has[32], may[32];
    double enough = (double)most;
    while (enough <= found || enough <= (double)most) {
        enough *= 2;
    }
    const bool large = enough >= 0x1p30;
    write_size(has, sizeof has, found > 0 ? found : (double)most);
    write_size(may, sizeof may, (double)most);
    return sal_fail(err, SAL_BADINPUT,
                    "%.300s %s%s, but at most %s are allowed; if this is what you mean to read, "
                    "allow it with --max-size %.0f%s",
                    what, found > 0 ? "" : "more than ", has, may,
                    large              ? enough / 0x1p30
                    : enough >= 0x1p20 ? enough / 0x1p20
                                       : enough,
                    large              ? "G"
                    : enough >= 0x1p20 ? "M"
                                       : "");
}

/* ---- which files were read ---- */

static bool is_seen(dev_t device, ino_t inode)
{
    for (int i = 0; i < all.nfile; i++) {
        if (all.file[i].device == device && all.file[i].inode == inode) {
            return true;
        }
    }
    return false;
}

bool sal_was_read(const char *path)
{
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) {
        return false;
    }
    pthread_mutex_lock(&all.lock);
    const bool found = is_seen(info.st_dev, info.st_ino);
    pthread_mutex_unlock(&all.lock);
    return found;
}

/* Once for each file; false: no memory */
static bool note(const struct stat *info)
{
    pthread_mutex_lock(&all.lock);
    const bool known = is_seen(info->st_dev, info->st_ino);
    seen *list = known ? NULL : sal_list_grow(all.file, all.nfile, &all.room, sizeof *list);
    const bool noted = known || list != NULL;
    if (list != NULL) {
        all.file = list;
        all.file[all.nfile++] = (seen){info->st_dev, info->st_ino};
    }
    pthread_mutex_unlock(&all.lock);
    return noted;
}

/* ---- what came through a pipe ---- */

static const kept *find_kept(const char *path)
{
    const kept *k = all.pipe;
    while (k != NULL && strcmp(k->path, path) != 0) {
        k = k->next;
    }
    return k;
}

/* Bytes of a file, and of those that were read before it and count, too */
typedef struct allowance {
    size_t most, before;
} allowance;

static size_t limit_of(const allowance *a)
{
    return a->before < a->most ? a->most - a->before : 0;
}

/* found: 0 if it is not known, only that it is too much */
static sal_status refuse(const char *path, size_t found, const allowance *a, sal_err *err)
{
    char what[400];
    snprintf(what, sizeof what, "cannot read '%.300s': %sit has", path,
             a->before > 0 ? "with what was read before it, " : "");
    return sal_reading_refuse(what, found > 0 ? (double)found + (double)a->before : 0, a->most,
                              err);
}

/* Whether something is kept under this path, and then a copy of it. */
static bool take_kept(const char *path, const allowance *a, sal_text *text, sal_status *status,
                      sal_err *err)
{
    pthread_mutex_lock(&all.lock);
    const kept *k = all.how.pipes ? find_kept(path) : NULL;
    if (k != NULL && k->length > limit_of(a)) {
        *status = refuse(path, k->length, a, err);
    } else if (k != NULL) {
        sal_text_addn(text, k->data, k->length);
    }
    pthread_mutex_unlock(&all.lock);
    return k != NULL;
}

/* false: no memory */
static bool keep(const char *path, const sal_text *text)
{
    kept *k = sal_alloc(1, sizeof *k);
    char *name = sal_alloc(strlen(path) + 1, 1), *data = sal_alloc(text->length + 1, 1);
    if (k == NULL || name == NULL || data == NULL) {
        sal_free(k);
        sal_free(name);
        sal_free(data);
        return false;
    }
    memcpy(name, path, strlen(path) + 1);
    memcpy(data, text->data, text->length);
    pthread_mutex_lock(&all.lock);
    *k = (kept){name, data, text->length, all.pipe};
    all.pipe = k;
    pthread_mutex_unlock(&all.lock);
    return true;
}

/* ---- reading ---- */

static sal_status path_error(sal_err *err, const char *path, int code)
{
    char reason[128] = "unknown error";
    if (strerror_r(code, reason, sizeof reason) != 0) {
        snprintf(reason, sizeof reason, "error %d", code);
    }
    return sal_fail(err, SAL_BADPATH, "cannot read '%.300s': %s", path, reason);
}

static bool is_standard_input(const char *path)
{
    return all.how.pipes && strcmp(path, "-") == 0;
}

/* The file, and what it is; -1 and errno if it cannot be opened. */
static int open_file(const char *path, struct stat *info)
{
    /* a pipe may have no one at its other end */
    const bool standard = is_standard_input(path);
    const int fd = standard ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
                            : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd >= 0 && (fstat(fd, info) != 0 || (!standard && fcntl(fd, F_SETFL, O_RDONLY) != 0))) {
        const int code = errno;
        close(fd);
        errno = code;
        return -1;
    }
    return fd;
}

/* Reads at most limit + 1 bytes of an open file. */
static sal_status read_all(int fd, const char *path, size_t limit, sal_text *text, sal_err *err)
{
    char chunk[65536];
    while (text->length <= limit) {
        const ssize_t n = read(fd, chunk, sizeof chunk);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            return path_error(err, path, errno);
        }
        if (n == 0) {
            break;
        }
        sal_text_addn(text, chunk, (size_t)n);
        if (text->failed) {
            return sal_fail(err, SAL_NOMEM, "out of memory while reading '%.300s'", path);
        }
    }
    return SAL_OK;
}

static sal_status read_open(int fd, const struct stat *info, const char *path, const allowance *a,
                            sal_text *text, sal_err *err)
{
    const size_t limit = limit_of(a);
    if (S_ISDIR(info->st_mode)) {
        return sal_fail(err, SAL_BADPATH, "cannot read '%.300s': it is a directory", path);
    }
    if (S_ISREG(info->st_mode) && info->st_size > 0 && (size_t)info->st_size > limit) {
        return refuse(path, (size_t)info->st_size, a, err);
    }
    if (all.how.notes && S_ISREG(info->st_mode) && !note(info)) {
        return sal_fail(err, SAL_NOMEM, "out of memory");
    }
    const sal_status status = read_all(fd, path, limit, text, err);
    if (status == SAL_OK && text->length > limit) {
        return refuse(path, 0, a, err);
    }
    const bool passing = !S_ISREG(info->st_mode) || is_standard_input(path);
    if (status == SAL_OK && all.how.pipes && passing && !keep(path, text)) {
        return sal_fail(err, SAL_NOMEM, "out of memory while reading '%.300s'", path);
    }
    return status;
}

sal_status sal_text_read_file(const char *path, size_t limit, char **data, size_t *length,
                              sal_err *err)
{
    return sal_text_read_more(path, 0, limit, data, length, err);
}

sal_status sal_text_read_more(const char *path, size_t before, size_t limit, char **data,
                              size_t *length, sal_err *err)
{
    const allowance a = {sal_reading_most(limit), before};
    sal_status status = SAL_OK;
    sal_text text = {0};
    struct stat info;
    *data = NULL;
    *length = 0;
    sal_text_addn(&text, "", 0);
    if (text.failed) {
        return sal_fail(err, SAL_NOMEM, "out of memory");
    }
    if (!take_kept(path, &a, &text, &status, err)) {
        const int fd = open_file(path, &info);
        status = fd < 0 ? path_error(err, path, errno) : read_open(fd, &info, path, &a, &text, err);
        if (fd >= 0) {
            close(fd);
        }
    }
    if (status == SAL_OK && text.failed) {
        status = sal_fail(err, SAL_NOMEM, "out of memory while reading '%.300s'", path);
    }
    if (status == SAL_OK) {
        *data = text.data;
        *length = text.length;
        text = (sal_text){0};
    }
    sal_text_clear(&text);
    return status;
}

/* A pipe is read whole, since it can be read once. */
size_t sal_text_read_head(const char *path, char *head, size_t n)
{
    enum { PIPE_MOST = 1 << 30 };
    struct stat info;
    char *data = NULL;
    size_t length = 0;
    if (is_standard_input(path) || (stat(path, &info) == 0 && S_ISFIFO(info.st_mode))) {
        if (sal_text_read_file(path, PIPE_MOST, &data, &length, NULL) == SAL_OK && data != NULL) {
            length = length < n ? length : n;
            memcpy(head, data, length);
        }
        sal_free(data);
        return length;
    }
    const int fd = open_file(path, &info);
    ssize_t got = fd < 0 ? 0 : 1;
    while (got > 0 && length < n) {
        got = read(fd, head + length, n - length);
        length += got > 0 ? (size_t)got : 0;
    }
    if (fd >= 0) {
        close(fd);
    }
    return length;
}
