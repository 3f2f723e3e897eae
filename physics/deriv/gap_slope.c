/* gap_slope.c: how a row varies with its violation at the end of a step of integrator="discrete"
 * (physics/implicit/step_rows.c), with s its divisor, the rest as in step_deriv.h:
 *
 *     jar = J a + ((B + h kappa) v + kappa r)/s,       s = 1 + h B + h^2 kappa
 *     rho = d'/(d (1 - d)) + s'/s,     0 where D is that of the hardest impedance
 *
 * where kappa' = K d', B' = 0; or kappa' = 0, B' = - B d'/(2 d) where kappa h^2 = 1 by
 * phy_make_resolvable.
 */
#include "base/house.h"
#include "physics/constraint.h"
#include "physics/deriv/step_deriv.h"

#include <math.h>

/* Whether the stiffness of the row has been limited */
static bool is_limited(const sal_model *m, const sal_data *d, int row)
{
    const double h = m->opt.timestep;
    const double *kbip = d->efc_KBIP + 4 * row;
    return d->efc_type[row] >= (int)SAL_EFC_LIMIT_JOINT && !(m->opt.disable & SAL_DSBL_REFSAFE) &&
           fabs(kbip[0] * kbip[2] * h * h - 1) < 1e-13;
}

phy_gap_slope phy_gap_slope_at_end(const sal_model *m, const sal_data *d, int row)
{
    const double *kbip = d->efc_KBIP + 4 * row, K = kbip[0], B = kbip[1], imp = kbip[2];
    const double rise = kbip[3], r = d->efc_pos[row] - d->efc_margin[row], h = m->opt.timestep;
    const double rho = rise / (imp * (1 - imp));
    const bool limited = is_limited(m, d, row);
    const double kappa = K * imp, dkappa = limited ? 0 : K * rise;
    const double dB = limited ? -B * rise / (2 * imp) : 0;
    const double s = phy_row_slowing(m, d, row), ds = h * (dB + h * dkappa);
    const double hardest = (1 - PHY_IMPEDANCE_MOST) / PHY_IMPEDANCE_MOST;
    const bool hard = hardest * (imp / (1 - imp)) > 1 / s;
    return (phy_gap_slope){.b = (B + h * kappa) / s,
                           .kap = (kappa + dkappa * r - ds * kappa * r / s) / s,
                           .kap_v = (h * dkappa + dB - ds * (B + h * kappa) / s) / s,
                           .rho = hard ? 0 : rho + ds / s};
}
