/* constraint_row.h: how the rows of the constraint list are made; private to the files that make
 * them. */
#ifndef SAL_PHYSICS_CONSTRAINT_ROW_H
#define SAL_PHYSICS_CONSTRAINT_ROW_H

#include "base/house.h"
#include "physics/constraint.h"
#include "physics/lanes.h"
#include "physics/width.h"

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

/* The dofs of one body of a pair that the other does not share */
typedef struct phy_branch {
    const int *dof; /* ascending */
    int n;
    int body;
    double sign; /* of their motion in that of geom2's body relative to geom1's */
} phy_branch;
/* Of both bodies, the lower dofs first; returns their number. constraint_contact.c */
int phy_branches(const sal_model *m, int geom1, int geom2, phy_branch branch[2]);

/* e_0 .. e_dim-1 of motion columns s = (w; u), `arm` from where they are given to the contact: of
 * four dofs of one instant, of one dof of several instants. See constraint_contact.c. */
#define PHY_CONTACT_COLUMN(name, number, place)                                                    \
    static SAL_INLINE void name(number e[6], const number s[6], const place arm[3],                \
                                const place frame[9], int dim)                                     \
    {                                                                                              \
        number u[3];                                                                               \
        for (int i = 0; i < 3; i++) { /* w x arm + u */                                            \
            const int j = (i + 1) % 3, k = (i + 2) % 3;                                            \
            u[i] = s[j] * arm[k] - s[k] * arm[j] + s[3 + i];                                       \
        }                                                                                          \
        for (int i = 0; i < (dim > 1 ? 3 : 1); i++) {                                              \
            const place *axis = frame + 3 * i;                                                     \
            e[i] = axis[0] * u[0] + axis[1] * u[1] + axis[2] * u[2];                               \
        }                                                                                          \
        for (int i = 3; i < dim; i++) {                                                            \
            const place *axis = frame + 3 * (i - 3);                                               \
            e[i] = axis[0] * s[0] + axis[1] * s[1] + axis[2] * s[2];                               \
        }                                                                                          \
    }
PHY_CONTACT_COLUMN(phy_contact_column_of_four, phy_lanes, double)
PHY_CONTACT_COLUMN(phy_contact_column_abreast, phy_real, phy_real)

enum { PHY_ROWS_MAX = 10 }; /* of a contact: a pyramid of dim 6 */

/* One column of rows e becomes that of the edges of a pyramid. */
static SAL_INLINE void phy_edges_of(phy_real edge[PHY_ROWS_MAX], const phy_real e[6], int dim,
                                    const double mu[5])
{
    for (int k = 1; k < dim; k++) {
        edge[2 * k - 2] = e[0] + mu[k - 1] * e[k];
        edge[2 * k - 1] = e[0] - mu[k - 1] * e[k];
    }
}

/* One that sticks across its gap has fewer rows than its pair says, and none that are known. */
static inline bool phy_has_fewer_rows(const sal_model *m, const sal_contact *contact)
{
    return m->nadhesion > 0 && contact->dim != m->pair_dim[contact->pair];
}

/* The rows of contact i, and its efc_address and mu; false if the data is full. known: of rows J v,
 * J a, J; NULL: unknown. constraint_contact.c */
bool phy_contact_rows(const sal_model *m, sal_data *d, int i, const double *known);

/* The rows of equality i, none if nothing moves it; false if the data is full.
 * constraint_equality.c */
bool phy_equality_rows(const sal_model *m, sal_data *d, int i);

/* R of all rows from their own J M^-1 J' (option diagexact). constraint_exact.c */
void phy_exact_diagonal(const sal_model *m, sal_data *d);

#endif
