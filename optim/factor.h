/* factor.h: factorisation of a symmetric positive definite matrix whose pattern never changes.
 *
 *     A = a X + b Y + shift I,     A x = b         (X and Y in the pattern)
 *
 * Two methods behind one interface:
 *   banded   U'U by dense blocks, for patterns made of them: time steps in a row or a ring, with a border (banded.c)
 *   cholmod  L D L' of any pattern, in an order that fills in little (cholmod.c)
 * SAL_FACTOR_AUTO takes banded where the pattern has blocks and fills in little, or not much more than in the other's order.
 */
#ifndef SAL_OPTIM_FACTOR_H
#define SAL_OPTIM_FACTOR_H

#include "optim/optim.h"
#include "optim/spread.h"

typedef struct opt_factor opt_factor;

/* Orders and analyses the pattern of H: lower triangle by columns, rows increasing, every diagonal entry present. It must outlive the
 * factor. */
sal_status opt_factor_new(opt_factor **factor, int n, const int *colptr, const int *rowind,
                          sal_factor_method method, int nthread, sal_err *err);
void opt_factor_free(opt_factor *factor);
/* The method chosen. */
sal_factor_method opt_factor_chosen(const opt_factor *factor);

/* half [n]: 0 or 1, which of two halves that can be eliminated beside each other a variable belongs to, or 2, between them. False: there are none. */
bool opt_factor_halves(const opt_factor *factor, unsigned char *half);
/* From now on two ranks eliminate those halves. */
sal_status opt_factor_share(opt_factor *factor, opt_spread *spread);

/* a X + b Y + shift I, values in the order of the pattern; a matrix whose coefficient is 0 is not looked at. */
typedef struct opt_mix {
    const double *X, *Y;
    double a, b, shift;
} opt_mix;

/* Entry k of a X + b Y */
static inline double opt_mix_entry(const opt_mix *mix, int k)
{
    return (mix->a != 0 ? mix->a * mix->X[k] : 0) + (mix->b != 0 ? mix->b * mix->Y[k] : 0);
}

/* Factorises A. SAL_SINGULAR if it is not positive definite to working precision. */
sal_status opt_factor_compute(opt_factor *factor, const opt_mix *A, sal_err *err);

/* x := A^-1 x with the last factor */
sal_status opt_factor_solve(opt_factor *factor, double *x, sal_err *err);

/* ---- the methods: private to factor.c ---------------------------------------------------------------------------------------------- */

/* work: what one factorisation takes, as sum of squares of the lengths of the factor's columns */

typedef struct opt_cholmod opt_cholmod;
sal_status opt_cholmod_new(opt_cholmod **cholmod, int n, const int *colptr, const int *rowind,
                           double *work);
void opt_cholmod_free(opt_cholmod *f);
sal_status opt_cholmod_compute(opt_cholmod *f, const opt_mix *A);
sal_status opt_cholmod_solve(opt_cholmod *f, double *x);

/* *banded is NULL where the pattern falls into more than nnode_most blocks. */
typedef struct opt_banded opt_banded;
sal_status opt_banded_new(opt_banded **banded, int n, const int *colptr, const int *rowind,
                          int nnode_most, int nthread, double *work);
void opt_banded_free(opt_banded *b);
sal_status opt_banded_compute(opt_banded *b, const opt_mix *A);
void opt_banded_solve(opt_banded *b, double *x);
bool opt_banded_halves(const opt_banded *b, unsigned char *half);
sal_status opt_banded_share(opt_banded *b, opt_spread *spread);

#endif
