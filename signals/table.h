/* table.h: what a file of recorded signals holds, as it stands there: nothing converted, resampled
 * or left out; private to signals/
 *
 * A column is a signal, a row an instant. Missing numbers are NaN. Text formats are their own
 * source, so that places are those of the file; for binary ones the source is a listing: some lines
 * on what the file says about itself, then one for every row.
 */
#ifndef SAL_SIGNALS_TABLE_H
#define SAL_SIGNALS_TABLE_H

#include "base/house.h"
#include "signals/signals.h"

typedef struct sig_column {
    /* blanks in it are written _; the second of two of a name ends in #2 */
    char *name;
    /* npz: the joint that an array of names says it is of; NULL: there is none */
    char *joint;
    /* "s", "m", "mm", "deg", "deg/s", "rad", "N", ... "": the file does not say */
    char unit[16];
    sal_place place;
    /* its cells are words: all its values are NaN, and no signal can be made of it */
    bool text;
} sig_column;

/* A joint of a skeleton that comes with the signals (BVH). */
typedef struct sig_joint {
    char *name;
    /* -1: root */
    int parent;
    /* from its parent, in the parent's frame, the file's unit of length */
    double offset[3];
    int column,
        /* its first column, and how many it has; in the order of their rotations */
        nchannel;
} sig_joint;

typedef struct sig_signals {
    sal_source source;
    /* "csv", "sto", "trc", "bvh", "npz", "pickle", "c3d" */
    const char *format;
    /* pickle: the name of the one of its dictionaries that is read; NULL: there is one */
    const char *clip;
    int ncol;
    int nrow;
    sig_column *column;
    /* [nrow x ncol] NaN: missing */
    double *value;
    /* [nrow] where each stands */
    sal_place *row;
    /* between the cells of a row in the source; 0: the source is a listing */
    char separator;
    /* column of the time, -1: none. csv, npz: named time or t, which is a guess; else the format
     * says so, and it grows from row to row */
    int time;
    /* Hz as the header says, 0: it does not */
    double rate;
    /* s, of the first row, where there is no column of time */
    double start;
    int nmarker;
    char **marker;
    /* first of its three columns NAME_X NAME_Y NAME_Z */
    int *marker_column;
    /* 'y', 'z' where the format says, else 0 */
    char up;
    /* sto: the header says that angles, whichever columns they are, are not in degrees */
    bool radians;
    /* csv: no line of names; the columns are column1, column2, .. */
    bool headless;
    int njoint;
    sig_joint *joint;
    /* what the file holds and these do not, a line each */
    sal_text remark;
    /* of a binary file: the text of its source */
    sal_text listing;
} sig_signals;

/* Reads a file. format: one of the above; NULL, "auto": by the ending of the path. Every fault goes
 * to diag, SAL_BADINPUT: numbers that are none or not finite, rows of other lengths than the
 * header's, counts that are not those of the header, no rows, a time that is missing or does not
 * grow where the format says which column it is. SAL_BADPATH: the file cannot be read. The signals
 * must be cleared whatever is returned, and stay where they are in memory: places point into
 * them. */
sal_status sig_read(sig_signals *s, const char *path, const char *format, sal_diag *diag,
                    sal_err *err);
/* The same of one of several clips in a file; clip [kept by the caller]: its name, NULL: the only
 * one. SAL_BADINPUT where the format has no names of clips. */
sal_status sig_read_clip(sig_signals *s, const char *path, const char *format, const char *clip,
                         sal_diag *diag, sal_err *err);
/* Whether files of this format have them; NULL: by the ending of the path. */
bool sig_has_clips(const char *path, const char *format);
/* The names of its clips, none where it holds one without a name; they must be cleared whatever is
 * returned. SAL_BADINPUT, with the first fault, as above, and where the format has no names. */
typedef struct sig_names {
    int n;
    char **name;
} sig_names;
sal_status sig_read_names(sig_names *names, const char *path, const char *format, sal_err *err);
void sig_names_clear(sig_names *names);
/* The same of a file of force plates: of a C3D file the plates alone, a row for each of their
 * samples. SAL_BADINPUT also: a C3D file has none. */
