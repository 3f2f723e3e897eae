/* gain.c: the gains of the feedback about a motion, in any period of it. */
#include "exports/formats.h"

#include "runs/gains.h"

#include <string.h>

sal_status exp_gain_new(exp_gain *g, const sal_result *given, sal_err *err)
{
    *g = (exp_gain){.given = given};
    const sal_status status = sal_gains_new(&g->gains, given, err);
    if (status != SAL_OK) {
        return status;
    }
    const size_t n = (size_t)g->gains->n, size = (size_t)g->gains->nu * n;
    g->here = sal_alloc(size, sizeof(double));
    g->there = sal_alloc(size, sizeof(double));
    g->row = sal_alloc(n, sizeof(double));
    return g->here == NULL || g->there == NULL || g->row == NULL
               ? sal_fail(err, SAL_NOMEM, "out of memory for the gains of a step")
               : SAL_OK;
}

void exp_gain_clear(exp_gain *g)
{
    sal_gains_free(g->gains);
    sal_free(g->here);
    sal_free(g->there);
    sal_free(g->row);
    *g = (exp_gain){0};
}

const double *exp_gain_at(exp_gain *g, int t)
{
    const sal_gains *gains = g->gains;
    const size_t size = (size_t)gains->nu * (size_t)gains->n;
    memcpy(g->here, gains->K + (size_t)(t % gains->nstep) * size, size * sizeof(double));
    for (int period = t / gains->nstep; period > 0; period--) {
        run_image_gain(g->given->image, g->given->model, g->there, g->here, g->row);
        double *swap = g->here;
        g->here = g->there;
        g->there = swap;
    }
    return g->here;
}

int exp_gain_count(const exp_gain *g)
{
    return g->gains->n;
}
