/* posthoc.c: impulses of the limp mechanism first, then the torques. */
#include "physics/laws/posthoc.h"

#include "base/dense.h"

#include <math.h>
#include <string.h>

size_t phy_posthoc_size(int nv, int k)
{
    const size_t n = (size_t)nv, m = (size_t)k;
    return 3 * n * n + n + m * m + m * n + 2 * m;
}

void phy_posthoc_place(phy_posthoc *posthoc, double *memory)
{
    const int n = posthoc->nv, k = posthoc->k;
    posthoc->factor = memory;
    posthoc->factor_plus = posthoc->factor + n * n;
    posthoc->M_plus = posthoc->factor_plus + n * n;
    posthoc->A = posthoc->M_plus + n * n;
    posthoc->MinvJ = posthoc->A + k * k;
    posthoc->c = posthoc->MinvJ + k * n;
    posthoc->f = posthoc->c + k;
    posthoc->v0 = posthoc->f + k;
}

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* factor, MinvJ and A */
static sal_status matrices(phy_posthoc *p)
{
    const int n = p->nv;
    memcpy(p->factor, p->M, (size_t)n * (size_t)n * sizeof *p->M);
    if (sal_dense_cholesky(p->factor, n) < n) {
        return SAL_SINGULAR;
    }
    for (int i = 0; i < p->k; i++) {
        memcpy(p->MinvJ + i * n, p->J + i * n, (size_t)n * sizeof *p->J);
        sal_dense_cholesky_solve(p->MinvJ + i * n, p->factor, n);
    }
    for (int i = 0; i < p->k; i++) {
        for (int j = 0; j <= i; j++) {
            p->A[i * p->k + j] = p->A[j * p->k + i] = dot(p->J + i * n, p->MinvJ + j * n, n);
        }
    }
    return SAL_OK;
}

/* v0 = v + h M^-1 F, and c = J v0 - w* */
static void free_velocity(phy_posthoc *p)
{
    const int n = p->nv;
    memcpy(p->v0, p->F, (size_t)n * sizeof *p->F);
    sal_dense_cholesky_solve(p->v0, p->factor, n);
    for (int i = 0; i < n; i++) {
        p->v0[i] = p->v[i] + p->timestep * p->v0[i];
    }
    for (int i = 0; i < p->k; i++) {
        p->c[i] = dot(p->J + i * n, p->v0, n) - p->wref[i];
    }
}

bool phy_posthoc_is_active(const phy_posthoc *posthoc, const phy_impulse_block *block)
{
    bool carries = block->family == PHY_IMPULSE_EQUALITY;
    for (int j = 0; j < block->dim; j++) {
        carries = carries || posthoc->f[block->row + j] != 0;
    }
    return carries;
}

/* M+ = M + sum_active weight_i J_i'J_i, and its factor */
static sal_status larger_inertia(phy_posthoc *p)
{
    const int n = p->nv;
    const size_t size = (size_t)n * (size_t)n * sizeof *p->M;
    memcpy(p->M_plus, p->M, size);
    for (int b = 0; b < p->nblock; b++) {
        const int first = p->block[b].row;
        const bool active = phy_posthoc_is_active(p, &p->block[b]);
        for (int i = first; i < first + p->block[b].dim && active; i++) {
            const double *row = p->J + i * n;
            for (int r = 0; r < n * n; r++) {
                p->M_plus[r] += p->weight[i] * row[r / n] * row[r % n];
            }
        }
    }
    memcpy(p->factor_plus, p->M_plus, size);
    return sal_dense_cholesky(p->factor_plus, n) == n ? SAL_OK : SAL_SINGULAR;
}

sal_status phy_posthoc_impulses(phy_posthoc *posthoc, double *slope)
{
    double sum = 0;
    sal_status status = matrices(posthoc);
    if (status != SAL_OK) {
        return status;
    }
    free_velocity(posthoc);
    for (int i = 0; i < posthoc->nv; i++) {
        sum += posthoc->v0[i] - posthoc->v0[i]; /* NaN unless all are finite */
    }
    for (int i = 0; i < posthoc->k; i++) {
        sum += posthoc->c[i] - posthoc->c[i];
    }
    if (!(sum == 0)) {
        return SAL_DIVERGED;
    }
    status = posthoc->model(posthoc->f, slope, posthoc->A, posthoc->c, posthoc->context);
    if (status != SAL_OK) {
        return status;
    }
    for (int i = 0; i < posthoc->k; i++) { /* v0 += M^-1 J'f */
        for (int d = 0; d < posthoc->nv; d++) {
            posthoc->v0[d] += posthoc->MinvJ[i * posthoc->nv + d] * posthoc->f[i];
        }
    }
    return larger_inertia(posthoc);
}

void phy_posthoc_forward(double *next, const phy_posthoc *posthoc, const double *tau)
{
    memmove(next, tau, (size_t)posthoc->nv * sizeof *tau);
    sal_dense_cholesky_solve(next, posthoc->factor_plus, posthoc->nv);
    for (int i = 0; i < posthoc->nv; i++) {
        next[i] = posthoc->v0[i] + posthoc->timestep * next[i];
    }
}

void phy_posthoc_inverse(double *tau, const phy_posthoc *posthoc, const double *next)
{
    const int n = posthoc->nv;
    for (int i = 0; i < n; i++) {
        tau[i] = 0;
        for (int j = 0; j < n; j++) {
            tau[i] += posthoc->M_plus[i * n + j] * (next[j] - posthoc->v0[j]) / posthoc->timestep;
        }
    }
}

/* Per column: u = e + h M^-1 F_v e, the change of the free velocity; dv0 = u + M^-1 J' df/dc J u;
 * dtau = M+ (e - dv0)/h. */
void phy_posthoc_by_velocity(double *dtau, const phy_posthoc *posthoc, const double *slope,
                             const double *dF, double *scratch)
{
    const int n = posthoc->nv, k = posthoc->k;
    const double h = posthoc->timestep;
    double *u = scratch, *rest = scratch + n;
    for (int e = 0; e < n; e++) {
        for (int i = 0; i < n; i++) {
            u[i] = dF == NULL ? 0 : dF[i * n + e];
        }
        sal_dense_cholesky_solve(u, posthoc->factor, n);
        for (int i = 0; i < n; i++) {
            rest[i] = -u[i]; /* (e - u)/h */
            u[i] = (i == e ? 1 : 0) + h * u[i];
        }
        for (int j = 0; j < k; j++) {
            const double dc = dot(posthoc->J + j * n, u, n);
            for (int i = 0; i < k && dc != 0; i++) {
                const double df = slope[i * k + j] * dc / h;
                for (int d = 0; d < n && df != 0; d++) {
                    rest[d] -= posthoc->MinvJ[i * n + d] * df;
                }
            }
        }
        for (int i = 0; i < n; i++) {
            dtau[i * n + e] = dot(posthoc->M_plus + i * n, rest, n);
        }
    }
}
