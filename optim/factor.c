/* factor.c: the choice of a method. */
#include "optim/factor.h"

struct sal_factor {
    int n;
    sal_blocks *blocks; /* one of the two */
    sal_cholmod *cholmod;
};

static const int BLOCK_LEAST =
    4; /* variables of a block, on average, that dense arithmetic needs to pay */
static const double FILL_MOST = 2; /* times the work in the other order */

static sal_status no_memory(const sal_factor *f, sal_err *err)
{
    return sal_fail(err, SAL_NOMEM, "no memory to factorise %d variables", f->n);
}

static sal_status choose(sal_factor *f, const int *colptr, const int *rowind,
                         sal_factor_method method)
{
    double work_blocks = 0, work_cholmod = 0;
    sal_status status = SAL_OK;
    if (method != SAL_FACTOR_CHOLMOD) {
        const int most = method == SAL_FACTOR_AUTO ? f->n / BLOCK_LEAST : f->n;
        status = sal_blocks_new(&f->blocks, f->n, colptr, rowind, most, &work_blocks);
    }
    if (status == SAL_OK && method != SAL_FACTOR_BLOCKS) {
        status = sal_cholmod_new(&f->cholmod, f->n, colptr, rowind, &work_cholmod);
    }
    if (status == SAL_OK && method == SAL_FACTOR_AUTO && f->blocks != NULL) {
        if (work_blocks <= FILL_MOST * work_cholmod) {
            sal_cholmod_free(f->cholmod);
            f->cholmod = NULL;
        } else {
            sal_blocks_free(f->blocks);
            f->blocks = NULL;
        }
    }
    return status;
}

sal_status sal_factor_new(sal_factor **factor, int n, const int *colptr, const int *rowind,
                          sal_factor_method method, sal_err *err)
{
    sal_factor *f = sal_alloc(1, sizeof *f);
    *factor = NULL;
    if (f == NULL) {
        return sal_fail(err, SAL_NOMEM, "no memory to factorise %d variables", n);
    }
    f->n = n;
    if (choose(f, colptr, rowind, method) != SAL_OK) {
        no_memory(f, err);
        sal_factor_free(f);
        return SAL_NOMEM;
    }
    *factor = f;
    return SAL_OK;
}

void sal_factor_free(sal_factor *f)
{
    if (f != NULL) {
        sal_blocks_free(f->blocks);
        sal_cholmod_free(f->cholmod);
        sal_free(f);
    }
}

sal_factor_method sal_factor_chosen(const sal_factor *f)
{
    return f->blocks != NULL ? SAL_FACTOR_BLOCKS : SAL_FACTOR_CHOLMOD;
}

void sal_mix_entries(const sal_mix *mix, double *out, int k, int n)
{
    for (int i = 0; i < n; i++) {
        out[i] =
            (mix->a != 0 ? mix->a * mix->X[k + i] : 0) + (mix->b != 0 ? mix->b * mix->Y[k + i] : 0);
    }
}

sal_status sal_factor_compute(sal_factor *f, const sal_mix *A, sal_err *err)
{
    const sal_status status =
        f->blocks != NULL ? sal_blocks_compute(f->blocks, A) : sal_cholmod_compute(f->cholmod, A);
    return status == SAL_SINGULAR ? sal_fail(err, status, "a matrix is not positive definite")
           : status != SAL_OK     ? no_memory(f, err)
                                  : SAL_OK;
}

sal_status sal_factor_solve(sal_factor *f, double *x, sal_err *err)
{
    if (f->blocks != NULL) {
        sal_blocks_solve(f->blocks, x);
        return SAL_OK;
    }
    return sal_cholmod_solve(f->cholmod, x) == SAL_OK ? SAL_OK : no_memory(f, err);
}
