/* bench_growth.c: time and memory of one Gauss-Newton iteration of a humanoid, open motion and
 * cycle, as the number of steps grows; and what two threads gain. Each size runs in a process of
 * its own, so that the largest memory it ever had is its own. */
#include "bench/linearise.h"
#include "bench/stopwatch.h"

#include "problems/transcribe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 5, SHORT = 50, LONG = 10000, TWICE = 1000 };
static const double STEP = 0.025;    /* s */
static const double MEMORY = 80;     /* KB per step at most */
static const double LINEAR = 1.1;    /* time per step, of that at the smallest size */
static const double TWO_CORES = 1.9; /* times faster two threads are at least, */
static const double ONE_CORE = 1.2;  /* and where they share a core */

static const int sizes[] = {SHORT, 200, TWICE, 3000, LONG};

typedef struct figures {
    bool valid;
    int nstep, nv;
    double seconds, memory; /* of one iteration; KB at most */
    double ratio;           /* seconds per step over those of a few steps and one thread */
    double work[SAL_NWORK];
} figures;

static stopwatch
    the_clock; /* the thread's own where there is one: other programs do not disturb it */

static double now(void)
{
    return stopwatch_seconds(the_clock);
}

typedef struct opened {
    sal_problem *p;
    prb_transcription *tr;
    sal_optim *o;
    double *x;
} opened;

static sal_status open_problem(opened *w, const char *path, int nstep, int nthread, sal_err *err)
{
    char steps[32], duration[32];
    snprintf(steps, sizeof steps, "%d", nstep);
    snprintf(duration, sizeof duration, "%.17g", nstep * STEP);
    const sal_setting setting[] = {{"time/nstep", steps}, {"time/duration", duration}};
    const sal_problem_options options = {.setting = setting, .nsetting = nstep > 0 ? 2 : 0};
    sal_diag diag = {0};
    sal_status status = sal_problem_read(&w->p, path, &options, &diag, err);
    sal_diag_clear(&diag);
    status = status == SAL_OK ? prb_transcription_new(&w->tr, w->p, nthread, err) : status;
    if (status != SAL_OK) {
        return status;
    }
    w->x = sal_alloc((size_t)w->tr->layout.nx, sizeof *w->x);
    w->tr->clock.now = now;
    w->tr->nls.clock = &w->tr->clock;
    status = w->x == NULL ? SAL_NOMEM : prb_guess(w->tr, w->x, 1, err);
    status = status == SAL_OK ? iteration_open(&w->o, &w->tr->nls, w->x, nthread, err) : status;
    return status == SAL_OK ? iteration_run(w->o, err) : status;
}

static void close_problem(opened *w)
{
    sal_optim_free(w->o);
    prb_transcription_free(w->tr);
    sal_problem_free(w->p);
    sal_free(w->x);
}

/* Seconds of one iteration, the mean of so many */
static double seconds_of(opened *w, int times, sal_status *status, sal_err *err)
{
    const double begin = now();
    for (int i = 0; i < times && *status == SAL_OK; i++) {
        w->tr->clock = (sal_clock){.now = now};
        sal_clock_turn(&w->tr->clock, SAL_WORK_REST);
        *status = iteration_run(w->o, err);
        sal_clock_turn(&w->tr->clock, SAL_WORK_REST);
    }
    return (now() - begin) / times;
}

/* Iterations of both in turns: the pace of the machine changes while one of many steps goes on. */
static sal_status race_both(figures *f, opened *w, opened *unit, sal_err *err)
{
    double ratio[ROUNDS];
    const int times = 1 + w->p->nstep / (4 * unit->p->nstep);
    sal_status status = SAL_OK;
    for (int k = 0; k < ROUNDS; k++) {
        const double before = seconds_of(unit, times, &status, err),
                     seconds = seconds_of(w, 1, &status, err);
        const bool best = k == 0 || seconds < f->seconds;
        f->seconds = best ? seconds : f->seconds;
        for (int i = 0; best && i < SAL_NWORK; i++) {
            f->work[i] = w->tr->clock.seconds[i];
        }
        const double after = seconds_of(unit, times, &status, err);
        ratio[k] = seconds / w->p->nstep / (0.5 * (before + after) / unit->p->nstep);
    }
    f->ratio = stopwatch_median(ratio, ROUNDS);
    return status;
}

static sal_status measure(figures *f, const char *path, int nstep, int nthread, sal_err *err)
{
    opened w = {0}, unit = {0};
    the_clock = nthread > 1 ? STOPWATCH_WALL : STOPWATCH_THREAD;
    sal_status status = open_problem(&w, path, nstep, nthread, err);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    f->memory = (double)usage.ru_maxrss;
    status = status == SAL_OK ? open_problem(&unit, path, nstep > 0 ? SHORT : 0, 1, err) : status;
    status = status == SAL_OK ? race_both(f, &w, &unit, err) : status;
    f->nstep = status == SAL_OK ? w.p->nstep : 0;
    f->nv = status == SAL_OK ? w.p->model->nv : 0;
    f->valid = status == SAL_OK;
    close_problem(&w);
    close_problem(&unit);
    return status;
}

