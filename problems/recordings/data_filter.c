/* data_filter.c: low-pass without delay (Oppenheim, Schafer, "Discrete-Time Signal Processing"):
 * Butterworth's filter of order n by the bilinear transform, in n/2 sections
 *
 *     H_k(s) = 1 / (s^2 + 2 sin(pi (2k + 1)/(2n)) s + 1),   s = (1 - z^-1)/(K (1 + z^-1)),
 *     K = tan(pi cutoff)
 *
 * run forward, then backward: gain |H|^2, one half at the cutoff, no phase.
 *
 * Ends are continued by reflection through the end, 2 x_0 - x_i, and through the ends of what was
 * reflected, as far as the filter remembers. A line passes unchanged: what is filtered is what
 * departs from the line from end to end, r, whose reflections have the period 2 (n - 1):
 *
 *     r_{-i} = -r_i,   r_{n-1+i} = -r_{n-1-i}
 *
 * Few missing samples are no ends: there a reflection would bend the path to the other side. They
 * get the values that the filter itself has there (Dempster, Laird, Rubin, J. R. Stat. Soc. B 39,
 * 1977), F the filter, from straight lines on:
 *
 *     x <- F x  where x is missing, again and again
 *
 * For n = 2, F is Whittaker's smoother, and this its minimum with no weight on what is missing.
 */
#include "problems/recordings/data_read.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* Missing samples times the cutoff. Longer gaps than half a period are not known from both sides,
 * and the values there would hardly converge. */
static const double ACROSS = .5;
/* Of the distance of values from where they come to, a time leaves at most about 2 ACROSS. */
static const int TIMES_MOST = 40;
static const double STILL = 1e-7; /* of the largest value */

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

/* Samples that the filter remembers, many times over; of a filter that remembers still more, and
 * more than all n, next to nothing passes but a line. */
static int memory_of(double cutoff, int order, int n)
{
    return (int)fmin(ceil(order / cutoff), fmax(n, 1e5));
}

/* x [n], without gaps, in place; `work` has room for `pad` more on both sides. */
static void filter(double *x, int n, double cutoff, int order, int pad, double *work)
{
    const int m = n + 2 * pad, period = 2 * (n - 1);
    const double first = x[0], slope = (x[n - 1] - first) / (n - 1);
    for (int i = 0; i < m; i++) {
        const int at = ((i - pad) % period + period) % period, k = at < n ? at : period - at;
        const double r = x[k] - (first + slope * k);
        work[i] = at < n ? r : -r;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int k = 0; k < order / 2; k++) {
            section(work, m, cutoff, k, order);
        }
        reverse(work, m);
    }
    for (int i = 0; i < n; i++) {
        x[i] = first + slope * i + work[pad + i];
    }
}

/* Straight lines over what is missing (its first and last are not). */
static void bridge(double *x, const bool *missing, int n)
{
    for (int k = 1, last = 0; k < n; k++) {
        if (!missing[k]) {
            for (int i = last + 1; i < k; i++) {
                x[i] = x[last] + (double)(i - last) / (k - last) * (x[k] - x[last]);
            }
            last = k;
        }
    }
}

/* Takes over what y, filtered from x, has where x is missing; by how much that differs, at most. */
static double refill(double *x, const double *y, const bool *missing, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) {
        most = missing[i] ? fmax(most, fabs(y[i] - x[i])) : most;
        x[i] = missing[i] ? y[i] : x[i];
    }
    return most;
}

static double largest(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

typedef struct room {
    double *x, *y, *work;
    bool *missing;
    int pad; /* that work has on both sides */
} room;

/* A stretch of n > 1 numbers, whose gaps are short and not at its ends. */
static void smooth(double *x, int n, int stride, double cutoff, int order, const room *r)
{
    int count = 0;
    for (int i = 0; i < n; i++) {
        r->x[i] = x[(size_t)i * (size_t)stride];
        r->missing[i] = isnan(r->x[i]);
        count += r->missing[i];
    }
    bridge(r->x, r->missing, n);
    const double still = STILL * largest(r->x, n);
    double change = (double)INFINITY;
    for (int times = 0; times < (count > 0 ? TIMES_MOST : 1) && change > still; times++) {
        for (int i = 0; i < n; i++) {
            r->y[i] = r->x[i];
        }
        filter(r->y, n, cutoff, order, r->pad, r->work);
        change = refill(r->x, r->y, r->missing, n);
    }
    for (int i = 0; i < n; i++) {
        x[(size_t)i * (size_t)stride] = r->missing[i] ? (double)NAN : r->y[i];
    }
}

/* How many numbers a stretch has that begins at x, of n; the first is one. */
static int stretch_of(const double *x, int n, int stride, double cutoff)
{
    int end = 1;
    for (int k = 1; k < n && (k - end) * cutoff <= ACROSS; k++) {
        end = isnan(x[(size_t)k * (size_t)stride]) ? end : k + 1;
    }
    return end;
}

bool prb_lowpass(double *x, int n, int stride, double cutoff, int order)
{
    const size_t size = (size_t)n + 1;
    room r = {.pad = memory_of(cutoff, order, n), .missing = sal_alloc(size, sizeof(bool))};
    r.x = sal_alloc(3 * size + 2 * (size_t)r.pad, sizeof(double));
    const bool good = r.x != NULL && r.missing != NULL;
    if (good) {
        r.y = r.x + size;
        r.work = r.y + size;
    }
    for (int i = 0, m; good && i < n; i += m) {
        double *from = x + (size_t)i * (size_t)stride;
        m = isnan(from[0]) ? 1 : stretch_of(from, n - i, stride, cutoff);
        if (m > 1) {
            smooth(from, m, stride, cutoff, order, &r);
        }
    }
    sal_free(r.x);
    sal_free(r.missing);
    return good;
}
