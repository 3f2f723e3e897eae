/* new.c: saltus new. */
#include "cli/cli.h"
#include "cli/places.h"

#include "guide/guide.h"

#include <math.h>
#include <string.h>

/* n numbers of an option: NaN where it is not given. */
static bool read_option(const cli_arguments *a, cli_option option, const char *name,
                        const char *what, double *x, int n)
{
    const double least = option == CLI_OPT_SECONDS ? 0.01 : -1000;
    for (int i = 0; i < n; i++) {
        x[i] = NAN;
    }
    return !a->given[option] ||
           cli_read_numbers(x, n, (double[2]){least, 1000}, name, what, a->value[option]);
}

static bool read_request(const cli_arguments *a, sal_draft_request *r)
{
    const bool finish = a->given[CLI_OPT_FINISH], without = a->given[CLI_OPT_NO_FINISH];
    *r = (sal_draft_request){.task = a->value[CLI_OPT_TASK],
                             .finish = finish    ? SAL_DRAFT_FINISH
                                       : without ? SAL_DRAFT_NO_FINISH
                                                 : SAL_DRAFT_TRY};
    if (finish && without) {
        cli_say("error: --finish and --no-finish exclude each other");
        return false;
    }
    if (!read_option(a, CLI_OPT_SPEED, "--speed", "a number of m/s from -1000 to 1000", &r->speed,
                     1) ||
        !read_option(a, CLI_OPT_DIRECTION, "--direction", "two numbers, such as 1,0", r->direction,
                     2) ||
        !read_option(a, CLI_OPT_TURN, "--turn", "a number of rad/s from -1000 to 1000", &r->turn,
                     1) ||
        !read_option(a, CLI_OPT_SECONDS, "--seconds", "a number of seconds from 0.01 to 1000",
                     &r->seconds, 1)) {
        return false;
    }
    if (r->direction[0] == 0 && r->direction[1] == 0) {
        cli_say("error: --direction must be two numbers of which one is not zero; it is '%.100s'",
                a->value[CLI_OPT_DIRECTION]);
        return false;
    }
    return true;
}

/* What does not fit is the fault of the command line. */
static int fail_request(const cli_arguments *a, sal_status status, const sal_err *err)
{
    const int code = cli_fail(a, status, err);
    return status == SAL_UNSUPPORTED ? CLI_EXIT_USAGE : code;
}

int cli_new(const cli_arguments *a)
{
    sal_model *m;
    sal_text text = {0}, notes = {0};
    sal_draft_request request;
    sal_err err = {0};
    if (!read_request(a, &request)) {
        return CLI_EXIT_USAGE;
    }
    sal_status status = sal_draft_check(&request, &err);
    if (status != SAL_OK) {
        return fail_request(a, status, &err);
    }
    char full[PATH_MAX];
    int code = cli_read_model(a, a->file[0], &m);
    if (code != CLI_EXIT_OK) {
        return code;
    }
    status =
        sal_problem_draft(&text, &notes, m, cli_path_in_file(a, a->file[0], full), &request, &err);
    if (status == SAL_OK) {
        cli_say_lines(a, &notes);
    }
    code = status == SAL_OK ? cli_write(a, &text, a->value[CLI_OPT_OUTPUT])
                            : fail_request(a, status, &err);
    sal_text_clear(&text);
    sal_text_clear(&notes);
    sal_model_free(m);
    return code;
}
