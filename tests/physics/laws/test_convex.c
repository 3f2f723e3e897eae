/* The closed inverse of the convex model, alone: no mechanism, only rows. */
#include "tests/check.h"
#include "tests/physics/laws/cones.h"

#include "base/memory.h"
#include "base/rng.h"
#include "physics/laws/convex.h"

/* One block with arrays of its own. */
typedef struct sample {
    phy_impulse_block block;
    double mu[5], R[6], y[6], f[6], s;
    sal_efc_state zone;
} sample;

static double spread(sal_rng *rng, double lo, double hi)
{
    return pow(10, sal_rng_uniform(rng, lo, hi));
}

static void fill(sample *a, sal_rng *rng, phy_impulse_family family, int dim)
{
    const double size = spread(rng, -4, 3);
    a->block = (phy_impulse_block){family, 0, dim, a->mu, spread(rng, -1, 1)};
    for (int j = 0; j < 6; j++) {
        a->R[j] = spread(rng, -3, 2);
        a->y[j] = size * sal_rng_uniform(rng, -1, 1);
    }
    for (int j = 0; j < 5; j++) {
        a->mu[j] = spread(rng, -3, 1);
    }
}

static sal_status solve(sample *a)
{
    return phy_convex_inverse(a->f, &a->s, &a->zone, &a->block, a->R, a->y);
}

/* f is optimal by the conditions of optimality, which are sufficient: the problem is convex. */
static void the_force_is_optimal(void)
{
    sal_rng rng = {1};
    int zones[5] = {0};
    double worst = 0;
    for (int k = 0; k < 40000; k++) {
        static const int dims[] = {1, 2, 3, 4, 6};
        sample a;
        fill(&a, &rng, PHY_IMPULSE_CONE, dims[k % 5]);
        CHECK(solve(&a) == SAL_OK);
        double grad[6], scale = 0;
        for (int j = 0; j < a.block.dim; j++) {
            grad[j] = a.R[j] * a.f[j] + a.y[j];
            scale = fmax(scale, fabs(a.y[j]));
        }
        for (int j = 0; j < a.block.dim; j++) {
            grad[j] /= scale;
        }
        worst = fmax(worst, cones_fault(&a.block, a.f, grad));
        zones[a.zone]++;
    }
    printf("worst fault %.1e; open %d, stick %d, slip %d\n", worst, zones[SAL_EFC_SATISFIED],
           zones[SAL_EFC_QUADRATIC], zones[SAL_EFC_CONE]);
    CHECK(worst < 1e-13);
    CHECK(zones[SAL_EFC_SATISFIED] > 100 && zones[SAL_EFC_QUADRATIC] > 100);
    CHECK(zones[SAL_EFC_CONE] > 100);
}

/* Worked out by hand: mu .5, R = (.5, .25, .25), so R_0 + mu^2 R_t = .5625. */
static void zones_by_hand(void)
{
    sample a = {.mu = {.5, .5}, .R = {.5, .25, .25}};
    a.block = (phy_impulse_block){PHY_IMPULSE_CONE, 0, 3, a.mu, 0};
    const double y[3][3] = {{1, 1, 1}, {-1, .1, -.2}, {.25, .6, -.8}}; /* T = 1 in the last */
    const double f[3][3] = {{0, 0, 0}, {2, -.4, .8}, {.25 / .5625, -.075 / .5625, .1 / .5625}};
    const sal_efc_state zone[3] = {SAL_EFC_SATISFIED, SAL_EFC_QUADRATIC, SAL_EFC_CONE};
    for (int k = 0; k < 3; k++) {
        memcpy(a.y, y[k], sizeof y[k]);
        CHECK(solve(&a) == SAL_OK && a.zone == zone[k]);
        for (int j = 0; j < 3; j++) {
            CHECK_NEAR(a.f[j], f[k][j], 1e-15);
        }
    }
}

static void single_rows(void)
{
    static const struct {
        phy_impulse_family family;
        double y, f, s;
        sal_efc_state zone;
    } cases[] = {
        {PHY_IMPULSE_EQUALITY, .3, -.6, .09, SAL_EFC_QUADRATIC},
        {PHY_IMPULSE_NORMAL, .3, 0, 0, SAL_EFC_SATISFIED},
        {PHY_IMPULSE_NORMAL, -.3, .6, .09, SAL_EFC_QUADRATIC},
        {PHY_IMPULSE_CONE, -.3, .6, .09, SAL_EFC_QUADRATIC}, /* of dim 1 */
        {PHY_IMPULSE_LOSS, .3, -.6, .09, SAL_EFC_QUADRATIC},
        {PHY_IMPULSE_LOSS, -2, 1, 1.75, SAL_EFC_LINEARNEG}, /* 2 x 1 - .5 x .5 */
        {PHY_IMPULSE_LOSS, 2, -1, 1.75, SAL_EFC_LINEARPOS},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        sample a = {.R = {.5}, .y = {cases[k].y}};
        a.block = (phy_impulse_block){cases[k].family, 0, 1, a.mu, 1};
        CHECK(solve(&a) == SAL_OK && a.zone == cases[k].zone);
        CHECK_NEAR(a.f[0], cases[k].f, 1e-15);
        CHECK_NEAR(a.s, cases[k].s, 1e-15);
    }
}

