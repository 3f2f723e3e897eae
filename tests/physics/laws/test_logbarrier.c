/* test_logbarrier.c: the smooth invertible contact model, block by block. */
#include "tests/check.h"

#include "base/memory.h"
#include "base/rng.h"
#include "physics/laws/logbarrier.h"

#include <lapacke.h>

#include <float.h>

enum { DIM = PHY_BARRIER_DIM };

/* A cone that owns its numbers. */
typedef struct sample {
    double y[DIM], R[DIM], mu[DIM];
    phy_barrier_cone cone;
} sample;

static double decades(sal_rng *rng, double low, double high)
{
    return pow(10, sal_rng_uniform(rng, low, high));
}

/* kappa = 10^kappa_low .. 1 */
static void draw(sample *s, sal_rng *rng, int dim, double kappa_low)
{
    const double size = decades(rng, -4, 3), all = decades(rng, -3, 1);
    const bool is_round = sal_rng_uniform(rng, 0, 1) < 0.4;
    for (int j = 0; j < dim; j++) {
        s->y[j] = size * sal_rng_uniform(rng, -1, 1) * (j == 0 ? decades(rng, -1, 1) : 1);
        s->R[j] = is_round && j > 1 ? s->R[1] : decades(rng, -3, 2);
        s->mu[j] = is_round ? all : decades(rng, -3, 1);
    }
    s->cone = (phy_barrier_cone){dim, s->R, s->mu, decades(rng, kappa_low, 0)};
}

static int dim_of(int i)
{
    return (const int[]){1, 3, 4, 6, 2, 5}[i % 6];
}

static phy_barrier_force force_of(const sample *s)
{
    phy_barrier_force at;
    CHECK(phy_barrier_cone_force(&at, s->y, &s->cone) == SAL_OK);
    return at;
}

/* ---- stated numbers ---- */

static void numbers_worked_by_hand(void)
{
    const double R[] = {0.5, 0.5, 0.5}, mu[] = {0.6, 0.6}, y[] = {-0.2, 0.3, -0.1};
    const phy_barrier_cone cone = {3, R, mu, 0.01}, normal = {1, R, mu, 0.01};
    phy_barrier_force at;
    CHECK(phy_barrier_cone_force(&at, y, &cone) == SAL_OK);
    CHECK_NEAR(at.f[0], 0.647057245121683, 1e-12);
    CHECK_NEAR(at.f[1], -0.311217737106492, 1e-12);
    CHECK_NEAR(at.f[2], 0.103739245702164, 1e-12);
    CHECK(phy_barrier_cone_force(&at, y, &normal) == SAL_OK);
    CHECK_NEAR(at.f[0], 0.444948974278318, 1e-12);
    CHECK_NEAR(at.f[0], 0.2 + sqrt(0.06), 1e-15);
    CHECK_NEAR(phy_barrier_equality(-0.2, 0.5).f, 0.4, 1e-16);
}

/* q = 10, kappa = 0.1: s0 = 0.01, 500 s^2 - 20 s + 0.61.. below; C2 at s0 */
static void velocity_barrier_goes_on_below_zero(void)
{
    const double a2 = 0.6105170185988091, s0 = 0.01;
    for (double s = -1; s < s0; s += 0.0625) {
        const phy_barrier_velocity at = phy_barrier_velocity_at(s, 0.1, 10);
        CHECK_NEAR(at.value, 500 * s * s - 20 * s + a2, 1e-12);
        CHECK_NEAR(at.slope, 1000 * s - 20, 1e-12);
        CHECK_NEAR(at.curvature, 1000, 1e-12);
    }
    const phy_barrier_velocity low = phy_barrier_velocity_at(nextafter(s0, 0), 0.1, 10);
    const phy_barrier_velocity high = phy_barrier_velocity_at(s0, 0.1, 10);
    CHECK_NEAR(high.value, -0.1 * log(0.01), 1e-15);
    CHECK_NEAR(low.value, high.value, 1e-12);
    CHECK_NEAR(low.slope, high.slope, 1e-12);
    CHECK_NEAR(low.curvature, high.curvature, 1e-9);
    CHECK_NEAR(phy_barrier_velocity_at(2, 0.1, 10).value, -0.1 * log(2), 1e-16);
    CHECK(isnan(phy_barrier_velocity_at(nan(""), 0.1, 10).value));
}

