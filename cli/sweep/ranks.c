/* A sweep over ranks, as rank 0 leads it: it says whose turn it is, and takes note of what came of
 * it. It solves nothing itself.
 *
 * It waits for nobody: a rank that is silent for too long is gone, and the cells it had are given
 * to others, until they have been tried often enough. Should it come back, it is taken for what it
 * is; what it says of cells it has lost is not listened to, since the folder holds them.
 */
#include "cli/sweep/ranks.h"

#include "cli/ranks.h"

#include <math.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct member {
    bool ready, left, gone;
    int idle, given, sent; /* as it last said; cells that were sent to it */
    double heard;          /* s of the monotonic clock */
    char host[64];
} member;

typedef struct loan { /* a cell that a rank has */
    cli_pool_task task;
    int rank;
} loan;

typedef struct chief {
    cli_run *run;
    const sal_ranks *ranks;
    double patience, beaten;
    member *member; /* [size] */
    loan *loan;     /* [room] */
    int nloan, room, turn;
    double *lost; /* [ncell] s: when the rank that had it was gone; 0: none was */
    char token[4200];
    bool asked; /* to stop */
} chief;

/* ---- what goes out ---- */

static sal_status send_order(chief *c, int rank, const cli_rank_order *o, sal_err *err)
{
    return c->ranks->post(c->ranks->ctx, rank, CLI_TAG_ORDER, o, sizeof *o, err);
}

/* To all that are there */
static sal_status send_order_to_all(chief *c, const cli_rank_order *o, sal_err *err)
{
    sal_status status = SAL_OK;
    for (int k = 1; k < c->ranks->size && status == SAL_OK; k++) {
        status = c->member[k].gone || c->member[k].left ? SAL_OK : send_order(c, k, o, err);
    }
    return status;
}

static sal_status beat(chief *c, sal_err *err)
{
    const double now = cli_now();
    if (now - c->beaten < c->patience / CLI_BEATS) {
        return SAL_OK;
    }
    c->beaten = now;
    return send_order_to_all(c, &(cli_rank_order){.what = CLI_ORDER_BEAT}, err);
}

/* ---- cells that are lent ---- */

static sal_status lend(chief *c, int rank, const cli_pool_task *task, sal_err *err)
{
    if (c->nloan == c->room) {
        const int room = 2 * c->room + 64;
        loan *more = sal_alloc((size_t)room, sizeof *more);
        if (more == NULL) {
            return sal_fail(err, SAL_NOMEM, "out of memory");
        }
        if (c->nloan > 0) {
            memcpy(more, c->loan, (size_t)c->nloan * sizeof *more);
        }
        sal_free(c->loan);
        c->loan = more;
        c->room = room;
    }
    c->loan[c->nloan++] = (loan){*task, rank};
    c->member[rank].sent++;
    return send_order(c, rank, &(cli_rank_order){.what = CLI_ORDER_CELL, .task = *task}, err);
}

/* False if that rank does not have it (any more). */
static bool take_back(chief *c, int rank, int cell)
{
    for (int i = 0; i < c->nloan; i++) {
        if (c->loan[i].rank == rank && c->loan[i].task.cell == cell) {
            c->loan[i] = c->loan[--c->nloan];
            return true;
        }
    }
    return false;
}

/* Workers of a rank that are idle, and that no cell is on its way to */
static int room_of(const member *m)
{
    return m->ready && !m->left && !m->gone ? m->idle - (m->sent - m->given) : 0;
}

/* A cell for everyone in turn who has a worker for it, as long as there are any. */
static sal_status give(chief *c, bool *moved, sal_err *err)
{
    cli_pool_task task;
    int full = 1; /* so many in a row had no room */
    sal_status status = SAL_OK;
    while (full < c->ranks->size && status == SAL_OK) {
        c->turn = c->turn % (c->ranks->size - 1) + 1;
        if (room_of(&c->member[c->turn]) < 1) {
            full++;
        } else if (cli_run_next(c->run, &task, 1, 0) < 1) {
            break;
        } else {
            status = lend(c, c->turn, &task, err);
            full = 1;
            *moved = true;
        }
    }
    return status;
}

/* ---- what comes in ---- */

/* Where a rank that is gone still holds the lock of a cell (on another machine that has stopped,
 * say), it is not waited for without end. */
static void judge_busy(const chief *c, sal_outcome *out)
{
    if (out->kind == SAL_CELL_BUSY && c->lost[out->cell] > 0 &&
        cli_now() - c->lost[out->cell] > c->patience) {
        out->kind = SAL_CELL_CRASHED;
        snprintf(out->why, sizeof out->why,
                 "the rank that solved this cell no longer answers, but still holds its lock");
    }
}

