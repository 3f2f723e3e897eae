/* stopwatch.h: two ways of doing the same, timed beside each other.
 *
 * Both are run in turns (A B A B ..), in batches long enough for the clock. Work of a single thread
 * is timed by that thread's own processor time, and medians are reported: of each, and of the
 * ratios of neighbours, which a busy machine disturbs least. Work of several threads can only be
 * timed by the wall's clock, which other programs disturb in one direction: there the best of the
 * batches count.
 */
#ifndef SAL_BENCH_STOPWATCH_H
#define SAL_BENCH_STOPWATCH_H

typedef void (*timed_work)(void *ctx);

typedef struct race {
    /* seconds of one run of each */
    double a;
    double b;
    /* b / a: how many times faster A is */
    double ratio;
} race;

typedef enum stopwatch { STOPWATCH_THREAD, STOPWATCH_WALL } stopwatch;

enum { RACE_ROUNDS_MAX = 4000 };

double stopwatch_seconds(stopwatch clock);
double stopwatch_median(double *x, int n); /* sorts x */
/* At least `batch` seconds of each per round. */
race stopwatch_race(timed_work a, void *actx, timed_work b, void *bctx, int rounds, double batch,
                    stopwatch clock);

#endif
