/* wanted.h: the list of outputs that are wanted of invdyn. Features ask for theirs one after the
 * other; one that is there already is shared. */
#ifndef SAL_PROBLEMS_WANTED_H
#define SAL_PROBLEMS_WANTED_H

#include "problems/transcribe.h"

typedef struct prb_wanted {
    const prb_transcription *tr;
    /* [noutput] what there is so far; NULL: the features' are only counted */
    sal_output *output;
    int noutput;
    /* those of the features: numbers in `output`, and room for two geom sets of each */
    int nown;
    int *own;
    unsigned char *marks;
} prb_wanted;

/* The number of this output in the list, to which it is added if it is new. */
int prb_wanted_number(prb_wanted *list, const sal_output *output);
/* Adds an output of the feature, in the order of prb_writer.own. */
void prb_want(prb_wanted *list, sal_output output);
/* Of contacts of these shapes, with those of `with` or, where that is none, with all. */
void prb_want_contact(prb_wanted *list, sal_output output, const int *shape, int n, const int *with,
                      int nwith);

#endif
