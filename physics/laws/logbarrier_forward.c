/* logbarrier_forward.c: the forward direction of the smooth contact model, by Newton's method.
 *
 *     grad = R f + w + d'(f) + A E g,      w = A f + c
 *     N = A + R + d''(f) + A E G E'A,      N p = -grad,     decrement = -grad'p
 *
 * Not f takes the step, but y = -(R f + d'(f)), of which f is the inverse, one root per block:
 *
 *     f = f(y),      grad = w + A E g - y,      y += a dy,    dy = grad + A (p + E G E'A p)
 *
 * which is the same to first order (-df/dy dy = p). So f cannot leave the cones, no step has to end
 * at their borders, and few are needed also where kappa is small and the border is near: y knows
 * how far beyond it the contact is pushed, which f does not.
 *
 * With the metric e of a block's rows and its multiplier z:
 *
 *     e = (1, -1/mu_j^2), or -1 (friction of a dof),     v_j = e_j f_j
 *     d'' = v v' z^2/kappa - z diag(e) + kappa/f_n^2
 *
 * the last term in the normal row of cones. e is 0 in normal rows alone, in equalities, and in
 * rows without friction, whose f stays 0.
 */
#include "base/house.h"
#include "physics/laws/logbarrier_dense.h"

#include <math.h>
#include <stddef.h>

enum { STEPS = 300, HALVINGS = 30 };
/* The decrement that is enough for a kappa on the way, in kappa; the step is tried straight where
 * less than this of the curved one was good. */
#define NEAR  0.1
#define SHORT (1.0 / 32)

/* The scratch, in its parts */
typedef struct work {
    /* with the kappa of the moment */
    phy_barrier_system system;
    const double *c;
    /* [rows] */
    double *f, *w, *y;
    /* [blocks] */
    double *multiplier;
    /* [rows]: e, grad, p, dy, E g, the diagonal of E G E', y and f before the step */
    double *metric, *grad, *p, *dy, *g, *G, *old, *old_f, *curved;
    /* [rows x rows], the upper triangle; [blocks x rows] */
    double *matrix, *pushed;
} work;

size_t phy_barrier_scratch(int rows, int blocks)
{
    return (size_t)(rows + blocks + 10) * (size_t)rows + (size_t)blocks;
}

static void set_metric(double *metric, const phy_barrier_system *system)
{
    for (int block = 0, row = 0; block < system->blocks; row += system->dim[block++]) {
        metric[row] =
            phy_barrier_kind_of(system, block) == PHY_BARRIER_LOSS && system->mu[row] > 0 ? -1 : 0;
        for (int j = 1; j < system->dim[block]; j++) {
            const double mu = system->mu[row + j];
            metric[row + j] = mu < PHY_BARRIER_SMOOTH ? 0 : -1 / (mu * mu);
            metric[row] = mu < PHY_BARRIER_SMOOTH ? metric[row] : 1;
        }
    }
}

static void lay_out(work *at, const phy_barrier_system *system, double *scratch)
{
    const size_t rows = (size_t)system->rows;
    *at = (work){.system = *system};
    at->matrix = scratch;
    at->pushed = scratch + rows * rows;
    at->metric = at->pushed + rows * (size_t)system->blocks;
    at->grad = at->metric + rows;
    at->p = at->grad + rows;
    at->dy = at->p + rows;
    at->g = at->dy + rows;
    at->G = at->g + rows;
    at->old = at->G + rows;
    at->old_f = at->old + rows;
    at->curved = at->old_f + rows;
    at->y = at->curved + rows;
    at->multiplier = at->y + rows;
    set_metric(at->metric, system);
}

static bool is_idle(const work *at, int block, int j, int row)
{
    return at->metric[row + j] == 0 &&
           (j > 0 || phy_barrier_kind_of(&at->system, block) == PHY_BARRIER_LOSS);
}

/* ---- the Newton step ---- */

/* out = A x */
static void times_A(double *out, const phy_barrier_system *system, const double *x)
{
    const size_t rows = (size_t)system->rows;
    for (size_t i = 0; i < rows; i++) {
        out[i] = 0;
    }
    for (size_t k = 0; k < rows; k++) {
        const double *a = system->A + k * rows, part = x[k];
        for (size_t i = 0; i < rows && part != 0; i++) {
            out[i] += part * a[i];
        }
    }
}

/* x[j] += sign sum_k from[k][i] from[k][j], j = i .. rows - 1, k < count; four k at a time, so
 * that x is read and written less often */
