#include "cli/cli.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct cli_folder { /* NAME.saltus */
    char path[4096], file[4200], checkpoint[4200];
    bool made; /* by us */
} cli_folder;

static const char *in_folder(cli_folder *folder, const char *name)
{
    snprintf(folder->file, sizeof folder->file, "%s/%s", folder->path, name);
    return folder->file;
}

static sal_status path_error(const char *verb, const char *path, sal_err *err)
{
    return sal_fail(err, SAL_BADPATH, "cannot %s '%.300s': %s", verb, path, strerror(errno));
}

static sal_status name_folder(cli_folder *folder, const cli_arguments *a,
                              const sal_request *request, sal_err *err)
{
    const char *output = a->value[CLI_OPT_OUTPUT];
    const int n = snprintf(folder->path, sizeof folder->path, "%s%s",
                           output == NULL ? sal_request_name(request) : output,
                           output == NULL ? ".saltus" : "");
    folder->made = false;
    if (n < 0 || (size_t)n >= sizeof folder->path) {
        return sal_fail(err, SAL_BADPATH, "the path of the result is too long");
    }
    snprintf(folder->checkpoint, sizeof folder->checkpoint, "%s/checkpoint", folder->path);
    return SAL_OK;
}

/* What the solve will write may be none of its inputs. */
static int check_folder(cli_folder *folder, const cli_arguments *a)
{
    int code = cli_may_write(a, in_folder(folder, "result.h5"), CLI_CONTENT_HDF5);
    if (code == CLI_EXIT_OK) {
        code = cli_may_write(a, in_folder(folder, "run.json"), CLI_CONTENT_TEXT);
    }
    if (code == CLI_EXIT_OK) {
        code = cli_may_write(a, in_folder(folder, "iterations.jsonl"), CLI_CONTENT_TEXT);
    }
    return code;
}

/* Makes the folder and opens the record of iterations, before any work is spent. Resumed, the
 * record goes on where the checkpoints are. */
static sal_status open_folder(cli_folder *folder, const sal_request *request, bool resume,
                              cli_progress_view *view, sal_err *err)
{
    double seconds = 0;
    folder->made = mkdir(folder->path, 0777) == 0;
    if (!folder->made && errno != EEXIST) {
        return path_error("make the folder", folder->path, err);
    }
    const char *record = in_folder(folder, "iterations.jsonl");
    const sal_status status =
        resume ? cli_cut_record(request, folder->checkpoint, record, &seconds, err) : SAL_OK;
    if (status != SAL_OK) {
        return status;
    }
    if (!resume) {
        sal_checkpoint_remove(folder->checkpoint);
    }
    view->begin -= seconds;
    view->record = fopen(record, resume ? "a" : "w");
    return view->record == NULL ? path_error("write", folder->file, err) : SAL_OK;
}

/* Leaves no trace of a solve that has no result. */
static void drop_folder(cli_folder *folder)
{
    if (folder->made) {
        sal_checkpoint_remove(folder->checkpoint);
        unlink(in_folder(folder, "iterations.jsonl"));
        rmdir(folder->path);
    }
}

/* What differs between equal runs. */
static sal_status write_run(cli_folder *folder, const cli_arguments *a, const sal_result *result,
                            sal_err *err)
{
    sal_text text = {0};
    sal_status status =
        sal_result_run_json(result, a->argc, (const char *const *)a->argv, a->nthread, &text, err);
    if (status == SAL_OK) {
        status = sal_file_write(in_folder(folder, "run.json"), text.data, text.length, err);
    }
    sal_text_clear(&text);
    return status;
}

/* ---- ranks that share the solve ---- */

/* Rank 0 tells the others, once, whether they are needed; they hear it. */
static bool share(const cli_arguments *a, bool needed)
{
    sal_err err;
    int word = needed;
    return a->ranks == NULL ||
           (a->ranks->broadcast(a->ranks->ctx, &word, sizeof word, &err) == SAL_OK && word != 0);
}

/* A rank above 0: code is what reading the problem came to */
static int serve(const cli_arguments *a, const sal_request *request, int code)
{
    sal_err err = {0};
    sal_result *result = NULL;
    if (!share(a, false) || code != CLI_EXIT_OK) {
        return code;
    }
    const sal_status status =
        sal_request_solve(&result, request, a->nthread, &(sal_watch){.ranks = a->ranks}, &err);
    sal_result_free(result);
    return status == SAL_OK ? CLI_EXIT_OK : cli_fail(a, status, &err);
}

/* ---- the verb ---- */

static void say_log(void *user, sal_level level, const char *message)
{
    const cli_progress_view *view = user;
    if (view->verbose || level == SAL_WARNING) {
        fprintf(stderr, "%s%s%s\n", view->terminal ? "\r\033[K" : "",
                level == SAL_WARNING ? "saltus: warning: " : "", message);
    }
}

