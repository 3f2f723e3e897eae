/* complementarity.c: F(x) = 0 of hybrid.h by Newton's method. F is smooth but for kinks, so |F| is
 * looked at along the whole step, at the kinks and between them. */
#include "physics/laws/complementarity.h"

#include "base/dense.h"
#include "physics/laws/eliminate.h"
#include "physics/laws/hybrid.h"

#include <math.h>
#include <string.h>

enum { VECTORS = 7, MATRICES = 3, KINKS_OF_BLOCK = 3, MORE_POINTS = 8, FINE = 7 };
enum { ROUNDS = 10, SWEEPS = 200, FALLS = 10 };
/* of A, in directions only: more contacts than dofs make A singular, and a step would be huge */
#define RIDGE      1e-8
#define DAMPING    1e-3
#define LEAST_FALL 1e-4 /* of |F|: a direction that gives less is poor */

typedef struct newton {
    phy_hybrid hybrid;
    double *x, *trial, *f, *F, *d, *best; /* [k] */
    double *J, *N;                        /* [k x k] */
    double *point;                        /* [points_of] step lengths */
    double norm, norm_of_best;
    double extra; /* on the diagonal of A, while it falls to 0 */
} newton;

/* Kinks, the middles between them, and a few more */
static size_t points_of(int nblock)
{
    return 2 * (size_t)(KINKS_OF_BLOCK * nblock) + MORE_POINTS;
}

size_t phy_complementarity_scratch(int k, int nblock)
{
    const size_t n = (size_t)k;
    return VECTORS * n + MATRICES * n * n + points_of(nblock);
}

static void place(newton *n, const phy_complementarity_problem *problem, double *x, double *scratch)
{
    const int k = problem->k;
    *n = (newton){.x = x};
    double **vectors[VECTORS] = {&n->trial, &n->f,        &n->F,           &n->d,
                                 &n->best,  &n->hybrid.c, &n->hybrid.scale};
    double **matrices[MATRICES] = {&n->J, &n->N, &n->hybrid.A};
    for (int i = 0; i < VECTORS; i++, scratch += k) {
        *vectors[i] = scratch;
    }
    for (int i = 0; i < MATRICES; i++, scratch += k * k) {
        *matrices[i] = scratch;
    }
    n->point = scratch;
}

/* ---- the step length ---- */

static double norm_at(newton *n, double alpha)
{
    for (int i = 0; i < n->hybrid.k; i++) {
        n->trial[i] = n->x[i] + alpha * n->d[i];
    }
    return phy_hybrid_residual(n->F, n->f, &n->hybrid, n->trial);
}

static int add_point(double *point, int count, double alpha)
{
    if (alpha > 0 && alpha < 1) {
        point[count++] = alpha;
    }
    return count;
}

/* Where x + alpha d passes from zone to zone: x_0 = 0, |x_t|^2 = mu^2 x_0^2, |x| = bound */
static int add_kinks(double *point, int count, const newton *n, const phy_impulse_block *block)
{
    const double *x = n->x + block->row, *d = n->d + block->row;
    if (block->family == PHY_IMPULSE_EQUALITY) {
        return count;
    }
    if (block->family == PHY_IMPULSE_LOSS) {
        const double bound = phy_hybrid_bound(&n->hybrid, block);
        count = add_point(point, count, (bound - x[0]) / d[0]);
        return add_point(point, count, (-bound - x[0]) / d[0]);
    }
    count = add_point(point, count, -x[0] / d[0]);
    const double mu = phy_hybrid_mu(&n->hybrid, block);
    double a = -mu * mu * d[0] * d[0], b = -mu * mu * d[0] * x[0], c = -mu * mu * x[0] * x[0];
    for (int j = 1; j < block->dim; j++) {
        a += d[j] * d[j];
        b += d[j] * x[j];
        c += x[j] * x[j];
    }
    const double root = sqrt(b * b - a * c); /* NaN is no point */
    count = add_point(point, count, (-b - root) / a);
    return add_point(point, count, (-b + root) / a);
}

/* By insertion: qsort may allocate. */
static void sort(double *point, int count)
{
    for (int i = 1; i < count; i++) {
        const double moved = point[i];
        int j = i;
        for (; j > 0 && point[j - 1] > moved; j--) {
            point[j] = point[j - 1];
        }
        point[j] = moved;
    }
}

