/* bench_sweep.c: what ten thousand tiny cells cost beside their work: saying whose turn it is,
 * handing it over, taking note; whether memory stays flat; and how long it takes to see the table
 * of so many.
 *
 *     build/bench/bench_sweep [CELLS]
 *
 * Seconds are those of processors, of all processes that take part, so that other programs on the
 * machine do not count.
 */
#include "cli/sweep/pool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { WORKERS = 2, ALONG = 100 };
static const double OVERHEAD = 2e-3; /* s a cell at most, beside its work */
static const double GROWTH = 1.1;    /* of resident memory at most */
static const double LOOK = 2;        /* s for a table at most */

static const char model[] =
    "<mujoco><compiler angle='radian'/><worldbody><body>"
    "<joint name='hinge' type='hinge' axis='0 1 0' damping='.1'/>"
    "<geom type='capsule' fromto='0 0 0 0 0 -1' size='.05' mass='1'/></body></worldbody>"
    "<actuator><motor joint='hinge' name='m' gear='20'/></actuator></mujoco>\n";

static const char problem[] =
    "<problem name=\"reach\"><model file=\"m.xml\"/><time nstep=\"6\" duration=\".6\"/>"
    "<boundary type=\"open\"><start qpos=\"0\"/><end qpos=\"1\"/></boundary>"
    "<cost><term name=\"effort\" ctrl=\"all\"/></cost></problem>\n";

static const char sweep[] =
    "<sweep name=\"tiny\" problem=\"p.xml\">"
    "<axis name=\"damping\" path=\"joint[hinge]/damping\" range=\".1 1\" count=\"%d\"/>"
    "<axis name=\"mass\" path=\"geom[#0]/mass\" range=\"1 2\" count=\"%d\"/></sweep>\n";

typedef struct bench {
    char folder[64], file[96], target[96];
    sal_sweep *s;
    sal_schedule *schedule;
    double work;        /* s of processors within cells */
    double solve;       /* of it, s in the solver */
    double early, late; /* MB: largest worker of the first tenth, and of the last */
    double parent_early, parent_late;
} bench;

/* ---- clocks ---- */

