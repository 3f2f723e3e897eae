/* complete.c: after a step, variables that enter linearly are chosen anew.
 *
 * Where the user marks variables z in which, all others held, the residuals are (nearly) linear,
 * a step of the others by d leaves an error s(x (+) d) that the linear model has not foreseen, and
 * that z can take up at once:
 *
 *     minimise  | s(x (+) d) + A_z e |^2,    A_z the columns of z
 *
 * e is added to d. So a step is judged by what it makes of all other variables, as if z had been
 * eliminated (Golub, Pereyra, "Separable nonlinear least squares: the variable projection method
 * and its applications", Inverse Problems 19, 2003). Each z belongs to few residuals, and A_z'A_z
 * is nearly diagonal: conjugate gradients with its diagonal as preconditioner end after a few
 * products with A. Where it is singular, they find the least e.
 */
#include "optim/kernel.h"
#include "optim/solver.h"

#include <math.h>
#include <string.h>

enum { PRODUCTS_MOST = 40, ROUNDS_MOST = 4 };
static const double ACCURACY = 1e-6; /* of the gradient by z */

/* g := A_z's over the rows in use, 0 elsewhere */
static void gradient(sal_optim *o, double *g, const double *s, const unsigned char *use)
{
    opt_assembly_gradient(o->assembly, g, o->A, s, use);
    for (int j = 0; j < o->nls->nvar; j++) {
        g[j] = o->nls->linear[j] ? g[j] : 0;
    }
}

/* z := diag(m M + c C)^-1 g; returns g'z */
static double precondition(const sal_optim *o, double *z, const double *g, double m, double c)
{
    double sum = 0;
    for (int j = 0; j < o->nls->nvar; j++) {
        const double h = g[j] == 0 ? 0 : opt_model_diagonal(o, m, c, j);
        z[j] = h > 0 ? g[j] / h : 0;
        sum += g[j] * z[j];
    }
    return sum;
}

bool opt_complete_find(sal_optim *o, const unsigned char *use, double m, double c)
{
    if (o->nls->linear == NULL) {
        return false;
    }
    const sal_work work = sal_clock_turn(o->nls->clock, SAL_WORK_SOLUTION);
    const int n = o->nls->nvar;
    double *g = o->linear, *z = g + n, *p = z + n, *Hp = p + n;
    memset(o->e, 0, (size_t)n * sizeof(double));
    gradient(o, g, o->w2, use);
    double square = precondition(o, z, g, m, c);
    const double first = square;
    memcpy(p, z, (size_t)n * sizeof(double));
    for (int k = 0; k < PRODUCTS_MOST && square > ACCURACY * ACCURACY * first; k++) {
        opt_assembly_product(o->assembly, o->w2, o->A, p);
        gradient(o, Hp, o->w2, use);
        double curvature = 0;
        for (int j = 0; j < n; j++) {
            curvature += p[j] * Hp[j];
        }
        if (!(curvature > 0)) {
            break;
        }
        const double t = square / curvature, before = square;
        for (int j = 0; j < n; j++) {
            o->e[j] -= t * p[j];
            g[j] -= t * Hp[j];
        }
        square = precondition(o, z, g, m, c);
        for (int j = 0; j < n; j++) {
            p[j] = z[j] + square / before * p[j];
        }
    }
    sal_clock_turn(o->nls->clock, work);
    return first > 0;
}

/* One round, over the rows that count. *lower: the merit is. */
static sal_status complete_once(sal_optim *o, opt_point *p, bool *lower, sal_err *err)
{
    *lower = false;
    opt_model_scaled(o, o->w2, p->r);
    if (!opt_complete_find(o, o->counted, o->rows & OPT_ROWS_TERMS ? 1 : 0,
                           o->rows & OPT_ROWS_CONSTRAINTS ? 1 : 0)) {
        return SAL_OK;
    }
    o->nls->retract(o->nls->ctx, o->spare.x, p->x, o->e);
    const sal_status status = opt_point_evaluate(o, &o->spare, err);
    *lower = status == SAL_OK && opt_point_merit(o, &o->spare) < opt_point_merit(o, p);
    if (*lower) {
        const opt_point was = *p;
        *p = o->spare;
        o->spare = was;
    }
    return status;
}

/* Ranges that are exceeded in r count. Returns whether any does that did not. */
static bool count_exceeded(const sal_optim *o, const double *r)
{
    bool any = false;
    for (int i = 0; i < o->nrow; i++) {
        if (o->kind[i] == OPT_ROW_RANGE && (o->counted[i] != 0) != (r[i] > 0)) {
            any = any || r[i] > 0;
            o->counted[i] = r[i] > 0;
        }
    }
    return any;
}

sal_status opt_complete(sal_optim *o, opt_point *p, sal_err *err)
{
    if (o->nls->linear == NULL || !isfinite(p->cost + p->penalty)) {
        return SAL_OK;
    }
    opt_model_choose(o, o->counted, o->rows, p->r);
    sal_status status = SAL_OK;
    bool lower = true;
    for (int k = 0; k < ROUNDS_MOST && lower && status == SAL_OK; k++) {
        status = complete_once(o, p, &lower, err);
        lower = lower && (o->rows & OPT_ROWS_CONSTRAINTS) && count_exceeded(o, p->r);
    }
    return status;
}
