/* factor.c: M = L'DL without fill-in: M_ij is zero unless one dof is above the other in the tree,
 * and eliminating from the leaves keeps it so (Featherstone, "Rigid body dynamics algorithms",
 * 2008, section 6.5). L is unit lower triangular with the pattern of M. */
#include "physics/stages.h"

#include <string.h>

void phy_factor_sparse(const sal_model *m, double *ld, double *diaginv)
{
    for (int k = m->nv - 1; k >= 0; k--) {
        const phy_row row = phy_row_of(m, k);
        double *rowk = ld + row.adr;
        diaginv[k] = 1 / rowk[0];
        /* for each dof i above k:  M_ij -= M_ki M_kj / M_kk for j = i and up. The tail of row k is
         *                          in the order of row i. */
        for (int a = 1; a < row.n; a++) {
            double *rowi = ld + m->dof_Madr[phy_row_dof(row, a)];
            const double l = rowk[a] * diaginv[k];
            for (int c = a; c < row.n; c++) {
                rowi[c - a] -= l * rowk[c];
            }
            rowk[a] = l; /* L_ki; the rest of row k is still M */
        }
    }
}

void phy_solve_sparse(const sal_model *m, const double *ld, const double *diaginv, double *x)
{
    /* x := L'^-1 x */
    for (int k = m->nv - 1; k >= 0; k--) {
        const phy_row row = phy_row_of(m, k);
        const double xk = x[k];
        for (int a = 1; a < row.n; a++) {
            x[phy_row_dof(row, a)] -= ld[row.adr + a] * xk;
        }
    }
    /* x := L^-1 D^-1 x */
    for (int k = 0; k < m->nv; k++) {
        const phy_row row = phy_row_of(m, k);
        double sum = x[k] * diaginv[k];
        for (int a = 1; a < row.n; a++) {
            sum -= ld[row.adr + a] * x[phy_row_dof(row, a)];
        }
        x[k] = sum;
    }
}

void sal_factor(const sal_model *m, sal_data *d)
{
    phy_compose(m, d);
    memcpy(d->qLD, d->qM, (size_t)m->nM * sizeof *d->qLD);
    phy_factor_sparse(m, d->qLD, d->qLDiagInv);
    d->factored = true;
}

void sal_solve_m(const sal_model *m, const sal_data *d, double *x)
{
    phy_solve_sparse(m, d->qLD, d->qLDiagInv, x);
}
