/* The diagonal approximation, block by block; figures worked out by hand. */
#include "tests/check.h"

#include "base/memory.h"
#include "physics/laws/diagonal.h"

static const double mu[3] = {.5, .25, 0}, zero[6] = {0}, R[6] = {.5, .5, .5, .5};
static const double diagonal[6] = {1.5, .5, 1.5, 1};

static sal_status solve(double *f, sal_efc_state *zone, phy_impulse_family family, int dim,
                        const double *c)
{
    const phy_impulse_block block = {family, 0, dim, mu, 1};
    return phy_diagonal_impulse(f, zone, &block, diagonal, R, c, zero);
}

static void zones_by_hand(void)
{
    static const struct {
        phy_impulse_family family;
        int dim;
        double c[4], f[4];
        sal_efc_state zone;
    } cases[] = {
        {PHY_IMPULSE_EQUALITY, 1, {-3}, {1.5}, SAL_EFC_QUADRATIC},
        {PHY_IMPULSE_LOSS, 1, {-3}, {1}, SAL_EFC_LINEARNEG},
        {PHY_IMPULSE_LOSS, 1, {3}, {-1}, SAL_EFC_LINEARPOS},
        {PHY_IMPULSE_LOSS, 1, {1}, {-.5}, SAL_EFC_QUADRATIC},
        {PHY_IMPULSE_NORMAL, 1, {-3}, {1.5}, SAL_EFC_QUADRATIC},
        {PHY_IMPULSE_NORMAL, 1, {3}, {0}, SAL_EFC_SATISFIED},
        {PHY_IMPULSE_CONE, 3, {3, 1, 1}, {0, 0, 0}, SAL_EFC_SATISFIED},
        {PHY_IMPULSE_CONE, 3, {-4, .3, .4}, {2, -.3, -.2}, SAL_EFC_QUADRATIC},
        /* (-3, -2) is 10 times the border's (.5 x .6, .25 x .8) x 1 */
        {PHY_IMPULSE_CONE, 3, {-2, 3, 4}, {1, -.3, -.2}, SAL_EFC_CONE},
        {PHY_IMPULSE_CONE, 4, {-2, 3, 4, 1}, {1, -.3, -.2, 0}, SAL_EFC_CONE},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        double f[6];
        sal_efc_state zone;
        CHECK(solve(f, &zone, cases[k].family, cases[k].dim, cases[k].c) == SAL_OK);
        CHECK(zone == cases[k].zone);
        for (int j = 0; j < cases[k].dim; j++) {
            CHECK_NEAR(f[j], cases[k].f[j], 1e-15);
        }
    }
}

/* A ball of any mass that falls on a floor: A = 1/m, the motion is the same, and none is below. */
static void mass_does_not_matter(void)
{
    const double h = .01;
    double height_of[3];
    for (int k = 0; k < 3; k++) {
        const double mass = pow(10, 3 * k - 3), A[1] = {1 / mass};
        const phy_impulse_block block = {PHY_IMPULSE_NORMAL, 0, 1, NULL, 0};
        double height = .3, v = 0;
        for (int t = 0; t < 60; t++) {
            const double c[1] = {v - 9.81 * h}, w[1] = {phy_diagonal_reference(height, h, .02)};
            double f[1];
            sal_efc_state zone;
            CHECK(phy_diagonal_impulse(f, &zone, &block, A, zero, c, w) == SAL_OK);
            v = c[0] + A[0] * f[0];
            height += h * v;
            CHECK(height > -1e-15);
        }
        height_of[k] = height;
    }
    CHECK_NEAR(height_of[1], height_of[0], 1e-15);
    CHECK_NEAR(height_of[2], height_of[0], 1e-15);
}

/* Within the floor the overlap decays: d(t) = d0 exp(-t/tc). */
static void overlap_decays(void)
{
    double gap = -.01;
    for (int t = 0; t < 10; t++) {
        gap += .01 * phy_diagonal_reference(gap, .01, .05);
    }
    CHECK_NEAR(gap, -.01 * exp(-2), 1e-16);
}

static void bad_input_is_said(void)
{
    const double c[3] = {-1, NAN, 0};
    double f[6];
    sal_efc_state zone;
    CHECK(solve(f, &zone, PHY_IMPULSE_CONE, 3, c) == SAL_DIVERGED && f[0] == 0);
    CHECK(solve(f, &zone, PHY_IMPULSE_NORMAL, 3, zero) == SAL_BADINPUT);
    const phy_impulse_block block = {PHY_IMPULSE_NORMAL, 0, 1, NULL, 0};
    CHECK(phy_diagonal_impulse(f, &zone, &block, zero, zero, zero, zero) == SAL_BADINPUT);
    CHECK(sal_alloc_count() == 0);
}

int main(void)
{
    RUN(zones_by_hand);
    RUN(mass_does_not_matter);
    RUN(overlap_decays);
    RUN(bad_input_is_said);
    return check_done();
}