SAL_CLONES("avx512f", "avx2")
static void add_products(double *restrict x, const double *restrict from, size_t rows, size_t count,
                         size_t i, double sign)
{
    size_t k = 0;
    for (; k + 4 <= count; k += 4) {
        const double *a = from + k * rows, *b = a + rows, *c = b + rows, *d = c + rows;
        const double ai = sign * a[i], bi = sign * b[i], ci = sign * c[i], di = sign * d[i];
        for (size_t j = i; j < rows; j++) {
            x[j] = x[j] + ai * a[j] + bi * b[j] + ci * c[j] + di * d[j];
        }
    }
    for (; k < count; k++) {
        const double *a = from + k * rows, ai = sign * a[i];
        for (size_t j = i; j < rows; j++) {
            x[j] += ai * a[j];
        }
    }
}

/* matrix = A + R + A E G E'A, upper triangle; the last as P'P, P the rows of sqrt(G) A */
static void add_linear(work *at)
{
    const phy_barrier_system *system = &at->system;
    const size_t rows = (size_t)system->rows;
    size_t count = 0;
    for (size_t k = 0; k < rows; k++) {
        const double root = sqrt(at->G[k]), *a = system->A + k * rows;
        for (size_t j = 0; j < rows && root != 0; j++) {
            at->pushed[count * rows + j] = root * a[j];
        }
        count += root != 0;
    }
    for (size_t i = 0; i < rows; i++) {
        double *row = at->matrix + i * rows;
        for (size_t j = i; j < rows; j++) {
            row[j] = system->A[i * rows + j];
        }
        row[i] += system->R[i];
        add_products(row, at->pushed, rows, count, i, 1);
    }
}

/* matrix += d'' */
static void add_barrier(work *at, int block, int row)
{
    const size_t rows = (size_t)at->system.rows, first = (size_t)row;
    const double z = at->multiplier[block], kappa = at->system.kappa;
    double *h = at->matrix + first * rows + first;
    const double *f = at->f + row, *e = at->metric + row;
    if (phy_barrier_kind_of(&at->system, block) == PHY_BARRIER_CONE) {
        h[0] += kappa / (f[0] * f[0]);
    }
    for (int j = 0; j < at->system.dim[block]; j++) {
        h[(size_t)j * rows + (size_t)j] -= z * e[j];
        for (int k = j; k < at->system.dim[block]; k++) {
            h[(size_t)j * rows + (size_t)k] += z * (e[j] * f[j]) * (z / kappa * (e[k] * f[k]));
        }
    }
}

/* Takes the row out of the system: its p is 0. */
static void set_idle(work *at, size_t row)
{
    const size_t rows = (size_t)at->system.rows;
    for (size_t i = 0; i < rows; i++) {
        at->matrix[i < row ? i * rows + row : row * rows + i] = i == row ? 1 : 0;
    }
    at->grad[row] = 0;
}

static void assemble(work *at)
{
    add_linear(at);
    for (int block = 0, row = 0; block < at->system.blocks; row += at->system.dim[block++]) {
        add_barrier(at, block, row);
        for (int j = 0; j < at->system.dim[block]; j++) {
            if (is_idle(at, block, j, row)) {
                set_idle(at, (size_t)row + (size_t)j);
            }
        }
    }
}

/* U'U = matrix in place, of its upper triangle, row by row. False: not positive. */
static bool factor(double *matrix, size_t rows)
{
    for (size_t i = 0; i < rows; i++) {
        double *row = matrix + i * rows;
        add_products(row, matrix, rows, i, i, -1);
        if (!(row[i] > 0)) {
            return false;
        }
        const double scale = 1 / sqrt(row[i]);
        for (size_t j = i; j < rows; j++) {
            row[j] *= scale;
        }
    }
    return true;
}

/* x = (U'U)^-1 x */
static void back(double *x, const double *matrix, size_t rows)
{
    for (size_t k = 0; k < rows; k++) {
        const double *u = matrix + k * rows, part = x[k] /= u[k];
        for (size_t j = k + 1; j < rows; j++) {
            x[j] -= part * u[j];
        }
    }
    for (size_t k = rows; k-- > 0;) {
        const double *u = matrix + k * rows;
        double sum = x[k];
        for (size_t j = k + 1; j < rows; j++) {
            sum -= u[j] * x[j];
        }
        x[k] = sum / u[k];
    }
}

/* Assembled and factored, with a ridge if need be. */
static bool prepare(work *at, bool *is_ridged)
{
    const size_t rows = (size_t)at->system.rows;
    assemble(at);
    if (factor(at->matrix, rows)) {
        return true;
    }
    double trace = 0;
    assemble(at);
    for (size_t i = 0; i < rows; i++) {
        trace += at->matrix[i * rows + i];
    }
    for (size_t i = 0; i < rows; i++) {
        at->matrix[i * rows + i] += 1e-14 * trace / (double)rows;
    }
    *is_ridged = true;
    return factor(at->matrix, rows);
}

