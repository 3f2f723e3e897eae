/* mass.c: the mass matrix of one instant, composed and factorised when it is asked for, and its
 * products. */
#include "physics/stages.h"
#include "physics/tendon.h"
#include "physics/width.h"

#include <string.h>

void sal_crb(const sal_model *m, sal_data *d)
{
    phy_mass_of_bodies(m, d);
    if (m->ntendon > 0) {
        phy_tendon_inertia(m, d); /* + armature J'J */
    }
    d->composed = true;
    d->factored = false;
}

void phy_compose(const sal_model *m, sal_data *d)
{
    if (!d->composed) {
        sal_crb(m, d);
    }
}

void sal_mul_m(const sal_model *m, sal_data *d, double *restrict r, const double *restrict x)
{
    phy_compose(m, d);
    for (int i = 0; i < m->nv; i++) {
        const phy_row row = phy_row_of(m, i);
        const double *restrict M = d->qM + row.adr;
        double sum = M[0] * x[i];
        for (int k = 1; k < row.n; k++) { /* both triangles at once */
            const int j = phy_row_dof(row, k);
            sum += M[k] * x[j];
            r[j] += M[k] * x[i];
        }
        r[i] = sum; /* ancestors come before i, so nothing was added to r[i] yet */
    }
}

void sal_full_m(const sal_model *m, sal_data *d, double *dense)
{
    const size_t nv = (size_t)m->nv;
    phy_compose(m, d);
    memset(dense, 0, nv * nv * sizeof *dense);
    for (int i = 0; i < m->nv; i++) {
        const phy_row row = phy_row_of(m, i);
        for (int k = 0; k < row.n; k++) {
            const size_t j = (size_t)phy_row_dof(row, k);
            dense[(size_t)i * nv + j] = dense[j * nv + (size_t)i] = d->qM[row.adr + k];
        }
    }
}

void sal_factor(const sal_model *m, sal_data *d)
{
    phy_compose(m, d);
    phy_factor_mass(m, d);
    d->factored = true;
}

void sal_solve_m(const sal_model *m, const sal_data *d, double *x)
{
    phy_solve_sparse(m, d->qLD, d->qLDiagInv, x);
}
