/* gait.h: a solved example, and the same model in libmujoco. */
#ifndef SAL_BENCH_GAIT_H
#define SAL_BENCH_GAIT_H

#include "problems/problems.h"

#include <mujoco/mujoco.h>

typedef struct gait {
    const char *name;
    sal_problem *problem;
    sal_result *result;
    sal_data *d;
    mjModel *mjm;
    mjData *mjd;
    /* mean number per step */
    double contacts;
} gait;

/* The problem `file`, of this repository, read for one start from `seed`, with `model` in place of
 * its own unless that is NULL; false, with the reason on stderr, if it cannot be. The caller
 * frees. */
bool gait_problem(sal_problem **p, const char *file, const char *model, unsigned long seed,
                  bool compat222);
/* examples/NAME.xml solved from seed 1 by one thread with the behaviour of 2.2.2, so that both
 * engines see the same contacts. */
bool gait_open(gait *g, const char *name);
/* The same of any problem. */
bool gait_open_file(gait *g, const char *file, const char *model);
void gait_close(gait *g);

/* The state of step t into one engine's data: qpos, qvel, qacc. */
void gait_state(const gait *g, int t);
void gait_state_mujoco(const gait *g, int t);

/* Largest |difference| of the inverse over all steps, relative to the largest force of its step. */
double gait_disagreement(const gait *g);

#endif
