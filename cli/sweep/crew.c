/* A sweep over ranks, as those above 0 serve it: each keeps workers (pool.c), asks for cells when
 * one is idle, and says what came of them. Who has not heard from rank 0 for too long ends, and its
 * workers with it.
 */
#include "cli/ranks.h"
#include "cli/sweep/ranks.h"

#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double FOLDER = 15,
                    MOTION = 10; /* s until what another machine has written is to be seen here */
static const double BUSY = 0.02; /* s between two looks while all are at work */

typedef struct crew {
    cli_run *run;
    const sal_ranks *ranks;
    cli_pool *pool;
    int given;
    bool leaves;
    double heard, said; /* s of the monotonic clock: of rank 0, to it */
    char host[64];
} crew;

/* ---- what others have written ---- */

/* Network file systems remember for a while what is not there; opening the folder makes them look
 * again. */
static bool is_there(const char *folder, const char *path)
{
    if (access(path, F_OK) == 0) {
        return true;
    }
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        close(fd);
    }
    return access(path, F_OK) == 0;
}

static bool appears(const char *path, double seconds)
{
    char folder[4300];
    const char *slash = strrchr(path, '/');
    const double end = cli_now() + seconds;
    snprintf(folder, sizeof folder, "%.*s", slash == NULL ? 1 : (int)(slash - path),
             slash == NULL ? "." : path);
    while (!is_there(folder, path)) {
        if (cli_now() > end) {
            return false;
        }
        nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    }
    return true;
}

/* In a worker */
static void work(void *ctx, const cli_pool_task *task, sal_outcome *out)
{
    const cli_run *run = ctx;
    char path[4200];
    if (task->source >= 0) {
        sal_sweep_motion(path, sizeof path, run->folder, run->s->hash[task->source]);
        if (!appears(path, MOTION)) {
            snprintf(out->why, sizeof out->why,
                     "the motion from which the cell starts does not exist: %.180s", path);
            return;
        }
    }
    cli_run_work(ctx, task, out);
}

/* ---- what it says ---- */

static sal_status report(crew *c, cli_rank_report *r, sal_err *err)
{
    r->idle = c->pool == NULL ? 0 : cli_pool_idle(c->pool);
    r->given = c->given;
    r->stop = cli_stop_asked();
    memcpy(r->host, c->host, sizeof r->host);
    c->said = cli_now();
    return c->ranks->post(c->ranks->ctx, 0, CLI_TAG_REPORT, r, sizeof *r, err);
}

/* Now and then, and at once where it is asked to stop, since then nothing else is said */
static sal_status beat(crew *c, bool *told_stop, sal_err *err)
{
    const bool stop = cli_stop_asked() && !*told_stop;
    if (!stop && cli_now() - c->said < c->run->a->patience / CLI_BEATS) {
        return SAL_OK;
    }
    *told_stop |= stop;
    return report(c, &(cli_rank_report){.what = CLI_REPORT_BEAT}, err);
}

/* What makes this rank useless ends all, since the next cell would find the same. */
static sal_status give_up(crew *c, const char *why, sal_err *err)
{
    cli_rank_report r = {.what = CLI_REPORT_FAULT};
    snprintf(r.out.why, sizeof r.out.why, "%s", why);
    return report(c, &r, err);
}

/* ---- what it is told ---- */

/* Whether what is done here is of use to rank 0 */
static sal_status begin(crew *c, const cli_rank_order *o, sal_err *err)
{
    char digest[SAL_HASH_SIZE], path[4200], why[240];
    cli_run_digest(c->run, digest);
    cli_run_path(c->run, o->token, path, sizeof path);
    if (strcmp(digest, o->sweep) != 0) {
        return give_up(c, "its sweep, problem or model files differ from those of rank 0", err);
    }
    if (!appears(path, FOLDER)) {
        snprintf(why, sizeof why,
                 "the folder '%.120s' is not the folder of rank 0 on %.40s; all machines must "
                 "share it",
                 c->run->folder, o->host);
        return give_up(c, why, err);
    }
    return report(c, &(cli_rank_report){.what = CLI_REPORT_READY}, err);
}

