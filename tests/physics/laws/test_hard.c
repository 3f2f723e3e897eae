/* The hard contact model, alone: one block at a time, no mechanism. */
#include "tests/check.h"

#include "base/rng.h"
#include "physics/laws/hard.h"

#include <float.h>
#include <stdbool.h>

static const phy_hard_relax relax_4 = {1e-4, 1e-4, 0};

/* Worked by hand: gamma = kappa/s = .1, r = kappa/(mu gamma) = .002,
 *     |w| = .5:  eta = .001 + sqrt(1e-6 + .25),  f_t = -.05 w/eta
 *     |w| = r/2: eta = (1 + sqrt 2) r/2,         f_t = -.05/(1 + sqrt 2) */
static void worked_numbers(void)
{
    const double mu[2] = {0.5, 0.5};
    const phy_hard_block block = {.kind = PHY_HARD_CONTACT, .dim = 3, .mu = mu};
    double f[3];
    CHECK(phy_hard_inverse(f, &block, &relax_4, 1e-3, (const double[]){9, 0.3, -0.4}) ==
          PHY_HARD_EXACT);
    CHECK_NEAR(f[0], 0.1, 1e-15);
    CHECK_NEAR(f[1], -0.02994005999994, 1e-14);
    CHECK_NEAR(f[2], 0.03992007999992, 1e-14);
    CHECK(phy_hard_inverse(f, &block, &relax_4, 1e-3, (const double[]){0, 1e-3, 0}) ==
          PHY_HARD_EXACT);
    CHECK_NEAR(f[1], -0.05 * (sqrt(2) - 1), 1e-15);
    CHECK_NEAR(f[2], 0, 0);
}

/* A random block of dim rows, scales over several decades. */
typedef struct sample {
    phy_hard_block block;
    phy_hard_relax relax;
    double mu[PHY_HARD_DIM], w[PHY_HARD_DIM], s;
} sample;

static void draw(sample *x, sal_rng *rng, phy_hard_kind kind, int dim)
{
    *x = (sample){.block = {.kind = kind, .dim = dim}};
    for (int j = 0; j < PHY_HARD_DIM; j++) {
        x->mu[j] = pow(10, sal_rng_uniform(rng, -2, 0.3));
        x->w[j] = sal_rng_normal(rng) * pow(10, sal_rng_uniform(rng, -4, 1));
    }
    x->s = pow(10, sal_rng_uniform(rng, -6, 0));
    x->relax.kappa_n = pow(10, sal_rng_uniform(rng, -8, -1));
    x->relax.kappa_t = pow(10, sal_rng_uniform(rng, -8, -1));
    x->block.bound = pow(10, sal_rng_uniform(rng, -3, 1));
    x->block.compliance = pow(10, sal_rng_uniform(rng, -6, -1));
}

static const struct {
    phy_hard_kind kind;
    int dim;
} kinds[] = {{PHY_HARD_CONTACT, 1}, {PHY_HARD_CONTACT, 3}, {PHY_HARD_CONTACT, 4},
             {PHY_HARD_CONTACT, 6}, {PHY_HARD_LOSS, 1},    {PHY_HARD_EQUALITY, 1}};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* The impulses fulfil the equations they come from: with xi_j = f_j/mu_j, a second-order cone
 *     gamma s = kappa_n,   gamma eta_j + eta_1 xi_j = 0,   gamma eta_1 + sum xi_j eta_j = kappa_t
 * where eta_1 is taken from the tangent that moves most. The first are equations of products, the
 * last one is a difference: its error is measured by its terms. */
static void forward_equations_hold(void)
{
    sal_rng rng = {1};
    for (int i = 0; i < 4000; i++) {
        sample x;
        double f[PHY_HARD_DIM], xi[PHY_HARD_DIM] = {0}, eta[PHY_HARD_DIM] = {0}, inner = 0,
                                inside = 0;
        int most = 1;
        draw(&x, &rng, PHY_HARD_CONTACT, kinds[1 + i % 3].dim);
        x.block.mu = x.mu;
        CHECK(phy_hard_inverse(f, &x.block, &x.relax, x.s, x.w) == PHY_HARD_EXACT);
        CHECK_NEAR(f[0] * x.s / x.relax.kappa_n, 1, 4 * DBL_EPSILON);
        for (int j = 1; j < x.block.dim; j++) {
            xi[j] = f[j] / x.mu[j - 1];
            eta[j] = x.mu[j - 1] * x.w[j];
            inner += xi[j] * eta[j];
            inside += xi[j] * xi[j];
            most = fabs(eta[j]) > fabs(eta[most]) ? j : most;
        }
        const double eta_1 = -f[0] * eta[most] / xi[most];
        for (int j = 1; j < x.block.dim; j++) {
            CHECK_NEAR(f[0] * eta[j] / (eta_1 * xi[j]), -1, 1e-14);
        }
        CHECK(eta_1 > 0 && sqrt(inside) <= f[0]);
        CHECK_NEAR(f[0] * eta_1 + inner, x.relax.kappa_t, 1e-14 * f[0] * eta_1);
    }
}

