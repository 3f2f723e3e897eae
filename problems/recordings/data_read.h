/* data_read.h: how <data> becomes recordings; private to problems/.
 *
 *     read_data.c       the elements: what is asked for, of which files
 *     read_channel.c    what a channel measures of the model
 *     belt.c            whether what stands moves backwards
 *     data_files.c      patterns and index tables -> a list of files, or parts of them
 *     data_also.c       a second file beside each
 *     data_track.c      a file's columns -> numbers of the channels in SI, world axes with z up and
 *                       the floor at z = 0 and a belt at rest, at the file's times
 *     data_unit.c       units
 *     data_check.c      what is wrong with them, or probably is
 *     data_jumps.c      numbers that are out of their place
 *     data_world.c      whether they stand in the model's world
 *     data_grid.c       their instants, evenly spaced; resampling
 *     data_filter.c     low-pass without delay
 */
#ifndef SAL_PROBLEMS_RECORDINGS_DATA_READ_H
#define SAL_PROBLEMS_RECORDINGS_DATA_READ_H

#include "problems/language/reader.h"
#include "problems/recordings/data.h"
#include "signals/table.h"

/* Warnings that recordings of one <data> share: the first is shown, the others are counted. */
typedef enum prb_data_doubt {
    PRB_DOUBT_GRAVITY,
    PRB_DOUBT_ANGLE,
    PRB_DOUBT_VELOCITY,
    PRB_DOUBT_FOLDED,
    PRB_DOUBT_UNIT,
    PRB_DOUBT_FORCE,
    PRB_DOUBT_RATE,
    PRB_DOUBT_STILL,
    PRB_DOUBT_BELT,
    PRB_DOUBT_JUMP,
    PRB_NDOUBT
} prb_data_doubt;

/* What a <data> asks for. */
typedef struct prb_data_wish {
    const sal_xml *element;
    /* its number */
    int data;
    const char *format;
    const char *clip;
    const char *time;
    /* rate, resample, lowpass 0: none */
    double rate, from, to, resample, lowpass, gap, jump;
    /* rest -1: all is kept */
    int order, rest;
    /* 'y', 'z'; 0: it does not say */
    char up;
    /* where the recording's floor is, at x = y = 0, m; the rotation that makes it level */
    double height, level[4];
    /* m/s: of walking, over a belt; z 0 */
    double belt[3];
    /* neither is nothing; the rotation is not */
    bool moved, tilted;
    /* [nchannel of the data set] NULL: of another <data> */
    const sal_xml **channel;
    int doubts[PRB_NDOUBT];
    /* recordings with jumps are left out; or the numbers that are out of their place, for a short
     * time */
    bool skips_jumps, drops_jumps;
    /* how many recordings have jumps, and their names */
    int njump;
    sal_text jumping;
    /* something fell as gravity has it */
    bool falls;
    /* s between the samples of the first recording; 0: none was read */
    double step;
} prb_data_wish;

/* A file of recorded signals, or a part of one. */
typedef struct prb_data_file {
    /* also: recorded along, or NULL; cluster NULL: its own */
    char *path, *also, *cluster;
    /* s, infinite: all */
    double start, stop;
    /* where it is asked for */
    sal_place place;
} prb_data_file;

typedef struct prb_data_files {
    int n;
    int capacity;
    prb_data_file *file;
    /* the table, which places point into */
    sal_source index;
} prb_data_files;

/* A recording on its way. Numbers of channels of other <data> are NaN. */
typedef struct prb_track {
    prb_reader *r;
    prb_data_wish *wish;
    const prb_dataset *data;
    const prb_data_file *file;
    /* s: with the columns of the other behind its own */
    sig_signals s, other;
    /* columns of s that are its own */
    int nown;
    /* s between two rows of the other, on average */
    double other_step;
    /* column; -1: by the rate */
    int time;
    /* s that one of its numbers is */
    double unit;
    /* rows that count */
    int n;
    /* [n] row of s */
    int *row;
    /* [n] s */
    double *at;
    /* [n x nvalue] */
    double *value;
    /* [nvalue] of s; -1: none */
    int *column;
    /* [nvalue] SI units that one of the column's is */
    double *factor;
    /* it has jumps */
    bool jumps;
} prb_track;

