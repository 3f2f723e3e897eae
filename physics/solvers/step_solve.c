/* step_solve.c: M + S of integrator="discrete" has a factor like a Hessian without constraints. */
#include "physics/scratch.h"
#include "physics/solver.h"
#include "physics/solvers/hessian.h"

void phy_solve_step_metric(const sal_model *m, sal_data *d, double *x)
{
    const size_t mark = d->arena.used;
    phy_hessian H;
    if (phy_hessian_begin(&H, m, d, 0)) {
        phy_hessian_set(&H, d);
        phy_hessian_factor(&H);
        phy_hessian_solve(&H, x);
    }
    d->arena.used = mark;
}
