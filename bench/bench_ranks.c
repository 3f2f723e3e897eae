/* bench_ranks.c: what ranks gain that share a long trajectory, and what they have to tell each
 * other; from that, what many would gain.
 *
 *     mpirun -n 2 build/bench/bench_ranks [STEPS]
 *
 * Iterations of one rank, while the others sleep, and of all are measured in turns.
 */
#include "bench/linearise.h"
#include "bench/stopwatch.h"
#include "cli/ranks.h"

#include "problems/transcribe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 9, CALLS = 2000, NUMBERS = 1 << 19 };
static const double STEP = 0.025; /* s */
static const double GAIN = 1.6;   /* of two ranks at least */

/* ---- ranks that are watched ---- */

static sal_ranks real; /* those that talk */
static struct {
    double seconds, bytes; /* spent in talk; received by this rank */
    int calls;
} talk;

static double now(void)
{
    return stopwatch_seconds(STOPWATCH_WALL);
}

static sal_status note(double begin, double bytes, sal_status status)
{
    talk.seconds += now() - begin;
    talk.bytes += bytes;
    talk.calls++;
    return status;
}

static sal_status watched_send(void *ctx, int to, int tag, const void *bytes, size_t n,
                               sal_err *err)
{
    const double begin = now();
    return note(begin, 0, real.send(ctx, to, tag, bytes, n, err));
}

static sal_status watched_receive(void *ctx, int from, int tag, void *bytes, size_t n, sal_err *err)
{
    const double begin = now();
    return note(begin, (double)n, real.receive(ctx, from, tag, bytes, n, err));
}

static sal_status watched_broadcast(void *ctx, void *bytes, size_t n, sal_err *err)
{
    const double begin = now();
    return note(begin, real.rank == 0 ? 0 : (double)n, real.broadcast(ctx, bytes, n, err));
}

static sal_status watched_collect(void *ctx, double *x, const size_t *at, const size_t *n,
                                  sal_err *err)
{
    const double begin = now();
    double bytes = 0;
    for (int k = 0; k < real.size; k++) {
        bytes += k == real.rank ? 0 : (double)(n[k] * sizeof(double));
    }
    return note(begin, bytes, real.collect(ctx, x, at, n, err));
}

/* ---- one problem ---- */

typedef struct shared {
    sal_problem *p;
    prb_transcription *tr;
    sal_nls alone; /* the same without ranks */
    sal_optim *one, *all;
    double *x;
} shared;

static sal_status open_problem(shared *w, const char *file, int nstep, const sal_ranks *ranks,
                               sal_err *err)
{
    char path[1024], steps[32], duration[32];
    const char *root = getenv("SALTUS_ROOT");
    snprintf(path, sizeof path, "%s/%s", root == NULL ? "." : root, file);
    snprintf(steps, sizeof steps, "%d", nstep);
    snprintf(duration, sizeof duration, "%.17g", nstep * STEP);
    const sal_setting setting[] = {{"time/nstep", steps}, {"time/duration", duration}};
    const sal_problem_options options = {.setting = setting, .nsetting = 2};
    sal_diag diag = {0};
    sal_status status = sal_problem_read(&w->p, path, &options, &diag, err);
    sal_diag_clear(&diag);
    status = status == SAL_OK ? prb_transcription_new(&w->tr, w->p, 1, err) : status;
    if (status != SAL_OK) {
        return status;
    }
    w->x = sal_alloc((size_t)w->tr->layout.nx, sizeof *w->x);
    w->tr->clock.now = now;
    w->tr->nls.clock = &w->tr->clock;
    w->alone = w->tr->nls;
    w->tr->nls.ranks = ranks;
    status = w->x == NULL ? SAL_NOMEM : prb_guess(w->tr, w->x, 1, err);
    status = status == SAL_OK ? iteration_open(&w->one, &w->alone, w->x, 1, err) : status;
    return status == SAL_OK ? iteration_open(&w->all, &w->tr->nls, w->x, 1, err) : status;
}

static void close_problem(shared *w)
{
    sal_optim_free(w->one);
    sal_optim_free(w->all);
    prb_transcription_free(w->tr);
    sal_problem_free(w->p);
    sal_free(w->x);
}

