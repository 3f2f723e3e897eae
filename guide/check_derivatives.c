/* check_derivatives.c: are the Jacobians the derivatives of the residuals? Asked along random
 * directions d at a shaken first guess:
 *
 *     J d  =  ( r(x (+) e d) - r(x (+) -e d) ) / 2e  +  O(e^2)
 *
 * in the middle of the path, where all variables are free. Residuals with a kink within e (bounds,
 * contact) are left out: there the two one-sided differences disagree.
 *
 * Where the Jacobians are exact they are also held, entry by entry, against those of the other
 * path: centred differences of every step.
 */
#include "base/house.h"
#include "guide/guide.h"
#include "problems/transcribe.h"

#include <math.h>
#include <string.h>

enum { DIRECTIONS = 5 };
static const double epsilon = 1e-6, softness = 0.5, kink = 1e-2;

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
            if (bend <= kink * fabs(c->r1[row] - c->r2[row])) {
                *difference = fmax(*difference, fabs(along - measured));
            }
            *size = fmax(*size, fabs(along));
        }
    }
}

/* Largest difference between the entries of J and of centred differences of every step, relative to
 * the largest entry. */
static sal_status other_path(prb_check *c, const sal_problem *p, double *paths, sal_err *err)
{
    sal_problem other = *p;
    prb_transcription *tr;
    double difference = 0, size = 0;
    other.derivatives = SAL_DERIV_FD;
    other.differences = SAL_FD_CENTRED;
    sal_status status = prb_transcription_new(&tr, &other, 1, err);
    if (status != SAL_OK) {
        return status;
    }
    status = tr->nls.stage(tr->nls.ctx, softness, 1, c->x, err);
    status = status == SAL_OK ? tr->nls.linearise(tr->nls.ctx, c->r1, c->J2, c->x, err) : status;
    for (size_t i = 0; i < c->nJ; i++) {
        difference = fmax(difference, fabs(c->J[i] - c->J2[i]));
        size = fmax(size, fabs(c->J2[i]));
    }
    *paths = size > 0 ? difference / size : 0;
    prb_transcription_free(tr);
    return status;
}

sal_status sal_problem_check_derivatives(const sal_problem *p, double *error, double *paths,
                                         sal_err *err)
{
    prb_check c = {0};
    sal_rng rng = {p->seed};
    double difference = 0, size = 0;
    *paths = (double)NAN;
    sal_status status = prb_transcription_new(&c.tr, p, 1, err);
    status = status == SAL_OK ? allocate(&c, err) : status;
    status = status == SAL_OK ? prb_guess(c.tr, c.x, p->seed, err) : status;
    if (status != SAL_OK) {
        goto done;
    }
    sal_nls *nls = &c.tr->nls;
    status = nls->stage(nls->ctx, softness, 1, c.x, err);
    status = status == SAL_OK ? nls->linearise(nls->ctx, c.r, c.J, c.x, err) : status;
    for (int k = 0; k < DIRECTIONS && status == SAL_OK; k++) {
        for (int i = 0; i < nls->nvar; i++) {
            c.d[i] = sal_rng_uniform(&rng, -1, 1);
        }
        status = residual_along(&c, epsilon, c.r1, err);
        status = status == SAL_OK ? residual_along(&c, -epsilon, c.r2, err) : status;
        compare(&c, &difference, &size);
    }
    *error = size > 0 ? difference / size : 0;
    if (status == SAL_OK && p->derivatives != SAL_DERIV_FD) {
        status = other_path(&c, p, paths, err);
    }
done:
    release(&c);
    return status;
}
