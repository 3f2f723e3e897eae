/* What happens to a worker happens to its cell alone. */
#include "cli/cli.h"
#include "cli/sweep/pool.h"
#include "tests/check.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A task's cell says what it does. */
enum { ANSWER, SEGFAULT, LEAVE, HANG, EAT, WAIT_FOR_STOP, TELL_PID };

static void rest(double seconds)
{
    const long whole = (long)seconds;
    nanosleep(&(struct timespec){whole, (long)(1e9 * (seconds - (double)whole))}, NULL);
}

/* Memory until there is none, at most a gigabyte */
static bool eat(void)
{
    for (int i = 0; i < 100; i++) {
        char *bytes = sal_alloc(10000000, 1); /* kept: the process goes away with it */
        if (bytes == NULL) {
            return true;
        }
        bytes[i] = 1;
    }
    return false;
}

static void work(void *ctx, const cli_pool_task *task, sal_outcome *out)
{
    (void)ctx;
    switch (task->cell) {
    case SEGFAULT:
        signal(SIGSEGV, SIG_DFL); /* a sanitizer would have its say */
        raise(SIGSEGV);
        break;
    case LEAVE:
        _exit(3);
    case HANG:
        for (;;) {
            rest(1);
        }
    case EAT:
        out->kind = eat() ? SAL_CELL_NOMEM : SAL_CELL_UNSOLVED;
        return;
    case WAIT_FOR_STOP:
        while (cli_pool_goes_on()) {
            rest(0.01);
        }
        out->kind = SAL_CELL_STOPPED;
        return;
    default:
        break;
    }
    out->cost = task->cell == TELL_PID ? getpid() : 10.0 * task->tries + task->nthread;
    out->kind = SAL_CELL_PHYSICAL;
}

static cli_pool *open_pool(int nworker, double seconds, double memory)
{
    cli_pool *pool = NULL;
    sal_err err = {0};
    const cli_pool_limits limits = {seconds, memory};
    CHECK_OK(cli_pool_new(&pool, nworker, work, NULL, &limits, &err), err);
    return pool;
}

static void give(cli_pool *pool, int cell)
{
    sal_err err = {0};
    const cli_pool_task task = {cell, 7, 3, 2};
    CHECK_OK(cli_pool_give(pool, &task, &err), err);
}

/* The outcome of a task, which has to come within some seconds. */
static sal_outcome outcome_of(cli_pool *pool, int cell)
{
    sal_outcome out = {.cell = -1};
    cli_pool_task task = {0};
    give(pool, cell);
    CHECK(cli_pool_wait(pool, 60, &task, &out));
    CHECK(out.cell == cell && out.source == 7 && task.cell == cell && task.tries == 3);
    return out;
}

static void every_end_is_told(void)
{
    cli_pool *pool = open_pool(1, 0, 0);
    sal_outcome out = outcome_of(pool, ANSWER);
    CHECK(out.kind == SAL_CELL_PHYSICAL);
    CHECK_NEAR(out.cost, 32, 0);
    out = outcome_of(pool, SEGFAULT);
    CHECK(out.kind == SAL_CELL_CRASHED);
    CHECK_TEXT(out.why, "Segmentation fault (signal 11)");
    out = outcome_of(pool, LEAVE);
    CHECK(out.kind == SAL_CELL_CRASHED);
    CHECK_TEXT(out.why, "the process ended with exit code 3");
    out = outcome_of(pool, ANSWER);
    CHECK(out.kind == SAL_CELL_PHYSICAL && cli_pool_idle(pool) == 1 && cli_pool_busy(pool) == 0);
    cli_pool_free(pool);
}

static void time_is_limited(void)
{
    cli_pool *pool = open_pool(1, 0.2, 0);
    const double begin = cli_now();
    const sal_outcome out = outcome_of(pool, HANG);
    CHECK(out.kind == SAL_CELL_TIMEOUT && cli_now() - begin >= 0.2 && out.seconds >= 0.2);
    CHECK_TEXT(out.why, "it exceeded the time limit of 0.2 s");
    CHECK(outcome_of(pool, ANSWER).kind == SAL_CELL_PHYSICAL);
    cli_pool_free(pool);
}

/* One that ran out of memory is replaced: the next has all of it again. */
static void memory_is_limited(void)
{
#ifdef SANITIZED
    SKIP("the address sanitizer ends a process that is out of memory");
#else
    cli_pool *pool = open_pool(1, 0, 1e8);
    CHECK(outcome_of(pool, EAT).kind == SAL_CELL_NOMEM);
    CHECK(outcome_of(pool, ANSWER).kind == SAL_CELL_PHYSICAL);
    CHECK(outcome_of(pool, EAT).kind == SAL_CELL_NOMEM);
    cli_pool_free(pool);
    pool = open_pool(1, 0, 0);
    CHECK(outcome_of(pool, EAT).kind == SAL_CELL_UNSOLVED);
    cli_pool_free(pool);
#endif
}

