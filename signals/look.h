/* look.h: what one sees who looks at recorded signals, and what one may guess: for `saltus import`;
 * private to signals/ */
#ifndef SAL_SIGNALS_LOOK_H
#define SAL_SIGNALS_LOOK_H

#include "signals/table.h"

typedef enum sig_angle {
    SIG_ANGLE_NONE,
    SIG_ANGLE_DEGREES,
    SIG_ANGLE_RADIANS,
    SIG_ANGLE_OPEN
} sig_angle;

typedef struct sig_column_look {
    /* of the numbers that are there; NaN: none */
    double least, most;
    int missing;
    /* rows of the longest run of missing numbers between two that are there */
    int gap;
    /* as its unit says, or as name and size make likely (guess) */
    sig_angle angle;
    bool guess;
    /* 1: with the next three a unit quaternion, w first; 2: w last */
    int quaternion;
    /* numbers of a force that begins here: its own [3], with its point [6], with its torque [9]; 0:
     * none begins here */
    int force;
    /* the first columns of its point and torque, which bear the name of the same plate */
    int point, torque;
} sig_column_look;

typedef struct sig_look {
    /* times are there, all of them, and grow */
    bool timed;
    /* s; without times: from the rate */
    double start, end;
    /* median time between rows, s; 0: not known */
    double step;
    double shortest;
    double longest;
    /* steps longer than one and a half of the median */
    int nlost;
    /* row behind the first of them */
    int lost;
    /* [ncol] */
    sig_column_look *column;
    /* [nmarker] */
    int *jumps;
    /* a line each */
    sal_text guess;
} sig_look;

sal_status sig_look_at(sig_look *look, const sig_signals *s, sal_diag *diag, sal_err *err);
void sig_look_clear(sig_look *look);

/* The <data> element to begin with. */
void sig_draft(sal_text *out, const sig_signals *s, const sig_look *look);

/* The name ends so, in any case of letters; the name has this in it. */
bool sig_name_ends(const char *name, const char *ending);
bool sig_name_has(const char *name, const char *part);

#endif
