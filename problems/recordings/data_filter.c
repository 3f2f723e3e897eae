/* data_filter.c: low-pass without delay (Oppenheim, Schafer, "Discrete-Time Signal Processing"):
 * Butterworth's filter of order n by the bilinear transform, in n/2 sections
 *
 *     H_k(s) = 1 / (s^2 + 2 sin(pi (2k + 1)/(2n)) s + 1),   s = (1 - z^-1)/(K (1 + z^-1)),
 *     K = tan(pi cutoff)
 *
 * run forward, then backward: gain |H|^2, one half at the cutoff, no phase. Ends are continued by
 * reflection through the end, 2 x_0 - x_i.
 */
#include "problems/recordings/data_read.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* One section over x [n], forward, in place; before it x was x[0] for ever. */
static void section(double *x, int n, double cutoff, int k, int order)
{
    const double K = tan(pi * cutoff), d = 2 * sin(pi * (2 * k + 1) / (2 * order));
    const double a0 = 1 + d * K + K * K, b = K * K / a0;
    const double a1 = 2 * (K * K - 1) / a0, a2 = (1 - d * K + K * K) / a0, from = x[0];
    double x1 = 0, x2 = 0, y1 = 0, y2 = 0; /* of what departs from the first number */
    for (int i = 0; i < n; i++) {
        const double in = x[i] - from;
        const double y = b * (in + 2 * x1 + x2) - a1 * y1 - a2 * y2;
        x2 = x1, x1 = in, y2 = y1, y1 = y;
        x[i] = from + y;
    }
}

static void reverse(double *x, int n)
{
    for (int i = 0; i < n / 2; i++) {
        const double other = x[n - 1 - i];
        x[n - 1 - i] = x[i];
        x[i] = other;
    }
}

/* A stretch without gaps of n numbers at x, with room for `pad` more on both sides in `work`. */
static void filter(double *x, int n, int stride, double cutoff, int order, double *work)
{
    const int wanted = (int)ceil(order / cutoff); /* many times the filter's memory */
    const int pad = wanted < n - 1 ? wanted : n - 1, m = n + 2 * pad;
    const double first = x[0], last = x[(size_t)(n - 1) * (size_t)stride];
    for (int i = 0; i < n; i++) {
        work[pad + i] = x[(size_t)i * (size_t)stride];
    }
    for (int i = 1; i <= pad; i++) {
        work[pad - i] = 2 * first - x[(size_t)i * (size_t)stride];
        work[pad + n - 1 + i] = 2 * last - x[(size_t)(n - 1 - i) * (size_t)stride];
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < order / 2; k++) {
            section(work, m, cutoff, k, order);
        }
        reverse(work, m);
    }
    for (int i = 0; i < n; i++) {
        x[(size_t)i * (size_t)stride] = work[pad + i];
    }
}

bool prb_lowpass(double *x, int n, int stride, double cutoff, int order)
{
    double *work = sal_alloc(3 * (size_t)n + 1, sizeof(double));
    for (int i = 0, m; work != NULL && i < n; i += m + 1) {
        double *from = x + (size_t)i * (size_t)stride;
        for (m = 0; i + m < n && !isnan(from[(size_t)m * (size_t)stride]); m++) {
        }
        if (m > 1) {
            filter(from, m, stride, cutoff, order, work);
        }
    }
    sal_free(work);
    return work != NULL;
}
