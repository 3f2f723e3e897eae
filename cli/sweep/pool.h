/* pool.h: private to cli/sweep. Processes that work on cells, each on one at a time.
 *
 * A worker is a fork of this process, made when it is first needed: it finds everything its work
 * needs in memory, and shares it. That asks of this process that it has no threads of its own (it
 * has called nothing that starts some). Tasks and outcomes go through a pair of sockets as messages
 * of fixed size. What happens to a worker happens to its cell alone: if it dies, runs out of time
 * or out of memory, that is the outcome, and another takes its place. Workers end with this
 * process, however that ends.
 */
#ifndef SAL_CLI_POOL_H
#define SAL_CLI_POOL_H

#include "problems/problems.h"
#include "sweeps/sweeps.h"

typedef struct cli_pool_task {
    int cell;
    int source;
    int tries;
    int nthread;
} cli_pool_task;

/* Works on a task, in the worker's process; *out has its cell and source, and is SAL_CELL_CRASHED
 * until it says otherwise. */
typedef void (*cli_pool_work)(void *ctx, const cli_pool_task *task, sal_outcome *out);

typedef struct cli_pool_limits {
    /* s that a cell may take, or it ends as SAL_CELL_TIMEOUT; 0: no limit */
    double time;
    /* bytes that a worker may have beyond what it has when it begins: then it gets no more; 0: no
     * limit */
    double memory;
} cli_pool_limits;

typedef struct cli_pool cli_pool;

/* At most nworker processes. ctx is the work's. */
sal_status cli_pool_new(cli_pool **out, int nworker, cli_pool_work work, void *ctx,
                        const cli_pool_limits *limits, sal_err *err);
/* Ends all workers at once, whatever they do. */
void cli_pool_free(cli_pool *pool);

/* Workers that have nothing to do, and tasks whose outcome is still to come; and the threads of
 * these. */
int cli_pool_idle(const cli_pool *pool);
int cli_pool_busy(const cli_pool *pool);
int cli_pool_threads(const cli_pool *pool);

/* Gives a task to a worker that is idle. */
sal_status cli_pool_give(cli_pool *pool, const cli_pool_task *task, sal_err *err);

/* Waits for an outcome for at most so many seconds (0: looks whether there is one). False: there
 * was none, or a signal came. */
bool cli_pool_wait(cli_pool *pool, double seconds, cli_pool_task *task, sal_outcome *out);

/* Asks all workers to stop. Their outcomes, SAL_CELL_STOPPED as a rule, are still to be waited for;
 * who takes longer than `patience` seconds is ended. */
void cli_pool_stop(cli_pool *pool, double patience);

/* Within a worker: whether it may go on. */
bool cli_pool_goes_on(void);

#endif
