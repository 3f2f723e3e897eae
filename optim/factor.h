/* factor.h: factorisation of a symmetric positive definite matrix whose pattern never changes.
 *
 *     A = a X + b Y + shift I,     A x = b         (X and Y in the pattern)
 *
 * Two methods behind one interface:
 *   banded   U'U by dense blocks, for patterns made of them: time steps in a row or a ring, with a border (banded.c)
 *   cholmod  L D L' of any pattern, in an order that fills in little (cholmod.c)
 * SAL_FACTOR_AUTO takes banded where the pattern has blocks and fills in little, or not much more than in the other's order.
 */
#ifndef SAL_FACTOR_H
#define SAL_FACTOR_H

#include "optim/optim.h"
#include "optim/spread.h"

typedef struct sal_factor sal_factor;

/* Orders and analyses the pattern of H: lower triangle by columns, rows increasing, every diagonal entry present. It must outlive the
 * factor. */
sal_status sal_factor_new(sal_factor **factor, int n, const int *colptr, const int *rowind,
                          sal_factor_method method, int nthread, sal_err *err);
void sal_factor_free(sal_factor *factor);
/* The method chosen. */
sal_factor_method sal_factor_chosen(const sal_factor *factor);

/* half [n]: 0 or 1, which of two halves that can be eliminated beside each other a variable belongs to, or 2, between them. False: there are none. */
bool sal_factor_halves(const sal_factor *factor, unsigned char *half);
/* From now on two ranks eliminate those halves. */
sal_status sal_factor_share(sal_factor *factor, sal_spread *spread);

/* a X + b Y + shift I, values in the order of the pattern; a matrix whose coefficient is 0 is not looked at. */
typedef struct sal_mix {
    const double *X, *Y;
    double a, b, shift;
} sal_mix;

/* Entry k of a X + b Y */
static inline double sal_mix_entry(const sal_mix *mix, int k)
{
    return (mix->a != 0 ? mix->a * mix->X[k] : 0) + (mix->b != 0 ? mix->b * mix->Y[k] : 0);
}

/* Factorises A. SAL_SINGULAR if it is not positive definite to working precision. */
sal_status sal_factor_compute(sal_factor *factor, const sal_mix *A, sal_err *err);

/* x := A^-1 x with the last factor */
sal_status sal_factor_solve(sal_factor *factor, double *x, sal_err *err);

/* ---- the methods: private to factor.c ---------------------------------------------------------------------------------------------- */

/* work: what one factorisation takes, as sum of squares of the lengths of the factor's columns */

typedef struct sal_cholmod sal_cholmod;
sal_status sal_cholmod_new(sal_cholmod **cholmod, int n, const int *colptr, const int *rowind,
                           double *work);
void sal_cholmod_free(sal_cholmod *f);
sal_status sal_cholmod_compute(sal_cholmod *f, const sal_mix *A);
sal_status sal_cholmod_solve(sal_cholmod *f, double *x);

/* *banded is NULL where the pattern falls into more than nnode_most blocks. */
typedef struct sal_banded sal_banded;
sal_status sal_banded_new(sal_banded **banded, int n, const int *colptr, const int *rowind,
                          int nnode_most, int nthread, double *work);
void sal_banded_free(sal_banded *b);
sal_status sal_banded_compute(sal_banded *b, const sal_mix *A);
void sal_banded_solve(sal_banded *b, double *x);
bool sal_banded_halves(const sal_banded *b, unsigned char *half);
sal_status sal_banded_share(sal_banded *b, sal_spread *spread);

#endif
