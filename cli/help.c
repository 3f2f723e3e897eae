#include "cli/cli.h"

int cli_help(const cli_arguments *a)
{
    if (a->given[CLI_OPT_VERSION]) {
        cli_version();
        return CLI_EXIT_OK;
    }
    const cli_verb *verb = a->nfile == 0 ? NULL : cli_find_verb(a->file[0]);
    if (a->nfile > 0 && verb == NULL) {
        return cli_refuse_verb(a->file[0]);
    }
    cli_usage(stdout, verb);
    return CLI_EXIT_OK;
}
