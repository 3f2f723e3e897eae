/* dcmotor.h: what a class knows of a <dcmotor> and its elements inherit. */
#ifndef MJCF_DCMOTOR_H
#define MJCF_DCMOTOR_H

#include <stdbool.h>

typedef struct spec_dcmotor {
    bool given;
    /* of the class; 0: none */
    double constant, resistance, saturation[3];
    /* s, of the current; 0: it follows at once */
    double time_constant;
    /* resistance (0: none) and capacity for heat, -, how the resistance grows with the temperature,
     * the temperature at which it is as given, that of the surroundings */
    double thermal[6];
    /* some of pos, vel, ff, voltage, in this order; NULL: voltage */
    const char *input;
    /* how many inputs it has, and which of them this record is */
    int inputs, part;
    /* of several inputs whose forces do not simply add up: the first exerts all */
    bool fed;
    /* kp ki kd, slew rate, largest integral, largest voltage; 0: none */
    double controller[6];
    /* amplitude, poles, phase */
    double cogging[3];
    /* of the bristles: stiffness (0: none) and damping; Coulomb's and static friction, and the
     * velocity between them */
    double lugre[5];
} spec_dcmotor;

#endif
