/* check_terms.c: what a solve refuses before it begins, asked without solving. */
#include "base/house.h"
#include "guide/guide.h"
#include "problems/transcribe.h"

sal_status sal_problem_check_terms(const sal_problem *p, sal_err *err)
{
    prb_transcription *tr = NULL;
    double *x = NULL;
    sal_status status = prb_transcription_new(&tr, p, 1, err);
    if (status == SAL_OK) {
        x = sal_alloc((size_t)tr->layout.nx, sizeof(double));
        status = x == NULL ? sal_fail(err, SAL_NOMEM, "out of memory for a motion")
                           : prb_guess(tr, x, p->seed, err);
        status = status == SAL_OK ? prb_terms_have_effect(tr, x, err) : status;
    }
    sal_free(x);
    prb_transcription_free(tr);
    return status;
}
