/* norm.c: what a residual costs, and the least-squares problem that looks like it nearby. */
#include "optim/optim.h"

#include <math.h>

/* The curvature used is phi'' but at least this share of phi'/r, the curvature of the parabola that
 * touches phi from above: where phi runs straight, phi'' vanishes and the scaled residual
 * phi'/sqrt(phi'') would not stay finite. */
static const double CURVATURE_SHARE = 0.01;
static const double TINY = 1e-8; /* power and smoothabs2: curvature at r = 0 is that at TINY */

/* phi, its slope, and the curvature used, of one component */
typedef struct component {
    double value, slope, curvature;
} component;

static component with_share(double value, double slope, double second, double parabola)
{
    return (component){value, slope, fmax(second, CURVATURE_SHARE * parabola)};
}

/* phi = sqrt(r^2 + p^2) - p = r^2 / (rho + p),  phi' = r / rho, phi'' = p^2 / rho^3, phi'/r = 1 /
 *                                               rho */
static component smoothabs(double r, double p)
{
    const double rho = fmax(hypot(r, p), TINY * TINY);
    return with_share(r * r / (rho + p), r / rho, p * p / (rho * rho * rho), 1 / rho);
}

/* phi = m S^(1/q) - p  with  S = (|r|/m)^q + (p/m)^q,  m = max(|r|, p),  a = |r|/m
 * phi' = +-a^(q-1) S^(1/q-1),  phi'' = (q-1) a^(q-2) (p/m)^q S^(1/q-2) / m, phi'/r = a^(q-2)
 *                              S^(1/q-1) / m */
static component smoothabs2(double r, double p, double q)
{
    const double m = fmax(fmax(fabs(r), p), TINY * TINY);
    const double a = fabs(r) / m, b = pow(p / m, q), sum = pow(a, q) + b;
    const double flat = pow(fmax(a, TINY), q - 2);
    const double slope = pow(a, q - 1) * pow(sum, 1 / q - 1);
    return with_share(m * pow(sum, 1 / q) - p, copysign(slope, r),
                      (q - 1) * flat * b * pow(sum, 1 / q - 2) / m, flat * pow(sum, 1 / q - 1) / m);
}

/* phi = p^2 (cosh(t) - 1) = 2 p^2 sinh^2(t/2),  phi' = p sinh t,  phi'' = cosh t,  t = r/p */
static component cosh_norm(double r, double p)
{
    const double half = sinh(0.5 * r / p);
    const double curvature = cosh(r / p);
    return (component){2 * p * p * half * half, p * sinh(r / p), curvature};
}

/* phi = a^p,  phi' = +-p a^(p-1),  phi'' = p (p-1) a^(p-2),  phi'/r = p a^(p-2),  a = |r| */
static component power(double r, double p)
{
    const double a = fabs(r), flat = p * pow(fmax(a, TINY), p - 2);
    return with_share(pow(a, p), copysign(a > 0 ? p * pow(a, p - 1) : 0, r), (p - 1) * flat, flat);
}

/* phi = p log(1 + e^t),  phi' = 1/(1 + e^-t), phi'' = phi' (1 - phi') / p, t = r/p; the parabola
 *                        that touches it from above has the
 * curvature tanh(t/2) / (2 t p)  (Jaakkola, Jordan, "Bayesian parameter estimation via variational
 *                                methods", 2000) */
static component softplus(double r, double p)
{
    const double t = r / p, tail = exp(-fabs(t));
    const double slope = t >= 0 ? 1 / (1 + tail) : tail / (1 + tail);
    const double parabola = fabs(t) < TINY ? 0.25 : tanh(0.5 * t) / (2 * t);
    return with_share(p * (fmax(t, 0) + log1p(tail)), slope, tail / ((1 + tail) * (1 + tail) * p),
                      parabola / p);
}

/* phi = -p^2 log(1 - t^2),  phi' = 2 r / (1 - t^2), phi'' = 2 (1 + t^2) / (1 - t^2)^2, t = r/p;
 *                           infinite for |t| >= 1 */
static component barrier(double r, double p)
{
    const double t = r / p, inside = 1 - t * t;
    if (!(inside > 0)) {
        return (component){(double)INFINITY, 0, 1};
    }
    return (component){-p * p * log1p(-t * t), 2 * r / inside, 2 * (1 + t * t) / (inside * inside)};
}

static component componentwise(const sal_norm *norm, double r)
{
    switch (norm->kind) {
    case SAL_NORM_SMOOTHABS:
        return smoothabs(r, norm->p);
    case SAL_NORM_SMOOTHABS2:
        return smoothabs2(r, norm->p, norm->q);
    case SAL_NORM_COSH:
        return cosh_norm(r, norm->p);
    case SAL_NORM_POWER:
        return power(r, norm->p);
    case SAL_NORM_SOFTPLUS:
        return softplus(r, norm->p);
    case SAL_NORM_BARRIER:
        return barrier(r, norm->p);
    case SAL_NORM_QUADRATIC: /* not componentwise: see below */
    case SAL_NORM_L2:
    case SAL_NORM_HUBER:
    case SAL_NORM_CAUCHY:
    case SAL_NORM_GEMANMCCLURE:
    default:
        return (component){0.5 * r * r, r, 1};
    }
}

