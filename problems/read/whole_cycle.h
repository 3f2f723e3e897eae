/* whole_cycle.h: the second half of a mirrored cycle, feature by feature; private to
 * problems/read/. */
#ifndef SAL_PROBLEMS_READ_WHOLE_CYCLE_H
#define SAL_PROBLEMS_READ_WHOLE_CYCLE_H

#include "problems/language/reader.h"
#include "problems/quantity.h"

/* What the problem of half a cycle becomes that of the whole cycle by. */
typedef struct prb_whole {
    prb_reader *r; /* r->p: the problem of the whole cycle */
    const sal_problem *half;
    const sal_twins *twins;
    const sal_data *home; /* of r->p->model */
    sal_place place;      /* of the attribute that asks for it */
    /* of travel in the world, per unit of its length; how long the first half's is, if that is
     * fixed */
    double direction[2], length;
    bool fixed;
    /* the norm of this term tells more from less */
    bool one_sided;
} prb_whole;

/* From one number of a feature to that of its image, half a cycle later: sign x + shift. */
typedef struct prb_reflection {
    double sign; /* 0: it is not known which */
    double shift;
} prb_reflection;

/* whole_objects.c: the object whose quantity is the image of that of this one. False: there is
 * none, which has been said; name: the feature's. */
bool prb_whole_object(const prb_whole *w, const prb_feature *f, int object, int *twin);
/* The same for what stands behind `with` and `only`: a geom, or -1 - body; INT_MIN: none. */
int prb_whole_shape(const prb_whole *w, int shape);
/* Of number i of an object; false after an error. */
bool prb_whole_number(const prb_whole *w, const prb_feature *f, int object, int i,
                      prb_reflection *how);
/* The reason why a feature has no second half, as an error. */
void prb_whole_refuse(const prb_whole *w, const prb_feature *f, const char *help, const char *why);

/* whole_feature.c. */
typedef enum prb_part_of_cycle {
    PRB_FIRST_HALF,
    PRB_SECOND_HALF,
    PRB_WHOLE_CYCLE
} prb_part_of_cycle;

/* A feature of half a cycle where it counts in the whole one; in the second half it is of the
 * images. `to` is the caller's, also where that fails. lower, upper [dim] of a range are turned
 * with it; NULL: there is none. */
bool prb_whole_feature(const prb_whole *w, prb_feature *to, const prb_feature *f,
                       prb_part_of_cycle part, double *lower, double *upper);
/* Whether a feature, of which there is a second half, is its own image: it counts all along. */
bool prb_whole_is_even(const prb_whole *w, const prb_feature *f, const double *lower,
                       const double *upper);

#endif
