/* convex.c: the nearest point of a cone, in the metric R, in closed form or by one scalar root.
 *
 * With lambda >= 0 the multiplier of the cone, U_j = mu_j y_j and P_j = R_j mu_j^2, stationarity is
 *
 *     f_j = -mu_j U_j/(P_j + lambda)           (R_0 - lambda) f_0 + y_0 = 0
 *     f_0 = 1/g(lambda),    g(lambda) = (sum_j U_j^2/(P_j + lambda)^2)^(-1/2)
 *
 *     open     y_0 >= T = |U|               f = 0
 *     stick    y_0 < 0, -y_0/R_0 >= 1/g(0)  lambda = 0
 *     slip     else                         phi(lambda) = R_0 - lambda + y_0 g(lambda) = 0
 *
 * g is concave, g <= (max P + lambda)/T. So phi is convex where y_0 < 0 and concave where y_0 > 0,
 * the root with max P in place of all P_j lies on the side from which Newton's method is monotone,
 * and it is the root itself where all P_j are equal.
 */
#include "physics/laws/convex.h"

#include <math.h>

enum { NEWTON_STEPS = 100 };
#define LEAST_MU 1e-100 /* below it mu^2 may vanish */

/* A cone and where y is. */
typedef struct cone {
    int dim;
    double mu[PHY_IMPULSE_DIM], R[PHY_IMPULSE_DIM], y[PHY_IMPULSE_DIM];
    double U[PHY_IMPULSE_DIM], P[PHY_IMPULSE_DIM];
    double T, lambda;
    sal_efc_state zone;
} cone;

/* g(lambda) and its slope g^3 sum U^2/(P + lambda)^3 */
static double secular(double *slope, const cone *c, double lambda)
{
    double square = 0, cube = 0;
    for (int j = 1; j < c->dim; j++) {
        if (c->U[j] != 0) {
            const double p = c->P[j] + lambda, u = c->U[j] / p;
            square += u * u;
            cube += u * u / p;
        }
    }
    const double g = 1 / sqrt(square);
    *slope = g * g * g * cube;
    return g;
}

/* The root of phi; each step stays on its side of it until rounding ends that. */
static double multiplier(const cone *c)
{
    double most = 0, slope;
    for (int j = 1; j < c->dim; j++) {
        most = c->U[j] != 0 && c->P[j] > most ? c->P[j] : most;
    }
    double lambda = fmax(0, (c->R[0] * c->T + c->y[0] * most) / (c->T - c->y[0]));
    for (int k = 0; k < NEWTON_STEPS; k++) {
        const double g = secular(&slope, c, lambda);
        const double step = (c->R[0] - lambda + c->y[0] * g) / (1 - c->y[0] * slope);
        const double next = lambda + step;
        if (!(fabs(step) > 1e-16 * lambda) || (k > 0 && step * c->y[0] > 0) || !(next >= 0)) {
            break;
        }
        lambda = next;
    }
    return lambda;
}

/* Reads a cone; rows without friction take no part. */
static void cone_of(cone *c, const phy_impulse_block *block, const double *R, const double *y)
{
    double square = 0, slope;
    *c = (cone){.dim = block->dim, .zone = SAL_EFC_QUADRATIC};
    for (int j = 0; j < c->dim; j++) {
        const double mu = j == 0 ? 1 : block->mu[j - 1] > LEAST_MU ? block->mu[j - 1] : 0;
        c->mu[j] = mu;
        c->R[j] = R[j];
        c->y[j] = y[j];
        c->U[j] = j == 0 ? 0 : mu * y[j];
        c->P[j] = R[j] * mu * mu;
        square += c->U[j] * c->U[j];
    }
    c->T = sqrt(square);
    if (y[0] >= c->T) {
        c->zone = SAL_EFC_SATISFIED;
    } else if (c->T > 0 && !(y[0] < 0 && -y[0] * secular(&slope, c, 0) >= R[0])) {
        c->lambda = multiplier(c);
        c->zone = isfinite(c->lambda) ? SAL_EFC_CONE : SAL_EFC_SATISFIED; /* T - y_0 vanishes */
    }
}

static void cone_force(double *f, const cone *c)
{
    double square = 0;
    for (int j = 1; j < c->dim; j++) {
        const double u = c->mu[j] > 0 ? c->U[j] / (c->P[j] + c->lambda) : 0;
        f[j] = -c->mu[j] * u;
        square += u * u;
    }
    f[0] = c->zone == SAL_EFC_CONE ? sqrt(square) : -c->y[0] / c->R[0];
}

/* Slip: df_0 = n'df_t, n_j = f_j/(mu_j^2 f_0). With D_j = R_j + lambda/mu_j^2 and a_j = f_j/(mu_j
 * f_0), sum a^2 = 1, the tangents' curvature is (D + (R_0 - lambda) n n')^-1, by Sherman and
 * Morrison
 *
 *     C_tt = D^-1 - (R_0 - lambda)/sigma (D^-1 n)(D^-1 n)',   C_t0 = C_tt n,   C_00 = n'C_tt n
 *     sigma = 1 + (R_0 - lambda) n'D^-1 n = sum_j a_j^2 (P_j + R_0)/(P_j + lambda) > 0
 */
