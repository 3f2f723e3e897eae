/* resampled_errors.c: standard errors from fits of other sets of the recordings (resample.c says
 * which).
 *
 *     error^2 = how far these fits scatter, as the way of choosing them has it,
 *               + the part of the priors, A^-1 W A^-1 (standard_errors.c)
 *
 * A prior is the same in all of these fits, so that they do not see its error.
 */
#include "identify/assess.h"

#include <math.h>

/* Sum of the squares of what value k is off the mean of the fits. */
static double sum_squares(const sal_identification_result *e, int k)
{
    double mean = 0, sum = 0;
    for (int i = 0; i < e->nresample; i++) {
        mean += e->resample[i * e->nparameter + k] / e->nresample;
    }
    for (int i = 0; i < e->nresample; i++) {
        const double off = e->resample[i * e->nparameter + k] - mean;
        sum += off * off;
    }
    return sum;
}

/* What makes a variance of it; NaN: too few of them came to an end. A jackknife needs them all. */
static double factor(const sal_identification_result *e)
{
    const double G = e->ncluster, n = e->nresample;
    if (e->resampling == SAL_RESAMPLING_JACKKNIFE) {
        return n == e->resamples && n > 1 ? (n - 1) / n : (double)NAN;
    }
    return 2 * n >= e->resamples && n > 1 && G > 1 ? G / (G - 1) / (n - 1) : (double)NAN;
}

void idn_resampled_errors(idn_assessment *a)
{
    sal_identification_result *e = a->e;
    if (e->resampling == SAL_RESAMPLING_NONE) {
        return;
    }
    for (int k = 0; k < e->nparameter; k++) {
        sal_identification_parameter *p = e->parameter + k;
        p->se_resampled =
            isfinite(p->se) ? sqrt(factor(e) * sum_squares(e, k) + a->known[k]) : p->se;
    }
}
