/* convex_dense.c: the inverse of the convex model, all blocks. */
#include "physics/laws/convex_dense.h"

#include <math.h>

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++) {
        sum += a[k] * b[k];
    }
    return sum;
}

void phy_convex_velocity(double *w, const phy_convex_problem *problem, const double *f)
{
    for (int i = 0; i < problem->k; i++) {
        w[i] = problem->c[i] + dot(problem->A + i * problem->k, f, problem->k);
    }
}

void phy_convex_push(double *push, const phy_convex_problem *problem, const double *w)
{
    for (int i = 0; i < problem->k; i++) {
        push[i] = 0;
    }
    for (int i = 0; i < problem->nblock && problem->penalty > 0; i++) {
        const phy_impulse_block *block = &problem->block[i];
        const bool is_read = phy_impulse_has_normal(block);
        const double lack = is_read ? problem->vmin[block->row] - w[block->row] : 0;
        push[block->row] = lack <= 0 ? 0 : problem->penalty * lack; /* NaN stays */
    }
}

void phy_convex_argument(double *y, double *push, const phy_convex_problem *problem,
                         const double *w)
{
    const int k = problem->k;
    phy_convex_push(push, problem, w);
    for (int i = 0; i < k; i++) {
        y[i] = w[i] - problem->wref[i];
        y[i] -= problem->penalty > 0 ? dot(problem->A + i * k, push, k) : 0;
    }
}

sal_status phy_convex_from_velocity(double *f, double *s, sal_efc_state *zone,
                                    const phy_convex_problem *problem, const double *w,
                                    double *scratch)
{
    double *y = scratch, *push = scratch + problem->k;
    sal_status status = SAL_OK;
    *s = 0;
    phy_convex_argument(y, push, problem, w);
    for (int i = 0; i < problem->nblock; i++) {
        const phy_impulse_block *block = &problem->block[i];
        const int row = block->row;
        double part;
        const sal_status here =
            phy_convex_inverse(f + row, &part, &zone[i], block, problem->R + row, y + row);
        status = status == SAL_OK ? here : status;
        *s += part;
    }
    return status;
}