static void slip_curvature(double *h, const cone *c)
{
    const int n = c->dim;
    double f[PHY_IMPULSE_DIM] = {0}, D[PHY_IMPULSE_DIM] = {0}, Dn[PHY_IMPULSE_DIM] = {0};
    double normal[PHY_IMPULSE_DIM] = {0}, sum = 0, nDn = 0;
    cone_force(f, c);
    for (int j = 1; j < n; j++) {
        if (c->mu[j] > 0) {
            const double square = c->mu[j] * c->mu[j], a = f[j] / (c->mu[j] * f[0]);
            normal[j] = a / c->mu[j];
            D[j] = (c->P[j] + c->lambda) / square;
            Dn[j] = normal[j] / D[j];
            nDn += normal[j] * Dn[j];
            sum += a * a * (c->P[j] + c->R[0]) / (c->P[j] + c->lambda);
        }
    }
    const double e = (c->R[0] - c->lambda) / sum;
    h[0] = nDn / sum; /* C_tt n = D^-1 n/sigma */
    for (int j = 1; j < n; j++) {
        h[j] = h[j * n] = Dn[j] / sum;
        for (int k = 1; k < n; k++) {
            h[j * n + k] = (j == k && D[j] > 0 ? 1 / D[j] : 0) - e * (Dn[j] * Dn[k]);
        }
    }
}

static sal_status check(const phy_impulse_block *block, const double *R, const double *y)
{
    const sal_status status = phy_impulse_check(block);
    for (int j = 0; j < block->dim && status == SAL_OK; j++) {
        if (!isfinite(R[j]) || !isfinite(y[j])) {
            return SAL_DIVERGED;
        }
        if (R[j] <= 0) {
            return SAL_BADINPUT;
        }
    }
    return status;
}

/* f of a single row */
static double row_force(sal_efc_state *zone, const phy_impulse_block *block, double R, double y)
{
    const double f = -y / R;
    *zone = SAL_EFC_QUADRATIC;
    if (block->family == PHY_IMPULSE_NORMAL && !(f > 0)) {
        *zone = SAL_EFC_SATISFIED;
        return 0;
    }
    if (block->family == PHY_IMPULSE_LOSS && fabs(f) >= block->bound) {
        *zone = f > 0 ? SAL_EFC_LINEARNEG : SAL_EFC_LINEARPOS;
        return copysign(block->bound, f);
    }
    return f;
}

sal_status phy_convex_inverse(double *f, double *s, sal_efc_state *zone,
                              const phy_impulse_block *block, const double *R, const double *y)
{
    const sal_status status = check(block, R, y);
    *s = 0;
    *zone = SAL_EFC_SATISFIED;
    for (int j = 0; j < block->dim && j < PHY_IMPULSE_DIM; j++) {
        f[j] = 0;
    }
    if (status != SAL_OK) {
        return status;
    }
    if (block->family != PHY_IMPULSE_CONE) {
        f[0] = row_force(zone, block, R[0], y[0]);
        *s = -f[0] * (0.5 * R[0] * f[0] + y[0]);
        return SAL_OK;
    }
    cone c;
    cone_of(&c, block, R, y);
    *zone = c.zone;
    if (c.zone != SAL_EFC_SATISFIED) {
        cone_force(f, &c);
    }
    for (int j = 0; j < c.dim; j++) { /* f'(R f + y) = 0 on a cone: s = f'R f/2 */
        *s += 0.5 * R[j] * f[j] * f[j];
    }
    return SAL_OK;
}

sal_status phy_convex_curvature(double *curvature, const phy_impulse_block *block, const double *R,
                                const double *y)
{
    const sal_status status = check(block, R, y);
    const int n = block->dim < PHY_IMPULSE_DIM ? block->dim : PHY_IMPULSE_DIM;
    for (int j = 0; j < n * n; j++) {
        curvature[j] = 0;
    }
    if (status != SAL_OK) {
        return status;
    }
    if (block->family != PHY_IMPULSE_CONE) {
        sal_efc_state zone;
        row_force(&zone, block, R[0], y[0]);
        curvature[0] = zone == SAL_EFC_QUADRATIC ? 1 / R[0] : 0;
        return SAL_OK;
    }
    cone c;
    cone_of(&c, block, R, y);
    if (c.zone == SAL_EFC_CONE) {
        slip_curvature(curvature, &c);
        return SAL_OK;
    }
    for (int j = 0; j < n && c.zone == SAL_EFC_QUADRATIC; j++) {
        curvature[j * n + j] = c.mu[j] > 0 ? 1 / R[j] : 0;
    }
    return SAL_OK;
}
