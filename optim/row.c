/* row.c: alike searches in a row, each of whose ends is a good beginning for its neighbours. */
#include "optim/optim.h"

#include <math.h>
#include <string.h>

/* A search from a neighbour's end counts where its cost is no more than this many times that of the
 * other one, and it ends elsewhere: some x is farther off than this. */
static const double as_good = 1.02, elsewhere = .5;

static bool is_elsewhere(const double *a, const double *b, size_t n)
{
    bool far = false;
    for (size_t k = 0; k < n; k++) {
        far = far || fabs(a[k] - b[k]) > elsewhere;
    }
    return far;
}

/* From the best one on towards one end: each begins anew where its neighbour ended. */
static sal_status walk(const sal_row *row, double *cost, double *trial, int best, int way,
                       bool *better, sal_err *err)
{
    sal_status status = SAL_OK;
    for (int i = best + way, last = best; i >= 0 && i < row->n && status == SAL_OK; i += way) {
        double *x = row->x + (size_t)i * row->nx;
        if (!isfinite(cost[i])) {
            continue;
        }
        memcpy(trial, row->x + (size_t)last * row->nx, row->nx * sizeof *trial);
        status = row->search(row->ctx, i, trial, err);
        if (status == SAL_OK && row->cost(row->ctx, i, trial) < as_good * cost[i] &&
            is_elsewhere(trial, x, row->nx)) {
            memcpy(x, trial, row->nx * sizeof *x);
            *better = true;
        }
        last = i;
    }
    return status;
}

sal_status sal_row_mend(const sal_row *row, bool *better, sal_err *err)
{
    const size_t n = (size_t)row->n;
    double *cost = sal_alloc(n + row->nx, sizeof *cost);
    int best = 0;
    *better = false;
    if (cost == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for %d searches", row->n);
    }
    for (int i = 0; i < row->n; i++) {
        cost[i] = row->cost(row->ctx, i, row->x + (size_t)i * row->nx);
        best = cost[i] < cost[best] ? i : best;
    }
    sal_status status = walk(row, cost, cost + n, best, 1, better, err);
    if (status == SAL_OK) {
        status = walk(row, cost, cost + n, best, -1, better, err);
    }
    sal_free(cost);
    return status;
}
