/* linearise.h: the residuals of a whole motion and their Jacobian, part by part by all threads. */
#ifndef SAL_TESTS_PROBLEMS_LINEARISE_H
#define SAL_TESTS_PROBLEMS_LINEARISE_H

#include "base/parallel.h"
#include "problems/transcribe.h"

typedef struct linearise_call {
    prb_transcription *tr;
    double *r, *J;
    sal_status status;
    sal_err err;
} linearise_call;

static inline void linearise_one(void *ctx, int index, int worker)
{
    linearise_call *w = ctx;
    const prb_transcription *tr = w->tr;
    const int first = index * tr->npart, rest = tr->nblock - first,
              n = rest < tr->npart ? rest : tr->npart;
    sal_err err;
    const sal_status status = tr->nls.linearise_part(
        w->tr, w->r + tr->r_adr[first], w->J + tr->J_adr[first], first, n, worker, &err);
    if (status != SAL_OK) {
        w->status = status;
        w->err = err;
    }
}

static inline sal_status linearise_whole(prb_transcription *tr, double *r, double *J,
                                         const double *x, sal_err *err)
{
    linearise_call w = {.tr = tr, .r = r, .J = J, .status = SAL_OK};
    tr->nls.place(tr, x);
    sal_parallel_for((tr->nblock + tr->npart - 1) / tr->npart, tr->nthread, linearise_one, &w);
    if (w.status != SAL_OK && err != NULL) {
        *err = w.err;
    }
    return w.status;
}

#endif
