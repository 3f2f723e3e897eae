/* secant.c: the curvature of the Lagrangian that Gauss-Newton's matrix misses, learnt from the
 * steps taken along the constraints.
 *
 * H has the curvature of the norms, but not that of residuals and constraints. Along each step s
 * the gradient of the Lagrangian changed by
 *
 *     y = (g + C'l)(x (+) s) - (g + C'l)(x),     l the multipliers at x
 *
 * and the BFGS matrix that begins with H + mu I and has learnt the last few pairs (s, y) gives the
 * next step:
 *
 *     q = g + C'l;   newest to oldest:  a_i = s_i'q / y_i's_i,   q -= a_i y_i
 *     d = Gauss-Newton's step for the gradient q, along the constraints
 *     oldest to newest:   b_i = -y_i'd / y_i's_i,   d -= (a_i - b_i) s_i
 *
 * (Nocedal, "Updating quasi-Newton matrices with limited storage", Mathematics of Computation 35,
 * 1980.)
 */
#include "optim/kernel.h"
#include "optim/solver.h"

#include <string.h>

static const double CURVATURE_LEAST = 0.05; /* of a pair, of Gauss-Newton's along it */

static double dot(const sal_optim *o, const double *a, const double *b)
{
    return opt_kernel_dot(a, b, o->nls->nvar);
}

static double *pair_step(const sal_optim *o, int i)
{
    const int slot = (o->state.first_pair + i) % OPT_PAIRS;
    return o->secant.pairs + (size_t)(2 * slot) * (size_t)o->nls->nvar;
}

static double *pair_change(const sal_optim *o, int i)
{
    return pair_step(o, i) + o->nls->nvar;
}

void opt_secant_forget(sal_optim *o)
{
    o->state.npair = 0;
    o->state.moved = false;
}

/* out = g + C'l */
static void gradient(sal_optim *o, double *out)
{
    opt_assembly_gradient(o->assembly, out, o->A, o->lambda, o->active);
    opt_kernel_add(out, 1, o->g, o->nls->nvar);
}

void opt_secant_leave(sal_optim *o)
{
    gradient(o, o->secant.gradient);
    memcpy(o->secant.step, o->d, (size_t)o->nls->nvar * sizeof(double));
}

void opt_secant_back(sal_optim *o)
{
    opt_kernel_add(o->secant.step, 1, o->e, o->nls->nvar);
}

/* s'H s, H of the terms */
static double curvature_along(sal_optim *o, const double *s)
{
    double sum = 0;
    opt_assembly_product(o->assembly, o->w, o->A, s);
    for (int i = 0; i < o->nrow; i++) {
        sum += o->use[i] ? o->w[i] * o->w[i] : 0;
    }
    return sum;
}

void opt_secant_learn(sal_optim *o)
{
    opt_state *state = &o->state;
    const size_t n = (size_t)o->nls->nvar * sizeof(double);
    if (!state->moved) {
        return;
    }
    state->moved = false;
    gradient(o, o->e);
    opt_kernel_add(o->e, -1, o->secant.gradient, o->nls->nvar);
    const double change = dot(o, o->e, o->secant.step);
    if (!(change > CURVATURE_LEAST * curvature_along(o, o->secant.step)) || !(change > 0)) {
        return;
    }
    if (state->npair == OPT_PAIRS) {
        state->first_pair = (state->first_pair + 1) % OPT_PAIRS;
        state->npair--;
    }
    state->npair++;
    memcpy(pair_step(o, state->npair - 1), o->secant.step, n);
    memcpy(pair_change(o, state->npair - 1), o->e, n);
}

void opt_secant_begin(sal_optim *o, double share[OPT_PAIRS])
{
    const int n = o->nls->nvar;
    gradient(o, o->e);
    memcpy(o->secant.lambda, o->lambda, (size_t)o->nrow * sizeof(double));
    for (int i = o->state.npair - 1; i >= 0; i--) {
        const double *s = pair_step(o, i), *y = pair_change(o, i);
        share[i] = dot(o, s, o->e) / dot(o, y, s);
        opt_kernel_add(o->e, -share[i], y, n);
    }
}

double opt_secant_end(sal_optim *o, const double share[OPT_PAIRS])
{
    const int n = o->nls->nvar;
    for (int i = 0; i < o->state.npair; i++) {
        const double *s = pair_step(o, i), *y = pair_change(o, i);
        const double b = -dot(o, y, o->d) / dot(o, y, s);
        opt_kernel_add(o->d, -(share[i] - b), s, n);
    }
    memcpy(o->lambda, o->secant.lambda, (size_t)o->nrow * sizeof(double));
    gradient(o, o->e);
    return dot(o, o->e, o->d);
}
