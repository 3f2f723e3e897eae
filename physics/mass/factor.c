/* factor.c: M = L'DL without fill-in: M_ij is zero unless one dof is above the other in the tree,
 * and eliminating from the leaves keeps it so (Featherstone, "Rigid body dynamics algorithms",
 * 2008, section 6.5). L is unit lower triangular with the pattern of M. */
#include "physics/stages.h"
#include "physics/width.h"

#include <string.h>

void phy_factor_sparse(const sal_model *m, phy_real *ld, phy_real *diaginv)
{
    for (int k = m->nv - 1; k >= 0; k--) {
        const phy_row row = phy_row_of(m, k);
        phy_real *rowk = ld + row.adr;
        diaginv[k] = 1.0 / rowk[0];
        /* for each dof i above k:  M_ij -= M_ki M_kj / M_kk for j = i and up. The tail of row k is
         *                          in the order of row i. */
        for (int a = 1; a < row.n; a++) {
            phy_real *rowi = ld + m->dof_Madr[phy_row_dof(row, a)];
            const phy_real l = rowk[a] * diaginv[k];
            for (int c = a; c < row.n; c++) {
                rowi[c - a] -= l * rowk[c];
            }
            rowk[a] = l; /* L_ki; the rest of row k is still M */
        }
    }
}

void phy_solve_sparse(const sal_model *m, const phy_real *ld, const phy_real *diaginv, phy_real *x)
{
    /* x := L'^-1 x */
    for (int k = m->nv - 1; k >= 0; k--) {
        const phy_row row = phy_row_of(m, k);
        const phy_real xk = x[k];
        for (int a = 1; a < row.n; a++) {
            x[phy_row_dof(row, a)] -= ld[row.adr + a] * xk;
        }
    }
    /* x := L^-1 D^-1 x */
    for (int k = 0; k < m->nv; k++) {
        const phy_row row = phy_row_of(m, k);
        phy_real sum = x[k] * diaginv[k];
        for (int a = 1; a < row.n; a++) {
            sum -= ld[row.adr + a] * x[phy_row_dof(row, a)];
        }
        x[k] = sum;
    }
}

void phy_factor_mass(const sal_model *m, phy_instants *d)
{
    memcpy(d->qLD, d->qM, (size_t)m->nM * sizeof *d->qLD);
    phy_factor_sparse(m, d->qLD, d->qLDiagInv);
}
