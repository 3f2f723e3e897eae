/* follow.c: saltus follow. */
#include "cli/cli.h"

#include "guide/guide.h"
#include "runs/runs.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How a problem file calls a path: as the command line has it, or from the root where the problem
 * stands in another folder. */
static const char *name_in_file(const cli_arguments *a, const char *path, char full[PATH_MAX])
{
    const char *output = a->value[CLI_OPT_OUTPUT];
    const bool elsewhere = output != NULL && strchr(output, '/') != NULL;
    return elsewhere && realpath(path, full) != NULL ? full : path;
}

static bool read_request(const cli_arguments *a, sal_follow_request *r)
{
    const bool robot = a->given[CLI_OPT_ROBOT], person = a->given[CLI_OPT_PERSON];
    r->format = a->value[CLI_OPT_FORMAT];
    r->rate = a->given[CLI_OPT_RATE] ? a->rate : (double)NAN;
    if (robot == person) {
        cli_say(robot ? "error: --robot and --person exclude each other"
                      : "error: --robot is missing: the model that is to follow the recording (or "
                        "--person, for markers)");
    } else if (person && a->given[CLI_OPT_SWEEP]) {
        cli_say("error: --sweep is for recordings of robots, not with --person");
    } else if (robot && a->given[CLI_OPT_PLATES]) {
        cli_say("error: --plates is for recordings of persons, not with --robot");
    } else {
        return true;
    }
    return false;
}

/* Inverse dynamics with measured forces, of the problem in `text`. */
static int use_plates(const cli_arguments *a, const sal_text *text)
{
    const char *output = a->value[CLI_OPT_OUTPUT];
    const char *ending = output == NULL ? NULL : strrchr(output, '.');
    sal_text notes = {0};
    sal_result *result = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    if (ending == NULL || strcmp(ending, ".h5") != 0) {
        cli_say("error: --plates computes the forces of a motion; -o must name a result (OUT.h5)");
        return CLI_EXIT_USAGE;
    }
    sal_status status =
        sal_plates_inverse(&result, &notes, text->data, a->value[CLI_OPT_PLATES], &diag, &err);
    int code = cli_show(a, status, &diag, &err);
    if (code == CLI_EXIT_OK) {
        cli_say_lines(a, &notes);
        code = cli_may_write(a, output, CLI_CONTENT_HDF5);
    }
    if (code == CLI_EXIT_OK) {
        status = sal_result_write(result, output, &err);
        code = status == SAL_OK ? CLI_EXIT_OK : cli_fail(a, status, &err);
    }
    sal_text_clear(&notes);
    sal_result_free(result);
    return code;
}

int cli_follow(const cli_arguments *a)
{
    sal_model *m;
    char clip[PATH_MAX], model[PATH_MAX];
    sal_text text = {0}, notes = {0};
    sal_diag diag = {0};
    sal_err err = {0};
    sal_follow_request request;
    if (!read_request(a, &request)) {
        return CLI_EXIT_USAGE;
    }
    const bool robot = a->given[CLI_OPT_ROBOT];
    const char *path = a->value[robot ? CLI_OPT_ROBOT : CLI_OPT_PERSON];
    int code = cli_read_model(a, path, &m);
    if (code != CLI_EXIT_OK) {
        return code;
    }
    if (a->given[CLI_OPT_SWEEP]) {
        code = cli_follow_sweep(a, m);
        sal_model_free(m);
        return code;
    }
    const bool plates = a->given[CLI_OPT_PLATES];
    request.clip_name = plates ? a->file[0] : name_in_file(a, a->file[0], clip);
    request.model_name = plates ? path : name_in_file(a, path, model);
    const sal_status status =
        robot ? sal_follow_draft(&text, &notes, NULL, m, a->file[0], &request, &diag, &err)
              : sal_follow_markers(&text, &notes, m, a->file[0], &request, &diag, &err);
    code = cli_show(a, status, &diag, &err);
    if (code == CLI_EXIT_OK) {
        cli_say_lines(a, &notes);
        code = plates ? use_plates(a, &text) : cli_write(a, &text, a->value[CLI_OPT_OUTPUT]);
    }
    sal_text_clear(&text);
    sal_text_clear(&notes);
    sal_model_free(m);
    return code;
}
