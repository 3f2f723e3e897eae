#include "physics/laws/hard.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* The normal impulse and its slope by the gap. */
typedef struct push {
    double gamma, slope;
    phy_hard_state state;
} push;

static push push_at(const phy_hard_relax *relax, double s)
{
    const double s0 = relax->s0, kappa = relax->kappa_n;
    if (!(kappa > 0) || !isfinite(s)) {
        return (push){NAN, NAN, PHY_HARD_INVALID};
    }
    if (s0 > 0 && s < s0) {
        return (push){kappa / s0 * (2 - s / s0), -kappa / s0 / s0, PHY_HARD_EXTENDED};
    }
    if (s <= 0) {
        return (push){NAN, NAN, PHY_HARD_PENETRATES};
    }
    const double gamma = kappa / s;
    return (push){gamma, -gamma / s, PHY_HARD_EXACT};
}

/* Friction below the bound gamma, n tangents. */
typedef struct slide {
    double gamma, r, u, eta_1;
    double square; /* |eta|^2 */
    double eta[PHY_HARD_DIM];
} slide;

/* u = sqrt(r^2 + 4 |eta|^2): both terms are positive, so only squares out of range need care. */
static double root_of(const slide *x, int n)
{
    const double sum = x->r * x->r + 4 * x->square;
    if (sum > DBL_MIN / DBL_EPSILON && sum < DBL_MAX) {
        return sqrt(sum);
    }
    double u = x->r;
    for (int j = 0; j < n; j++) {
        u = hypot(u, 2 * x->eta[j]);
    }
    return u;
}

static void slide_at(slide *x, double gamma, double kappa_t, const double *mu, const double *w,
                     int n)
{
    *x = (slide){.gamma = gamma, .r = kappa_t / gamma};
    for (int j = 0; j < n; j++) {
        x->eta[j] = mu[j] * w[j];
        x->square += x->eta[j] * x->eta[j];
    }
    x->u = root_of(x, n);
    x->eta_1 = 0.5 * (x->r + x->u);
}

static void slide_impulse(double *f, const slide *x, const double *mu, int n)
{
    const double c = x->gamma / x->eta_1;
    for (int j = 0; j < n; j++) {
        f[j] = -mu[j] * c * x->eta[j];
    }
}

/* gamma (u - r)/2 - (kappa_t/2) log(1 + (u - r)/(2 r)),  u - r = 4 |eta|^2/(u + r) */
static double slide_value(const slide *x, double kappa_t)
{
    const double excess = 2 * x->square / x->eta_1;
    return 0.5 * x->gamma * excess - 0.5 * kappa_t * log1p(0.5 * excess / x->r);
}

/* The block of df/dw that belongs to the tangents, rows of `stride` numbers; with n = eta/eta_1,
 * |n| <= 1, g eta_j eta_k = (2 gamma/u) n_j n_k. */
static void slide_slope(double *slope, int stride, const slide *x, const double *mu, int n)
{
    const double along = x->gamma / x->eta_1 * (x->r / x->u), across = 2 * x->gamma / x->u;
    for (int j = 0; j < n; j++) {
        const double n_j = x->eta[j] / x->eta_1;
        double others = 0;
        for (int k = 0; k < n; k++) {
            const double n_k = x->eta[k] / x->eta_1;
            slope[j * stride + k] = mu[j] * mu[k] * across * n_j * n_k;
            others += k == j ? 0 : n_k * n_k;
        }
        slope[j * stride + j] = -mu[j] * mu[j] * (along + across * others);
    }
}

/* dry friction is a contact of one tangent whose normal impulse is the bound */
static const double unit[1] = {1};

static phy_hard_state judged(phy_hard_state state, const double *f, int n)
{
    for (int j = 0; j < n && state < PHY_HARD_PENETRATES; j++) {
        state = isfinite(f[j]) ? state : PHY_HARD_INVALID;
    }
    return state;
}

static bool is_loss_free(const phy_hard_block *block)
{
    return block->kind == PHY_HARD_LOSS && block->bound == 0;
}

phy_hard_state phy_hard_inverse(double *f, const phy_hard_block *block, const phy_hard_relax *relax,
                                double s, const double *w)
{
    phy_hard_state state = relax->kappa_t > 0 ? PHY_HARD_EXACT : PHY_HARD_INVALID;
    slide x;
    if (block->kind == PHY_HARD_EQUALITY) {
        f[0] = -s / block->compliance;
        return judged(PHY_HARD_EXACT, f, 1);
    }
    if (block->kind == PHY_HARD_LOSS) {
        slide_at(&x, block->bound, relax->kappa_t, unit, w, 1);
        slide_impulse(f, &x, unit, 1);
        return judged(state, f, 1);
    }
    const push normal = push_at(relax, s);
    f[0] = normal.gamma;
    if (block->dim > 1) {
        slide_at(&x, normal.gamma, relax->kappa_t, block->mu, w + 1, block->dim - 1);
        slide_impulse(f + 1, &x, block->mu, block->dim - 1);
    }
    return judged(state > normal.state ? state : normal.state, f, block->dim);
}

