/* account_parts.h: the stages of the account of an identification; private to problems/. See account.c. */
#ifndef SAL_ACCOUNT_PARTS_H
#define SAL_ACCOUNT_PARTS_H


#include "problems/account.h"

/* What the sentences need to know beside what stays in the estimate. */
typedef struct sal_account {
    sal_estimate *e;
    int nfree;
    int *free;           /* [nfree] parameters that were estimated and stand on no bound */
    double *information; /* [n x n] of the data alone, over u: the sum of S */
    double *se_u;        /* [n] standard error of u as reported */
    double *step; /* [n] of u that Newton's method would still make, A^-1 sum s; without priors */
    int capacity; /* of sentences */
    bool failed;  /* out of memory */
} sal_account;

/* ---- account.c ---- */

bool sal_account_is_log(const sal_estimate_parameter *p);
/* What a change of u is measured by: that of a logarithm by 1, else by the value or the range. */
double sal_account_size(const sal_estimate_parameter *p);
/* Whether so much information on u is none: an error of a thousand times that size. */
bool sal_account_is_mute(const sal_estimate_parameter *p, double information);

/* ---- account_error.c ---- */

/* Standard errors, correlation; se_u. */
sal_status sal_account_errors(sal_account *a, sal_err *err);
/* Eigenvalues (increasing) and vectors (row k belongs to value k) of a symmetric matrix a [n x n], which is overwritten; Jacobi's method. */
void sal_account_eigen(double *value, double *vector, double *a, int n);

/* ---- account_fit.c ---- */

/* Residuals in units of sigma: channels, recordings, rollouts. */
sal_status sal_account_fit(sal_account *a, sal_err *err);
/* The residual of channel c at a sample, over sigma where that is not NULL: measured minus predicted; of a quaternion, which then stands last, the rotation
 * vector between them. NaN where either is missing. */
void sal_account_residual(double *residual, const sal_estimate_channel *c, const double *measured,
                          const double *predicted, const double *sigma);

/* Root mean square of the residuals at one sample, over sigma; scratch [nresidual]. */
double sal_account_sample_rms(const sal_estimate *e, const sal_estimate_recording *rec, int sample,
                              double *scratch);

/* ---- account_words.c ---- */

/* All that is to be said, most important first. */
sal_status sal_account_words(sal_account *a, sal_err *err);

#endif
