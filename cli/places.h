/* places.h: where the files of a problem lie. */
#ifndef SAL_CLI_PLACES_H
#define SAL_CLI_PLACES_H

#include "cli/cli.h"

#include <limits.h>

/* Where the files of a problem and of its model are; empty: not known. */
typedef struct cli_places {
    char problem[4096], model[4096];
} cli_places;

/* As run.json beside a result (or in its folder) has it. SAL_NOMEM. */
sal_status cli_places_beside(const char *result, cli_places *p, sal_err *err);
/* Of the result a->file[0]: as --problem says, else run.json beside it. An exit code, after a
 * message. */
int cli_find_problem(const cli_arguments *a, cli_places *p);
/* How the problem file that -o names calls a path: as the command line has it, or from the root
 * (written to full) where it goes to another folder. */
const char *cli_path_in_file(const cli_arguments *a, const char *path, char full[PATH_MAX]);

#endif
