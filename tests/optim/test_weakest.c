/* The directions that a problem determines least, against those of a chain of springs, which are
 * known: H = D'D with D x = (x_1 - x_0, x_2 - x_1, ..) has the eigenvalues 2 - 2 cos(pi k/n), k =
 * 0..n-1; for k = 0 the whole chain moves. Its largest diagonal entry is 2. */
#include "tests/check.h"

#include "optim/optim.h"

#include <stdbool.h>

enum { N = 12, K = 3 };

static void move(void *ctx, double *out, const double *x, const double *d)
{
    (void)ctx;
    for (int i = 0; i < N; i++) {
        out[i] = x[i] + d[i];
    }
}

static sal_status stretch(void *ctx, double *r, const double *x, sal_err *err)
{
    (void)ctx;
    (void)err;
    for (int b = 0; b < N - 1; b++) {
        r[b] = x[b + 1] - x[b];
    }
    return SAL_OK;
}

static sal_status slope(void *ctx, double *r, double *J, const double *x, sal_err *err)
{
    for (int b = 0; b < N - 1; b++) {
        J[2 * b] = -1;
        J[2 * b + 1] = 1;
    }
    return stretch(ctx, r, x, err);
}

static void a_chain_moves_as_a_whole(void)
{
    static const sal_segment spring = {.n = 1, .weight = 1};
    int col[N - 1][2];
    sal_block block[N - 1];
    double x[N] = {0}, V[K * N], curvature[K];
    sal_nls nls = {.nx = N,
                   .nvar = N,
                   .nblock = N - 1,
                   .block = block,
                   .retract = move,
                   .residual = stretch,
                   .linearise = slope};
    sal_optim_options options;
    sal_optim *optim = NULL;
    sal_err err;
    for (int b = 0; b < N - 1; b++) {
        col[b][0] = b, col[b][1] = b + 1;
        block[b] = (sal_block){.nres = 1, .ncol = 2, .col = col[b], .nseg = 1, .seg = &spring};
    }
    sal_optim_defaults(&options);
    CHECK_OK(sal_optim_new(&optim, &nls, &options, &err), err);
    CHECK_OK(sal_optim_weakest(optim, x, K, V, curvature, &err), err);
    for (int k = 0; k < K; k++) {
        CHECK_NEAR(curvature[k], 1 - cos(acos(-1.0) * k / N), 1e-6);
    }
    CHECK(curvature[0] < 1e-13);
    for (int i = 0; i < N; i++) {
        CHECK_NEAR(fabs(V[i]), 1 / sqrt(N), 1e-9);
        CHECK(V[i] * V[0] > 0);
    }
    sal_optim_free(optim);
}

int main(void)
{
    RUN(a_chain_moves_as_a_whole);
    return check_done();
}