/* The same in a process of its own. nstep 0: as the file says. */
static figures measure_alone(const char *file, int nstep, int nthread)
{
    const char *root = getenv("SALTUS_ROOT");
    figures f = {0};
    char path[1024];
    int ends[2];
    snprintf(path, sizeof path, "%s/%s", root == NULL ? "." : root, file);
    if (pipe(ends) != 0) {
        return f;
    }
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        sal_err err = {SAL_OK, ""};
        if (measure(&f, path, nstep, nthread, &err) != SAL_OK) {
            fprintf(stderr, "%s, %d steps: %s\n", file, nstep, err.message);
        }
        _exit(write(ends[1], &f, sizeof f) == (ssize_t)sizeof f ? 0 : 1);
    }
    close(ends[1]);
    if (child < 0 || read(ends[0], &f, sizeof f) != (ssize_t)sizeof f) {
        f.valid = false;
    }
    close(ends[0]);
    waitpid(child, NULL, 0);
    return f;
}

static void print_figures(const figures *f, int nstep, const figures *least)
{
    const double memory = (f->memory - least->memory) / (nstep > SHORT ? nstep - SHORT : 1),
                 ratio = f->ratio / least->ratio;
    const bool good = memory <= MEMORY && ratio <= LINEAR;
    printf("  %6d  %9.2f ms  %7.2f us a step (%.2f x)  %8.1f MB  %6.1f KB a step %s\n   ", nstep,
           1e3 * f->seconds, 1e6 * f->seconds / nstep, ratio, f->memory / 1024, memory,
           nstep < LONG ? ""
           : good       ? "ok"
                        : "above");
    for (int w = 0; w < SAL_NWORK; w++) {
        printf(" %s %.0f%%", sal_work_name((sal_work)w), 100 * f->work[w] / f->seconds);
    }
    printf("\n");
}

/* ---- what two threads run on ---- */

/* The processors that share a core with this one, as the system writes them; false: there is none
 * of this number. */
static bool siblings_of(int processor, char *list, size_t size)
{
    char path[100];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list",
             processor);
    FILE *file = fopen(path, "r");
    const bool read = file != NULL && fgets(list, (int)size, file) != NULL;
    if (file != NULL) {
        fclose(file);
    }
    return read;
}

/* Whether two processors are on different cores. A virtual machine says what its host tells it. */
static bool has_two_cores(void)
{
    char first[100], other[100];
    bool two = false;
    if (!siblings_of(0, first, sizeof first)) {
        return true; /* unknown */
    }
    for (int k = 1; siblings_of(k, other, sizeof other); k++) {
        two |= strcmp(first, other) != 0;
    }
    return two;
}

static double gain_wanted(void)
{
    return has_two_cores() ? TWO_CORES : ONE_CORE;
}

/* ---- the sizes ---- */

static bool bench(const char *file)
{
    figures least = {0}, one = {0};
    printf("%s, one thread: an iteration, memory of the whole process beyond that of %d steps\n",
           file, SHORT);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const figures f = measure_alone(file, sizes[i], 1);
        if (!f.valid) {
            return false;
        }
        least = i == 0 ? f : least;
        one = sizes[i] == TWICE ? f : one;
        print_figures(&f, sizes[i], &least);
    }
    const figures two = measure_alone(file, TWICE, 2);
    const double gain = one.ratio / two.ratio;
    printf("  two threads at %d steps, on %s: %.2f times as fast (%s, at least %.1f)\n   ", TWICE,
           has_two_cores() ? "two cores" : "the two halves of one core", gain,
           gain >= gain_wanted() ? "ok" : "below", gain_wanted());
    for (int w = 0; w < SAL_NWORK; w++) {
        printf(" %s %.2f", sal_work_name((sal_work)w), one.work[w] / two.work[w]);
    }
    printf("\n");
    return two.valid;
}

/* What an iteration of the examples, at their own size, is spent on */
static bool split(const char *file)
{
    const figures f = measure_alone(file, 0, 1);
    printf("  %-28s %3d x %-3d %8.3f ms  ", file, f.nv, f.nstep, 1e3 * f.seconds);
    for (int w = 0; w < SAL_NWORK; w++) {
        printf(" %s %.0f%%", sal_work_name((sal_work)w), 100 * f.work[w] / f.seconds);
    }
    printf("\n");
    return f.valid;
}

int main(void)
{
    static const char *const examples[] = {
        "examples/cartpole_swingup.xml", "examples/hopper_hop.xml",    "examples/walker_walk.xml",
        "examples/walker_run.xml",       "examples/humanoid_walk.xml", "examples/humanoid_run.xml"};
    printf(
        "one Gauss-Newton step (residuals: inverse dynamics of the point tried; derivatives: with "
        "inverse dynamics; solution: with the line search's prediction)\n");
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        split(examples[i]);
    }
    const bool open = bench("bench/problems/person_open.xml");
    const bool cycle = bench("examples/humanoid_walk.xml");
    return open && cycle ? 0 : 1;
}
