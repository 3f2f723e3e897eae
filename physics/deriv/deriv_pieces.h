/* deriv_pieces.h: what adds its share to the derivatives of the inverse, element by element;
 * private to physics/.
 *
 * A load goes to its body before the recursion towards the roots; the rest goes into Dq, Dv, Da
 * after their assembly.
 */
#ifndef SAL_PHYSICS_DERIV_DERIV_PIECES_H
#define SAL_PHYSICS_DERIV_DERIV_PIECES_H

#include "physics/contact_law.h"
#include "physics/deriv/collide_deriv.h"
#include "physics/deriv/deriv.h"

/* Why there are no exact derivatives at this state; SAL_OK: there are. And what is added to Dq, Dv,
 * Da of the smooth part with its loads, one element after the other. inverse_deriv.c */
sal_status phy_inverse_deriv_refusal(const sal_model *m, const sal_data *d, sal_err *err);
void phy_inverse_deriv_further(const sal_model *m, sal_data *d, phy_deriv *w);

/* D = {Dq, Dv, Da} at given a become those at given a', see sal_inverse_discrete_deriv.
 * discrete_deriv.c */
sal_status phy_inverse_lag_deriv(const sal_model *m, sal_data *d, double *const D[3],
                                 const double *qacc_discrete, sal_err *err);

/* Loads: gravity compensation, the medium; whether there may be any. element_deriv_load.c */
void phy_elements_load(const sal_model *m, sal_data *d, phy_deriv *w);
bool phy_elements_may_load(const sal_model *m);

/* -J'f of the rows of joints and fixed tendons: limits, friction loss, equalities; into Dq, Dv, Da.
 * rows_deriv.c */
void phy_rows_deriv(const sal_model *m, sal_data *d, phy_deriv *w);

/* -passive of springs and dampers of joints and fixed tendons into Dq and Dv, armature of joints
 * and fixed tendons into Da. passive_deriv.c */
void phy_passive_deriv(const sal_model *m, sal_data *d, phy_deriv *w);

/* Of h diag(damping) a into Dv and Da, where that stands beside M (phy_is_of_step).
 * discrete_deriv.c */
void phy_damping_of_step_deriv(const sal_model *m, const sal_data *d, phy_deriv *w);

/* Of gaps at the next instant into Dq, Dv, Da, of contact models that know them.
 * next_gap_deriv.c */
void phy_next_gaps_deriv(const sal_model *m, const sal_data *d, phy_deriv *w);
/* The gap of one contact; feature: slope by a twist at its point of what its features change. */
typedef struct phy_next_gap {
    int contact;
    double feature[6];
} phy_next_gap;
void phy_next_gap_begin(phy_next_gap *gap, const sal_model *m, const sal_data *d, int i,
                        const phy_contact_map *map);
/* By q, v, a of the dof of column k of its rows, which moves geom2's body (side 1) or geom1's
 * (-1) */
void phy_next_gap_slope(double slope[3], const sal_model *m, const sal_data *d,
                        const phy_next_gap *gap, int k, int side);

/* ---- what they share: products with what a fixed tendon or a row has to do with the dofs ---- */

/* A vector over the dofs that is zero but for n of them. */
typedef struct phy_sparse {
    int n;
    const int *dof;
    const double *x;
} phy_sparse;

static inline phy_sparse phy_sparse_tendon(const sal_model *m, const sal_data *d, int t)
{
    const int adr = m->tendon_Jadr[t];
    return (phy_sparse){m->tendon_Jnum[t], m->ten_dof + adr, d->ten_J + adr};
}

static inline phy_sparse phy_sparse_row(const sal_data *d, int row)
{
    const int adr = d->efc_J_rowadr[row];
    return (phy_sparse){d->efc_J_rownnz[row], d->efc_J_colind + adr, d->efc_J + adr};
}

/* A += k x x',  A [nv x nv] */
void phy_add_square(const sal_model *m, double *A, double k, phy_sparse x);

/* A += k x (dl/dq)',  l the length of fixed tendon t. dl/dq is its J, unless 2.2.2 does what it
 *                     does with a joint named twice. */
void phy_add_length(const sal_model *m, double *A, double k, phy_sparse x, int t);

/* Of a row alone: its force, H = -df/djar, B, and c = H kap - f rho, so that df = -H J (da + B dv)
 * - c dx (rows_deriv.c). */
typedef struct phy_row_slope {
    double H;
    double f;
    double c;
    double B;
} phy_row_slope;
phy_row_slope phy_row_slope_of(const sal_model *m, const sal_data *d, const phy_law_rows *rows,
                               int row);

/* d(k(x) x)/dx of a tendon's spring, x its stretch. */
double phy_tendon_stretch_slope(const sal_model *m, const sal_data *d, int t);

#endif
