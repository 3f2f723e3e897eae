/* foresee.c: ranges that a step towards the constraints would exceed.
 *
 * The merit counts a range where it is exceeded, so that a step of the projection minimises
 *
 *     sum over equalities (s + A d)^2  +  sum over ranges max(0, s + A d)^2  +  mu |d|^2
 *
 * A linear model of the ranges alone that are exceeded where it was made leads to a point that
 * exceeds others: of many torques near their limits some always are. Each linearisation then undoes
 * a half of what the one before has reached. So ranges that the step would exceed join the model,
 * and the step is solved for again; one that has joined and would be left well within its bound
 * leaves again. (A semismooth Newton step: Hintermueller, Ito, Kunisch, "The primal-dual active set
 * strategy as a semismooth Newton method", SIAM J. Optim. 13, 2002.)
 */
#include "optim/solver.h"

#include <math.h>

static const double WORTH = 0.01; /* of the merit: what is foreseen is worth a factorisation */
static const double INSIDE = 0.1; /* of its distance from the bound: the step leaves it there */

static bool has_joined(const sal_optim *o, int i)
{
    return o->use[i] && o->kind[i] == OPT_ROW_RANGE && !(o->s[i] > 0);
}

/* What ranges that the model does not know would add to the merit */
static double unforeseen(const sal_optim *o)
{
    double sum = 0;
    for (int i = 0; i < o->nrow; i++) {
        const double left = o->s[i] + o->w[i];
        sum += o->kind[i] == OPT_ROW_RANGE && !o->use[i] && left > 0 ? 0.5 * left * left : 0;
    }
    return sum;
}

bool opt_foresee(sal_optim *o)
{
    if (o->rows & OPT_ROWS_TERMS) {
        return false;
    }
    const double expected = o->last.before - o->last.predicted;
    if (!(unforeseen(o) > fmax(expected, WORTH * o->last.before))) {
        return false;
    }
    for (int i = 0; i < o->nrow; i++) {
        if (o->kind[i] != OPT_ROW_RANGE || (o->use[i] && !has_joined(o, i))) {
            continue;
        }
        const double left = o->s[i] + o->w[i];
        o->use[i] = o->held[i] = o->use[i] ? left > INSIDE * o->s[i] : left > 0;
    }
    opt_assembly_gradient(o->assembly, o->g, o->A, o->s, o->use);
    opt_model_constrain(o, o->held);
    return true;
}

double opt_foreseen(const sal_optim *o)
{
    double sum = 0;
    for (int i = 0; i < o->nrow && !(o->rows & OPT_ROWS_TERMS); i++) {
        sum += has_joined(o, i) ? 0.5 * o->s[i] * o->s[i] : 0;
    }
    return sum;
}