/* ---- where it is ---- */

/* f, w, g, G and grad of y; the cost, and in *size the sum of its terms' magnitudes */
static double visit(work *at, double *size)
{
    const phy_barrier_system *system = &at->system;
    double cost = 0;
    *size = 0;
    phy_barrier_forces(at->f, at->multiplier, NULL, at->y, system);
    times_A(at->w, system, at->f);
    for (int i = 0; i < system->rows; i++) {
        at->w[i] += at->c[i];
        const double term = 0.5 * at->f[i] * (system->R[i] * at->f[i] + at->w[i] + at->c[i]);
        cost += term;
        *size += fabs(term);
    }
    phy_barrier_push(at->g, at->G, NULL, at->w, system);
    times_A(at->grad, system, at->g);
    for (int i = 0; i < system->rows; i++) {
        at->grad[i] += at->w[i] - at->y[i];
    }
    for (int block = 0, row = 0; block < system->blocks; row += system->dim[block++]) {
        const bool is_cone = phy_barrier_kind_of(system, block) == PHY_BARRIER_CONE;
        const double z = at->multiplier[block];
        double term = z > 0 ? -system->kappa * log(2 * system->kappa / z) : 0;
        term -= is_cone ? system->kappa * log(at->f[row]) : 0;
        if (is_cone && system->q[block] != 0) {
            term += phy_barrier_velocity_at(at->w[row] - system->vmin[block], system->kappa,
                                            system->q[block])
                        .value;
        }
        cost += term;
        *size += fabs(term);
    }
    return cost;
}

/* ---- the start ---- */

/* y of the block alone, as if A were diagonal: c + A f, f its inverse with R + A */
static void set_alone(double *y, const work *at, int block, int row)
{
    const phy_barrier_system *system = &at->system;
    const int dim = system->dim[block];
    double R[PHY_BARRIER_DIM] = {0}, diagonal[PHY_BARRIER_DIM] = {0}, f[PHY_BARRIER_DIM] = {0};
    for (int j = 0; j < dim; j++) {
        const size_t i = (size_t)row + (size_t)j;
        diagonal[j] = system->A[i * ((size_t)system->rows + 1)];
        R[j] = system->R[i] + diagonal[j];
        y[j] = at->c[i];
    }
    if (phy_barrier_kind_of(system, block) == PHY_BARRIER_EQUALITY) {
        f[0] = phy_barrier_equality(y[0], R[0]).f;
    } else if (phy_barrier_kind_of(system, block) == PHY_BARRIER_LOSS) {
        f[0] = phy_barrier_loss(y[0], R[0], system->mu[row], system->kappa).f;
    } else {
        phy_barrier_force alone;
        const phy_barrier_cone cone = {dim, R, system->mu + row + 1, system->kappa};
        y[0] -= system->q[block] != 0 ? fmin(0, system->vmin[block]) : 0;
        phy_barrier_cone_force(&alone, y, &cone);
        for (int j = 0; j < dim; j++) {
            f[j] = alone.f[j];
        }
    }
    for (int j = 0; j < dim; j++) {
        y[j] += diagonal[j] * f[j];
    }
}

/* Warm: the y of the w given */
static void begin(work *at, bool is_warm)
{
    const phy_barrier_system *system = &at->system;
    for (int block = 0, row = 0; block < system->blocks; row += system->dim[block++]) {
        set_alone(at->y + row, at, block, row);
    }
    if (is_warm) {
        phy_barrier_push(at->g, NULL, NULL, at->w, system);
        times_A(at->y, system, at->g);
        for (int i = 0; i < system->rows; i++) {
            at->y[i] += at->w[i];
        }
    }
}

/* ---- all of it ---- */

/* p and dy; the decrement. False: no factor. */
static bool set_step(phy_barrier_solution *solution, work *at)
{
    const int rows = at->system.rows;
    double decrement = 0;
    if (!prepare(at, &solution->is_ridged)) {
        return false;
    }
    for (int i = 0; i < rows; i++) {
        at->p[i] = -at->grad[i];
    }
    for (int block = 0, row = 0; block < at->system.blocks; row += at->system.dim[block++]) {
        for (int j = 0; j < at->system.dim[block]; j++) {
            at->p[row + j] = is_idle(at, block, j, row) ? 0 : at->p[row + j];
        }
    }
    back(at->p, at->matrix, (size_t)rows);
    times_A(at->old, &at->system, at->p);
    for (int i = 0; i < rows; i++) {
        decrement -= at->grad[i] * at->p[i];
        at->old[i] = at->p[i] + at->G[i] * at->old[i];
    }
    times_A(at->dy, &at->system, at->old);
    for (int i = 0; i < rows; i++) {
        at->dy[i] += at->grad[i];
        at->old[i] = at->y[i];
        at->old_f[i] = at->f[i];
    }
    solution->decrement = decrement;
    return true;
}

