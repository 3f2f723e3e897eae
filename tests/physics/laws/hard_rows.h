/* hard_rows.h: a problem of hard_forward.h with arrays of its own. */
#ifndef SAL_TESTS_HARD_ROWS_H
#define SAL_TESTS_HARD_ROWS_H

#include "tests/check.h"

#include "base/rng.h"
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

/* The rows of a contact at a random place of a body, whose axes are the first six velocities; three
 * joints move it, too. Normals point upwards, more or less. */
static inline void draw_contact(double *J, sal_rng *rng, int dim)
{
    double axis[3][3], place[3];
    for (int k = 0; k < 3; k++) {
        place[k] = k < 2 ? sal_rng_uniform(rng, -1, 1) : -0.5;
        axis[0][k] = k < 2 ? 0.2 * sal_rng_normal(rng) : 1;
        axis[1][k] = sal_rng_normal(rng);
    }
    cross(axis[2], axis[0], axis[1]);
    cross(axis[1], axis[2], axis[0]);
    for (int j = 0; j < dim; j++) {
        double *a = axis[j % 3], *row = J + j * MOST_DOFS, turn[3];
        const double size = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
        cross(turn, place, a);
        for (int k = 0; k < 3; k++) {
            row[k] = j < 3 ? a[k] / size : 0;
            row[3 + k] = (j < 3 ? turn[k] : a[k]) / size;
            row[6 + k] = 0.3 * sal_rng_normal(rng);
        }
    }
}

/* A random mass matrix, rows and gaps; v = 0 is feasible, as all gaps are positive. */
static inline void draw_rows(hard_rows *x, sal_rng *rng, int n)
{
    static const int dims[4] = {3, 1, 4, 6};
    *x = (hard_rows){0};
    problem_of(x, MOST_DOFS, 1e-4, 0.01);
    for (int i = 0; i < MOST_DOFS; i++) {
        x->rhs[i] = sal_rng_normal(rng);
        x->M[i * MOST_DOFS + i] = 1;
    }
    for (int k = 0; k < 2 * MOST_DOFS; k++) {
        double a[MOST_DOFS];
        for (int i = 0; i < MOST_DOFS; i++) {
            a[i] = 0.2 * sal_rng_normal(rng);
        }
        for (int i = 0; i < MOST_DOFS * MOST_DOFS; i++) {
            x->M[i] += a[i / MOST_DOFS] * a[i % MOST_DOFS];
        }
    }
    for (int b = 0; b < n; b++) {
        add_block(x, PHY_HARD_CONTACT, n > 2 ? dims[b % 4] : 3);
        x->gap[b] = pow(10, sal_rng_uniform(rng, -4, -1.5));
        for (int j = 0; j < PHY_HARD_DIM; j++) { /* torsion and rolling: m */
            x->mu[b][j] = sal_rng_uniform(rng, 0.1, 1) * (j < 2 ? 1 : 0.05);
        }
        draw_contact(x->J + x->block[b].row * MOST_DOFS, rng, x->block[b].dim);
    }
    for (int r = 0; n > 4 && r < 2; r++) {
        add_block(x, PHY_HARD_LOSS, 1);
        add_block(x, PHY_HARD_EQUALITY, 1);
        x->J[x->block[n + 2 * r].row * MOST_DOFS + 6 + r] = 1;
        x->J[x->block[n + 2 * r + 1].row * MOST_DOFS + 7 + r] = 1;
    }
}

#endif