/* Per step of an iteration: seconds of one rank by what can be divided; of all ranks; bytes that
 * each receives, and in how many calls */
typedef struct figures {
    int nstep;
    double blocks, halves, rest;    /* divided by ranks; by two; not at all */
    double one, all, gain;          /* seconds of an iteration; the median of the rounds' ratios */
    double bytes, calls, exchanged; /* exchanged: seconds in talk, with waiting, at rank 0 */
    double columns;                 /* bytes of the columns of both matrices */
} figures;

static double seconds_of(sal_optim *o, prb_transcription *tr, sal_status *status, sal_err *err)
{
    const double begin = now();
    tr->clock = (sal_clock){.now = now};
    sal_clock_turn(&tr->clock, SAL_WORK_REST);
    *status = *status == SAL_OK ? iteration_run(o, err) : *status;
    sal_clock_turn(&tr->clock, SAL_WORK_REST);
    return now() - begin;
}

static void split(figures *f, const sal_clock *clock)
{
    const double *s = clock->seconds;
    f->blocks = s[SAL_WORK_RESIDUALS] + s[SAL_WORK_DERIVATIVES] + s[SAL_WORK_JACOBIANS] +
                s[SAL_WORK_ASSEMBLY];
    f->halves = s[SAL_WORK_FACTORISATION] + s[SAL_WORK_SOLUTION];
    f->rest = s[SAL_WORK_REST];
}

static sal_status measure(figures *f, const char *file, int nstep, const sal_ranks *ranks,
                          sal_err *err)
{
    shared w = {0};
    double gain[ROUNDS];
    sal_status status = open_problem(&w, file, nstep, ranks, err);
    for (int k = 0; k < ROUNDS && status == SAL_OK; k++) {
        cli_mpi_meet(0);
        const double one =
            real.rank == 0 ? seconds_of(w.one, w.tr, &status, err) : 0; /* the others sleep */
        if (real.rank == 0 && (k == 0 || one < f->one)) {
            f->one = one;
            split(f, &w.tr->clock);
        }
        cli_mpi_meet(0);
        memset(&talk, 0, sizeof talk);
        const double all = seconds_of(w.all, w.tr, &status, err);
        gain[k] = one / all;
        if (k == 0 || all < f->all) {
            f->all = all;
            f->exchanged = talk.seconds;
        }
        f->bytes = talk.bytes;
        f->calls = talk.calls;
    }
    f->nstep = nstep;
    f->columns = status == SAL_OK ? 2.0 * sizeof(double) * iteration_entries(w.all) : 0;
    f->gain = stopwatch_median(gain, ROUNDS);
    close_problem(&w);
    return status;
}

/* ---- what talk costs ---- */

typedef struct cost {
    double latency, bandwidth; /* s of a call; bytes per s that a rank receives */
} cost;

static sal_status measure_talk(cost *c, sal_err *err)
{
    const size_t size = (size_t)real.size;
    double *x = sal_alloc(NUMBERS, sizeof *x), best = 1e9;
    size_t *at = sal_alloc(2 * size, sizeof *at), *n = at == NULL ? NULL : at + size;
    sal_status status = x == NULL || at == NULL ? SAL_NOMEM : SAL_OK;
    for (size_t k = 0; k < size && status == SAL_OK; k++) {
        at[k] = k * (NUMBERS / size);
        n[k] = 1;
    }
    double begin = now();
    for (int i = 0; i < CALLS && status == SAL_OK; i++) {
        status = real.collect(real.ctx, x, at, n, err);
    }
    c->latency = (now() - begin) / CALLS;
    for (size_t k = 0; k < size && status == SAL_OK; k++) {
        n[k] = NUMBERS / size;
    }
    for (int i = 0; i < ROUNDS && status == SAL_OK; i++) {
        begin = now();
        status = real.collect(real.ctx, x, at, n, err);
        best = now() - begin < best ? now() - begin : best;
    }
    c->bandwidth = (double)((size - 1) * (NUMBERS / size) * sizeof *x) / best;
    sal_free(x);
    sal_free(at);
    return status;
}

