/* orientation.h: what a class knows of an <orientation> and its elements inherit. */
#ifndef MJCF_ORIENTATION_H
#define MJCF_ORIENTATION_H

#include <stdbool.h>

typedef struct spec_oriented {
    bool given;
    /* of the control; 0: a rotation vector */
    int input;
    /* which of the three actuators that it stands for this record is */
    int axis;
} spec_oriented;

#endif
