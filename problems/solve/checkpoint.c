#include "problems/solve/checkpoint.h"

#include "base/house.h"
#include "problems/result/result.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char magic[16] = "saltus solve 02";

enum { SEAL = 64, REPEATS = 3, REPEATED_MOST = 30, REDAMPED_MOST = 3, SOFTENED_MOST = 3 };
static const double SYNCED_EVERY = 5; /* s */
static const size_t most_bytes = (size_t)1 << 40;

typedef struct head {
    char magic[16];
    prb_fingerprint print;
    int start, nstart, niteration, iteration_size, before[3];
    size_t nstate;
} head;

/* ---- writing ---- */

static sal_status name_of(char *path, const char *folder, int start, const char *suffix,
                          sal_err *err)
{
    const int n = snprintf(path, PATH_MAX, "%s/%d%s", folder, start, suffix);
    return n > 0 && n < PATH_MAX
               ? SAL_OK
               : sal_fail(err, SAL_BADPATH, "the path of the checkpoint is too long");
}

static void compose(sal_text *text, const prb_fingerprint *print, const prb_checkpoint *c)
{
    head h;
    char seal[SEAL + 1];
    memset(&h, 0, sizeof h);
    memcpy(h.magic, magic, sizeof h.magic);
    h.print = *print;
    h.start = c->start, h.nstart = c->nstart;
    h.niteration = c->niteration, h.iteration_size = (int)sizeof(prb_iteration);
    h.nstate = c->nstate;
    memcpy(h.before, c->before, sizeof h.before);
    text->length = 0;
    sal_text_addn(text, (const char *)&h, sizeof h);
    sal_text_addn(text, (const char *)c->iteration, (size_t)c->niteration * sizeof(prb_iteration));
    sal_text_addn(text, c->state, c->nstate);
    if (!text->failed) {
        sal_sha256_hex(seal, text->data, text->length);
        sal_text_addn(text, seal, SEAL);
    }
}

/* What is left of a longer file that was there before. 0 or errno. */
static int cut_off(int fd, size_t n)
{
    struct stat info;
    const bool longer = fstat(fd, &info) == 0 && (size_t)info.st_size > n;
    return longer && ftruncate(fd, (off_t)n) != 0 ? errno : 0;
}

/* 0 or errno. It need not survive a loss of power, only the end of this process: see keep_synced.
 * Written over what the file has (an earlier checkpoint): emptied first, it would be on its way to
 * the disk when it is closed, as in exchange.c. */
static int write_bytes(const char *path, const char *bytes, size_t n)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    int code = fd < 0 ? errno : cut_off(fd, n);
    while (code == 0 && n > 0) {
        const ssize_t k = write(fd, bytes, n < 1U << 30 ? n : 1U << 30);
        code = k < 0 && errno != EINTR ? errno : 0;
        bytes += k > 0 ? k : 0;
        n -= k > 0 ? (size_t)k : 0;
    }
    if (fd >= 0 && close(fd) != 0 && code == 0) {
        code = errno;
    }
    return code;
}

/* The folder's name in the one that has it, which was made without waiting for the disk */
static void sync_name(const char *folder)
{
    char path[PATH_MAX];
    const int n = snprintf(path, sizeof path, "%s/..", folder);
    const int fd = n > 0 && n < PATH_MAX ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (fd >= 0) {
        fsync(fd);
        close(fd);
    }
}

/* The copy that survives a loss of power too. */
static sal_status keep_synced(const char *folder, const prb_checkpoint *c, const sal_text *text,
                              sal_err *err)
{
    char path[PATH_MAX];
    const double now = sal_seconds_now();
    sal_status status = SAL_OK;
    if (c->synced == NULL || (*c->synced > 0 && now - *c->synced < SYNCED_EVERY)) {
        return SAL_OK;
    }
    if (*c->synced > 0) {
        sync_name(folder);
        status = name_of(path, folder, c->start, ".kept", err);
        status = status == SAL_OK ? sal_file_write(path, text->data, text->length, err) : status;
    }
    *c->synced = sal_seconds_now();
    return status;
}

static bool make_folder(const char *folder)
{
    return mkdir(folder, 0777) == 0 || errno == EEXIST;
}

bool prb_checkpoint_is_due(const sal_watch *watch, double begin)
{
    return watch->checkpoint_after <= 0 || sal_seconds_now() - begin >= watch->checkpoint_after;
}

