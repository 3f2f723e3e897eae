/* factor.c: the choice of a method. */
#include "optim/factor.h"

#include "optim/banded.h"
#include "optim/cholmod.h"

struct opt_factor {
    int n;
    opt_banded *banded; /* one of the two */
    opt_cholmod *cholmod;
};

static const int BLOCK_LEAST =
    4; /* variables of a block, on average, that dense arithmetic needs to pay */
static const double FILL_MOST = 2;   /* times the work in the other order */
static const double FILL_LITTLE = 4; /* times the work without fill-in: no other order is tried */

static sal_status no_memory(const opt_factor *f, sal_err *err)
{
    return sal_fail(err, SAL_NOMEM, "not enough memory to factorise %d variables", f->n);
}

/* Sum of squares of the lengths of the columns of H: the work if nothing filled in */
static double work_without_fill(int n, const int *colptr)
{
    double work = 0;
    for (int j = 0; j < n; j++) {
        work += (double)(colptr[j + 1] - colptr[j]) * (double)(colptr[j + 1] - colptr[j]);
    }
    return work;
}

static sal_status choose(opt_factor *f, const int *colptr, const int *rowind,
                         sal_factor_method method, int nthread)
{
    double work_banded = 0, work_cholmod = 0;
    sal_status status = SAL_OK;
    if (method != SAL_FACTOR_CHOLMOD) {
        const int most = method == SAL_FACTOR_AUTO ? f->n / BLOCK_LEAST : f->n;
        status = opt_banded_new(&f->banded, f->n, colptr, rowind, most, nthread, &work_banded);
    }
    if (f->banded != NULL && work_banded <= FILL_LITTLE * work_without_fill(f->n, colptr)) {
        return status;
    }
    if (status == SAL_OK && method != SAL_FACTOR_BANDED) {
        status = opt_cholmod_new(&f->cholmod, f->n, colptr, rowind, &work_cholmod);
    }
    if (status == SAL_OK && method == SAL_FACTOR_AUTO && f->banded != NULL) {
        if (work_banded <= FILL_MOST * work_cholmod) {
            opt_cholmod_free(f->cholmod);
            f->cholmod = NULL;
        } else {
            opt_banded_free(f->banded);
            f->banded = NULL;
        }
    }
    return status;
}

sal_status opt_factor_new(opt_factor **factor, int n, const int *colptr, const int *rowind,
                          sal_factor_method method, int nthread, sal_err *err)
{
    opt_factor *f = sal_alloc(1, sizeof *f);
    *factor = NULL;
    if (f == NULL) {
        return sal_fail(err, SAL_NOMEM, "not enough memory to factorise %d variables", n);
    }
    f->n = n;
    if (choose(f, colptr, rowind, method, nthread) != SAL_OK) {
        no_memory(f, err);
        opt_factor_free(f);
        return SAL_NOMEM;
    }
    *factor = f;
    return SAL_OK;
}

void opt_factor_free(opt_factor *f)
{
    if (f != NULL) {
        opt_banded_free(f->banded);
        opt_cholmod_free(f->cholmod);
        sal_free(f);
    }
}

sal_factor_method opt_factor_chosen(const opt_factor *f)
{
    return f->banded != NULL ? SAL_FACTOR_BANDED : SAL_FACTOR_CHOLMOD;
}

bool opt_factor_halves(const opt_factor *f, unsigned char *half)
{
    return f->banded != NULL && opt_banded_halves(f->banded, half);
}

sal_status opt_factor_share(opt_factor *f, opt_spread *spread)
{
    return opt_banded_share(f->banded, spread);
}

double *opt_factor_room(const opt_factor *f)
{
    return f->banded != NULL ? opt_banded_room(f->banded) : NULL;
}

sal_status opt_factor_compute(opt_factor *f, const opt_mix *A, sal_err *err)
{
    const sal_status status =
        f->banded != NULL ? opt_banded_compute(f->banded, A) : opt_cholmod_compute(f->cholmod, A);
    return status == SAL_SINGULAR
               ? sal_fail(err, status,
                          "the matrix of the Gauss-Newton step is not positive definite")
           : status != SAL_OK ? no_memory(f, err)
                              : SAL_OK;
}

sal_status opt_factor_solve(opt_factor *f, double *x, sal_err *err)
{
    if (f->banded != NULL) {
        opt_banded_solve(f->banded, x);
        return SAL_OK;
    }
    return opt_cholmod_solve(f->cholmod, x) == SAL_OK ? SAL_OK : no_memory(f, err);
}
