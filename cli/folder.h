/* folder.h: the folder of a solve, NAME.saltus. Whoever solves into it holds DIR/lock, which the
 * system gives back when the process ends, however it ends.
 *
 * result.h5 and run.json belong together. run.json is written first, under the name
 * .run.json.DIGEST.next with the digest of the result that it is about; then comes the result; then
 * run.json gets its name. Whatever a killed process leaves of this is brought to an end later: the
 * name is given if the digest is that of result.h5, else the file is removed.
 */
#ifndef SAL_CLI_FOLDER_H
#define SAL_CLI_FOLDER_H

#include "cli/cli.h"

typedef struct cli_folder {
    char path[4096], file[4200], checkpoint[4200];
    /* by us */
    bool made;
    /* what holds it; -1: nothing */
    int lock;
} cli_folder;

/* As -o says, or NAME.saltus. */
sal_status cli_folder_name(cli_folder *folder, const cli_arguments *a, const char *name,
                           sal_err *err);
/* The path of a file in it, good until the next call. */
const char *cli_folder_file(cli_folder *folder, const char *name);
/* CLI_EXIT_OK, or after a message CLI_EXIT_USAGE: without -o, the folder has the result of another
 * problem file, which is still there, and of which the problem is no copy in another folder. */
int cli_folder_is_own(cli_folder *folder, const cli_arguments *a);
/* CLI_EXIT_OK, or after a message CLI_EXIT_USAGE: what will be written is read, or is of another
 * kind. */
int cli_folder_check(cli_folder *folder, const cli_arguments *a);

/* Makes it, takes it for this process, and clears what killed ones left, but for checkpoints.
 * SAL_BADPATH: another process solves into it. */
sal_status cli_folder_open(cli_folder *folder, sal_err *err);
/* Writes what was found. Only a solve that ended by itself needs its checkpoints no more. */
sal_status cli_folder_seal(cli_folder *folder, const cli_arguments *a, const sal_result *result,
                           sal_err *err);
void cli_folder_close(cli_folder *folder);
/* Closes it; no trace is left of a solve that has no result. */
void cli_folder_drop(cli_folder *folder);

/* For those who read in a folder that nobody solves into: ends what a killed process began. */
void cli_folder_settle(const char *path);

#endif