static void ramps(void)
{
    const phy_barrier_ramp linear = {0.01, 100, 0.1, false}, smooth = {0.01, 100, 0.1, true};
    double slope;
    CHECK_NEAR(phy_barrier_ramp_at(&slope, &linear, 0.05), 50.005, 1e-12);
    CHECK_NEAR(slope, 999.9, 1e-9);
    CHECK_NEAR(phy_barrier_ramp_at(&slope, &linear, -1), 0.01, 0);
    CHECK_NEAR(slope, 0, 0);
    CHECK_NEAR(phy_barrier_ramp_at(&slope, &linear, 1), 100, 0);
    CHECK_NEAR(phy_barrier_ramp_at(&slope, &smooth, 0), 0.01, 1e-16);
    CHECK_NEAR(phy_barrier_ramp_at(&slope, &smooth, 0.05), 4, 1e-13); /* 0.01 1e2 / 0.25 */
    CHECK(isfinite(phy_barrier_ramp_at(&slope, &smooth, 0.1)));
    for (double d = 0.003; d < 0.099; d += 0.007) {
        double unused;
        const double R = phy_barrier_ramp_at(&slope, &smooth, d), e = 1e-7;
        const double up = phy_barrier_ramp_at(&unused, &smooth, d + e);
        const double down = phy_barrier_ramp_at(&unused, &smooth, d - e);
        CHECK_NEAR(slope, (up - down) / (2 * e), 1e-7 * R / e * 1e-2);
    }
    CHECK_NEAR(phy_barrier_steepness(10, 0.01, 2, 5), 10, 0);
    CHECK_NEAR(phy_barrier_steepness(10, 100, 2, 5), 250, 1e-12);
}

/* ---- the root ---- */

/* The worst violation of the stationarity condition, of each row relative to its terms; s_c by the
 * multiplier. And s_c must be the distance to the border, as far as f can say. */
static double violation(const sample *s, const phy_barrier_force *at)
{
    const double kappa = s->cone.kappa, z = at->multiplier;
    double worst = 0, across = 0;
    for (int j = 1; j < s->cone.dim; j++) {
        const double mu = s->mu[j - 1], a = s->R[j] * at->f[j], b = z * at->f[j] / (mu * mu);
        worst = fmax(worst, fabs(a + b + s->y[j]) / (fabs(a) + fabs(b) + fabs(s->y[j]) + 1e-300));
        across += at->f[j] / mu * (at->f[j] / mu);
    }
    const double f = at->f[0], a = s->R[0] * f, b = z * f, c = kappa / f;
    worst = fmax(worst, fabs(a - b - c + s->y[0]) / (a + b + c + fabs(s->y[0])));
    if (s->cone.dim > 1) {
        worst = fmax(worst, fabs(f * f - across - 2 * kappa / z) / (f * f));
    }
    return worst;
}

static void force_is_stationary(void)
{
    sal_rng rng = {1};
    int most = 0;
    double mean = 0, worst = 0;
    enum { MANY = 20000 };
    for (int i = 0; i < MANY; i++) {
        sample s;
        draw(&s, &rng, dim_of(i), -10);
        const phy_barrier_force at = force_of(&s);
        most = at.steps > most ? at.steps : most;
        mean += (double)at.steps / MANY;
        worst = fmax(worst, violation(&s, &at));
    }
    printf("mean %.2f, most %d steps, stationarity %.1e\n", mean, most, worst);
    CHECK(worst < 1e-14);
    CHECK(most < 30);
}

