/* activation.c: the control that an activation asks for.  A step of length h takes w to w':
 *
 *     integrator    w' = w + h u                            u = (w' - w)/h
 *     filter        w' = w + h (u - w)/tau                  u = w + tau (w' - w)/h
 *     filterexact   w' = w + (u - w)(1 - exp(-h/tau))       u = w + (w' - w)/(1 - exp(-h/tau))
 *     muscle        w' = w + h e/tau(e, w),   e = u - w
 *     u = w + e,  e the root of  e = r tau(e, w),  r = (w' - w)/h
 *
 * tau of a muscle lies between t_a f while it grows and t_d / f while it falls, f = 1/2 + 3/2 w
 * (muscle.c).
 */
#include "base/house.h"
#include "physics/actuator.h"

#include <math.h>

/* ---- muscles ---- */

typedef struct pace { /* tau and its derivatives */
    double tau, by_excess, by_act;
} pace;

/* tau = fall + (grow - fall) S(e/width + 1/2),  S = 6 x^5 - 15 x^4 + 10 x^3; without width the one
 *                                               or the other, by the sign of e */
static pace pace_of(const double prm[3], double excess, double act)
{
    const double clipped = act < 0 ? 0 : act > 1 ? 1 : act, factor = 0.5 + 1.5 * clipped;
    const double turn = clipped == act ? 1.5 : 0, width = prm[2];
    const double grow = prm[0] * factor, fall = prm[1] / factor;
    const double dgrow = prm[0] * turn, dfall = -prm[1] * turn / (factor * factor);
    double share = excess > 0 ? 1 : 0, slope = 0;
    if (width >= SAL_MINVAL) {
        const double x = fmin(fmax(excess / width + 0.5, 0), 1), rest = 1 - x;
        share = x * x * x * (x * (6 * x - 15) + 10);
        slope = 30 * x * x * rest * rest / width;
    }
    const double tau = fall + (grow - fall) * share;
    return tau > SAL_MINVAL ? (pace){tau, (grow - fall) * slope, dfall + (dgrow - dfall) * share}
                            : (pace){SAL_MINVAL, 0, 0};
}

/* The root lies between r times the two extremes of tau, and e/tau(e) rises from one to the other:
 * Newton's method within a bracket. */
static double excess_of(const double prm[3], double rate, double act)
{
    const double first = rate * pace_of(prm, 1e10, act).tau,
                 last = rate * pace_of(prm, -1e10, act).tau;
    double low = fmin(first, last), high = fmax(first, last);
    if (prm[2] < SAL_MINVAL) {
        return rate > 0 ? first : last;
    }
    double e = 0.5 * (low + high);
    for (int k = 0; k < 100; k++) {
        const pace p = pace_of(prm, e, act);
        const double miss = e - rate * p.tau, slope = 1 - rate * p.by_excess;
        if (miss > 0) {
            high = e;
        } else {
            low = e;
        }
        const double newton = e - miss / slope;
        const double next = newton > low && newton < high ? newton : 0.5 * (low + high);
        if (miss == 0 || fabs(next - e) <= 1e-16 * fabs(e)) {
            return e;
        }
        e = next;
    }
    return e;
}

/* With F = e - r tau(e, w) = 0:  de/dr = tau/F_e,  de/dw = r tau_w/F_e,  F_e = 1 - r tau_e */
static double muscle_control(const double prm[3], double act, double next, double h,
                             double slope[3])
{
    const double rate = (next - act) / h, excess = excess_of(prm, rate, act);
    const pace p = pace_of(prm, excess, act);
    const double F_e = 1 - rate * p.by_excess, by_rate = p.tau / F_e;
    slope[0] = 1 + rate * p.by_act / F_e - by_rate / h;
    slope[1] = by_rate / h;
    slope[2] = -rate * by_rate;
    return act + excess;
}

/* ---- all of them ---- */

double sal_activation_control(const sal_model *m, int i, double act, double next, double slope[3])
{
    const double *prm = m->actuator_dynprm + 10 * i, h = m->opt.timestep;
    const double tau = fmax(SAL_MINVAL, prm[0]);
    double unused[3], *by = slope == NULL ? unused : slope, share = h / tau, dshare = share;
    switch ((sal_dyn)m->actuator_dyntype[i]) {
    case SAL_DYN_INTEGRATOR:
        by[0] = -1 / h, by[1] = 1 / h, by[2] = -(next - act) / h;
        return (next - act) / h;
    case SAL_DYN_MUSCLE:
        return muscle_control(prm, act, next, h, by);
    case SAL_DYN_FILTEREXACT:
        dshare = share * exp(-share);
        share = -expm1(-share);
        break;
    case SAL_DYN_FILTER:
    case SAL_DYN_MOTOR:
    case SAL_DYN_NONE:
        break;
    }
    /* u = w + (w' - w)/share,  dshare = d share / d log h */
    by[0] = 1 - 1 / share, by[1] = 1 / share, by[2] = -(next - act) * dshare / (share * share);
    return act + (next - act) / share;
}
