/* convex_sweeps.c: the convex model by projected Gauss-Seidel.
 *
 * Along a block the cost is at most quadratic, with the matrix
 *
 *     B = (A + R)_ii + q sum_n A_in A_in'           n: all normals, whether they are pushed or not
 *
 * so the exact minimum of that quadratic never raises the cost. Convergence is slow where R is
 * small beside A.
 */
#include "physics/laws/convex_dense.h"

#include <math.h>

/* B [dim x dim] of a block */
static void majorant(double *B, const phy_convex_problem *p, const phy_impulse_block *block)
{
    const int n = block->dim;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            const double *row_i = p->A + (block->row + i) * p->k;
            const double *row_j = p->A + (block->row + j) * p->k;
            B[i * n + j] = row_i[block->row + j] + (i == j ? p->R[block->row + i] : 0);
            for (int b = 0; b < p->nblock && p->penalty > 0; b++) {
                const int normal = p->block[b].row;
                B[i * n + j] += phy_impulse_has_normal(&p->block[b])
                                    ? p->penalty * row_i[normal] * row_j[normal]
                                    : 0;
            }
        }
    }
}

static sal_status prepare(phy_cone_matrix *matrix, const phy_convex_problem *p)
{
    double B[PHY_IMPULSE_DIM * PHY_IMPULSE_DIM];
    for (int i = 0; i < p->nblock; i++) {
        sal_status status = phy_impulse_check(&p->block[i]);
        if (status == SAL_OK) {
            majorant(B, p, &p->block[i]);
            status = phy_cone_prepare(&matrix[i], &p->block[i], B, p->block[i].dim);
        }
        if (status != SAL_OK) {
            return status;
        }
    }
    return SAL_OK;
}

/* b = grad - B f of a block at f; w = A f + c, and push belongs to it */
static void residual_of(double *b, const phy_convex_problem *p, const phy_impulse_block *block,
                        const double *f, const double *w, const double *push)
{
    const int n = block->dim, row = block->row;
    double B[PHY_IMPULSE_DIM * PHY_IMPULSE_DIM];
    majorant(B, p, block);
    for (int i = 0; i < n; i++) {
        b[i] = w[row + i] - p->wref[row + i] + p->R[row + i] * f[row + i];
        for (int j = 0; j < n; j++) {
            b[i] -= B[i * n + j] * f[row + j];
        }
        for (int j = 0; j < p->k && p->penalty > 0; j++) {
            b[i] -= p->A[(row + i) * p->k + j] * push[j];
        }
    }
}

/* Moves block i to its minimum, w along. Returns the largest change of f. */
static double move(double *f, double *w, double *push, const phy_convex_problem *p,
                   const phy_cone_matrix *matrix, int i, sal_status *status)
{
    const phy_impulse_block *block = &p->block[i];
    double next[PHY_IMPULSE_DIM], change = 0;
    phy_convex_push(push, p, w);
    residual_of(next, p, block, f, w, push);
    *status = phy_cone_minimise(next, &matrix[i], next, f[block->row]);
    for (int j = 0; j < block->dim && *status == SAL_OK; j++) {
        const int row = block->row + j;
        const double step = next[j] - f[row];
        change = fmax(change, fabs(step));
        for (int r = 0; r < p->k && step != 0; r++) {
            w[r] += p->A[row * p->k + r] * step;
        }
        f[row] = next[j];
    }
    return change;
}

sal_status phy_convex_sweeps(double *f, phy_convex_effort *effort,
                             const phy_convex_problem *problem, phy_cone_matrix *matrix,
                             double *scratch)
{
    double *w = scratch, *push = scratch + problem->k;
    effort->residual = INFINITY;
    effort->used = 0;
    sal_status status = prepare(matrix, problem);
    while (status == SAL_OK && effort->used < effort->most &&
           !(effort->residual <= effort->tolerance)) {
        double change = 0, size = 0;
        phy_convex_velocity(w, problem, f); /* what rounding added is gone */
        for (int i = 0; i < problem->nblock && status == SAL_OK; i++) {
            change = fmax(change, move(f, w, push, problem, matrix, i, &status));
        }
        for (int r = 0; r < problem->k; r++) {
            size = fmax(size, fabs(f[r]));
        }
        effort->residual = change > 0 ? change / size : 0;
        effort->used++;
    }
    return status;
}
