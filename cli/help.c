#include "cli/cli.h"

int cli_help(const cli_arguments *a)
{
    if (a->given[CLI_OPT_VERSION]) {
        cli_version();
        return CLI_EXIT_OK;
    }
    const cli_verb *verb = a->nfile == 0 ? NULL : cli_find_verb(a->file[0]);
    if (a->nfile > 0 && verb == NULL) {
        const char *nearest = cli_nearest_verb(a->file[0]);
        cli_say("error: unknown verb '%.100s'%s%s%s", a->file[0],
                nearest == NULL ? "" : "; did you mean '", nearest == NULL ? "" : nearest,
                nearest == NULL ? "" : "'?");
        return CLI_EXIT_USAGE;
    }
    cli_usage(stdout, verb);
    return CLI_EXIT_OK;
}
