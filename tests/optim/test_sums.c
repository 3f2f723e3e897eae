/* Residuals summed over the blocks, against the same problem whose last block holds the sums and
 * all variables. */
#include "tests/check.h"
#include "tests/optim/dense_problem.h"

#include "base/house.h"

enum {
    STEPS = 12,
    NV = 3,
    NVAR = STEPS * NV,
    NCOL = 2 * NV,
    NTERM = 2 * NV, /* residuals of a step that count by themselves */
    NSUM = 2,       /* and those of a sum */
    SUMS = 2,
    NRES = NTERM + SUMS * NSUM
};

/* Steps on a cycle. `dense`: the sums are residuals of one more block. */
typedef struct motion {
    bool dense;
    int col[STEPS][NCOL], all[NVAR];
    sal_segment seg[1 + SUMS], total[SUMS];
    sal_block block[STEPS + 1];
    sal_nls nls;
} motion;

/* A nonlinear chain through moving targets, then what is summed: means of x0^2 + x1 and of sin(x2)
 * + x0 x1, and of their products with the next step's */
static void step(cplx r[NRES], const cplx x[NCOL], int t)
{
    for (int i = 0; i < NV; i++) {
        r[i] = x[NV + i] - x[i] - 0.1 * csin(x[i]);
        r[NV + i] = 0.3 * (x[i] - cos(t + 2 * i));
    }
    r[NTERM] = (x[0] * x[0] + x[1] - 1.5) / STEPS;
    r[NTERM + 1] = (csin(x[2]) + x[0] * x[1] + 0.4) / STEPS;
    r[NTERM + 2] = (x[0] * x[3] - 0.7) / STEPS;
    r[NTERM + 3] = (x[1] * x[5] + 0.2) / STEPS;
}

static void step_at(cplx r[NRES], const double *x, int t, int j)
{
    cplx local[NCOL];
    for (int i = 0; i < NCOL; i++) {
        local[i] = x[(t * NV + i) % NVAR] + (i == j ? 1e-100 : 0) * (cplx)I;
    }
    step(r, local, t);
}

static sal_status residual(void *ctx, double *r, const double *x, sal_err *err)
{
    const motion *p = ctx;
    double *sum = r + STEPS * NTERM;
    (void)err;
    for (int i = 0; p->dense && i < SUMS * NSUM; i++) {
        sum[i] = 0;
    }
    for (int t = 0; t < STEPS; t++) {
        cplx f[NRES];
        step_at(f, x, t, -1);
        for (int i = 0; i < NTERM; i++) {
            *r++ = creal(f[i]);
        }
        for (int i = 0; i < SUMS * NSUM; i++) {
            if (p->dense) {
                sum[i] += creal(f[NTERM + i]);
            } else {
                *r++ = creal(f[NTERM + i]);
            }
        }
    }
    return SAL_OK;
}

static sal_status linearise(void *ctx, double *r, double *J, const double *x, sal_err *err)
{
    const motion *p = ctx;
    double *sum = J + STEPS * NTERM * NCOL;
    for (int i = 0; p->dense && i < SUMS * NSUM * NVAR; i++) {
        sum[i] = 0;
    }
    for (int t = 0; t < STEPS; t++) {
        for (int j = 0; j < NCOL; j++) {
            cplx f[NRES];
            step_at(f, x, t, j);
            for (int i = 0; i < NRES; i++) {
                const double slope = cimag(f[i]) * 1e100;
                if (i < NTERM || !p->dense) {
                    J[i * NCOL + j] = slope;
                } else {
                    sum[(i - NTERM) * NVAR + p->col[t][j]] += slope;
                }
            }
        }
        J += (p->dense ? NTERM : NRES) * NCOL;
    }
    return residual(ctx, r, x, err);
}

static void retract(void *ctx, double *out, const double *x, const double *d)
{
    (void)ctx;
    for (int i = 0; i < NVAR; i++) {
        out[i] = x[i] + d[i];
    }
}

