#include "cli/folder.h"

#include "problems/result/result.h"
#include "runs/runs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- where the problem lies ---- */

enum { RUN_MOST = 1 << 20 };

/* Where the files of a problem and of its model are; empty: not known. */
typedef struct places {
    char problem[4096], model[4096];
} places;

/* The text behind "key": in an account that we wrote (base/json.c); false: there is none. */
static bool text_in(const char *json, const char *key, char *out, size_t n)
{
    char mark[64];
    snprintf(mark, sizeof mark, "\"%s\": \"", key);
    const char *at = strstr(json, mark);
    size_t k = 0;
    for (at = at == NULL ? "" : at + strlen(mark); *at != 0 && *at != '"' && k + 1 < n; at++) {
        if (*at == '\\' && at[1] == 'u') { /* a control character */
            char code[5] = "";
            memcpy(code, at + 2, strnlen(at + 2, 4));
            out[k++] = (char)strtol(code, NULL, 16);
            at += 1 + strlen(code);
        } else {
            at += *at == '\\' && at[1] != 0;
            out[k++] = *at;
        }
    }
    out[k] = 0;
    return k > 0 && *at == '"';
}

/* As run.json beside the result has it. */
static sal_status look_beside(const char *result, places *p, sal_err *err)
{
    char path[4200], *text = NULL;
    size_t n = 0;
    struct stat info;
    const bool folder = stat(result, &info) == 0 && S_ISDIR(info.st_mode);
    const char *slash = folder ? NULL : strrchr(result, '/');
    const int length = folder ? (int)strlen(result) : slash == NULL ? 1 : (int)(slash - result);
    snprintf(path, sizeof path, "%.*s/run.json", length, folder || slash != NULL ? result : ".");
    const sal_status status = sal_text_read_file(path, RUN_MOST, &text, &n, err);
    if (status == SAL_OK) {
        text_in(text, "problem_file", p->problem, sizeof p->problem);
        text_in(text, "model_file", p->model, sizeof p->model);
    }
    sal_free(text);
    return status == SAL_NOMEM ? status : SAL_OK;
}

static int find_problem(const cli_arguments *a, places *p)
{
    sal_err err = {0};
    *p = (places){0};
    if (a->given[CLI_OPT_PROBLEM]) {
        snprintf(p->problem, sizeof p->problem, "%s", a->value[CLI_OPT_PROBLEM]);
    } else if (look_beside(a->file[0], p, &err) != SAL_OK) {
        return cli_fail(a, SAL_NOMEM, &err);
    }
    if (p->problem[0] == 0) {
        cli_say("error: no run.json beside '%.300s' says where the files of its problem are; name "
                "the problem file with --problem FILE",
                a->file[0]);
        return CLI_EXIT_BADINPUT;
    }
    return CLI_EXIT_OK;
}

/* ---- what is asked ---- */

static int check_asked(const cli_arguments *a)
{
    static const cli_option some[] = {CLI_OPT_TIMESTEP, CLI_OPT_REFINE, CLI_OPT_CONTACT,
                                      CLI_OPT_WIDTH,    CLI_OPT_DMAX,   CLI_OPT_IMPRATIO,
                                      CLI_OPT_TIMECONST};
    bool any = false;
    for (size_t i = 0; i < sizeof some / sizeof *some; i++) {
        any = any || a->given[some[i]];
    }
    if (!any) {
        cli_say("error: 'harden' needs what to change: --refine, --timestep, --width, --dmax, "
                "--impratio, --timeconst, or --contact model --timestep model");
        return CLI_EXIT_USAGE;
    }
    if (a->given[CLI_OPT_REFINE] && a->given[CLI_OPT_TIMESTEP]) {
        cli_say("error: --refine and --timestep both say how many steps there are; give one of "
                "them");
        return CLI_EXIT_USAGE;
    }
    return CLI_EXIT_OK;
}

static sal_hardening hardening_of(const cli_arguments *a, const places *p)
{
    const bool model =
        a->given[CLI_OPT_TIMESTEP] && strcmp(a->value[CLI_OPT_TIMESTEP], "model") == 0;
    return (sal_hardening){.refine = a->refine,
                           .timestep = model ? 0 : a->timestep,
                           .model_timestep = model,
                           .width = a->width,
                           .dmax = a->dmax,
                           .impratio = a->impratio,
                           .timeconst = a->timeconst,
                           .model_contact = a->given[CLI_OPT_CONTACT],
                           .problem = p->problem,
                           .model = p->model[0] == 0 ? NULL : p->model};
}

/* ---- the verb ---- */

static int harden(const cli_arguments *a, const sal_hardening *asked, cli_folder *folder,
                  sal_result **result)
{
    cli_progress_view view;
    sal_err err = {0};
    cli_progress_begin(&view, a);
    const sal_log log = {cli_progress_say, &view};
    const sal_watch watch = {
        .progress = cli_progress_step, .user = &view, .log = &log, .clock = cli_now};
    const char *record = cli_folder_file(folder, "iterations.jsonl");
    view.record = fopen(record, "w");
    sal_status status =
        view.record != NULL
            ? sal_result_harden(result, asked, a->nthread, &watch, &err)
            : sal_fail(&err, SAL_BADPATH, "cannot write '%.300s': %s", record, strerror(errno));
    cli_progress_end(&view);
    if (status != SAL_OK) {
        cli_folder_drop(folder);
    } else {
        status = cli_folder_seal(folder, a, *result, &err);
    }
    return status == SAL_OK ? cli_result_show(a, *result, cli_folder_file(folder, "result.h5"),
                                              "harden this result to go on")
                            : cli_fail(a, status, &err);
}

int cli_harden(const cli_arguments *a)
{
    places p;
    cli_folder folder;
    sal_err err = {0};
    sal_result *result = NULL;
    char name[128];
    int code = check_asked(a);
    code = code == CLI_EXIT_OK ? cli_read_result(a, a->file[0], &result) : code;
    if (code != CLI_EXIT_OK) {
        return code;
    }
    code = find_problem(a, &p);
    snprintf(name, sizeof name, "%.100s.hard", result->problem_name);
    sal_status status = code == CLI_EXIT_OK ? cli_folder_name(&folder, a, name, &err) : SAL_OK;
    if (code == CLI_EXIT_OK && status == SAL_OK) {
        code = cli_folder_check(&folder, a);
        status = code == CLI_EXIT_OK ? cli_folder_open(&folder, &err) : SAL_OK;
    }
    if (code == CLI_EXIT_OK && status == SAL_OK) {
        const sal_hardening asked = hardening_of(a, &p);
        code = harden(a, &asked, &folder, &result);
        cli_folder_close(&folder);
    }
    sal_result_free(result);
    return status == SAL_OK ? code : cli_fail(a, status, &err);
}
