/* follow.c: saltus follow. */
#include "cli/cli.h"

#include "guide/guide.h"

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
    }
    return robot != person && !(person && a->given[CLI_OPT_SWEEP]);
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
    request.clip_name = name_in_file(a, a->file[0], clip);
    request.model_name = name_in_file(a, path, model);
    const sal_status status =
        robot ? sal_follow_draft(&text, &notes, NULL, m, a->file[0], &request, &diag, &err)
              : sal_follow_markers(&text, &notes, m, a->file[0], &request, &diag, &err);
    code = cli_show(a, status, &diag, &err);
    if (code == CLI_EXIT_OK) {
        cli_say_lines(a, &notes);
        code = cli_write(a, &text, a->value[CLI_OPT_OUTPUT]);
    }
    sal_text_clear(&text);
    sal_text_clear(&notes);
    sal_model_free(m);
    return code;
}
