/* cones.h: random blocks, and a measure of optimality that knows no solver. */
#ifndef TESTS_PHYSICS_LAWS_CONES_H
#define TESTS_PHYSICS_LAWS_CONES_H

#include "physics/laws/impulse.h"

#include <math.h>

/* |f_t| of a cone in units of its border, sqrt(sum (f_j/mu_j)^2) */
static inline double cones_reach(const phy_impulse_block *b, const double *f)
{
    double square = 0;
    for (int j = 1; j < b->dim; j++) {
        square += b->mu[j - 1] > 0 ? pow(f[j] / b->mu[j - 1], 2) : 0;
    }
    return sqrt(square);
}

/* |U| of a gradient, U_j = mu_j grad_j */
static inline double cones_slide(const phy_impulse_block *b, const double *grad)
{
    double square = 0;
    for (int j = 1; j < b->dim; j++) {
        square += pow(b->mu[j - 1] * grad[j], 2);
    }
    return sqrt(square);
}

/* How far f [dim] is from minimising a convex function whose gradient there is grad [dim] over the
 * block: f within its bounds, grad in the dual cone, f'grad = 0. In units of |grad| and |f|. */
static inline double cones_fault(const phy_impulse_block *b, const double *f, const double *grad)
{
    double product = 0, fault = 0, size_f = 0, size_g = 0;
    for (int j = 0; j < b->dim; j++) {
        product += f[j] * grad[j];
        size_f += fabs(f[j]);
        size_g += fabs(grad[j]);
    }
    const double unit_f = size_f + 1e-300, unit_g = size_g + 1e-300;
    switch (b->family) {
    case PHY_IMPULSE_EQUALITY:
        return size_g;
    case PHY_IMPULSE_LOSS: /* the gradient pushes against the bound, or is 0 within */
        fault = fabs(f[0]) < b->bound ? fabs(grad[0]) : fmax(0, f[0] * grad[0]) / unit_f;
        return fmax(fault, fabs(f[0]) - b->bound);
    case PHY_IMPULSE_NORMAL:
    case PHY_IMPULSE_CONE:
        break;
    }
    for (int j = 1; j < b->dim; j++) {
        fault = b->mu[j - 1] > 0 ? fault : fmax(fault, fabs(f[j]));
    }
    fault = fmax(fault, (cones_reach(b, f) - f[0]) / unit_f);
    fault = fmax(fault, (cones_slide(b, grad) - grad[0]) / fmax(1, unit_g));
    return fmax(fault, fabs(product) / unit_f / fmax(1, unit_g));
}

#endif
