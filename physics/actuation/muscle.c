/* muscle.c: a muscle as MuJoCo sees it (MuJoCo documentation, "Modeling", "Muscle actuators"). With
 *     the lengthrange (a, b) of the actuator,
 * the operating range (p0, p1) and the peak force F0:
 *
 *     L0 = (b - a) / (p1 - p0),     L = p0 + (l - a) / L0,     V = ldot / (L0 vmax)
 *     force = -F0 ( FL(L) FV(V) act + fpmax FP(L) )
 */
#include "base/house.h"
#include "physics/actuator.h"

#include <math.h>

enum { RANGE0, RANGE1, FORCE, SCALE, LMIN, LMAX, VMAX, FPMAX, FVMAX };

void phy_muscle_set(phy_muscle *u, const sal_model *m, const double *prm, int i, double length,
                    double velocity)
{
    const double *range = m->actuator_lengthrange + 2 * i;
    const double optimal = (range[1] - range[0]) / fmax(SAL_MINVAL, prm[RANGE1] - prm[RANGE0]);
    u->prm = prm;
    u->optimal = fmax(SAL_MINVAL, optimal);
    u->width = fmax(SAL_MINVAL, optimal * prm[VMAX]);
    u->length = prm[RANGE0] + (length - range[0]) / u->optimal;
    u->velocity = velocity / u->width;
    u->peak = prm[FORCE] >= 0 ? prm[FORCE] : prm[SCALE] / fmax(SAL_MINVAL, m->actuator_acc0[i]);
    u->falls_through = m->mujoco == SAL_MUJOCO_222;
}

/* FL: a bump of four parabolas over [lmin, lmax], 1 at L = 1; and its slope. */
static double force_length(const phy_muscle *u, double *slope)
{
    const double L = u->length, lmin = u->prm[LMIN], lmax = u->prm[LMAX];
    const double low = (lmin + 1) / 2, high = (1 + lmax) / 2;
    const bool first = L >= lmin && L <= low, last = L > 1 && L > high;
    *slope = 0;
    if ((last && L > lmax) || (L < lmin && !u->falls_through)) {
        return 0;
    }
    const double width = fmax(SAL_MINVAL, first    ? low - lmin
                                          : L <= 1 ? 1 - low
                                          : last   ? lmax - high
                                                   : high - 1);
    const double x = (first ? L - lmin : L <= 1 ? 1 - L : last ? lmax - L : L - 1) / width;
    *slope = (first || (L <= 1) ? x : -x) / width;
    return first || last ? x * x / 2 : 1 - x * x / 2;
}

/* FV: 0 at the fastest shortening, 1 at rest, fvmax when stretched fast; and its slope. */
static double force_velocity(const phy_muscle *u, double *slope)
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

double phy_muscle_gain(const phy_muscle *u)
{
    double by_length, by_velocity;
    return -u->peak * force_length(u, &by_length) * force_velocity(u, &by_velocity);
}

double phy_muscle_slope(const phy_muscle *u)
{
    double by_length, slope;
    force_velocity(u, &slope);
    return -u->peak * force_length(u, &by_length) * slope / u->width;
}

double phy_muscle_length_slope(const phy_muscle *u)
{
    double slope, by_velocity;
    force_length(u, &slope);
    return -u->peak * slope * force_velocity(u, &by_velocity) / u->optimal;
}

double phy_muscle_bias(const phy_muscle *u)
{
    const double L = u->length, high = (1 + u->prm[LMAX]) / 2, full = u->peak * u->prm[FPMAX];
    if (L <= 1) {
        return 0;
    }
    const double x = (L - 1) / fmax(SAL_MINVAL, high - 1);
    return L <= high ? -full * x * x / 2 : -full * (x - 0.5);
}

double phy_muscle_bias_slope(const phy_muscle *u)
{
    const double L = u->length, high = (1 + u->prm[LMAX]) / 2, full = u->peak * u->prm[FPMAX];
    const double width = fmax(SAL_MINVAL, high - 1), x = (L - 1) / width;
    return L <= 1 ? 0 : -full * (L <= high ? x : 1) / (width * u->optimal);
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

/* act_dot = (ctrl - act) / tau;  tau = t_a (1/2 + 3/2 act) while it grows, t_d / (1/2 + 3/2 act)
 *                                while it falls */
double phy_muscle_dynamics(double ctrl, double act, const double prm[3])
{
    const double excess = unit(ctrl) - act, factor = 0.5 + 1.5 * unit(act);
    const double grow = prm[0] * factor, fall = prm[1] / factor, width = prm[2];
    double tau = excess > 0 ? grow : fall;
    if (width >= SAL_MINVAL) {
        tau = fall + (grow - fall) * smooth_step(excess / width + 0.5);
    }
    return excess / fmax(SAL_MINVAL, tau);
}
