/* Searches in a row, of which each has two minima. */
#include "tests/check.h"

#include "optim/optim.h"

#include <math.h>

enum { N = 7 };

/* (x^2 - 1)^2, and as much more as the row says */
static double above[N];

static double cost(void *ctx, int i, const double *x)
{
    (void)ctx;
    return (x[0] * x[0] - 1) * (x[0] * x[0] - 1) + above[i];
}

/* Newton's method, which stays on its side of 0. */
static sal_status search(void *ctx, int i, double *x, sal_err *err)
{
    (void)i;
    if (ctx != NULL) {
        return sal_fail(err, SAL_DIVERGED, "no");
    }
    for (int k = 0; k < 60; k++) {
        x[0] -= (x[0] * x[0] - 1) / (2 * x[0]);
    }
    return SAL_OK;
}

static sal_status mend(double *x, void *ctx, bool *better)
{
    sal_err err;
    const sal_row row = {ctx, N, 1, x, cost, search};
    return sal_row_mend(&row, better, &err);
}

/* All end where the best one did; what is not asked is passed over. */
static void neighbours_end_in_the_same_minimum(void)
{
    double x[N] = {1, -1, -1, 1, 1, 1, -1};
    bool better = false;
    for (int i = 0; i < N; i++) {
        above[i] = i == 2 ? 1 : i == 4 ? (double)INFINITY : 1.1;
    }
    CHECK(mend(x, NULL, &better) == SAL_OK && better);
    for (int i = 0; i < N; i++) {
        CHECK_NEAR(x[i], i == 4 ? 1 : -1, 1e-12);
    }
    CHECK(mend(x, NULL, &better) == SAL_OK && !better);
}

/* Who is better off stays. */
static void a_better_minimum_is_kept(void)
{
    double x[N] = {1, 1, 1, 1, 1, 1, 1};
    bool better = true;
    for (int i = 0; i < N; i++) {
        above[i] = 1;
    }
    CHECK(mend(x, NULL, &better) == SAL_OK && !better);
    CHECK(mend(x, x, &better) == SAL_DIVERGED);
    sal_alloc_fail_at(1);
    CHECK(mend(x, NULL, &better) == SAL_NOMEM);
    sal_alloc_fail_at(0);
}

int main(void)
{
    RUN(neighbours_end_in_the_same_minimum);
    RUN(a_better_minimum_is_kept);
    return check_done();
}
