/* actuator_value.h: ctrl and force of an actuator as functions of the outputs y of a step. */
#ifndef SAL_PROBLEMS_ACTUATOR_VALUE_H
#define SAL_PROBLEMS_ACTUATOR_VALUE_H

#include "problems/row.h"

/* A number with its derivatives with respect to y: those of the force (row of map->force), length
 * and velocity of an actuator, times these factors; of a driven motion an output as it is. */
typedef struct prb_actuator_value {
    int actuator;
    /* -1: not driven */
    int output;
    double value;
    double by_force;
    double by_length;
    double by_velocity;
} prb_actuator_value;

/* An output of a driven motion as it is. */
prb_actuator_value prb_actuator_driven(const prb_writer *w, int output);
prb_actuator_value prb_actuator_force(const prb_writer *w, int a);
/* What actuators do to a joint that limits it (actuatorfrcrange). */
prb_actuator_value prb_actuator_joint(const prb_writer *w, int joint);
prb_actuator_value prb_actuator_ctrl(const prb_writer *w, int a);
/* Adds scale times its derivatives to the row. */
void prb_actuator_put(prb_writer *w, const prb_actuator_value *u, double scale);

#endif
