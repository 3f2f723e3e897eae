#include "cli/cli.h"

int sal_cli_help(const sal_arguments *a)
{
    if (a->given[SAL_OPT_VERSION]) {
        printf("saltus %s\n", sal_version_text());
        return SAL_EXIT_OK;
    }
    const sal_verb *verb = a->nfile == 0 ? NULL : sal_cli_find_verb(a->file[0]);
    if (a->nfile > 0 && verb == NULL) {
        const char *nearest = sal_cli_nearest_verb(a->file[0]);
        sal_cli_say("error: there is no verb '%.100s'%s%s%s", a->file[0],
                    nearest == NULL ? "" : "; did you mean '", nearest == NULL ? "" : nearest,
                    nearest == NULL ? "" : "'?");
        return SAL_EXIT_USAGE;
    }
    sal_cli_usage(stdout, verb);
    return SAL_EXIT_OK;
}
