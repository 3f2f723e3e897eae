/* convex_newton.c: the convex model by Newton's method.
 *
 * With G(f) = f'A f/2 + f'c + Q(A f + c), y(z) = grad G(z) - w* and s the sum of the blocks'
 * potentials (convex.h), the dual problem in terms of z is
 *
 *     min z'grad G(z) - G(z) + s(y(z)),     its gradient: H (z - f(y(z))),    H = A + q A E D E'A
 *
 * D = 1 at the normals that are pushed. With C = -df/dy, in blocks, the direction
 *
 *     (I + C H) d = -(z - f)
 *
 * goes down: d'H (z - f) = -d'H d - (H d)'C (H d). At the minimum z and f are one, but for what A
 * does not see; f is the result.
 */
#include "physics/laws/convex_dense.h"
#include "physics/laws/eliminate.h"

#include <math.h>
#include <string.h>

enum { VECTORS = 8, SEARCH_STEPS = 40, DIM = PHY_IMPULSE_DIM };
#define FLAT 0.1 /* of the first slope */

typedef struct newton {
    const phy_convex_problem *p;
    double *f;                                /* f(y(z)) */
    double *z, *start, *w, *y, *push, *r, *d; /* [k]; r = z - f */
    double *Ad;                               /* [k] */
    double *H, *J;                            /* [k x k] */
    double least;                             /* of |r| */
} newton;

size_t phy_convex_newton_scratch(int k)
{
    const size_t n = (size_t)k;
    return VECTORS * n + 2 * n * n;
}

static void place(newton *n, const phy_convex_problem *problem, double *f, double *scratch)
{
    const int k = problem->k;
    *n = (newton){.p = problem, .f = f};
    double **vectors[VECTORS] = {&n->z, &n->start, &n->w, &n->y, &n->push, &n->r, &n->d, &n->Ad};
    for (int i = 0; i < VECTORS; i++) {
        *vectors[i] = scratch + i * k;
    }
    n->H = scratch + VECTORS * k;
    n->J = n->H + k * k;
    for (int i = 0; i < k; i++) {
        n->z[i] = f[i];
    }
}

static double largest(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

/* w, push, y, f and r at z */
static sal_status evaluate(newton *n)
{
    const phy_convex_problem *p = n->p;
    phy_convex_velocity(n->w, p, n->z);
    phy_convex_argument(n->y, n->push, p, n->w);
    for (int i = 0; i < p->nblock; i++) {
        const int row = p->block[i].row;
        sal_efc_state zone;
        double s;
        const sal_status status =
            phy_convex_inverse(n->f + row, &s, &zone, &p->block[i], p->R + row, n->y + row);
        if (status != SAL_OK) {
            return status;
        }
    }
    for (int i = 0; i < p->k; i++) {
        n->r[i] = n->z[i] - n->f[i];
    }
    return SAL_OK;
}

/* a'b */
static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* d'H r, the slope along d; evaluate() done */
static double slope(const newton *n)
{
    const phy_convex_problem *p = n->p;
    double sum = dot(n->Ad, n->r, p->k);
    for (int i = 0; i < p->k; i++) {
        if (n->push[i] > 0) {
            sum += p->penalty * n->Ad[i] * dot(p->A + i * p->k, n->r, p->k);
        }
    }
    return sum;
}

/* H = A + q sum A_n A_n' over the normals that are pushed */
static void curvature_of_velocities(newton *n)
{
    const phy_convex_problem *p = n->p;
    const int k = p->k;
    memcpy(n->H, p->A, (size_t)k * (size_t)k * sizeof *n->H);
    for (int m = 0; m < k; m++) {
        const double *row = p->A + m * k;
        for (int i = 0; i < k && n->push[m] > 0; i++) {
            for (int j = 0; j < k; j++) {
                n->H[i * k + j] += p->penalty * row[i] * row[j];
            }
        }
    }
}

/* d and A d */
static sal_status direction(newton *n)
{
    const phy_convex_problem *p = n->p;
    const int k = p->k;
    double C[DIM * DIM];
    curvature_of_velocities(n);
    memset(n->J, 0, (size_t)k * (size_t)k * sizeof *n->J);
    for (int b = 0; b < p->nblock; b++) {
        const phy_impulse_block *block = &p->block[b];
        const int row = block->row, dim = block->dim;
        phy_convex_curvature(C, block, p->R + row, n->y + row);
        for (int i = 0; i < dim; i++) { /* J = I + C H */
            for (int j = 0; j < dim * k; j++) {
                n->J[(row + i) * k + j % k] += C[i * dim + j / k] * n->H[row * k + j];
            }
            n->J[(row + i) * k + row + i] += 1;
        }
    }
    for (int i = 0; i < k; i++) {
        n->d[i] = -n->r[i];
        n->start[i] = n->z[i];
    }
    const sal_status status = phy_eliminate(n->d, 1, n->J, k);
    for (int i = 0; i < k && status == SAL_OK; i++) {
        n->Ad[i] = dot(p->A + i * k, n->d, k);
    }
    return status;
}

/* Moves z along d to where the slope is FLAT of the first one, or at once where the whole step
 * halves the least residual so far, which cannot go on for ever. */
static sal_status search(newton *n)
{
    const double first = slope(n);
    double low = 0, high = INFINITY, alpha = 1;
    for (int k = 0; k < SEARCH_STEPS; k++) {
        for (int i = 0; i < n->p->k; i++) {
            n->z[i] = n->start[i] + alpha * n->d[i];
        }
        const sal_status status = evaluate(n);
        if (status != SAL_OK) {
            return status;
        }
        const double here = slope(n);
        if (fabs(here) <= FLAT * fabs(first) ||
            (k == 0 && largest(n->r, n->p->k) < 0.5 * n->least)) {
            return SAL_OK;
        }
        if (here < 0) {
            low = alpha;
        } else {
            high = alpha;
        }
        alpha = isinf(high) ? 2 * alpha : 0.5 * (low + high);
    }
    return SAL_OK;
}

sal_status phy_convex_newton(double *f, phy_convex_effort *effort,
                             const phy_convex_problem *problem, double *scratch)
{
    newton n;
    place(&n, problem, f, scratch);
    effort->used = 0;
    effort->residual = INFINITY;
    sal_status status = evaluate(&n);
    while (status == SAL_OK) {
        const double fault = largest(n.r, problem->k);
        n.least = effort->used == 0 ? fault : fmin(fault, n.least);
        effort->residual = fault > 0 ? fault / largest(f, problem->k) : 0;
        if (effort->residual <= effort->tolerance || effort->used == effort->most) {
            break;
        }
        effort->used++;
        status = direction(&n);
        if (status == SAL_OK) {
            status = search(&n);
        }
    }
    return status;
}
