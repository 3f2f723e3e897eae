/* data_read.h: how <data> becomes recordings; private to problems/.
 *
 *     read_data.c       the elements: what is asked for, of which files
 *     read_channel.c    what a channel measures of the model
 *     data_files.c      patterns and index tables -> a list of files, or parts of them
 *     data_also.c       a second file beside each
 *     data_track.c      a file's columns -> numbers of the channels in SI, world axes with z up, at the file's times
 *     data_unit.c       units
 *     data_check.c      what is wrong with them, or probably is
 *     data_world.c      whether they stand in the model's world
 *     data_grid.c       their instants, evenly spaced; resampling
 *     data_filter.c     low-pass without delay
 */
#ifndef SAL_DATA_READ_H
#define SAL_DATA_READ_H

#include "problems/data.h"
#include "problems/read.h"
#include "problems/signals.h"

/* Warnings that recordings of one <data> share: the first is shown, the others are counted. */
typedef enum sal_data_doubt {
    SAL_DOUBT_GRAVITY,
    SAL_DOUBT_ANGLE,
    SAL_DOUBT_VELOCITY,
    SAL_DOUBT_FOLDED,
    SAL_DOUBT_UNIT,
    SAL_DOUBT_FORCE,
    SAL_DOUBT_RATE,
    SAL_DOUBT_STILL,
    SAL_NDOUBT
} sal_data_doubt;

/* What a <data> asks for. */
typedef struct sal_data_wish {
    const sal_xml *element;
    int data; /* its number */
    const char *format, *time;
    double rate, from, to, resample, lowpass, gap, jump; /* rate, resample, lowpass 0: none */
    int order, rest;                                     /* rest -1: all is kept */
    char up;                                             /* 'y', 'z'; 0: it does not say */
    const sal_xml **channel; /* [nchannel of the data set] NULL: of another <data> */
    int doubts[SAL_NDOUBT];
    bool falls;  /* something fell as gravity has it */
    double step; /* s between the samples of the first recording; 0: none was read */
} sal_data_wish;

/* A file of recorded signals, or a part of one. */
typedef struct sal_data_file {
    char *path, *also, *cluster; /* also: recorded along, or NULL; cluster NULL: its own */
    double start, stop;          /* s, infinite: all */
    sal_place place;             /* where it is asked for */
} sal_data_file;

typedef struct sal_data_files {
    int n, capacity;
    sal_data_file *file;
    sal_source index; /* the table, which places point into */
} sal_data_files;

/* A recording on its way. Numbers of channels of other <data> are NaN. */
typedef struct sal_track {
    sal_reader *r;
    sal_data_wish *wish;
    const sal_dataset *data;
    const sal_data_file *file;
    sal_signals s, other; /* s: with the columns of the other behind its own */
    int nown;             /* columns of s that are its own */
    int time;             /* column; -1: by the rate */
    double unit;          /* s that one of its numbers is */
    int n;                /* rows that count */
    int *row;             /* [n] row of s */
    double *at;           /* [n] s */
    double *value;        /* [n x nvalue] */
    int *column;          /* [nvalue] of s; -1: none */
    double *factor;       /* [nvalue] SI units that one of the column's is */
} sal_track;

/* ---- read_channel.c ---- */

/* The channel of an element; false after an error. */
bool sal_read_channel(sal_reader *r, const sal_xml *element, sal_channel *c);
/* Whether its numbers are vectors of the world, whose axes matter. */
bool sal_channel_is_placed(const sal_model *m, const sal_channel *c);
/* Where its quaternion begins among its numbers; -1: it has none. */
int sal_channel_quaternion(const sal_model *m, const sal_channel *c);

/* ---- data_files.c ---- */

void sal_data_find_files(sal_reader *r, const sal_xml *element, sal_data_files *files);
void sal_data_files_clear(sal_data_files *files);

/* ---- data_unit.c ---- */

/* SI units that one `unit` is; *dimension: what it is of: 'L' length, 'V' speed, 'a' acceleration, 'A' angle, 'W' angular velocity, 'F' force, 'T' torque, 's' time,
 * '1' nothing. 0: an unknown unit. */
double sal_unit(const char *unit, char *dimension);
/* What number k of a channel is of, and in which group of numbers with a unit of their own it is; '*': anything. */
char sal_channel_dimension(const sal_model *m, const sal_channel *c, int k, int *group);
/* A dimension in words, and its unit in SI. */
const char *sal_dimension_name(char dimension);

/* ---- data_track.c ---- */

/* Reads the file into a recording. False after an error. */
bool sal_track_read(sal_track *t, sal_recording *out);
/* Seconds of a row of the signals; NaN where it does not say. */
double sal_track_time(const sal_track *t, int row);
/* The cell of number v at the k-th row that counts; of a second file the column. */
sal_place sal_track_place(const sal_track *t, int k, int v);

/* ---- data_also.c ---- */

/* Reads the file that was recorded along, if there is one, and adds its columns to the signals. False after an error. */
bool sal_track_join(sal_track *t);

/* ---- data_check.c ---- */

/* Makes quaternions unit and continuous in sign, and complains of numbers that are far off or do not go together; false if there is an error. */
bool sal_track_check(sal_track *t);
/* A warning, the first time. */
void sal_track_doubt(sal_track *t, sal_data_doubt doubt, sal_place place, const char *help,
                     const char *text);

/* ---- data_world.c ---- */

/* Of bodies that fly: falling. Of markers: heights, beside those of the model. Of forces: that they carry. False after an error. */
bool sal_track_check_fall(sal_track *t);
bool sal_track_check_upright(sal_track *t);
void sal_track_check_forces(sal_track *t);

/* ---- data_grid.c ---- */

/* Sets the recording's instants and values. False after an error. */
bool sal_track_even(sal_track *t, sal_recording *out);

/* ---- data_filter.c ---- */

/* Low-pass Butterworth of `order` (even, at least 2), forward and backward, so that nothing is delayed: the gain falls to one half at `cutoff` (a share of the sample rate, below 1/2), of
 * each stretch without NaN of x [n], whose numbers are `stride` apart. False: no memory. */
bool sal_lowpass(double *x, int n, int stride, double cutoff, int order);

#endif
