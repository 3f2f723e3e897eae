/* correct.h: a whole cycle found from its half; private to problems/solve/. */
#ifndef SAL_PROBLEMS_SOLVE_CORRECT_H
#define SAL_PROBLEMS_SOLVE_CORRECT_H

#include "problems/result/result.h"
#include "problems/states.h"

/* A whole cycle whose guess is a half that was found, and its image. */
typedef struct prb_correction {
    /* shares its arrays with the problem it is made of */
    sal_problem p;
    prb_states states;
} prb_correction;

/* c to be cleared, whatever is returned. seconds: what the half took */
sal_status prb_correction_new(prb_correction *c, const sal_problem *p, const sal_result *half,
                              double seconds, sal_err *err);
void prb_correction_clear(prb_correction *c);

#endif
