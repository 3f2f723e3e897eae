/* saltus sweep: cells are solved by processes beside this one, which only says whose turn it is,
 * takes note, and tells. */
#include "cli/sweep/ranks.h"

static const double LOOK = 0.2;     /* s between two looks at signals and at the clock */
static const double PATIENCE = 5.0; /* s for cells to end when it is stopped */

/* Work for all who have none. */
static sal_status give(cli_run *run, cli_pool *pool, cli_pool_task *task, sal_err *err)
{
    sal_status status = SAL_OK;
    const int n = cli_run_next(run, task, cli_pool_idle(pool), cli_pool_threads(pool));
    for (int i = 0; i < n && status == SAL_OK; i++) {
        status = cli_pool_give(pool, &task[i], err);
    }
    return status;
}

/* Takes one outcome, if there is one soon. */
static sal_status take(cli_run *run, cli_pool *pool, sal_err *err)
{
    cli_pool_task task;
    sal_outcome out;
    return cli_pool_wait(pool, LOOK, &task, &out) ? cli_run_take(run, &task, &out, err) : SAL_OK;
}

/* What was begun when it was stopped may still come to its end. */
static sal_status drain(cli_run *run, cli_pool *pool, sal_status status, sal_err *err)
{
    cli_pool_stop(pool, PATIENCE);
    while (cli_pool_busy(pool) > 0) {
        sal_status one = take(run, pool, status == SAL_OK ? err : NULL);
        status = status == SAL_OK ? one : status;
    }
    return status;
}

static sal_status run_cells(cli_run *run, sal_err *err)
{
    cli_pool *pool = NULL;
    cli_pool_task *task = sal_alloc((size_t)run->nworker, sizeof *task);
    sal_status status =
        task == NULL ? sal_fail(err, SAL_NOMEM, "out of memory")
                     : cli_pool_new(&pool, run->nworker, cli_run_work, run, &run->limits, err);
    cli_catch_stop();
    while (status == SAL_OK && !sal_schedule_is_done(run->schedule) && !cli_stop_asked()) {
        status = give(run, pool, task, err);
        if (status == SAL_OK) {
            status = take(run, pool, err);
        }
        cli_run_tell(run);
    }
    if (pool != NULL) {
        status = drain(run, pool, status, err);
    }
    cli_pool_free(pool);
    sal_free(task);
    return status;
}

static int run_here(const cli_arguments *a)
{
    cli_run run;
    sal_err err = {0};
    int code = cli_run_open(&run, a);
    if (code == CLI_EXIT_OK) {
        cli_run_begin_telling(&run);
        const sal_status status = run_cells(&run, &err);
        code = cli_run_end(&run, status, &err);
    }
    cli_run_close(&run);
    return code;
}

int cli_sweep(const cli_arguments *a)
{
    const bool many = sal_ranks_are_many(a->ranks), first = !many || a->ranks->rank == 0;
    if (a->given[CLI_OPT_STATUS]) {
        return first ? cli_sweep_status(a) : CLI_EXIT_OK;
    }
    return !many ? run_here(a) : first ? cli_sweep_chief(a) : cli_sweep_crew(a);
}
