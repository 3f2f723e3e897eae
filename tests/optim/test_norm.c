#include "tests/check.h"

#include "base/house.h"
#include "optim/optim.h"

/* root'root and root'scaled of a segment */
static void curvature_and_gradient(const sal_norm *norm, const double *r, int n, double *H,
                                   double *g)
{
    double scaled[8], root[64];
    bool diagonal;
    sal_norm_scale(norm, r, n, scaled, root, &diagonal);
    for (int i = 0; i < n; i++) {
        g[i] = 0;
        for (int j = 0; j < n; j++) {
            H[i * n + j] = 0;
            for (int k = 0; k < n; k++) {
                const double ki = diagonal ? (k == i) * root[i] : root[k * n + i];
                const double kj = diagonal ? (k == j) * root[j] : root[k * n + j];
                H[i * n + j] += ki * kj;
                g[i] += j == 0 ? ki * scaled[k] : 0;
            }
        }
    }
}

/* every kind with parameters, and the range of r in which it lives */
static const struct {
    sal_norm norm;
    double reach;
} norms[] = {
    {{SAL_NORM_QUADRATIC, 0, 0}, 3},    {{SAL_NORM_L2, 0.5, 0}, 2},
    {{SAL_NORM_SMOOTHABS, 0.3, 0}, 1},  {{SAL_NORM_SMOOTHABS2, 0.5, 2.5}, 1},
    {{SAL_NORM_COSH, 0.7, 0}, 3},       {{SAL_NORM_POWER, 3, 0}, 3},
    {{SAL_NORM_POWER, 1.5, 0}, 3},      {{SAL_NORM_SOFTPLUS, 0.4, 0}, 1},
    {{SAL_NORM_BARRIER, 1.2, 0}, 1.15}, {{SAL_NORM_HUBER, 0.4, 0}, 2},
    {{SAL_NORM_CAUCHY, 0.4, 0}, 2},     {{SAL_NORM_GEMANMCCLURE, 0.8, 0}, 2},
};
enum { NORMS = sizeof norms / sizeof norms[0], N = 4 };

/* Their curvature is that of the parabola that touches them. */
static bool reweighted(int k)
{
    return norms[k].norm.kind == SAL_NORM_HUBER || norms[k].norm.kind == SAL_NORM_CAUCHY ||
           norms[k].norm.kind == SAL_NORM_GEMANMCCLURE;
}

static void draw(sal_rng *rng, double *r, double reach)
{
    for (int i = 0; i < N; i++) {
        r[i] = sal_rng_uniform(rng, -reach, reach);
    }
}

static void gradient_is_that_of_the_value(void)
{
    sal_rng rng = {1};
    for (int k = 0; k < NORMS; k++) {
        for (int trial = 0; trial < 50; trial++) {
            double r[N], H[N * N], g[N];
            draw(&rng, r, norms[k].reach);
            curvature_and_gradient(&norms[k].norm, r, N, H, g);
            for (int i = 0; i < N; i++) {
                const double h = 1e-6, at = r[i];
                r[i] = at + h;
                const double above = sal_norm_value(&norms[k].norm, r, N);
                r[i] = at - h;
                const double below = sal_norm_value(&norms[k].norm, r, N);
                r[i] = at;
                CHECK_NEAR(g[i], (above - below) / (2 * h), 1e-7 * (1 + fabs(g[i])));
            }
        }
    }
}

/* Within a few widths of zero the floor of the curvature (1 % of phi'/r) is not reached, and
 * root'root is the Hessian itself. */
static void curvature_is_the_hessian(void)
{
    sal_rng rng = {2};
    for (int k = 0; k < NORMS; k++) {
        for (int trial = 0; trial < 50 && !reweighted(k); trial++) {
            double r[N], H[N * N], g[N], above[N], below[N], unused[N * N];
            draw(&rng, r, norms[k].reach);
            for (int i = 0; i < N; i++) {
                r[i] += copysign(0.02, r[i]); /* |r|^1.5 has no second derivative at 0 */
                r[i] *= fabs(r[i]) < norms[k].reach ? 1 : 0.9;
            }
            curvature_and_gradient(&norms[k].norm, r, N, H, g);
            for (int j = 0; j < N; j++) {
                const double h = 1e-6, at = r[j];
                r[j] = at + h;
                curvature_and_gradient(&norms[k].norm, r, N, unused, above);
                r[j] = at - h;
                curvature_and_gradient(&norms[k].norm, r, N, unused, below);
                r[j] = at;
                for (int i = 0; i < N; i++) {
                    const double second = (above[i] - below[i]) / (2 * h);
                    CHECK_NEAR(H[i * N + j], second, 1e-6 * (1 + fabs(second)));
                }
            }
        }
    }
}

/* phi lies below its parabola everywhere, touches it at r and again at -r: no flatter one would
 * do. */
