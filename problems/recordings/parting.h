/* parting.h: poses of a recording in which limbs are within each other are parted; private to
 * problems/. */
#ifndef SAL_PROBLEMS_RECORDINGS_PARTING_H
#define SAL_PROBLEMS_RECORDINGS_PARTING_H

#include "problems/states.h"

/* out := the poses of `in`, which follow each other, parted; it is made here, in a state to be
 * cleared whatever is returned. */
sal_status prb_part_poses(prb_states *out, const prb_states *in, const sal_model *m, sal_err *err);

#endif