/* One number that a result depends on. */
static double *argument(sample *x, int k)
{
    double *const others[3] = {&x->s, &x->relax.kappa_n, &x->relax.kappa_t};
    return k < 3 ? others[k] : &x->w[k - 3];
}

static double slope_of(const phy_hard_slopes *slopes, int dim, int j, int k)
{
    const double *const others[3] = {slopes->s, slopes->kappa_n, slopes->kappa_t};
    return k < 3 ? others[k][j] : slopes->w[j * dim + k - 3];
}

static void compare_slopes(sample *x)
{
    const int dim = x->block.dim;
    phy_hard_slopes slopes;
    CHECK(phy_hard_deriv(&slopes, &x->block, &x->relax, x->s, x->w) < PHY_HARD_PENETRATES);
    for (int k = 0; k < 3 + dim; k++) {
        double *at = argument(x, k), here = *at, low[PHY_HARD_DIM], high[PHY_HARD_DIM];
        double step = 1e-5 * fabs(here);
        *at = here - step;
        phy_hard_inverse(low, &x->block, &x->relax, x->s, x->w);
        *at = here + step;
        phy_hard_inverse(high, &x->block, &x->relax, x->s, x->w);
        step = *at - (here - step);
        *at = here;
        for (int j = 0; j < dim; j++) {
            const double size = fabs(low[j]) + fabs(high[j]);
            CHECK_NEAR((high[j] - low[j]) / step, slope_of(&slopes, dim, j, k),
                       1e-9 * size / fabs(here) + 1e-14 * size / step);
        }
    }
}

static void derivatives_are_those_of_differences(void)
{
    sal_rng rng = {2};
    for (int i = 0; i < 3000; i++) {
        sample x;
        draw(&x, &rng, kinds[i % KINDS].kind, kinds[i % KINDS].dim);
        x.block.mu = x.mu;
        compare_slopes(&x);
        x.relax.s0 = 4 * x.s; /* on the tangent */
        compare_slopes(&x);
        x.s = -x.s;
        compare_slopes(&x);
    }
}

/* f_1 = -d gap/ds; f_j = -d slip/dw_j, which of a contact is at fixed gamma, so at fixed s. */
static void impulses_are_slopes_of_the_potentials(void)
{
    sal_rng rng = {3};
    for (int i = 0; i < 3000; i++) {
        sample x;
        double f[PHY_HARD_DIM];
        phy_hard_value low, high;
        draw(&x, &rng, kinds[i % KINDS].kind, kinds[i % KINDS].dim);
        x.block.mu = x.mu;
        x.relax.s0 = i % 2 == 0 ? 0 : 2 * x.s;
        phy_hard_inverse(f, &x.block, &x.relax, x.s, x.w);
        for (int k = -1; k < x.block.dim; k++) {
            double *at = k < 0 ? &x.s : &x.w[k];
            const double here = *at, step = 1e-5 * fabs(here);
            *at = here - step;
            phy_hard_potential(&low, &x.block, &x.relax, x.s, x.w);
            *at = here + step;
            CHECK(phy_hard_potential(&high, &x.block, &x.relax, x.s, x.w) < PHY_HARD_PENETRATES);
            *at = here;
            const bool by_gap = k < 0 && x.block.kind != PHY_HARD_LOSS;
            const bool by_slip = k >= (x.block.kind == PHY_HARD_LOSS ? 0 : 1);
            const double slope = by_gap ? high.gap - low.gap : by_slip ? high.slip - low.slip : 0;
            const double expected = by_gap ? f[0] : by_slip ? f[k] : 0;
            const double size = by_gap ? fabs(low.gap) + x.relax.kappa_n : low.slip;
            CHECK_NEAR(-slope / (2 * step), expected, 1e-9 * fabs(expected) + 1e-15 * size / step);
        }
    }
}

/* Along the slip the slope is -mu^2 gamma r/(eta_1 u): with eta_1 = |eta| + r/2 + O(r^2) and u = 2
 * |eta| + O(r^2) it is -mu^2 kappa_t/(2 |eta|^2) for r << |eta|, though it is the difference of two
 * numbers |eta|/r times as large. */
