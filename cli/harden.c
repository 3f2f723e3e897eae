#include "cli/folder.h"
#include "cli/places.h"

#include "problems/result/result.h"
#include "runs/runs.h"

#include <errno.h>
#include <string.h>

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

static sal_hardening hardening_of(const cli_arguments *a, const cli_places *p)
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
    cli_places p;
    cli_folder folder;
    sal_err err = {0};
    sal_result *result = NULL;
    char name[128];
    int code = check_asked(a);
    code = code == CLI_EXIT_OK ? cli_read_result(a, a->file[0], &result) : code;
    if (code != CLI_EXIT_OK) {
        return code;
    }
    code = cli_find_problem(a, &p);
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
