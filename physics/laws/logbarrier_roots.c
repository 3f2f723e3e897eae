/* logbarrier_roots.c: the root of logbarrier.c, of WIDTH cones at once, in a form that converges
 * sooner and in which nothing cancels.
 *
 * As z f_n^2 = 2 kappa + e with e(z) = sum p z/(r + z)^2, the normal row h f_n = 0 is
 *
 *     R f_n^2 + y f_n = 3 kappa + e
 *
 * so that of z follow e, f_n as the positive root, without a difference, and a better z,
 *
 *     z = m/f_n^2,      m = 2 kappa + e
 *
 * e depends little on z, and this alone converges mostly. Newton's method in x = log z, for the
 * logarithm of what is to be 1, with w = 2 R f_n + y = sqrt(y^2 + 4 R (3 kappa + e)):
 *
 *     0 = log(z f_n^2/m) = 2 (z f_n^2 - m)/(z f_n^2 + m)            to third order
 *     its slope 1 + e_x (2/(f_n w) - 1/m),     e_x = sum p z (r - z)/(r + z)^3
 *
 * The slope is positive, as that of h is negative. The exponential of a step is (1 + dx/2)/(1 -
 * dx/2). Divisions and square roots take most of the time; several at once take little longer
 * than one, which waits for its own results.
 *
 * logbarrier_pair.c is this for a WIDTH of two.
 */
#include "physics/laws/logbarrier_roots.h"

#include <math.h>

#ifndef WIDTH
#define WIDTH 4
#endif

/* More than is needed where numbers are of usual sizes; the others are left to the bracket of
 * logbarrier.c. */
enum { STEPS_MAX = 12 };

typedef double wide __attribute__((vector_size(WIDTH * sizeof(double))));
typedef double wide_anywhere
    __attribute__((vector_size(WIDTH * sizeof(double)), aligned(sizeof(double)), may_alias));
typedef long long wide_mask __attribute__((vector_size(WIDTH * sizeof(double))));

static SAL_INLINE void load(wide *r, const double *from)
{
    *r = *(const wide_anywhere *)(const void *)from;
}

static SAL_INLINE void store(double *to, const wide *x)
{
    *(wide_anywhere *)(void *)to = *x;
}

static SAL_INLINE void select(wide *r, const wide_mask *which, const wide *yes, const wide *no)
{
    *r = (wide)(((wide_mask)*yes & *which) | ((wide_mask)*no & ~*which));
}

static SAL_INLINE void root_of(wide *r, const wide *x)
{
    const wide v = *x;
#if WIDTH == 2
    *r = (wide){sqrt(v[0]), sqrt(v[1])};
#else
    *r = (wide){sqrt(v[0]), sqrt(v[1]), sqrt(v[2]), sqrt(v[3])};
#endif
}

static SAL_INLINE void magnitude(wide *r, const wide *x)
{
    const wide zero = {0}, minus = -*x;
    const wide_mask which = *x < zero;
    select(r, &which, &minus, x);
}

typedef struct wide_root {
    wide R, y, kappa, p[2], r[2], z;
    /* what was found: i, f_n */
    wide across[2], normal;
} wide_root;

/* What follows of z */
typedef struct wide_place {
    wide i[2], e, ex, m, w, f; /* i: 1/(r + z) */
} wide_place;

/* f_n of e */
static SAL_INLINE void normal(wide_place *to, const wide_root *at)
{
    const wide y = at->y, c = 3 * at->kappa + to->e, square = y * y + 4 * at->R * c;
    const wide zero = {0}, twice_c = 2 * c, twice_R = 2 * at->R;
    const wide_mask is_opening = y > zero;
    wide size, above, below;
    root_of(&to->w, &square);
    magnitude(&size, &y);
    const wide sum = to->w + size;
    select(&above, &is_opening, &twice_c, &sum);
    select(&below, &is_opening, &sum, &twice_R);
    to->f = above / below;
    to->m = 2 * at->kappa + to->e;
}

static SAL_INLINE void evaluate(wide_place *to, const wide_root *at)
{
    wide across = {0};
    to->e = across;
    for (int j = 0; j < 2; j++) {
        to->i[j] = 1 / (at->r[j] + at->z);
        const wide part = at->p[j] * at->z * (to->i[j] * to->i[j]);
        to->e += part;
        across += part * to->i[j];
    }
    to->ex = to->e - 2 * at->z * across;
    normal(to, at);
}

/* That without friction, and what follows of it */
static SAL_INLINE void guess(wide_root *at)
{
    wide_place to;
    const wide zero = {0};
    to.e = zero;
    normal(&to, at);
    at->z = to.m / (to.f * to.f);
    evaluate(&to, at);
    at->z = to.m / (to.f * to.f);
}

/* Moves the lanes that are not done; is_done becomes true for those that need no further step. That
 * is so small then that i and f_n follow it linearly. */
static SAL_INLINE void step(wide_mask *is_done, wide_root *at)
{
    wide_place to;
    evaluate(&to, at);
    const wide z = at->z, m = to.m, u = to.f * to.w, mu = m * u, zff = z * (to.f * to.f);
    const wide whole = (zff + m) * (mu + to.ex * (2 * m - u));
    wide half = (m - zff) * mu, size;
    magnitude(&size, &half);
    const wide_mask is_last = size < 1e-8 * whole; /* the error left is about its square */
    const wide most = 0.9 * whole, least = -most;
    const wide_mask is_high = half > most, is_low = half < least;
    select(&half, &is_high, &most, &half);
    select(&half, &is_low, &least, &half);
    const wide ratio = (whole + half) / (whole - half), next = z * ratio;
    const wide dx = ratio - 1, normal = to.f + to.ex / to.w * dx;
    select(&at->z, is_done, &z, &next);
    select(&at->normal, is_done, &at->normal, &normal);
    for (int j = 0; j < 2; j++) {
        const wide across = to.i[j] - to.i[j] * to.i[j] * z * dx;
        select(at->across + j, is_done, at->across + j, &across);
    }
    *is_done |= is_last;
}

static SAL_INLINE void find(phy_barrier_roots *roots)
{
    wide_root at;
    wide_mask is_done = {0}, steps = {0};
    load(&at.R, roots->R);
    load(&at.y, roots->y);
    load(&at.kappa, roots->kappa);
    for (int j = 0; j < 2; j++) {
        load(at.p + j, roots->p[j]);
        load(at.r + j, roots->r[j]);
    }
    guess(&at);
    at.normal = at.across[0] = at.across[1] = at.z;
    for (int k = 0; k < STEPS_MAX; k++) {
        steps += is_done + 1;
        step(&is_done, &at);
        long long all = -1;
        for (int lane = 0; lane < WIDTH; lane++) {
            all &= is_done[lane];
        }
        if (all != 0) {
            break;
        }
    }
    const wide none = at.z * 0 + (double)NAN;
    select(&at.z, &is_done, &at.z, &none);
    at.z += 0 * (at.R + at.y + at.kappa + at.p[0] + at.p[1] + at.r[0] + at.r[1]); /* NaN */
    store(roots->z, &at.z);
    store(roots->normal, &at.normal);
    store(roots->across[0], at.across);
    store(roots->across[1], at.across + 1);
    for (int lane = 0; lane < WIDTH; lane++) {
        roots->steps[lane] = (int)steps[lane];
    }
}

#if WIDTH == 4
PHY_LANED void phy_barrier_find_four(phy_barrier_roots *roots)
{
    find(roots);
}
#endif
