/* sort.h: numbers in order */
#ifndef SAL_BASE_SORT_H
#define SAL_BASE_SORT_H

#include "base/status.h"

/* Sorts x [n], the smallest first. Where a NaN ends up is not said. */
void sal_sort(double *x, int n);

#endif
