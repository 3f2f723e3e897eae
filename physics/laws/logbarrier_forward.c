/* logbarrier_forward.c: the forward direction of the smooth contact model, by Newton's method in f
 * that never leaves the cones.
 *
 *     grad = R f + w + d'(f) + A E g,      w = A f + c
 *     N = A + R + d''(f) + A E G E'A,      N p = -grad,     decrement = -grad'p
 *
 * With the metric e of a block's rows, s_c = sum e_j f_j^2 (+ F^2 for the friction of a dof):
 *
 *     e = (1, -1/mu_j^2), or -1,      v_j = e_j f_j
 *     d' = -2 kappa v/s_c - kappa/f_n,
 *     d'' = kappa (4 v v'/s_c^2 - 2 diag(e)/s_c) + kappa/f_n^2
 *
 * the terms with f_n in the normal row of cones. e is 0 in normal rows alone, in equalities, and
 * in rows without friction, whose f stays 0. Along f + a p all arguments of the logarithms are
 * quadratic or linear in a, so that an evaluation of the line search costs O(rows).
 */
#include "physics/laws/logbarrier_dense.h"

#include <math.h>
#include <stddef.h>

enum { STEPS = 300, PATIENCE = 12, SEARCH_STEPS = 40 };

/* The scratch, in its parts */
typedef struct work {
    const phy_barrier_system *system;
    const double *c;
    /* J; that of the moment */
    double kappa;
    /* [rows]; the same, where they may be changed */
    const double *f, *w;
    double *new_f, *new_w;
    /* [rows]: e, grad, p, A p, E g, the diagonal of E G E' */
    double *metric, *grad, *p, *Ap, *g, *G;
    /* [3 blocks]: s_c(f + a p) = s[0] + 2 s[1] a + s[2] a^2 */
    double *border;
    /* [rows x rows], the upper triangle */
    double *matrix;
} work;

size_t phy_barrier_scratch(int rows, int blocks)
{
    return (size_t)rows * (size_t)rows + 6 * (size_t)rows + 3 * (size_t)blocks;
}

static phy_barrier_kind kind_of(const phy_barrier_system *system, int block)
{
    return system->kind == NULL ? PHY_BARRIER_CONE : system->kind[block];
}

