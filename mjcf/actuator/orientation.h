/* orientation.h: what a class knows of an <orientation> and its elements inherit. */
#ifndef MJCF_ORIENTATION_H
#define MJCF_ORIENTATION_H

#include <stdbool.h>

typedef struct spec_oriented {
    bool given;
    /* of the control; 0: a rotation vector, 1: a quaternion */
    int input;
    /* which of the actuators that it stands for this record is: three, or four of a quaternion */
    int part;
    /* gain, and bias by velocity */
    double kp, bias;
} spec_oriented;

#endif
