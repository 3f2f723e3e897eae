/* c3d_analog.h: the analog samples of a C3D file, and the force plates among them; private to
 * signals/ */
#ifndef SAL_SIGNALS_C3D_ANALOG_H
#define SAL_SIGNALS_C3D_ANALOG_H

#include "signals/c3d.h"

/* value = (word - offset) scale */
typedef struct sig_c3d_channel {
    double scale, offset;
    char unit[16];
    /* of a force plate that is read: it gets no column of its own */
    bool taken;
} sig_c3d_channel;

enum { SIG_C3D_PLATE_CHANNELS = 8 };

/* Channels of a plate -> the force on it and the moment about the middle of its surface. */
typedef struct sig_c3d_plate {
    /* as the file counts it */
    int number;
    /* 1 to 4: see c3d_plate.c */
    int type;
    int nchannel;
    int channel[SIG_C3D_PLATE_CHANNELS];
    /* what each reads while nothing stands on the plate; SI units that one of its own is */
    double baseline[SIG_C3D_PLATE_CHANNELS], factor[SIG_C3D_PLATE_CHANNELS];
    /* m, of the file's axes: the middle of the surface; axes of the plate (x, y, z) by rows */
    double middle[3], axis[9];
    /* m, in the plate's axes: from where it measures to the middle of the surface; of type 3 half
     * of the distances of the posts come first */
    double origin[3];
    /* of type 4, by rows: N, N m of its volts */
    double matrix[36];
} sig_c3d_plate;

typedef struct sig_c3d_analog {
    const sig_c3d *c;
    const sig_c3d_header *h;
    int nchannel, nplate;
    /* words of two bytes count from 0 */
    bool is_unsigned;
    sig_c3d_channel *channel;
    sig_c3d_plate *plate;
    /* 1, or -1: the file has the forces on the plates, not those on what stands there */
    double sign;
    /* columns that all this makes */
    int ncol;
} sig_c3d_analog;

/* ---- c3d_analog.c ---- */

/* What the file says of its channels, and the plates. To be closed whatever is returned. */
sal_status sig_c3d_analog_open(sig_c3d_analog *a, sal_diag *diag, sal_err *err);
void sig_c3d_analog_close(sig_c3d_analog *a);
/* Names the columns from `first` on, and says what they are in the remarks. */
sal_status sig_c3d_analog_name(sig_c3d_analog *a, int first, sal_err *err);
/* Their numbers in all rows. */
void sig_c3d_analog_fill(const sig_c3d_analog *a, int first);
/* Sample number `at` of a channel. */
double sig_c3d_analog_sample(const sig_c3d_analog *a, int channel, long long at);
/* A channel around the instant of a frame. */
double sig_c3d_analog_value(const sig_c3d_analog *a, int channel, long long frame);

/* ---- c3d_plate.c ---- */

/* The plates of a file whose channels are known. */
sal_status sig_c3d_plates_open(sig_c3d_analog *a, sal_err *err);
sal_status sig_c3d_plate_name(const sig_c3d_analog *a, int plate, int first, sal_err *err);
/* What a channel reads at a sample or a frame: one of the two of c3d_analog.c. */
typedef double sig_c3d_reading(const sig_c3d_analog *a, int channel, long long at);
/* Force, point, moment about the point: N, m, N m, in the axes of the file. */
enum { SIG_C3D_WRENCH = 9 };
void sig_c3d_plate_fill(const sig_c3d_analog *a, int plate, long long at, sig_c3d_reading *reading,
                        double *wrench);

#endif
