#include "base/sort.h"

#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void sal_sort(double *x, int n)
{
    if (n > 1) {
        qsort(x, (size_t)n, sizeof *x, ascending);
    }
}

double sal_median(double *x, int n)
{
    sal_sort(x, n);
    return (x[(n - 1) / 2] + x[n / 2]) / 2;
}
