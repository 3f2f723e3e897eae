/* sweep.h: private to cli. A sweep that is run: what those who run it here (sweep.c) and over ranks have in common.
 *
 *     sal_run_open -> { sal_run_next -> .. the cell .. -> sal_run_take -> sal_run_tell } -> sal_run_end -> sal_run_close
 */
#ifndef SAL_CLI_SWEEP_H
#define SAL_CLI_SWEEP_H

#include "cli/cli.h"
#include "cli/pool.h"

typedef struct sal_run {
    const sal_arguments *a;
    sal_sweep *s;
    sal_schedule *schedule;
    char folder[4096];
    int nworker, nthread; /* cells at the same time, threads of all together */
    sal_pool_limits limits;
    /* what is told */
    bool terminal, quiet, verbose;
    double begin, told, every; /* s of the monotonic clock: beginning, last line; s between lines */
    int before;                /* cells that were done as it began */
} sal_run;

/* Reads the sweep the command line names. An exit code, after messages if it is not SAL_EXIT_OK; sal_run_close in any case. */
int sal_run_read(sal_run *run, const sal_arguments *a);
/* The same, and makes its folder and takes over what is finished there. */
int sal_run_open(sal_run *run, const sal_arguments *a);
void sal_run_close(sal_run *run);

/* Up to n tasks, all with the same share of the threads, of which `taken` are at work; how many there are. */
int sal_run_next(sal_run *run, sal_pool_task *task, int n, int taken);
/* Works on one, ctx being the run: in a worker, or a rank. */
void sal_run_work(void *ctx, const sal_pool_task *task, sal_outcome *out);
/* What came of one: records it where that is due, and says so where it went wrong. A fault: the folder takes no more. */
sal_status sal_run_take(sal_run *run, const sal_pool_task *task, const sal_outcome *out,
                        sal_err *err);

/* ---- what is told (sweep_progress.c) ---- */

void sal_run_begin_telling(sal_run *run);
/* How far it is, if that was last said long enough ago. */
void sal_run_tell(sal_run *run);
void sal_run_tell_cell(sal_run *run, const sal_pool_task *task, const sal_outcome *out, bool last);
/* What came of it all; status: of what ended it before its time, else SAL_OK. The exit code. */
int sal_run_end(sal_run *run, sal_status status, const sal_err *err);

#endif