sal_status prb_checkpoint_write(const char *folder, const prb_fingerprint *print,
                                const prb_checkpoint *c, sal_text *text, sal_err *err)
{
    char path[PATH_MAX], temporary[PATH_MAX];
    sal_status status = name_of(path, folder, c->start, "", err);
    status = status == SAL_OK ? name_of(temporary, folder, c->start, ".tmp", err) : status;
    if (status != SAL_OK) {
        return status;
    }
    compose(text, print, c);
    if (text->failed) {
        return sal_fail(err, SAL_NOMEM, "out of memory for a checkpoint");
    }
    int code = write_bytes(temporary, text->data, text->length);
    if (code == ENOENT && make_folder(folder)) {
        code = write_bytes(temporary, text->data, text->length);
    }
    if (code == 0 && sal_file_exchange(temporary, path) != 0) {
        code = errno;
    }
    if (code != 0) {
        unlink(temporary);
        return sal_fail(err, SAL_BADPATH, "cannot write the checkpoint '%.300s': %s", path,
                        strerror(code));
    }
    return keep_synced(folder, c, text, err);
}

/* ---- reading ---- */

static sal_status damaged(const char *path, sal_err *err)
{
    return sal_fail(
        err, SAL_BADINPUT,
        "the checkpoint '%.300s' is damaged; solve without --resume to start from the beginning",
        path);
}

/* Sealed and complete? */
static bool is_whole(const char *bytes, size_t n, head *h)
{
    char seal[SEAL + 1];
    if (n < sizeof *h + SEAL) {
        return false;
    }
    sal_sha256_hex(seal, bytes, n - SEAL);
    memcpy(h, bytes, sizeof *h);
    return memcmp(seal, bytes + n - SEAL, SEAL) == 0 &&
           memcmp(h->magic, magic, sizeof magic) == 0 &&
           h->iteration_size == (int)sizeof(prb_iteration) &&
           n == sizeof *h + (size_t)h->niteration * sizeof(prb_iteration) + h->nstate + SEAL;
}

static sal_status same_print(const char *path, const prb_fingerprint *mine,
                             const prb_fingerprint *other, sal_err *err)
{
    const char *what = prb_fingerprint_difference(mine, other);
    if (what != NULL) {
        return sal_fail(err, SAL_BADINPUT,
                        "the checkpoint '%.300s' belongs to %s; solve without --resume to "
                        "start from the beginning",
                        path, what);
    }
    return strcmp(mine->version, other->version) == 0
               ? SAL_OK
               : sal_fail(err, SAL_BADINPUT,
                          "the checkpoint '%.300s' was written by saltus %s, this is saltus %s; "
                          "solve without --resume to start from the beginning",
                          path, other->version, mine->version);
}

/* One file: *bytes NULL where it is not there, or cannot be used; *broken: it is damaged. */
static sal_status read_one(const char *path, const prb_fingerprint *print, const prb_checkpoint *c,
                           char **bytes, head *h, bool *broken, sal_err *err)
{
    size_t n = 0;
    *bytes = NULL;
    *broken = false;
    if (access(path, F_OK) != 0) {
        return SAL_OK;
    }
    sal_status status = sal_text_read_file(path, most_bytes, bytes, &n, err);
    if (status == SAL_OK) {
        *broken = !is_whole(*bytes, n, h);
        status = *broken ? damaged(path, err) : same_print(path, print, &h->print, err);
    }
    if (status == SAL_OK && (h->start != c->start || h->nstart != c->nstart)) {
        status = damaged(path, err);
    }
    if (status != SAL_OK) {
        sal_free(*bytes);
        *bytes = NULL;
    }
    return status;
}

sal_status prb_checkpoint_read(const char *folder, const prb_fingerprint *print, prb_checkpoint *c,
                               char **bytes, sal_err *err)
{
    char path[PATH_MAX];
    head h = {0};
    bool broken;
    *bytes = NULL;
    sal_status status = name_of(path, folder, c->start, "", err);
    if (status != SAL_OK) {
        return status;
    }
    status = read_one(path, print, c, bytes, &h, &broken, err);
    if (*bytes == NULL && (status == SAL_OK || broken) &&
        name_of(path, folder, c->start, ".kept", NULL) == SAL_OK) {
        const sal_status other = read_one(path, print, c, bytes, &h, &broken, NULL);
        status = *bytes != NULL || status == SAL_OK ? other : status;
    }
    if (status != SAL_OK || *bytes == NULL) {
        return status;
    }
    const char *iterations = *bytes + sizeof h;
    c->niteration = h.niteration;
    c->iteration = (const void *)iterations;
    c->nstate = h.nstate;
    memcpy(c->before, h.before, sizeof c->before);
    c->state = iterations + (size_t)h.niteration * sizeof(prb_iteration);
    return SAL_OK;
}

