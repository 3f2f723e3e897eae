/* lag.c: joint damping that an Euler step takes at its end, as an acceleration. */
#include "physics/implicit/damping.h"

void phy_damping_lag(const sal_model *m, const phy_instants *d, phy_real *lag,
                     const phy_real *discrete)
{
    const double h = m->opt.timestep;
    for (int i = 0; i < m->nv; i++) {
        phy_real slope;
        phy_damper_slope(&slope, m->dof_damping[i], m->dof_dampingpoly + 2 * i, d->qvel + i);
        lag[i] = h * slope * discrete[i];
    }
    phy_solve_sparse(m, d->qLD, d->qLDiagInv, lag);
}