/* Every combination of the extremes converges. */
static void extremes_converge(void)
{
    const double across[] = {0, 1e-8, 1, 1e6}, along[] = {-1e6, -1, -1e-8, 0, 1e-8, 1, 1e6};
    const double kappas[] = {1e-12, 1e-3, 1}, mus[] = {1e-4, 1, 10}, Rs[] = {1e-5, 1, 1e5};
    int most = 0;
    for (int i = 0; i < 4 * 7 * 3 * 3 * 9; i++) {
        sample s;
        int at = i;
        s.y[1] = 0.6 * across[at % 4];
        s.y[2] = -0.8 * across[at % 4];
        s.y[0] = along[(at /= 4) % 7];
        const double kappa = kappas[(at /= 7) % 3];
        s.mu[0] = s.mu[1] = mus[(at /= 3) % 3];
        s.R[0] = Rs[(at /= 3) % 3];
        s.R[1] = s.R[2] = Rs[at / 3];
        s.cone = (phy_barrier_cone){3, s.R, s.mu, kappa};
        const phy_barrier_force f = force_of(&s);
        most = f.steps > most ? f.steps : most;
        CHECK(violation(&s, &f) < 1e-13);
    }
    printf("most %d steps\n", most);
    CHECK(most < 60);
}

/* z of the definition, h f_n = 0, in long numbers: bisection of its logarithm, h f_n falls. */
static long double root_in_long(const sample *s, double near)
{
    const long double kappa = s->cone.kappa;
    long double low = near * (1 - 1e-6L), high = near * (1 + 1e-6L);
    for (int step = 0; step < 70; step++) {
        const long double z = (low + high) / 2;
        long double square = 2 * kappa / z;
        for (int j = 1; j < s->cone.dim; j++) {
            const long double mu = s->mu[j - 1], f = mu * s->y[j] / (mu * mu * s->R[j] + z);
            square += f * f;
        }
        const bool is_below = (s->R[0] - z) * square + s->y[0] * sqrtl(square) - kappa > 0;
        low = is_below ? z : low;
        high = is_below ? high : z;
    }
    return (low + high) / 2;
}

/* The largest error of a row of f, over what rounding of all input makes of it: of y, R and kappa
 * as the derivatives say; mu comes in as mu_j y_j, mu_j^2 R_j, and in f_j itself. */
static double error_of(const sample *s, const phy_barrier_force *at)
{
    const int n = s->cone.dim;
    const long double z = root_in_long(s, at->multiplier);
    long double f[DIM], square = 2 * (long double)s->cone.kappa / z;
    double h[DIM * DIM], by_kappa[DIM], worst = 0;
    for (int j = 1; j < n; j++) {
        const long double mu = s->mu[j - 1];
        f[j] = -s->y[j] / (s->R[j] + z / (mu * mu));
        square += f[j] / mu * (f[j] / mu);
    }
    f[0] = sqrtl(square);
    phy_barrier_cone_curvature(h, at, &s->cone);
    phy_barrier_cone_by_kappa(by_kappa, h, at, &s->cone);
    for (int j = 0; j < n; j++) {
        double felt = fabs(by_kappa[j]) * s->cone.kappa + fabs(at->f[j]);
        for (int k = 0; k < n; k++) {
            felt += fabs(h[j * n + k]) * (3 * fabs(s->y[k]) + 3 * s->R[k] * fabs(at->f[k]));
        }
        worst = fmax(worst, (double)fabsl(at->f[j] - f[j]) / (felt * DBL_EPSILON));
    }
    return worst;
}

static void root_is_as_exact_as_its_input(void)
{
    sal_rng rng = {12};
    double worst = 0;
    for (int i = 0; i < 20000; i++) {
        sample s;
        draw(&s, &rng, (const int[]){3, 4, 6, 2, 5}[i % 5], i % 2 ? -4 : -10);
        const phy_barrier_force at = force_of(&s);
        worst = fmax(worst, error_of(&s, &at));
    }
    printf("off by %.2f of what rounding its input would do\n", worst);
    CHECK(worst < 2);
}

