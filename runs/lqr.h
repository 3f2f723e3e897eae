/* lqr.h: one step of the discrete Riccati recursion; private to runs/. It knows no mechanism. */
#ifndef SAL_RUNS_LQR_H
#define SAL_RUNS_LQR_H

#include "base/base.h"

typedef struct run_lqr {
    /* states, controls */
    int n, nu;
    /* diagonals of Q [n], R [nu] */
    const double *Q, *R;
    /* [n x n] the cost to go, x'P x: of the step behind, then of this one */
    double *P;
    /* scratch */
    double *block;
} run_lqr;

/* Room; P is zero. Q and R stay the caller's. To be cleared whatever is returned. */
sal_status run_lqr_new(run_lqr *l, int n, int nu, const double *Q, const double *R, sal_err *err);
void run_lqr_clear(run_lqr *l);

/* K [nu x n] of u = K x for the step x+ = A x + B u, and P of it. False: R + B'P B has no Cholesky
 * factor, or the numbers are not finite. */
bool run_lqr_step(run_lqr *l, double *K, const double *A, const double *B);

#endif