/* The smallest positive root of s[0] + 2 s[1] a + s[2] a^2, s[0] > 0 */
static double border_ahead(const double s[3])
{
    const double disc = s[1] * s[1] - s[0] * s[2];
    if (!(disc >= 0) || (s[1] >= 0 && s[2] >= 0)) {
        return INFINITY;
    }
    return s[1] < 0 ? s[0] / (sqrt(disc) - s[1]) : -(s[1] + sqrt(disc)) / s[2];
}

/* The largest a such that f + a p is inside */
static double reach(const work *at)
{
    double most = INFINITY;
    for (int block = 0, row = 0; block < at->system.blocks; row += at->system.dim[block++]) {
        double s[3] = {2 * at->system.kappa / at->multiplier[block], 0, 0};
        for (int j = 0; j < at->system.dim[block]; j++) {
            s[1] += at->metric[row + j] * at->f[row + j] * at->p[row + j];
            s[2] += at->metric[row + j] * at->p[row + j] * at->p[row + j];
        }
        most = at->metric[row] != 0 ? fmin(most, border_ahead(s)) : most;
        if (phy_barrier_kind_of(&at->system, block) == PHY_BARRIER_CONE && at->p[row] < 0) {
            most = fmin(most, -at->f[row] / at->p[row]);
        }
    }
    return most;
}

/* y = -(R f + d'(f)) of f + a p: d' = -2 kappa v/s_c - kappa/f_n */
static void go_straight(work *at, double a)
{
    const double kappa = at->system.kappa;
    for (int block = 0, row = 0; block < at->system.blocks; row += at->system.dim[block++]) {
        const int dim = at->system.dim[block];
        const phy_barrier_kind kind = phy_barrier_kind_of(&at->system, block);
        double f[PHY_BARRIER_DIM] = {0}, border = kind == PHY_BARRIER_LOSS ? at->system.mu[row] : 0;
        border *= border;
        for (int j = 0; j < dim; j++) {
            f[j] = at->old_f[row + j] + a * at->p[row + j];
            border += at->metric[row + j] * f[j] * f[j];
        }
        for (int j = 0; j < dim; j++) {
            const double v = at->metric[row + j] * f[j];
            at->y[row + j] = -at->system.R[row + j] * f[j] + (v != 0 ? 2 * kappa * v / border : 0);
        }
        at->y[row] += kind == PHY_BARRIER_CONE ? kappa / f[0] : 0;
    }
}

static void go_curved(work *at, double a)
{
    for (int i = 0; i < at->system.rows; i++) {
        at->y[i] = at->old[i] + a * at->dy[i];
    }
}

/* Where a step has led */
typedef struct place {
    double a, cost, size;
} place;

/* Steps by `go`, halved until the cost falls as it should (Armijo) or as rounding lets see. */
static place descend(work *at, void (*go)(work *, double), double a, const place *from,
                     double decrement)
{
    place to = {a, 0, 0};
    for (int halving = 0; halving < HALVINGS; halving++) {
        go(at, to.a);
        to.cost = visit(at, &to.size);
        if (to.cost <= from->cost - 1e-3 * to.a * decrement + 1e-14 * from->size) {
            break;
        }
        to.a *= 0.5;
    }
    return to;
}

/* One step in y. Where the velocity barrier makes a narrow valley, straight in f, a step in y soon
 * leaves it: then that in f is tried, too. */
static sal_status advance(phy_barrier_solution *solution, work *at, place *now)
{
    if (!set_step(solution, at)) {
        return isfinite(now->cost) ? SAL_SINGULAR : SAL_DIVERGED;
    }
    const double decrement = solution->decrement;
    if (!isfinite(decrement)) {
        return SAL_DIVERGED;
    }
    const double straight = fmin(1, 0.5 * reach(at));
    place to = descend(at, go_curved, 1, now, decrement);
    if (to.a < SHORT) {
        for (int i = 0; i < at->system.rows; i++) {
            at->curved[i] = at->y[i];
        }
        const place other = descend(at, go_straight, straight, now, decrement);
        if (other.cost < to.cost) {
            to = other;
        } else {
            for (int i = 0; i < at->system.rows; i++) {
                at->y[i] = at->curved[i];
            }
            to.cost = visit(at, &to.size);
        }
    }
    *now = to;
    solution->steps++;
    return SAL_OK;
}

