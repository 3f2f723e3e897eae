/* speeds.h: one problem file asked for many speeds, and what each gait has to be. For a test and
 * for the bench. */
#ifndef SAL_TESTS_PROBLEMS_SPEEDS_H
#define SAL_TESTS_PROBLEMS_SPEEDS_H

#include "tests/problems/measure.h"

typedef struct sweep {
    /* examples/NAME.xml */
    const char *name;
    double from;
    double to;
    double step;
    const char *left,
        /* geoms of feet that have to stand flat in walking; NULL: they need not */
        *right;
} sweep;

enum { SPEEDS_SWEEPS = 2 };
extern const sweep speeds_sweeps[SPEEDS_SWEEPS];

typedef struct cell {
    bool physical,
        /* good: at its speed, no slip, not deep; runs fly; walks stand on flat feet */
        good;
    measure of;
    /* m: highest end of the standing foot as the other passes; NaN: not asked, or they do not */
    double stance;
    /* s: of the half cycle */
    double duration;
    int linearisations;
} cell;

/* Solves the sweep's problem at this speed with its own starts, on two threads. False, with a word
 * on standard output, if it cannot. */
bool speeds_solve(const sweep *s, double speed, cell *c);

#endif