static phy_hard_state contact_potential(phy_hard_value *value, const phy_hard_block *block,
                                        const phy_hard_relax *relax, double s, const double *w)
{
    const push normal = push_at(relax, s);
    slide x;
    value->gap = normal.state == PHY_HARD_PENETRATES ? INFINITY : NAN;
    if (normal.state >= PHY_HARD_PENETRATES) {
        return normal.state;
    }
    if (normal.state == PHY_HARD_EXACT) {
        value->gap = -relax->kappa_n * log(s);
    } else { /* and the integral of gamma from s to s0, a trapezium */
        value->gap = 0.5 * (normal.gamma + relax->kappa_n / relax->s0) * (relax->s0 - s) -
                     relax->kappa_n * log(relax->s0);
    }
    if (block->dim > 1) {
        slide_at(&x, normal.gamma, relax->kappa_t, block->mu, w + 1, block->dim - 1);
        value->slip = slide_value(&x, relax->kappa_t);
    }
    return normal.state;
}

phy_hard_state phy_hard_potential(phy_hard_value *value, const phy_hard_block *block,
                                  const phy_hard_relax *relax, double s, const double *w)
{
    phy_hard_state state = relax->kappa_t > 0 ? PHY_HARD_EXACT : PHY_HARD_INVALID;
    slide x;
    *value = (phy_hard_value){0};
    if (block->kind == PHY_HARD_EQUALITY) {
        value->gap = 0.5 * s * s / block->compliance;
        return judged(PHY_HARD_EXACT, &value->gap, 1);
    }
    if (block->kind == PHY_HARD_CONTACT) {
        const phy_hard_state normal = contact_potential(value, block, relax, s, w);
        return judged(state > normal ? state : normal, &value->slip, 1);
    }
    slide_at(&x, block->bound, relax->kappa_t, unit, w, 1);
    value->slip = is_loss_free(block) ? 0 * w[0] : slide_value(&x, relax->kappa_t);
    return judged(state, &value->slip, 1);
}

static phy_hard_state contact_deriv(phy_hard_slopes *slopes, const phy_hard_block *block,
                                    const phy_hard_relax *relax, double s, const double *w)
{
    const int n = block->dim - 1;
    const push normal = push_at(relax, s);
    double f[PHY_HARD_DIM] = {normal.gamma};
    slopes->s[0] = normal.slope;
    slopes->kappa_n[0] = normal.gamma / relax->kappa_n;
    if (n == 0) {
        return normal.state;
    }
    slide x;
    slide_at(&x, normal.gamma, relax->kappa_t, block->mu, w + 1, n);
    slide_impulse(f + 1, &x, block->mu, n);
    slide_slope(slopes->w + block->dim + 1, block->dim, &x, block->mu, n);
    const double rate = x.r / x.u;
    for (int j = 1; j <= n; j++) {
        slopes->s[j] = f[j] * (1 + rate) * (normal.slope / normal.gamma);
        slopes->kappa_n[j] = f[j] * (1 + rate) / relax->kappa_n;
        slopes->kappa_t[j] = -f[j] * rate / relax->kappa_t;
    }
    return normal.state;
}

phy_hard_state phy_hard_deriv(phy_hard_slopes *slopes, const phy_hard_block *block,
                              const phy_hard_relax *relax, double s, const double *w)
{
    phy_hard_state state = relax->kappa_t > 0 ? PHY_HARD_EXACT : PHY_HARD_INVALID;
    *slopes = (phy_hard_slopes){0};
    if (block->kind == PHY_HARD_EQUALITY) {
        slopes->s[0] = -1 / block->compliance;
        return judged(isfinite(s) ? PHY_HARD_EXACT : PHY_HARD_INVALID, slopes->s, 1);
    }
    if (block->kind == PHY_HARD_CONTACT) {
        const phy_hard_state normal = contact_deriv(slopes, block, relax, s, w);
        state = judged(state > normal ? state : normal, slopes->w, block->dim * block->dim);
        return judged(state, slopes->s, block->dim);
    }
    if (!is_loss_free(block)) {
        slide x;
        double f;
        slide_at(&x, block->bound, relax->kappa_t, unit, w, 1);
        slide_impulse(&f, &x, unit, 1);
        slide_slope(slopes->w, 1, &x, unit, 1);
        slopes->kappa_t[0] = -f * (x.r / x.u) / relax->kappa_t;
    }
    return judged(isfinite(w[0]) ? state : PHY_HARD_INVALID, slopes->w, 1);
}
