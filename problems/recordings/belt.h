/* belt.h: whether a recording was made on a belt (a treadmill): what stands moves backwards; open
 * to the rooms above problems/. */
#ifndef SAL_PROBLEMS_RECORDINGS_BELT_H
#define SAL_PROBLEMS_RECORDINGS_BELT_H

#include "base/base.h"

/* Something low that neither rises nor falls: when, s, and how fast it moves in the plane, m/s. */
typedef struct prb_foothold {
    double at, v[2];
} prb_foothold;

/* The velocity, m/s, with which who was recorded walks over the belt: the opposite of that which
 * most footholds share. travel: the mean velocity of the body as it was recorded. False, 0 0: most
 * stand on ground that rests, or they do not agree, or the body goes along with them. at [n] by
 * time; slip, m/s: how much feet that stand differ. */
bool prb_belt_find(double walk[2], const prb_foothold *at, int n, double slip,
                   const double travel[2]);

/* Where a mechanism is lowest, and how fast it moves there, m/s. */
typedef struct prb_step {
    /* s */
    double at;
    double point[3], velocity[3];
} prb_step;

/* The same, of a mechanism, by time. foothold, height: [n], scratch. */
bool prb_belt_of_steps(double walk[2], const prb_step *step, int n, const double travel[2],
                       prb_foothold *foothold, double *height);

/* Points that were recorded. */
typedef struct prb_points {
    int npoint, nrow;
    /* rows per second */
    double rate;
    const void *ctx;
    /* m, z up; false: not seen */
    bool (*place)(const void *ctx, int point, int row, double x[3]);
} prb_points;

/* The same, of points of which those are feet that come low. */
sal_status prb_belt_of_points(double walk[2], bool *found, const prb_points *points, sal_err *err);

#endif
