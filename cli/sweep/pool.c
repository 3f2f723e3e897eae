#include "cli/sweep/pool.h"

#include "cli/cli.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    MANY_TASKS = 5000, /* then a worker is replaced, in case it leaks */
    MUCH_MEMORY = 256  /* or when it keeps so many MB more than after its first task */
};

typedef struct reply {
    sal_outcome out;
    bool leaves; /* it has ended with this */
} reply;

typedef struct worker {
    pid_t pid;  /* 0: not forked */
    int socket; /* -1: not forked */
    bool busy, late;
    cli_pool_task task;
    double begin, deadline; /* s of the monotonic clock; deadline 0: none */
} worker;

struct cli_pool {
    int nworker, nbusy;
    bool stopping;
    cli_pool_work work;
    void *ctx;
    cli_pool_limits limits;
    worker *worker;         /* [nworker] */
    struct pollfd *watched; /* [nworker] the sockets of those at work, else -1 */
};

/* ---- within a worker ---- */

static volatile sig_atomic_t stop_asked;

static void ask_stop(int number)
{
    (void)number;
    stop_asked = 1;
}

bool cli_pool_goes_on(void)
{
    return stop_asked == 0;
}

/* The number of a line "NAME:  N kB" of /proc/self/status, in bytes; 0 if there is none */
static double process_figure(const char *name)
{
    char line[256];
    double kilobytes = 0;
    FILE *in = fopen("/proc/self/status", "r");
    while (in != NULL && fgets(line, sizeof line, in) != NULL) {
        const size_t n = strlen(name);
        if (strncmp(line, name, n) == 0 && line[n] == ':') {
            const char *end;
            const char *number = line + n + 1 + strspn(line + n + 1, " \t");
            if (!sal_text_number(number, &end, &kilobytes)) {
                kilobytes = 0;
            }
        }
    }
    if (in != NULL) {
        fclose(in);
    }
    return 1024 * kilobytes;
}

/* Beyond the limit malloc and mmap fail, which ends as an error in its own words or, in code that
 * does not expect it, as a crash. */
static void limit_memory(double memory)
{
    struct rlimit limit;
    if (memory > 0 && getrlimit(RLIMIT_DATA, &limit) == 0) {
        const double most = process_figure("VmData") + memory;
        if (limit.rlim_max == RLIM_INFINITY || most < (double)limit.rlim_max) {
            limit.rlim_cur = (rlim_t)most;
            setrlimit(RLIMIT_DATA, &limit);
        }
    }
}

/* Ctrl-C reaches the whole group of processes: what is to be done about it is the parent's to
 * say. */
static void answer_signals(const sigset_t *mask)
{
    struct sigaction action = {.sa_handler = ask_stop};
    sigemptyset(&action.sa_mask);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGINT, SIG_IGN);
    sigprocmask(SIG_SETMASK, mask, NULL);
}

/* Returns when there is no more to do, or it is time for a fresh process. */
static void work_on(const cli_pool *pool, int socket)
{
    double first = 0;
    for (int n = 1; cli_pool_goes_on(); n++) {
        cli_pool_task task;
        const ssize_t got = recv(socket, &task, sizeof task, 0);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got != (ssize_t)sizeof task) {
            return; /* the parent is gone, or wants no more */
        }
        reply r = {.out = {.cell = task.cell, .source = task.source, .kind = SAL_CELL_CRASHED}};
        pool->work(pool->ctx, &task, &r.out);
        const double resident = process_figure("VmRSS");
        first = n == 1 ? resident : first;
        r.leaves =
            n >= MANY_TASKS || r.out.kind == SAL_CELL_NOMEM || resident > first + 1e6 * MUCH_MEMORY;
        if (send(socket, &r, sizeof r, MSG_NOSIGNAL) != (ssize_t)sizeof r || r.leaves) {
            return;
        }
    }
}

/* Does not return. */
static void be_worker(cli_pool *pool, int socket, pid_t parent, const sigset_t *mask)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(1); /* it died before it could be watched */
    }
    answer_signals(mask);
    for (int i = 0; i < pool->nworker; i++) {
        if (pool->worker[i].pid > 0) {
            close(pool->worker[i].socket);
        }
    }
    limit_memory(pool->limits.memory);
    work_on(pool, socket);
    _exit(0);
}

/* ---- workers come and go ---- */