/* Four, three .. at once, some that are not good: of each the bits that it has alone. */
static void neighbours_do_not_matter(void)
{
    sal_rng rng = {11};
    for (int i = 0; i < 4000; i++) {
        sample s[PHY_BARRIER_SIDE];
        const double *y[PHY_BARRIER_SIDE];
        phy_barrier_cone cone[PHY_BARRIER_SIDE];
        phy_barrier_force at[PHY_BARRIER_SIDE], alone;
        sal_status status[PHY_BARRIER_SIDE];
        const int count = 1 + i % PHY_BARRIER_SIDE;
        for (int k = 0; k < count; k++) {
            draw(&s[k], &rng, dim_of(i / 4 + k), i % 3 ? -4 : -10);
            s[k].R[0] = (i + k) % 17 == 0 ? -1 : s[k].R[0];
            s[k].y[0] = (i + k) % 19 == 0 ? (double)NAN : s[k].y[0];
            s[k].mu[0] = (i + k) % 5 == 0 ? 0 : s[k].mu[0];
            y[k] = s[k].y;
            cone[k] = s[k].cone;
        }
        phy_barrier_cones_force(status, at, y, cone, count);
        for (int k = 0; k < count; k++) {
            CHECK(status[k] == phy_barrier_cone_force(&alone, y[k], cone + k));
            CHECK(memcmp(alone.f, at[k].f, (size_t)cone[k].dim * sizeof(double)) == 0);
            CHECK(memcmp(&alone.multiplier, &at[k].multiplier, sizeof(double)) == 0);
            CHECK(alone.steps == at[k].steps);
        }
    }
}

/* As one dense problem in f, by Newton's method with halved steps, s_c from f itself, LAPACK for
 * the step: nothing in common with the root but the definition. */
static void dense_newton(double *f, const sample *s)
{
    const int n = s->cone.dim;
    const double kappa = s->cone.kappa;
    f[0] = 1;
    for (int j = 1; j < n; j++) {
        f[j] = 0;
    }
    for (int step = 0; step < 300; step++) {
        double g[DIM], h[DIM * DIM] = {0}, u[DIM], sc = f[0] * f[0], cost = 0;
        for (int j = 0; j < n; j++) {
            u[j] = j == 0 ? 2 * f[0] : -2 * f[j] / (s->mu[j - 1] * s->mu[j - 1]);
            sc += j == 0 ? 0 : 0.5 * f[j] * u[j];
            cost += f[j] * (0.5 * s->R[j] * f[j] + s->y[j]);
        }
        const bool is_cone = n > 1;
        for (int j = 0; j < n; j++) {
            g[j] = s->R[j] * f[j] + s->y[j] - (is_cone ? kappa * u[j] / sc : 0);
            for (int k = 0; is_cone && k < n; k++) {
                h[j * n + k] = kappa * u[j] * u[k] / (sc * sc);
            }
            const double mu2 = j == 0 ? 1 : -s->mu[j - 1] * s->mu[j - 1];
            h[j * n + j] += s->R[j] - (is_cone ? 2 * kappa / (mu2 * sc) : 0);
        }
        g[0] -= kappa / f[0];
        h[0] += kappa / (f[0] * f[0]);
        cost -= kappa * (log(f[0]) + (is_cone ? log(sc) : 0));
        double p[DIM], decrement = 0;
        memcpy(p, g, sizeof p);
        CHECK(LAPACKE_dposv(LAPACK_ROW_MAJOR, 'L', n, 1, h, n, p, 1) == 0);
        for (int j = 0; j < n; j++) {
            decrement += g[j] * p[j];
        }
        for (double a = 1; a > 1e-9; a *= 0.5) {
            double next[DIM], border = 0, value = 0;
            for (int j = 0; j < n; j++) {
                next[j] = f[j] - a * p[j];
                border += j == 0 ? next[0] * next[0] : -pow(next[j] / s->mu[j - 1], 2);
                value += next[j] * (0.5 * s->R[j] * next[j] + s->y[j]);
            }
            if (next[0] > 0 && border > 0) {
                value -= kappa * (log(next[0]) + (is_cone ? log(border) : 0));
                if (decrement < 1e-12 || value <= cost - 0.1 * a * decrement) {
                    memcpy(f, next, sizeof(double) * (size_t)n);
                    break;
                }
            }
        }
        if (decrement < 1e-28) {
            return;
        }
    }
}

static void root_agrees_with_a_dense_solver(void)
{
    sal_rng rng = {2};
    for (int i = 0; i < 1200; i++) {
        sample s;
        double f[DIM];
        const int dim = dim_of(i);
        for (int j = 0; j < dim; j++) {
            s.y[j] = sal_rng_uniform(&rng, -2, 2);
            s.R[j] = sal_rng_uniform(&rng, 0.1, 3);
            s.mu[j] = sal_rng_uniform(&rng, 0.1, 2);
        }
        s.cone = (phy_barrier_cone){dim, s.R, s.mu, decades(&rng, -3, 0)};
        dense_newton(f, &s);
        const phy_barrier_force at = force_of(&s);
        for (int j = 0; j < dim; j++) {
            CHECK_NEAR(at.f[j], f[j], 1e-10);
        }
    }
}

