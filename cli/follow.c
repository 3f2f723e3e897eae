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
    r->format = a->value[CLI_OPT_FORMAT];
    r->rate = a->given[CLI_OPT_RATE] ? a->rate : (double)NAN;
    if (!a->given[CLI_OPT_ROBOT]) {
        cli_say("error: --robot is missing: the model that is to follow the recording");
    }
    return a->given[CLI_OPT_ROBOT];
}

int cli_follow(const cli_arguments *a)
{
    sal_model *m;
    char clip[PATH_MAX], robot[PATH_MAX];
    sal_text text = {0}, notes = {0};
    sal_diag diag = {0};
    sal_err err = {0};
    sal_follow_request request;
    if (!read_request(a, &request)) {
        return CLI_EXIT_USAGE;
    }
    int code = cli_read_model(a, a->value[CLI_OPT_ROBOT], &m);
    if (code != CLI_EXIT_OK) {
        return code;
    }
    if (a->given[CLI_OPT_SWEEP]) {
        code = cli_follow_sweep(a, m);
        sal_model_free(m);
        return code;
    }
    request.clip_name = name_in_file(a, a->file[0], clip);
    request.model_name = name_in_file(a, a->value[CLI_OPT_ROBOT], robot);
    const sal_status status =
        sal_follow_draft(&text, &notes, NULL, m, a->file[0], &request, &diag, &err);
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