/* All points to look at, sorted; the last is 1. */
static int find_points(newton *n)
{
    int count = 0;
    for (int b = 0; b < n->hybrid.nblock; b++) {
        count = add_kinks(n->point, count, n, &n->hybrid.block[b]);
    }
    n->point[count++] = 0.1;
    n->point[count++] = 0.5;
    n->point[count++] = 1;
    sort(n->point, count);
    const int kinks = count;
    for (int i = 0; i < kinks; i++) {
        n->point[count++] = 0.5 * (n->point[i] + (i > 0 ? n->point[i - 1] : 0));
    }
    sort(n->point, count);
    return count;
}

/* Moves x to the best point along d, if |F| falls there by LEAST_FALL. */
static bool search(newton *n)
{
    const int count = find_points(n);
    double least = norm_at(n, 1), alpha = 1;
    int best = count - 1;
    for (int i = 0; i < count - 1 && least > 0.1 * n->norm; i++) {
        const double here = norm_at(n, n->point[i]);
        if (here < least || !isfinite(least)) {
            least = here;
            alpha = n->point[i];
            best = i;
        }
    }
    const double low = best > 0 ? n->point[best - 1] : 0;
    const double high = best < count - 1 ? n->point[best + 1] : 1;
    for (int i = 1; i <= FINE && least > 0.1 * n->norm; i++) {
        const double middle = low + (high - low) * i / (FINE + 1);
        const double here = norm_at(n, middle);
        if (here < least) {
            least = here;
            alpha = middle;
        }
    }
    if (!(least < (1 - LEAST_FALL) * n->norm)) {
        return false;
    }
    n->norm = norm_at(n, alpha);
    memcpy(n->x, n->trial, (size_t)n->hybrid.k * sizeof *n->x);
    return true;
}

/* ---- the direction ---- */

/* d = -J^-1 F */
static bool newton_direction(newton *n)
{
    const int k = n->hybrid.k;
    memcpy(n->N, n->J, (size_t)k * (size_t)k * sizeof *n->N);
    for (int i = 0; i < k; i++) {
        n->d[i] = -n->F[i];
    }
    return phy_eliminate(n->d, 1, n->N, k) == SAL_OK;
}

/* d = -(J'J + l I)^-1 J'F,  l = DAMPING |F|^2/|c|^2 tr(J'J)/k */
static bool damped_direction(newton *n)
{
    const int k = n->hybrid.k;
    double trace = 0;
    for (int i = 0; i < k; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int m = 0; m < k; m++) {
                sum += n->J[m * k + i] * n->J[m * k + j];
            }
            n->N[i * k + j] = sum;
        }
        trace += n->N[i * k + i];
        n->d[i] = 0;
        for (int m = 0; m < k; m++) {
            n->d[i] -= n->J[m * k + i] * n->F[m];
        }
    }
    const double ratio = n->norm / n->hybrid.size;
    for (int i = 0; i < k; i++) {
        n->N[i * k + i] += DAMPING * ratio * ratio * trace / k;
    }
    if (sal_dense_cholesky(n->N, k) < k) {
        return false;
    }
    sal_dense_cholesky_solve(n->d, n->N, k);
    return true;
}

/* d = -J'F |J'F|^2/|J J'F|^2: the minimum of |F + J d| along the gradient */
static bool gradient_direction(newton *n)
{
    const int k = n->hybrid.k;
    double square = 0, image = 0;
    for (int i = 0; i < k; i++) {
        n->d[i] = 0;
        for (int m = 0; m < k; m++) {
            n->d[i] -= n->J[m * k + i] * n->F[m];
        }
        square += n->d[i] * n->d[i];
    }
    for (int i = 0; i < k; i++) {
        double sum = 0;
        for (int j = 0; j < k; j++) {
            sum += n->J[i * k + j] * n->d[j];
        }
        image += sum * sum;
    }
    for (int i = 0; i < k; i++) {
        n->d[i] *= square / image;
    }
    return image > 0;
}

/* ---- the method ---- */

