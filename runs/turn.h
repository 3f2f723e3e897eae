/* turn.h: how far joints turn within one step. The integrator takes the velocity of one instant for
 * the whole step. So a body that turns far in space gains or loses momentum, and between two
 * recorded poses nobody knows which way round it went. */
#ifndef SAL_RUNS_TURN_H
#define SAL_RUNS_TURN_H

#include "base/house.h"
#include "physics/physics.h"

#include <math.h>

/* The joint that turns fastest, and its angle in a step of the model, rad; *joint = -1: none
 * turns. */
static inline double run_turn(const sal_model *m, const double *qvel, int *joint)
{
    double most = 0;
    *joint = -1;
    for (int j = 0; j < m->njnt; j++) {
        const double *v = qvel + m->jnt_dofadr[j];
        const double speed = m->jnt_type[j] == SAL_JNT_FREE    ? sal_v3_norm(v + 3)
                             : m->jnt_type[j] == SAL_JNT_BALL  ? sal_v3_norm(v)
                             : m->jnt_type[j] == SAL_JNT_HINGE ? fabs(v[0])
                                                               : 0;
        if (speed * m->opt.timestep > most) {
            most = speed * m->opt.timestep;
            *joint = j;
        }
    }
    return most;
}

#endif