static void reweighted_norms_lie_below_their_parabola(void)
{
    sal_rng rng = {3};
    for (int k = 0; k < NORMS; k++) {
        for (int trial = 0; trial < 200 && reweighted(k); trial++) {
            double r[N], to[N], H[N * N], g[N];
            draw(&rng, r, norms[k].reach);
            draw(&rng, to, 3 * norms[k].reach);
            if (trial % 4 == 0) {
                for (int i = 0; i < N; i++) {
                    to[i] = -r[i];
                }
            }
            curvature_and_gradient(&norms[k].norm, r, N, H, g);
            double parabola = sal_norm_value(&norms[k].norm, r, N);
            for (int i = 0; i < N; i++) {
                parabola += g[i] * (to[i] - r[i]);
                for (int j = 0; j < N; j++) {
                    parabola += 0.5 * (to[i] - r[i]) * H[i * N + j] * (to[j] - r[j]);
                }
            }
            const double below = parabola - sal_norm_value(&norms[k].norm, to, N);
            CHECK(below >= -1e-13);
            CHECK(trial % 4 != 0 || below <= 1e-13);
        }
    }
}

static double value(sal_norm norm, double a, double b)
{
    const double r[2] = {a, b};
    return sal_norm_value(&norm, r, 2);
}

static void values_are_those_of_the_formulas(void)
{
    CHECK_NEAR(value((sal_norm){SAL_NORM_QUADRATIC, 0, 0}, 3, 4), 12.5, 0);
    CHECK_NEAR(value((sal_norm){SAL_NORM_L2, 0, 0}, 3, 4), 5, 1e-15);
    CHECK_NEAR(value((sal_norm){SAL_NORM_L2, 12, 0}, 3, 4), 1, 1e-15);        /* 13 - 12 */
    CHECK_NEAR(value((sal_norm){SAL_NORM_SMOOTHABS, 4, 0}, 3, -3), 2, 1e-15); /* 2 (5 - 4) */
    CHECK_NEAR(value((sal_norm){SAL_NORM_SMOOTHABS2, 4, 2}, 3, -3), 2, 1e-14);
    CHECK_NEAR(value((sal_norm){SAL_NORM_COSH, 2, 0}, 2, 0), 4 * (cosh(1) - 1), 1e-14);
    CHECK_NEAR(value((sal_norm){SAL_NORM_POWER, 3, 0}, -2, 1), 9, 1e-14);
    CHECK_NEAR(value((sal_norm){SAL_NORM_SOFTPLUS, 0.5, 0}, 0, 0), log(2), 1e-15);
    CHECK_NEAR(value((sal_norm){SAL_NORM_BARRIER, 2, 0}, 1, 0), -4 * log(0.75), 1e-15);
    CHECK_NEAR(value((sal_norm){SAL_NORM_HUBER, 5. / 12, 0}, .6, .8), 25. / 144 * 1.6, 1e-15);
    CHECK_NEAR(value((sal_norm){SAL_NORM_CAUCHY, 5, 0}, 3, 4), 12.5 * log(2), 1e-14);
    CHECK_NEAR(value((sal_norm){SAL_NORM_GEMANMCCLURE, 5, 0}, 3, 4), 6.25, 1e-14);
    CHECK(isinf(value((sal_norm){SAL_NORM_BARRIER, 2, 0}, 2, 0)));
    CHECK(isinf(value((sal_norm){SAL_NORM_BARRIER, 2, 0}, 0, -3)));
}

/* sqrt(r^2 + p^2) - p loses all digits for r << p if written so */
static void small_residuals_keep_their_digits(void)
{
    CHECK_NEAR(value((sal_norm){SAL_NORM_SMOOTHABS, 1, 0}, 1e-9, 0), 0.5e-18, 1e-33);
    CHECK_NEAR(value((sal_norm){SAL_NORM_COSH, 1, 0}, 1e-9, 0), 0.5e-18, 1e-33);
    CHECK_NEAR(value((sal_norm){SAL_NORM_BARRIER, 1, 0}, 1e-9, 0), 1e-18, 1e-33);
    CHECK_NEAR(value((sal_norm){SAL_NORM_L2, 1, 0}, 1e-9, 0), 0.5e-18, 1e-33);
    CHECK_NEAR(value((sal_norm){SAL_NORM_HUBER, 1, 0}, 1e-9, 0), 0.5e-18, 1e-33);
    CHECK_NEAR(value((sal_norm){SAL_NORM_CAUCHY, 1, 0}, 1e-9, 0), 0.5e-18, 1e-33);
    CHECK_NEAR(value((sal_norm){SAL_NORM_GEMANMCCLURE, 1, 0}, 1e-9, 0), 0.5e-18, 1e-33);
}

static void extremes_stay_finite(void)
{
    static const double extremes[] = {0, 1e-300, -1e-12, 1e-8, 50, -300, 1e10, -1e100};
    for (int k = 0; k < NORMS; k++) {
        for (size_t e = 0; e < sizeof extremes / sizeof extremes[0]; e++) {
            const sal_norm_kind kind = norms[k].norm.kind;
            if ((kind == SAL_NORM_COSH || kind == SAL_NORM_BARRIER) && fabs(extremes[e]) > 1) {
                continue; /* infinite by nature */
            }
            double scaled[1], root[1];
            bool diagonal;
            const double v =
                sal_norm_scale(&norms[k].norm, &extremes[e], 1, scaled, root, &diagonal);
            CHECK(isfinite(v) && isfinite(scaled[0]) && isfinite(root[0]) && root[0] >= 0);
        }
    }
}

int main(void)
{
    RUN(gradient_is_that_of_the_value);
    RUN(curvature_is_the_hessian);
    RUN(reweighted_norms_lie_below_their_parabola);
    RUN(values_are_those_of_the_formulas);
    RUN(small_residuals_keep_their_digits);
    RUN(extremes_stay_finite);
    return check_done();
}
