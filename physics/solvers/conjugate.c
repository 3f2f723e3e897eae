/* conjugate.c: directions of nonlinear conjugate gradients, with M^-1 as the preconditioner:
 *
 *     z = M^-1 g,     p = -z + beta p_old,     beta = max(0, g'(z - z_old) / (g_old' z_old))
 *
 * (Polak and Ribiere; MuJoCo documentation, "Computation: primal algorithms"). No product with M is
 * needed:  M p = -g + beta M p_old.
 */
#include "physics/constraint.h"
#include "physics/solvers/primal.h"
#include "physics/stages.h"

#include <math.h>
#include <string.h>

static const double SLOPE = 0.01;
enum { REFRESH = 16, PATIENCE = 20 }; /* |g| need not fall at every step */

static bool begin(phy_primal *s)
{
    s->gz = 0;
    if (!phy_has_step_metric(s->m)) {
        return true;
    }
    if (phy_hessian_begin(&s->H, s->m, s->d, 0)) { /* the preconditioner */
        phy_hessian_set(&s->H, s->d);
        return phy_hessian_factor(&s->H);
    }
    return false;
}

/* x := M^-1 x, with what stands beside M */
static void precondition(const phy_primal *s, double *x)
{
    if (phy_has_step_metric(s->m)) {
        phy_hessian_solve(&s->H, x);
    } else if (phy_damping_is_beside(s->m)) {
        phy_solve_damped(s->m, s->d, x);
    } else {
        sal_solve_m(s->m, s->d, x);
    }
}

static bool direction(phy_primal *s)
{
    const int nv = s->m->nv;
    double *z = s->spare, *z_old = s->z;
    memcpy(z, s->grad, (size_t)nv * sizeof *z);
    precondition(s, z);
    const double gz = phy_dot(s->grad, z, nv);
    const bool is_first = s->gz == 0;
    double beta = is_first ? 0 : fmax(0, (gz - phy_dot(s->grad, z_old, nv)) / s->gz);
    if (beta > 0 && !(beta * phy_dot(s->grad, s->p, nv) < gz)) {
        beta = 0; /* it would go uphill */
    }
    for (int i = 0; i < nv; i++) {
        s->p[i] = -z[i] + (beta > 0 ? beta * s->p[i] : 0);
        s->mp[i] = -s->grad[i] + (beta > 0 ? beta * s->mp[i] : 0);
    }
    memcpy(z_old, z, (size_t)nv * sizeof *z);
    s->gz = gz;
    phy_mul_jac(s->d, s->jp, s->p, s->d->nefc);
    return isfinite(gz);
}

const phy_primal_method phy_conjugate_gradients = {.begin = begin,
                                                   .direction = direction,
                                                   .first = 0,
                                                   .slope = SLOPE,
                                                   .patience = PATIENCE,
                                                   .refresh = REFRESH,
                                                   .ends_by_cost = true};
