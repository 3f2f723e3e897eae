/* weakest.c: directions that a problem hardly determines: the smallest eigenvectors of its Hessian
 * H = A'A over terms and constraints, by inverse iteration of a few vectors at a time (Golub, Van
 * Loan, "Matrix computations", 8.2):
 *
 *     V <- orthonormal basis of (H + shift I)^-1 V;    curvature = 1 / v'(H + shift I)^-1 v - shift
 */
#include "base/house.h"
#include "optim/solver.h"

#include <math.h>
#include <string.h>

static const double SHIFT = 1e-15, SHIFT_MOST = 1e-9; /* of the largest diagonal entry */
enum { SWEEPS = 8 };

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* Gram and Schmidt, twice for the last digits. */
static void orthonormalise(double *V, int k, int n)
{
    double *v = V + (size_t)k * (size_t)n;
    for (int pass = 0; pass < 2; pass++) {
        for (int j = 0; j < k; j++) {
            const double *u = V + (size_t)j * (size_t)n;
            const double along = dot(u, v, n);
            for (int i = 0; i < n; i++) {
                v[i] -= along * u[i];
            }
        }
        const double length = sqrt(dot(v, v, n));
        for (int i = 0; i < n && length > 0; i++) {
            v[i] /= length;
        }
    }
}

/* The smallest shift with which H can be factorised. */
static sal_status factorise(sal_optim *o, double *shift, sal_err *err)
{
    const double most = opt_model_curvature(o, 1, 1);
    sal_status status = SAL_SINGULAR;
    double share = SHIFT;
    while (status == SAL_SINGULAR && share <= SHIFT_MOST) {
        *shift = share * most;
        status = opt_model_factorise_mix(o, 1, 1, *shift, err);
        share *= 10;
    }
    return status;
}

sal_status sal_optim_weakest(sal_optim *o, const double *x, int n, double *V, double *curvature,
                             sal_err *err)
{
    const int nvar = o->nls->nvar;
    double shift = 0;
    sal_rng rng = {1};
    memcpy(o->now.x, x, (size_t)o->nls->nx * sizeof *x);
    o->now.valued = false;
    o->rows = OPT_ROWS_ALL;
    sal_status status = opt_model_linearise(o, err);
    status = status == SAL_OK ? factorise(o, &shift, err) : status;
    for (int i = 0; i < n * nvar; i++) {
        V[i] = sal_rng_uniform(&rng, -1, 1);
    }
    for (int sweep = 0; sweep < SWEEPS && status == SAL_OK; sweep++) {
        for (int k = 0; k < n && status == SAL_OK; k++) {
            double *v = V + (size_t)k * (size_t)nvar;
            orthonormalise(V, k, nvar);
            status = opt_model_solve(o, o->d, v, err);
            curvature[k] = -1 / dot(v, o->d, nvar) - shift;
            memcpy(v, o->d, (size_t)nvar * sizeof *v);
            orthonormalise(V, k, nvar);
        }
    }
    for (int k = 0; k < n; k++) {
        curvature[k] = fmax(curvature[k], 0) / opt_model_curvature(o, 1, 1);
    }
    return status;
}
