/* data.h: recorded motions, as the model sees them; private to problems/. */
#ifndef SAL_DATA_H
#define SAL_DATA_H

#include "problems/problems.h"

typedef enum sal_channel_kind {
    SAL_CHANNEL_BODY,   /* pose of a body: position [3], or position and quaternion [7] */
    SAL_CHANNEL_JOINT,  /* position (hinge, slide 1, ball 4) or velocity of a joint */
    SAL_CHANNEL_SENSOR, /* reading of a sensor */
    SAL_CHANNEL_SITE,   /* place of a site [3] */
    SAL_CHANNEL_CTRL,   /* known control of an actuator [1] */
    SAL_CHANNEL_FORCE   /* known force on a body, world axes [3], its point [6], and torque [9] */
} sal_channel_kind;

/* Something that was measured:  measured = scale true(time - delay) + offset */
typedef struct sal_channel {
    char *name;
    sal_channel_kind kind;
    int id, order; /* of the body, joint, ..; joint: 0 position, 1 velocity */
    int data;      /* which <data> it stands in */
    int n;         /* numbers of a sample */
    int adr;       /* their place among a sample's values */
    int nres; /* numbers of its residual: 6 of a pose (position, rotation vector), 3 of a ball */
    double *sigma; /* [nres] standard deviations of the measurement */
    double scale, offset, delay;
    sal_norm norm; /* of the residual over sigma */
} sal_channel;

typedef struct sal_recording {
    char *name, *file, *cluster; /* cluster: recordings that may share errors */
    int data;                    /* which <data> it is of: only its channels were measured */
    int nsample;
    double dt, start; /* s between samples; time of the first */
    double *value;    /* [nsample x nvalue] SI, rad, z up, unit quaternions; NaN: missing */
} sal_recording;

typedef struct sal_dataset {
    int nchannel, nvalue, nrecording;
    sal_channel *channel;
    sal_recording *recording;
} sal_dataset;

void sal_dataset_free(sal_dataset *data);

#endif
