#include "physics/laws/dense_mechanism.h"

#include "physics/stages.h"

#include <string.h>

void phy_dense_inertia(double *M, const sal_model *m, sal_data *d)
{
    const bool is_damped = phy_damping_is_implicit(m);
    sal_full_m(m, d, M);
    for (int i = 0; i < m->nv && is_damped; i++) {
        M[(m->nv + 1) * i] += m->opt.timestep * phy_damping_slope(m, d, i);
    }
}

void phy_dense_jacobian(double *J, const sal_model *m, const sal_data *d)
{
    memset(J, 0, (size_t)d->nefc * (size_t)m->nv * sizeof *J);
    for (int row = 0; row < d->nefc; row++) {
        const int adr = d->efc_J_rowadr[row];
        for (int i = adr; i < adr + d->efc_J_rownnz[row]; i++) {
            J[row * m->nv + d->efc_J_colind[i]] = d->efc_J[i];
        }
    }
}
