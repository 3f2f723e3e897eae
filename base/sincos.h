/* sincos.h: sines and cosines of many angles at once. */
#ifndef SAL_BASE_SINCOS_H
#define SAL_BASE_SINCOS_H

#include "base/status.h"

/* s[i] = sin x[i], c[i] = cos x[i], to 2.3e-16. */
void sal_sincos(double *s, double *c, const double *x, int n);

#endif