static void stiff_slopes_do_not_cancel(void)
{
    const double mu[5] = {0.5, 0.5, 0.3, 0.2, 0.1};
    const phy_hard_block block = {.kind = PHY_HARD_CONTACT, .dim = 3, .mu = mu};
    const phy_hard_relax relax = {1e-12, 1e-12, 0};
    phy_hard_slopes slopes;
    double f[3];
    CHECK(phy_hard_deriv(&slopes, &block, &relax, 1e-14, (const double[]){0, 3, 0}) ==
          PHY_HARD_EXACT);
    CHECK_NEAR(slopes.w[4] / (-0.25 * 1e-12 / (2 * 2.25)), 1, 1e-13);
    CHECK_NEAR(slopes.w[8] / (-0.25 * 100 / 1.5), 1, 1e-13);
    /* at rest f = 0 and df/dw = -(mu gamma)^2/kappa_t, from gamma = 1e-180 to 1e+180 */
    for (int e = -140; e <= 140; e += 20) {
        const double s = 1e-12 * pow(10, -e), gamma = 1e-12 / s;
        CHECK(phy_hard_deriv(&slopes, &block, &relax, s, (const double[]){0, 0, 0}) ==
              PHY_HARD_EXACT);
        CHECK(phy_hard_inverse(f, &block, &relax, s, (const double[]){0, 0, 0}) == PHY_HARD_EXACT);
        CHECK_NEAR(slopes.w[4] / (0.25 * gamma * gamma / 1e-12), -1, 1e-14);
        CHECK(f[1] == 0 && f[2] == 0 && slopes.w[5] == 0 && slopes.s[1] == 0);
        /* and beyond any slip the impulse is mu gamma */
        CHECK(phy_hard_inverse(f, &block, &relax, s, (const double[]){0, 0, 1e140}) ==
              PHY_HARD_EXACT);
        CHECK_NEAR(f[2] / gamma, e > -140 ? -0.5 : f[2] / gamma, 1e-11);
    }
}

/* mu -> 0 is the law without friction, and nothing on the way is undefined. */
static void without_friction_it_is_the_normal_alone(void)
{
    sal_rng rng = {4};
    for (int i = 0; i < 100; i++) {
        sample x;
        double f[PHY_HARD_DIM];
        phy_hard_slopes slopes;
        draw(&x, &rng, PHY_HARD_CONTACT, 4);
        x.block.mu = x.mu;
        for (int j = 0; j < 3; j++) {
            x.mu[j] = i % 2 == 0 ? 0 : 1e-7;
        }
        CHECK(phy_hard_inverse(f, &x.block, &x.relax, x.s, x.w) == PHY_HARD_EXACT);
        CHECK(phy_hard_deriv(&slopes, &x.block, &x.relax, x.s, x.w) == PHY_HARD_EXACT);
        for (int j = 1; j < 4; j++) {
            CHECK(fabs(f[j]) <= x.mu[0] * f[0] && fabs(slopes.s[j]) <= 2 * x.mu[0] * f[0] / x.s);
        }
    }
}

/* Where gaps close the tangent goes on: same value and slope at s0, and straight below. */
static void tangent_goes_on(void)
{
    const double mu[2] = {0.5, 0.8}, w[3] = {0, 0.2, -0.1}, s0 = 1e-3;
    const phy_hard_block block = {.kind = PHY_HARD_CONTACT, .dim = 3, .mu = mu};
    const phy_hard_relax relax = {1e-4, 2e-4, s0};
    double above[3], below[3];
    phy_hard_slopes before, after;
    phy_hard_value here, deep;
    CHECK(phy_hard_inverse(above, &block, &relax, s0, w) == PHY_HARD_EXACT);
    CHECK(phy_hard_inverse(below, &block, &relax, s0 * (1 - 1e-15), w) == PHY_HARD_EXTENDED);
    CHECK(phy_hard_deriv(&before, &block, &relax, s0, w) == PHY_HARD_EXACT);
    CHECK(phy_hard_deriv(&after, &block, &relax, s0 * (1 - 1e-15), w) == PHY_HARD_EXTENDED);
    for (int j = 0; j < 3; j++) {
        CHECK_NEAR(below[j] / above[j], 1, 1e-14);
        CHECK_NEAR(after.s[j] / before.s[j], 1, 1e-14);
    }
    CHECK(phy_hard_inverse(below, &block, &relax, -3 * s0, w) == PHY_HARD_EXTENDED);
    CHECK_NEAR(below[0], 0.1 * 5, 1e-15);
    CHECK(phy_hard_potential(&here, &block, &relax, s0, w) == PHY_HARD_EXACT);
    CHECK(phy_hard_potential(&deep, &block, &relax, -3 * s0, w) == PHY_HARD_EXTENDED);
    CHECK_NEAR(deep.gap - here.gap, 0.5 * (0.1 + 0.5) * 4 * s0, 1e-15);
}

