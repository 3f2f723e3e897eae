/* unfolded.h: the motion of a result over any length of time; open to the rooms above runs/. An
 * open motion ends where it ends; of a cycle each period is the image of the one before. */
#ifndef SAL_RUNS_UNFOLDED_H
#define SAL_RUNS_UNFOLDED_H

#include "problems/result/result.h"

typedef struct run_unfolded {
    /* the result's */
    const sal_model *m;
    /* steps of h seconds; from time 0 of its own */
    int nstep;
    double h;
    /* [nstep + 1 rows x nq, nv, na] */
    double *qpos, *qvel, *act;
    /* [nstep x nu, nv] */
    double *ctrl, *force;
} run_unfolded;

/* At least `seconds`, whole steps; 0: one period, or all of an open motion, which is never longer.
 * SAL_BADINPUT where it would be too many steps. To be cleared whatever is returned. */
sal_status run_unfolded_new(run_unfolded *u, const sal_result *r, double seconds, sal_err *err);
void run_unfolded_clear(run_unfolded *u);

/* The step within which `time` lies, at its beginning or later; the last one for all after it. */
int run_unfolded_step(const run_unfolded *u, double time);
/* The state at `time` [nq], [nv], [na]: between two rows interpolated in the tangent space. */
void run_unfolded_at(const run_unfolded *u, double time, double *qpos, double *qvel, double *act);

/* The image one period later of activations [na], controls [nu]; out is not x. */
void run_image_act(const sal_image *image, const sal_model *m, double *out, const double *x);
void run_image_ctrl(const sal_image *image, const sal_model *m, double *out, const double *x);

#endif
