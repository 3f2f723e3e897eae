/* push_law.c: logbarrier with its barrier on velocities, in a mechanism (logbarrier_dense.h).
 *
 * Of contacts and limits not w - w* is what the impulse answers, but w and a barrier that keeps w_n
 * above w*: the gap at the end of the step, if nothing turned, above 0.
 *
 *     y = w + A E g,     g_i = dbar'(w_n - w*_n)      rows of contacts and limits
 *     y = w - w* + A E g                              all other rows
 *
 * A = J M^-1 J', M that of the step, with h diag(damping): what pushes one contact moves the
 * others, too. The inverse is one product M^-1 (J' E g) and the roots of logbarrier; the forward
 * direction needs A.
 *
 *     q_i = firmest min(1, R/A)
 *
 * A single contact that carries f ends above w* if 2 q A > R f (logbarrier.h), so that this holds
 * twice `firmest` as long as R < A. Beyond that it would take more, but what is that far away may
 * end some micrometres too low: its R falls with the gap. The parabola bends by q^2/kappa, and a
 * larger q makes the inverse see the rounding of w: by A q^2/(kappa R) <= firmest^2/kappa on the
 * contact itself.
 */
#include "base/dense.h"
#include "physics/laws/dense_mechanism.h"
#include "physics/laws/logbarrier_dense.h"
#include "physics/laws/velocity_level.h"
#include "physics/scratch.h"

#include <math.h>
#include <string.h>

static const double solved_to = 1e-18;  /* of kappa: the decrement */
static const double first_kappa = 1000; /* of kappa: where its path begins */

typedef struct pushed {
    phy_barrier_system system;
    int *dim;
    phy_barrier_kind *kind;
    double *R, *mu, *vmin, *q;     /* of the system */
    double *M, *J, *x;             /* M and its factor [nv x nv], J [k x nv], x [nv] */
    double *w, *shift, *y, *f, *g; /* [k]; shift: w* where it is subtracted */
    double *multiplier;            /* [k] */
    double *A, *MinvJ, *scratch;   /* of the forward direction */
} pushed;

static bool take_lists(pushed *p, const sal_model *m, sal_arena *arena, int rows)
{
    const size_t nv = (size_t)m->nv, k = (size_t)rows;
    double **const lists[] = {&p->R,     &p->mu, &p->vmin, &p->q, &p->w,
                              &p->shift, &p->y,  &p->f,    &p->g, &p->multiplier};
    *p = (pushed){.system = {.rows = rows, .kappa = m->opt.contact.kappa}};
    p->dim = sal_arena_take(arena, k, sizeof *p->dim);
    p->kind = sal_arena_take(arena, k, sizeof *p->kind);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        *lists[i] = sal_arena_take(arena, k, sizeof(double));
    }
    p->M = sal_arena_take(arena, nv * nv, sizeof(double));
    p->J = sal_arena_take(arena, k * nv, sizeof(double));
    p->x = sal_arena_take(arena, nv, sizeof(double));
    p->system.dim = p->dim;
    p->system.kind = p->kind;
    p->system.R = p->R;
    p->system.mu = p->mu;
    p->system.vmin = p->vmin;
    p->system.q = p->q;
    return p->x != NULL;
}

static bool take_matrices(pushed *p, const sal_model *m, sal_arena *arena, int rows)
{
    const size_t nv = (size_t)m->nv, k = (size_t)rows;
    p->MinvJ = sal_arena_take(arena, k * nv, sizeof(double));
    p->A = sal_arena_take(arena, k * k, sizeof(double));
    p->scratch = sal_arena_take(arena, phy_barrier_scratch(rows, rows), sizeof(double));
    p->system.A = p->A;
    return p->scratch != NULL;
}

static void measure(const sal_model *m, sal_arena *arena)
{
    const size_t mark = arena->used;
    pushed p;
    take_lists(&p, m, arena, m->nefcmax);
    take_matrices(&p, m, arena, m->nefcmax);
    arena->used = mark;
}

/* ---- the mechanism in numbers ---- */

static void take_block(pushed *p, const phy_velocities *b, double push)
{
    const int row = b->block.row, at = p->system.blocks++;
    const phy_impulse_family family = b->block.family;
    const bool has_barrier = phy_impulse_has_normal(&b->block);
    p->dim[at] = b->block.dim;
    p->kind[at] = family == PHY_IMPULSE_EQUALITY ? PHY_BARRIER_EQUALITY
                  : family == PHY_IMPULSE_LOSS   ? PHY_BARRIER_LOSS
                                                 : PHY_BARRIER_CONE;
    p->vmin[at] = b->reference;
    p->q[at] = has_barrier ? push * fmin(1, b->R[0] / b->A[0]) : 0;
    for (int j = 0; j < b->block.dim; j++) {
        p->R[row + j] = b->R[j];
        p->mu[row + j] = j > 0 ? b->block.mu[j - 1] : b->block.bound;
        p->shift[row + j] = j > 0 || has_barrier ? 0 : b->reference;
        p->w[row + j] = b->w[j];
    }
}

