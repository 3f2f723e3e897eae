/* data.h: recorded motions, as the model sees them; private to problems/. */
#ifndef SAL_PROBLEMS_RECORDINGS_DATA_H
#define SAL_PROBLEMS_RECORDINGS_DATA_H

#include "problems/problems.h"

typedef enum prb_channel_kind {
    PRB_CHANNEL_BODY,   /* pose of a body: position [3], or position and quaternion [7] */
    PRB_CHANNEL_JOINT,  /* position (hinge, slide 1, ball 4) or velocity of a joint */
    PRB_CHANNEL_SENSOR, /* reading of a sensor */
    PRB_CHANNEL_SITE,   /* place of a site [3] */
    PRB_CHANNEL_CTRL,   /* known control of an actuator [1] */
    PRB_CHANNEL_FORCE   /* known force on a body, world axes [3], its point [6], and torque [9] */
} prb_channel_kind;

/* Something that was measured:  measured = scale true(time - delay) + offset */
typedef struct prb_channel {
    char *name;
    prb_channel_kind kind;
    /* of the body, joint, ..; joint: 0 position, 1 velocity */
    int id, order;
    /* which <data> it stands in */
    int data;
    /* numbers of a sample */
    int n;
    /* their place among a sample's values */
    int adr;
    /* numbers of its residual: 6 of a pose (position, rotation vector), 3 of a ball */
    int nres;
    /* [nres] standard deviations of the measurement */
    double *sigma;
    double scale;
    double offset;
    double delay;
    /* of the residual over sigma */
    sal_norm norm;
} prb_channel;

typedef struct prb_recording {
    /* cluster: recordings that may share errors */
    char *name, *file, *cluster;
    /* which <data> it is of: only its channels were measured */
    int data;
    int nsample;
    /* s between samples; time of the first */
    double dt, start;
    /* s: what is missing between two samples that are no farther apart is interpolated where other
     * instants are asked for */
    double reach;
    /* m/s: of walking, over a belt: places are moved along by it, from the first sample on */
    double belt[2];
    /* m: the floor that became z = 0 */
    double height;
    /* [nsample x nvalue] SI, rad, z up, unit quaternions; NaN: missing */
    double *value;
} prb_recording;

typedef struct prb_dataset {
    int nchannel;
    int nvalue;
    int nrecording;
    prb_channel *channel;
    prb_recording *recording;
} prb_dataset;

void prb_dataset_free(prb_dataset *data);

/* ---- between.c ---- */

/* A number at instants, of which some may be missing (NaN). */
typedef struct prb_signal {
    /* [n] s; NULL: k dt */
    const double *at;
    double dt;
    /* [n x stride] */
    const double *x;
    int n, stride;
    /* s: samples that are farther apart are the ends of a gap */
    double reach;
    /* lines between samples, no cubics */
    bool straight;
} prb_signal;

/* At time t, of sample k to sample k + 1, by the samples around that there are; NaN: in a gap. */
double prb_signal_at(const prb_signal *s, int k, double t);
/* Whether the channel's numbers act, and may change at once. */
bool prb_channel_is_straight(const prb_channel *c);

/* ---- data_filter.c ---- */

/* Low-pass Butterworth of `order` (even, at least 2), forward and backward, so that nothing is
 * delayed: the gain falls to one half at `cutoff` (a share of the sample rate, below 1/2), of x
 * [n], whose numbers are `stride` apart. NaN stay. The filter goes across up to 0.5/cutoff of them;
 * more are ends. Lines pass unchanged. False: no memory. */
bool prb_lowpass(double *x, int n, int stride, double cutoff, int order);

#endif
