/* refine.h: a first guess from the same problem with fewer steps; private to problems/. */
#ifndef SAL_PROBLEMS_SOLVE_REFINE_H
#define SAL_PROBLEMS_SOLVE_REFINE_H

#include "problems/transcribe.h"

/* what the coarse solutions took */
typedef struct prb_refined {
    int linearisations;
    int evaluations;
    int factorisations;
} prb_refined;

/* x [nx] of the transcription: the guess of its problem for this seed, where that has coarse levels
 * the solution of the last of them. Those are told to its watcher like its own. */
sal_status prb_refine(prb_transcription *fine, double *x, unsigned long seed, const sal_log *log,
                      prb_refined *refined, sal_err *err);
/* Where the path of a level begins that has a coarser one before it. */
double prb_refine_softness(const sal_problem *p);

#endif
