/* contact_adhesion.c: contacts that stick. With the adhesion a of its pair, a contact may pull by
 * up to a before it lets go, and slides as under a normal force larger by a. Its rows see a law
 * moved along the normal, and what they exert too much stands among the passive forces:
 *
 *     aref += R a                  in the first row; of a pyramid in each of its 2 (dim - 1) edges
 *     aref += R a / (2 (dim - 1))
 *     qfrc_passive -= J_n' a       unless springs and dampers are both disabled
 *     force of the contact: what its rows exert, less a along the normal
 *
 * so that how deep it rests does not depend on a. Between margin and margin + gap such a contact
 * has one row, along the normal (constraint_contact.c). With integrator="discrete" R is that of the
 * step (implicit/step_rows.c). (MuJoCo documentation, "XML reference", geom, adhesion; from what
 * MuJoCo 3.14.0 computes.)
 */
#include "physics/constraint.h"
#include "physics/stages.h"

static bool is_pyramid(const sal_data *d, const sal_contact *contact)
{
    return d->efc_type[contact->efc_address] == SAL_EFC_CONTACT_PYRAMIDAL;
}

double phy_adhesion_of_row(const sal_model *m, const sal_data *d, const sal_contact *contact,
                           int row)
{
    const double a = phy_adhesion_of(m, contact);
    if (is_pyramid(d, contact)) {
        return a / (2 * (contact->dim - 1));
    }
    return row == contact->efc_address ? a : 0;
}

void phy_adhesion_reference(const sal_model *m, sal_data *d)
{
    for (int i = 0; i < d->ncon; i++) {
        const sal_contact *c = d->contact + i;
        if (!(phy_adhesion_of(m, c) > 0)) {
            continue;
        }
        const int rows = is_pyramid(d, c) ? 2 * (c->dim - 1) : 1;
        for (int row = c->efc_address; row < c->efc_address + rows; row++) {
            d->efc_aref[row] =
                phy_row_reference(m, d, row) + d->efc_R[row] * phy_adhesion_of_row(m, d, c, row);
        }
    }
}

/* J_n: the first row, or half the sum of a pyramid's first two */
void phy_adhesion_force(const sal_model *m, sal_data *d)
{
    for (int i = 0; i < d->ncon; i++) {
        const sal_contact *c = d->contact + i;
        const double a = phy_adhesion_of(m, c);
        if (!(a > 0)) {
            continue;
        }
        const int n = d->efc_J_rownnz[c->efc_address], adr = d->efc_J_rowadr[c->efc_address];
        const bool pyramid = is_pyramid(d, c);
        for (int k = adr; k < adr + n; k++) {
            const double J = pyramid ? 0.5 * (d->efc_J[k] + d->efc_J[k + n]) : d->efc_J[k];
            d->qfrc_passive[d->efc_J_colind[k]] -= a * J;
        }
    }
}
