/* diagonal.c: the diagonal approximation, block by block. */
#include "physics/laws/diagonal.h"

#include <math.h>

double phy_diagonal_reference(double gap, double timestep, double tc)
{
    return gap > 0 ? -gap / timestep : gap * expm1(-timestep / tc) / timestep;
}

static sal_status check(const phy_impulse_block *block, const double *diagonal, const double *R,
                        const double *c, const double *wref)
{
    const sal_status status = phy_impulse_check(block);
    for (int j = 0; j < block->dim && status == SAL_OK; j++) {
        if (!isfinite(diagonal[j] + R[j]) || !isfinite(c[j]) || !isfinite(wref[j])) {
            return SAL_DIVERGED;
        }
        if (!(diagonal[j] + R[j] > 0)) {
            return SAL_BADINPUT;
        }
    }
    return status;
}

/* Moves the tangents into sum (f_j/mu_j)^2 <= f_0^2. */
static sal_efc_state limit_friction(double *f, const phy_impulse_block *block)
{
    double square = 0;
    for (int j = 1; j < block->dim; j++) {
        const double mu = block->mu[j - 1];
        f[j] = mu > 0 ? f[j] : 0;
        square += mu > 0 ? (f[j] / mu) * (f[j] / mu) : 0;
    }
    const double reach = sqrt(square);
    for (int j = 1; j < block->dim && reach > f[0]; j++) {
        f[j] *= f[0] / reach;
    }
    return !(f[0] > 0) ? SAL_EFC_SATISFIED : reach > f[0] ? SAL_EFC_CONE : SAL_EFC_QUADRATIC;
}

sal_status phy_diagonal_impulse(double *f, sal_efc_state *zone, const phy_impulse_block *block,
                                const double *diagonal, const double *R, const double *c,
                                const double *wref)
{
    const sal_status status = check(block, diagonal, R, c, wref);
    *zone = SAL_EFC_SATISFIED;
    for (int j = 0; j < block->dim && j < PHY_IMPULSE_DIM; j++) {
        f[j] = status == SAL_OK ? (wref[j] - c[j]) / (diagonal[j] + R[j]) : 0;
    }
    if (status != SAL_OK) {
        return status;
    }
    *zone = SAL_EFC_QUADRATIC;
    if (phy_impulse_has_normal(block)) {
        f[0] = fmax(0, f[0]);
        *zone = limit_friction(f, block);
    } else if (block->family == PHY_IMPULSE_LOSS && fabs(f[0]) >= block->bound) {
        *zone = f[0] > 0 ? SAL_EFC_LINEARNEG : SAL_EFC_LINEARPOS;
        f[0] = copysign(block->bound, f[0]);
    }
    return SAL_OK;
}
