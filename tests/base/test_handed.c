/* Mirror images. */
#include "tests/check.h"

#include "base/house.h"

enum { PLACES = 7 };

/* b = R a + t, with noise, x mirrored or not */
static void move(double *b, const double *a, sal_rng *rng, bool mirrored, double noise)
{
    double q[4], shift[3];
    for (int k = 0; k < 4; k++) {
        q[k] = sal_rng_normal(rng);
    }
    sal_quat_normalise(q);
    for (int k = 0; k < 3; k++) {
        shift[k] = 10 * sal_rng_normal(rng);
    }
    for (int i = 0; i < PLACES; i++) {
        double x[3] = {mirrored ? -a[3 * i] : a[3 * i], a[3 * i + 1], a[3 * i + 2]};
        sal_quat_rotate(b + 3 * i, q, x);
        for (int k = 0; k < 3; k++) {
            b[3 * i + k] = 3 * b[3 * i + k] + shift[k] + noise * sal_rng_normal(rng);
        }
    }
}

static void turned_and_mirrored(void)
{
    sal_rng rng = {5};
    for (int trial = 0; trial < 200; trial++) {
        double a[3 * PLACES], b[3 * PLACES];
        for (int k = 0; k < 3 * PLACES; k++) {
            a[k] = sal_rng_normal(&rng);
        }
        move(b, a, &rng, trial % 2 == 1, 0);
        CHECK_NEAR(sal_handedness(a, b, PLACES), trial % 2 == 1 ? -1 : 1, 1e-9);
        CHECK(sal_is_mirrored(a, b, PLACES) == (trial % 2 == 1));
        b[4] = (double)NAN; /* a place that is not seen */
        CHECK_NEAR(sal_handedness(a, b, PLACES), trial % 2 == 1 ? -1 : 1, 1e-9);
    }
}

/* In a plane, too few, none */
static void what_says_nothing(void)
{
    double a[3 * PLACES], b[3 * PLACES];
    sal_rng rng = {6};
    for (int k = 0; k < 3 * PLACES; k++) {
        a[k] = k % 3 == 2 ? 0 : sal_rng_normal(&rng);
    }
    move(b, a, &rng, false, 0.01);
    CHECK(sal_handedness(a, b, PLACES) == 0);
    CHECK(sal_handedness(b, b, 3) == 0);
    CHECK(sal_handedness(b, b, 0) == 0);
    for (int i = 0; i < PLACES - 3; i++) {
        b[3 * i] = (double)NAN;
    }
    CHECK(sal_handedness(b, b, PLACES) == 0);
}

int main(void)
{
    RUN(turned_and_mirrored);
    RUN(what_says_nothing);
    return check_done();
}