static void make_motion(motion *p, bool as_dense, const sal_segment *first,
                        const sal_segment *second)
{
    memset(p, 0, sizeof *p);
    p->dense = as_dense;
    p->seg[0] = (sal_segment){.n = NTERM, .weight = 1};
    p->total[0] = p->seg[1] = *first;
    p->total[1] = p->seg[2] = *second;
    p->seg[1].sum = 1;
    p->seg[2].sum = 2;
    for (int j = 0; j < NVAR; j++) {
        p->all[j] = j;
    }
    for (int t = 0; t < STEPS; t++) {
        for (int j = 0; j < NCOL; j++) {
            p->col[t][j] = (t * NV + j) % NVAR;
        }
        p->block[t] = (sal_block){.nres = as_dense ? NTERM : NRES,
                                  .ncol = NCOL,
                                  .col = p->col[t],
                                  .nseg = as_dense ? 1 : 1 + SUMS,
                                  .seg = p->seg};
    }
    p->block[STEPS] = (sal_block){
        .nres = SUMS * NSUM, .ncol = NVAR, .col = p->all, .nseg = SUMS, .seg = p->total};
    p->nls = (sal_nls){.ctx = p,
                       .nx = NVAR,
                       .nvar = NVAR,
                       .nblock = STEPS + as_dense,
                       .block = p->block,
                       .retract = retract,
                       .residual = residual,
                       .linearise = linearise};
}

typedef sal_status (*method)(sal_optim *optim, double *x, sal_optim_result *result, sal_err *err);

static sal_optim_result run(const motion *p, method how, sal_factor_method factor, int nthread,
                            double *x)
{
    sal_optim_options options;
    sal_optim *optim = NULL;
    sal_optim_result result = {0};
    sal_err err = {0};
    sal_optim_defaults(&options);
    options.cap = 0;
    options.damping = 1e-2;
    options.damping_floor = 0;
    options.tolerance = 1e-12;
    options.factor = factor;
    options.nthread = nthread;
    for (int j = 0; j < NVAR; j++) {
        x[j] = 0.3 * sin(3 * j);
    }
    CHECK_OK(sal_optim_new(&optim, &p->nls, &options, &err), err);
    const long before = sal_alloc_count();
    CHECK_OK(how(optim, x, &result, &err), err);
    CHECK(sal_alloc_count() == before);
    sal_optim_free(optim);
    return result;
}

/* The sums as sums and as a dense block lead to one point, on one way. */
static void compare(const sal_segment *first, const sal_segment *second, method how)
{
    motion sparse, full;
    double x[NVAR], expected[NVAR], again[NVAR];
    make_motion(&sparse, false, first, second);
    make_motion(&full, true, first, second);
    const sal_optim_result a = run(&sparse, how, SAL_FACTOR_BANDED, 1, x),
                           b = run(&full, how, SAL_FACTOR_AUTO, 1, expected);
    CHECK(a.stop == SAL_STOP_CONVERGED);
    CHECK(a.stop == b.stop);
    CHECK(abs(a.linearisations - b.linearisations) <= 2);
    CHECK_NEAR(a.cost, b.cost, 1e-9 * (1 + b.cost));
    CHECK(a.violation <= 1 || how == sal_minimise);
    for (int j = 0; j < NVAR; j++) {
        CHECK_NEAR(x[j], expected[j], 2e-5);
    }
    run(&sparse, how, SAL_FACTOR_CHOLMOD, 1, again);
    for (int j = 0; j < NVAR; j++) {
        CHECK_NEAR(x[j], again[j], 2e-5);
    }
    for (int nthread = 2; nthread <= 3; nthread++) {
        run(&sparse, how, SAL_FACTOR_BANDED, nthread, again);
        CHECK(memcmp(x, again, sizeof x) == 0);
    }
}

static void sums_as_terms(void)
{
    static const sal_norm norms[] = {{SAL_NORM_QUADRATIC, 0, 0},  {SAL_NORM_L2, .1, 0},
                                     {SAL_NORM_SMOOTHABS, .1, 0}, {SAL_NORM_SMOOTHABS2, .1, 2.5},
                                     {SAL_NORM_COSH, .5, 0},      {SAL_NORM_SOFTPLUS, .2, 0}};
    for (size_t k = 0; k < sizeof norms / sizeof norms[0]; k++) {
        const sal_segment first = {.n = NSUM, .norm = norms[k], .weight = 30},
                          second = {.n = NSUM, .weight = 500};
        compare(&first, &second, sal_minimise);
        compare(&first, &second, sal_solve);
    }
}

