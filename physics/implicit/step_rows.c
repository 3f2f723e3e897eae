/* step_rows.c: rows of constraints in a step of integrator="discrete". The spring-damper of a row
 * is evaluated at the end of the step too, where it is to first order
 *
 *     f = D (- B v_+ - K d (r + h v_+) - J a),       v_+ = v + h J a,  r = pos - margin
 *       = D s (aref - J a),       aref = - (B v + K d (r + h v))/s,    s = 1 + h B + h^2 K d
 *
 * (aref: reference.c), and the R of a row, which goes with its A = J M^-1 J', follows what S does
 * to the diagonal of M:
 *
 *     R = rho max(R_0/s, A (1 - d_most)/d_most),
 *     rho = sum_i J_i^2/(M_ii + S_ii) / sum_i J_i^2/M_ii
 *
 * with R_0 of constraint.c. The rows of a contact share rho and s of their first. (From what MuJoCo
 * 3.14.0 computes.)
 */
#include "base/house.h"
#include "physics/constraint.h"
#include "physics/contact_law.h"
#include "physics/implicit/step_metric.h"
#include "physics/stages.h"

#include <math.h>

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

/* R_0 */
static double plain(const sal_data *d, int row)
{
    const double impedance = d->efc_KBIP[4 * row + 2];
    return d->efc_diagApprox[row] * ((1 - impedance) / impedance);
}

/* The lesser of 1/s and what makes the row as hard as the hardest impedance without s. */
static double hardening(const sal_model *m, const sal_data *d, int row)
{
    const double hardest = (1 - PHY_IMPEDANCE_MOST) / PHY_IMPEDANCE_MOST;
    const double impedance = d->efc_KBIP[4 * row + 2];
    return fmax(1 / phy_row_slowing(m, d, row), hardest * (impedance / (1 - impedance)));
}

/* R/R_0; the R of a row, of pyramids that over 2 mu^2 (constraint_contact.c), is at least
 * SAL_MINVAL */
static double scale_of(const sal_model *m, const sal_data *d, const phy_law_block *block)
{
    const double unit =
        block->type == SAL_EFC_CONTACT_PYRAMIDAL ? 2 * block->cone * block->cone : 1;
    const double r0 = plain(d, block->row) / unit;
    const double r = r0 * softening(m, d, block->row) * hardening(m, d, block->row);
    return fmax(SAL_MINVAL, r) / r0;
}

void phy_step_rows(const sal_model *m, sal_data *d)
{
    phy_law_block block;
    if (d->nefc > 0) {
        phy_compose(m, d);
    }
    for (int row = 0; row < d->nefc; row += block.dim) {
        phy_law_block_at(&block, m, d, row);
        const double scale = scale_of(m, d, &block);
        for (int k = row; k < row + block.dim; k++) {
            d->efc_R[k] = scale * plain(d, k);
            d->efc_D[k] = 1 / d->efc_R[k];
        }
    }
    phy_adhesion_reference(m, d);
}
