/* balls.h: balls of 1 kg that fall into a box: A and c of their contacts at each step. */
#ifndef TESTS_PHYSICS_LAWS_BALLS_H
#define TESTS_PHYSICS_LAWS_BALLS_H

#include "base/rng.h"
#include "base/v3.h"
#include "physics/laws/impulse.h"

#include <math.h>
#include <string.h>

enum { BALLS = 20, BALLS_CONTACTS = 80, BALLS_ROWS = 3 * BALLS_CONTACTS, BALLS_DOFS = 6 * BALLS };

#define BALLS_STEP   .01 /* s */
#define BALLS_RADIUS .1  /* m */
#define BALLS_HALF   .25 /* m; the box: |x|, |y| < half, z > 0 */

typedef struct balls {
    int ncontact, k;
    double place[BALLS][3], v[BALLS_DOFS], mu[2];
    phy_impulse_block block[BALLS_CONTACTS];
    double J[BALLS_ROWS * BALLS_DOFS], A[BALLS_ROWS * BALLS_ROWS], c[BALLS_ROWS];
} balls;

/* 20 balls above each other, moved at random, with random velocities. */
static inline void balls_drop(balls *a, sal_rng *rng, double mu)
{
    *a = (balls){.mu = {mu, mu}};
    for (int i = 0; i < BALLS; i++) {
        const int layer = i / 2;
        a->place[i][0] = sal_rng_uniform(rng, -.14, .14);
        a->place[i][1] = sal_rng_uniform(rng, -.14, .14);
        a->place[i][2] = BALLS_RADIUS * (1.1 + 2.1 * layer);
        a->place[i][0] += i % 2 == 0 ? 0 : a->place[i - 1][0] > 0 ? -.2 : .2;
    }
    for (int i = 0; i < BALLS_DOFS; i++) {
        a->v[i] = .3 * sal_rng_normal(rng) / (i % 6 < 3 ? 1 : BALLS_RADIUS);
    }
}

/* Rows of ball i in a contact: sign (n'v + (arm x n)'omega), arm from its centre to the point */
static inline void balls_rows(balls *a, int row, int i, double frame[3][3], double sign)
{
    for (int t = 0; t < 3; t++) {
        double *J = a->J + (row + t) * BALLS_DOFS + 6 * i;
        const double *e = frame[t], *n = frame[0];
        const double reach =
            -sign * BALLS_RADIUS; /* the point is on the other side of the normal */
        const double turn[3] = {n[1] * e[2] - n[2] * e[1], n[2] * e[0] - n[0] * e[2],
                                n[0] * e[1] - n[1] * e[0]};
        for (int m = 0; m < 3; m++) {
            J[m] = sign * e[m];
            J[3 + m] = sign * reach * turn[m];
        }
    }
}

/* A contact of ball i with ball j, or with a wall (j < 0), over a gap; n leads to ball i. c has the
 * reference velocity of the gap taken off: -gap/h, and a tenth of that where it is negative. */
static inline void balls_touch(balls *a, sal_rng *rng, int i, int j, const double n[3], double gap)
{
    double frame[3][3] = {{n[0], n[1], n[2]}}, along = 0, length = 0;
    double any[3];
    for (int m = 0; m < 3; m++) {
        any[m] = sal_rng_normal(rng);
        along += any[m] * n[m];
    }
    for (int m = 0; m < 3; m++) {
        any[m] -= along * n[m];
        length += any[m] * any[m];
    }
    for (int m = 0; m < 3; m++) {
        frame[1][m] = any[m] / sqrt(length);
    }
    for (int m = 0; m < 3; m++) {
        const int p = (m + 1) % 3, q = (m + 2) % 3;
        frame[2][m] = n[p] * frame[1][q] - n[q] * frame[1][p];
    }
    if (a->ncontact == BALLS_CONTACTS) {
        return;
    }
    a->block[a->ncontact++] = (phy_impulse_block){PHY_IMPULSE_CONE, a->k, 3, a->mu, 0};
    balls_rows(a, a->k, i, frame, 1);
    if (j >= 0) {
        balls_rows(a, a->k, j, frame, -1);
    }
    a->c[a->k] = (gap > 0 ? 1 : .1) * gap / BALLS_STEP;
    a->k += 3;
}

static inline void balls_contacts(balls *a, sal_rng *rng)
{
    const double margin = .02;
    for (int i = 0; i < BALLS; i++) {
        const double *x = a->place[i];
        for (int j = 0; j < i; j++) {
            double n[3], square = 0;
            for (int m = 0; m < 3; m++) {
                n[m] = x[m] - a->place[j][m];
                square += n[m] * n[m];
            }
            const double length = sqrt(square), gap = length - 2 * BALLS_RADIUS;
            for (int m = 0; m < 3; m++) {
                n[m] /= length;
            }
            if (gap < margin) {
                balls_touch(a, rng, i, j, n, gap);
            }
        }
        for (int m = 0; m < 3; m++) { /* two walls, the floor */
            const double gap = (m < 2 ? BALLS_HALF - fabs(x[m]) : x[m]) - BALLS_RADIUS;
            double n[3] = {0};
            n[m] = m < 2 && x[m] > 0 ? -1 : 1;
            if (gap < margin) {
                balls_touch(a, rng, i, -1, n, gap);
            }
        }
    }
}

static inline double balls_inertia(int dof)
{
    return dof % 6 < 3 ? 1 : .4 * BALLS_RADIUS * BALLS_RADIUS;
}

/* The rows, A and c at the present state, after a step of gravity. */
static inline void balls_look(balls *a, sal_rng *rng)
{
    memset(a->J, 0, sizeof a->J);
    a->k = a->ncontact = 0;
    memset(a->c, 0, sizeof a->c);
    balls_contacts(a, rng);
    for (int i = 2; i < BALLS_DOFS; i += 6) {
        a->v[i] -= BALLS_STEP * 9.81;
    }
    for (int i = 0; i < a->k; i++) {
        const double *row = a->J + i * BALLS_DOFS;
        for (int d = 0; d < BALLS_DOFS; d++) {
            a->c[i] += row[d] * a->v[d];
        }
        for (int j = 0; j < a->k; j++) {
            double sum = 0;
            for (int d = 0; d < BALLS_DOFS; d++) {
                sum += row[d] * a->J[j * BALLS_DOFS + d] / balls_inertia(d);
            }
            a->A[i * a->k + j] = sum;
        }
    }
}

/* The rest of the step: v += M^-1 J'f, and the balls move. */
static inline void balls_move(balls *a, const double *f)
{
    for (int d = 0; d < BALLS_DOFS; d++) {
        for (int i = 0; i < a->k; i++) {
            a->v[d] += a->J[i * BALLS_DOFS + d] * f[i] / balls_inertia(d);
        }
        if (d % 6 < 3) {
            a->place[d / 6][d % 6] += BALLS_STEP * a->v[d];
        }
    }
}

#endif
