/* between.c: a recorded number between its samples. */
#include "problems/recordings/data.h"

#include <math.h>

bool prb_channel_is_straight(const prb_channel *c)
{
    return c->kind == PRB_CHANNEL_CTRL || c->kind == PRB_CHANNEL_FORCE;
}

static double of(const prb_signal *s, int k)
{
    return s->x[(size_t)k * (size_t)s->stride];
}

static double time_of(const prb_signal *s, int k)
{
    return s->at != NULL ? s->at[k] : k * s->dt;
}

/* The next sample that is there from k on, in steps of +-1, within reach of `from`; -1: there is
 * none. */
static int next(const prb_signal *s, int k, int step, double from)
{
    const double most = s->reach * (1 + 1e-9);
    while (k >= 0 && k < s->n && isnan(of(s, k)) && fabs(time_of(s, k) - from) <= most) {
        k += step;
    }
    return k >= 0 && k < s->n && !isnan(of(s, k)) && fabs(time_of(s, k) - from) <= most ? k : -1;
}

/* The slope at sample k that both its neighbours tell: that of the parabola through the three. */
static double slope(const prb_signal *s, int k)
{
    const double now = time_of(s, k), x = of(s, k);
    const int before = next(s, k - 1, -1, now), after = next(s, k + 1, 1, now);
    const double a = before < 0 ? 0 : now - time_of(s, before),
                 b = after < 0 ? 0 : time_of(s, after) - now;
    const double left = a > 0 ? (x - of(s, before)) / a : 0,
                 right = b > 0 ? (of(s, after) - x) / b : 0;
    return a > 0 && b > 0 ? (b * left + a * right) / (a + b) : a > 0 ? left : right;
}

/* The cubic with the values and slopes of both. */
double prb_signal_at(const prb_signal *s, int k, double t)
{
    const double near = (t - time_of(s, k)) / (time_of(s, k + 1) - time_of(s, k));
    if (near <= 1e-9 || near >= 1 - 1e-9) {
        const double x = of(s, near < .5 ? k : k + 1);
        if (!isnan(x)) {
            return x;
        }
    }
    const int i = next(s, k, -1, t), j = next(s, k + 1, 1, t);
    const double h = i < 0 || j < 0 ? (double)NAN : time_of(s, j) - time_of(s, i);
    if (!(h <= s->reach * (1 + 1e-9))) {
        return (double)NAN;
    }
    const double f = (t - time_of(s, i)) / h, u = 1 - f, a = of(s, i), b = of(s, j);
    return s->straight ? a + f * (b - a)
                       : u * u * (1 + 2 * f) * a + f * f * (3 - 2 * f) * b +
                             f * u * h * (u * slope(s, i) - f * slope(s, j));
}
