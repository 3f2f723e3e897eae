/* constraint_row.h: how the rows of the constraint list are made; private to the files that make
 * them. */
#ifndef SAL_PHYSICS_CONSTRAINT_ROW_H
#define SAL_PHYSICS_CONSTRAINT_ROW_H

#include "base/house.h"
#include "physics/constraint.h"

/* Appends a row with room for `nonzeros` entries of J, and clears it: returns its number, or -1 if
 * the data is full. */
static inline int phy_row_add(const sal_model *m, sal_data *d, sal_efc_type type, int id,
                              int nonzeros)
{
    if (d->nefc >= m->nefcmax || d->nJ + nonzeros > m->nJmax) {
        return -1;
    }
    const int row = d->nefc++;
    d->efc_type[row] = (int)type;
    d->efc_id[row] = id;
    d->efc_J_rowadr[row] = d->nJ;
    d->efc_J_rownnz[row] = nonzeros;
    d->nJ += nonzeros;
    d->efc_pos[row] = d->efc_margin[row] = d->efc_frictionloss[row] = 0;
    return row;
}

/* pos - margin of what acts; a held one may act before it is violated */
static inline double phy_violation(double pos, double margin)
{
    return pos < margin ? pos - margin : 0;
}

/* How far past its margin what has this key begins to act. */
static inline double phy_held_beyond(const sal_data *d, int key)
{
    for (int i = 0; d->held != NULL && i < d->held->n; i++) {
        if (d->held->one[i].key == key) {
            return d->held->one[i].beyond;
        }
    }
    return 0;
}

/* Regulariser of a row whose J M^-1 J' is about `diagonal`:  R = A (1 - d)/d */
static inline double phy_row_regulariser(double diagonal, double impedance)
{
    const double r = diagonal * (1 - impedance) / impedance;
    return r > SAL_MINVAL ? r : SAL_MINVAL;
}

/* Sets what the row's force needs besides J:  D = 1/R, diagApprox = R d/(1-d), KBIP = (K, B, d,
 *                                             d'). */
static inline void phy_row_finish(sal_data *d, int row, double r, phy_impedance impedance,
                                  phy_stiffness stiffness)
{
    double *kbip = d->efc_KBIP + 4 * row;
    d->efc_R[row] = r;
    d->efc_D[row] = 1 / r;
    d->efc_diagApprox[row] = r * (impedance.d / (1 - impedance.d));
    kbip[0] = stiffness.k, kbip[1] = stiffness.b, kbip[2] = impedance.d, kbip[3] = impedance.slope;
}

/* The rows of contact i, and its efc_address and mu; false if the data is full.
 * constraint_contact.c */
bool phy_contact_rows(const sal_model *m, sal_data *d, int i);

/* The rows of equality i, none if nothing moves it; false if the data is full.
 * constraint_equality.c */
bool phy_equality_rows(const sal_model *m, sal_data *d, int i);

/* R of all rows from their own J M^-1 J' (option diagexact). constraint_exact.c */
void phy_exact_diagonal(const sal_model *m, sal_data *d);

#endif