/* phi = rho - p,  rho = sqrt(|r|^2 + p^2), gradient r / rho, Hessian (1 - n n' |r|^2/rho^2) / rho
 *                 with n = r/|r|:
 * 1/rho across r and p^2/rho^3 along it, so that  root = rho^-1/2 (1 - (1 - c) n n'), c = p/rho but
 *                                                 at least sqrt(CURVATURE_SHARE) */
static double l2_scale(const sal_norm *norm, const double *r, int n, double *scaled, double *root)
{
    double square = 0;
    for (int i = 0; i < n; i++) {
        square += r[i] * r[i];
    }
    const double rho = fmax(sqrt(square + norm->p * norm->p), TINY * TINY);
    const double value = square / (rho + norm->p);
    if (scaled == NULL) {
        return value;
    }
    const double along = fmax(norm->p / rho, sqrt(CURVATURE_SHARE));
    for (int i = 0; i < n; i++) {
        scaled[i] = r[i] / (sqrt(rho) * along);
        for (int j = 0; j < n; j++) {
            const double nn = square > 0 ? r[i] * r[j] / square : 0;
            root[i * n + j] = ((i == j ? 1 : 0) - (1 - along) * nn) / sqrt(rho);
        }
    }
    return value;
}

static double quadratic_scale(const double *r, int n, double *scaled, double *root)
{
    double value = 0;
    for (int i = 0; i < n; i++) {
        value += 0.5 * r[i] * r[i];
    }
    for (int i = 0; i < n && scaled != NULL; i++) {
        scaled[i] = r[i];
        root[i] = 1;
    }
    return value;
}

/* Of the squared length s = |r|^2:  phi = rho(s)/2, gradient rho'(s) r, curvature used rho'(s),
 *                                   since rho is concave: with u = s/p^2
 *   huber          rho = 2 p^2 (sqrt(1 + u) - 1) = 2 s / (sqrt(1 + u) + 1)
 *   rho' = 1/sqrt(1 + u)
 *   cauchy         rho = p^2 log(1 + u)                                         rho' = 1/(1 + u)
 *   gemanmcclure   rho = s / (1 + u)                                            rho' = 1/(1 + u)^2
 * (P. J. Huber, E. M. Ronchetti, "Robust statistics", 2009, 7.8; S. Geman, D. E. McClure,
 * "Statistical methods for tomographic image reconstruction", 1987) */
static double reweighted_scale(const sal_norm *norm, const double *r, int n, double *scaled,
                               double *root)
{
    double square = 0;
    for (int i = 0; i < n; i++) {
        square += r[i] * r[i];
    }
    const double p = norm->p, t = sqrt(square) / p, bend = sqrt(1 + t * t);
    const bool huber = norm->kind == SAL_NORM_HUBER, cauchy = norm->kind == SAL_NORM_CAUCHY;
    const double root_slope = huber ? 1 / sqrt(bend) : cauchy ? 1 / bend : 1 / (bend * bend);
    for (int i = 0; i < n && scaled != NULL; i++) {
        scaled[i] = root_slope * r[i];
        root[i] = root_slope;
    }
    return huber    ? square / (bend + 1)
           : cauchy ? 0.5 * p * p * log1p(t * t)
                    : 0.5 * p * p * (t / bend) * (t / bend);
}

double sal_norm_scale(const sal_norm *norm, const double *r, int n, double *scaled, double *root,
                      bool *diagonal)
{
    if (diagonal != NULL) {
        *diagonal = norm->kind != SAL_NORM_L2;
    }
    if (norm->kind == SAL_NORM_L2) {
        return l2_scale(norm, r, n, scaled, root);
    }
    if (norm->kind == SAL_NORM_QUADRATIC) {
        return quadratic_scale(r, n, scaled, root);
    }
    if (norm->kind == SAL_NORM_HUBER || norm->kind == SAL_NORM_CAUCHY ||
        norm->kind == SAL_NORM_GEMANMCCLURE) {
        return reweighted_scale(norm, r, n, scaled, root);
    }
    double value = 0;
    for (int i = 0; i < n; i++) {
        const component c = componentwise(norm, r[i]);
        value += c.value;
        if (scaled != NULL) {
            root[i] = sqrt(c.curvature);
            scaled[i] = c.slope / root[i];
        }
    }
    return value;
}

double sal_norm_value(const sal_norm *norm, const double *r, int n)
{
    return sal_norm_scale(norm, r, n, NULL, NULL, NULL);
}
