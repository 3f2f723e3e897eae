/* factor.h: factorisation of a symmetric positive definite matrix whose pattern never changes.
 *
 *     A = a X + b Y + shift I,     A x = b         (X and Y in the pattern)
 *
 * Two methods behind one interface:
 *   banded   U'U by dense blocks, for patterns made of them: time steps in a row or a cycle, with a
 *            border (banded.c)
 *   cholmod  L D L' of any pattern, in an order that fills in little (cholmod.c)
 * SAL_FACTOR_AUTO takes banded where the pattern has blocks and fills in little, or not much more
 * than in the other's order.
 */
#ifndef SAL_OPTIM_FACTOR_H
#define SAL_OPTIM_FACTOR_H

#include "optim/mix.h"
#include "optim/optim.h"
#include "optim/spread.h"

typedef struct opt_factor opt_factor;

/* Orders and analyses the pattern of H: lower triangle by columns, rows increasing, every diagonal
 * entry present. It must outlive the factor. */
sal_status opt_factor_new(opt_factor **factor, int n, const int *colptr, const int *rowind,
                          sal_factor_method method, int nthread, sal_err *err);
void opt_factor_free(opt_factor *factor);
/* The method chosen. */
sal_factor_method opt_factor_chosen(const opt_factor *factor);

/* half [n]: 0 or 1, which of two halves that can be eliminated beside each other a variable belongs
 * to, or 2, between them. False: there are none. */
bool opt_factor_halves(const opt_factor *factor, unsigned char *half);
/* From now on two ranks eliminate those halves. */
sal_status opt_factor_share(opt_factor *factor, opt_spread *spread);

/* Factorises A. SAL_SINGULAR if it is not positive definite to working precision. */
sal_status opt_factor_compute(opt_factor *factor, const opt_mix *A, sal_err *err);

/* Room for the values of Y in the memory of the factor, which overwrites them when A is factorised.
 * NULL: there is none. */
double *opt_factor_room(const opt_factor *factor);

/* x := A^-1 x with the last factor */
sal_status opt_factor_solve(opt_factor *factor, double *x, sal_err *err);

#endif