/* From x on, until |F| is small or no direction leads on. */
static bool iterate(newton *n, phy_complementarity_effort *effort)
{
    static bool (*const direction[])(newton *) = {newton_direction, damped_direction,
                                                  gradient_direction};
    bool goes_on = true;
    n->norm = phy_hybrid_residual(n->F, n->f, &n->hybrid, n->x);
    for (int step = 0; step < effort->most && goes_on; step++) {
        if (n->norm <= effort->tolerance * n->hybrid.size) {
            break;
        }
        phy_hybrid_jacobian(n->J, &n->hybrid, n->x, RIDGE);
        goes_on = false;
        for (int i = 0; i < 3 && !goes_on; i++) {
            phy_hybrid_residual(n->F, n->f, &n->hybrid, n->x);
            goes_on = direction[i](n) && search(n);
        }
        n->norm = phy_hybrid_residual(n->F, n->f, &n->hybrid, n->x);
        effort->used++;
    }
    if (n->hybrid.share == 1 && n->extra == 0 && n->norm < n->norm_of_best) {
        n->norm_of_best = n->norm;
        memcpy(n->best, n->x, (size_t)n->hybrid.k * sizeof *n->x);
    }
    return n->norm <= effort->tolerance * n->hybrid.size;
}

static void start_cold(newton *n)
{
    for (int i = 0; i < n->hybrid.k; i++) {
        n->x[i] = -n->hybrid.c[i];
    }
}

/* Friction grows: each solution is the start of the next. */
static bool with_growing_friction(newton *n, phy_complementarity_effort *effort)
{
    static const double share[] = {0.1, 0.3, 0.6, 0.8, 1};
    bool is_solved = false;
    start_cold(n);
    for (int i = 0; i < 5; i++) {
        n->hybrid.share = share[i];
        is_solved = iterate(n, effort);
    }
    return is_solved;
}

static void set_extra(newton *n, double extra)
{
    const int k = n->hybrid.k;
    for (int i = 0; i < k; i++) {
        n->hybrid.A[i * (k + 1)] += extra - n->extra;
    }
    n->extra = extra;
}

/* A + r I, r falling: contacts are soft first, which makes even a singular A easy. */
static bool with_falling_compliance(newton *n, phy_complementarity_effort *effort)
{
    start_cold(n);
    for (int i = 0; i < FALLS; i++) {
        set_extra(n, pow(0.1, i));
        iterate(n, effort);
    }
    set_extra(n, 0);
    return iterate(n, effort);
}

/* One block of Gauss-Seidel: the normal along its row, then the tangents within the disc. */
static void sweep_block(newton *n, const phy_impulse_block *block)
{
    const int k = n->hybrid.k, dim = block->dim;
    double *f = n->f + block->row, *x = n->x + block->row;
    for (int j = 0; j < dim; j++) { /* x = f - w/a, and f from it */
        const double *row = n->hybrid.A + (block->row + j) * k;
        double a = row[block->row + j], w = n->hybrid.c[block->row + j];
        for (int i = 1; i < dim && j > 0; i++) { /* one for all tangents: the disc stays round */
            a = fmax(a, n->hybrid.A[(block->row + i) * k + block->row + i]);
        }
        for (int i = 0; i < k; i++) {
            w += row[i] * n->f[i];
        }
        x[j] = a > 0 ? f[j] - w / a : 0;
        f[j] = j == 0 && phy_impulse_has_normal(block) ? fmax(x[j], 0) : x[j];
    }
    double square = 0;
    for (int j = 1; j < dim; j++) {
        square += f[j] * f[j];
    }
    const double border = phy_hybrid_mu(&n->hybrid, block) * f[0], length = sqrt(square);
    for (int j = 1; j < dim && length > border; j++) {
        f[j] *= border / length;
    }
    if (block->family == PHY_IMPULSE_LOSS) {
        const double bound = phy_hybrid_bound(&n->hybrid, block);
        f[0] = fmin(fmax(f[0], -bound), bound);
    }
}