sal_status prb_checkpoint_share(const sal_ranks *ranks, sal_status status, prb_checkpoint *c,
                                char **bytes, sal_err *err)
{
    struct {
        sal_status status;
        int found;
        prb_checkpoint c;
        sal_err err;
    } word = {.status = status, .found = *bytes != NULL, .c = *c, .err = *err};
    status = ranks->broadcast(ranks->ctx, &word, sizeof word, err);
    if (status != SAL_OK || word.status != SAL_OK || !word.found) {
        *err = status == SAL_OK ? word.err : *err;
        return status == SAL_OK ? word.status : status;
    }
    if (ranks->rank > 0) {
        *c = word.c;
        c->niteration = 0;
        *bytes = sal_alloc(c->nstate, 1);
        c->iteration = NULL;
        c->state = *bytes;
    }
    if (*bytes == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for a checkpoint");
    }
    void *state; /* the leader's is constant, and stays as it is */
    memcpy(&state, &c->state, sizeof state);
    return ranks->broadcast(ranks->ctx, state, c->nstate, err);
}

int prb_repeats(const sal_problem *p)
{
    return p->nmore > 0 ? REPEATS : 1;
}

int prb_starts_own(const sal_problem *p)
{
    return (p->nstart > 1 ? p->nstart : 1) + p->nmore;
}

/* Noise and other ways lead away from a recording, which is a good guess; what is wrong at a few
 * instants of it, soft steps cure at once. */
static bool are_repeated(const sal_problem *p)
{
    return !p->once && p->recorded == NULL;
}

int prb_starts_hardened(const sal_problem *p)
{
    const int repeated = !are_repeated(p) ? 0 : prb_repeats(p) * prb_starts_own(p);
    return repeated < REPEATED_MOST ? repeated : REPEATED_MOST;
}

static int redamped(const sal_problem *p)
{
    const int own = are_repeated(p) ? prb_starts_own(p) : 0;
    return own < REDAMPED_MOST ? own : REDAMPED_MOST;
}

/* A result keeps the contacts of soft steps as MJCF, which knows one contact model only. */
int prb_starts_softened(const sal_problem *p)
{
    const bool none = p->once || p->contact_model != SAL_CONTACT_SOFT;
    const int own = none ? 0 : prb_starts_own(p);
    return own < SOFTENED_MOST ? own : SOFTENED_MOST;
}

int prb_starts_most(const sal_problem *p)
{
    return prb_starts_own(p) + prb_starts_hardened(p) + PRB_DAMPINGS * redamped(p) +
           prb_starts_softened(p);
}

sal_status sal_checkpoint_look(const sal_problem *p, const char *folder, int *linearisations,
                               bool *found, sal_err *err)
{
    prb_fingerprint print;
    p = p->half != NULL ? p->half : p; /* of which the checkpoints are */
    sal_status status = prb_fingerprint_of(p, &print, err);
    *found = false;
    for (int i = 0; i < prb_starts_most(p) && status == SAL_OK; i++) {
        prb_checkpoint c = {.start = i, .nstart = prb_starts_most(p)};
        char *bytes;
        status = prb_checkpoint_read(folder, &print, &c, &bytes, err);
        linearisations[i] = 0;
        if (bytes != NULL) {
            *found = true;
            linearisations[i] = c.niteration > 0 ? c.iteration[c.niteration - 1].linearisation : 0;
        }
        sal_free(bytes);
    }
    return status;
}

/* "12", "12.tmp", "12.kept", or a temporary file for that */
static bool is_ours(const char *name)
{
    const bool hidden = name[0] == '.';
    const size_t digits = strspn(name + hidden, "0123456789");
    const char *rest = name + hidden + digits;
    return digits > 0 &&
           (hidden ? strncmp(rest, ".kept.", 6) == 0
                   : rest[0] == 0 || strcmp(rest, ".tmp") == 0 || strcmp(rest, ".kept") == 0);
}

void sal_checkpoint_remove(const char *folder)
{
    DIR *list = opendir(folder);
    if (list == NULL) {
        return;
    }
    for (const struct dirent *entry; (entry = readdir(list)) != NULL;) {
        if (is_ours(entry->d_name)) {
            unlinkat(dirfd(list), entry->d_name, 0);
        }
    }
    closedir(list);
    rmdir(folder);
}
