/* again.h: a problem that is solved again from the motion of a result; private to runs/. */
#ifndef SAL_RUNS_AGAIN_H
#define SAL_RUNS_AGAIN_H

#include "problems/recordings/read_states.h"
#include "problems/result/result.h"

/* Rows -1 .. N, of a cycle to N + 1, of the motion of a result, at shares of its duration. Clear
 * whatever is returned. */
sal_status run_states_of(prb_states *states, const sal_problem *p, const sal_result *r,
                         sal_err *err);
/* The search for p begins with these states, which it takes, and the travel and the turn of a
 * motion. */
sal_status run_begin_with(sal_problem *p, prb_states *states, const sal_result *from, sal_err *err);
/* The same with the motion of a result */
sal_status run_begin_from(sal_problem *p, const sal_result *from, sal_err *err);

/* A copy of a model, without its actuators where forces drive it: those with a bias would add to
 * them. */
sal_status run_driven_model(sal_model **copy, const sal_model *m, bool forces, sal_err *err);
/* Steps to the last digit, not only to the tolerance of the model's solver, which gets at least so
 * many iterations. */
void run_step_thoroughly(sal_model *m, int least);
/* A physical motion, whether it converged or not */
bool run_is_physical(const sal_result *r);
/* The work of r is counted with that of the motion it began from. */
sal_status run_continue(sal_result *r, const sal_result *from, sal_err *err);
/* r takes the place of *best, which is freed; its work is counted with that of *best. r is freed
 * where this fails. */
sal_status run_replace(sal_result **best, sal_result *r, sal_err *err);
/* What was found is kept, but the search is not at its end. */
void run_interrupt(sal_result *r);
/* That of a solve within another: the checkpoints are of the first motion. */
sal_watch run_watch_within(const sal_watch *watch);
/* Its problem is that of the text */
sal_status run_tell_problem(sal_result *r, const char *problem_xml, sal_err *err);

#endif
