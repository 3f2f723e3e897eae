/* feedback.h: gains at work along a motion; private to runs/. */
#ifndef SAL_RUNS_FEEDBACK_H
#define SAL_RUNS_FEEDBACK_H

#include "base/house.h"
#include "runs/runs.h"
#include "runs/unfolded.h"

typedef struct run_feedback {
    const sal_result *r;
    const sal_gains *gains;
    double noise;
    sal_rng rng;
    /* periods since the first row, and the gains of that period [nstep x nu x n] */
    int period;
    double *K;
    /* [n] deviation; [n] and [nu x n] scratch */
    double *dx, *row, *image;
} run_feedback;

/* To be cleared whatever is returned. */
sal_status run_feedback_new(run_feedback *f, const sal_result *r,
                            const sal_rollout_options *options, sal_err *err);
void run_feedback_clear(run_feedback *f);

/* ctrl [nu] = u_t + K_t (x (-) x_t) at `time`, which never decreases from call to call; what a
 * range of the result's model limits is clipped. True: something was. */
bool run_feedback_at(run_feedback *f, const run_unfolded *u, double time, const double *qpos,
                     const double *qvel, const double *act, double *ctrl);

#endif
