/* history.c: delays of actuators and sensors (MuJoCo documentation, "Modeling", "Delays"; measured
 * on MuJoCo 3.14, and tried beside it in tests/physics/delay_314.mjs).
 *
 *     x(t) between samples t_k < t < t_{k+1}, s = (t - t_k)/(t_{k+1} - t_k):
 *         zoh       x_k
 *         linear    x_k + s (x_{k+1} - x_k)
 *         cubic     the cubic that has the samples' values, and there the slopes
 *                   (x_{k+1} - x_{k-1})/(t_{k+1} - t_{k-1}), 0 at both ends of the history
 *     x(t) before the first sample is x_0, behind the last x_{n-1}
 *
 * Times are sums of steps, and two of them are the same only to the last digit: where the control
 * of a whole number of steps before is asked for, zoh may find the one before that.
 */
#include "physics/history.h"

#include "base/house.h"

#include <math.h>
#include <string.h>

/* s: times that differ by less are the same */
static const double same = 1e-15;

static phy_history history_of(const sal_data *d, const int history[2], int adr, int dim)
{
    const int n = history[0] > 0 ? history[0] : 0;
    double *begin = n > 0 ? d->history + adr : NULL;
    return n > 0 ? (phy_history){.tick = begin,
                                 .newest = begin + 1,
                                 .time = begin + 2,
                                 .value = begin + 2 + n,
                                 .n = n,
                                 .dim = dim,
                                 .interp = history[1]}
                 : (phy_history){0};
}

static phy_history control_history(const sal_model *m, const sal_data *d, int i)
{
    return history_of(d, m->actuator_history + 2 * i, m->actuator_historyadr[i], 1);
}

phy_history phy_sensor_history(const sal_model *m, const sal_data *d, int i)
{
    return history_of(d, m->sensor_history + 2 * i, m->sensor_historyadr[i], m->sensor_dim[i]);
}

/* ---- the ring ---- */

/* Where sample k is, the oldest being 0 */
static int place(const phy_history *s, int k)
{
    return (int)(((long)*s->newest + 1 + k) % s->n);
}

