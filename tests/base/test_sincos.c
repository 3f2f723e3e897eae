#include "tests/check.h"

#include "base/base.h"
#include "base/house.h"
#include "base/sincos.h"

enum { N = 37 };

static void are_those_of_the_library(void)
{
    sal_rng rng = {1};
    double x[N], s[N], c[N];
    for (int k = 0; k < 20000; k++) {
        const double size =
            pow(10, sal_rng_uniform(&rng, -9, 7)); /* beyond what the series is for, too */
        for (int i = 0; i < N; i++) {
            x[i] = size * sal_rng_uniform(&rng, -1, 1);
        }
        sal_sincos(s, c, x, N);
        for (int i = 0; i < N; i++) {
            CHECK_NEAR(s[i], sin(x[i]), 3.5e-16);
            CHECK_NEAR(c[i], cos(x[i]), 3.5e-16);
            CHECK_NEAR(s[i], sin(x[i]), 8e-16 * fabs(sin(x[i])));
        }
    }
}

/* Alone, or among others: a vector unit gives the same as its scalar twin. */
static void are_the_same_in_any_company(void)
{
    sal_rng rng = {2};
    double x[N], s[N], c[N], s1, c1;
    for (int k = 0; k < 200; k++) {
        for (int i = 0; i < N; i++) {
            x[i] = sal_rng_uniform(&rng, -9, 9);
        }
        x[k % N] = k % 2 == 0 ? 1e9 : (double)NAN;
        sal_sincos(s, c, x, N);
        for (int i = 0; i < N; i++) {
            sal_sincos(&s1, &c1, x + i, 1);
            CHECK(memcmp(s + i, &s1, sizeof s1) == 0 && memcmp(c + i, &c1, sizeof c1) == 0);
        }
        CHECK(k % 2 == 0 || (isnan(s[k % N]) && isnan(c[k % N])));
    }
}

static void special_angles(void)
{
    const double pi = acos(-1), x[] = {0, pi / 2, pi, -pi / 2, 1.5 * pi, 2 * pi};
    double s[6], c[6];
    sal_sincos(s, c, x, 6);
    CHECK(s[0] == 0 && c[0] == 1 && s[1] == 1 && c[2] == -1 && s[3] == -1 && s[4] == -1 &&
          c[5] == 1);
    CHECK_NEAR(c[1], cos(pi / 2), 1e-31);
    CHECK_NEAR(s[2], sin(pi), 1e-31);
}

int main(void)
{
    RUN(are_those_of_the_library);
    RUN(are_the_same_in_any_company);
    RUN(special_angles);
    return check_done();
}
