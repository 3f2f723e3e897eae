#include "cli/folder.h"

#include "cli/places.h"

#include "problems/result/result.h"

#include <dirent.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DIGEST = 64 };

static const char next_begin[] = ".run.json.", next_end[] = ".next";

/* ---- names ---- */

sal_status cli_folder_name(cli_folder *folder, const cli_arguments *a, const char *name,
                           sal_err *err)
{
    const char *output = a->value[CLI_OPT_OUTPUT];
    const int n = snprintf(folder->path, sizeof folder->path, "%s%s",
                           output == NULL ? name : output, output == NULL ? ".saltus" : "");
    folder->made = false;
    folder->lock = -1;
    if (n < 0 || (size_t)n >= sizeof folder->path) {
        return sal_fail(err, SAL_BADPATH, "the path of the result is too long");
    }
    snprintf(folder->checkpoint, sizeof folder->checkpoint, "%s/checkpoint", folder->path);
    return SAL_OK;
}

const char *cli_folder_file(cli_folder *folder, const char *name)
{
    snprintf(folder->file, sizeof folder->file, "%s/%s", folder->path, name);
    return folder->file;
}

static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Whether a file is there, and is another one than b. */
static bool is_other_file(const char *file, const char *b)
{
    struct stat here, there;
    return stat(file, &here) == 0 && stat(b, &there) == 0 && !is_same(&here, &there);
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* Whether the problem lies here, where its result goes: beside a copied or moved one is the result
 * of a file of its name in another folder. */
static bool lies_here(const char *problem)
{
    char folder[4096];
    struct stat its, here;
    const int n = (int)(name_of(problem) - problem);
    snprintf(folder, sizeof folder, "%.*s.", n, problem);
    return stat(folder, &its) == 0 && stat(".", &here) == 0 && is_same(&its, &here);
}

int cli_folder_is_own(cli_folder *folder, const cli_arguments *a)
{
    cli_places places;
    sal_err err = {0};
    if (a->given[CLI_OPT_OUTPUT] || cli_is_piped(a->file[0])) {
        return CLI_EXIT_OK;
    }
    const sal_status status = cli_places_beside(folder->path, &places, &err);
    if (status != SAL_OK) {
        return cli_fail(a, status, &err);
    }
    const bool copied =
        lies_here(a->file[0]) && strcmp(name_of(places.problem), name_of(a->file[0])) == 0;
    if (is_other_file(places.problem, a->file[0]) && !copied) {
        cli_say("error: '%.300s' has the result of a problem of the same name, '%.300s', which "
                "would be lost; name another folder with -o",
                folder->path, places.problem);
        return CLI_EXIT_USAGE;
    }
    return CLI_EXIT_OK;
}

int cli_folder_check(cli_folder *folder, const cli_arguments *a)
{
    int code = cli_may_write(a, cli_folder_file(folder, "result.h5"), CLI_CONTENT_HDF5);
    if (code == CLI_EXIT_OK) {
        code = cli_may_write(a, cli_folder_file(folder, "run.json"), CLI_CONTENT_TEXT);
    }
    if (code == CLI_EXIT_OK) {
        code = cli_may_write(a, cli_folder_file(folder, "iterations.jsonl"), CLI_CONTENT_TEXT);
    }
    return code;
}

/* ---- what killed processes left; the folder is ours ---- */

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static bool is_next(const char *name)
{
    return strlen(name) == strlen(next_begin) + DIGEST + strlen(next_end) &&
           begins(name, next_begin) && sal_text_ends(name, next_end);
}

/* What is to become a file of the folder */
static bool is_temporary(const char *name)
{
    char file[256];
    const int n = (int)sal_file_temporary(name);
    snprintf(file, sizeof file, "%.*s", n, n > 0 ? name + 1 : "");
    return strcmp(file, "result.h5") == 0 || strcmp(file, "iterations.jsonl") == 0 ||
           strcmp(file, "run.json") == 0 || is_next(file);
}

static bool digest_of(cli_folder *folder, char digest[DIGEST + 1])
{
    char *bytes = NULL;
    size_t n = 0;
    const bool read = sal_text_read_file(cli_folder_file(folder, "result.h5"), (size_t)1 << 40,
                                         &bytes, &n, NULL) == SAL_OK;
    if (read) {
        sal_sha256_hex(digest, bytes, n);
    }
    sal_free(bytes);
    return read;
}

/* Gives a next run.json its name if it is about the result that is there. */
static void settle(cli_folder *folder, int at, const char *name)
{
    char digest[DIGEST + 1] = "";
    const bool known = digest_of(folder, digest);
    if (known && begins(name + strlen(next_begin), digest)) {
        renameat(at, name, at, "run.json");
    } else if (known || access(folder->file, F_OK) != 0) {
        unlinkat(at, name, 0);
    }
}

static void clear(cli_folder *folder)
{
    DIR *list = opendir(folder->path);
    for (const struct dirent *e; list != NULL && (e = readdir(list)) != NULL;) {
        if (is_temporary(e->d_name)) {
            unlinkat(dirfd(list), e->d_name, 0);
        } else if (is_next(e->d_name)) {
            settle(folder, dirfd(list), e->d_name);
        }
    }
    if (list != NULL) {
        closedir(list);
    }
}

/* ---- taking it ---- */

/* Whoever gives it back removes the file: it may be another one by now. */
static bool is_still_there(int lock, const char *path)
{
    struct stat mine, now;
    return fstat(lock, &mine) == 0 && stat(path, &now) == 0 && is_same(&mine, &now);
}

static sal_status take(cli_folder *folder, sal_err *err)
{
    const char *path = cli_folder_file(folder, "lock");
    long holder;
    for (;;) {
        const sal_lock_answer answer = sal_file_lock(path, 0, &folder->lock, &holder, err);
        if (answer == SAL_LOCK_FAILED) {
            return SAL_BADPATH;
        }
        if (answer == SAL_LOCK_TAKEN) {
            char who[40] = "another process";
            if (holder > 0) {
                snprintf(who, sizeof who, "process %ld", holder);
            }
            return sal_fail(err, SAL_BADPATH,
                            "%s solves into '%.300s' at the moment; wait until it has ended, or "
                            "give another folder with -o",
                            who, folder->path);
        }
        if (is_still_there(folder->lock, path)) {
            return SAL_OK;
        }
        close(folder->lock);
        folder->lock = -1;
    }
}

sal_status cli_folder_open(cli_folder *folder, sal_err *err)
{
    sal_status status = sal_file_make_folder(folder->path, &folder->made, err);
    status = status == SAL_OK ? take(folder, err) : status;
    if (status == SAL_OK) {
        clear(folder);
    }
    return status;
}

void cli_folder_close(cli_folder *folder)
{
    if (folder->lock >= 0) {
        unlink(cli_folder_file(folder, "lock"));
        close(folder->lock);
        folder->lock = -1;
    }
}

void cli_folder_drop(cli_folder *folder)
{
    if (folder->made) {
        sal_checkpoint_remove(folder->checkpoint);
        unlink(cli_folder_file(folder, "iterations.jsonl"));
    }
    cli_folder_close(folder);
    if (folder->made) {
        rmdir(folder->path);
    }
}

void cli_folder_settle(const char *path)
{
    cli_folder folder = {.lock = -1};
    bool left = false;
    DIR *list = opendir(path);
    for (const struct dirent *e; list != NULL && !left && (e = readdir(list)) != NULL;) {
        left = is_next(e->d_name);
    }
    if (list != NULL) {
        closedir(list);
    }
    if (left && snprintf(folder.path, sizeof folder.path, "%s", path) < (int)sizeof folder.path &&
        take(&folder, NULL) == SAL_OK) {
        clear(&folder);
        cli_folder_close(&folder);
    }
}

/* ---- the result ---- */

static sal_status write_both(cli_folder *folder, const cli_arguments *a, const sal_result *result,
                             const char *bytes, size_t n, sal_err *err)
{
    char digest[DIGEST + 1], name[DIGEST + 32], next[4200];
    sal_text run = {0};
    sal_sha256_hex(digest, bytes, n);
    snprintf(name, sizeof name, "%s%s%s", next_begin, digest, next_end);
    snprintf(next, sizeof next, "%s", cli_folder_file(folder, name));
    sal_status status =
        sal_result_run_json(result, a->argc, (const char *const *)a->argv, a->nthread, &run, err);
    status = status == SAL_OK ? sal_file_write(next, run.data, run.length, err) : status;
    if (status == SAL_OK) {
        status = sal_file_write(cli_folder_file(folder, "result.h5"), bytes, n, err);
        if (status != SAL_OK) {
            unlink(next);
        } else if (rename(next, cli_folder_file(folder, "run.json")) != 0) {
            status = sal_fail(err, SAL_BADPATH, "cannot write '%.300s'", folder->file);
        }
    }
    sal_text_clear(&run);
    return status;
}

sal_status cli_folder_seal(cli_folder *folder, const cli_arguments *a, const sal_result *result,
                           sal_err *err)
{
    char *bytes = NULL;
    size_t n = 0;
    sal_status status = prb_result_compose(result, &bytes, &n, NULL, err);
    status = status == SAL_OK ? write_both(folder, a, result, bytes, n, err) : status;
    sal_free(bytes);
    if (status == SAL_OK && result->exit_code != CLI_EXIT_INTERRUPTED) {
        sal_checkpoint_remove(folder->checkpoint);
    }
    return status;
}
