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

/* b = a, turned about the vertical, with noise of 1 cm, and mirrored or not. */
static void stand(double *b, const double *a, int n, sal_rng *rng, bool mirrored)
{
    const double turn = 3 * sal_rng_normal(rng);
    for (int i = 0; i < n; i++) {
        const double x = a[3 * i], y = mirrored ? -a[3 * i + 1] : a[3 * i + 1];
        b[3 * i] = cos(turn) * x - sin(turn) * y + .01 * sal_rng_normal(rng);
        b[3 * i + 1] = sin(turn) * x + cos(turn) * y + .01 * sal_rng_normal(rng);
        b[3 * i + 2] = a[3 * i + 2] + .01 * sal_rng_normal(rng);
    }
}

/* Markers of a pelvis are nearly in a plane: with the vertical four of them, or three, tell. In a
 * plane that stands upright nothing tells. */
static void places_in_a_plane(void)
{
    static const double pelvis[] = {.055,  .122, .085, .055,  -.122, .085,
                                    -.135, .045, .09,  -.135, -.045, .09},
                        front[] = {0, .12, 1, 0, -.12, 1, 0, .17, 1.4, 0, -.17, 1.4};
    sal_rng rng = {7};
    for (int trial = 0; trial < 400; trial++) {
        double b[12];
        const bool mirrored = trial % 2 == 1;
        stand(b, pelvis, 4, &rng, mirrored);
        CHECK(sal_is_mirrored(pelvis, b, 4) == mirrored);
        CHECK(sal_is_mirrored(pelvis, b, 3) == mirrored);
        stand(b, front, 4, &rng, mirrored);
        CHECK(!sal_is_mirrored(front, b, 4));
    }
}

int main(void)
{
    RUN(turned_and_mirrored);
    RUN(what_says_nothing);
    RUN(places_in_a_plane);
    return check_done();
}
