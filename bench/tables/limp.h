/* limp.h: contacts of a limp human that falls and rolls: A, c and gaps of its states, as the dense
 * solvers take them. */
#ifndef SAL_BENCH_LIMP_H
#define SAL_BENCH_LIMP_H

enum { LIMP_MOST = 20 };
static const double LIMP_REACH = 0.1, LIMP_STEP = 0.01; /* m, s */

typedef struct limp_rows {
    int contacts;
    double gap[LIMP_MOST], mu[LIMP_MOST];
    /* w = A f + c, by rows, three for each contact, normal first */
    double A[9 * LIMP_MOST * LIMP_MOST], c[3 * LIMP_MOST];
} limp_rows;

/* `count` states, one after the other, of those that have so many contacts nearer than the reach:
 * the first of them in the list. Ends the program where there are none. */
void limp_collect(limp_rows *rows, int count, int contacts);

#endif
