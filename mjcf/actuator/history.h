/* history.h: what an actuator or a sensor says of its delay. */
#ifndef MJCF_HISTORY_H
#define MJCF_HISTORY_H

typedef struct spec_history {
    /* s */
    double delay;
    /* 0 or less: none */
    int nsample;
    /* sal_interp */
    int interp;
    /* of sensors, s: period, 0: each step; phase */
    double interval[2];
} spec_history;

#endif
