/* sort.h: numbers in order */
#ifndef SAL_BASE_SORT_H
#define SAL_BASE_SORT_H

#include "base/status.h"

/* Sorts x [n], the smallest first. Where a NaN ends up is not said. */
void sal_sort(double *x, int n);
/* The median of x [n], n > 0, which is sorted: of an even number the mean of the middle two. */
double sal_median(double *x, int n);

#endif
