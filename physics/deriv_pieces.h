/* deriv_pieces.h: what adds its share to the derivatives of the inverse, element by element; private to physics/.
 *
 * A load goes to its body before the recursion towards the roots; the rest goes into Dq, Dv, Da after their assembly.
 */
#ifndef SAL_DERIV_PIECES_H
#define SAL_DERIV_PIECES_H

#include "physics/contact_law.h"
#include "physics/deriv.h"

/* Loads: gravity compensation, the medium. element_deriv_load.c */
void sal_elements_load(const sal_model *m, sal_data *d, sal_deriv *w);

/* Into Dq, Dv, Da: what several bodies hold together, and gravity compensation of chains that leave it to actuators in part. element_deriv.c */
void sal_elements_deriv(const sal_model *m, sal_data *d, sal_deriv *w);

/* -J'f of the rows of joints and fixed tendons: limits, friction loss, equalities; into Dq, Dv, Da. rows_deriv.c */
void sal_rows_deriv(const sal_model *m, sal_data *d, sal_deriv *w);

/* -passive of springs and dampers of joints and fixed tendons into Dq and Dv, armature of joints and fixed tendons into Da.
 * passive_deriv.c */
void sal_passive_deriv(const sal_model *m, sal_data *d, sal_deriv *w);

/* ---- what they share: products with what a fixed tendon or a row has to do with the dofs ---- */

/* A vector over the dofs that is zero but for n of them. */
typedef struct sal_sparse {
    int n;
    const int *dof;
    const double *x;
} sal_sparse;

static inline sal_sparse sal_sparse_tendon(const sal_model *m, const sal_data *d, int t)
{
    const int adr = m->tendon_Jadr[t];
    return (sal_sparse){m->tendon_Jnum[t], m->ten_dof + adr, d->ten_J + adr};
}

static inline sal_sparse sal_sparse_row(const sal_data *d, int row)
{
    const int adr = d->efc_J_rowadr[row];
    return (sal_sparse){d->efc_J_rownnz[row], d->efc_J_colind + adr, d->efc_J + adr};
}

/* A += k x x',  A [nv x nv] */
void sal_add_square(const sal_model *m, double *A, double k, sal_sparse x);

/* A += k x (dl/dq)',  l the length of fixed tendon t.  dl/dq is its J, unless 2.2.2 does what it does with a joint named twice. */
void sal_add_length(const sal_model *m, double *A, double k, sal_sparse x, int t);

/* Of a row alone: its force, H = -df/djar, B, and c = H kap - f rho, so that df = -H J (da + B dv) - c dx (rows_deriv.c). */
typedef struct sal_row_slope {
    double H, f, c, B;
} sal_row_slope;
sal_row_slope sal_row_slope_of(const sal_model *m, const sal_data *d, const sal_law_rows *rows,
                               int row);

/* d(k(x) x)/dx of a tendon's spring, x its stretch. */
double sal_tendon_stretch_slope(const sal_model *m, const sal_data *d, int t);

/* Doubles of scratch that sal_elements_deriv or sal_actuation_deriv needs. */
size_t sal_elements_scratch(const sal_model *m);

#endif
