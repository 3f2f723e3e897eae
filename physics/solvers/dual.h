/* dual.h: the constraints seen from their forces; private to physics/.
 *
 *     a = a_s + M^-1 J' f,     gradient of f'A f/2 + f'b:   A f + b = J a - aref,    A = J M^-1 J'
 *
 * A is not formed: each row keeps what its unit force does to the dofs, M^-1 J_i', which is zero in
 * all trees but those it touches. A force then changes a by as many numbers, and the residual of a
 * row is J_i a: work and memory grow with the trees a row touches, and not with the square of the
 * number of rows.
 */
#ifndef SAL_PHYSICS_SOLVERS_DUAL_H
#define SAL_PHYSICS_SOLVERS_DUAL_H

#include "physics/contact_law.h"
#include "physics/laws/cone_block.h"

#include <float.h>
#include <stddef.h>

enum { PHY_DUAL_DIM = PHY_LAW_DIM };
/* of the largest force: a sweep that changes none by more has ended */
#define PHY_DUAL_STILL (16 * DBL_EPSILON)

/* Dofs first .. last of one tree, or of several */
typedef struct phy_dual_span {
    int first, last;
} phy_dual_span;

typedef struct phy_dual {
    const sal_model *m;
    sal_data *d;
    /* [nv] the acceleration that the forces bring about */
    double *a;
    /* [nefc + 1] where the spans of a row begin, and the numbers of M^-1 J_i' in them */
    int *span_adr;
    size_t *response_adr;
    phy_dual_span *span;
    double *response;
    /* [nefc x PHY_DUAL_DIM] row i of A within its block */
    double *block;
    /* [nefc] of the first row of elliptic contacts */
    phy_cone_matrix *cone;
} phy_dual;

/* Takes scratch of d, to be given back by the caller, and fills all but `a` and `cone`.
 * SAL_BADINPUT: the data was made for a solver that needs less. SAL_FULL: too many numbers. */
sal_status phy_dual_begin(phy_dual *dual, const sal_model *m, sal_data *d, sal_err *err);
void phy_dual_scratch(const sal_model *m, sal_arena *arena);

/* a = a_s + M^-1 J' f; leaves J' f in qfrc_constraint. */
void phy_dual_acceleration(phy_dual *dual, const double *f);
/* J a - aref of `dim` rows of one block from `row` on, J of them and a for them alike:
 * a += M^-1 J' step */
void phy_dual_residual(const phy_dual *dual, int row, int dim, double *residual);
void phy_dual_push(phy_dual *dual, int row, int dim, const double *step);
/* Reads the cone of an elliptic contact with R added to the diagonal of A; NULL: none. */
sal_status phy_dual_cone(phy_dual *dual, const phy_law_block *block, const double *R);
/* step' A step / 2 + step' residual of a block, with R as above; the residual is that before the
 * step. */
double phy_dual_change(const phy_dual *dual, const phy_law_block *block, const double *step,
                       const double *residual, const double *R);
/* qacc, efc_acc, qfrc_constraint and efc_state of the forces efc_force. */
void phy_dual_finish(phy_dual *dual);

sal_status phy_pgs(const sal_model *m, sal_data *d, sal_err *err);
void phy_pgs_scratch(const sal_model *m, sal_arena *arena);

#endif
