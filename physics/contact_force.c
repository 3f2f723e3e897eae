/* contact_force.c: the force of a contact in its frame, from its rows and adhesion. */
#include "physics/stages.h"

void sal_contact_force(const sal_model *m, const sal_data *d, int i, double force[6])
{
    for (int k = 0; k < 6; k++) {
        force[k] = 0;
    }
    if (i < 0 || i >= d->ncon || d->contact[i].efc_address < 0) {
        return;
    }
    const sal_contact *contact = d->contact + i;
    const double *f = d->efc_force + contact->efc_address;
    if (d->efc_type[contact->efc_address] != SAL_EFC_CONTACT_PYRAMIDAL) {
        for (int k = 0; k < contact->dim; k++) {
            force[k] = f[k];
        }
        force[0] -= phy_adhesion_of(m, contact);
        return;
    }
    /* edges n + mu_k t_k, n - mu_k t_k */
    const double *mu = m->pair_friction + 5 * contact->pair;
    for (int k = 1; k < contact->dim; k++) {
        const double plus = f[2 * k - 2], minus = f[2 * k - 1];
        force[0] += plus + minus;
        force[k] = mu[k - 1] * (plus - minus);
    }
    force[0] -= phy_adhesion_of(m, contact);
}