/* Sweeps and Newton's method by turns */
static bool after_sweeps(newton *n, phy_complementarity_effort *effort)
{
    const int k = n->hybrid.k;
    memset(n->x, 0, (size_t)k * sizeof *n->x);
    for (int round = 0; round < ROUNDS; round++) {
        phy_hybrid_force(n->f, &n->hybrid, n->x);
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            for (int b = 0; b < n->hybrid.nblock; b++) {
                sweep_block(n, &n->hybrid.block[b]);
            }
        }
        for (int i = 0; i < k; i++) { /* x = f - w */
            double w = n->hybrid.c[i];
            for (int j = 0; j < k; j++) {
                w += n->hybrid.A[i * k + j] * n->f[j];
            }
            n->x[i] = n->f[i] - w;
        }
        if (iterate(n, effort)) {
            return true;
        }
    }
    return false;
}

/* The first rung that reaches the tolerance. */
static phy_complementarity_rung climb(newton *n, phy_complementarity_effort *effort)
{
    if (!effort->is_warm) {
        start_cold(n);
    }
    if (iterate(n, effort)) {
        return PHY_COMPLEMENTARITY_DIRECT;
    }
    if (effort->last >= PHY_COMPLEMENTARITY_FRICTION && with_growing_friction(n, effort)) {
        return PHY_COMPLEMENTARITY_FRICTION;
    }
    n->hybrid.share = 1;
    if (effort->last >= PHY_COMPLEMENTARITY_COMPLIANCE && with_falling_compliance(n, effort)) {
        return PHY_COMPLEMENTARITY_COMPLIANCE;
    }
    if (effort->last >= PHY_COMPLEMENTARITY_SWEEPS && after_sweeps(n, effort)) {
        return PHY_COMPLEMENTARITY_SWEEPS;
    }
    return PHY_COMPLEMENTARITY_NOTHING;
}

sal_status phy_complementarity_solve(double *f, double *x, phy_complementarity_effort *effort,
                                     const phy_complementarity_problem *problem, double *scratch)
{
    newton n;
    const int k = problem->k;
    place(&n, problem, x, scratch);
    effort->used = 0;
    effort->residual = INFINITY;
    effort->rung = PHY_COMPLEMENTARITY_NOTHING;
    memset(f, 0, (size_t)k * sizeof *f);
    const sal_status status = phy_hybrid_scale(&n.hybrid, problem);
    if (status != SAL_OK) {
        return status;
    }
    n.norm_of_best = INFINITY;
    effort->rung = climb(&n, effort);
    if (!isfinite(n.norm_of_best)) {
        return SAL_DIVERGED;
    }
    memcpy(x, n.best, (size_t)k * sizeof *x);
    effort->residual = n.norm_of_best > 0 ? n.norm_of_best / n.hybrid.size : 0;
    n.hybrid.share = 1;
    phy_hybrid_force(f, &n.hybrid, x);
    for (int i = 0; i < k; i++) {
        f[i] *= n.hybrid.scale[i];
    }
    return SAL_OK;
}

/* F(x) = 0 for all c~:  dx = -F'^-1 dc~, df~ = P dx,  df = S df~, dc~ = S dc */
sal_status phy_complementarity_derivative(double *slope, const double *x,
                                          const phy_complementarity_problem *problem,
                                          double *scratch)
{
    newton n;
    const int k = problem->k;
    double P[PHY_IMPULSE_DIM * PHY_IMPULSE_DIM];
    place(&n, problem, NULL, scratch);
    sal_status status = phy_hybrid_scale(&n.hybrid, problem);
    if (status != SAL_OK) {
        return status;
    }
    phy_hybrid_jacobian(n.J, &n.hybrid, x, 0);
    for (int i = 0; i < k * k; i++) {
        n.N[i] = i % (k + 1) == 0 ? -n.hybrid.scale[i / k] : 0;
    }
    status = phy_eliminate(n.N, k, n.J, k);
    for (int b = 0; b < problem->nblock && status == SAL_OK; b++) {
        const phy_impulse_block *block = &problem->block[b];
        const int row = block->row, dim = block->dim;
        phy_hybrid_projection(P, &n.hybrid, block, x + row);
        for (int i = 0; i < dim; i++) {
            for (int j = 0; j < k; j++) {
                double sum = 0;
                for (int m = 0; m < dim; m++) {
                    sum += P[i * dim + m] * n.N[(row + m) * k + j];
                }
                slope[(row + i) * k + j] = n.hybrid.scale[row + i] * sum;
            }
        }
    }
    return status;
}
