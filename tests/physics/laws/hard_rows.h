/* hard_rows.h: a problem of hard_forward.h with arrays of its own. */
#ifndef SAL_TESTS_HARD_ROWS_H
#define SAL_TESTS_HARD_ROWS_H

#include "tests/check.h"

#include "physics/laws/hard_forward.h"

enum { MOST_DOFS = 9, CONTACTS = 40, MOST_ROWS = 6 * CONTACTS };
static _Alignas(64) char scratch[4 << 20];

/* A problem with arrays of its own. */
typedef struct system {
    phy_hard_problem p;
    phy_hard_block block[CONTACTS];
    phy_hard_point point[CONTACTS];
    double M[MOST_DOFS * MOST_DOFS], rhs[MOST_DOFS], J[MOST_ROWS * MOST_DOFS], gap[CONTACTS],
        mu[CONTACTS][PHY_HARD_DIM];
    double v[MOST_DOFS], f[MOST_ROWS];
    phy_hard_result result;
} hard_rows;

static inline sal_status forward(hard_rows *x, bool is_warm)
{
    const phy_hard_effort effort = {0};
    sal_arena arena = {.base = scratch, .size = sizeof scratch};
    const sal_status status =
        phy_hard_forward(x->v, x->f, x->point, &x->result, &x->p, &effort, is_warm, &arena);
    CHECK(arena.used == 0);
    return status;
}

static inline void problem_of(hard_rows *x, int nv, double kappa, double timestep)
{
    x->p = (phy_hard_problem){.nv = nv,
                              .block = x->block,
                              .M = x->M,
                              .rhs = x->rhs,
                              .J = x->J,
                              .relax = {kappa, kappa, 0},
                              .gap = x->gap,
                              .timestep = timestep};
}

static inline void add_block(hard_rows *x, phy_hard_kind kind, int dim)
{
    const int b = x->p.nblock++;
    x->block[b] = (phy_hard_block){kind, x->p.nrow, dim, x->mu[b], 0.02, 1e-3};
    x->p.nrow += dim;
}

static inline void cross(double *out, const double *a, const double *b)
{
    for (int i = 0; i < 3; i++) {
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
    }
}

#endif
