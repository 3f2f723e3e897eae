/* check_derivatives.c: are the Jacobians the derivatives of the residuals? Asked along random
 * directions d at a shaken first guess:
 *
 *     J d  =  ( r(x (+) e d) - r(x (+) -e d) ) / 2e  +  O(e^2)
 *
 * in the middle of the path, where all variables are free. A kink within e (a bound, a contact that
 * closes) moves the difference by as much as the two one-sided ones disagree, divided by 2:
 *
 *     |r(x (+) e d) - 2 r(x) + r(x (+) -e d)| / 2e
 *
 * That much is allowed, and residuals in which it is large are left out. Several kinks in one
 * residual, and one within a step of the other path, are not seen so: of some points near the first
 * guess that with the smallest error counts. What is wrong is wrong at all of them, but hardly any
 * kink is near two. A motion at rest may stand exactly on one: muscles are activated faster than
 * deactivated.
 *
 * Where the Jacobians are exact they are also held, entry by entry, against those of the other
 * path: centred differences of every step.
 */
#include "base/house.h"
#include "guide/guide.h"
#include "problems/transcribe.h"

#include <math.h>
#include <string.h>

enum { DIRECTIONS = 5, POINTS = 3 };
static const double epsilon = 1e-7, softness = 0.5, kink = 1e-2;
/* of every variable, both ways; below `small` no other point is tried */
static const double shake = 1e-5, small = 1e-5;

typedef struct prb_check {
    prb_transcription *tr;
    size_t nres, nJ;
    double *x, *moved, *d, *r, *r1, *r2, *J, *J2;
} prb_check;

static sal_status allocate(prb_check *c, sal_err *err)
{
    const sal_nls *nls = &c->tr->nls;
    for (int b = 0; b < nls->nblock; b++) {
        c->nres += (size_t)nls->block[b].nres;
        c->nJ += (size_t)nls->block[b].nres * (size_t)nls->block[b].ncol;
    }
    c->x = sal_alloc((size_t)nls->nx, sizeof(double));
    c->moved = sal_alloc((size_t)nls->nx, sizeof(double));
    c->d = sal_alloc((size_t)nls->nvar, sizeof(double));
    c->r = sal_alloc(c->nres, sizeof(double));
    c->r1 = sal_alloc(c->nres, sizeof(double));
    c->r2 = sal_alloc(c->nres, sizeof(double));
    c->J = sal_alloc(c->nJ, sizeof(double));
    c->J2 = sal_alloc(c->nJ, sizeof(double));
    return c->x == NULL || c->moved == NULL || c->d == NULL || c->r == NULL || c->r1 == NULL ||
                   c->r2 == NULL || c->J == NULL || c->J2 == NULL
               ? sal_fail(err, SAL_NOMEM, "out of memory for the check of derivatives")
               : SAL_OK;
}

static void release(prb_check *c)
{
    sal_free(c->x);
    sal_free(c->moved);
    sal_free(c->d);
    sal_free(c->r);
    sal_free(c->r1);
    sal_free(c->r2);
    sal_free(c->J);
    sal_free(c->J2);
    prb_transcription_free(c->tr);
}

/* A random direction d, -size..size in each variable. */
static void draw(const prb_check *c, sal_rng *rng, double size)
{
    for (int i = 0; i < c->tr->nls.nvar; i++) {
        c->d[i] = sal_rng_uniform(rng, -size, size);
    }
}

/* r (x (+) e d) */
static sal_status residual_along(prb_check *c, double e, double *r, sal_err *err)
{
    const sal_nls *nls = &c->tr->nls;
    for (int i = 0; i < nls->nvar; i++) {
        c->d[i] *= e;
    }
    nls->retract(nls->ctx, c->moved, c->x, c->d);
    for (int i = 0; i < nls->nvar; i++) {
        c->d[i] /= e;
    }
    return nls->residual(nls->ctx, r, c->moved, err);
}

/* What is not a number is as wrong as can be. */
static double larger(double a, double b)
{
    return isnan(b) ? (double)INFINITY : fmax(a, b);
}

/* Beside nothing at all, any difference is as large as can be. */
static double relative(double difference, double size)
{
    return difference > 0 ? difference / size : 0;
}

