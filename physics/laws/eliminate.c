#include "physics/laws/eliminate.h"

#include <math.h>

#define LEAST_PIVOT 1e-14

static void swap(double *a, double *b, int n)
{
    for (int k = 0; k < n; k++) {
        const double kept = a[k];
        a[k] = b[k];
        b[k] = kept;
    }
}

/* Divides every row by its largest entry, so that pivots can be compared with 1. */
static bool scale_rows(double *x, int w, double *a, int n)
{
    for (int i = 0; i < n; i++) {
        double most = 0;
        for (int k = 0; k < n; k++) {
            most = fmax(most, fabs(a[i * n + k]));
        }
        if (!(most > 0) || !isfinite(most)) {
            return false;
        }
        for (int k = 0; k < n; k++) {
            a[i * n + k] /= most;
        }
        for (int k = 0; k < w; k++) {
            x[i * w + k] /= most;
        }
    }
    return true;
}

/* Row `to` -= factor x row `from` */
static void subtract(double *to, const double *from, double factor, int n)
{
    for (int k = 0; k < n; k++) {
        to[k] -= factor * from[k];
    }
}

sal_status phy_eliminate(double *x, int w, double *a, int n)
{
    if (!scale_rows(x, w, a, n)) {
        return SAL_SINGULAR;
    }
    for (int p = 0; p < n; p++) {
        int best = p;
        for (int i = p + 1; i < n; i++) {
            best = fabs(a[i * n + p]) > fabs(a[best * n + p]) ? i : best;
        }
        if (!(fabs(a[best * n + p]) > LEAST_PIVOT)) {
            return SAL_SINGULAR;
        }
        if (best != p) {
            swap(a + p * n + p, a + best * n + p, n - p);
            swap(x + p * w, x + best * w, w);
        }
        for (int i = p + 1; i < n; i++) {
            const double factor = a[i * n + p] / a[p * n + p];
            if (factor != 0) {
                subtract(a + i * n + p, a + p * n + p, factor, n - p);
                subtract(x + i * w, x + p * w, factor, w);
            }
        }
    }
    for (int p = n - 1; p >= 0; p--) { /* the upper triangle, from below */
        for (int k = 0; k < w; k++) {
            x[p * w + k] /= a[p * n + p];
        }
        for (int i = 0; i < p; i++) {
            subtract(x + i * w, x + p * w, a[i * n + p], w);
        }
    }
    return SAL_OK;
}
