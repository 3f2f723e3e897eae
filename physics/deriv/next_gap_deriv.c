/* next_gap_deriv.c: what a contact's gap at the next instant adds to the derivatives of forces, of
 * contact models that know it. With F = dforce/ds of its rows J, z = J'F:
 *
 *     dtau = -z (ds/dq dq + ds/dv dv + ds/da da)
 *
 * All of them have the dofs of both bodies' branches.
 */
#include "physics/constraint_row.h"
#include "physics/contact_law.h"
#include "physics/deriv/deriv_pieces.h"
#include "physics/next_gap.h"

/* ---- the gap ---- */

/* r += x M, M [3 x 6] */
static void add_rows(double r[6], const double x[3], const double M[18])
{
    for (int i = 0; i < 3; i++) {
        sal_sp_addscaled(r, r, x[i], M + 6 * i);
    }
}

/* What the features' change adds to ds/dq, for a twist (w; u) of body 2 at P. With n the normal,
 * l_i from P to p_i along it, and the collider's maps,
 *
 *     dp_i = dP + l_i theta x n +- n ddist/2         - (u + l_2 w x n) of body 2
 *     dn   = theta x n                               - w x n where body 2 has N
 *     y'(theta x n) = (n x y)'theta */
static void feature_slope(double slope[6], const sal_model *m, const sal_data *d, int i,
                          const phy_contact_map *map)
{
    const sal_contact *con = d->contact + i;
    const double *a1 = d->next_feature + 9 * con->efc_address, *a2 = a1 + 3, *b = a1 + 6;
    const double *n = con->frame;
    const double l1 = -(0.5 * con->dist + phy_next_radius(m, con->geom1)),
                 l2 = 0.5 * con->dist + phy_next_radius(m, con->geom2);
    const double of_second = phy_next_owner(m, con) == 1 ? 1 : 0;
    double apart[3], theta[3], w[3], y[3];
    for (int k = 0; k < 3; k++) {
        apart[k] = a2[k] - a1[k];
        y[k] = l2 * a2[k] - l1 * a1[k] + b[k];
        w[k] = -l2 * a2[k] - of_second * b[k];
        slope[k] = 0;
        slope[3 + k] = -a2[k];
    }
    sal_v3_cross(theta, n, y);
    sal_v3_cross(slope, n, w);
    add_rows(slope, apart, map->pos);
    add_rows(slope, theta, map->turn);
    sal_sp_addscaled(slope, slope, 0.5 * (sal_v3_dot(a1, n) + sal_v3_dot(a2, n)), map->dist);
}

void phy_next_gap_begin(phy_next_gap *gap, const sal_model *m, const sal_data *d, int i,
                        const phy_contact_map *map)
{
    gap->contact = i;
    feature_slope(gap->feature, m, d, i, map);
}

void phy_next_gap_slope(double slope[3], const sal_model *m, const sal_data *d,
                        const phy_next_gap *gap, int k, int side)
{
    const sal_contact *con = d->contact + gap->contact;
    const int dof = d->efc_J_colind[d->efc_J_rowadr[con->efc_address] + k];
    const int body = m->geom_bodyid[side > 0 ? con->geom2 : con->geom1];
    double arm[3], s[6];
    phy_next_slopes(m, d, gap->contact, k, slope);
    sal_v3_sub(arm, con->pos, d->subtree_com + 3 * m->body_rootid[body]);
    sal_sp_at_point(s, d->cdof + 6 * dof, arm);
    slope[0] += side * sal_sp_dot(gap->feature, s);
}

/* ---- its force ---- */

/* z_r: of the rows that stand one behind the other */
static double pull_on(phy_sparse J, const phy_contact_law *law, int r)
{
    double z = 0;
    for (int j = 0; j < law->dim; j++) {
        z += J.x[j * J.n + r] * law->by_next[j];
    }
    return z;
}

/* -z (ds/dq, ds/dv, ds/da) of the dof of column k */
static void add_column(const sal_model *m, phy_deriv *w, phy_sparse J, const phy_contact_law *law,
                       int k, const double slope[3])
{
    for (int r = 0; r < J.n; r++) {
        const double z = pull_on(J, law, r);
        const int at = m->nv * J.dof[r] + J.dof[k];
        w->Dq[at] -= z * slope[0];
        w->Dv[at] -= z * slope[1];
        w->Da[at] -= z * slope[2];
    }
}

static void add_contact(const sal_model *m, const sal_data *d, phy_deriv *w, int i)
{
    const sal_contact *con = d->contact + i;
    phy_contact_law law;
    phy_contact_map map;
    phy_next_gap gap;
    phy_branch branch[2];
    if (con->efc_address < 0 || !phy_contact_law_at(m, d, i, &law)) {
        return;
    }
    phy_contact_map_at(m, d, i, &map);
    phy_next_gap_begin(&gap, m, d, i, &map);
    phy_branches(m, con->geom1, con->geom2, branch);
    const phy_sparse J = phy_sparse_row(d, con->efc_address);
    for (int k = 0; k < J.n; k++) {
        double slope[3];
        phy_next_gap_slope(slope, m, d, &gap, k, branch[k >= branch[0].n].sign > 0 ? 1 : -1);
        add_column(m, w, J, &law, k, slope);
    }
}

void phy_next_gaps_deriv(const sal_model *m, const sal_data *d, phy_deriv *w)
{
    for (int i = 0; i < d->ncon; i++) {
        add_contact(m, d, w, i);
    }
}
