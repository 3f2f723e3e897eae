/* gains.h: gains from period to period; open to the rooms above runs/. */
#ifndef SAL_RUNS_GAINS_H
#define SAL_RUNS_GAINS_H

#include "problems/result/result.h"

/* out [n] = S x, the image one period later of a deviation (q, v, act), or of a row of gains; out
 * is not x. */
void run_image_deviation(const sal_image *image, const sal_model *m, double *out, const double *x);
/* out [nu x n] = U K S', the gains one period later than K; out is not K. row [n]: scratch. */
void run_image_gain(const sal_image *image, const sal_model *m, double *out, const double *K,
                    double *row);

#endif
