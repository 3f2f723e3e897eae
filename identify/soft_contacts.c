/* soft_contacts.c: contacts that are soft at first, so that a body of the wrong size or place feels
 * what it could touch.
 *
 * A contact's reference acceleration is  -b v - k d(x) x, its impedance d rises over a width.
 *                                        Between soft and the model's own, at softness s,
 *
 *     X(s) = X_own (X_soft / X_own)^s      X = k, b, width, d_max/(1 - d_max)
 *     k_soft 500 /s^2, b_soft 50 /s, width_soft .06 m, d 2/3
 *
 * each at most as hard as its own; and the ratio of frictional to normal impedance, soft 0.015, so
 * that friction does not hold what lies wrong. And as a softer contact sinks deeper, its margin
 * grows by x*(s) - x*(0), x* the depth at which one of four contacts
 * carries a body at rest:  k d(x) x d/(1-d) = g/4.
 */
#include "identify/fit.h"

#include <math.h>
#include <string.h>

static const double soft_stiffness = 500, soft_damping = 50, soft_width = 0.06, soft_dmax = 2. / 3;
static const double soft_impratio = 0.015;
static const double load = 9.81 / 4;

/* solref [2], solimp [5], include, detect of each pair, and impratio */
enum { OWN = 9 };

size_t idn_contact_size(const sal_model *m)
{
    return (size_t)OWN * (size_t)m->npair + 1;
}

static double between(double own, double soft, double s)
{
    return own * pow(soft / own, s);
}

static double clamp(double d)
{
    return fmin(fmax(d, 1e-4), 0.9999);
}

/* k and b, whichever way solref says them ("MuJoCo documentation": solver parameters) */
static void direct(const double *ref, double dmax, double h, double *k, double *b)
{
    const double timeconst = fmax(ref[0], 2 * h);
    *k = ref[0] > 0 ? 1 / pow(dmax * timeconst * ref[1], 2) : -ref[0] / (dmax * dmax);
    *b = ref[0] > 0 ? 2 / (dmax * timeconst) : -ref[1] / dmax;
}

/* The depth at which k d(x) x d/(1-d) = load, by bisection; d(x) rises from d_0 to d_max by a
 * parabola, and another from the middle on. */
static double rest_depth(double k, const double *imp)
{
    double lo = 0, hi = 1;
    for (int i = 0; i < 60; i++) {
        const double x = 0.5 * (lo + hi), y = fmin(1, x / fmax(imp[2], 1e-6));
        const double rise = y <= 0.5 ? 2 * y * y : 1 - 2 * (1 - y) * (1 - y);
        const double d = clamp(imp[0]) + rise * (clamp(imp[1]) - clamp(imp[0]));
        const bool light = k * d * x * d / (1 - d) < load;
        lo = light ? x : lo;
        hi = light ? hi : x;
    }
    return 0.5 * (lo + hi);
}

static void soften_pair(sal_model *m, int i, double s)
{
    double *ref = m->pair_solref + 2 * i, *imp = m->pair_solimp + 5 * i, k, b;
    const double own = clamp(imp[1]);
    direct(ref, own, m->opt.timestep, &k, &b);
    const double depth = rest_depth(k, imp), odds = own / (1 - own),
                 soft_odds = soft_dmax / (1 - soft_dmax);
    if (k > soft_stiffness) {
        k = between(k, soft_stiffness, s);
    }
    if (b > soft_damping) {
        b = between(b, soft_damping, s);
    }
    const double ratio = odds > soft_odds ? between(odds, soft_odds, s) : odds;
    imp[0] = fmin(imp[0], ratio / (1 + ratio));
    imp[1] = ratio / (1 + ratio);
    imp[2] = imp[2] < soft_width ? between(fmax(imp[2], 1e-5), soft_width, s) : imp[2];
    ref[0] = -k * imp[1] * imp[1];
    ref[1] = -b * imp[1];
    const double shift = fmax(0, rest_depth(k, imp) - depth);
    if (m->geom_type[m->pair_geom1[i]] == SAL_GEOM_HFIELD) { /* which is raised by it */
        m->pair_detect[i] += shift / 1.5;
        return;
    }
    m->pair_include[i] += shift;
    m->pair_detect[i] += shift;
}

void idn_contact_soften(sal_model *m, double softness, double *own)
{
    const size_t n = (size_t)m->npair;
    if (softness <= 0 || n == 0) {
        return;
    }
    memcpy(own, m->pair_solref, 2 * n * sizeof(double));
    memcpy(own + 2 * n, m->pair_solimp, 5 * n * sizeof(double));
    memcpy(own + 7 * n, m->pair_include, n * sizeof(double));
    memcpy(own + 8 * n, m->pair_detect, n * sizeof(double));
    own[OWN * n] = m->opt.impratio;
    if (m->opt.impratio > soft_impratio) {
        m->opt.impratio = between(m->opt.impratio, soft_impratio, softness);
    }
    for (int i = 0; i < m->npair; i++) {
        soften_pair(m, i, softness);
    }
    sal_model_margins(m);
}

void idn_contact_restore(sal_model *m, double softness, const double *own)
{
    const size_t n = (size_t)m->npair;
    if (softness <= 0 || n == 0) {
        return;
    }
    memcpy(m->pair_solref, own, 2 * n * sizeof(double));
    memcpy(m->pair_solimp, own + 2 * n, 5 * n * sizeof(double));
    memcpy(m->pair_include, own + 7 * n, n * sizeof(double));
    memcpy(m->pair_detect, own + 8 * n, n * sizeof(double));
    m->opt.impratio = own[OWN * n];
    sal_model_margins(m);
}
