/* primal.c: P(a), its gradient, the search along a line for the root of P'(a + alpha p), which
 * grows with alpha, and where it ends.
 *
 * It stops when |g| / (meaninertia nv) < tolerance. With tolerance 0, which is what exact replay
 * wants, it goes on until the gradient is of the size of its own rounding, or neither it nor P
 * falls any more (|g| may rise for many steps while P falls), or a step no longer changes a.
 *
 * Where bodies of very different masses move in one model, that says nothing of the light ones:
 * their g is below the tolerance, and below the rounding errors of the heavy ones, whatever a is.
 * If the acceleration of a dof is then still off by more than COARSE, it goes on with
 *     max_i |g_i| / (M_ii max(1, |a_i|)) < FINE,                   M_ii of qpos0
 */
#include "physics/solvers/primal.h"

#include "physics/constraint.h"
#include "physics/scratch.h"
#include "physics/stages.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { LINE_EVALUATIONS = 50 };
static const double FALL = 1e-12;               /* of P: less may be rounding */
static const double COARSE = 0.01, FINE = 1e-8; /* relative; of 1 m/s^2 or rad/s^2 at least */

/* For `rows` rows */
static bool take(phy_primal *s, const sal_model *m, sal_arena *arena, int rows)
{
    const size_t nv = (size_t)m->nv, nefc = (size_t)rows;
    double **const of_dofs[] = {&s->a, &s->best, &s->ma, &s->grad, &s->p, &s->mp, &s->z, &s->spare};
    double **const of_rows[] = {&s->acc, &s->jp, &s->force, &s->trial, &s->line_force};
    for (size_t i = 0; i < sizeof of_dofs / sizeof *of_dofs; i++) {
        *of_dofs[i] = sal_arena_take(arena, nv, sizeof(double));
    }
    for (size_t i = 0; i < sizeof of_rows / sizeof *of_rows; i++) {
        *of_rows[i] = sal_arena_take(arena, nefc, sizeof(double));
    }
    s->weighted = sal_arena_take(arena, PHY_LAW_DIM * nv, sizeof *s->weighted);
    return s->weighted != NULL;
}

void phy_primal_scratch(const sal_model *m, sal_arena *arena)
{
    const size_t mark = arena->used;
    phy_primal s;
    take(&s, m, arena, m->nefcmax);
    phy_hessian_scratch(m, arena);
    phy_rne_scratch(m, arena);
    arena->used = mark;
}

double phy_dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* NaN if a number is */
static double largest(const double *a, int n)
{
    double most = 0, faults = 0;
    for (int i = 0; i < n; i++) {
        most = fabs(a[i]) > most ? fabs(a[i]) : most;
        faults += a[i] * 0; /* 0, or NaN */
    }
    return most + faults;
}

static phy_law_rows rows_at(const phy_primal *s, const double *acc)
{
    return phy_law_rows_at(s->m, s->d, acc);
}

/* Forces and states at acc; returns sum s. */
static double forces(const phy_primal *s, double *force, int *state, const double *acc)
{
    const phy_law_rows rows = rows_at(s, acc);
    phy_law_block block;
    double sum = 0;
    for (int row = 0; row < s->d->nefc; row += block.dim) {
        phy_law_block_at(&block, s->m, s->d, row);
        sum += s->law->inverse(force + row, state + row, &block, &rows);
    }
    return sum;
}

void phy_inertial_product(const phy_primal *s, double *r, const double *x)
{
    sal_mul_m(s->m, s->d, r, x);
    phy_add_beside_mass(s->m, s->d, r, x);
}

/* P(a), for the choice of the start */
static double cost(const phy_primal *s, const double *a)
{
    const sal_model *m = s->m;
    double *offset = s->p, *inertial = s->mp;
    for (int i = 0; i < m->nv; i++) {
        offset[i] = a[i] - s->d->qacc_smooth[i];
    }
    phy_inertial_product(s, inertial, offset);
    phy_mul_jac(s->d, s->acc, a, s->d->nefc);
    return 0.5 * phy_dot(offset, inertial, m->nv) + forces(s, s->force, s->d->efc_state, s->acc);
}

static void start(phy_primal *s)
{
    const sal_model *m = s->m;
    const sal_data *d = s->d;
    const double *from = d->qacc_smooth;
    if (!(m->opt.disable & SAL_DSBL_WARMSTART) &&
        cost(s, d->qacc_warmstart) < cost(s, d->qacc_smooth)) {
        from = d->qacc_warmstart;
    }
    memcpy(s->a, from, (size_t)m->nv * sizeof *s->a);
}

