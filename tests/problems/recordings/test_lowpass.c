/* The low-pass of recordings, also beside what is missing. */
#include "tests/check.h"

#include "problems/recordings/data.h"

#include <math.h>
#include <string.h>

enum { N = 401 };
static const double pi = 3.14159265358979323846;

/* The gain is 1 at 0 Hz, there is no delay, and a point reflection continues a line: it passes
 * through stretches of any length. */
static void a_line_passes_through_any_stretch(void)
{
    for (int order = 2; order <= 6; order += 2) {
        for (int length = 1; length <= 60; length++) {
            double x[N];
            for (int k = 0; k < N; k++) {
                x[k] = k % (length + 12) < length ? 5 - .3 * k : (double)NAN;
            }
            CHECK(prb_lowpass(x, N, 1, .06, order));
            for (int k = 0; k < N; k++) {
                const bool there = k % (length + 12) < length;
                CHECK(there ? fabs(x[k] - (5 - .3 * k)) < 1e-9 : isnan(x[k]));
            }
        }
    }
}

/* Also where few samples are missing, and with a stride. */
static void a_line_passes_over_few_missing(void)
{
    static const int lost[] = {50, 55, 80, 91, 120, 141, 170, 203, 240, 242, 300, 301, 302, 303};
    double x[3 * N];
    for (int k = 0; k < 3 * N; k++) {
        x[k] = k % 3 == 1 ? .3 * (k / 3) : 77;
    }
    for (size_t i = 0; i < sizeof lost / sizeof lost[0]; i++) {
        x[3 * lost[i] + 1] = (double)NAN;
    }
    CHECK(prb_lowpass(x + 1, N, 3, .06, 2));
    int missing = 0;
    for (int k = 0; k < N; k++) {
        missing += isnan(x[3 * k + 1]);
        CHECK(isnan(x[3 * k + 1]) || fabs(x[3 * k + 1] - .3 * k) < 1e-6);
        CHECK(fabs(x[3 * k] - 77) <= 0);
    }
    CHECK(missing == sizeof lost / sizeof lost[0]);
}

static double uniform(unsigned *state)
{
    *state = *state * 1664525U + 1013904223U;
    return (*state >> 8) / 16777216.;
}

/* rms of what was filtered, beside the motion: sines of 0.7 and 1.7 Hz at 100 samples per second,
 * and uniform noise of +-.05; `lost` of all rows are missing. */
static double error_with(double lost, double noise, double *worst)
{
    double x[N], truth[N], sum = 0;
    unsigned state = 5;
    int n = 0;
    for (int k = 0; k < N; k++) {
        const double t = .01 * k;
        truth[k] = sin(2 * pi * .7 * t + 1) + .5 * cos(2 * pi * 1.7 * t);
        x[k] = truth[k] + noise * (2 * uniform(&state) - 1);
    }
    for (int k = 1; k + 1 < N; k++) {
        x[k] = uniform(&state) < lost ? (double)NAN : x[k];
    }
    CHECK(prb_lowpass(x, N, 1, .06, 2));
    *worst = 0;
    for (int k = 20; k < N - 20; k++) { /* the ends of the recording are another matter */
        const double e = isnan(x[k]) ? 0 : fabs(x[k] - truth[k]);
        n += !isnan(x[k]);
        sum += e * e;
        *worst = fmax(*worst, e);
    }
    return sqrt(sum / n);
}

/* What a filter has with all rows: of the motion 1 - 1/(1 + (1.7/6)^4) = .6 % at most is lost, of
 * the noise about 2 x .06 passes. Lost rows are as many fewer to average. */
static void lost_rows_hardly_matter(void)
{
    double worst[3];
    const double all = error_with(0, 0, worst), few = error_with(.03, 0, worst + 1),
                 many = error_with(.3, 0, worst + 2);
    CHECK(all < .006 && few < 1.1 * all && many < 2 * all);
    CHECK(worst[1] < 2 * worst[0] && worst[2] < 5 * worst[0]);
    printf("     worst %.5f %.5f %.5f\n", worst[0], worst[1], worst[2]);
    const double noisy = error_with(0, .05, worst), noisy_few = error_with(.03, .05, worst + 1),
                 noisy_many = error_with(.3, .05, worst + 2);
    CHECK(noisy < .05 / sqrt(3) / 2);
    CHECK(noisy_few < 1.15 * noisy && noisy_many < 1.5 * noisy);
    printf(
        "     rms with all rows, 3 %% and 30 %% lost: %.5f %.5f %.5f; with noise %.5f %.5f %.5f\n",
        all, few, many, noisy, noisy_few, noisy_many);
}

/* At the cutoff one half passes; of a filter that remembers more than there is, the line. */
static void the_gain_is_one_half_at_the_cutoff(void)
{
    double x[N];
    for (int k = 0; k < N; k++) {
        x[k] = sin(2 * pi * .06 * k);
    }
    CHECK(prb_lowpass(x, N, 1, .06, 2));
    for (int k = 60; k < N - 60; k++) {
        CHECK_NEAR(x[k], .5 * sin(2 * pi * .06 * k), 1e-4);
    }
    for (int k = 0; k < N; k++) {
        x[k] = 3 + .01 * k + sin(pi * k / 20);
    }
    CHECK(prb_lowpass(x, N, 1, 1e-9, 2));
    for (int k = 0; k < N; k++) {
        CHECK_NEAR(x[k], 3 + .01 * k, 1e-3);
    }
}

int main(void)
{
    RUN(a_line_passes_through_any_stretch);
    RUN(a_line_passes_over_few_missing);
    RUN(lost_rows_hardly_matter);
    RUN(the_gain_is_one_half_at_the_cutoff);
    return check_done();
}