static void a_crash_takes_one_cell_with_it(void)
{
    cli_pool *pool = open_pool(3, 0, 0);
    const int cells[] = {WAIT_FOR_STOP, SEGFAULT, WAIT_FOR_STOP};
    sal_outcome out = {0};
    cli_pool_task task;
    for (int i = 0; i < 3; i++) {
        give(pool, cells[i]);
    }
    CHECK(cli_pool_idle(pool) == 0 && cli_pool_threads(pool) == 6);
    CHECK(cli_pool_wait(pool, 60, &task, &out) && out.kind == SAL_CELL_CRASHED);
    CHECK(!cli_pool_wait(pool, 0, &task, &out) && cli_pool_busy(pool) == 2);
    CHECK(outcome_of(pool, ANSWER).kind == SAL_CELL_PHYSICAL);
    cli_pool_stop(pool, 60);
    CHECK(cli_pool_idle(pool) == 0);
    for (int i = 0; i < 2; i++) {
        CHECK(cli_pool_wait(pool, 60, &task, &out) && out.kind == SAL_CELL_STOPPED);
    }
    CHECK(cli_pool_busy(pool) == 0);
    cli_pool_free(pool);
}

/* One that does not listen is ended, and counts as stopped; one that had died while idle is
 * replaced without a word. */
static void who_does_not_listen_is_ended(void)
{
    cli_pool *pool = open_pool(1, 0, 0);
    sal_outcome out = outcome_of(pool, TELL_PID);
    const pid_t pid = (pid_t)out.cost;
    CHECK(kill(pid, SIGKILL) == 0);
    rest(0.1);
    out = outcome_of(pool, TELL_PID);
    CHECK(out.kind == SAL_CELL_PHYSICAL && (pid_t)out.cost != pid);
    give(pool, HANG);
    cli_pool_task task;
    cli_pool_stop(pool, 0.1);
    CHECK(cli_pool_wait(pool, 60, &task, &out) && out.kind == SAL_CELL_STOPPED);
    cli_pool_free(pool);
}

/* However the parent ends, its workers end with it. */
static void workers_end_with_their_parent(void)
{
    int ends[2], status = 0;
    pid_t worker = 0;
    CHECK(pipe(ends) == 0);
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* the orphan becomes ours: its end can be waited for */
    const pid_t parent = fork();
    if (parent == 0) {
        cli_pool *pool = open_pool(1, 0, 0);
        worker = (pid_t)outcome_of(pool, TELL_PID).cost;
        give(pool, HANG);
        CHECK(write(ends[1], &worker, sizeof worker) == (ssize_t)sizeof worker);
        for (;;) {
            rest(1);
        }
    }
    CHECK(read(ends[0], &worker, sizeof worker) == (ssize_t)sizeof worker);
    CHECK(worker > 0 && kill(worker, 0) == 0);
    kill(parent, SIGKILL);
    waitpid(parent, NULL, 0);
    CHECK(waitpid(worker, &status, 0) == worker && WIFSIGNALED(status));
    close(ends[0]);
    close(ends[1]);
}

/* What a task costs beside its work, and after how many a fresh process takes over. */
static void many_tasks_are_cheap(void)
{
    cli_pool *pool = open_pool(2, 0, 0);
    sal_outcome out;
    cli_pool_task task;
    const int n = 12000;
    int done = 0, given = 0;
    const double begin = cli_now();
    while (done < n) {
        while (given < n && cli_pool_idle(pool) > 0) {
            give(pool, ANSWER);
            given++;
        }
        CHECK(cli_pool_wait(pool, 60, &task, &out) && out.kind == SAL_CELL_PHYSICAL);
        done++;
    }
    printf("     %.3f ms a task\n", 1e3 * (cli_now() - begin) / n);
    CHECK(cli_now() - begin < 2e-3 * n);
    cli_pool_free(pool);
}

int main(void)
{
    RUN(every_end_is_told);
    RUN(time_is_limited);
    RUN(memory_is_limited);
    RUN(a_crash_takes_one_cell_with_it);
    RUN(who_does_not_listen_is_ended);
    RUN(workers_end_with_their_parent);
    RUN(many_tasks_are_cheap);
    return check_done();
}
