/* cholmod.c: the factorisation by CHOLMOD, the only file that knows it.
 *
 * Simplicial L D L' (Davis, "Direct methods for sparse linear systems", 2006, chapter 4): its
 * result does not depend on BLAS threads, as that of the supernodal method does; where there are
 * dense blocks to use, banded.c does. The matrix is handed over already permuted, upper triangle by
 * columns: then CHOLMOD factorises it in place, without a copy.
 */
#include "optim/cholmod.h"

#include "base/base.h"

#include <suitesparse/cholmod.h>

#include <math.h>
#include <stdbool.h>
#include <string.h>

struct opt_cholmod {
    int n, nnz;
    int *order;  /* [n] order[k]: the variable eliminated k-th */
    int *source; /* [nnz] entry k of `upper` is the entry source[k] of the caller's values */
    cholmod_common common;
    cholmod_sparse *upper; /* P H P' */
    cholmod_factor *L;
    cholmod_dense *b, *x, *y, *e; /* right side, solution and CHOLMOD's work space */
};

/* The elimination order that fills in least, of the given one and approximate minimum degree. */
static sal_status find_order(opt_cholmod *f, const int *colptr, const int *rowind, double *work)
{
    cholmod_common *c = &f->common;
    cholmod_sparse lower = {.nrow = (size_t)f->n,
                            .ncol = (size_t)f->n,
                            .nzmax = (size_t)f->nnz,
                            .stype = -1,
                            .itype = CHOLMOD_INT,
                            .xtype = CHOLMOD_PATTERN,
                            .dtype = CHOLMOD_DOUBLE,
                            .sorted = 1,
                            .packed = 1};
    memcpy(&lower.p, &colptr,
           sizeof colptr); /* CHOLMOD only reads them, but its type is not const */
    memcpy(&lower.i, &rowind, sizeof rowind);
    c->nmethods = 2;
    c->method[0].ordering = CHOLMOD_NATURAL;
    c->method[1].ordering = CHOLMOD_AMD;
    c->postorder = 1;
    cholmod_factor *symbolic = cholmod_analyze(&lower, c);
    if (symbolic == NULL) {
        return SAL_NOMEM;
    }
    *work = c->fl;
    memcpy(f->order, symbolic->Perm, (size_t)f->n * sizeof(int));
    cholmod_free_factor(&symbolic, c);
    return SAL_OK;
}

/* The column of P H P' whose upper part an entry of H comes to, and its row there. */
static int upper_column(const int *place, int i, int j, int *row)
{
    const int a = place[i], b = place[j];
    *row = a > b ? b : a;
    return a > b ? a : b;
}

/* The pattern of the upper triangle of P H P', and where its values come from. `place` and `next`:
 * scratch [n] each. */
static void permute(opt_cholmod *f, const int *colptr, const int *rowind, int *place, int *next)
{
    int *p = f->upper->p, *index = f->upper->i, row;
    for (int k = 0; k < f->n; k++) {
        place[f->order[k]] = k;
    }
    for (int j = 0; j < f->n; j++) {
        for (int k = colptr[j]; k < colptr[j + 1]; k++) {
            p[upper_column(place, rowind[k], j, &row) + 1]++;
        }
    }
    for (int j = 0; j < f->n; j++) {
        p[j + 1] += p[j];
        next[j] = p[j];
    }
    for (int j = 0; j < f->n; j++) {
        for (int k = colptr[j]; k < colptr[j + 1]; k++) {
            const int at = next[upper_column(place, rowind[k], j, &row)]++;
            index[at] = row;
            f->source[at] = k;
        }
    }
}

/* Symbolic factor of the permuted matrix, in the order it stands. */
static sal_status analyse(opt_cholmod *f)
{
    cholmod_common *c = &f->common;
    c->nmethods = 1;
    c->method[0].ordering = CHOLMOD_NATURAL;
    c->postorder = 0;
    f->L = cholmod_analyze(f->upper, c);
    return f->L == NULL ? SAL_NOMEM : SAL_OK;
}

