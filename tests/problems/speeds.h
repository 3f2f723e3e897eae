/* speeds.h: one problem file asked for many speeds, and what each gait has to be. For a test and for the bench. */
#ifndef SAL_TESTS_PROBLEMS_SPEEDS_H
#define SAL_TESTS_PROBLEMS_SPEEDS_H

#include "tests/problems/measure.h"

typedef struct sweep {
    const char *name; /* examples/NAME.xml */
    double from, to, step;
    const char *left,
        *right; /* geoms of feet that have to stand flat in walking; NULL: they need not */
} sweep;

enum { SPEEDS_SWEEPS = 2 };
extern const sweep speeds_sweeps[SPEEDS_SWEEPS];

typedef struct cell {
    bool physical,
        good; /* good: at its speed, no slip, not deep; runs fly; walks stand on flat feet */
    measure of;
    double
        stance; /* m: highest end of the standing foot as the other passes; NaN: not asked, or they do not */
    double duration; /* s: of the half cycle */
    int linearisations;
} cell;

/* Solves the sweep's problem at this speed with its own starts, on two threads. False, with a word on standard output, if it cannot. */
bool speeds_solve(const sweep *s, double speed, cell *c);

#endif
