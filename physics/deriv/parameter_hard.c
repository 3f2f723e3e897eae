/* parameter_hard.c: how the force of a contact varies with numbers of the model where the contact
 * model is one of next gaps (physics/laws/hard_law.c). With the impulse over h, f(s, w), its slopes
 * f_s and f_w, and eta_j = mu_j w_j:
 *
 *     df_j = f_s,j ds + sum_k f_w,jk dw_k             the point p of the contact moves by dp
 *          + f_j dmu_j/mu_j + sum_k f_w,jk w_k dmu_k/mu_k         tangents j, k
 *
 *     dw = axes . (W x dp)     W the angular velocity of the bodies against each other at the end
 *     ds = a_2'dp_2 - a_1'dp_1 - dr_1 - dr_2          p_1, p_2, a_1, a_2: see physics/next_gap.h
 *
 * What the diagonal of J M^-1 J' is matters to equalities alone, whose compliance it scales.
 */
#include "base/house.h"
#include "physics/contact_law.h"
#include "physics/deriv/parameter_change.h"
#include "physics/next_gap.h"

static double gap_shift(const sal_data *d, const sal_model_change *c, const sal_contact *con,
                        const phy_shift *by)
{
    const double *a1 = d->next_feature + 9 * con->efc_address, *a2 = a1 + 3;
    const double dr1 = phy_changed_by(c, phy_next_radius(c->minus, con->geom1),
                                      phy_next_radius(c->plus, con->geom1)),
                 dr2 = phy_changed_by(c, phy_next_radius(c->minus, con->geom2),
                                      phy_next_radius(c->plus, con->geom2));
    double dp1[3], dp2[3];
    sal_v3_addscaled(dp1, by->pos, -(0.5 * by->dist + dr1), con->frame);
    sal_v3_addscaled(dp2, by->pos, 0.5 * by->dist + dr2, con->frame);
    return sal_v3_dot(a2, dp2) - sal_v3_dot(a1, dp1) - dr1 - dr2;
}

/* dw of the rows, 0 of those that turn */
static void velocity_shift(const sal_model *m, const sal_data *d, const sal_contact *con,
                           const phy_shift *by, double dw[3])
{
    double now[3], gain[3], u[3];
    phy_turning(m, d, con, d->qvel, now);
    phy_turning(m, d, con, d->qacc, gain);
    sal_v3_addscaled(now, now, m->opt.timestep, gain);
    sal_v3_cross(u, now, by->pos);
    sal_m3_mulv(dw, con->frame, u);
}

/* The change x of w that does to eta what that of friction does. */
static void friction_shift(const sal_model_change *c, const phy_law_block *block,
                           const phy_law_rows *rows, const double *force, int pair, double *x,
                           double *df)
{
    for (int j = 1; j < block->dim; j++) {
        const double dmu = phy_changed_by(c, c->minus->pair_friction[5 * pair + j - 1],
                                          c->plus->pair_friction[5 * pair + j - 1]);
        const double share = dmu / block->friction[j - 1];
        x[j] += share * (rows->vel[block->row + j] + rows->timestep * rows->acc[block->row + j]);
        df[j] += share * force[j];
    }
}

void phy_hard_terms(const sal_model *m, const sal_data *d, const sal_model_change *c,
                    const phy_law_block *block, const phy_law_rows *rows, const phy_shift *by,
                    double *df, double *r)
{
    const sal_contact *con = d->contact + d->efc_id[block->row];
    const phy_law *law = phy_law_of(m);
    double x[PHY_LAW_DIM] = {0}, H[PHY_LAW_DIM * PHY_LAW_DIM], slope[PHY_LAW_DIM];
    if (by != NULL) {
        const double ds = gap_shift(d, c, con, by);
        double dw[3];
        velocity_shift(m, d, con, by, dw);
        law->by_next(slope, block, rows);
        for (int j = 0; j < block->dim; j++) {
            df[j] += slope[j] * ds;
            x[j] += j < 3 ? dw[j] : 0;
        }
        phy_shape_pull(m, d, block, by, r);
    }
    if (c->what & PHY_CHANGE_FRICTION) {
        friction_shift(c, block, rows, d->efc_force + block->row, con->pair, x, df);
    }
    law->curvature(H, block, rows);
    for (int j = 0; j < block->dim; j++) {
        for (int k = 0; k < block->dim; k++) {
            df[j] -= H[j * block->dim + k] / rows->timestep * x[k];
        }
    }
}