sal_status sig_read_plates(sig_signals *s, const char *path, sal_diag *diag, sal_err *err);
void sig_clear(sig_signals *s);

/* For a table that is made, not read: room for n columns, of which none has a name yet. */
sal_status sig_columns(sig_signals *s, int n, sal_err *err);
/* Names column i: `bytes`, n of them, and behind it `suffix`. */
sal_status sig_name(sig_signals *s, int i, const char *bytes, size_t n, const char *suffix,
                    sal_place place, sal_err *err);
/* Room for n rows, whose numbers are missing and which stand nowhere. */
sal_status sig_rows(sig_signals *s, size_t n, sal_err *err);

/* Column of a name, -1: none; and of a marker (an index of `marker`). */
int sig_find(const sig_signals *s, const char *name);
int sig_find_marker(const sig_signals *s, const char *name);
/* Whether a marker was seen in a row: it has numbers, and not exactly 0 0 0, which some programs
 * write for one that they have lost. */
bool sig_marker_is_seen(const sig_signals *s, int marker, int row);
/* s, of a row: what the column of the time says, or without one the rate, rows per second. */
double sig_time(const sig_signals *s, double rate, int row);
/* SI units that one `unit` is, also in full (Seconds, degrees); *dimension: what it is of: 'L'
 * length, 'V' speed, 'a' acceleration, 'A' angle, 'W' angular velocity, 'F' force, 'T' torque, 's'
 * time, '1' nothing. 0, and *dimension as it was: an unknown unit. */
double sig_unit(const char *unit, char *dimension);
/* Number i of the names that a column of the time may have, the likeliest first, and the unit that
 * the name says ("": none); false: there are no more. */
bool sig_time_name(int i, char name[24], const char **unit);
/* The name of a column or marker that may have been meant, or NULL. */
const char *sig_nearest(const sig_signals *s, const char *name);
/* Where a cell stands; in a listing its row. */
sal_place sig_signals_cell(const sig_signals *s, int row, int column);
/* Complains of every row whose time is missing or not later than the one before; false if there is
 * one. For a column of time that the user names. */
bool sig_check_time(const sig_signals *s, int column, sal_diag *diag);

/* Rows on an even grid in time, of which some may be missing, by the steps between rows in
 * multiples of the median one. */
typedef struct sig_spacing {
    /* s: median step between rows; step of the grid, from the first to the last row; the longest
     * step that is none over missing rows (sig_is_slower), 0: there is none */
    double median, dt, slowest;
    /* the largest distance of a row from its instant, over dt, and the row where that is;
     * infinite: there is no grid, `worst` is the row where that is seen */
    double off;
    int worst;
    /* off is at most a tenth: rows count as evenly spaced */
    bool even;
} sig_spacing;
/* Of the times t [n] of rows, n > 1, which grow; at [n]: which instant of the grid each row is at.
 * False: no memory. */
bool sig_spacing_find(sig_spacing *s, int *at, const double *t, int n);
/* Whether the step before row k is one of three in a row that are alike, and no longer than
 * SIG_STEP_MOST, s: the recording has fewer rows there. */
#define SIG_STEP_MOST .5
bool sig_is_slower(const double *t, int n, int k);

/* A force plate: the first columns of its force, of the point where it acts, of its torque there;
 * -1: the file has none of that. */
typedef struct sig_plate {
    int force, point, torque;
} sig_plate;
/* By the names of columns (NAME_vx vy vz px py pz, ..), in the order of the file. Fills at most
 * `most`; how many there are. */
int sig_find_plates(const sig_signals *s, sig_plate *plate, int most);

/* A marker that goes elsewhere than where it was going, by more than this length in m and more than
 * this acceleration (m/s^2, fifty times gravity) makes of the time between two rows, jumps. Warns
 * of the first jump, and returns how many there are. Of markers in units of length only. */
#define SIG_JUMP_LENGTH       .03
#define SIG_JUMP_ACCELERATION 500.
int sig_warn_jumps(const sig_signals *s, int marker, sal_diag *diag);

#endif
