/* hybrid.c: force and velocity of complementarity in one variable. */
#include "physics/laws/hybrid.h"

#include <math.h>

static double largest_mu(const phy_impulse_block *block)
{
    double most = 0;
    for (int j = 1; j < block->dim; j++) {
        most = fmax(most, block->mu[j - 1]);
    }
    return most;
}

double phy_hybrid_mu(const phy_hybrid *hybrid, const phy_impulse_block *block)
{
    return hybrid->share * largest_mu(block);
}

double phy_hybrid_bound(const phy_hybrid *hybrid, const phy_impulse_block *block)
{
    return block->bound / hybrid->scale[block->row];
}

/* S of a block's rows */
static void scale_block(double *scale, const phy_complementarity_problem *p,
                        const phy_impulse_block *block)
{
    const double mu = largest_mu(block);
    double trace = 0;
    for (int j = 0; j < block->dim; j++) {
        const int row = block->row + j;
        scale[row] = j == 0 ? 1 : mu > 0 ? block->mu[j - 1] / mu : 0;
        trace += scale[row] * scale[row] * p->A[row * p->k + row];
    }
    const double s = trace > 0 ? sqrt(block->dim / trace) : 1;
    for (int j = 0; j < block->dim; j++) {
        scale[block->row + j] *= s;
    }
}

sal_status phy_hybrid_scale(phy_hybrid *hybrid, const phy_complementarity_problem *problem)
{
    const int k = problem->k;
    double square = 0, sum = 0;
    hybrid->k = k;
    hybrid->nblock = problem->nblock;
    hybrid->block = problem->block;
    hybrid->share = 1;
    for (int b = 0; b < problem->nblock; b++) {
        const sal_status status = phy_impulse_check(&problem->block[b]);
        if (status != SAL_OK) {
            return status;
        }
        scale_block(hybrid->scale, problem, &problem->block[b]);
    }
    for (int i = 0; i < k; i++) {
        const double s = hybrid->scale[i];
        hybrid->c[i] = s * problem->c[i];
        square += hybrid->c[i] * hybrid->c[i];
        for (int j = 0; j < k; j++) {
            hybrid->A[i * k + j] = s * hybrid->scale[j] * problem->A[i * k + j];
            sum += problem->A[i * k + j] - problem->A[i * k + j]; /* NaN unless all are finite */
        }
        if (s == 0) { /* a row without friction: F = x there */
            hybrid->A[i * k + i] = 1;
        }
    }
    hybrid->size = sqrt(square);
    return isfinite(hybrid->size) && sum == 0 ? SAL_OK : SAL_DIVERGED;
}

static double norm(const double *x, int n)
{
    double square = 0;
    for (int j = 0; j < n; j++) {
        square += x[j] * x[j];
    }
    return sqrt(square);
}

static void block_force(double *f, const phy_hybrid *hybrid, const phy_impulse_block *block,
                        const double *x)
{
    if (block->family == PHY_IMPULSE_EQUALITY) {
        f[0] = x[0];
        return;
    }
    if (block->family == PHY_IMPULSE_LOSS) {
        const double bound = phy_hybrid_bound(hybrid, block);
        f[0] = fmin(fmax(x[0], -bound), bound);
        return;
    }
    f[0] = fmax(x[0], 0);
    const double length = norm(x + 1, block->dim - 1);
    const double border = phy_hybrid_mu(hybrid, block) * f[0];
    const double share = length <= border ? 1 : border / length;
    for (int j = 1; j < block->dim; j++) {
        f[j] = x[j] * share;
    }
}

void phy_hybrid_force(double *f, const phy_hybrid *hybrid, const double *x)
{
    for (int b = 0; b < hybrid->nblock; b++) {
        const int row = hybrid->block[b].row;
        block_force(f + row, hybrid, &hybrid->block[b], x + row);
    }
}

double phy_hybrid_residual(double *residual, double *f, const phy_hybrid *hybrid, const double *x)
{
    const int k = hybrid->k;
    phy_hybrid_force(f, hybrid, x);
    for (int i = 0; i < k; i++) {
        const double *row = hybrid->A + i * k;
        double w = hybrid->c[i];
        for (int j = 0; j < k; j++) {
            w += row[j] * f[j];
        }
        residual[i] = w - (f[i] - x[i]);
    }
    return norm(residual, k);
}

void phy_hybrid_projection(double *P, const phy_hybrid *hybrid, const phy_impulse_block *block,
                           const double *x)
{
    const int n = block->dim;
    for (int i = 0; i < n * n; i++) {
        P[i] = 0;
    }
    if (block->family == PHY_IMPULSE_EQUALITY || block->family == PHY_IMPULSE_LOSS) {
        P[0] =
            block->family == PHY_IMPULSE_EQUALITY || fabs(x[0]) <= phy_hybrid_bound(hybrid, block);
        return;
    }
    if (!(x[0] > 0)) {
        return;
    }
    const double length = norm(x + 1, n - 1), mu = phy_hybrid_mu(hybrid, block);
    const bool slips = length > mu * x[0];
    const double share = slips ? mu * x[0] / length : 1;
    P[0] = 1;
    for (int i = 1; i < n; i++) {
        P[i * n] = slips ? mu * x[i] / length : 0;
        P[i * n + i] = share;
        for (int j = 1; j < n && slips; j++) {
            P[i * n + j] -= share * (x[i] / length) * (x[j] / length);
        }
    }
}

void phy_hybrid_jacobian(double *J, const phy_hybrid *hybrid, const double *x, double ridge)
{
    const int k = hybrid->k;
    double P[PHY_IMPULSE_DIM * PHY_IMPULSE_DIM] = {0};
    for (int b = 0; b < hybrid->nblock; b++) {
        const phy_impulse_block *block = &hybrid->block[b];
        const int first = block->row, n = block->dim;
        phy_hybrid_projection(P, hybrid, block, x + first);
        for (int i = 0; i < k; i++) {
            for (int j = 0; j < n; j++) {
                double sum = i == first + j ? 1 : 0;
                for (int m = 0; m < n; m++) {
                    const double entry =
                        hybrid->A[i * k + first + m] - (i == first + m ? 1 - ridge : 0);
                    sum += entry * P[m * n + j];
                }
                J[i * k + first + j] = sum;
            }
        }
    }
}