static int show(const cli_arguments *a, const sal_result *result, const char *path)
{
    if (!a->given[CLI_OPT_QUIET]) {
        cli_result_lines(result, a->given[CLI_OPT_VERBOSE]);
        if (a->given[CLI_OPT_VERBOSE]) {
            cli_work_lines(result);
        }
        fprintf(stderr, "result: %s%s\n", path,
                result->exit_code == CLI_EXIT_INTERRUPTED ? " (best so far; --resume continues)"
                                                          : "");
    }
    if (!a->given[CLI_OPT_JSON]) {
        return result->exit_code;
    }
    sal_text text = {0};
    sal_json json = {.out = &text, .lines = true};
    cli_result_json(&json, result, path);
    sal_text_add(&text, "\n");
    const int code = cli_write(a, &text, NULL);
    sal_text_clear(&text);
    return code == CLI_EXIT_OK ? result->exit_code : code;
}

/* Writes what was found. Only a solve that ended by itself needs its checkpoints no more. */
static sal_status seal(cli_folder *folder, const cli_arguments *a, const sal_result *result,
                       sal_err *err)
{
    sal_status status = sal_result_write(result, in_folder(folder, "result.h5"), err);
    if (status == SAL_OK) {
        status = write_run(folder, a, result, err);
    }
    if (status == SAL_OK && result->exit_code != CLI_EXIT_INTERRUPTED) {
        sal_checkpoint_remove(folder->checkpoint);
    }
    return status;
}

static int solve(const cli_arguments *a, const sal_request *request, cli_folder *folder,
                 bool resume)
{
    cli_progress_view view;
    sal_err err = {0};
    sal_result *result = NULL;
    cli_progress_begin(&view, a);
    const sal_log log = {say_log, &view};
    const sal_watch watch = {.progress = cli_progress_step,
                             .user = &view,
                             .log = &log,
                             .clock = cli_now,
                             .checkpoint = folder->checkpoint,
                             .resume = resume,
                             .ranks = a->ranks};
    sal_status status = open_folder(folder, request, resume, &view, &err);
    share(a, status == SAL_OK);
    if (status == SAL_OK) {
        status = sal_request_solve(&result, request, a->nthread, &watch, &err);
    }
    cli_progress_end(&view);
    if (status != SAL_OK) {
        drop_folder(folder);
    } else {
        status = seal(folder, a, result, &err);
    }
    const int code = status == SAL_OK ? show(a, result, in_folder(folder, "result.h5"))
                                      : cli_fail(a, status, &err);
    sal_result_free(result);
    return code;
}

/* Goes on with what an earlier run left, which may be nothing, or all there is to find. */
static int resume(const cli_arguments *a, const sal_request *request, cli_folder *folder)
{
    cli_left left;
    sal_err err = {0};
    sal_result *result = NULL;
    const sal_status status =
        cli_look(request, folder->checkpoint, in_folder(folder, "result.h5"), &left, &result, &err);
    int code;
    if (status != SAL_OK) {
        share(a, false);
        code = cli_fail(a, status, &err);
    } else if (left == CLI_LEFT_RESULT) {
        share(a, false);
        cli_say("nothing to resume: the solve in '%.300s' is finished", folder->path);
        code = show(a, result, in_folder(folder, "result.h5"));
    } else {
        if (left == CLI_LEFT_NOTHING) {
            cli_say(
                "warning: there is no checkpoint in '%.300s'; the solve starts from the beginning",
                folder->path);
        }
        code = solve(a, request, folder, left == CLI_LEFT_CHECKPOINT);
    }
    sal_result_free(result);
    return code;
}

int cli_solve(const cli_arguments *a)
{
    sal_request request;
    int code = cli_read_request(a, &request);
    if (a->ranks != NULL && a->ranks->rank > 0) {
        code = serve(a, &request, code);
        sal_request_clear(&request);
        return code;
    }
    cli_folder folder;
    sal_err err = {0};
    sal_status status = code == CLI_EXIT_OK ? name_folder(&folder, a, &request, &err) : SAL_OK;
    if (code == CLI_EXIT_OK && status == SAL_OK) {
        code = check_folder(&folder, a);
    }
    if (code != CLI_EXIT_OK || status != SAL_OK) {
        share(a, false);
        code = status != SAL_OK ? cli_fail(a, status, &err) : code;
    } else {
        code = a->given[CLI_OPT_RESUME] ? resume(a, &request, &folder)
                                        : solve(a, &request, &folder, false);
    }
    sal_request_clear(&request);
    return code;
}