/* The size of the rounding errors of g: the terms it is summed from, before they cancel */
static double rounding_of(const phy_primal *s)
{
    const sal_data *d = s->d;
    double *size = s->spare, most = 0;
    for (int i = 0; i < s->m->nv; i++) {
        size[i] = fabs(s->ma[i]) + fabs(d->qfrc_smooth[i]);
    }
    for (int row = 0; row < d->nefc; row++) {
        for (int k = 0; k < d->efc_J_rownnz[row]; k++) {
            const int at = d->efc_J_rowadr[row] + k;
            size[d->efc_J_colind[at]] += fabs(d->efc_J[at] * s->force[row]);
        }
    }
    for (int i = 0; i < s->m->nv; i++) {
        most = size[i] > most ? size[i] : most;
    }
    return DBL_EPSILON * most;
}

/* g and P at a */
static void gradient(phy_primal *s)
{
    const sal_model *m = s->m;
    sal_data *d = s->d;
    if (d->solver_iterations % s->method->refresh == 0) {
        phy_inertial_product(s, s->ma, s->a);
        phy_mul_jac(d, s->acc, s->a, d->nefc);
    }
    double potential = forces(s, s->force, d->efc_state, s->acc);
    phy_mul_jac_t(m, d, d->qfrc_constraint, s->force);
    for (int i = 0; i < m->nv; i++) {
        const double unmet = s->ma[i] - d->qfrc_smooth[i]; /* M (a - a_s) */
        s->grad[i] = unmet - d->qfrc_constraint[i];
        potential += 0.5 * (s->a[i] - d->qacc_smooth[i]) * unmet;
    }
    s->fall = s->potential - potential;
    s->falls = s->fall > FALL * fabs(s->potential);
    s->potential = potential;
}

/* True if g may be of the size of its rounding errors; these are dear to compute */
static bool is_small(const phy_primal *s, double size)
{
    const int nv = s->m->nv;
    const sal_data *d = s->d;
    return size < 1e-6 * (largest(s->ma, nv) + largest(d->qfrc_smooth, nv) +
                          largest(d->qfrc_constraint, nv));
}

/* First and second derivative of P(a + alpha p) by alpha:
 *     P' = g.p + alpha p'Mp - (f(alpha) - f(0)).Jp,        P'' = p'Mp + (Jp)' C Jp */
static void line(phy_primal *s, double alpha, double slope0, double pmp, double out[2])
{
    const phy_law_rows rows = rows_at(s, s->trial);
    phy_law_block block;
    double c[PHY_LAW_DIM * PHY_LAW_DIM];
    int state[PHY_LAW_DIM];
    out[0] = slope0 + alpha * pmp;
    out[1] = pmp;
    for (int i = 0; i < s->d->nefc; i++) {
        s->trial[i] = s->acc[i] + alpha * s->jp[i];
    }
    for (int row = 0; row < s->d->nefc; row += block.dim) {
        const double *jp = s->jp + row;
        phy_law_block_at(&block, s->m, s->d, row);
        if (alpha != 0) {
            s->law->inverse(s->line_force, state, &block, &rows);
        }
        s->law->curvature(c, &block, &rows);
        for (int k = 0; k < block.dim; k++) {
            out[0] -= alpha == 0 ? 0 : (s->line_force[k] - s->force[row + k]) * jp[k];
            out[1] += jp[k] * phy_dot(c + k * block.dim, jp, block.dim);
        }
    }
}

/* alpha with P'(alpha) = 0 to a share of P'(0): Newton's method within a bracket */
static double line_search(phy_primal *s)
{
    const double slope0 = phy_dot(s->grad, s->p, s->m->nv), pmp = phy_dot(s->p, s->mp, s->m->nv);
    double low = 0, high = HUGE_VAL, alpha = s->method->first, at[2];
    for (int k = 0; k < LINE_EVALUATIONS; k++) {
        line(s, alpha, slope0, pmp, at);
        if (!(fabs(at[0]) > s->method->slope * fabs(slope0))) {
            break;
        }
        if (at[0] < 0) {
            low = alpha;
        } else {
            high = alpha;
        }
        alpha -= at[0] / at[1];
        if (!(alpha > low && alpha < high)) {
            alpha = high < HUGE_VAL ? 0.5 * (low + high) : 2 * low;
        }
    }
    return alpha;
}

/* The largest error of an acceleration that g stands for, each dof for itself */
static double error_of(const phy_primal *s)
{
    double most = 0;
    for (int i = 0; i < s->m->nv; i++) {
        const double inertia = s->m->dof_M0[i] * fmax(1, fabs(s->a[i]));
        most = fmax(most, fabs(s->grad[i]) / fmax(inertia, DBL_MIN));
    }
    return most;
}