static sal_status take_cell(crew *c, const cli_rank_order *o, sal_err *err)
{
    cli_pool_task task = o->task;
    const int nthread = c->run->nthread / c->run->nworker;
    task.nthread = nthread > 1 ? nthread : 1;
    c->given++;
    return cli_pool_give(c->pool, &task, err);
}

static sal_status obey(crew *c, const cli_rank_order *o, sal_err *err)
{
    switch (o->what) {
    case CLI_ORDER_BEGIN:
        return begin(c, o, err);
    case CLI_ORDER_CELL:
        return take_cell(c, o, err);
    case CLI_ORDER_STOP:
        c->leaves = true;
        if (o->lost) {
            cli_ranks_lost();
        }
        cli_pool_stop(c->pool, CLI_CELLS_PATIENCE);
        break;
    case CLI_ORDER_BEAT:
        break;
    }
    return SAL_OK;
}

static sal_status hear(crew *c, bool *moved, sal_err *err)
{
    sal_status status = SAL_OK;
    while (status == SAL_OK) {
        sal_mail mail = {0};
        cli_rank_order o;
        bool there = false;
        status = c->ranks->probe(c->ranks->ctx, &there, &mail, err);
        if (status != SAL_OK || !there) {
            break;
        }
        status = c->ranks->receive(c->ranks->ctx, mail.from, mail.tag, &o, sizeof o, err);
        c->heard = cli_now();
        status = status == SAL_OK ? obey(c, &o, err) : status;
        *moved = true;
    }
    return status;
}

/* ---- a run ---- */

/* The outcome of a cell, if there is one soon */
static sal_status take(crew *c, double seconds, bool *moved, sal_err *err)
{
    cli_rank_report r = {.what = CLI_REPORT_OUTCOME};
    if (!cli_pool_wait(c->pool, seconds, &r.task, &r.out)) {
        return SAL_OK;
    }
    *moved = true;
    return report(c, &r, err);
}

/* Until rank 0 wants no more, and all is said. */
static sal_status serve(crew *c, sal_err *err)
{
    const double patience = c->run->a->patience;
    double nap = 0, silence = CLI_SLOW, looked = cli_now();
    bool told_stop = false;
    sal_status status = SAL_OK;
    while (status == SAL_OK && !(c->leaves && cli_pool_busy(c->pool) == 0)) {
        bool moved = false;
        status = hear(c, &moved, err);
        status = status == SAL_OK ? take(c, nap, &moved, err) : status;
        status = status == SAL_OK ? beat(c, &told_stop, err) : status;
        silence = moved ? 1 : silence;
        if (cli_now() - looked > patience / 2) { /* it was this one that was away */
            c->heard = cli_now();
        }
        looked = cli_now();
        if (status == SAL_OK && cli_now() - c->heard > silence * patience) {
            status =
                sal_fail(err, SAL_INTERNAL, "rank 0 has sent nothing for %.3g s; this rank stops",
                         cli_now() - c->heard);
            cli_ranks_lost();
        }
        nap = moved ? 0 : cli_pool_idle(c->pool) == 0 ? BUSY : cli_longer_nap(nap);
    }
    return status == SAL_OK ? report(c, &(cli_rank_report){.what = CLI_REPORT_LEFT}, err) : status;
}

int cli_sweep_crew(const cli_arguments *a)
{
    cli_run run;
    sal_err err = {0};
    crew c = {.run = &run, .ranks = a->ranks, .heard = cli_now()};
    gethostname(c.host, sizeof c.host - 1);
    int code = cli_run_read(&run, a);
    if (code == CLI_EXIT_OK) {
        cli_catch_stop();
        sal_status status = cli_pool_new(&c.pool, run.nworker, work, &run, &run.limits, &err);
        status = status == SAL_OK ? serve(&c, &err) : status;
        cli_ranks_expect(CLI_CELLS_PATIENCE + 2 * a->patience);
        cli_pool_free(c.pool);
        code = status == SAL_OK ? CLI_EXIT_OK : cli_fail(a, status, &err);
    }
    cli_run_close(&run);
    return code;
}