/* Blocks, J and the factor of M. False: M has none. */
static bool gather(pushed *p, const sal_model *m, sal_data *d)
{
    const phy_law_rows rows = phy_law_rows_of(m, d);
    phy_law_block at;
    phy_velocities b;
    for (int row = 0; row < d->nefc; row += at.dim) {
        phy_law_block_at(&at, m, d, row);
        phy_velocities_of(&b, &at, &rows);
        take_block(p, &b, m->opt.contact.firmest);
    }
    phy_dense_jacobian(p->J, m, d);
    phy_dense_inertia(p->M, m, d);
    return sal_dense_cholesky(p->M, m->nv) == m->nv;
}

/* x = M^-1 (x + J' f s) */
static void accelerate(pushed *p, int nv, const double *f, double s)
{
    for (int row = 0; row < p->system.rows; row++) {
        for (int i = 0; f[row] != 0 && i < nv; i++) {
            p->x[i] += p->J[row * nv + i] * f[row] * s;
        }
    }
    sal_dense_cholesky_solve(p->x, p->M, nv);
}

static double along(const pushed *p, int row, int nv, const double *x)
{
    double sum = 0;
    for (int i = 0; i < nv; i++) {
        sum += p->J[row * nv + i] * x[i];
    }
    return sum;
}

/* ---- inverse ---- */

/* f(w) */
static sal_status impulses(pushed *p, int nv)
{
    phy_barrier_push(p->g, NULL, NULL, p->w, &p->system);
    memset(p->x, 0, (size_t)nv * sizeof *p->x);
    accelerate(p, nv, p->g, 1);
    for (int row = 0; row < p->system.rows; row++) {
        p->y[row] = p->w[row] - p->shift[row] + along(p, row, nv, p->x);
    }
    return phy_barrier_forces(p->f, p->multiplier, NULL, p->y, &p->system);
}

static void inverse(const sal_model *m, sal_data *d)
{
    const size_t mark = d->arena.used;
    pushed p;
    const bool found =
        take_lists(&p, m, &d->arena, d->nefc) && gather(&p, m, d) && impulses(&p, m->nv) == SAL_OK;
    for (int row = 0; row < d->nefc; row++) {
        d->efc_force[row] = found ? p.f[row] / m->opt.timestep : (double)NAN;
        d->efc_state[row] = SAL_EFC_QUADRATIC;
    }
    d->arena.used = mark;
}

/* ---- forward ---- */

static void multiply(pushed *p, int nv)
{
    const int k = p->system.rows;
    memcpy(p->MinvJ, p->J, (size_t)k * (size_t)nv * sizeof *p->J);
    for (int row = 0; row < k; row++) {
        sal_dense_cholesky_solve(p->MinvJ + row * nv, p->M, nv);
        for (int other = 0; other <= row; other++) {
            p->A[row * k + other] = p->A[other * k + row] =
                along(p, other, nv, p->MinvJ + row * nv);
        }
    }
}

/* qacc = M^-1 (qfrc_smooth + J'f/h),  f of c = J (v + h M^-1 qfrc_smooth) */
static sal_status solve(const sal_model *m, sal_data *d, sal_err *err)
{
    const double h = m->opt.timestep;
    const int nv = m->nv;
    const phy_barrier_search search = {solved_to, first_kappa * m->opt.contact.kappa, 0, false};
    phy_barrier_solution solution;
    pushed p;
    if (!take_lists(&p, m, &d->arena, d->nefc) || !take_matrices(&p, m, &d->arena, d->nefc)) {
        return phy_scratch_status(d, err);
    }
    if (!gather(&p, m, d)) {
        return sal_fail(err, SAL_SINGULAR,
                        "the contact model %s needs a mass matrix that is positive definite",
                        phy_law_of(m)->name);
    }
    multiply(&p, nv);
    memcpy(p.x, d->qfrc_smooth, (size_t)nv * sizeof *p.x);
    sal_dense_cholesky_solve(p.x, p.M, nv);
    for (int row = 0; row < d->nefc; row++) {
        p.y[row] = d->efc_vel[row] + h * along(&p, row, nv, p.x) - p.shift[row];
    }
    const sal_status status =
        phy_barrier_forward(&solution, p.f, p.w, p.y, &p.system, &search, p.scratch);
    if (status != SAL_OK) {
        return sal_fail(err, status,
                        "the numbers that the contact model %s works on are not finite",
                        phy_law_of(m)->name);
    }
    d->solver_iterations = solution.steps;
    d->solver_gradient = sqrt(fabs(solution.decrement) / p.system.kappa);
    d->solver_converged = solution.is_converged;
    memcpy(p.x, d->qfrc_smooth, (size_t)nv * sizeof *p.x);
    accelerate(&p, nv, p.f, 1 / h);
    memcpy(d->qacc, p.x, (size_t)nv * sizeof *p.x);
    return SAL_OK;
}

static const phy_law_solver solver = {solve, measure, inverse};

const phy_law phy_law_push = {.name = "logbarrier",
                              .needs = PHY_LAW_NEEDS_MATRIX,
                              .level = PHY_LAW_VELOCITY,
                              .forward = &solver};