/* Who ends where P hardly falls has given up on the last digits of all bodies. */
static bool minds_light(const phy_primal *s)
{
    return !s->method->ends_by_cost || s->m->opt.tolerance == 0;
}

static void keep_best(phy_primal *s, double size, double *least, int *worse)
{
    *least = size;
    *worse = 0;
    s->remainder = largest(s->grad, s->m->nv);
    memcpy(s->best, s->a, (size_t)s->m->nv * sizeof *s->a);
}

/* The same question where light bodies are left */
static bool is_done_light(phy_primal *s, double *least, int *worse)
{
    sal_data *d = s->d;
    const double size = error_of(s);
    if (size < *least) {
        keep_best(s, size, least, worse);
    } else if (!s->falls) {
        ++*worse;
    }
    const bool ends = *least < FINE || *worse >= s->method->patience;
    d->solver_converged = ends ? *least < COARSE : d->solver_iterations < s->m->opt.iterations;
    return ends || !d->solver_converged;
}

/* Is this where it ends? The best point so far is kept. */
static bool is_done(phy_primal *s, double size, double *least, int *worse)
{
    const sal_model *m = s->m;
    sal_data *d = s->d;
    const double scale = 1 / (m->meaninertia * m->nv);
    const bool risen = size >= *least && minds_light(s);
    const double rounding = risen || is_small(s, size) ? rounding_of(s) : 0;
    if (size < *least) {
        keep_best(s, size, least, worse);
    } else if (!s->falls && *least < 1e-6 * rounding / DBL_EPSILON &&
               ++*worse >= s->method->patience) {
        return true;
    }
    if (s->method->ends_by_cost && m->opt.tolerance > 0 && scale * s->fall < m->opt.tolerance) {
        return true;
    }
    if (size <= rounding || scale * sqrt(phy_dot(s->grad, s->grad, m->nv)) < m->opt.tolerance) {
        return true;
    }
    d->solver_converged = d->solver_iterations < m->opt.iterations;
    return !d->solver_converged;
}

sal_status phy_solver_not_finite(sal_err *err)
{
    return sal_fail(
        err, SAL_DIVERGED,
        "the solver of the forward dynamics reached a number that is not finite (NaN or infinite)");
}

/* a += alpha p, and what follows from it */
static void go_on(phy_primal *s, double alpha)
{
    for (int i = 0; i < s->m->nv; i++) {
        s->a[i] += alpha * s->p[i];
        s->ma[i] += alpha * s->mp[i];
    }
    for (int row = 0; row < s->d->nefc; row++) {
        s->acc[row] += alpha * s->jp[row];
    }
}

static sal_status iterate(phy_primal *s, sal_err *err)
{
    const sal_model *m = s->m;
    sal_data *d = s->d;
    double least = HUGE_VAL;
    int worse = 0;
    s->potential = HUGE_VAL;
    for (d->solver_iterations = 0;; d->solver_iterations++) {
        gradient(s);
        const double size = largest(s->grad, m->nv);
        if (!(size < HUGE_VAL)) {
            return phy_solver_not_finite(err);
        }
        if (!s->light && is_done(s, size, &least, &worse)) {
            s->light = d->solver_converged && minds_light(s) && error_of(s) > COARSE;
            if (!s->light) {
                break;
            }
            least = HUGE_VAL;
            worse = 0;
        }
        if (s->light && is_done_light(s, &least, &worse)) {
            break;
        }
        if (d->solver_iterations == 0 && !s->method->begin(s)) {
            return phy_scratch_status(d, err);
        }
        if (!s->method->direction(s)) {
            return phy_solver_not_finite(err);
        }
        const double alpha = line_search(s), step = largest(s->p, m->nv);
        const double resolution = DBL_EPSILON * largest(s->a, m->nv);
        if (!(alpha * step > resolution)) {
            /* nothing moves any more: at the minimum the whole step is that small, else it is a
             * dead end */
            d->solver_converged =
                step <= 100 * resolution || least < 1e-6 * rounding_of(s) / DBL_EPSILON;
            break;
        }
        go_on(s, alpha);
    }
    memcpy(d->qacc, s->best, (size_t)m->nv * sizeof *s->a);
    d->solver_gradient = s->remainder / (m->meaninertia * m->nv);
    return SAL_OK;
}

sal_status phy_primal_solve(const sal_model *m, sal_data *d, const phy_primal_method *method,
                            sal_err *err)
{
    phy_primal s = {.m = m, .d = d, .law = phy_law_of(m), .method = method};
    if (!take(&s, m, &d->arena, d->nefc)) {
        return phy_scratch_status(d, err);
    }
    start(&s);
    return iterate(&s, err);
}
