/* mjcf_compare.h: our compiled model against MuJoCo's, array by array. */
#ifndef SAL_TESTS_MJCF_MJCF_COMPARE_H
#define SAL_TESTS_MJCF_MJCF_COMPARE_H

#include "physics/physics.h"

#include <mujoco/mujoco.h>

typedef struct comparison {
    const char *file;
    /* relative to the largest entry of an array; what exceeds it is printed */
    double tolerance;
    /* theirs was written by us: contact masks and solver settings differ on purpose */
    bool written;
    double worst;
    const char *where;
} comparison;

/* Fills worst and where. */
void compare_models(comparison *c, const sal_model *s, const mjModel *m);

/* The names of the corpus' models, to be released with free, sorted; how many. */
int list_corpus_models(char *names[512]);

#endif