/* ---- derivatives ---- */

/* H H^-1 = 1, the terms of H taken from the multiplier, in long double */
static void curvature_is_an_inverse(void)
{
    sal_rng rng = {3};
    for (int i = 0; i < 20000; i++) {
        sample s;
        const int n = dim_of(i);
        draw(&s, &rng, n, -8);
        const phy_barrier_force at = force_of(&s);
        double inverse[DIM * DIM];
        phy_barrier_cone_curvature(inverse, &at, &s.cone);
        const long double z = at.multiplier, kappa = s.cone.kappa, f = at.f[0];
        for (int j = 0; j < n; j++) {
            for (int k = 0; k < n; k++) {
                long double sum = 0, size = 0;
                for (int l = 0; l < n; l++) {
                    const long double mj = j == 0 ? 1 : -(long double)s.mu[j - 1] * s.mu[j - 1];
                    const long double ml = l == 0 ? 1 : -(long double)s.mu[l - 1] * s.mu[l - 1];
                    long double h = z * z / kappa * (at.f[j] / mj) * (at.f[l] / ml);
                    h += j == l ? s.R[j] - z / mj + (j == 0 ? kappa / (f * f) : 0) : 0;
                    sum += h * inverse[l * n + k];
                    size += fabsl(h * inverse[l * n + k]);
                }
                CHECK_NEAR((double)(sum - (j == k)), 0, 1e-13 * (double)(1 + size));
                CHECK_NEAR(inverse[j * n + k], inverse[k * n + j], 0);
            }
        }
    }
}

static double difference(double up, double down, double e)
{
    return (up - down) / (2 * e);
}

/* by y, R and kappa; and f = -ds/dy */
static void derivatives_are_those_of_differences(void)
{
    sal_rng rng = {4};
    for (int i = 0; i < 600; i++) {
        sample s;
        const int n = dim_of(i);
        double h[DIM * DIM], by_kappa[DIM], size = 0, *const entry[] = {s.y, s.R};
        for (int j = 0; j < n; j++) {
            s.y[j] = sal_rng_uniform(&rng, -2, 2);
            s.R[j] = sal_rng_uniform(&rng, 0.1, 3);
            s.mu[j] = sal_rng_uniform(&rng, 0.1, 2);
        }
        s.cone = (phy_barrier_cone){n, s.R, s.mu, decades(&rng, -3, 0)};
        const phy_barrier_force at = force_of(&s);
        phy_barrier_cone_curvature(h, &at, &s.cone);
        phy_barrier_cone_by_kappa(by_kappa, h, &at, &s.cone);
        for (int j = 0; j < n * n; j++) {
            size = fmax(size, fabs(h[j]));
        }
        const double e = 1e-6;
        for (int k = 0; k < 2 * n; k++) {
            double *x = &entry[k / n][k % n];
            const double here = *x;
            *x = here + e;
            const phy_barrier_force up = force_of(&s);
            const double more = phy_barrier_cone_potential(&up, s.y, &s.cone);
            *x = here - e;
            const phy_barrier_force down = force_of(&s);
            const double less = phy_barrier_cone_potential(&down, s.y, &s.cone);
            *x = here;
            for (int j = 0; j < n; j++) {
                const double exact = -h[j * n + k % n] * (k < n ? 1 : at.f[k - n]);
                CHECK_NEAR(exact, difference(up.f[j], down.f[j], e), 1e-6 * size);
            }
            if (k < n) {
                CHECK_NEAR(at.f[k], -difference(more, less, e), 1e-8);
            }
        }
        const double kappa = s.cone.kappa, part = e * kappa;
        s.cone.kappa = kappa + part;
        const phy_barrier_force up = force_of(&s);
        s.cone.kappa = kappa - part;
        const phy_barrier_force down = force_of(&s);
        for (int j = 0; j < n; j++) {
            CHECK_NEAR(by_kappa[j] * kappa, difference(up.f[j], down.f[j], part) * kappa, 1e-8);
        }
    }
}