static sal_status take_outcome(chief *c, int rank, cli_rank_report *r, sal_err *err)
{
    if (!take_back(c, rank, r->out.cell)) {
        return SAL_OK;
    }
    judge_busy(c, &r->out);
    return cli_run_take(c->run, &r->task, &r->out, err);
}

static sal_status take_report(chief *c, int rank, cli_rank_report *r, sal_err *err)
{
    member *m = &c->member[rank];
    if (m->gone && !c->run->quiet) {
        cli_say("rank %d on %s answers again", rank, r->host);
    }
    m->heard = cli_now();
    m->gone = false;
    m->idle = r->idle;
    m->given = r->given;
    memcpy(m->host, r->host, sizeof m->host);
    c->asked |= r->stop;
    switch (r->what) {
    case CLI_REPORT_READY:
        m->ready = true;
        break;
    case CLI_REPORT_OUTCOME:
        return take_outcome(c, rank, r, err);
    case CLI_REPORT_FAULT:
        return sal_fail(err, SAL_BADPATH, "rank %d on %s: %s", rank, r->host, r->out.why);
    case CLI_REPORT_LEFT:
        m->left = true;
        break;
    case CLI_REPORT_BEAT:
        break;
    }
    return SAL_OK;
}

/* All that has arrived */
static sal_status hear(chief *c, bool *moved, sal_err *err)
{
    sal_status status = SAL_OK;
    bool there = true;
    while (status == SAL_OK) {
        sal_mail mail = {0};
        cli_rank_report r;
        status = c->ranks->probe(c->ranks->ctx, &there, &mail, err);
        if (status != SAL_OK || !there) {
            break;
        }
        status = c->ranks->receive(c->ranks->ctx, mail.from, mail.tag, &r, sizeof r, err);
        status = status == SAL_OK ? take_report(c, mail.from, &r, err) : status;
        *moved = true;
    }
    return status;
}

/* ---- who is gone ---- */

static sal_status lose(chief *c, int rank, sal_err *err)
{
    member *m = &c->member[rank];
    sal_status status = SAL_OK;
    m->gone = true;
    cli_ranks_lost();
    cli_say("rank %d%s%s has sent nothing for %.3g s; its cells are given to others", rank,
            m->ready ? " on " : "", m->host, cli_now() - m->heard);
    for (int i = c->nloan - 1; i >= 0 && status == SAL_OK; i--) {
        if (c->loan[i].rank == rank) {
            const cli_pool_task task = c->loan[i].task;
            sal_outcome out = {.cell = task.cell,
                               .source = task.source,
                               .kind = SAL_CELL_CRASHED,
                               .cost = (double)NAN,
                               .seconds = cli_now() - m->heard};
            snprintf(out.why, sizeof out.why, "rank %d on %s no longer answers", rank, m->host);
            c->loan[i] = c->loan[--c->nloan];
            c->lost[task.cell] = cli_now();
            status = cli_run_take(c->run, &task, &out, err);
        }
    }
    return status;
}

static sal_status look_for_gone(chief *c, sal_err *err)
{
    const double now = cli_now();
    int there = 0;
    sal_status status = SAL_OK;
    for (int k = 1; k < c->ranks->size && status == SAL_OK; k++) {
        const member *m = &c->member[k];
        const double patience = c->patience * (m->ready ? 1 : CLI_SLOW);
        if (!m->gone && !m->left && now - m->heard > patience) {
            status = lose(c, k, err);
        }
        there += !m->gone;
    }
    if (status == SAL_OK && there == 0) {
        status = sal_fail(err, SAL_INTERNAL,
                          "no other rank answers; start the sweep again; finished cells are kept");
    }
    return status;
}

/* ---- a run ---- */

static double rest(double nap, bool moved)
{
    if (moved) {
        return 0;
    }
    nap = cli_longer_nap(nap);
    nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * nap)}, NULL);
    return nap;
}

static sal_status lead(chief *c, sal_err *err)
{
    sal_status status = SAL_OK;
    double nap = 0;
    cli_catch_stop();
    while (status == SAL_OK && !sal_schedule_is_done(c->run->schedule) && !c->asked) {
        bool moved = false;
        status = hear(c, &moved, err);
        status = status == SAL_OK ? look_for_gone(c, err) : status;
        status = status == SAL_OK ? give(c, &moved, err) : status;
        status = status == SAL_OK ? beat(c, err) : status;
        cli_run_tell(c->run);
        nap = rest(nap, moved);
        c->asked |= cli_stop_asked();
    }
    return status;
}

