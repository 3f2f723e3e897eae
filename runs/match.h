/* match.h: which joint, actuator and body of one model is which of another; private to runs/. */
#ifndef SAL_RUNS_MATCH_H
#define SAL_RUNS_MATCH_H

#include "physics/physics.h"

typedef struct run_match {
    /* the result's, and the one that is stepped */
    const sal_model *from, *to;
    /* [from njnt, nu, nbody] number in `to`; bodies: -1 where there is none of that name */
    int *joint, *actuator, *body;
    /* [to nbody] number in `from`, or -1 */
    int *source;
} run_match;

/* By name, and what has none by its number. Both models must have the same joints, of the same
 * types, and the same actuators, with an activation or without: else SAL_BADINPUT, which names what
 * does not match, with the number it has in either. To be cleared whatever is returned. */
sal_status run_match_new(run_match *x, const sal_model *from, const sal_model *to, sal_err *err);
void run_match_clear(run_match *x);

/* Positions [nq], dofs [nv], controls [nu], activations [na] of `from` in the order of `to`, or
 * (back) the other way round. */
void run_match_qpos(const run_match *x, double *out, const double *in, bool back);
void run_match_dofs(const run_match *x, double *out, const double *in, bool back);
void run_match_ctrl(const run_match *x, double *out, const double *in, bool back);
void run_match_act(const run_match *x, double *out, const double *in, bool back);

#endif
