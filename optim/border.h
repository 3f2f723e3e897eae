/* border.h: solution with a factor and some dense outer products.
 *
 *     K = K0 + sum_k c_k D_k'D_k,     K0 = a X + b Y + shift I sparse, D a few dense rows
 *
 * With E = diag(sqrt c) D the bordered system [K0 E'; E -1] is solved by its Schur complement
 * (Woodbury's formula):
 *
 *     Z = K0^-1 E',   S = 1 + E Z,   K^-1 b = x - Z S^-1 E x   with   x = K0^-1 b
 *
 * Where K0 hardly holds what the products hold, x and the correction cancel: the residual b - K x
 * is solved for again.
 */
#ifndef SAL_OPTIM_BORDER_H
#define SAL_OPTIM_BORDER_H

#include "optim/assembly.h"
#include "optim/factor.h"

typedef struct opt_border opt_border;

/* Both must outlive it. Without sums it is only the factor. */
sal_status opt_border_new(opt_border **border, opt_factor *factor, const opt_assembly *assembly,
                          sal_err *err);
void opt_border_free(opt_border *f);

/* From the factor of the same mix, whose matrices have the c behind their entries. D and the
 * matrices must stay as they are until the last solution. */
sal_status opt_border_compute(opt_border *f, const double *D, const opt_mix *K, sal_err *err);
/* x := K^-1 x */
sal_status opt_border_solve(opt_border *f, double *x, sal_err *err);
/* own + what the sums add to K_jj */
double opt_border_diagonal(const opt_border *f, const double *D, const opt_mix *K, int j,
                           double own);

#endif
