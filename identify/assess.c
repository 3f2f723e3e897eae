/* assess.c: how far an identification can be trusted.
 *
 *     sal_identification_result_assess { bounds -> fit (channels, recordings, rollouts) -> standard
 *         errors -> what is to be said in words }
 */
#include "identify/assess.h"

#include <math.h>
#include <string.h>

static const double ON_BOUND = 1e-6; /* of the range, or of the bound itself */

/* -1, 0, 1: whether the value stands on its lower or upper bound. */
static int bound_of(const sal_identification_parameter *p)
{
    const bool both = isfinite(p->lower) && isfinite(p->upper);
    const double width = both ? p->upper - p->lower : fmax(fabs(p->value), 1e-300);
    if (isfinite(p->lower) && p->value - p->lower <= ON_BOUND * width) {
        return -1;
    }
    return isfinite(p->upper) && p->upper - p->value <= ON_BOUND * width;
}

static void find_free(idn_assessment *a)
{
    sal_identification_result *e = a->e;
    a->nfree = 0;
    for (int k = 0; k < e->nparameter; k++) {
        sal_identification_parameter *p = e->parameter + k;
        p->at_bound = p->free ? bound_of(p) : 0;
        a->se_u[k] = (double)NAN;
        if (p->free && p->at_bound == 0) {
            a->free[a->nfree++] = k;
        }
    }
}

/* Over the recordings of the fit: S, cost, and the freedoms it leaves. */
static void sum_up(idn_assessment *a)
{
    sal_identification_result *e = a->e;
    const int n = e->nparameter;
    e->chi2 = 0;
    e->freedom = -a->nfree;
    for (int i = 0; i < e->nrecording; i++) {
        const sal_identification_recording *r = e->recording + i;
        for (int k = 0; k < n * n && !r->held; k++) {
            a->information[k] += e->S[i * n * n + k];
        }
        e->chi2 += r->held ? 0 : 2 * r->cost;
        e->freedom += r->held ? 0 : r->nresidual - r->nvariable;
    }
}

/* Parameters of each recording: their mean and scatter over the recordings of the fit. */
static void judge_locals(sal_identification_result *e)
{
    for (int k = 0; k < e->nlocal; k++) {
        double sum = 0, square = 0;
        int n = 0;
        for (int i = 0; i < e->nrecording; i++) {
            if (!e->recording[i].held && e->recording[i].nsample > 0) {
                const double x = e->recording[i].local[k];
                sum += x;
                square += x * x;
                n++;
            }
        }
        e->local[k].value = n > 0 ? sum / n : (double)NAN;
        e->local[k].se = n > 1 ? sqrt(fmax(square - sum * sum / n, 0) / (n - 1)) : (double)NAN;
    }
}

sal_status sal_identification_result_assess(sal_identification_result *e, sal_err *err)
{
    const size_t n = (size_t)e->nparameter;
    idn_assessment a = {.e = e};
    sal_status status = SAL_OK;
    a.free = sal_alloc(n + 1, sizeof(int));
    a.information = sal_alloc(n * n + 1, sizeof(double));
    a.se_u = sal_alloc(n + 1, sizeof(double));
    a.step = sal_alloc(n + 1, sizeof(double));
    a.known = sal_alloc(n + 1, sizeof(double));
    if (a.free == NULL || a.information == NULL || a.se_u == NULL || a.step == NULL ||
        a.known == NULL) {
        status =
            sal_fail(err, SAL_NOMEM, "out of memory for the standard errors of an identification");
        goto done;
    }
    find_free(&a);
    sum_up(&a);
    judge_locals(e);
    status = idn_test_residuals(&a, err);
    status = status == SAL_OK ? idn_standard_errors(&a, err) : status;
    if (status == SAL_OK) {
        idn_resampled_errors(&a);
        status = idn_findings(&a, err);
    }
done:
    sal_free(a.free);
    sal_free(a.information);
    sal_free(a.se_u);
    sal_free(a.step);
    sal_free(a.known);
    return status;
}