/* Newton's method for the kappa of the moment, then for a tenth of it, until it is `last`. On the
 * way it is enough to come near. */
static sal_status follow(phy_barrier_solution *solution, work *at, double last, double tolerance,
                         int most)
{
    for (;;) {
        const bool is_last = at->system.kappa <= last;
        const double enough = is_last ? tolerance : fmax(tolerance, NEAR);
        place now = {0};
        now.cost = visit(at, &now.size);
        solution->is_converged = false;
        while (!solution->is_converged && solution->steps < most) {
            const sal_status status = advance(solution, at, &now);
            if (status != SAL_OK) {
                return status;
            }
            solution->is_converged = solution->decrement < enough * at->system.kappa;
        }
        if (!solution->is_converged || is_last) {
            return SAL_OK;
        }
        at->system.kappa = fmax(0.1 * at->system.kappa, last);
    }
}

static sal_status judge(const phy_barrier_system *system, const double *c)
{
    double probe = system->kappa * 0;
    bool good = system->kappa > 0;
    for (int block = 0, row = 0; good && block < system->blocks; row += system->dim[block++]) {
        const int dim = system->dim[block];
        good = dim >= 1 && (dim == 1 || phy_barrier_kind_of(system, block) == PHY_BARRIER_CONE) &&
               dim <= PHY_BARRIER_DIM && row + dim <= system->rows;
        probe += (system->q[block] + system->vmin[block]) * 0;
        good = good && system->q[block] >= 0;
    }
    for (int i = 0; i < system->rows; i++) {
        const double diagonal = system->A[(size_t)i * ((size_t)system->rows + 1)];
        probe += (c[i] + diagonal + system->R[i]) * 0;
        good = good && system->R[i] > 0 && diagonal >= 0;
    }
    return probe != 0 ? SAL_DIVERGED : good ? SAL_OK : SAL_BADINPUT;
}

sal_status phy_barrier_forward(phy_barrier_solution *solution, double *f, double *w,
                               const double *c, const phy_barrier_system *system,
                               const phy_barrier_search *search, double *scratch)
{
    work at;
    *solution = (phy_barrier_solution){0};
    const sal_status good = judge(system, c);
    if (good != SAL_OK || system->rows == 0) {
        solution->is_converged = good == SAL_OK;
        return good;
    }
    lay_out(&at, system, scratch);
    at.f = f;
    at.w = w;
    at.c = c;
    at.system.kappa = fmax(search->first_kappa, system->kappa);
    begin(&at, search->is_warm);
    return follow(solution, &at, system->kappa, search->tolerance,
                  search->most_steps > 0 ? search->most_steps : STEPS);
}

/* By columns of -(I + A E G E'), which are the rows of its transpose; the result is transposed */
sal_status phy_barrier_by_c(double *df, const double *w, const phy_barrier_system *system,
                            double *scratch)
{
    const size_t rows = (size_t)system->rows;
    bool is_ridged = false;
    work at;
    lay_out(&at, system, scratch);
    at.f = at.p;
    phy_barrier_push(at.g, at.G, NULL, w, system);
    times_A(at.y, system, at.g);
    for (size_t i = 0; i < rows; i++) {
        at.y[i] += w[i];
    }
    const sal_status status = phy_barrier_forces(at.f, at.multiplier, NULL, at.y, system);
    if (status != SAL_OK || !prepare(&at, &is_ridged)) {
        return status != SAL_OK ? status : SAL_SINGULAR;
    }
    for (size_t k = 0; k < rows; k++) {
        for (size_t i = 0; i < rows; i++) {
            df[k * rows + i] = -(i == k) - system->A[k * rows + i] * at.G[k];
        }
        for (int block = 0, row = 0; block < system->blocks; row += system->dim[block++]) {
            for (int j = 0; j < system->dim[block]; j++) {
                if (is_idle(&at, block, j, row)) {
                    df[k * rows + (size_t)row + (size_t)j] = 0;
                }
            }
        }
        back(df + k * rows, at.matrix, rows);
    }
    for (size_t i = 0; i < rows; i++) {
        for (size_t k = 0; k < i; k++) {
            const double other = df[i * rows + k];
            df[i * rows + k] = df[k * rows + i];
            df[k * rows + i] = other;
        }
    }
    return SAL_OK;
}