static void faults_are_told(void)
{
    const double mu[2] = {0.5, 0.5}, w[3] = {0, 1, 0}, bad[3] = {0, 1, NAN};
    const phy_hard_block contact = {.kind = PHY_HARD_CONTACT, .dim = 3, .mu = mu};
    const phy_hard_block limit = {.kind = PHY_HARD_CONTACT, .dim = 1};
    const phy_hard_block loss = {.kind = PHY_HARD_LOSS, .dim = 1, .bound = 1};
    const phy_hard_block none = {.kind = PHY_HARD_LOSS, .dim = 1};
    const phy_hard_block equality = {.kind = PHY_HARD_EQUALITY, .dim = 1, .compliance = 1e-3};
    const struct {
        const phy_hard_block *block;
        const double *w;
        double s, kappa;
        phy_hard_state state;
    } cases[] = {
        {&contact, w, 1e-3, 1e-4, PHY_HARD_EXACT},   {&contact, bad, 1e-3, 1e-4, PHY_HARD_INVALID},
        {&contact, w, NAN, 1e-4, PHY_HARD_INVALID},  {&contact, w, 1e-3, 0, PHY_HARD_INVALID},
        {&contact, w, 0, 1e-4, PHY_HARD_PENETRATES}, {&limit, w, -1e-3, 1e-4, PHY_HARD_PENETRATES},
        {&limit, bad, 1e-3, 1e-4, PHY_HARD_EXACT},   {&loss, bad + 2, 0, 1e-4, PHY_HARD_INVALID},
        {&loss, w, NAN, 1e-4, PHY_HARD_EXACT},       {&none, w, 0, 1e-4, PHY_HARD_EXACT},
        {&none, bad + 2, 0, 1e-4, PHY_HARD_INVALID}, {&equality, bad + 2, 0, 1e-4, PHY_HARD_EXACT},
        {&equality, w, NAN, 1e-4, PHY_HARD_INVALID},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const phy_hard_relax relax = {cases[i].kappa, cases[i].kappa, 0};
        double f[3];
        phy_hard_slopes slopes;
        phy_hard_value value;
        CHECK(phy_hard_inverse(f, cases[i].block, &relax, cases[i].s, cases[i].w) ==
              cases[i].state);
        CHECK(phy_hard_deriv(&slopes, cases[i].block, &relax, cases[i].s, cases[i].w) ==
              cases[i].state);
        CHECK(phy_hard_potential(&value, cases[i].block, &relax, cases[i].s, cases[i].w) ==
              cases[i].state);
    }
}

static void other_rows(void)
{
    const phy_hard_block loss = {.kind = PHY_HARD_LOSS, .dim = 1, .bound = 0.2};
    const phy_hard_block equality = {.kind = PHY_HARD_EQUALITY, .dim = 1, .compliance = 1e-3};
    double f;
    /* r = kappa/bound = 5e-4; |w| = r/2: f = -bound/(1 + sqrt 2) */
    CHECK(phy_hard_inverse(&f, &loss, &relax_4, NAN, (const double[]){2.5e-4}) == PHY_HARD_EXACT);
    CHECK_NEAR(f, -0.2 * (sqrt(2) - 1), 1e-15);
    CHECK(phy_hard_inverse(&f, &loss, &relax_4, 0, (const double[]){-1e3}) == PHY_HARD_EXACT);
    CHECK_NEAR(f, 0.2, 1e-7);
    CHECK(phy_hard_inverse(&f, &equality, &relax_4, 2e-3, NULL) == PHY_HARD_EXACT);
    CHECK_NEAR(f, -2, 1e-15);
}

int main(void)
{
    RUN(worked_numbers);
    RUN(forward_equations_hold);
    RUN(derivatives_are_those_of_differences);
    RUN(impulses_are_slopes_of_the_potentials);
    RUN(stiff_slopes_do_not_cancel);
    RUN(without_friction_it_is_the_normal_alone);
    RUN(tangent_goes_on);
    RUN(faults_are_told);
    RUN(other_rows);
    return check_done();
}
