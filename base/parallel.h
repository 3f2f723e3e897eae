/* parallel.h: the one parallel loop.
 *
 * A task writes only to places that belong to its index or to its worker; nothing is summed across
 * threads, so the result is the same to the last bit for every number of threads.
 */
#ifndef SAL_BASE_PARALLEL_H
#define SAL_BASE_PARALLEL_H

#include "base/status.h"

/* One piece of work: index in 0..n-1, worker in 0..nthread-1 (one call at a time per worker). */
typedef void (*sal_task)(void *ctx, int index, int worker);

/* Runs task(ctx, i, worker) for i = 0..n-1 in contiguous shares over at most `nthread` threads (1:
 * in the caller's); over fewer where the system does not give that many. */
void sal_parallel_for(int n, int nthread, sal_task task, void *ctx);

/* How many threads a loop is given, by the work in all of it: what one thread of a usual processor
 * takes for it, in ns, estimated from sizes and never measured, so that it is the same every time.
 * A thread that waits for the next loop sleeps after a while, and to be woken takes 10 to 50 us.
 *
 * Of a loop: 1, or all, since threads that one loop leaves out end, and are started again for the
 * next. Of a whole solve, by the work of its largest loop: so many that each has a share that is
 * worth it, at least 1. */
int sal_parallel_worth(int nthread, double work);
int sal_parallel_crew(int nthread, double work);
/* ns: the least share. It is set by tests alone, to 0: then all threads are at every loop. */
extern double sal_parallel_share;

/* Number of threads the machine offers to this process; at least 1. */
int sal_parallel_max(void);

#endif