static void set_metric(double *metric, const phy_barrier_system *system)
{
    for (int block = 0, row = 0; block < system->blocks; row += system->dim[block++]) {
        metric[row] = kind_of(system, block) == PHY_BARRIER_LOSS && system->mu[row] > 0 ? -1 : 0;
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
    *at = (work){.system = system, .kappa = system->kappa};
    at->matrix = scratch;
    at->metric = scratch + rows * rows;
    at->grad = at->metric + rows;
    at->p = at->grad + rows;
    at->Ap = at->p + rows;
    at->g = at->Ap + rows;
    at->G = at->g + rows;
    at->border = at->G + rows;
    set_metric(at->metric, system);
}

static bool is_idle(const work *at, int block, int j, int row)
{
    return at->metric[row + j] == 0 && (j > 0 || kind_of(at->system, block) == PHY_BARRIER_LOSS);
}

/* sum e_j a_j b_j */
static double product(const work *at, int block, int row, const double *a, const double *b)
{
    double sum = 0;
    for (int j = 0; j < at->system->dim[block]; j++) {
        sum += at->metric[row + j] * a[row + j] * b[row + j];
    }
    return sum;
}

/* s_c; 0 where there is none */
static double border_of(const work *at, int block, int row)
{
    const double bound = kind_of(at->system, block) == PHY_BARRIER_LOSS ? at->system->mu[row] : 0;
    const double square = at->metric[row] == 0 ? 0 : bound * bound;
    return square + product(at, block, row, at->f, at->f);
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

/* matrix = A + R + A E G E'A, upper triangle; grad = R f + w + A E g */
static void add_linear(work *at)
{
    const phy_barrier_system *system = at->system;
    const size_t rows = (size_t)system->rows;
    for (size_t i = 0; i < rows; i++) {
        at->grad[i] = system->R[i] * at->f[i] + at->w[i];
        for (size_t j = i; j < rows; j++) {
            at->matrix[i * rows + j] = system->A[i * rows + j];
        }
        at->matrix[i * rows + i] += system->R[i];
    }
    for (size_t k = 0; k < rows; k++) {
        const double *a = system->A + k * rows;
        for (size_t i = 0; i < rows && at->G[k] != 0; i++) {
            const double part = at->G[k] * a[i];
            at->grad[i] += at->g[k] * a[i];
            for (size_t j = i; j < rows; j++) {
                at->matrix[i * rows + j] += part * a[j];
            }
        }
    }
}

/* matrix += d'', grad += d' */
static void add_barrier(work *at, int block, int row)
{
    const phy_barrier_system *system = at->system;
    const size_t rows = (size_t)system->rows, first = (size_t)row;
    const double s = border_of(at, block, row), kappa = at->kappa;
    const double pull = s > 0 ? 2 * kappa / s : 0, square = s > 0 ? 4 * kappa / (s * s) : 0;
    double *h = at->matrix + first * rows + first, *grad = at->grad + row;
    const double *f = at->f + row, *e = at->metric + row;
    if (kind_of(system, block) == PHY_BARRIER_CONE) {
        grad[0] -= kappa / f[0];
        h[0] += kappa / (f[0] * f[0]);
    }
    for (int j = 0; j < system->dim[block]; j++) {
        grad[j] -= pull * e[j] * f[j];
        h[(size_t)j * rows + (size_t)j] -= pull * e[j];
        for (int k = j; k < system->dim[block]; k++) {
            h[(size_t)j * rows + (size_t)k] += square * (e[j] * f[j]) * (e[k] * f[k]);
        }
    }
}

/* Takes the row out of the system: its p is 0. */
static void set_idle(work *at, size_t row)
{
    const size_t rows = (size_t)at->system->rows;
    for (size_t i = 0; i < rows; i++) {
        at->matrix[i < row ? i * rows + row : row * rows + i] = i == row ? 1 : 0;
    }
    at->grad[row] = 0;
}

static void assemble(work *at)
{
    phy_barrier_system now = *at->system;
    now.kappa = at->kappa;
    phy_barrier_push(at->g, at->G, NULL, at->w, &now);
    add_linear(at);
    for (int block = 0, row = 0; block < now.blocks; row += now.dim[block++]) {
        add_barrier(at, block, row);
        for (int j = 0; j < now.dim[block]; j++) {
            if (is_idle(at, block, j, row)) {
                set_idle(at, (size_t)(row + j));
            }
        }
    }
}

/* U'U = matrix in place; by rows of the upper triangle, which vectors suit. False: not positive. */
static bool factor(double *matrix, size_t rows)
{
    for (size_t k = 0; k < rows; k++) {
        double *pivot = matrix + k * rows;
        if (!(pivot[k] > 0)) {
            return false;
        }
        const double scale = 1 / sqrt(pivot[k]);
        for (size_t j = k; j < rows; j++) {
            pivot[j] *= scale;
        }
        for (size_t i = k + 1; i < rows; i++) {
            double *row = matrix + i * rows;
            const double part = pivot[i];
            for (size_t j = i; j < rows; j++) {
                row[j] -= part * pivot[j];
            }
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
    const size_t rows = (size_t)at->system->rows;
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

/* ---- how far ---- */

/* The smallest positive root of s[0] + 2 s[1] a + s[2] a^2, s[0] > 0 */
static double border_ahead(const double s[3])
{
    const double disc = s[1] * s[1] - s[0] * s[2];
    if (!(disc >= 0) || (s[1] >= 0 && s[2] >= 0)) {
        return INFINITY;
    }
    return s[1] < 0 ? s[0] / (sqrt(disc) - s[1]) : -(s[1] + sqrt(disc)) / s[2];
}

/* The largest a such that f + a p is inside; sets border. */
static double reach(work *at)
{
    double most = INFINITY;
    for (int block = 0, row = 0; block < at->system->blocks; row += at->system->dim[block++]) {
        double *s = at->border + 3 * (size_t)block;
        s[0] = border_of(at, block, row);
        s[1] = product(at, block, row, at->f, at->p);
        s[2] = product(at, block, row, at->p, at->p);
        if (at->metric[row] != 0) {
            most = fmin(most, border_ahead(s));
        }
        if (kind_of(at->system, block) == PHY_BARRIER_CONE && at->p[row] < 0) {
            most = fmin(most, -at->f[row] / at->p[row]);
        }
    }
    return most;
}

/* d/da and d2/da2 of the cost along f + a p; line is that of its quadratic part at 0 */
typedef struct along {
    double slope, curvature;
} along;

static along cost_at(const work *at, const along *line, double a)
{
    const phy_barrier_system *system = at->system;
    along sum = {line->slope + a * line->curvature, line->curvature};
    for (int block = 0, row = 0; block < system->blocks; row += system->dim[block++]) {
        const double *s = at->border + 3 * (size_t)block;
        if (at->metric[row] != 0) { /* -kappa log s_c */
            const double here = s[0] + a * (2 * s[1] + a * s[2]);
            const double ratio = 2 * (s[1] + a * s[2]) / here;
            sum.slope -= at->kappa * ratio;
            sum.curvature += at->kappa * (ratio * ratio - 2 * s[2] / here);
        }
        if (kind_of(system, block) == PHY_BARRIER_CONE) { /* -kappa log f_n + dbar */
            const double ratio = at->p[row] / (at->f[row] + a * at->p[row]);
            sum.slope -= at->kappa * ratio;
            sum.curvature += at->kappa * ratio * ratio;
            if (system->q[block] != 0) {
                const double rate = at->Ap[row];
                const phy_barrier_velocity v = phy_barrier_velocity_at(
                    at->w[row] + a * rate - system->vmin[block], at->kappa, system->q[block]);
                sum.slope += v.slope * rate;
                sum.curvature += v.curvature * rate * rate;
            }
        }
    }
    return sum;
}

/* Where the convex cost is least along p, roughly: Newton's method within a bracket. */
static double line_search(const work *at, double most, double decrement)
{
    along line = {0, 0};
    for (int i = 0; i < at->system->rows; i++) {
        const double Rp = at->system->R[i] * at->p[i];
        line.slope += at->p[i] * at->w[i] + Rp * at->f[i];
        line.curvature += at->p[i] * (Rp + at->Ap[i]);
    }
    double a = most > 1 ? 1 : 0.95 * most, low = 0, high = most;
    for (int step = 0; step < SEARCH_STEPS; step++) {
        const along here = cost_at(at, &line, a);
        if (fabs(here.slope) < 0.05 * decrement) {
            break;
        }
        if (here.slope < 0) {
            low = a;
        } else {
            high = a;
        }
        const double next = a - here.slope / here.curvature;
        a = next > low && next < high ? next : isfinite(high) ? 0.5 * (low + high) : 2 * a;
    }
    return a;
}

/* ---- the start ---- */

/* The block alone, as if A were diagonal: its inverse with R + A */
static void set_alone(double *f, const work *at, int block, int row)
{
    const phy_barrier_system *system = at->system;
    const int dim = system->dim[block];
    double R[PHY_BARRIER_DIM], y[PHY_BARRIER_DIM];
    for (int j = 0; j < dim; j++) {
        const size_t i = (size_t)(row + j);
        R[j] = system->R[i] + system->A[i * ((size_t)system->rows + 1)];
        y[j] = at->c[i];
    }
    if (kind_of(system, block) == PHY_BARRIER_EQUALITY) {
        f[0] = phy_barrier_equality(y[0], R[0]).f;
    } else if (kind_of(system, block) == PHY_BARRIER_LOSS) {
        f[0] = phy_barrier_loss(y[0], R[0], system->mu[row], at->kappa).f;
    } else {
        phy_barrier_force alone;
        const phy_barrier_cone cone = {dim, R, system->mu + row + 1, at->kappa};
        y[0] -= system->q[block] != 0 ? fmin(0, system->vmin[block]) : 0;
        phy_barrier_cone_force(&alone, y, &cone);
        for (int j = 0; j < dim; j++) {
            f[j] = alone.f[j];
        }
    }
}

/* What was given, inside: f_n at least 1e-3 of what it is alone */
static void pull_in(work *at, int block, int row)
{
    double *f = at->new_f + row, alone[PHY_BARRIER_DIM], square = 0;
    if (kind_of(at->system, block) == PHY_BARRIER_LOSS) {
        const double most = 0.99 * at->system->mu[row];
        f[0] = fmax(-most, fmin(most, f[0]));
        return;
    }
    set_alone(alone, at, block, row);
    f[0] = fmax(f[0], 1e-3 * alone[0]);
    for (int j = 1; j < at->system->dim[block]; j++) {
        f[j] = at->metric[row + j] == 0 ? 0 : f[j];
        square -= at->metric[row + j] * f[j] * f[j];
    }
    const double most = 0.99 * f[0] / sqrt(square);
    for (int j = 1; j < at->system->dim[block]; j++) {
        f[j] *= most < 1 ? most : 1;
    }
}

static void begin(work *at, bool is_warm)
{
    for (int block = 0, row = 0; block < at->system->blocks; row += at->system->dim[block++]) {
        if (!is_warm) {
            set_alone(at->new_f + row, at, block, row);
        } else if (kind_of(at->system, block) != PHY_BARRIER_EQUALITY) {
            pull_in(at, block, row);
        }
    }
}

/* A kappa that is no small part of the energy of the blocks, y^2/(A + R) on the mean: there the
 * minimum is far from all borders. */
static double easy_kappa(const work *at)
{
    const phy_barrier_system *system = at->system;
    double sum = 0;
    for (int block = 0, row = 0; block < system->blocks; row += system->dim[block++]) {
        const size_t i = (size_t)row;
        const double y = at->c[i] - (system->q[block] != 0 ? fmin(0, system->vmin[block]) : 0);
        sum += y * y / (system->A[i * ((size_t)system->rows + 1)] + system->R[i]);
    }
    return 0.3 * sum / system->blocks;
}

/* ---- all of it ---- */

static void set_velocity(work *at)
{
    times_A(at->new_w, at->system, at->f);
    for (int i = 0; i < at->system->rows; i++) {
        at->new_w[i] += at->c[i];
    }
}

/* One step; SAL_OK and is_converged once it was the last. */
static sal_status advance(phy_barrier_solution *solution, work *at, double tolerance)
{
    const int rows = at->system->rows;
    if (!prepare(at, &solution->is_ridged)) {
        return isfinite(at->grad[0]) ? SAL_SINGULAR : SAL_DIVERGED;
    }
    double decrement = 0;
    for (int i = 0; i < rows; i++) {
        at->p[i] = -at->grad[i];
    }
    back(at->p, at->matrix, (size_t)rows);
    for (int i = 0; i < rows; i++) {
        decrement -= at->grad[i] * at->p[i];
    }
    solution->decrement = decrement;
    if (!isfinite(decrement)) {
        return SAL_DIVERGED;
    }
    const double most = reach(at);
    double a = 1;
    if (!(decrement < 1e-3 * at->kappa && most > 1)) { /* else the whole step is as good */
        times_A(at->Ap, at->system, at->p);
        a = line_search(at, most, decrement);
    }
    for (int i = 0; i < rows; i++) {
        at->new_f[i] += a * at->p[i];
    }
    set_velocity(at);
    solution->steps++;
    solution->is_converged = decrement < tolerance * at->kappa;
    return SAL_OK;
}

static sal_status judge(const phy_barrier_system *system, const double *c)
{
    double probe = system->kappa * 0;
    bool good = system->kappa > 0;
    for (int block = 0, row = 0; good && block < system->blocks; row += system->dim[block++]) {
        const int dim = system->dim[block];
        good = dim >= 1 && (dim == 1 || kind_of(system, block) == PHY_BARRIER_CONE) &&
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

/* Newton's method for the kappa of the moment, then for a smaller one, until it is the system's.
 * Near a border that the minimum is not at, its steps are short and many: there a larger kappa
 * leads back to the middle first, and it falls more slowly afterwards. On the way it is enough to
 * come near. */
static sal_status follow(phy_barrier_solution *solution, work *at, double tolerance, int most)
{
    double fall = 0.1;
    while (solution->steps < most) {
        const bool is_end = at->kappa <= at->system->kappa;
        solution->is_converged = false;
        for (int step = 0; step < PATIENCE && !solution->is_converged; step++) {
            const sal_status status =
                advance(solution, at, is_end ? tolerance : fmax(tolerance, 0.1));
            if (status != SAL_OK) {
                return status;
            }
        }
        if (solution->is_converged && is_end) {
            return SAL_OK;
        }
        if (solution->is_converged) {
            at->kappa = fmax(fall * at->kappa, at->system->kappa);
        } else {
            at->kappa *= 100;
            fall = sqrt(fall);
        }
    }
    solution->is_converged = false;
    return SAL_OK;
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
    at.f = at.new_f = f;
    at.w = at.new_w = w;
    at.c = c;
    at.kappa = search->first_kappa > 0 ? search->first_kappa
               : search->is_warm       ? 0
                                       : easy_kappa(&at);
    at.kappa = fmax(at.kappa, system->kappa);
    begin(&at, search->is_warm);
    set_velocity(&at);
    return follow(solution, &at, search->tolerance,
                  search->most_steps > 0 ? search->most_steps : STEPS);
}

/* By columns of -(I + A E G E'), which are the rows of its transpose; the result is transposed */
sal_status phy_barrier_by_c(double *df, const double *f, const double *w,
                            const phy_barrier_system *system, double *scratch)
{
    const size_t rows = (size_t)system->rows;
    bool is_ridged = false;
    work at;
    lay_out(&at, system, scratch);
    at.f = f;
    at.w = w;
    if (!prepare(&at, &is_ridged)) {
        return SAL_SINGULAR;
    }
    for (size_t k = 0; k < rows; k++) {
        for (size_t i = 0; i < rows; i++) {
            df[k * rows + i] = -(i == k) - system->A[k * rows + i] * at.G[k];
        }
        for (int block = 0, row = 0; block < system->blocks; row += system->dim[block++]) {
            for (int j = 0; j < system->dim[block]; j++) {
                if (is_idle(&at, block, j, row)) {
                    df[k * rows + (size_t)(row + j)] = 0;
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
