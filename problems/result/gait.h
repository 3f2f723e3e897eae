/* gait.h: a motion over its whole cycle, and its key figures. */
#ifndef SAL_PROBLEMS_RESULT_GAIT_H
#define SAL_PROBLEMS_RESULT_GAIT_H

#include "problems/result/result.h"

/* geoms that move as one, and touch something at some time */
typedef struct prb_group {
    int body;
    char name[PRB_COLUMN_NAME];
    /* [n] sum of its contacts' normal forces, N; NaN where unknown */
    double *normal;
} prb_group;

typedef struct prb_gait {
    const sal_result *r;
    /* steps: nstep, or twice that where the other half is the mirror image */
    int n;
    /* s */
    double period;
    /* travel in nstep steps, m, along the image's direction */
    double length;
    /* unit vector of travel, or the horizontal direction in which most happens */
    double ahead[3];
    /* [n+1] */
    double *time;
    /* [(n+1) x nq] */
    double *qpos;
    /* [n x nu] */
    double *ctrl;
    int ngroup;
    prb_group *group;
    /* [n] sum of the normal forces from what does not move, N */
    double *load;
    /* key figures; NaN: makes no sense here */
    double speed;
    double penetration;
    double slip;
    double peak_slip;
    double peak_load;
    double flight;
    /* 0 .. 1: of the time that sides are on the ground, that of the left (stance.c) */
    double stance_left;
    double transport;
    /* W: mean of sum |force x velocity| of the actuators */
    double power;
} prb_gait;

sal_status prb_gait_new(prb_gait **gait, const sal_result *r, sal_err *err);
void prb_gait_free(prb_gait *gait);
/* Sets stance_left (stance.c); false: out of memory. */
bool prb_gait_stance(prb_gait *g);
/* -1 right, +1 left, 0 neither: from the words in the name of an object or of the bodies above
 * it. */
int prb_gait_side(const sal_model *m, sal_object type, int id);
/* Where the word (lower case) stands in the name, in any case; NULL if it does not. */
const char *prb_gait_word(const char *name, const char *word);
bool prb_result_is_physical(const sal_result *r);

#endif