static void sums_as_equalities(void)
{
    const sal_segment first = {.n = NSUM, .weight = 100, .constraint = true, .tol = 1e-10},
                      second = {.n = NSUM, .norm = {SAL_NORM_SMOOTHABS, .1, 0}, .weight = 3};
    compare(&first, &second, sal_minimise);
    compare(&first, &second, sal_solve);
}

static void sums_as_ranges(void)
{
    const sal_segment first = {.n = NSUM,
                               .weight = 100,
                               .constraint = true,
                               .range = true,
                               .tol = 1e-10},
                      second = {.n = NSUM, .weight = 100, .constraint = true, .tol = 1e-10};
    compare(&first, &second, sal_minimise);
    compare(&first, &second, sal_solve);
}

/* minimise 1/2 |sum_t x_t - 6|^2 over two numbers, to which nothing else says anything: the
 * shortest way shares the sum out equally. */
static sal_status share_residual(void *ctx, double *r, const double *x, sal_err *err)
{
    (void)ctx, (void)err;
    r[0] = x[0] - 6;
    r[1] = x[1];
    return SAL_OK;
}

static sal_status share_linearise(void *ctx, double *r, double *J, const double *x, sal_err *err)
{
    J[0] = J[1] = 1;
    return share_residual(ctx, r, x, err);
}

static void share_retract(void *ctx, double *out, const double *x, const double *d)
{
    (void)ctx;
    out[0] = x[0] + d[0];
    out[1] = x[1] + d[1];
}

static void a_sum_alone_is_shared_out(void)
{
    static const int col[2] = {0, 1};
    const sal_segment seg = {.n = 1, .weight = 1, .constraint = true, .tol = 1e-9, .sum = 1};
    sal_block block[2];
    for (int b = 0; b < 2; b++) {
        block[b] = (sal_block){.nres = 1, .ncol = 1, .col = col + b, .nseg = 1, .seg = &seg};
    }
    const sal_nls nls = {.nx = 2,
                         .nvar = 2,
                         .nblock = 2,
                         .block = block,
                         .retract = share_retract,
                         .residual = share_residual,
                         .linearise = share_linearise};
    sal_optim_options options;
    sal_optim *optim = NULL;
    sal_optim_result result;
    sal_err err = {0};
    double x[2] = {1, 0};
    sal_optim_defaults(&options);
    options.cap = 0;
    CHECK_OK(sal_optim_new(&optim, &nls, &options, &err), err);
    CHECK_OK(sal_solve(optim, x, &result, &err), err);
    CHECK(result.stop == SAL_STOP_CONVERGED);
    CHECK_NEAR(x[0], 3.5, 1e-8);
    CHECK_NEAR(x[1], 2.5, 1e-8);
    sal_optim_free(optim);
}

static void refuse(const sal_segment *first, const sal_segment *second, int sum, const char *why)
{
    motion p;
    sal_optim *optim = NULL;
    sal_optim_options options;
    sal_err err = {0};
    sal_optim_defaults(&options);
    make_motion(&p, false, first, second);
    p.seg[2].sum = sum;
    CHECK(sal_optim_new(&optim, &p.nls, &options, &err) == SAL_BADINPUT);
    CHECK(strstr(err.message, why) != NULL);
    CHECK(optim == NULL);
}

static void bad_sums_are_refused(void)
{
    const sal_segment term = {.n = NSUM, .weight = 1},
                      constraint = {.n = NSUM, .weight = 1, .constraint = true, .tol = 1};
    refuse(&term, &constraint, 1, "differs from other segments of sum 1");
    refuse(&term, &term, 3, "sum 2 of 3 has no segment");
    refuse(&term, &term, -1, "without a gap");
    refuse(&term, &term, 1000000, "without a gap");
}

int main(void)
{
    sal_parallel_share = 0; /* however small a loop is, all threads are at it */
    RUN(sums_as_terms);
    RUN(sums_as_equalities);
    RUN(sums_as_ranges);
    RUN(a_sum_alone_is_shared_out);
    RUN(bad_sums_are_refused);
    return check_done();
}
