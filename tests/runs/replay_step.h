/* replay_step.h: one step of a motion in libmujoco 2.2.2. */
#ifndef SAL_TESTS_RUNS_REPLAY_STEP_H
#define SAL_TESTS_RUNS_REPLAY_STEP_H

#include "problems/result/result.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <string.h>

/* |a| or what is already known; NaN wins */
static inline double replay_larger(double known, double a)
{
    return fabs(a) <= known ? known : fabs(a);
}

/* Largest differences between the state that libmujoco is in and this one, in the tangent space.
 * They take the place of the accelerations. */
static inline void replay_against(const mjModel *m, mjData *d, const double *qpos,
                                  const double *qvel, const double *activation, double *q,
                                  double *v, double *act)
{
    double *difference = d->qacc;
    mj_differentiatePos(m, difference, 1, qpos, d->qpos);
    for (int i = 0; i < m->nv; i++) {
        *q = replay_larger(*q, difference[i]);
        *v = replay_larger(*v, d->qvel[i] - qvel[i]);
    }
    for (int i = 0; i < m->na; i++) {
        *act = replay_larger(*act, d->act[i] - activation[i]);
    }
}

/* The same between libmujoco's step from row t and row t+1. */
static inline void replay_step(const mjModel *m, mjData *d, const sal_result *r, int t, double *q,
                               double *v, double *act)
{
    mj_resetData(m, d); /* nothing of the step before may help */
    memcpy(d->qpos, r->qpos + t * m->nq, (size_t)m->nq * sizeof(double));
    memcpy(d->qvel, r->qvel + t * m->nv, (size_t)m->nv * sizeof(double));
    memcpy(d->ctrl, r->ctrl + t * m->nu, (size_t)m->nu * sizeof(double));
    memcpy(d->act, r->act + t * m->na, (size_t)m->na * sizeof(double));
    mj_step(m, d);
    replay_against(m, d, r->qpos + (t + 1) * m->nq, r->qvel + (t + 1) * m->nv,
                   r->act + (t + 1) * m->na, q, v, act);
}

#endif
