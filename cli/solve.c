#include "cli/folder.h"

#include "problems/result/result.h"

#include <errno.h>
#include <string.h>

/* Opens the record of iterations, before any work is spent. Resumed, it goes on where the
 * checkpoints are. */
static sal_status open_record(cli_folder *folder, const sal_request *request, bool resume,
                              cli_progress_view *view, sal_err *err)
{
    double seconds = 0;
    const char *record = cli_folder_file(folder, "iterations.jsonl");
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
    return view->record != NULL
               ? SAL_OK
               : sal_fail(err, SAL_BADPATH, "cannot write '%.300s': %s", record, strerror(errno));
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

static const char RESUME[] = "--resume continues";

static int solve(const cli_arguments *a, const sal_request *request, cli_folder *folder,
                 bool resume)
{
    cli_progress_view view;
    sal_err err = {0};
    sal_result *result = NULL;
    cli_progress_begin(&view, a);
    const sal_log log = {cli_progress_say, &view};
    const sal_watch watch = {.progress = cli_progress_step,
                             .user = &view,
                             .log = &log,
                             .clock = cli_now,
                             .checkpoint = folder->checkpoint,
                             .resume = resume,
                             .ranks = a->ranks};
    sal_status status = open_record(folder, request, resume, &view, &err);
    share(a, status == SAL_OK);
    if (status == SAL_OK) {
        status = sal_request_solve(&result, request, a->nthread, &watch, &err);
    }
    cli_progress_end(&view);
    if (status != SAL_OK) {
        cli_folder_drop(folder);
    } else {
        status = cli_sort_record(cli_folder_file(folder, "iterations.jsonl"), &err);
        status = status == SAL_OK ? cli_folder_seal(folder, a, result, &err) : status;
    }
    const int code = status == SAL_OK
                         ? cli_result_show(a, result, cli_folder_file(folder, "result.h5"), RESUME)
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
    const sal_status status = cli_look(request, folder->checkpoint,
                                       cli_folder_file(folder, "result.h5"), &left, &result, &err);
    int code;
    if (status != SAL_OK) {
        share(a, false);
        code = cli_fail(a, status, &err);
    } else if (left == CLI_LEFT_RESULT) {
        share(a, false);
        sal_checkpoint_remove(folder->checkpoint); /* an empty folder, at most */
        cli_say("nothing to resume: the solve in '%.300s' is finished", folder->path);
        code = cli_result_show(a, result, cli_folder_file(folder, "result.h5"), RESUME);
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
    sal_status status = code == CLI_EXIT_OK
                            ? cli_folder_name(&folder, a, sal_request_name(&request), &err)
                            : SAL_OK;
    if (code == CLI_EXIT_OK && status == SAL_OK) {
        code = cli_folder_check(&folder, a);
        code = code == CLI_EXIT_OK ? cli_folder_is_own(&folder, a) : code;
        status = code == CLI_EXIT_OK ? cli_folder_open(&folder, &err) : SAL_OK;
    }
    if (code != CLI_EXIT_OK || status != SAL_OK) {
        share(a, false);
        code = status != SAL_OK ? cli_fail(a, status, &err) : code;
    } else {
        code = a->given[CLI_OPT_RESUME] ? resume(a, &request, &folder)
                                        : solve(a, &request, &folder, false);
        cli_folder_close(&folder);
    }
    sal_request_clear(&request);
    return code;
}
