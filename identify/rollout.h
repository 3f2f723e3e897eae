/* rollout.h: a recording predicted by stepping a model through it; private to identify/ */
#ifndef SAL_IDENTIFY_ROLLOUT_H
#define SAL_IDENTIFY_ROLLOUT_H

#include "problems/recordings/data.h"

typedef struct idn_rollout_case {
    /* its timestep is that of the rollout, a whole part of the samples' */
    const sal_model *m;
    const prb_dataset *data;
    const prb_recording *recording;
    /* [3 x nchannel] scales, offsets, delays; NULL: the channels' own */
    const double *calibration;
    /* where it begins */
    int sample;
    /* the state there */
    const double *qpos, *qvel;
} idn_rollout_case;

/* The control that acts in the step of `width` samples (at most 1) that begins `at` samples from
 * the first:  (measured(at + delay) - offset) / scale;  calibration: scale, offset, delay. It is
 * held from one sample to the next. With a delay it may change within the step: then it is the mean
 * over the step. NaN: nothing was recorded. */
double idn_recorded_control(const prb_dataset *data, const prb_recording *recording, int channel,
                            double at, double width, const double calibration[3]);

/* The numbers of a channel of force there, straight between samples; false where they, or the
 * channel, are of something else or missing: no force. */
bool idn_recorded_force(const prb_dataset *data, const prb_recording *recording, int channel,
                        double at, double delay, double x[9]);
/* Sets d->xfrc_applied to all of them (sal_com done). delay [nchannel]; NULL: the channels' own. */
void idn_recorded_forces(const sal_model *m, sal_data *d, const prb_dataset *data,
                         const prb_recording *recording, double at, const double *delay);

/* The signals [nsample x nvalue] that stepping forward from there gives, with the controls and
 * forces that were recorded. NaN before the begin, for what is given, and from where the state left
 * the finite numbers: *diverged is then when, s after the begin, else NaN. */
sal_status idn_rollout(double *predicted, double *diverged, const idn_rollout_case *c,
                       sal_err *err);

#endif
