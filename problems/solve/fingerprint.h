/* fingerprint.h: what a problem and its model are known by: on disk, and among ranks. */
#ifndef SAL_PROBLEMS_SOLVE_FINGERPRINT_H
#define SAL_PROBLEMS_SOLVE_FINGERPRINT_H

#include "problems/problems.h"

typedef struct prb_fingerprint {
    char version[96];
    /* as solved, with all settings, and the file it came from */
    char problem[65];
    /* as compiled, with all settings, and the files it came from */
    char model[65];
    /* the numbers that were read from tables, recordings and results */
    char data[65];
} prb_fingerprint;

sal_status prb_fingerprint_of(const sal_problem *p, prb_fingerprint *print, sal_err *err);
/* Its `data` alone, which needs no text of the model. */
void prb_fingerprint_data(const sal_problem *p, char hex[65]);

/* What the other was made of that differs; NULL: nothing. The version does not count. */
const char *prb_fingerprint_difference(const prb_fingerprint *one, const prb_fingerprint *other);

/* SAL_BADINPUT where a rank has read another problem, model, data or version than rank 0. ranks
 * NULL: SAL_OK. */
sal_status prb_fingerprint_agree(const sal_ranks *ranks, const prb_fingerprint *own, sal_err *err);

#endif
