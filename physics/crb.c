/* crb.c: the mass matrix by composite rigid bodies (Featherstone, "Rigid body dynamics algorithms",
 * 2008, section 6.2), and products with it.
 *
 *     Ic_b  = I_b + sum over children Ic_child
 *     M_ij  = s_j' Ic_body(i) s_i   for j = i and its ancestors,
 *     + armature on the diagonal, + armature J'J of tendons
 */
#include "base/house.h"
#include "physics/stages.h"
#include "physics/tendon.h"

#include <string.h>

void sal_crb(const sal_model *m, sal_data *d)
{
    double *crb = d->crb;
    memcpy(crb, d->cinert, (size_t)m->nbody * SAL_SP_INERTIA * sizeof *crb);
    for (int b = m->nbody - 1; b > 0; b--) {
        const int p = m->body_parentid[b];
        if (p > 0) {
            for (int k = 0; k < SAL_SP_INERTIA; k++) { /* Ic_p += Ic_b */
                crb[SAL_SP_INERTIA * p + k] += crb[SAL_SP_INERTIA * b + k];
            }
        }
    }
    for (int i = 0; i < m->nv; i++) {
        const phy_row row = phy_row_of(m, i);
        double f[6]; /* Ic s_i */
        sal_sp_inertia_mul(f, crb + SAL_SP_INERTIA * m->dof_bodyid[i], d->cdof + 6 * i);
        for (int k = 0; k < row.n; k++) {
            d->qM[row.adr + k] = sal_sp_dot(d->cdof + 6 * phy_row_dof(row, k), f);
        }
        d->qM[row.adr] += m->dof_armature[i];
    }
    if (m->ntendon > 0) {
        phy_tendon_inertia(m, d);
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
