/* contact_law_deriv.c: the law of a contact in the contact's own coordinates: force, curvature, and
 * what of its rows varies with dist. See deriv.h, and contact_deriv.c for what is made of it.
 */
#include "physics/contact_law.h"
#include "physics/deriv/deriv.h"
#include "physics/deriv/step_deriv.h"
#include "physics/stages.h"

#include <string.h>

/* H [dim x dim] in the order n, t1, t2, torsion, rolling. A pyramid's edges are e_0 +- mu_j e_j, so
 * H = sum of theirs E E'. */
static void curvature(const sal_model *m, const sal_data *d, const sal_contact *c, double H[36])
{
    const phy_law_rows rows = phy_law_rows_of(m, d);
    double edges[PHY_LAW_DIM * PHY_LAW_DIM];
    phy_law_block block;
    phy_law_block_at(&block, m, d, c->efc_address);
    if (block.type != SAL_EFC_CONTACT_PYRAMIDAL) {
        phy_law_of(m)->curvature(H, &block, &rows);
        return;
    }
    phy_law_of(m)->curvature(edges, &block, &rows);
    const int n = c->dim;
    memset(H, 0, (size_t)(n * n) * sizeof *H);
    for (int j = 1; j < n; j++) {
        const double mu = block.friction[j - 1];
        const double plus = edges[(2 * j - 2) * (block.dim + 1)],
                     minus = edges[(2 * j - 1) * (block.dim + 1)];
        H[0] += plus + minus;
        H[j] = H[j * n] = mu * (plus - minus);
        H[j * n + j] = mu * mu * (plus + minus);
    }
}

/* At the level of velocities */
static void law_of_velocities(const sal_model *m, const sal_data *d, const sal_contact *c,
                              phy_contact_law *law)
{
    const phy_law_rows rows = phy_law_rows_of(m, d);
    phy_law_block block;
    phy_law_block_at(&block, m, d, c->efc_address);
    law->dim = c->dim;
    law->rho = 0;
    for (int l = 0; l < c->dim; l++) {
        law->kap[l] = 0;
        law->b[l] = 1 / m->opt.timestep;
    }
    phy_law_of(m)->curvature(law->H, &block, &rows);
    phy_law_of(m)->by_gap(law->by_gap, law->H, law->force, &block, &rows);
    if (phy_law_of(m)->by_next != NULL) {
        phy_law_of(m)->by_next(law->by_next, &block, &rows);
    }
}

/* e_l'(V_B - V_A), from the rows: edges of a pyramid are e_0 +- mu_l e_l */
static double rate_along(const sal_model *m, const sal_data *d, const sal_contact *c, int l)
{
    const double *edge = d->efc_vel + c->efc_address + (l == 0 ? 0 : 2 * l - 2);
    if (d->efc_type[c->efc_address] != SAL_EFC_CONTACT_PYRAMIDAL) {
        return d->efc_vel[c->efc_address + l];
    }
    return l == 0 ? 0.5 * (edge[0] + edge[1])
                  : 0.5 * (edge[0] - edge[1]) / m->pair_friction[5 * c->pair + l - 1];
}

/* With adhesion jar_0 = .. - R a, and f is less than that of the rows: f_rows varies with log D by
 * f_rows - H_0 R a. */
static void stick(const sal_model *m, const sal_data *d, const sal_contact *c, phy_contact_law *law)
{
    const int row = c->efc_address;
    const double shift = d->efc_R[row] * phy_adhesion_of_row(m, d, c, row);
    for (int j = 0; j < law->dim; j++) {
        const double f = law->force[j] + (j == 0 ? phy_adhesion_of(m, c) : 0);
        law->by_log_D[j] = f - law->H[j * law->dim] * shift;
        law->by_gap[j] = law->rho * (law->by_log_D[j] - law->force[j]);
    }
}

bool phy_contact_law_at(const sal_model *m, const sal_data *d, int i, phy_contact_law *law)
{
    const sal_contact *c = d->contact + i;
    sal_contact_force(m, d, i, law->force);
    law->sticks = phy_adhesion_of(m, c) > 0;
    if (law->force[0] == 0 && !law->sticks) {
        return false;
    }
    const int row = c->efc_address;
    law->gapped = phy_law_of(m)->by_gap != NULL;
    if (law->gapped) {
        law_of_velocities(m, d, c, law);
        return true;
    }
    const phy_gap_slope k = phy_gap_slope_of(m, d, row);
    const bool elliptic = d->efc_type[row] == SAL_EFC_CONTACT_ELLIPTIC;
    law->dim = c->dim;
    law->rho = k.rho;
    law->kap[0] = k.kap;
    law->b[0] = k.b;
    for (int l = 1; l < c->dim; l++) {
        law->kap[l] = 0;
        law->b[l] = elliptic ? phy_gap_slope_of(m, d, row + l).b : k.b;
    }
    for (int l = 0; k.kap_v != 0 && l < (elliptic ? 1 : c->dim); l++) {
        law->kap[l] += k.kap_v * rate_along(m, d, c, l);
    }
    curvature(m, d, c, law->H);
    if (law->sticks) {
        stick(m, d, c, law);
    }
    return true;
}
