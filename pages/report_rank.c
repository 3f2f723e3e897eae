/* report_rank.c: recordings of an identification in order, and what the values of a channel are
 * called. */
#include "pages/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    const page_ranked *x = a, *y = b;
    return x->value != y->value ? (x->value < y->value ? -1 : 1) : x->id - y->id;
}

void page_rank_sort(page_ranked *list, int n)
{
    qsort(list, (size_t)n, sizeof *list, by_value);
}

int page_rank(const sal_identification_result *e, int held, sal_identification_measure what,
              page_ranked *list)
{
    int n = 0;
    for (int i = 0; i < e->nrecording; i++) {
        const double value = sal_identification_measured(e->recording + i, what);
        if (!isnan(value) && (held < 0 || (e->recording[i].held != 0) == held)) {
            list[n++] = (page_ranked){value, i};
        }
    }
    page_rank_sort(list, n);
    return n;
}

void page_value_name(const sal_identification_channel *c, int k, char *name, size_t n)
{
    static const char *const of_pose[] = {"x", "y", "z", "qw", "qx", "qy", "qz"};
    if (c->n == 1) {
        snprintf(name, n, "%s", c->name);
    } else if (c->n == 7 || c->n == 3) {
        snprintf(name, n, "%s %s", c->name, of_pose[k]);
    } else {
        snprintf(name, n, "%s %d", c->name, k);
    }
}

const char *page_value_unit(const sal_identification_channel *c, int k)
{
    const bool turn = c->n >= 4 && c->nres == c->n - 1 && k >= c->n - 4;
    return turn ? "" : c->unit;
}