static int count_gone(const chief *c)
{
    int n = 0;
    for (int k = 1; k < c->ranks->size; k++) {
        n += c->member[k].gone;
    }
    return n;
}

/* How many have neither left nor gone */
static int count_there(const chief *c)
{
    int n = 0;
    for (int k = 1; k < c->ranks->size; k++) {
        n += !c->member[k].left && !c->member[k].gone;
    }
    return n;
}

/* All stop. What was begun may still come to its end. */
static sal_status dismiss(chief *c, sal_status status, sal_err *err)
{
    static const double more = 5; /* s: to kill workers and say so */
    const double end = cli_now() + CLI_CELLS_PATIENCE + (c->patience > more ? more : c->patience);
    sal_err unused;
    double nap = 0;
    send_order_to_all(c, &(cli_rank_order){.what = CLI_ORDER_STOP, .lost = count_gone(c) > 0},
                      &unused);
    while (count_there(c) > 0 && cli_now() < end) {
        bool moved = false;
        const sal_status one = hear(c, &moved, status == SAL_OK ? err : &unused);
        status = status == SAL_OK ? one : status;
        nap = rest(nap, moved);
    }
    if (count_there(c) > 0) {
        cli_ranks_lost();
    }
    return status;
}

/* ---- beginning and end ---- */

void cli_run_digest(const cli_run *run, char digest[SAL_HASH_SIZE])
{
    sal_sha256_hex(digest, run->s->hash, (size_t)run->s->ncell * sizeof run->s->hash[0]);
}

void cli_run_path(const cli_run *run, const char *name, char *path, size_t n)
{
    snprintf(path, n, "%s/%s", run->folder, name);
}

/* A file in the folder that is nowhere else, and a word to all to look for it. */
static sal_status welcome(chief *c, sal_err *err)
{
    cli_rank_order o = {.what = CLI_ORDER_BEGIN};
    char what[200];
    gethostname(o.host, sizeof o.host - 1);
    cli_run_digest(c->run, o.sweep);
    const int n = snprintf(what, sizeof what, "%s %ld %.9f\n", o.host, (long)getpid(), cli_now());
    snprintf(o.token, sizeof o.token, ".ranks-");
    sal_sha256_hex(o.token + strlen(o.token), what, (size_t)n);
    cli_run_path(c->run, o.token, c->token, sizeof c->token);
    const sal_status status = sal_file_replace(c->token, what, (size_t)n, err);
    return status == SAL_OK ? send_order_to_all(c, &o, err) : status;
}

static sal_status assemble(chief *c, cli_run *run, const sal_ranks *ranks, sal_err *err)
{
    const size_t size = (size_t)ranks->size;
    *c = (chief){.run = run, .ranks = ranks, .patience = run->a->patience};
    c->member = sal_alloc(size, sizeof *c->member);
    c->lost = run->s == NULL ? NULL : sal_alloc((size_t)run->s->ncell, sizeof *c->lost);
    if (c->member == NULL || (run->s != NULL && c->lost == NULL)) {
        return sal_fail(err, SAL_NOMEM, "out of memory");
    }
    for (int k = 1; k < ranks->size; k++) {
        c->member[k].heard = cli_now();
    }
    return SAL_OK;
}

static sal_status run_cells(chief *c, sal_err *err)
{
    sal_status status = welcome(c, err);
    status = status == SAL_OK ? lead(c, err) : status;
    unlink(c->token);
    return dismiss(c, status, err);
}

int cli_sweep_chief(const cli_arguments *a)
{
    cli_run run;
    chief c = {0};
    sal_err err = {0};
    int code = cli_run_open(&run, a);
    sal_status status = assemble(&c, &run, a->ranks, &err);
    if (status != SAL_OK) {
        code = code == CLI_EXIT_OK ? cli_fail(a, status, &err) : code;
    } else if (code == CLI_EXIT_OK) {
        run.nworker *= a->ranks->size - 1; /* as is told */
        cli_run_begin_telling(&run);
        status = run_cells(&c, &err);
        code = cli_run_end(&run, status, &err);
    } else {
        send_order_to_all(&c, &(cli_rank_order){.what = CLI_ORDER_STOP}, &err);
    }
    sal_free(c.member);
    sal_free(c.loan);
    sal_free(c.lost);
    cli_run_close(&run);
    return code;
}