/* ---- read_channel.c ---- */

/* The channel of an element; false after an error. */
bool prb_read_channel(prb_reader *r, const sal_xml *element, prb_channel *c);
/* Whether its numbers are vectors of the world, whose axes matter. */
bool prb_channel_is_placed(const sal_model *m, const prb_channel *c);
/* Whether its number k begins a point of the world, which has a place, not only a direction. */
bool prb_channel_begins_point(const sal_model *m, const prb_channel *c, int k);
/* Whether its numbers would turn with the world, but for the others of the place of a root, which
 * other channels have. */
bool prb_channel_is_part_of_root(const sal_model *m, const prb_channel *c);
/* How its number k goes along with what moves at the velocity v: the part of v along it, where it
 * is a place (*place), or a speed; 0: it does not. */
double prb_channel_carried(const sal_model *m, const prb_channel *c, int k, const double v[3],
                           bool *place);
/* Where its quaternion begins among its numbers; -1: it has none. */
int prb_channel_quaternion(const sal_model *m, const prb_channel *c);

/* ---- data_files.c ---- */

void prb_data_find_files(prb_reader *r, const sal_xml *element, prb_data_files *files);
void prb_data_files_clear(prb_data_files *files);

/* ---- data_unit.c ---- */

/* What number k of a channel is of (sig_unit), and in which group of numbers with a unit of their
 * own it is; '*': anything. */
char prb_channel_dimension(const sal_model *m, const prb_channel *c, int k, int *group);
/* A dimension in words, and its unit in SI. */
const char *prb_dimension_name(char dimension);

/* ---- data_place.c ---- */

/* Seconds of a row of the signals; NaN where it does not say. */
double prb_track_time(const prb_track *t, int row);
/* The cell of number v at the k-th row that counts; of a second file the column. */
sal_place prb_track_place(const prb_track *t, int k, int v);
/* A warning, the first time. */
void prb_track_doubt(prb_track *t, prb_data_doubt doubt, sal_place place, const char *help,
                     const char *text);

/* ---- data_track.c ---- */

/* Reads the file into a recording. False after an error. */
bool prb_track_read(prb_track *t, prb_recording *out);

/* ---- data_also.c ---- */

/* Reads the file that was recorded along, if there is one, and adds its columns to the signals.
 * False after an error. */
bool prb_track_join(prb_track *t);
/* Warns where its rows are more than those of the first file (their instants known). */
void prb_track_check_joined(prb_track *t);

/* Numbers v, .. at the k-th row that counts. */
static inline const double *prb_track_row(const prb_track *t, int k, int v)
{
    return t->value + (size_t)k * (size_t)t->data->nvalue + (size_t)v;
}

/* ---- data_jumps.c ---- */

/* s: for how long numbers may be out of their place that onjump="drop" leaves out. */
#define PRB_DROP_MOST 0.5
/* Where onjump="drop": rows that hold zeros only are left out, like missing ones. */
void prb_track_drop_zeros(prb_track *t);
/* Looks for jumps of a position or an angle; false after an error, or where the recording is to be
 * left out. */
bool prb_track_check_jumps(prb_track *t, const prb_channel *c);

/* ---- data_check.c ---- */

/* Of those x [n] that are numbers, which are put in order; 0 if there are none. */
double prb_data_median(double *x, int n);

/* Quaternions, of which numbers v, .. are one, of length one, each on the same side as the one
 * before: q and -q are one rotation. */
void prb_track_straighten(const prb_track *t, int v);
/* Makes quaternions unit and continuous in sign, and complains of numbers that are far off or do
 * not go together; false if there is an error. */
bool prb_track_check(prb_track *t);

/* ---- data_world.c ---- */

/* Of bodies that fly: falling. Of markers: heights, beside those of the model. Of forces: that they
 * carry. False after an error. */
bool prb_track_check_fall(prb_track *t);
bool prb_track_check_upright(prb_track *t);
void prb_track_check_forces(prb_track *t);
/* Of markers: that feet which stand rest. */
void prb_track_check_belt(prb_track *t);

/* ---- data_grid.c ---- */

/* Sets the recording's instants and values. False after an error. */
bool prb_track_even(prb_track *t, prb_recording *out);

#endif