static sal_status build(opt_cholmod *f, const int *colptr, const int *rowind, double *work)
{
    const size_t n = (size_t)f->n, nnz = (size_t)f->nnz;
    cholmod_common *c = &f->common;
    int *scratch = sal_alloc(2 * n, sizeof(int));
    sal_status status = SAL_NOMEM;
    f->order = sal_alloc(n, sizeof(int));
    f->source = sal_alloc(nnz, sizeof(int));
    f->upper = cholmod_allocate_sparse(n, n, nnz, 0, 1, 1, CHOLMOD_REAL, c);
    f->b = cholmod_zeros(n, 1, CHOLMOD_REAL, c);
    if (scratch == NULL || f->order == NULL || f->source == NULL || f->upper == NULL ||
        f->b == NULL) {
        goto done;
    }
    status = find_order(f, colptr, rowind, work);
    if (status != SAL_OK) {
        goto done;
    }
    memset(f->upper->p, 0, (n + 1) * sizeof(int));
    permute(f, colptr, rowind, scratch, scratch + n);
    status = analyse(f);
done:
    sal_free(scratch);
    return status;
}

sal_status opt_cholmod_new(opt_cholmod **cholmod, int n, const int *colptr, const int *rowind,
                           double *work)
{
    opt_cholmod *f = sal_alloc(1, sizeof *f);
    *cholmod = NULL;
    if (f == NULL) {
        return SAL_NOMEM;
    }
    f->n = n;
    f->nnz = colptr[n];
    cholmod_start(&f->common);
    f->common.print = 0;
    f->common.supernodal = CHOLMOD_SIMPLICIAL;
    f->common.final_ll = 0;
    if (build(f, colptr, rowind, work) != SAL_OK) {
        opt_cholmod_free(f);
        return SAL_NOMEM;
    }
    *cholmod = f;
    return SAL_OK;
}

void opt_cholmod_free(opt_cholmod *f)
{
    if (f == NULL) {
        return;
    }
    cholmod_common *c = &f->common;
    cholmod_free_dense(&f->b, c);
    cholmod_free_dense(&f->x, c);
    cholmod_free_dense(&f->y, c);
    cholmod_free_dense(&f->e, c);
    cholmod_free_factor(&f->L, c);
    cholmod_free_sparse(&f->upper, c);
    cholmod_finish(c);
    sal_free(f->order);
    sal_free(f->source);
    sal_free(f);
}

/* Is every entry of D positive? A NaN is not. */
static bool is_definite(const opt_cholmod *f)
{
    const double *x = f->L->x;
    const int *p = f->L->p;
    for (int j = 0; j < f->n; j++) {
        if (!(x[p[j]] > 0 && isfinite(x[p[j]]))) {
            return false;
        }
    }
    return f->L->minor == f->L->n;
}

sal_status opt_cholmod_compute(opt_cholmod *f, const opt_mix *A)
{
    double *x = f->upper->x, beta[2] = {A->shift, 0};
    for (int k = 0; k < f->nnz; k++) {
        x[k] = opt_mix_entry(A, f->source[k]);
    }
    if (!cholmod_factorize_p(f->upper, beta, NULL, 0, f->L, &f->common)) {
        return SAL_NOMEM;
    }
    return is_definite(f) ? SAL_OK : SAL_SINGULAR;
}

sal_status opt_cholmod_solve(opt_cholmod *f, double *x)
{
    double *b = f->b->x;
    for (int k = 0; k < f->n; k++) {
        b[k] = x[f->order[k]];
    }
    if (!cholmod_solve2(CHOLMOD_LDLt, f->L, f->b, NULL, &f->x, NULL, &f->y, &f->e, &f->common)) {
        return SAL_NOMEM;
    }
    const double *solution = f->x->x;
    for (int k = 0; k < f->n; k++) {
        x[f->order[k]] = solution[k];
    }
    return SAL_OK;
}