/* ---- single rows ---- */

typedef enum family { NORMAL, EQUALITY, LOSS } family;

static phy_barrier_row row_of(family kind, double y, double R, double bound, double kappa)
{
    return kind == NORMAL     ? phy_barrier_normal(y, R, kappa)
           : kind == EQUALITY ? phy_barrier_equality(y, R)
                              : phy_barrier_loss(y, R, bound, kappa);
}

static void rows_and_their_derivatives(void)
{
    sal_rng rng = {5};
    for (int i = 0; i < 3000; i++) {
        const family kind = (family)(i % 3);
        const double y = sal_rng_uniform(&rng, -2, 2), R = sal_rng_uniform(&rng, 0.1, 3), e = 1e-6;
        const double bound = sal_rng_uniform(&rng, 0.1, 2), kappa = decades(&rng, -3, 0);
        const phy_barrier_row at = row_of(kind, y, R, bound, kappa);
        const phy_barrier_row up = row_of(kind, y + e, R, bound, kappa);
        const phy_barrier_row down = row_of(kind, y - e, R, bound, kappa);
        const double more = row_of(kind, y, R, bound, kappa * (1 + e)).f;
        const double less = row_of(kind, y, R, bound, kappa * (1 - e)).f;
        const double higher = row_of(kind, y, R + e, bound, kappa).f;
        const double lower = row_of(kind, y, R - e, bound, kappa).f;
        const double barrier = kind == NORMAL ? -kappa / at.f
                               : kind == LOSS ? 2 * kappa * at.f / ((bound - at.f) * (bound + at.f))
                                              : 0;
        CHECK_NEAR(R * at.f + y + barrier, 0, 1e-10);
        CHECK_NEAR(at.slope, -difference(up.f, down.f, e), 1e-6);
        CHECK_NEAR(at.f, -difference(up.s, down.s, e), 1e-8);
        CHECK_NEAR(at.by_kappa * kappa, difference(more, less, e), 1e-7);
        CHECK_NEAR(-at.slope * at.f, difference(higher, lower, e), 1e-6);
        CHECK(kind != LOSS || fabs(at.f) < bound);
    }
}

/* Bounds from 1e-6 to 1e3, pushed from far within to far beyond them: |f| stays below, and the
 * condition holds to rounding with F^2 - f^2 taken from it. */
static void friction_of_a_dof_at_its_bound(void)
{
    sal_rng rng = {6};
    for (int i = 0; i < 5000; i++) {
        const double bound = decades(&rng, -6, 3), R = decades(&rng, -3, 3);
        const double kappa = decades(&rng, -10, 0), y = decades(&rng, -6, 6) * (i % 2 ? 1 : -1);
        const phy_barrier_row at = phy_barrier_loss(y, R, bound, kappa);
        const double z = -y / at.f - R; /* 2 kappa/(F^2 - f^2) */
        CHECK(fabs(at.f) <= bound && at.f * y < 0);
        CHECK_NEAR(bound * bound - at.f * at.f, 2 * kappa / z,
                   1e-13 * (bound * bound + 2 * kappa / z * (R + z) / z));
    }
    CHECK(phy_barrier_loss(1, 1, 0, 1).f == 0);
    CHECK(isnan(phy_barrier_loss(nan(""), 1, 1, 1).f));
    CHECK(isnan(phy_barrier_normal(nan(""), 1, 1).f));
}

/* ---- what is passed in ---- */

