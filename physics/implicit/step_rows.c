/* step_rows.c: rows of constraints in a step of integrator="discrete". The spring-damper of a row
 * is evaluated at the end of the step too, where it is to first order
 *
 *     f = D (- B v_+ - K d (r + h v_+) - J a),       v_+ = v + h J a,  r = pos - margin
 *       = D s (aref - J a),       aref = - (B v + K d (r + h v))/s,    s = 1 + h B + h^2 K d
 *
 * (aref: reference.c), and the R of a row, which goes with its A = J M^-1 J', follows what S does
 * to the diagonal of M:
 *
 *     R = R_0 rho / s,      rho = sum_i J_i^2/(M_ii + S_ii) / sum_i J_i^2/M_ii
 *
 * with R_0 of constraint.c. The rows of a contact share rho and s of their first. (From what MuJoCo
 * 3.14.0 computes.)
 */
#include "physics/implicit/step_metric.h"

#include "physics/constraint.h"
#include "physics/contact_law.h"
#include "physics/stages.h"

/* rho of a row */
static double softening(const sal_model *m, const sal_data *d, int row)
{
    const double *J = d->efc_J + d->efc_J_rowadr[row];
    const int *column = d->efc_J_colind + d->efc_J_rowadr[row];
    double with = 0, without = 0;
    for (int k = 0; k < d->efc_J_rownnz[row]; k++) {
        const double M = d->qM[m->dof_Madr[column[k]]], square = J[k] * J[k];
        with += square / (M + d->step_diag[column[k]]);
        without += square / M;
    }
    return without > 0 ? with / without : 1;
}

void phy_step_rows(const sal_model *m, sal_data *d)
{
    phy_law_block block;
    if (d->nefc > 0) {
        phy_compose(m, d);
    }
    for (int row = 0; row < d->nefc; row += block.dim) {
        const double scale = softening(m, d, row) / phy_row_slowing(m, d, row);
        phy_law_block_at(&block, m, d, row);
        for (int k = row; k < row + block.dim; k++) {
            const double impedance = d->efc_KBIP[4 * k + 2];
            const double r0 = d->efc_diagApprox[k] * ((1 - impedance) / impedance);
            d->efc_R[k] = r0 * scale;
            d->efc_D[k] = 1 / d->efc_R[k];
        }
    }
}