static sal_status start_worker(cli_pool *pool, int i, sal_err *err)
{
    int ends[2];
    sigset_t both, mask;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        return sal_fail(err, SAL_FULL, "cannot start a process: %s", strerror(errno));
    }
    fflush(stdout);
    fflush(stderr);
    sigemptyset(&both);
    sigaddset(&both, SIGINT);
    sigaddset(&both, SIGTERM);
    sigprocmask(SIG_BLOCK, &both, &mask);
    const pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        close(ends[0]);
        be_worker(pool, ends[1], parent, &mask);
    }
    const int why = errno;
    sigprocmask(SIG_SETMASK, &mask, NULL);
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return sal_fail(err, SAL_FULL, "cannot start a process: %s", strerror(why));
    }
    pool->worker[i].pid = pid;
    pool->worker[i].socket = ends[0];
    return SAL_OK;
}

/* How it ended, as waitpid says; 0 if that cannot be known. */
static int bury(cli_pool *pool, int i)
{
    int status = 0;
    close(pool->worker[i].socket);
    pool->worker[i].socket = -1;
    while (waitpid(pool->worker[i].pid, &status, 0) < 0 && errno == EINTR) {
    }
    pool->worker[i].pid = 0;
    return status;
}

sal_status cli_pool_new(cli_pool **out, int nworker, cli_pool_work work, void *ctx,
                        const cli_pool_limits *limits, sal_err *err)
{
    cli_pool *pool = *out = sal_alloc(1, sizeof *pool);
    if (pool != NULL) {
        *pool = (cli_pool){.work = work, .ctx = ctx, .limits = *limits};
        pool->worker = sal_alloc((size_t)nworker, sizeof *pool->worker);
        pool->watched = sal_alloc((size_t)nworker, sizeof *pool->watched);
    }
    if (pool == NULL || pool->worker == NULL || pool->watched == NULL) {
        cli_pool_free(pool);
        *out = NULL;
        return sal_fail(err, SAL_NOMEM, "out of memory");
    }
    pool->nworker = nworker;
    for (int i = 0; i < nworker; i++) {
        pool->worker[i].socket = -1;
    }
    return SAL_OK;
}

void cli_pool_free(cli_pool *pool)
{
    if (pool == NULL) {
        return;
    }
    for (int i = 0; i < pool->nworker; i++) {
        if (pool->worker[i].pid > 0) {
            kill(pool->worker[i].pid, SIGKILL);
            bury(pool, i);
        }
    }
    sal_free(pool->worker);
    sal_free(pool->watched);
    sal_free(pool);
}

int cli_pool_idle(const cli_pool *pool)
{
    return pool->stopping ? 0 : pool->nworker - pool->nbusy;
}

int cli_pool_busy(const cli_pool *pool)
{
    return pool->nbusy;
}

int cli_pool_threads(const cli_pool *pool)
{
    int n = 0;
    for (int i = 0; i < pool->nworker; i++) {
        n += pool->worker[i].busy ? pool->worker[i].task.nthread : 0;
    }
    return n;
}

/* One that is there and idle, else one that is still to be forked; -1: all are busy. */
static int idle_worker(const cli_pool *pool)
{
    int found = -1;
    for (int i = pool->nworker - 1; i >= 0; i--) {
        const worker *w = &pool->worker[i];
        if (!w->busy && (found < 0 || w->pid > 0 || pool->worker[found].pid == 0)) {
            found = i;
        }
    }
    return found;
}

sal_status cli_pool_give(cli_pool *pool, const cli_pool_task *task, sal_err *err)
{
    sal_status status = SAL_OK;
    const int i = idle_worker(pool);
    if (i < 0 || pool->stopping) {
        return sal_fail(err, SAL_INTERNAL, "internal error: no worker process is free");
    }
    worker *w = &pool->worker[i];
    bool sent = false;
    /* One that has died while it had nothing to do is simply replaced. */
    for (int tries = 0; tries < 3 && !sent && status == SAL_OK; tries++) {
        status = w->pid > 0 ? SAL_OK : start_worker(pool, i, err);
        if (status == SAL_OK) {
            sent = send(w->socket, task, sizeof *task, MSG_NOSIGNAL) == (ssize_t)sizeof *task;
        }
        if (status == SAL_OK && !sent) {
            kill(w->pid, SIGKILL);
            bury(pool, i);
        }
    }
    if (!sent) {
        return status != SAL_OK
                   ? status
                   : sal_fail(err, SAL_FULL, "worker processes end as soon as they start");
    }
    w->busy = true;
    w->late = false;
    w->task = *task;
    w->begin = cli_now();
    w->deadline = pool->limits.time > 0 ? w->begin + pool->limits.time : 0;
    pool->nbusy++;
    return SAL_OK;
}

