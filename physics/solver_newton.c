/* solver_newton.c: the acceleration under constraints, as the minimum of a convex function,
 *
 *     P(a) = (a - a_s)' M (a - a_s) / 2  +  sum s(J a),           a_s = M^-1 qfrc_smooth
 *     g    = M a - qfrc_smooth - J' f(J a)                         f = -ds/dacc
 *     H    = M + J' C J                                            C = d2s/dacc2, block by block
 *
 * by Newton's method: p = -H^-1 g, then the root of P'(a + alpha p), which grows with alpha. Any law with a convex potential will do.
 * (Todorov, ICRA 2014; MuJoCo documentation, "Computation: primal algorithms".)
 *
 * It stops when |g| / (meaninertia nv) < tolerance. With tolerance 0, which is what exact replay wants, it goes on until the gradient is
 * of the size of its own rounding or falls no more, or a step no longer changes a.
 */
#include "physics/constraint.h"
#include "physics/contact_law.h"
#include "physics/solver.h"

#include <float.h>
#include <string.h>

enum { LINE_EVALUATIONS = 50, PATIENCE = 3 };

typedef struct problem {
    const sal_model *m;
    sal_data *d;
    const sal_law *law;
    double *a, *best;      /* [nv] the point, and the one of least gradient */
    double *ma, *grad;     /* [nv] M a, g */
    double *p, *mp;        /* [nv] direction, M p */
    double *acc, *jp;      /* [nefc] J a, J p */
    double *force, *trial; /* [nefc] f at a; acc or f along the line */
    double *line_force;    /* [nefc] */
    double *h;             /* [nv x nv] lower triangle */
    double *weighted;      /* [SAL_LAW_DIM x nv] C J of one block */
} problem;

static bool allocate(problem *s, const sal_model *m, sal_data *d)
{
    const size_t nv = (size_t)m->nv, nefc = (size_t)d->nefc;
    double **const of_dofs[] = {&s->a, &s->best, &s->ma, &s->grad, &s->p, &s->mp};
    double **const of_rows[] = {&s->acc, &s->jp, &s->force, &s->trial, &s->line_force};
    bool room = true;
    *s = (problem){.m = m, .d = d, .law = sal_law_of(m)};
    for (size_t i = 0; i < sizeof of_dofs / sizeof *of_dofs; i++) {
        *of_dofs[i] = sal_arena_take(&d->arena, nv);
        room = room && *of_dofs[i] != NULL;
    }
    for (size_t i = 0; i < sizeof of_rows / sizeof *of_rows; i++) {
        *of_rows[i] = sal_arena_take(&d->arena, nefc);
        room = room && *of_rows[i] != NULL;
    }
    s->h = sal_arena_take(&d->arena, nv * nv);
    s->weighted = sal_arena_take(&d->arena, SAL_LAW_DIM * nv);
    return room && s->h != NULL && s->weighted != NULL;
}

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

static double largest(const double *a, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) {
        most = fabs(a[i]) > most ? fabs(a[i]) : most;
    }
    return most;
}

static sal_law_rows rows_at(const problem *s, const double *acc)
{
    const sal_data *d = s->d;
    return (sal_law_rows){d->efc_vel,     acc, d->efc_aref, d->efc_D, d->efc_R, s->m->opt.timestep,
                          s->m->opt.sigma};
}

/* Forces and states at acc; returns sum s. */
static double forces(const problem *s, double *force, int *state, const double *acc)
{
    const sal_law_rows rows = rows_at(s, acc);
    sal_law_block block;
    double sum = 0;
    for (int row = 0; row < s->d->nefc; row += block.dim) {
        sal_law_block_at(&block, s->m, s->d, row);
        sum += s->law->inverse(force + row, state + row, &block, &rows);
    }
    return sum;
}

/* P(a), for the choice of the start */
static double cost(const problem *s, const double *a)
{
    const sal_model *m = s->m;
    double *offset = s->p, *inertial = s->mp;
    for (int i = 0; i < m->nv; i++) {
        offset[i] = a[i] - s->d->qacc_smooth[i];
    }
    sal_mul_m(m, s->d, inertial, offset);
    sal_mul_jac(s->d, s->acc, a);
    return 0.5 * dot(offset, inertial, m->nv) + forces(s, s->force, s->d->efc_state, s->acc);
}

static void start(problem *s)
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
static double rounding_of(const problem *s)
{
    const sal_data *d = s->d;
    double *size = s->p, most = 0;
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

/* g at a; returns the size of its rounding errors */
static double gradient(problem *s)
{
    const sal_model *m = s->m;
    sal_data *d = s->d;
    sal_mul_m(m, d, s->ma, s->a);
    sal_mul_jac(d, s->acc, s->a);
    forces(s, s->force, d->efc_state, s->acc);
    sal_mul_jac_t(m, d, d->qfrc_constraint, s->force);
    for (int i = 0; i < m->nv; i++) {
        s->grad[i] = s->ma[i] - d->qfrc_smooth[i] - d->qfrc_constraint[i];
    }
    return rounding_of(s);
}

/* H += J_b' C J_b for one block, whose rows share their columns */
static void add_block(problem *s, const sal_law_block *block, const double *c)
{
    const sal_data *d = s->d;
    const int n = d->efc_J_rownnz[block->row], dim = block->dim, nv = s->m->nv;
    const int *column = d->efc_J_colind + d->efc_J_rowadr[block->row];
    const double *jac = d->efc_J + d->efc_J_rowadr[block->row];
    for (int r = 0; r < dim; r++) {
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < dim; k++) {
                sum += c[r * dim + k] * jac[k * n + j];
            }
            s->weighted[r * n + j] = sum;
        }
    }
    for (int i = 0; i < n; i++) {
        double *into = s->h + (size_t)nv * (size_t)column[i];
        for (int r = 0; r < dim; r++) {
            const double left = jac[r * n + i];
            for (int j = 0; j <= i; j++) {
                into[column[j]] += left * s->weighted[r * n + j];
            }
        }
    }
}

