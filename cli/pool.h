/* pool.h: private to cli. Processes that work on cells, each on one at a time.
 *
 * A worker is a fork of this process, made when it is first needed: it finds everything its work needs in memory, and shares it. That asks of this process
 * that it has no threads of its own (it has called nothing that starts some). Tasks and outcomes go through a pair of sockets as messages of fixed
 * size. What happens to a worker happens to its cell alone: if it dies, runs out of time or out of memory, that is the outcome, and another takes its
 * place. Workers end with this process, however that ends.
 */
#ifndef SAL_CLI_POOL_H
#define SAL_CLI_POOL_H

#include "problems/problems.h"

typedef struct sal_pool_task {
    int cell, source, tries, nthread;
} sal_pool_task;

/* Works on a task, in the worker's process; *out has its cell and source, and is SAL_CELL_CRASHED until it says otherwise. */
typedef void (*sal_pool_work)(void *ctx, const sal_pool_task *task, sal_outcome *out);

typedef struct sal_pool_limits {
    double time; /* s that a cell may take, or it ends as SAL_CELL_TIMEOUT; 0: no limit */
    double
        memory; /* bytes that a worker may have beyond what it has when it begins: then it gets no more; 0: no limit */
} sal_pool_limits;

typedef struct sal_pool sal_pool;

/* At most nworker processes. ctx is the work's. */
sal_status sal_pool_new(sal_pool **out, int nworker, sal_pool_work work, void *ctx,
                        const sal_pool_limits *limits, sal_err *err);
/* Ends all workers at once, whatever they do. */
void sal_pool_free(sal_pool *pool);

/* Workers that have nothing to do, and tasks whose outcome is still to come; and the threads of these. */
int sal_pool_idle(const sal_pool *pool);
int sal_pool_busy(const sal_pool *pool);
int sal_pool_threads(const sal_pool *pool);

/* Gives a task to a worker that is idle. */
sal_status sal_pool_give(sal_pool *pool, const sal_pool_task *task, sal_err *err);

/* Waits for an outcome for at most so many seconds (0: looks whether there is one). False: there was none, or a signal came. */
bool sal_pool_wait(sal_pool *pool, double seconds, sal_pool_task *task, sal_outcome *out);

/* Asks all workers to stop. Their outcomes, SAL_CELL_STOPPED as a rule, are still to be waited for; who takes longer than `patience` seconds is
 * ended. */
void sal_pool_stop(sal_pool *pool, double patience);

/* Within a worker: whether it may go on. */
bool sal_pool_goes_on(void);

#endif