static void refusals(void)
{
    sample s;
    sal_rng rng = {7};
    for (int i = 0; i < 6; i++) {
        phy_barrier_force at;
        draw(&s, &rng, dim_of(i), -3);
        const sample good = s;
        const double bad[] = {nan(""), INFINITY};
        for (int k = 0; k < 2; k++) {
            s.y[s.cone.dim - 1] = bad[k];
            CHECK(phy_barrier_cone_force(&at, s.y, &s.cone) == SAL_DIVERGED && isnan(at.f[0]));
            s.y[s.cone.dim - 1] = good.y[s.cone.dim - 1];
            s.R[s.cone.dim - 1] = bad[k];
            CHECK(phy_barrier_cone_force(&at, s.y, &s.cone) == SAL_DIVERGED && isnan(at.f[0]));
            s.R[s.cone.dim - 1] = k ? 0 : -1;
            CHECK(phy_barrier_cone_force(&at, s.y, &s.cone) == SAL_BADINPUT && isnan(at.f[0]));
            s.R[s.cone.dim - 1] = good.R[s.cone.dim - 1];
            s.cone.kappa = bad[k];
            CHECK(phy_barrier_cone_force(&at, s.y, &s.cone) == SAL_DIVERGED && isnan(at.f[0]));
            s.cone.kappa = k ? 0 : -1;
            CHECK(phy_barrier_cone_force(&at, s.y, &s.cone) == SAL_BADINPUT && isnan(at.f[0]));
            s.cone.kappa = good.cone.kappa;
        }
        s.cone.dim = i < 3 ? 0 : DIM + 1;
        CHECK(phy_barrier_cone_force(&at, s.y, &s.cone) == SAL_BADINPUT && isnan(at.f[0]));
    }
}

/* A row whose friction is none carries nothing, and the others are as without it. */
static void rows_without_friction(void)
{
    sal_rng rng = {8};
    for (int i = 0; i < 100; i++) {
        sample s, rest;
        double h[DIM * DIM], few[DIM * DIM];
        draw(&s, &rng, 4, -3);
        rest = s;
        rest.cone = (phy_barrier_cone){3, rest.R, rest.mu, s.cone.kappa};
        s.mu[2] = 1e-6;
        s.cone.R = s.R;
        s.cone.mu = s.mu;
        phy_barrier_force at = force_of(&s);
        const phy_barrier_force as = force_of(&rest);
        phy_barrier_cone_curvature(h, &at, &s.cone);
        phy_barrier_cone_curvature(few, &as, &rest.cone);
        for (int j = 0; j < 3; j++) {
            CHECK_NEAR(at.f[j], as.f[j], 0);
            CHECK_NEAR(h[4 * j + 3], 0, 0);
            CHECK_NEAR(h[4 * j], few[3 * j], 0);
        }
        CHECK_NEAR(at.f[3], 0, 0);
        s.mu[0] = s.mu[1] = 0;
        at = force_of(&s);
        CHECK_NEAR(at.f[0], phy_barrier_normal(s.y[0], s.R[0], s.cone.kappa).f, 0);
        phy_barrier_cone_curvature(h, &at, &s.cone);
        CHECK(at.f[1] == 0 && at.f[2] == 0 && at.f[3] == 0 && h[5] == 0 && h[0] > 0);
        CHECK_NEAR(phy_barrier_cone_potential(&at, s.y, &s.cone),
                   phy_barrier_normal(s.y[0], s.R[0], s.cone.kappa).s, 0);
    }
}

static void nothing_is_allocated(void)
{
    sal_rng rng = {9};
    const long before = sal_alloc_count();
    for (int i = 0; i < 6; i++) {
        sample s;
        double h[DIM * DIM], by_kappa[DIM];
        draw(&s, &rng, dim_of(i), -3);
        const phy_barrier_force at = force_of(&s);
        phy_barrier_cone_curvature(h, &at, &s.cone);
        phy_barrier_cone_by_kappa(by_kappa, h, &at, &s.cone);
        phy_barrier_cone_potential(&at, s.y, &s.cone);
    }
    CHECK(sal_alloc_count() == before);
}

int main(void)
{
    RUN(numbers_worked_by_hand);
    RUN(velocity_barrier_goes_on_below_zero);
    RUN(ramps);
    RUN(force_is_stationary);
    RUN(extremes_converge);
    RUN(root_is_as_exact_as_its_input);
    RUN(neighbours_do_not_matter);
    RUN(root_agrees_with_a_dense_solver);
    RUN(curvature_is_an_inverse);
    RUN(derivatives_are_those_of_differences);
    RUN(rows_and_their_derivatives);
    RUN(friction_of_a_dof_at_its_bound);
    RUN(refusals);
    RUN(rows_without_friction);
    RUN(nothing_is_allocated);
    return check_done();
}
