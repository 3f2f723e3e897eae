/* spacing.c: how the rows of a table stand in time. */
#include "base/house.h"
#include "signals/table.h"

#include <math.h>

/* The median time between two rows. */
static bool find_median(sig_spacing *s, const double *t, int n)
{
    double *step = sal_alloc((size_t)n, sizeof *step);
    for (int k = 1; step != NULL && k < n; k++) {
        step[k - 1] = t[k] - t[k - 1];
    }
    if (step != NULL) {
        sal_sort(step, n - 1);
        s->median = step[(n - 1) / 2];
    }
    sal_free(step);
    return step != NULL;
}

/* Which instant of the grid each row is at, by the steps between rows in multiples of the median
 * one; false: some two rows are at one instant, or there are too many instants. */
static bool place_rows(sig_spacing *s, int *at, const double *t, int n)
{
    at[0] = s->worst = 0;
    for (int k = 1; k < n; k++) {
        const double steps = (t[k] - t[k - 1]) / s->median;
        const int whole = steps < 1e6 ? (int)floor(steps + .5) : 1000000;
        at[k] = at[k - 1] + whole;
        if (whole < 1 || at[k] > 100000000) {
            s->worst = k;
            return false;
        }
    }
    return true;
}

bool sig_is_slower(const double *t, int n, int k)
{
    int alike = 1;
    const double step = t[k] - t[k - 1];
    for (int way = -1; way <= 1; way += 2) {
        for (int i = k + way; i > 0 && i < n && alike < 3; i += way) {
            if (fabs((t[i] - t[i - 1]) / step - 1) > .1) {
                break;
            }
            alike++;
        }
    }
    return alike == 3 && step <= SIG_STEP_MOST;
}

bool sig_spacing_find(sig_spacing *s, int *at, const double *t, int n)
{
    *s = (sig_spacing){.off = (double)INFINITY};
    if (!find_median(s, t, n)) {
        return false;
    }
    s->dt = s->median;
    for (int k = 1; k < n; k++) {
        s->slowest = sig_is_slower(t, n, k) ? fmax(s->slowest, t[k] - t[k - 1]) : s->slowest;
    }
    if (!place_rows(s, at, t, n)) {
        return true;
    }
    s->dt = (t[n - 1] - t[0]) / at[n - 1];
    s->off = 0;
    for (int k = 1; k < n; k++) {
        const double off = fabs(t[k] - t[0] - at[k] * s->dt) / s->dt;
        if (off > s->off) {
            s->off = off;
            s->worst = k;
        }
    }
    s->even = s->off <= .1;
    return true;
}
