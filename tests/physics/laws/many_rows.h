/* many_rows.h: random rows of a mechanism that is only numbers: A = J M^-1 J', and the blocks. */
#ifndef TESTS_PHYSICS_LAWS_MANY_ROWS_H
#define TESTS_PHYSICS_LAWS_MANY_ROWS_H

#include "base/rng.h"
#include "physics/laws/impulse.h"

#include <math.h>
#include <string.h>

enum { MANY_ROWS = 64, MANY_BLOCKS = 24, MANY_DOFS = 40 };

typedef struct many_rows {
    int k, nblock, nv;
    phy_impulse_block block[MANY_BLOCKS];
    double mu[MANY_BLOCKS][5];
    double J[MANY_ROWS * MANY_DOFS], mass[MANY_DOFS];
    double A[MANY_ROWS * MANY_ROWS];
    double c[MANY_ROWS], R[MANY_ROWS], wref[MANY_ROWS], vmin[MANY_ROWS];
} many_rows;

static inline void many_rows_add(many_rows *a, phy_impulse_family family, int dim, double bound)
{
    double *mu = a->mu[a->nblock];
    a->block[a->nblock++] = (phy_impulse_block){family, a->k, dim, mu, bound};
    a->k += dim;
}

/* A from J and the masses */
static inline void many_rows_join(many_rows *a)
{
    for (int i = 0; i < a->k; i++) {
        for (int j = 0; j < a->k; j++) {
            double sum = 0;
            for (int v = 0; v < a->nv; v++) {
                sum += a->J[i * a->nv + v] * a->J[j * a->nv + v] / a->mass[v];
            }
            a->A[i * a->k + j] = sum;
        }
    }
}

/* An equality, friction loss, a limit, and `ncone` contacts of dims 1, 3, 4, 6 in turn. R is
 * `softness` of A's diagonal. */
static inline void many_rows_random(many_rows *a, sal_rng *rng, int nv, int ncone, double softness)
{
    static const int dims[] = {3, 1, 4, 6};
    *a = (many_rows){.nv = nv};
    many_rows_add(a, PHY_IMPULSE_EQUALITY, 1, 0);
    many_rows_add(a, PHY_IMPULSE_LOSS, 1, sal_rng_uniform(rng, .01, .5));
    many_rows_add(a, PHY_IMPULSE_NORMAL, 1, 0);
    for (int i = 0; i < ncone; i++) {
        double *mu = a->mu[a->nblock];
        mu[0] = mu[1] = sal_rng_uniform(rng, .2, 1.2);
        mu[2] = sal_rng_uniform(rng, .01, .2);
        mu[3] = mu[4] = sal_rng_uniform(rng, .001, .1);
        many_rows_add(a, PHY_IMPULSE_CONE, dims[i % 4], 0);
    }
    for (int v = 0; v < nv; v++) {
        a->mass[v] = sal_rng_uniform(rng, .5, 3);
    }
    for (int i = 0; i < a->k * nv; i++) {
        a->J[i] = sal_rng_normal(rng);
    }
    many_rows_join(a);
    for (int i = 0; i < a->k; i++) {
        a->c[i] = sal_rng_normal(rng) - .3;
        a->R[i] = softness * a->A[i * a->k + i] * sal_rng_uniform(rng, .5, 2);
        a->wref[i] = .1 * sal_rng_normal(rng);
        a->vmin[i] = .2 * sal_rng_normal(rng);
    }
}

/* b is a with its last block first; row i of b is row from[i] of a. */
static inline void many_rows_turn_round(many_rows *b, int *from, const many_rows *a)
{
    *b = *a;
    b->k = 0;
    for (int i = 0; i < a->nblock; i++) {
        const phy_impulse_block *block = &a->block[a->nblock - 1 - i];
        b->block[i] = *block;
        b->block[i].row = b->k;
        for (int j = 0; j < block->dim; j++, b->k++) {
            const int row = block->row + j;
            from[b->k] = row;
            memcpy(b->J + b->k * b->nv, a->J + row * a->nv, (size_t)a->nv * sizeof *a->J);
            b->c[b->k] = a->c[row];
            b->R[b->k] = a->R[row];
            b->wref[b->k] = a->wref[row];
            b->vmin[b->k] = a->vmin[row];
        }
    }
    many_rows_join(b);
}

#endif
