/* step_deriv.h: derivatives of what a step of integrator="discrete" puts beside M, c and into rows;
 * private to physics/deriv. */
#ifndef SAL_PHYSICS_DERIV_STEP_DERIV_H
#define SAL_PHYSICS_DERIV_STEP_DERIV_H

#include "physics/constraint.h"
#include "physics/deriv/deriv.h"

/* How a row varies with its violation r = pos - margin, its J v and J a as they are, and with J v:
 *
 *     jar = J a - aref,     djar = b d(J v) + (kap + kap_v J v) dr,     dD/D = rho dr
 *
 * With K, B and the impedance d(r) of constraint.h, aref = - B v - K d r:
 *
 *     b = B,     kap = K (d + d' r),     kap_v = 0,     rho = d'/(d (1 - d)),
 *
 * as D goes with d/(1 - d).
 */
typedef struct phy_gap_slope {
    double b, kap, kap_v, rho;
} phy_gap_slope;
/* With integrator="discrete". gap_slope.c */
phy_gap_slope phy_gap_slope_at_end(const sal_model *m, const sal_data *d, int row);

static inline phy_gap_slope phy_gap_slope_of(const sal_model *m, const sal_data *d, int row)
{
    const double *kbip = d->efc_KBIP + 4 * row, K = kbip[0], imp = kbip[2], rise = kbip[3];
    if (phy_has_step_metric(m)) {
        return phy_gap_slope_at_end(m, d, row);
    }
    return (phy_gap_slope){.b = kbip[1],
                           .kap = K * (imp + rise * (d->efc_pos[row] - d->efc_margin[row])),
                           .rho = rise / (imp * (1 - imp))};
}

/* S a + s, and R by way of rho of step_rows.c, into Dq, Dv, Da (the rest of the rows' part:
 * phy_gap_slope). step_deriv.c */
void phy_step_metric_deriv(const sal_model *m, sal_data *d, phy_deriv *w);
/* What of the model has no derivative with that integrator; NULL: nothing. step_deriv.c */
const char *phy_step_deriv_lacks(const sal_model *m);
void phy_step_deriv_scratch(const sal_model *m, sal_arena *arena);

/* How log rho of the block of a row varies with q and v [nv], in the arena: its forces vary by
 * -f dlog rho besides. False: not at all, or no room. step_deriv.c */
bool phy_softening_of(const sal_model *m, sal_data *d, int row, const double **q, const double **v);

/* g [nv] += d(J x)/dq of the first row of contact i, of a row of a connect or weld, x [nv] as it
 * is. contact_force_deriv.c, element_deriv_joined.c */
void phy_contact_row_deriv(const sal_model *m, const sal_data *d, int i, const double *x,
                           double *g);
void phy_joined_row_deriv(const sal_model *m, const sal_data *d, int row, const double *x,
                          double *g);
/* g [nv] += k times how the row of a ball's limit varies, times x [nv]. sensor_deriv.c */
void phy_ball_row_deriv(const sal_model *m, const sal_data *d, int row, double k, const double *x,
                        double *g);

#endif