/* How many samples are before t */
static int samples_before(const phy_history *s, double t)
{
    int lo = 0, hi = s->n;
    while (lo < hi) {
        const int mid = lo + (hi - lo) / 2;
        if (s->time[place(s, mid)] < t) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    return lo;
}

static const double *value_of(const phy_history *s, int k)
{
    return s->value + (size_t)place(s, k) * (size_t)s->dim;
}

/* The slope of number r at sample k */
static double slope(const phy_history *s, int k, int r)
{
    if (k == 0 || k == s->n - 1) {
        return 0;
    }
    return (value_of(s, k + 1)[r] - value_of(s, k - 1)[r]) /
           (s->time[place(s, k + 1)] - s->time[place(s, k - 1)]);
}

/* Between samples k and k + 1 */
static void between(const phy_history *s, int k, double t, double *out)
{
    const double t0 = s->time[place(s, k)], h = s->time[place(s, k + 1)] - t0, u = (t - t0) / h;
    const double *x = value_of(s, k), *y = value_of(s, k + 1);
    for (int r = 0; r < s->dim; r++) {
        if (s->interp == SAL_INTERP_ZOH) {
            out[r] = x[r];
        } else if (s->interp == SAL_INTERP_LINEAR) {
            out[r] = x[r] + u * (y[r] - x[r]);
        } else { /* Hermite's */
            const double v = 1 - u;
            out[r] = v * v * ((1 + 2 * u) * x[r] + u * h * slope(s, k, r)) +
                     u * u * ((1 + 2 * v) * y[r] - v * h * slope(s, k + 1, r));
        }
    }
}

void phy_history_at(const phy_history *s, double t, double *out)
{
    const int last = s->n - 1, k = samples_before(s, t);
    const int exact = t <= s->time[place(s, 0)] + same                  ? 0
                      : k > last || t >= s->time[place(s, last)] - same ? last
                      : fabs(s->time[place(s, k)] - t) < same           ? k
                                                                        : -1;
    if (exact >= 0) {
        memcpy(out, value_of(s, exact), (size_t)s->dim * sizeof *out);
    } else {
        between(s, k - 1, t, out);
    }
}

double *phy_history_add(const phy_history *s, double t)
{
    const size_t dim = (size_t)s->dim;
    const int k = samples_before(s, t);
    int at = place(s, k == 0 ? 0 : k - 1);
    if (k < s->n && fabs(s->time[place(s, k)] - t) < same) {
        at = place(s, k);
    } else if (k == s->n) { /* the newest, as a rule: in the place of the oldest */
        at = place(s, 0);
        *s->newest = at;
    } else {
        for (int j = 0; j + 1 < k; j++) {
            s->time[place(s, j)] = s->time[place(s, j + 1)];
            memcpy(s->value + (size_t)place(s, j) * dim, value_of(s, j + 1), dim * sizeof(double));
        }
    }
    s->time[at] = t;
    return s->value + (size_t)at * dim;
}

/* ---- the first samples: the controls of the first state, and zeros ---- */

void phy_history_begin(const sal_model *m, sal_data *d)
{
    const double h = m->opt.timestep;
    for (int i = 0; m->nhistory > 0 && i < m->nu; i++) {
        const phy_history s = control_history(m, d, i);
        for (int k = 0; k < s.n; k++) {
            *s.newest = s.n - 1;
            s.time[k] = -(s.n - k) * h;
            s.value[k] = d->ctrl[i];
        }
    }
    for (int i = 0; m->nhistory > 0 && i < m->nsensor; i++) {
        const phy_history s = phy_sensor_history(m, d, i);
        const double period = m->sensor_interval[2 * i], phase = m->sensor_interval[2 * i + 1];
        const double tick = !(period > 0) ? -h : phase == 0 ? -period : phase;
        for (int k = 0; k < s.n; k++) {
            *s.tick = tick;
            *s.newest = s.n - 1;
            s.time[k] = period > 0 ? ceil((tick - (s.n - 1 - k) * period) / h) * h : -(s.n - k) * h;
        }
    }
}

/* ---- controls ---- */

double phy_delayed_control(const sal_model *m, const sal_data *d, int i)
{
    const phy_history s = control_history(m, d, i);
    double u = d->ctrl[i];
    if (s.n > 0 && m->actuator_delay[i] != 0) { /* a negative one takes the newest sample */
        phy_history_at(&s, d->time - m->actuator_delay[i], &u);
    }
    return u;
}

void phy_remember_controls(const sal_model *m, sal_data *d)
{
    for (int i = 0; i < m->nu; i++) {
        const phy_history s = control_history(m, d, i);
        if (s.n > 0) {
            *phy_history_add(&s, d->time) = d->ctrl[i];
        }
    }
}

/* ---- sensors ---- */

/* One with an interval shows something new as soon as that has passed since its tick. */
static bool waits(const sal_model *m, const sal_data *d, int i, const phy_history *s)
{
    const double period = m->sensor_interval[2 * i];
    return period > 0 && *s->tick + period > d->time;
}

bool phy_sensor_is_recalled(const sal_model *m, const sal_data *d, int i)
{
    const phy_history s = phy_sensor_history(m, d, i);
    return s.n > 0 && (m->sensor_delay[i] > 0 || waits(m, d, i, &s));
}

void phy_recall_sensor(const sal_model *m, sal_data *d, int i)
{
    const phy_history s = phy_sensor_history(m, d, i);
    phy_history_at(&s, d->time - m->sensor_delay[i], d->sensordata + m->sensor_adr[i]);
}

bool phy_sensor_is_due(const sal_model *m, sal_data *d, int i)
{
    const phy_history s = phy_sensor_history(m, d, i);
    const double period = m->sensor_interval[2 * i];
    if (s.n == 0 || waits(m, d, i, &s)) {
        return false;
    }
    *s.tick += period > 0 ? period : 0;
    return true;
}
