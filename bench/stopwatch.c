#include "bench/stopwatch.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

double stopwatch_seconds(stopwatch clock)
{
    struct timespec now;
    clock_gettime(clock == STOPWATCH_WALL ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    double x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

double stopwatch_median(double *x, int n)
{
    qsort(x, (size_t)n, sizeof *x, compare);
    return n % 2 ? x[n / 2] : 0.5 * (x[n / 2 - 1] + x[n / 2]);
}

static double seconds_of(timed_work run, void *ctx, int times, stopwatch clock)
{
    const double begin = stopwatch_seconds(clock);
    for (int i = 0; i < times; i++) {
        run(ctx);
    }
    return (stopwatch_seconds(clock) - begin) / times;
}

/* How many runs last a batch; also warms the caches. */
static int runs_of(timed_work run, void *ctx, double batch, stopwatch clock)
{
    int n = 1;
    while (seconds_of(run, ctx, n, clock) * n < batch) {
        n *= 2;
    }
    return n;
}

race stopwatch_race(timed_work a, void *actx, timed_work b, void *bctx, int rounds, double batch,
                    stopwatch clock)
{
    static double first[RACE_ROUNDS_MAX], second[RACE_ROUNDS_MAX], ratio[RACE_ROUNDS_MAX];
    const int na = runs_of(a, actx, batch, clock), nb = runs_of(b, bctx, batch, clock);
    rounds = rounds < RACE_ROUNDS_MAX ? rounds : RACE_ROUNDS_MAX;
    for (int i = 0; i < rounds; i++) {
        first[i] = seconds_of(a, actx, na, clock);
        second[i] = seconds_of(b, bctx, nb, clock);
        ratio[i] = second[i] / first[i];
    }
    race r = {stopwatch_median(first, rounds), stopwatch_median(second, rounds),
              stopwatch_median(ratio, rounds)};
    if (clock == STOPWATCH_WALL) { /* both are sorted now */
        r = (race){first[0], second[0], second[0] / first[0]};
    }
    return r;
}
