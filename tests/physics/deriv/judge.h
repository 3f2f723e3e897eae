/* judge.h: the derivatives of the inverse by differences that are good to 1e-9, and the states at
 * which they cannot be. For tests only.
 *
 *     df/dx = (8 (f(x+h) - f(x-h)) - (f(x+2h) - f(x-2h))) / 12 h
 *
 * with h = 2e-6 for configurations, 1e-4 for velocities and accelerations. Half the step tells how
 * good that is: where it is not, because forces are so large that their rounding shows, or f so
 * curved, other steps are tried and the best one is kept. Where f is not smooth within the stencil
 * the formula says nothing; whether it is smooth is asked of the states themselves (look.h), never
 * of the result. */
#ifndef SAL_TESTS_PHYSICS_DERIV_JUDGE_H
#define SAL_TESTS_PHYSICS_DERIV_JUDGE_H

#include "tests/physics/deriv/look.h"

typedef struct judge {
    const sal_model *m;
    sal_data *d;
    /* [nv x nv] by rows: row i force i, column k variable k */
    double *Dq;
    double *Dv;
    double *Da;
    /* largest difference to the same with half the step, of the scale of its matrix */
    double coarse;
    /* largest look_roughness */
    double rough;
    /* no contact jumps when its shapes turn by 1e-5 */
    bool steady;
    /* largest |qfrc_inverse| */
    double force;
    /* private */
    /* a matrix with another step, with half of it */
    double *trial;
    double *fine;
    double *qpos;
    double *step;
    double *f;
    look look[7];
} judge;

/* False if there is no memory. */
bool judge_new(judge *p, const sal_model *m);
void judge_free(judge *p);

/* Differentiates at qpos, qvel, qacc of `at`, which stays as it is. False if the inverse fails,
 * with its reason. */
bool judge_at(judge *p, const sal_data *at, doubt *why, sal_err *err);

/* max |a - b| of n numbers by their scale: the largest entry of b; a matrix that is nothing but
 * rounding is measured by the forces. */
double judge_error(const judge *p, const double *a, const double *b, int n);

#endif
