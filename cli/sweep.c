/* saltus sweep: cells are solved by processes beside this one, which only says whose turn it is, takes note, and tells. */
#include "cli/sweep_ranks.h"

#include <string.h>

static const double LOOK = 0.2;     /* s between two looks at signals and at the clock */
static const double PATIENCE = 5.0; /* s for cells to end when it is stopped */

/* ---- a run ---- */

static double smaller_limit(double a, double b)
{
    return a > 0 && (b <= 0 || a < b) ? a : b;
}

static sal_status name_folder(cli_run *run, sal_err *err)
{
    const char *output = run->a->value[SAL_OPT_OUTPUT];
    const int n = snprintf(run->folder, sizeof run->folder, "%s%s",
                           output == NULL ? run->s->name : output, output == NULL ? ".sweep" : "");
    return n >= 0 && (size_t)n < sizeof run->folder
               ? SAL_OK
               : sal_fail(err, SAL_BADPATH, "the path of the folder is too long");
}

int cli_run_read(cli_run *run, const sal_arguments *a)
{
    sal_err err = {0};
    const int ranks = sal_ranks_are_many(a->ranks) ? a->ranks->size - 1 : 0; /* that work */
    *run = (cli_run){.a = a, .nthread = a->nthread};
    run->nworker = a->nworker > 0 ? a->nworker : ranks > 0 ? 1 : a->nthread;
    const int code = sal_cli_read_sweep(a, &run->s);
    if (code != SAL_EXIT_OK) {
        return code;
    }
    const int all = run->nworker * (ranks > 0 ? ranks : 1);
    run->limits.time = run->s->cell_time;
    run->limits.memory = smaller_limit(run->s->cell_memory, a->memory / all);
    const sal_status status = name_folder(run, &err);
    return status == SAL_OK ? SAL_EXIT_OK : sal_cli_fail(a, status, &err);
}

int cli_run_open(cli_run *run, const sal_arguments *a)
{
    sal_err err = {0};
    const int code = cli_run_read(run, a);
    if (code != SAL_EXIT_OK) {
        return code;
    }
    sal_status status = sal_sweep_begin(run->s, run->folder, &err);
    if (status == SAL_OK) {
        status = sal_schedule_new(&run->schedule, run->s, run->folder, a->shard, a->nshard, &err);
    }
    return status == SAL_OK ? SAL_EXIT_OK : sal_cli_fail(a, status, &err);
}

void cli_run_close(cli_run *run)
{
    sal_schedule_free(run->schedule);
    sal_sweep_free(run->s);
}

/* Where cells are fewer than workers, each gets more threads. */
int cli_run_next(cli_run *run, cli_pool_task *task, int n, int taken)
{
    int count = 0;
    while (count < n) {
        cli_pool_task *t = &task[count];
        t->cell = sal_schedule_next(run->schedule, &t->source, &t->tries);
        if (t->cell < 0) {
            break;
        }
        count++;
    }
    for (int i = 0; i < count; i++) {
        const int share = (run->nthread - taken) / count;
        task[i].nthread = share > 1 ? share : 1;
    }
    return count;
}

static bool go_on(void *user, int start, const sal_progress *p)
{
    (void)user, (void)start, (void)p;
    return cli_pool_goes_on();
}

void cli_run_work(void *ctx, const cli_pool_task *task, sal_outcome *out)
{
    const cli_run *run = ctx;
    const sal_watch watch = {.progress = go_on, .clock = sal_cli_now};
    sal_sweep_solve(out, run->s, run->folder, task->cell, task->source, task->tries, task->nthread,
                    &watch);
}

sal_status cli_run_take(cli_run *run, const cli_pool_task *task, const sal_outcome *out,
                        sal_err *err)
{
    if (out->kind == SAL_CELL_UNWRITTEN) {
        return sal_fail(err, SAL_BADPATH,
                        "%.230s; make room for it and start again: what is finished is kept",
                        out->why);
    }
    const bool last = sal_schedule_done(run->schedule, out);
    cli_run_tell_cell(run, task, out, last);
    return last ? sal_sweep_fail(run->s, run->folder, out, task->tries, err) : SAL_OK;
}

/* ---- on this machine ---- */

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
    sal_cli_catch_stop();
    while (status == SAL_OK && !sal_schedule_is_done(run->schedule) && !sal_cli_stop_asked()) {
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

static int run_here(const sal_arguments *a)
{
    cli_run run;
    sal_err err = {0};
    int code = cli_run_open(&run, a);
    if (code == SAL_EXIT_OK) {
        cli_run_begin_telling(&run);
        const sal_status status = run_cells(&run, &err);
        code = cli_run_end(&run, status, &err);
    }
    cli_run_close(&run);
    return code;
}

int sal_cli_sweep(const sal_arguments *a)
{
    const bool many = sal_ranks_are_many(a->ranks), first = !many || a->ranks->rank == 0;
    if (a->given[SAL_OPT_STATUS]) {
        return first ? sal_cli_sweep_status(a) : SAL_EXIT_OK;
    }
    return !many ? run_here(a) : first ? cli_sweep_chief(a) : cli_sweep_crew(a);
}
