/* sweep.h: private to cli. A sweep that is run: what those who run it here (sweep.c) and over ranks
 * have in common (run.c).
 *
 *     cli_run_open -> { cli_run_next -> .. the cell .. -> cli_run_take -> cli_run_tell } ->
 *         cli_run_end -> cli_run_close
 */
#ifndef SAL_CLI_SWEEP_H
#define SAL_CLI_SWEEP_H

#include "cli/cli.h"
#include "cli/sweep/pool.h"

typedef struct cli_run {
    const cli_arguments *a;
    sal_sweep *s;
    sal_schedule *schedule;
    char folder[4096];
    /* cells at the same time, threads of all together */
    int nworker, nthread;
    cli_pool_limits limits;
    /* what is told */
    bool terminal;
    bool quiet;
    bool verbose;
    /* s of the monotonic clock: beginning, last line; s between lines */
    double begin, told, every;
    /* cells that were done as it began */
    int before;
} cli_run;

/* Reads the sweep the command line names. An exit code, after messages if it is not CLI_EXIT_OK;
 * cli_run_close in any case. */
int cli_run_read(cli_run *run, const cli_arguments *a);
/* The same, and makes its folder and takes over what is finished there. */
int cli_run_open(cli_run *run, const cli_arguments *a);
void cli_run_close(cli_run *run);

/* Up to n tasks, all with the same share of the threads, of which `taken` are at work; how many
 * there are. */
int cli_run_next(cli_run *run, cli_pool_task *task, int n, int taken);
/* Works on one, ctx being the run: in a worker, or a rank. */
void cli_run_work(void *ctx, const cli_pool_task *task, sal_outcome *out);
/* What came of one: records it where that is due, and says so where it went wrong. A fault: the
 * folder takes no more. */
sal_status cli_run_take(cli_run *run, const cli_pool_task *task, const sal_outcome *out,
                        sal_err *err);

/* ---- what is told (progress.c) ---- */

void cli_run_begin_telling(cli_run *run);
/* How far it is, if that was last said long enough ago. */
void cli_run_tell(cli_run *run);
void cli_run_tell_cell(cli_run *run, const cli_pool_task *task, const sal_outcome *out, bool last);
/* What came of it all; status: of what ended it before its time, else SAL_OK. The exit code. */
int cli_run_end(cli_run *run, sal_status status, const sal_err *err);

#endif
