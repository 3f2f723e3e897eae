/* dcmotor.h: what a class knows of a <dcmotor> and its elements inherit. */
#ifndef MJCF_DCMOTOR_H
#define MJCF_DCMOTOR_H

#include <stdbool.h>

typedef struct spec_dcmotor {
    bool given;
    /* of the class; 0: none */
    double constant, resistance, saturation[3];
    /* some of pos, vel, ff, voltage, in this order; NULL: voltage */
    const char *input;
    /* how many inputs it has, and which of them this record is */
    int inputs, part;
    /* kp ki kd, slew rate, largest integral, largest voltage; 0: none */
    double controller[6];
    /* amplitude, poles, phase */
    double cogging[3];
} spec_dcmotor;

#endif
