/* look.h: what decides which formula the inverse uses at a state, so that two states can be told
 * apart by it. For tests only. */
#ifndef SAL_TESTS_PHYSICS_DERIV_LOOK_H
#define SAL_TESTS_PHYSICS_DERIV_LOOK_H

#include "physics/physics.h"

/* X(code, column of a table): why a state is not judged
 *     break    where a variable moved by 5e-6 gets to, an impedance has a breakpoint, a row begins,
 *              a slack spring pulls
 *     rows     contacts or rows come or go within the stencil
 *     zone     a row changes its state: jar = 0, the border of a cone, the bound R F of a friction
 *     switch   a contact point changes its feature, or hangs between two; a tendon its way
 *     coarse   half the step gives another result: the reference is not good enough */
#define DOUBT_LIST(X)                                                                              \
    X(DOUBT_BREAK, "break")                                                                        \
    X(DOUBT_ROWS, "rows")                                                                          \
    X(DOUBT_ZONE, "zone")                                                                          \
    X(DOUBT_SWITCH, "switch")                                                                      \
    X(DOUBT_COARSE, "coarse")
typedef enum doubt {
    DOUBT_NONE,
#define DOUBT_CODE(code, name) code,
    DOUBT_LIST(DOUBT_CODE)
#undef DOUBT_CODE
        NDOUBT
} doubt;

typedef struct look {
    int nrow;
    int ncode;
    int nsmooth;
    int ngauge;
    /* contacts and rows [nrow], then the zones of the rows' forces */
    int *code;
    /* contact points and frames, lengths and Jacobians of tendons */
    double *smooth;
    /* violations and the like, at some values of which forces have kinks */
    double *gauge;
    /* from the nearest such value; infinite where there is none */
    double *gap;
    int code_room;
    int real_room;
} look;

/* Looks at d (sal_inverse done). With `first` not NULL, a look that will be compared with it: cut
 * short where that tells them apart already. False: no memory. */
bool look_at(look *l, const look *first, const sal_model *m, const sal_data *d);
void look_free(look *l);

/* What tells b from a, a point nearby; `reach`: so many times farther on, b must not meet a break
 * either. */
doubt look_change(const look *a, const look *b, double reach);

/* How far from smooth what should be smooth is, of looks at 0, h, -h, 2h, -2h, h/2, -h/2: the
 * largest fourth difference, divided by the step: where a slope jumps by J, up to 2 J. What is but
 * strongly curved does not count: that falls by 8 with half the step. */
double look_roughness(const look l[7], double h);

#endif
