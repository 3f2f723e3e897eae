/* softening_schedule.h: the schedule of softening: the one table (<smoothing>) that says how soft
 * the world is along the path. See softening_schedule.c. */
#ifndef SAL_PROBLEMS_SOFTENING_SCHEDULE_H
#define SAL_PROBLEMS_SOFTENING_SCHEDULE_H

#include "problems/problem.h"

/* Fills the rows of p->smoothing that are NaN. Needs the model, time and actuators of p. posed, s:
 * the duration that the file gives; that of p may be a first guess's by now. */
void prb_smoothing_defaults(sal_problem *p, double posed);

/* Fits the search to the problem: damping counts for the whole motion, not for a step of it; and
 * where nothing softens, the path has only the dynamics to harden. */
void prb_smoothing_pace(const sal_problem *p, sal_optim_options *options);

/* Where on the path, and what the key pose says about the load of one contact. */
typedef struct prb_softness {
    /* 1 soft .. 0 final */
    double s;
    /* of sigma: 1 on the path .. 0 in the projection */
    double smoothing;
    /* N A: normal force of one resting contact times its diagApprox, m/s^2 */
    double load;
    /* [npair] m: largest shift of each margin (prb_smoothing_gaps); NULL: none is limited */
    const double *gap;
} prb_softness;

/* Writes contacts and limits of `stage` (a copy of p->model) for this softness and its own
 * opt.timestep. */
void prb_smoothing_apply(const sal_problem *p, const prb_softness *at, sal_model *stage);

/* A row of the table at s: geometric between its ends. */
double prb_ramp_at(const prb_ramp *ramp, double s);

/* The load of one contact of the model at rest in `pose` [nq]: W/n diagApprox, n contacts within 1
 * cm of the floor, W the weight of the trees that touch it. If none does, 9.81 m/s^2: a contact
 * that pushes what it touches as hard as its weight. */
sal_status prb_smoothing_load(const sal_model *m, const double *pose, double *load, sal_err *err);

/* [npair] How far apart the geoms of each pair are in `pose` where both belong to one mechanism, at
 * least 0; otherwise infinite, m. */
sal_status prb_smoothing_gaps(const sal_model *m, const double *pose, double *gap, sal_err *err);

/* Weight of all bodies that can move, and of those that hang on the child `root` of the world,
 * N. */
double prb_weight(const sal_model *m);
double prb_weight_of_tree(const sal_model *m, int root);
static const double prb_gravity_earth = 9.81; /* m/s^2: the unit of weight */

#endif
