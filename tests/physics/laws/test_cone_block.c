/* One contact with a full matrix. */
#include "tests/check.h"
#include "tests/physics/laws/cones.h"

#include "base/memory.h"
#include "base/rng.h"
#include "physics/laws/cone_block.h"
#include "physics/laws/convex.h"

static sal_status solve_near(double *f, const phy_impulse_block *block, const double *B,
                             const double *b, double near)
{
    phy_cone_matrix matrix;
    const sal_status status = phy_cone_prepare(&matrix, block, B, block->dim);
    return status == SAL_OK ? phy_cone_minimise(f, &matrix, b, near) : status;
}

static sal_status solve(double *f, const phy_impulse_block *block, const double *B, const double *b)
{
    return solve_near(f, block, B, b, 0);
}

/* B = W D W' with eigenvalues over `decades`, W random but not orthogonal */
static void random_matrix(double *B, sal_rng *rng, int n, double decades)
{
    double W[36], D[6];
    for (int i = 0; i < n * n; i++) {
        W[i] = sal_rng_normal(rng);
    }
    for (int i = 0; i < n; i++) {
        D[i] = pow(10, sal_rng_uniform(rng, -decades, 0));
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            B[i * n + j] = 0;
            for (int k = 0; k < n; k++) {
                B[i * n + j] += W[i * n + k] * D[k] * W[j * n + k];
            }
        }
    }
}

/* The fault of f, with the gradient in units of the largest |b|. */
static double fault_of(const phy_impulse_block *block, const double *f, const double *B,
                       const double *b)
{
    double grad[6], scale = 0;
    const int n = block->dim;
    for (int i = 0; i < n; i++) {
        grad[i] = b[i];
        double size = fabs(b[i]);
        for (int j = 0; j < n; j++) {
            grad[i] += B[i * n + j] * f[j];
            size += fabs(B[i * n + j] * f[j]);
        }
        scale = fmax(scale, size);
    }
    for (int i = 0; i < n; i++) {
        grad[i] = i > 0 && block->mu[i - 1] == 0 ? 0 : grad[i] / scale;
    }
    return cones_fault(block, f, grad);
}

static void known_values(void)
{
    const double mu[2] = {.5, .5}, one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, b[3] = {.1, 1, 0};
    const phy_impulse_block block = {PHY_IMPULSE_CONE, 0, 3, mu, 0};
    double f[3];
    CHECK(solve(f, &block, one, b) == SAL_OK); /* where a step along the ray stays at 0 */
    CHECK_NEAR(f[0], .32, 1e-15);
    CHECK_NEAR(f[1], -.16, 1e-15);
    CHECK_NEAR(f[2], 0, 1e-15);
    const double A[9] = {2, .5, 0, .5, 1, 0, 0, 0, 1}, c[3] = {-1, 1.2, .3};
    CHECK(solve(f, &block, A, c) == SAL_OK); /* found by another solver, to nine digits */
    CHECK(fault_of(&block, f, A, c) < 1e-15);
    CHECK_NEAR(f[0], 0.919874074611, 1e-8);
    CHECK_NEAR(f[1], -0.452604664006, 1e-8);
    CHECK_NEAR(f[2], -0.081799122276, 1e-8);
}

/* The conditions of optimality, which are sufficient: the problem is convex. */
static void the_force_is_optimal(void)
{
    static const int dims[] = {1, 2, 3, 4, 6};
    sal_rng rng = {3};
    double worst[2] = {0};
    int borders = 0;
    for (int k = 0; k < 40000; k++) {
        double B[36], b[6], f[6], mu[5];
        const int hard = k & 1;
        const phy_impulse_block block = {PHY_IMPULSE_CONE, 0, dims[k % 5], mu, 0};
        random_matrix(B, &rng, block.dim, hard ? 6 : 1);
        for (int j = 0; j < 5; j++) {
            mu[j] = hard ? pow(10, sal_rng_uniform(&rng, -4, 1)) : .5 + .1 * j;
        }
        mu[1] = k % 17 == 0 ? 0 : mu[1];
        for (int j = 0; j < 6; j++) {
            b[j] = sal_rng_normal(&rng);
        }
        CHECK(solve(f, &block, B, b) == SAL_OK);
        worst[hard] = fmax(worst[hard], fault_of(&block, f, B, b));
        const double near = f[0] * pow(10, sal_rng_uniform(&rng, -3, 3)); /* a guess, good or bad */
        CHECK(solve_near(f, &block, B, b, near) == SAL_OK);
        worst[hard] = fmax(worst[hard], fault_of(&block, f, B, b));
        borders += f[0] > 0 && cones_reach(&block, f) > (1 - 1e-12) * f[0];
    }
    printf("worst fault %.1e, of six decades %.1e; %d slip\n", worst[0], worst[1], borders);
    CHECK(worst[0] < 1e-12);
    CHECK(worst[1] < 1e-9);
    CHECK(borders > 10000);
}

