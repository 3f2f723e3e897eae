/* floor.h: a pose is set on the floor; open to the rooms above problems/. */
#ifndef SAL_PROBLEMS_FLOOR_H
#define SAL_PROBLEMS_FLOOR_H

#include "physics/physics.h"

/* Whether the model has a geom of this type that does not move: planes are floors, height fields
 * are ground. */
bool prb_floor_has(const sal_model *m, sal_geom_type type);
/* Makes m, a copy of a model, see static planes from any height, and nothing else. */
void prb_floor_see(sal_model *m);
/* The same, and static height fields where they are touched. */
void prb_ground_see(sal_model *m);
/* Lifts q [nq] until its lowest geom touches the floor, if a joint of a root can; wide is a model
 * after prb_floor_see (d->contact then has the distance of each geom to each plane, before the
 * lift), or after prb_ground_see. */
sal_status prb_floor_set(const sal_model *wide, sal_data *d, double *q, sal_err *err);

/* *depth, m: how deep the model's own contacts of these bodies [nbody] with static planes sink, the
 * most, under `times` the load of one contact at rest in `pose` [nq] (softening_schedule.c). */
sal_status prb_floor_depth(double *depth, const sal_model *m, const double *pose, const bool *body,
                           double times, sal_err *err);

#endif
