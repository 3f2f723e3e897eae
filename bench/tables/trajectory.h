/* trajectory.h: the trajectory whose cost, gradient and Hessian were timed in 2012: a limit cycle
 * of 30 steps of 18 dofs with three contact points on each foot, which stand still (Todorov, Erez,
 * Tassa, "MuJoCo: A physics engine for model-based control", IROS 2012, table 2). */
#ifndef SAL_BENCH_TRAJECTORY_H
#define SAL_BENCH_TRAJECTORY_H

#include "problems/transcribe.h"

typedef struct trajectory {
    sal_problem *problem;
    prb_transcription *tr;
    sal_optim *optim;
    sal_data *d;
    double *x, *r;
} trajectory;

/* Which points press on the floor: all six; the four of the toes; none */
typedef enum trajectory_pose { TRAJECTORY_FLAT, TRAJECTORY_TOES, TRAJECTORY_ABOVE } trajectory_pose;

/* Heights (m) of the lowest point, and lean (rad), of a pose */
void trajectory_stand(const sal_model *m, sal_data *d, double *q, trajectory_pose pose);

/* The first guess in this pose, with the contact that results are made with. Closed in any case. */
sal_status trajectory_open(trajectory *w, trajectory_pose pose, sal_err *err);
void trajectory_close(trajectory *w);

/* What is timed: ctx is a trajectory. One linearisation; the residuals alone */
void trajectory_linearise(void *ctx);
void trajectory_evaluate(void *ctx);

/* Contacts that push, on average over the steps */
double trajectory_contacts(const trajectory *w);

#endif