/* ---- what many would gain ---- */

/* Bytes that rank 0 of P receives: of vectors what others have; of H the columns of its half that
 * others assemble */
static double bytes_of(const figures *f, int P)
{
    const double size = real.size, moved = f->columns * (0.5 - 1 / size),
                 vectors = (f->bytes - moved) * size / (size - 1);
    return vectors * (P - 1) / P + f->columns * (P > 1 ? 0.5 - 1.0 / P : 0);
}

/* T(P) = N (blocks / P + halves / min(P, 2) + rest) + calls log2(P) latency + bytes(P) /
 * bandwidth */
static double predict(const figures *f, const cost *c, double nstep, int P)
{
    int log2 = 0;
    for (int p = 1; p < P; p *= 2) {
        log2++;
    }
    const double scale = nstep / f->nstep;
    return scale * (f->blocks / P + f->halves / (P < 2 ? 1 : 2) + f->rest) +
           f->calls * log2 * c->latency + scale * bytes_of(f, P) / c->bandwidth;
}

static void print_figures(const char *file, const figures *f, const cost *c)
{
    static const int ranks[] = {1, 2, 4, 8, 16, 64, 256, 1000};
    const double each = 1e6 / f->nstep;
    printf(
        "%s, %d steps: an iteration of one rank %.1f ms, of %d %.1f ms; %.2f times as fast (%s)\n",
        file, f->nstep, 1e3 * f->one, real.size, 1e3 * f->all, f->gain,
        real.size != 2    ? "for two, at least 1.6 is asked"
        : f->gain >= GAIN ? "ok"
                          : "below 1.6");
    printf(
        "  one rank, us a step: %.1f by blocks, %.1f by halves, %.2f undivided;  a rank receives "
        "%.0f bytes a step, in %.0f calls; %.1f ms in talk\n",
        f->blocks * each, f->halves * each, f->rest * each, f->bytes / f->nstep, f->calls,
        1e3 * f->exchanged);
    for (int n = f->nstep; n <= 50 * f->nstep; n *= 50) {
        printf("  expected, %d steps:", n);
        for (size_t i = 0; i < sizeof ranks / sizeof ranks[0]; i++) {
            printf("  %d: %.1f", ranks[i], predict(f, c, n, 1) / predict(f, c, n, ranks[i]));
        }
        printf("\n");
    }
}

static int bench(int nstep)
{
    static const char *const files[] = {"bench/problems/person_open.xml",
                                        "examples/humanoid_walk.xml", "examples/walker_walk.xml"};
    sal_ranks watched = real;
    watched.send = watched_send, watched.receive = watched_receive;
    watched.broadcast = watched_broadcast, watched.collect = watched_collect;
    sal_err err = {0};
    cost c;
    sal_status status = measure_talk(&c, &err);
    if (status == SAL_OK && real.rank == 0) {
        printf("%d ranks: %.1f us for a number of each to all, %.2f GB/s received by each of large "
               "ones\n",
               real.size, 1e6 * c.latency, 1e-9 * c.bandwidth);
    }
    for (size_t i = 0; i < sizeof files / sizeof files[0] && status == SAL_OK; i++) {
        figures f = {0};
        status = measure(&f, files[i], nstep, &watched, &err);
        if (status == SAL_OK && real.rank == 0) {
            print_figures(files[i], &f, &c);
        }
    }
    if (status != SAL_OK) {
        fprintf(stderr, "rank %d: %s\n", real.rank, err.message);
        cli_mpi_abort(1);
    }
    return status == SAL_OK ? 0 : 1;
}

int main(int argc, char **argv)
{
    sal_err err = {0};
    const int nstep = argc > 1 ? atoi(argv[1]) : 2000;
    if (cli_mpi_begin(&real, &err) != SAL_OK || real.size < 2 || nstep < 10) {
        printf("skip: %s\n",
               err.message[0] != 0 ? err.message : "start it as: mpirun -n 2 bench_ranks [STEPS]");
        cli_mpi_end();
        return 0;
    }
    const int code = bench(nstep);
    cli_mpi_end();
    return code;
}