/* Largest |J d - difference| and |J d| over all residuals. */
static void compare(const prb_check *c, double *difference, double *size)
{
    const sal_nls *nls = &c->tr->nls;
    const double *J = c->J;
    size_t row = 0;
    for (int b = 0; b < nls->nblock; b++) {
        const sal_block *block = &nls->block[b];
        for (int i = 0; i < block->nres; i++, row++, J += block->ncol) {
            double along = 0;
            for (int k = 0; k < block->ncol; k++) {
                along += J[k] * c->d[block->col[k]];
            }
            const double measured = (c->r1[row] - c->r2[row]) / (2 * epsilon);
            const double bend = fabs(c->r1[row] - 2 * c->r[row] + c->r2[row]);
            if (!(bend > kink * fabs(c->r1[row] - c->r2[row]))) {
                *difference = larger(*difference, fabs(along - measured) - bend / (2 * epsilon));
            }
            *size = fmax(*size, fabs(along));
        }
    }
}

/* A point near x, and the Jacobian there. */
static sal_status shaken(prb_check *c, const double *x, sal_rng *rng, sal_err *err)
{
    const sal_nls *nls = &c->tr->nls;
    draw(c, rng, shake);
    nls->retract(nls->ctx, c->x, x, c->d);
    const sal_status status = nls->stage(nls->ctx, softness, 1, c->x, err);
    return status == SAL_OK ? nls->linearise(nls->ctx, c->r, c->J, c->x, err) : status;
}

/* Largest difference along DIRECTIONS, relative to the largest derivative along them. */
static sal_status along_directions(prb_check *c, sal_rng *rng, double *error, sal_err *err)
{
    double difference = 0, size = 0;
    sal_status status = SAL_OK;
    for (int k = 0; k < DIRECTIONS && status == SAL_OK; k++) {
        draw(c, rng, 1);
        status = residual_along(c, epsilon, c->r1, err);
        status = status == SAL_OK ? residual_along(c, -epsilon, c->r2, err) : status;
        compare(c, &difference, &size);
    }
    *error = fmin(*error, relative(difference, size));
    return status;
}

/* Largest difference between the entries of J and of centred differences of every step, relative to
 * the largest entry. */
static sal_status other_path(prb_check *c, prb_transcription *other, double *paths, sal_err *err)
{
    const sal_nls *nls = &other->nls;
    double difference = 0, size = 0;
    sal_status status = nls->stage(nls->ctx, softness, 1, c->x, err);
    status = status == SAL_OK ? nls->linearise(nls->ctx, c->r1, c->J2, c->x, err) : status;
    for (size_t i = 0; i < c->nJ; i++) {
        difference = larger(difference, fabs(c->J[i] - c->J2[i]));
        size = fmax(size, fabs(c->J2[i]));
    }
    *paths = fmin(*paths, relative(difference, size));
    return status;
}

sal_status sal_problem_check_derivatives(const sal_problem *p, double *error, double *paths,
                                         sal_err *err)
{
    prb_check c = {0};
    prb_transcription *other = NULL;
    sal_problem differences = *p;
    sal_rng rng = {p->seed};
    double *x = NULL;
    differences.derivatives = SAL_DERIV_FD;
    differences.differences = SAL_FD_CENTRED;
    sal_status status = prb_transcription_new(&c.tr, p, 1, err);
    status = status == SAL_OK ? allocate(&c, err) : status;
    if (status == SAL_OK && p->derivatives != SAL_DERIV_FD) {
        status = prb_transcription_new(&other, &differences, 1, err);
    }
    if (status == SAL_OK) {
        x = sal_alloc((size_t)c.tr->nls.nx, sizeof *x);
        status = x == NULL ? sal_fail(err, SAL_NOMEM, "out of memory for a first guess")
                           : prb_guess(c.tr, x, p->seed, err);
    }
    *error = *paths = INFINITY;
    for (int i = 0; i < POINTS && status == SAL_OK && !(fmax(*error, *paths) < small); i++) {
        status = shaken(&c, x, &rng, err);
        status = status == SAL_OK ? along_directions(&c, &rng, error, err) : status;
        if (other == NULL) {
            *paths = -INFINITY;
        } else if (status == SAL_OK) {
            status = other_path(&c, other, paths, err);
        }
    }
    *paths = other == NULL ? (double)NAN : *paths;
    prb_transcription_free(other);
    sal_free(x);
    release(&c);
    return status;
}
