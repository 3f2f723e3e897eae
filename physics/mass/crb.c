/* crb.c: the mass matrix by composite rigid bodies (Featherstone, "Rigid body dynamics algorithms",
 * 2008, section 6.2).
 *
 *     Ic_b  = I_b + sum over children Ic_child
 *     M_ij  = s_j' Ic_body(i) s_i   for j = i and its ancestors,
 *     + armature on the diagonal
 */
#include "physics/stages.h"
#include "physics/width.h"

#include <string.h>

void phy_mass_of_bodies(const sal_model *m, phy_instants *d)
{
    phy_real *crb = d->crb;
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
        phy_real f[6]; /* Ic s_i */
        phy_sp_inertia_mul(f, crb + SAL_SP_INERTIA * m->dof_bodyid[i], d->cdof + 6 * i);
        for (int k = 0; k < row.n; k++) {
            phy_sp_dot(d->qM + row.adr + k, d->cdof + 6 * phy_row_dof(row, k), f);
        }
        d->qM[row.adr] += m->dof_armature[i];
    }
}