/* With a diagonal matrix it is the closed inverse of the convex model. */
static void diagonal_matrix(void)
{
    sal_rng rng = {4};
    double worst = 0;
    for (int k = 0; k < 5000; k++) {
        double B[36] = {0}, R[6], b[6], f[6], g[6], s, mu[5];
        sal_efc_state zone;
        const phy_impulse_block block = {PHY_IMPULSE_CONE, 0, k & 1 ? 3 : 6, mu, 0};
        for (int j = 0; j < 6; j++) {
            R[j] = pow(10, sal_rng_uniform(&rng, -1, 1));
            b[j] = sal_rng_normal(&rng);
            mu[j < 5 ? j : 0] = pow(10, sal_rng_uniform(&rng, -1, .5));
        }
        for (int j = 0; j < block.dim; j++) {
            B[j * block.dim + j] = R[j];
        }
        CHECK(solve(f, &block, B, b) == SAL_OK);
        CHECK(phy_convex_inverse(g, &s, &zone, &block, R, b) == SAL_OK);
        for (int j = 0; j < block.dim; j++) {
            worst = fmax(worst, fabs(f[j] - g[j]) / (fabs(g[0]) + 1e-3));
        }
    }
    printf("worst difference %.1e\n", worst);
    CHECK(worst < 1e-12);
}

/* A matrix of rank 3 and dim 6: any minimum will do. */
static void semidefinite_matrix(void)
{
    sal_rng rng = {5};
    double worst = 0;
    for (int k = 0; k < 2000; k++) {
        double W[18], B[36], b[6] = {0}, f[6];
        const double mu[5] = {.5, .5, .02, .01, .01};
        const phy_impulse_block block = {PHY_IMPULSE_CONE, 0, 6, mu, 0};
        for (int i = 0; i < 18; i++) {
            W[i] = sal_rng_normal(&rng);
        }
        for (int i = 0; i < 6; i++) {
            for (int j = 0; j < 6; j++) {
                B[i * 6 + j] = W[i] * W[j] + W[i + 6] * W[j + 6] + W[i + 12] * W[j + 12];
            }
            b[i] = W[i] - W[i + 6] + .3 * W[i + 12]; /* in the range of B: there is a minimum */
        }
        CHECK(solve(f, &block, B, b) == SAL_OK);
        worst = fmax(worst, fault_of(&block, f, B, b));
    }
    printf("worst fault %.1e\n", worst);
    CHECK(worst < 1e-6);
}

static void bad_input_is_said(void)
{
    const double mu[2] = {.5, .5};
    const phy_impulse_block block = {PHY_IMPULSE_CONE, 0, 3, mu, 0};
    double B[9] = {2, 0, 0, 0, 1, 0, 0, 0, 1}, b[3] = {-1, 2, 3}, f[3];
    for (int i = 0; i < 3; i++) {
        b[i] = NAN;
        CHECK(solve(f, &block, B, b) == SAL_DIVERGED && f[0] == 0);
        b[i] = 1;
        B[4 * i] = NAN;
        CHECK(solve(f, &block, B, b) == SAL_DIVERGED);
        B[4 * i] = -1;
        CHECK(solve(f, &block, B, b) == SAL_SINGULAR);
        B[4 * i] = 1;
    }
    B[1] = B[3] = 2;
    CHECK(solve(f, &block, B, b) == SAL_SINGULAR);
}

static void nothing_allocates(void)
{
    CHECK(sal_alloc_count() == 0); /* nor did any case before */
}

int main(void)
{
    RUN(known_values);
    RUN(the_force_is_optimal);
    RUN(diagonal_matrix);
    RUN(semidefinite_matrix);
    RUN(bad_input_is_said);
    RUN(nothing_allocates);
    return check_done();
}
