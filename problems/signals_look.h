/* signals_look.h: what one sees who looks at recorded signals, and what one may guess: for `saltus import`; private to problems/signals_*.c. */
#ifndef SAL_SIGNALS_LOOK_H
#define SAL_SIGNALS_LOOK_H

#include "problems/signals.h"

typedef enum sal_angle {
    SAL_ANGLE_NONE,
    SAL_ANGLE_DEGREES,
    SAL_ANGLE_RADIANS,
    SAL_ANGLE_OPEN
} sal_angle;

typedef struct sal_column_look {
    double least, most; /* of the numbers that are there; NaN: none */
    int missing;
    int gap;         /* rows of the longest run of missing numbers between two that are there */
    sal_angle angle; /* as its unit says, or as name and size make likely (guess) */
    bool guess;
    int quaternion; /* 1: with the next three a unit quaternion, w first; 2: w last */
    int force; /* numbers, from this column on, of a force [3], its point [6], its torque [9]; 0: none begins here */
} sal_column_look;

typedef struct sal_signals_look {
    bool timed;        /* times are there, all of them, and grow */
    double start, end; /* s; without times: from the rate */
    double step;       /* median time between rows, s; 0: not known */
    double shortest, longest;
    int nlost;               /* steps longer than one and a half of the median */
    int lost;                /* row behind the first of them */
    sal_column_look *column; /* [ncol] */
    int *jumps;              /* [nmarker] */
    sal_text guess;          /* a line each */
} sal_signals_look;

sal_status sal_signals_look_at(sal_signals_look *look, const sal_signals *s, sal_diag *diag,
                               sal_err *err);
void sal_signals_look_clear(sal_signals_look *look);

/* The <data> element to begin with. */
void sal_signals_draft(sal_text *out, const sal_signals *s, const sal_signals_look *look);

/* The name ends so, in any case of letters; the name has this in it. */
bool sal_signals_name_ends(const char *name, const char *ending);
bool sal_signals_name_has(const char *name, const char *part);

#endif
