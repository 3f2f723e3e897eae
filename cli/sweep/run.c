/* run.c: a sweep that is run, here or over ranks: what it is, which cell is next, and what
 * came of one. */
#include "cli/sweep/sweep.h"

#include <sys/stat.h>

/* s: cells that take longer have a checkpoint. Smaller ones are as quick without. */
static const double KEPT_AFTER = 0.2;

static double smaller_limit(double a, double b)
{
    return a > 0 && (b <= 0 || a < b) ? a : b;
}

static sal_status name_folder(cli_run *run, sal_err *err)
{
    const char *output = run->a->value[CLI_OPT_OUTPUT];
    const int n = snprintf(run->folder, sizeof run->folder, "%s%s",
                           output == NULL ? run->s->name : output, output == NULL ? ".sweep" : "");
    return n >= 0 && (size_t)n < sizeof run->folder
               ? SAL_OK
               : sal_fail(err, SAL_BADPATH, "the path of the folder is too long");
}

int cli_run_read(cli_run *run, const cli_arguments *a)
{
    sal_err err = {0};
    const int ranks = sal_ranks_are_many(a->ranks) ? a->ranks->size - 1 : 0; /* that work */
    *run = (cli_run){.a = a, .nthread = a->nthread};
    run->nworker = a->nworker > 0 ? a->nworker : ranks > 0 ? 1 : a->nthread;
    const int code = cli_read_sweep(a, &run->s);
    if (code != CLI_EXIT_OK) {
        return code;
    }
    const int all = run->nworker * (ranks > 0 ? ranks : 1);
    run->s->sync = a->given[CLI_OPT_SYNC];
    run->limits.time = run->s->cell_time;
    run->limits.memory = smaller_limit(run->s->cell_memory, a->memory / all);
    const sal_status status = name_folder(run, &err);
    return status == SAL_OK ? CLI_EXIT_OK : cli_fail(a, status, &err);
}

/* Its copy of the sweep file replaces no file of the user's: neither what is read, nor what nobody
 * made a plan of. */
static int check_folder(const cli_run *run, const cli_arguments *a)
{
    char copy[4200], plan[4200];
    struct stat info;
    snprintf(copy, sizeof copy, "%s/sweep.xml", run->folder);
    snprintf(plan, sizeof plan, "%s/plan.tsv", run->folder);
    const bool foreign = stat(copy, &info) == 0 && stat(plan, &info) != 0;
    const int code = cli_may_write(a, plan, CLI_CONTENT_TEXT);
    if (code == CLI_EXIT_OK && foreign && !sal_was_read(copy)) {
        cli_say("error: '%.300s' would be overwritten, and the folder is not that of a sweep: it "
                "has no plan.tsv; give another path with -o",
                copy);
        return CLI_EXIT_USAGE;
    }
    return code == CLI_EXIT_OK ? cli_may_write(a, copy, CLI_CONTENT_SWEEP) : code;
}

int cli_run_open(cli_run *run, const cli_arguments *a)
{
    sal_err err = {0};
    int code = cli_run_read(run, a);
    code = code == CLI_EXIT_OK ? check_folder(run, a) : code;
    if (code != CLI_EXIT_OK) {
        return code;
    }
    sal_status status = sal_sweep_begin(run->s, run->folder, &err);
    if (status == SAL_OK) {
        status = sal_schedule_new(&run->schedule, run->s, run->folder, a->shard, a->nshard, &err);
    }
    return status == SAL_OK ? CLI_EXIT_OK : cli_fail(a, status, &err);
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
    const sal_watch watch = {.progress = go_on, .clock = cli_now, .checkpoint_after = KEPT_AFTER};
    sal_sweep_solve(out, run->s, run->folder, task->cell, task->source, task->tries, task->nthread,
                    &watch);
}

sal_status cli_run_take(cli_run *run, const cli_pool_task *task, const sal_outcome *out,
                        sal_err *err)
{
    if (out->kind == SAL_CELL_UNWRITTEN) {
        return sal_fail(err, SAL_BADPATH,
                        "%.230s; free space and start the sweep again; finished cells are kept",
                        out->why);
    }
    if (out->kind == SAL_CELL_TIMEOUT) { /* each try has the whole time */
        sal_sweep_begin_anew(run->s, run->folder, out->cell);
    }
    const bool last = sal_schedule_done(run->schedule, out);
    cli_run_tell_cell(run, task, out, last);
    return last ? sal_sweep_fail(run->s, run->folder, out, task->tries, err) : SAL_OK;
}
