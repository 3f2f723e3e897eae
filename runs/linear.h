/* linear.h: one step of a model to first order; private to runs/.
 *
 *     x = (q, v, act),   x_{t+1} (+) dx' = step(x_t (+) dx, u + du),   dx' = A dx + B du + ..
 *
 * dx [n = 2 nv + na]: of positions in the tangent space, then of velocities, then of activations.
 */
#ifndef SAL_RUNS_LINEAR_H
#define SAL_RUNS_LINEAR_H

#include "physics/physics.h"

typedef struct run_state {
    /* [nq], [nv], [na], [nu] */
    const double *qpos, *qvel, *act, *ctrl;
    /* [nv] generalised forces besides; NULL: none */
    const double *force;
} run_state;

/* A step to (qpos', qvel') is known: then v' - v tells the acceleration. A [n x n], B [n x nu] by
 * rows. Exact, from the derivatives of inverse dynamics. SAL_UNSUPPORTED where those of the model
 * are not known, and for models with activations. */
sal_status run_linear_exact(const sal_model *m, sal_data *d, double *A, double *B,
                            const run_state *x, const double *qpos_next, const double *qvel_next,
                            sal_err *err);
/* The same by centred differences of sal_step, of any model. m: with a solver that converges well
 * below the differences' step. */
sal_status run_linear_fd(const sal_model *m, sal_data *d, double *A, double *B, const run_state *x,
                         sal_err *err);

#endif
