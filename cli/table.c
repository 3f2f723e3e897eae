/* The table of a sweep, finished or running. */
#include "cli/cli.h"

#include <string.h>
#include <unistd.h>

static const struct {
    const char *name;
    sal_table_format format;
} formats[] = {{"csv", SAL_TABLE_CSV}, {"json", SAL_TABLE_JSON}, {"md", SAL_TABLE_MARKDOWN}};

static bool find_format(const char *name, sal_table_format *format)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (strcmp(formats[i].name, name) == 0) {
            *format = formats[i].format;
            return true;
        }
    }
    return false;
}

/* As --format says, or the ending of the file, or for people on a terminal and for programs
 * elsewhere. */
static bool choose_format(const cli_arguments *a, sal_table_format *format)
{
    const char *path = a->value[CLI_OPT_OUTPUT], *name = a->value[CLI_OPT_FORMAT];
    const char *ending = path == NULL ? NULL : strrchr(path, '.');
    *format = (path == NULL || cli_writes_out(a)) && isatty(STDOUT_FILENO) ? SAL_TABLE_MARKDOWN
                                                                           : SAL_TABLE_CSV;
    if (name == NULL) {
        (void)(ending != NULL && find_format(ending + 1, format));
        return true;
    }
    if (!find_format(name, format)) {
        cli_say("error: --format must be csv, json or md; it is '%.100s'", name);
        return false;
    }
    return true;
}

static void tell_holes(const cli_arguments *a, const sal_table *t)
{
    if (!a->given[CLI_OPT_QUIET] && t->nhole > 0) {
        cli_say("%d cell%s without a solution (failed or unsolved); for the reasons: saltus sweep "
                "--status %.300s",
                t->nhole, t->nhole == 1 ? " is" : "s are", a->file[0]);
    }
    if (!a->given[CLI_OPT_QUIET] && t->nwaiting > 0) {
        cli_say("%d cell%s not done", t->nwaiting, t->nwaiting == 1 ? " is" : "s are");
    }
}

static int show(const cli_arguments *a, const sal_sweep_view *view, sal_table_format format)
{
    const sal_table_options options = {.columns = a->value[CLI_OPT_COLUMNS],
                                       .where = a->where.data,
                                       .sort = a->value[CLI_OPT_SORT],
                                       .group = a->value[CLI_OPT_GROUP],
                                       .best = a->given[CLI_OPT_BEST]};
    sal_table *t;
    sal_text out = {0};
    sal_diag diag = {0};
    sal_err err = {0};
    int code = cli_show(a, sal_table_make(&t, view, &options, &diag, &err), &diag, &err);
    if (code != CLI_EXIT_OK) {
        return code;
    }
    sal_table_write(&out, t, format);
    code = cli_write(a, &out, a->value[CLI_OPT_OUTPUT]);
    if (code == CLI_EXIT_OK) {
        tell_holes(a, t);
        code = t->nhole > 0 ? CLI_EXIT_CELLS : CLI_EXIT_OK;
    }
    sal_text_clear(&out);
    sal_table_free(t);
    return code;
}

int cli_table(const cli_arguments *a)
{
    sal_sweep_view *view;
    sal_err err = {0};
    sal_table_format format;
    if (!choose_format(a, &format)) {
        return CLI_EXIT_USAGE;
    }
    const sal_status status = sal_sweep_look(&view, a->file[0], &err);
    if (status != SAL_OK) {
        return cli_fail(a, status, &err);
    }
    const int code = show(a, view, format);
    sal_sweep_view_free(view);
    return code;
}
