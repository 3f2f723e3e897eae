/* assess.h: the stages in which a result is assessed; private to identify/ See assess.c. */
#ifndef SAL_IDENTIFY_ASSESS_H
#define SAL_IDENTIFY_ASSESS_H


#include "identify/identify.h"

/* What the sentences need to know beside what stays in the estimate. */
typedef struct idn_assessment {
    sal_identification_result *e;
    int nfree;
    /* [nfree] parameters that were estimated and stand on no bound */
    int *free;
    /* [n x n] of the data alone, over u: the sum of S */
    double *information;
    /* [n] standard error of u as reported */
    double *se_u;
    /* [n] of u that Newton's method would still make, A^-1 sum s; without priors */
    double *step;
    /* [n] variance of each value from the errors of the priors alone, (A^-1 W A^-1) in values */
    double *known;
    /* of sentences */
    int capacity;
    /* out of memory */
    bool failed;
} idn_assessment;

/* ---- parameter_scale.c: how far a parameter can be told ---- */

bool idn_is_logarithm(const sal_identification_parameter *p);
/* What a change of u is measured by: that of a logarithm by 1, else by the value or the range. */
double idn_size_of(const sal_identification_parameter *p);
/* Whether so much information on u is none: an error of a thousand times that size. */
bool idn_is_unmeasured(const sal_identification_parameter *p, double information);

/* ---- student.c ---- */

/* Of Student's distribution with these freedoms: |t| is below it with probability 0.95. */
double idn_student(double freedom);

/* ---- standard_errors.c ---- */

/* Standard errors, correlation; se_u. */
sal_status idn_standard_errors(idn_assessment *a, sal_err *err);

/* ---- resampled_errors.c ---- */

/* Standard errors from fits of other sets of recordings, where there are some; after the others. */
void idn_resampled_errors(idn_assessment *a);

/* ---- residual_tests.c ---- */

/* Residuals in units of sigma: channels, recordings, rollouts. */
sal_status idn_test_residuals(idn_assessment *a, sal_err *err);
/* The residual of channel c at a sample, over sigma where that is not NULL: measured minus
 * predicted; of a quaternion, which then stands last, the rotation vector between them. NaN where
 * either is missing. */
void idn_residual(double *residual, const sal_identification_channel *c, const double *measured,
                  const double *predicted, const double *sigma);

/* ---- findings.c ---- */

/* All that is to be said, most important first. */
sal_status idn_findings(idn_assessment *a, sal_err *err);

#endif
