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

/* Number of threads the machine offers to this process; at least 1. */
int sal_parallel_max(void);

#endif