/* f = -ds/dy and curvature = -df/dy, against centred differences within a zone. */
static void derivatives_are_slopes(void)
{
    sal_rng rng = {2};
    int compared = 0;
    double worst_f = 0, worst_h = 0;
    for (int k = 0; k < 4000; k++) {
        static const int dims[] = {1, 3, 4, 6};
        sample a, low, high;
        double h[36];
        fill(&a, &rng, k % 7 == 0 ? PHY_IMPULSE_LOSS : PHY_IMPULSE_CONE,
             k % 7 == 0 ? 1 : dims[k % 4]);
        CHECK(solve(&a) == SAL_OK);
        CHECK(phy_convex_curvature(h, &a.block, a.R, a.y) == SAL_OK);
        const int n = a.block.dim;
        double size = 1e-300, step = 0;
        for (int j = 0; j < n; j++) {
            step = fmax(step, 1e-6 * fabs(a.y[j]));
            for (int i = 0; i < n; i++) {
                size = fmax(size, fabs(h[i * n + j]));
                CHECK(h[i * n + j] == h[j * n + i]);
            }
        }
        for (int j = 0; j < n; j++) {
            low = high = a;
            low.block.mu = high.block.mu = a.mu;
            low.y[j] -= step;
            high.y[j] += step;
            CHECK(solve(&low) == SAL_OK && solve(&high) == SAL_OK);
            if (low.zone != a.zone || high.zone != a.zone) {
                continue;
            }
            compared++;
            const double slope = (low.s - high.s) / (2 * step);
            worst_f = fmax(worst_f, fabs(slope - a.f[j]) / (fabs(a.f[0]) + size * step * 1e6));
            for (int i = 0; i < n; i++) {
                const double column = (low.f[i] - high.f[i]) / (2 * step);
                worst_h = fmax(worst_h, fabs(column - h[i * n + j]) / size);
            }
        }
    }
    printf("%d columns; worst: force %.1e, curvature %.1e\n", compared, worst_f, worst_h);
    CHECK(compared > 5000);
    CHECK(worst_f < 1e-8 && worst_h < 1e-5);
}

/* Extreme numbers: no slide at all, a fast one, cones flat and steep, rows without friction. */
static void extremes_stay_exact(void)
{
    for (int k = 0; k < 64; k++) {
        sample a = {.mu = {k & 1 ? 1e-4 : 10, k & 2 ? 1e-4 : 10, 0},
                    .R = {.5, k & 4 ? 1e4 : .3, 1, 2}};
        a.block = (phy_impulse_block){PHY_IMPULSE_CONE, 0, 4, a.mu, 0};
        a.y[0] = k & 8 ? -1e-3 : -10;
        a.y[1] = k & 16 ? 1e6 : 0;
        a.y[2] = k & 32 ? 1e-9 : 0;
        a.y[3] = 1;
        CHECK(solve(&a) == SAL_OK);
        double grad[6];
        const double scale = fmax(fabs(a.y[0]), fabs(a.y[1]));
        for (int j = 0; j < 4; j++) {
            grad[j] = (a.R[j] * a.f[j] + a.y[j]) / scale;
        }
        CHECK(a.f[3] == 0);
        grad[3] = 0; /* nothing is asked of a row without friction */
        CHECK_NEAR(cones_fault(&a.block, a.f, grad), 0, 1e-13);
    }
}

static void bad_input_is_said(void)
{
    sample a = {.mu = {.5, .5}, .R = {.5, .25, .25}, .y = {-1, 2, 0}};
    double h[36];
    a.block = (phy_impulse_block){PHY_IMPULSE_CONE, 0, 3, a.mu, 0};
    for (int j = 0; j < 3; j++) {
        const double y = a.y[j], R = a.R[j];
        a.y[j] = NAN;
        CHECK(solve(&a) == SAL_DIVERGED && a.f[0] == 0 && a.f[j] == 0);
        CHECK(phy_convex_curvature(h, &a.block, a.R, a.y) == SAL_DIVERGED && h[4 * j] == 0);
        a.y[j] = y;
        a.R[j] = NAN;
        CHECK(solve(&a) == SAL_DIVERGED);
        a.R[j] = 0;
        CHECK(solve(&a) == SAL_BADINPUT);
        a.R[j] = R;
    }
    a.mu[1] = NAN;
    CHECK(solve(&a) == SAL_BADINPUT);
    a.mu[1] = -1;
    CHECK(solve(&a) == SAL_BADINPUT);
    a.block.dim = 7;
    CHECK(solve(&a) == SAL_BADINPUT);
    a.block = (phy_impulse_block){PHY_IMPULSE_NORMAL, 0, 3, a.mu, 0};
    CHECK(solve(&a) == SAL_BADINPUT);
    a.block = (phy_impulse_block){PHY_IMPULSE_LOSS, 0, 1, a.mu, NAN};
    CHECK(solve(&a) == SAL_BADINPUT);
}

static void nothing_allocates(void)
{
    CHECK(sal_alloc_count() == 0); /* nor did any case before */
}

int main(void)
{
    RUN(the_force_is_optimal);
    RUN(zones_by_hand);
    RUN(single_rows);
    RUN(derivatives_are_slopes);
    RUN(extremes_stay_exact);
    RUN(bad_input_is_said);
    RUN(nothing_allocates);
    return check_done();
}
