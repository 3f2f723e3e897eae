/* border.h: solution with a factor and some dense outer products.
 *
 *     K = K0 + sum_k c_k D_k'D_k,     K0 = a X + b Y + shift I sparse, D a few dense rows
 *
 * With E = diag(sqrt c) D the bordered system [K0 E'; E -1] is solved by its Schur complement (Woodbury's formula):
 *
 *     Z = K0^-1 E',   S = 1 + E Z,   K^-1 b = x - Z S^-1 E x   with   x = K0^-1 b
 *
 * Where K0 hardly holds what the products hold, x and the correction cancel: the residual b - K x is solved for again.
 */
#ifndef SAL_BORDER_H
#define SAL_BORDER_H

#include "optim/assembly.h"
#include "optim/factor.h"

typedef struct sal_border sal_border;

/* Both must outlive it. Without sums it is only the factor. */
sal_status sal_border_new(sal_border **border, sal_factor *factor, const sal_assembly *assembly,
                          sal_err *err);
void sal_border_free(sal_border *f);

/* From the factor of the same mix, whose matrices have the c behind their entries. D and the matrices must stay as they are until the last
 * solution. */
sal_status sal_border_compute(sal_border *f, const double *D, const sal_mix *K, sal_err *err);
/* x := K^-1 x */
sal_status sal_border_solve(sal_border *f, double *x, sal_err *err);
/* K_jj without the shift */
double sal_border_diagonal(const sal_border *f, const double *D, const sal_mix *K, int j);

#endif
