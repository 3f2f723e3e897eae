/* pid.h: what a class knows of a <pid> and its elements inherit. */
#ifndef MJCF_PID_H
#define MJCF_PID_H

#include <stdbool.h>

typedef struct spec_pid {
    bool given;
    /* some of pos, vel, ff, in this order; NULL: pos vel */
    const char *input;
    /* ranges of two of the inputs; that of pos is the actuator's ctrlrange */
    double velrange[2], ffrange[2];
    /* of the whole, as of a <general>: constant, -kp, -kv (or a damping ratio) */
    double bias[3];
    /* gain and limit of the integral, slew rate; 0: none */
    double ki, imax, slew;
    /* this record follows a position */
    bool servo;
    /* how many inputs it has, and which of them this record is */
    int inputs, part;
    /* the first of several exerts the force of all (read_pid.c) */
    bool fed;
} spec_pid;

#endif