static double processor_time(int who)
{
    struct rusage u;
    getrusage(who, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static double wall(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* MB of this process in memory */
static double resident(void)
{
    long all = 0, here = 0;
    FILE *in = fopen("/proc/self/statm", "r");
    if (in != NULL && fscanf(in, "%ld %ld", &all, &here) != 2) {
        here = 0;
    }
    if (in != NULL) {
        fclose(in);
    }
    return 1e-6 * (double)here * (double)sysconf(_SC_PAGESIZE);
}

/* ---- the sweep ---- */

static bool write_file(const bench *b, const char *name, const char *format, int first, int second)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", b->folder, name);
    FILE *out = fopen(path, "w");
    if (out != NULL && strstr(format, "%d") == NULL) {
        fputs(format, out);
    } else if (out != NULL) {
        fprintf(out, sweep, first, second);
    }
    return out != NULL && fclose(out) == 0;
}

/* The outcome carries what it took and how large the worker is. */
static void work(void *ctx, const cli_pool_task *task, sal_outcome *out)
{
    const bench *b = ctx;
    const sal_watch watch = {.clock = wall};
    const double begin = processor_time(RUSAGE_SELF);
    sal_sweep_solve(out, b->s, b->target, task->cell, task->source, task->tries, 1, &watch);
    const double took = processor_time(RUSAGE_SELF) - begin;
    snprintf(out->why, sizeof out->why, "%.9g %.9g", took, resident());
}

static void note(bench *b, const sal_outcome *out, int done)
{
    const char *end;
    double took = 0, size = 0;
    if (sal_text_number(out->why, &end, &took)) {
        sal_text_number(end + strspn(end, " "), &end, &size);
    }
    b->work += took;
    b->solve += out->seconds;
    if (10 * done <= b->s->ncell) {
        b->early = size > b->early ? size : b->early;
        b->parent_early = resident();
    } else if (10 * done > 9 * b->s->ncell) {
        b->late = size > b->late ? size : b->late;
        b->parent_late = resident();
    }
}

static sal_status run_cells(bench *b, sal_err *err)
{
    cli_pool *pool;
    const cli_pool_limits none = {0, 0};
    sal_status status = cli_pool_new(&pool, WORKERS, work, b, &none, err);
    for (int done = 0; status == SAL_OK && !sal_schedule_is_done(b->schedule);) {
        cli_pool_task task = {.nthread = 1};
        sal_outcome out;
        while (status == SAL_OK && cli_pool_idle(pool) > 0 &&
               (task.cell = sal_schedule_next(b->schedule, &task.source, &task.tries)) >= 0) {
            status = cli_pool_give(pool, &task, err);
        }
        if (status == SAL_OK && cli_pool_wait(pool, 1, &task, &out)) {
            note(b, &out, ++done);
            sal_schedule_done(b->schedule, &out);
        }
    }
    cli_pool_free(pool);
    return status;
}

static sal_status open_sweep(bench *b, sal_err *err)
{
    sal_diag diag = {0};
    double begin = processor_time(RUSAGE_SELF);
    sal_status status = sal_sweep_read(&b->s, b->file, NULL, &diag, err);
    sal_diag_clear(&diag);
    if (status != SAL_OK) {
        return status;
    }
    const double read = processor_time(RUSAGE_SELF) - begin;
    begin = processor_time(RUSAGE_SELF);
    status = sal_sweep_begin(b->s, b->target, err);
    if (status == SAL_OK) {
        status = sal_schedule_new(&b->schedule, b->s, b->target, 0, 1, err);
    }
    printf("  naming %d cells %.3f ms each, beginning %.3f ms each\n", b->s->ncell,
           1e3 * read / b->s->ncell, 1e3 * (processor_time(RUSAGE_SELF) - begin) / b->s->ncell);
    return status;
}

static bool report(const bench *b, double all, double seconds)
{
    const int n = b->s->ncell;
    const double beside = (all - b->work) / n, growth = b->late / b->early,
                 parent = b->parent_late / b->parent_early;
    const bool flat = growth <= GROWTH && parent <= GROWTH;
    printf("  %d cells, %d workers, %.1f s by the wall\n", n, WORKERS, seconds);
    printf("  beside the work %.3f ms a cell (%s, at most %.0f)\n", 1e3 * beside,
           beside <= OVERHEAD ? "ok" : "above", 1e3 * OVERHEAD);
    printf("  in a cell %.3f ms, of which (by the wall) the solver %.3f; the rest reads the "
           "problem and writes the result\n",
           1e3 * b->work / n, 1e3 * b->solve / n);
    printf("  worker %.1f MB in the first tenth, %.1f in the last; parent %.1f, %.1f (%s)\n",
           b->early, b->late, b->parent_early, b->parent_late, flat ? "ok" : "it grows");
    return beside <= OVERHEAD && flat;
}

/* How long the command takes to do something with the folder, by processor and wall. */
static bool look(const char *what, const char *name)
{
    const double begin = wall(), before = processor_time(RUSAGE_CHILDREN);
    const bool worked = system(what) == 0;
    const double seconds = wall() - begin, took = processor_time(RUSAGE_CHILDREN) - before;
    printf("  %-22s %.2f s of processor, %.2f s by the wall (%s, at most %.0f)\n", name, took,
           seconds, worked && took <= LOOK ? "ok" : "above", LOOK);
    return worked && took <= LOOK;
}

static bool look_all(const bench *b)
{
    char command[512];
    const char *build = getenv("SALTUS_BUILD");
    bool good = true;
    build = build == NULL ? "build" : build;
    snprintf(command, sizeof command, "ls %s/cells/* > /dev/null", b->target);
    good &= look(command, "ls");
    snprintf(command, sizeof command, "%s/cli/saltus table %s > /dev/null", build, b->target);
    good &= look(command, "saltus table");
    snprintf(command, sizeof command, "%s/cli/saltus sweep --status %s > /dev/null", build,
             b->target);
    good &= look(command, "saltus sweep --status");
    return good;
}

int main(int argc, char **argv)
{
    const int cells = argc > 1 ? atoi(argv[1]) : ALONG * ALONG;
    char command[128];
    bench b = {.folder = P_tmpdir "/saltus-bench-XXXXXX"};
    sal_err err = {SAL_OK, "no folder for it"};
    if (mkdtemp(b.folder) == NULL) {
        return 1;
    }
    snprintf(b.file, sizeof b.file, "%s/s.xml", b.folder);
    snprintf(b.target, sizeof b.target, "%s/s.sweep", b.folder);
    bool good = write_file(&b, "m.xml", model, 0, 0) && write_file(&b, "p.xml", problem, 0, 0) &&
                write_file(&b, "s.xml", sweep, (cells + ALONG - 1) / ALONG, ALONG);
    good = good && open_sweep(&b, &err) == SAL_OK;
    const double begin = wall(), self = processor_time(RUSAGE_SELF);
    if (good && run_cells(&b, &err) == SAL_OK) {
        const double all = processor_time(RUSAGE_SELF) - self + processor_time(RUSAGE_CHILDREN);
        good = report(&b, all, wall() - begin);
        good &= look_all(&b);
    } else {
        printf("  %s\n", err.message);
        good = false;
    }
    sal_schedule_free(b.schedule);
    sal_sweep_free(b.s);
    snprintf(command, sizeof command, "rm -rf %s", b.folder);
    return system(command) == 0 && good ? 0 : 1;
}
