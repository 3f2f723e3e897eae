/* frames.h: a motion at instants of equal distance; private to exports/. */
#ifndef SAL_EXPORTS_FRAMES_H
#define SAL_EXPORTS_FRAMES_H

#include "exports/exports.h"

#include "problems/result/result.h"

typedef struct exp_frames {
    /* the result that was given, and the whole motion: the same, or whole periods of it */
    const sal_result *given, *r;
    sal_result *own;
    const sal_model *m;
    /* frames k = 0 .. n - 1 at time[k] = k/rate, s from the beginning */
    int n;
    double rate;
    /* [n] the step of the motion whose controls and forces act at that time */
    int *step;
    double *time;
    /* [n x nq], [n x nv], [n x na] */
    double *qpos, *qvel, *act;
    /* of bodies, in world axes [n x nbody x 3], quaternions [n x nbody x 4]; linear velocities of
     * the body's origin, and of its centre of mass; angular velocities */
    double *xpos, *xquat, *linear, *central, *angular;
    void *block;
} exp_frames;

/* `rate` where the options ask for none. To be cleared whatever is returned. */
sal_status exp_frames_new(exp_frames *f, const sal_result *r, const sal_export_options *options,
                          double rate, sal_err *err);
void exp_frames_clear(exp_frames *f);

/* What presses on a body in a step of a motion, about the origin of the world, in its axes */
typedef struct exp_load {
    /* N, N m */
    double force[3], moment[3];
    /* N, the sum of normal forces; N m, that of each times its place */
    double normal, place[3];
} exp_load;

/* load [nbody] of step t: by all contacts; or, ground, only by those with what cannot move, and on
 * the body that moves with the geom. */
void exp_loads(const sal_result *r, int t, bool ground, exp_load *load);

/* Fails where a joint has more than one number, and is not free: `who` cannot hold it. */
sal_status exp_refuse_balls(const sal_model *m, const char *who, sal_err *err);

#endif
