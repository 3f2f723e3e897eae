#include "base/parallel.h"

#include <omp.h>

void sal_parallel_for(int n, int nthread, sal_task task, void *ctx)
{
    if (nthread <= 1 || n <= 1) {
        for (int i = 0; i < n; i++) {
            task(ctx, i, 0);
        }
        return;
    }
#pragma omp parallel for schedule(static) default(none) shared(n, task, ctx) num_threads(nthread)
    for (int i = 0; i < n; i++) {
        task(ctx, i, omp_get_thread_num());
    }
}

int sal_parallel_max(void)
{
    return omp_get_num_procs();
}
