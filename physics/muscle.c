/* muscle.c: a muscle as MuJoCo sees it (MuJoCo documentation, "Modeling", "Muscle actuators").  With the lengthrange (a, b) of the actuator,
 * the operating range (p0, p1) and the peak force F0:
 *
 *     L0 = (b - a) / (p1 - p0),     L = p0 + (l - a) / L0,     V = ldot / (L0 vmax)
 *     force = -F0 ( FL(L) FV(V) act + fpmax FP(L) )
 */
#include "physics/actuator.h"

#include <math.h>

enum { RANGE0, RANGE1, FORCE, SCALE, LMIN, LMAX, VMAX, FPMAX, FVMAX };

void sal_muscle_set(sal_muscle *u, const sal_model *m, const double *prm, int i, double length,
                    double velocity)
{
    const double *range = m->actuator_lengthrange + 2 * i;
    const double optimal = (range[1] - range[0]) / fmax(SAL_MINVAL, prm[RANGE1] - prm[RANGE0]);
    u->prm = prm;
    u->width = fmax(SAL_MINVAL, optimal * prm[VMAX]);
    u->length = prm[RANGE0] + (length - range[0]) / fmax(SAL_MINVAL, optimal);
    u->velocity = velocity / u->width;
    u->peak = prm[FORCE] >= 0 ? prm[FORCE] : prm[SCALE] / fmax(SAL_MINVAL, m->actuator_acc0[i]);
    u->falls_through = m->compat222;
}

/* FL: a bump of four parabolas over [lmin, lmax], 1 at L = 1. */
static double force_length(const sal_muscle *u)
{
    const double L = u->length, lmin = u->prm[LMIN], lmax = u->prm[LMAX];
    const double low = (lmin + 1) / 2, high = (1 + lmax) / 2;
    double x;
    if (L < lmin && !u->falls_through) {
        return 0;
    }
    if (L >= lmin && L <= low) {
        x = (L - lmin) / fmax(SAL_MINVAL, low - lmin);
        return x * x / 2;
    }
    if (L <= 1) {
        x = (1 - L) / fmax(SAL_MINVAL, 1 - low);
        return 1 - x * x / 2;
    }
    if (L <= high) {
        x = (L - 1) / fmax(SAL_MINVAL, high - 1);
        return 1 - x * x / 2;
    }
    if (L <= lmax) {
        x = (lmax - L) / fmax(SAL_MINVAL, lmax - high);
        return x * x / 2;
    }
    return 0;
}

/* FV: 0 at the fastest shortening, 1 at rest, fvmax when stretched fast; and its slope. */
static double force_velocity(const sal_muscle *u, double *slope)
{
    const double V = u->velocity, top = u->prm[FVMAX], c = top - 1;
    *slope = 0;
    if (V <= -1) {
        return 0;
    }
    if (V <= 0) {
        *slope = 2 * (V + 1);
        return (V + 1) * (V + 1);
    }
    if (V <= c) {
        *slope = 2 * (c - V) / fmax(SAL_MINVAL, c);
        return top - (c - V) * (c - V) / fmax(SAL_MINVAL, c);
    }
    return top;
}

double sal_muscle_gain(const sal_muscle *u)
{
    double slope;
    return -u->peak * force_length(u) * force_velocity(u, &slope);
}

double sal_muscle_slope(const sal_muscle *u)
{
    double slope;
    force_velocity(u, &slope);
    return -u->peak * force_length(u) * slope / u->width;
}

double sal_muscle_bias(const sal_muscle *u)
{
    const double L = u->length, high = (1 + u->prm[LMAX]) / 2, full = u->peak * u->prm[FPMAX];
    if (L <= 1) {
        return 0;
    }
    const double x = (L - 1) / fmax(SAL_MINVAL, high - 1);
    return L <= high ? -full * x * x / 2 : -full * (x - 0.5);
}

/* 6 x^5 - 15 x^4 + 10 x^3 between 0 and 1 */
static double smooth_step(double x)
{
    return x <= 0 ? 0 : x >= 1 ? 1 : x * x * x * (x * (6 * x - 15) + 10);
}

static double unit(double x)
{
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

/* act_dot = (ctrl - act) / tau;  tau = t_a (1/2 + 3/2 act) while it grows, t_d / (1/2 + 3/2 act) while it falls */
double sal_muscle_dynamics(double ctrl, double act, const double prm[3])
{
    const double excess = unit(ctrl) - act, factor = 0.5 + 1.5 * unit(act);
    const double grow = prm[0] * factor, fall = prm[1] / factor, width = prm[2];
    double tau = excess > 0 ? grow : fall;
    if (width >= SAL_MINVAL) {
        tau = fall + (grow - fall) * smooth_step(excess / width + 0.5);
    }
    return excess / fmax(SAL_MINVAL, tau);
}
