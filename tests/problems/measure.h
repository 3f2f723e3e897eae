/* measure.h: what a solved motion is like, in figures that do not come from the solve. For the
 * tests of the examples and for the bench. */
#ifndef SAL_TESTS_PROBLEMS_MEASURE_H
#define SAL_TESTS_PROBLEMS_MEASURE_H

#include "problems/problems.h"

typedef struct measure {
    /* m/s: of the first body along x, first row to last */
    double speed;
    /* mean over steps of the sum of ctrl^2 */
    double ctrl2;
    /* largest of ctrl beyond its range, in widths of the range; 0: none */
    double excess;
    /* m: deepest contact */
    double penetration;
    /* m/s: mean over steps and contacts, weighted by normal force */
    double slip;
    /* longest run of successive steps with a floor force under 1 % of the weight */
    int flight;
} measure;

measure measure_result(const sal_result *r);

/* The step at which the feet pass each other, and heights over the floor z = 0 of the ends of their
 * geoms there. */
typedef struct passing {
    int step;
    /* m: lowest end of the foot in the air */
    double swing;
    /* m: highest end of the foot on the ground */
    double stance;
} passing;

/* left, right: names of the geoms of each foot, separated by blanks. step is -1 if the feet do not
 * pass, or a name is unknown. */
passing measure_passing(const sal_result *r, const char *left, const char *right);

#endif
