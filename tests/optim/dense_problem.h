/* dense_problem.h: small dense problems for the tests, residuals as analytic functions of complex
 * numbers. Jacobians by complex step (Squire, Trapp, "Using complex variables to estimate
 * derivatives of real functions", SIAM Review 40, 1998): exact to rounding. */
#ifndef SAL_TESTS_OPTIM_DENSE_PROBLEM_H
#define SAL_TESTS_OPTIM_DENSE_PROBLEM_H

#include "optim/optim.h"

#include <complex.h>

typedef double complex cplx;
typedef void (*residual_fn)(cplx *r, const cplx *x, int n, int m);

enum { DENSE_NMAX = 40, DENSE_MMAX = 100, DENSE_SEGMENTS = 3 };

typedef struct dense {
    residual_fn residual;
    int n;
    int m;
    int col[DENSE_NMAX];
    sal_segment seg[DENSE_SEGMENTS];
    sal_block block;
    sal_nls nls;
} dense;

static inline void dense_retract(void *ctx, double *out, const double *x, const double *d)
{
    const dense *p = ctx;
    for (int i = 0; i < p->n; i++) {
        out[i] = x[i] + d[i];
    }
}

static inline sal_status dense_residual(void *ctx, double *r, const double *x, sal_err *err)
{
    const dense *p = ctx;
    cplx z[DENSE_NMAX], f[DENSE_MMAX];
    for (int i = 0; i < p->n; i++) {
        z[i] = x[i];
    }
    p->residual(f, z, p->n, p->m);
    for (int i = 0; i < p->m; i++) {
        r[i] = creal(f[i]);
        if (!isfinite(r[i])) {
            return sal_fail(err, SAL_DIVERGED, "residual %d is not finite", i);
        }
    }
    return SAL_OK;
}

static inline sal_status dense_linearise(void *ctx, double *r, double *J, const double *x,
                                         sal_err *err)
{
    const dense *p = ctx;
    const double h = 1e-100;
    cplx z[DENSE_NMAX], f[DENSE_MMAX];
    for (int j = 0; j < p->n; j++) {
        for (int i = 0; i < p->n; i++) {
            z[i] = x[i] + (i == j ? h : 0) * (cplx)I;
        }
        p->residual(f, z, p->n, p->m);
        for (int i = 0; i < p->m; i++) {
            J[i * p->n + j] = cimag(f[i]) / h;
        }
    }
    return dense_residual(ctx, r, x, err);
}

/* One dense block of m residuals in n variables: first the terms, then `equalities`, then
 * `ranges`. */
static inline void dense_problem(dense *p, residual_fn residual, int n, int m, int equalities,
                                 int ranges)
{
    *p = (dense){.residual = residual, .n = n, .m = m};
    for (int i = 0; i < n; i++) {
        p->col[i] = i;
    }
    p->seg[0] = (sal_segment){.n = m - equalities - ranges, .weight = 1};
    p->seg[1] = (sal_segment){.n = equalities, .weight = 100, .constraint = true, .tol = 1e-9};
    p->seg[2] =
        (sal_segment){.n = ranges, .weight = 100, .constraint = true, .range = true, .tol = 1e-9};
    p->block =
        (sal_block){.nres = m, .ncol = n, .col = p->col, .nseg = DENSE_SEGMENTS, .seg = p->seg};
    p->nls = (sal_nls){.ctx = p,
                       .nx = n,
                       .nvar = n,
                       .nblock = 1,
                       .block = &p->block,
                       .retract = dense_retract,
                       .residual = dense_residual,
                       .linearise = dense_linearise};
}

#endif