/* p = -H^-1 g; false if H has no factor, which only numbers that are not finite bring about */
static bool direction(problem *s)
{
    const sal_law_rows rows = rows_at(s, s->acc);
    const int nv = s->m->nv;
    sal_law_block block;
    double c[SAL_LAW_DIM * SAL_LAW_DIM];
    sal_full_m(s->m, s->d, s->h);
    for (int row = 0; row < s->d->nefc; row += block.dim) {
        sal_law_block_at(&block, s->m, s->d, row);
        s->law->curvature(c, &block, &rows);
        if (largest(c, block.dim * block.dim) > 0) {
            add_block(s, &block, c);
        }
    }
    if (sal_dense_cholesky(s->h, nv) != nv) {
        return false;
    }
    for (int i = 0; i < nv; i++) {
        s->p[i] = -s->grad[i];
    }
    sal_dense_cholesky_solve(s->p, s->h, nv);
    sal_mul_m(s->m, s->d, s->mp, s->p);
    sal_mul_jac(s->d, s->jp, s->p);
    return true;
}

/* First and second derivative of P(a + alpha p) by alpha:
 *     P' = g.p + alpha p'Mp - (f(alpha) - f(0)).Jp,        P'' = p'Mp + (Jp)' C Jp */
static void line(problem *s, double alpha, double slope0, double pmp, double out[2])
{
    const sal_law_rows rows = rows_at(s, s->trial);
    sal_law_block block;
    double c[SAL_LAW_DIM * SAL_LAW_DIM];
    int state[SAL_LAW_DIM];
    out[0] = slope0 + alpha * pmp;
    out[1] = pmp;
    for (int i = 0; i < s->d->nefc; i++) {
        s->trial[i] = s->acc[i] + alpha * s->jp[i];
    }
    for (int row = 0; row < s->d->nefc; row += block.dim) {
        const double *jp = s->jp + row;
        sal_law_block_at(&block, s->m, s->d, row);
        s->law->inverse(s->line_force, state, &block, &rows);
        s->law->curvature(c, &block, &rows);
        for (int k = 0; k < block.dim; k++) {
            out[0] -= (s->line_force[k] - s->force[row + k]) * jp[k];
            out[1] += jp[k] * dot(c + k * block.dim, jp, block.dim);
        }
    }
}

/* alpha with P'(alpha) = 0 to a hundredth of P'(0): Newton's method within a bracket */
static double line_search(problem *s)
{
    const double slope0 = dot(s->grad, s->p, s->m->nv), pmp = dot(s->p, s->mp, s->m->nv);
    double low = 0, high = HUGE_VAL, alpha = 1, at[2];
    for (int k = 0; k < LINE_EVALUATIONS; k++) {
        line(s, alpha, slope0, pmp, at);
        if (!(fabs(at[0]) > 0.01 * fabs(slope0))) {
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

static sal_status iterate(problem *s, sal_err *err)
{
    const sal_model *m = s->m;
    sal_data *d = s->d;
    const size_t bytes = (size_t)m->nv * sizeof *s->a;
    const double scale = 1 / (m->meaninertia * m->nv);
    double least = HUGE_VAL;
    int worse = 0;
    for (d->solver_iterations = 0;; d->solver_iterations++) {
        const double rounding = gradient(s), size = largest(s->grad, m->nv);
        if (size < least) {
            least = size;
            worse = 0;
            memcpy(s->best, s->a, bytes);
        } else if (least < 1e-6 * rounding / DBL_EPSILON && ++worse >= PATIENCE) {
            break;
        }
        if (size <= rounding || scale * sqrt(dot(s->grad, s->grad, m->nv)) < m->opt.tolerance) {
            break;
        }
        if (d->solver_iterations >= m->opt.iterations) {
            d->solver_converged = false;
            break;
        }
        if (!direction(s)) {
            return sal_fail(err, SAL_DIVERGED,
                            "the forward solver met a number that is not finite");
        }
        const double alpha = line_search(s);
        if (!(alpha * largest(s->p, m->nv) > DBL_EPSILON * largest(s->a, m->nv))) {
            break;
        }
        for (int i = 0; i < m->nv; i++) {
            s->a[i] += alpha * s->p[i];
        }
    }
    memcpy(d->qacc, s->best, bytes);
    d->solver_gradient = scale * least;
    return SAL_OK;
}

sal_status sal_solve_constraint(const sal_model *m, sal_data *d, sal_err *err)
{
    const size_t mark = d->arena.used;
    problem s;
    sal_status status = SAL_OK;
    d->solver_iterations = 0;
    d->solver_gradient = 0;
    d->solver_converged = true;
    if (d->nefc == 0) {
        memcpy(d->qacc, d->qacc_smooth, (size_t)m->nv * sizeof(double));
    } else if (!allocate(&s, m, d)) {
        status = sal_fail(err, SAL_INTERNAL, "the scratch of the data is too small for its solver");
    } else {
        start(&s);
        status = iterate(&s, err);
    }
    d->arena.used = mark;
    if (status == SAL_OK) {
        sal_constraint_force(m, d);
    }
    return status;
}
