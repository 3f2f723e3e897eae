/* plates.h: a followed motion held against the force plates that it was not shown. */
#ifndef SAL_TESTS_PEOPLE_PLATES_H
#define SAL_TESTS_PEOPLE_PLATES_H

#include "problems/result/result.h"
#include "signals/table.h"

enum { PLATES_NJOINT = 3 };

/* Of one foot. */
typedef struct plates_foot {
    /* of the vertical force; its error, root mean square over stance, over weight */
    double correlation, rms;
    /* of the force along the way; NaN where there is none to speak of */
    double fore_aft;
    /* m, rms distance of the centres of pressure where both are */
    double pressure;
    /* N m, rms of the free moment */
    double free_moment;
    /* s, largest difference of the times at which 5 % of the weight are crossed; how many */
    double contact;
    int ncontact;
    /* N m: largest moments of hip, knee and ankle in the sagittal plane, of the motion, and where
     * the forces of the plates stand for those of the floor */
    double moment[PLATES_NJOINT], measured[PLATES_NJOINT];
} plates_foot;

typedef struct plates_score {
    /* right, left */
    plates_foot foot[2];
} plates_score;

/* The motion begins `begin` s into the recording of the plates, whose axes are those of the
 * markers, y up; looked at from `first` to `last`. False without memory. */
bool plates_compare(plates_score *score, const sal_result *r, const sig_signals *plates,
                    double begin, double first, double last);
/* m, rms over all markers of a recording (y up) that the model has, from `first` to `last`. */
double plates_markers(const sal_result *r, const sig_signals *markers, double begin, double first,
                      double last);

#endif
