/* marker_fit.h: markers beside the sites that follow them; private to problems/solve/. */
#ifndef SAL_PROBLEMS_SOLVE_MARKER_FIT_H
#define SAL_PROBLEMS_SOLVE_MARKER_FIT_H

#include "problems/problem.h"
#include "problems/result/result.h"

/* Sets r->marker_fit of a motion that was found, its floor and offsets of markers included. */
void prb_markers_measure(const sal_problem *p, sal_result *r);

#endif