/* ---- outcomes ---- */

/* What is known of a worker that has gone without a word. */
static void explain_end(const cli_pool *pool, const worker *w, int status, sal_outcome *out)
{
    const int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    out->seconds = cli_now() - w->begin;
    out->kind = SAL_CELL_CRASHED;
    if (pool->stopping) {
        out->kind = SAL_CELL_STOPPED;
    } else if (w->late) {
        out->kind = SAL_CELL_TIMEOUT;
        snprintf(out->why, sizeof out->why, "it exceeded the time limit of %.6g s",
                 pool->limits.time);
    } else if (number == SIGKILL) {
        snprintf(out->why, sizeof out->why,
                 "killed (SIGKILL), by a user or by the system when memory ran out");
    } else if (number > 0) {
        snprintf(out->why, sizeof out->why, "%s (signal %d)", strsignal(number), number);
    } else {
        snprintf(out->why, sizeof out->why, "the process ended with exit code %d%s",
                 WEXITSTATUS(status),
                 pool->limits.memory > 0 ? "; perhaps the memory limit was too low" : "");
    }
}

/* What worker i has to say, or its end does. */
static void take(cli_pool *pool, int i, cli_pool_task *task, sal_outcome *out)
{
    worker *w = &pool->worker[i];
    reply r;
    ssize_t got;
    do {
        got = recv(w->socket, &r, sizeof r, 0);
    } while (got < 0 && errno == EINTR);
    if (got == (ssize_t)sizeof r) {
        *out = r.out;
        out->seconds = out->seconds > 0 ? out->seconds : cli_now() - w->begin;
    } else {
        *out = (sal_outcome){.cell = w->task.cell, .source = w->task.source};
        explain_end(pool, w, bury(pool, i), out);
    }
    if (got == (ssize_t)sizeof r && (r.leaves || w->late)) {
        bury(pool, i);
    }
    *task = w->task;
    w->busy = false;
    pool->nbusy--;
}

/* Kills who has had enough time; their sockets then say so. Seconds to the next deadline, at most
 * `seconds`. */
static double end_late(cli_pool *pool, double seconds)
{
    const double now = cli_now();
    for (int i = 0; i < pool->nworker; i++) {
        worker *w = &pool->worker[i];
        if (w->busy && w->deadline > 0 && !w->late) {
            if (now >= w->deadline) {
                kill(w->pid, SIGKILL);
                w->late = true;
            } else if (w->deadline - now < seconds) {
                seconds = w->deadline - now;
            }
        }
    }
    return seconds;
}

bool cli_pool_wait(cli_pool *pool, double seconds, cli_pool_task *task, sal_outcome *out)
{
    const double end = cli_now() + seconds;
    for (;;) {
        const double left = end - cli_now();
        const double wait = end_late(pool, left > 0 ? left : 0);
        for (int i = 0; i < pool->nworker; i++) {
            const worker *w = &pool->worker[i];
            pool->watched[i] = (struct pollfd){.fd = w->busy ? w->socket : -1, .events = POLLIN};
        }
        const int n = poll(pool->watched, (nfds_t)pool->nworker, (int)(1e3 * wait + 0.999));
        for (int i = 0; n > 0 && i < pool->nworker; i++) {
            if (pool->watched[i].fd >= 0 && pool->watched[i].revents != 0) {
                take(pool, i, task, out);
                return true;
            }
        }
        if (n < 0 || left <= 0) {
            return false;
        }
    }
}

void cli_pool_stop(cli_pool *pool, double patience)
{
    const double end = cli_now() + patience;
    pool->stopping = true;
    for (int i = 0; i < pool->nworker; i++) {
        worker *w = &pool->worker[i];
        if (w->busy && (w->deadline <= 0 || end < w->deadline)) {
            w->deadline = end;
        }
        if (w->pid > 0) {
            kill(w->pid, SIGTERM);
        }
    }
}
