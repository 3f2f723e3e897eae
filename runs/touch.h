/* touch.h: which bodies push on each other; private to runs/. */
#ifndef SAL_RUNS_TOUCH_H
#define SAL_RUNS_TOUCH_H

#include "physics/physics.h"

/* Two bodies, the smaller number first, and the sum of the normal forces between them, N. Bodies
 * that cannot move against each other count as one: all that stands still is body 0. */
typedef struct run_touch {
    int body[2];
    double force;
} run_touch;

typedef struct run_touches {
    run_touch *touch;
    int n, capacity;
} run_touches;

/* Those of d (sal_forward done). number [nbody]: what its bodies are called in the list; -1: they
 * get a number beyond `most`, of their own. NULL: their own numbers. */
sal_status run_touches_find(run_touches *list, const sal_model *m, const sal_data *d,
                            const int *number, int most, sal_err *err);
/* The force between both; 0 where they do not touch. */
double run_touches_force(const run_touches *list, const int body[2]);
void run_touches_clear(run_touches *list);

#endif
