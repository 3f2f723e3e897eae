/* model.c: the linear model of the scaled residual around a point.
 *
 *     s(x (+) d) = s + A d,    A = sqrt(weight) root J,    s = sqrt(weight) scaled
 *     merit(d)   = merit + g'd + 1/2 d'H d,    H = A'A,    g = A's
 */
#include "optim/kernel.h"
#include "optim/solver.h"

#include <math.h>
#include <string.h>

/* ---- scaling ------------------------------------------------------------------------------------------------------------- */

/* A_seg := factor root J_seg for a full root, column by column; `column` [n] is scratch */
static void multiply_rows(double *A, int ncol, int n, double factor, const double *root,
                          double *column)
{
    for (int j = 0; j < ncol; j++) {
        for (int i = 0; i < n; i++) {
            column[i] = A[(size_t)i * (size_t)ncol + (size_t)j];
        }
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int k = 0; k < n; k++) {
                sum += root[i * n + k] * column[k];
            }
            A[(size_t)i * (size_t)ncol + (size_t)j] = factor * sum;
        }
    }
}

static void scale_rows(double *A, int ncol, int n, double factor, const double *root)
{
    for (int i = 0; i < n; i++, A += ncol) {
        const double scale = factor * root[i];
        if (scale == 1) {
            continue;
        }
        for (int j = 0; j < ncol; j++) {
            A[j] *= scale;
        }
    }
}

/* s and root of one segment. A constraint is quadratic. */
static void scale_residual(const sal_segment *seg, const double *r, double *s, double *root)
{
    if (seg->sum != 0) {
        memset(s, 0, (size_t)seg->n * sizeof(double));
        return;
    }
    const double factor = sqrt(fmax(seg->weight, 0));
    const sal_norm norm = seg->constraint ? (sal_norm){.kind = SAL_NORM_QUADRATIC} : seg->norm;
    bool diagonal;
    sal_norm_scale(&norm, r, seg->n, s, root, &diagonal);
    for (int i = 0; i < seg->n; i++) {
        s[i] *= factor;
    }
}

/* s, root and, from J, A of one block */
static void block_scale(void *ctx, int b, int worker)
{
    (void)worker;
    sal_optim *o = ctx;
    const sal_block *block = sal_assembly_block(o->assembly, b);
    double *A = o->A + o->assembly->jac_at[b], *root = o->root + o->root_at[b];
    int row = o->assembly->res_at[b];
    for (int s = 0; s < block->nseg; s++) {
        const sal_segment *seg = &block->seg[s];
        const double factor = sqrt(fmax(seg->weight, 0));
        scale_residual(seg, o->r0 + row, o->s + row, root);
        if (seg->sum != 0) {
            /* stays as it is */
        } else if (sal_model_root_is_full(seg)) {
            multiply_rows(A, block->ncol, seg->n, factor, root, o->w + row);
        } else {
            scale_rows(A, block->ncol, seg->n, factor, root);
        }
        root += sal_model_root_size(seg);
        A += (size_t)seg->n * (size_t)block->ncol;
        row += seg->n;
    }
}

/* s of one block at `now`; A and root stay */
static void block_refresh(void *ctx, int b, int worker)
{
    (void)worker;
    sal_optim *o = ctx;
    const sal_block *block = sal_assembly_block(o->assembly, b);
    double *unused = o->root2 + o->root_at[b];
    int row = o->assembly->res_at[b];
    for (int s = 0; s < block->nseg; s++) {
        scale_residual(&block->seg[s], o->now.r + row, o->s + row, unused);
        row += block->seg[s].n;
    }
}

/* ---- the model ----------------------------------------------------------------------------------------------------------- */

void sal_model_choose(sal_optim *o, sal_rows rows, const double *r)
{
    for (int i = 0; i < o->nrow; i++) {
        const bool wanted =
            rows & (o->kind[i] == SAL_ROW_TERM ? SAL_ROWS_TERMS : SAL_ROWS_CONSTRAINTS);
        o->use[i] =
            wanted && o->kind[i] != SAL_ROW_PART && (o->kind[i] != SAL_ROW_RANGE || r[i] > 0);
    }
}

static sal_mix mix_of(const sal_optim *o, double m, double c, double shift)
{
    return (sal_mix){.X = o->M, .Y = o->C, .a = m, .b = c, .shift = shift};
}

/* The coefficients of M and C in H */
static double terms_in(const sal_optim *o)
{
    return o->rows & SAL_ROWS_TERMS ? 1 : 0;
}

static double constraints_in(const sal_optim *o)
{
    return o->rows & SAL_ROWS_CONSTRAINTS ? 1 : 0;
}

double sal_model_diagonal(const sal_optim *o, int j)
{
    const sal_mix H = mix_of(o, terms_in(o), constraints_in(o), 0);
    return sal_border_diagonal(o->border, o->A, &H, j);
}

double sal_model_curvature(const sal_optim *o, double m, double c)
{
    const sal_mix H = mix_of(o, m, c, 0);
    double largest = 0;
    for (int j = 0; j < o->nls->nvar; j++) {
        largest = fmax(largest, sal_border_diagonal(o->border, o->A, &H, j));
    }
    return largest;
}

/* max_j |A_j's| / (|A_j| |s|) over the rows in use: 0 at a stationary point, whatever the units */
static double largest_cosine(const sal_optim *o)
{
    const sal_mix H = mix_of(o, terms_in(o), constraints_in(o), 0);
    double square = 0, cosine = 0;
    for (int i = 0; i < o->nrow; i++) {
        square += o->use[i] ? o->s[i] * o->s[i] : 0;
    }
    for (int j = 0; j < o->nls->nvar; j++) {
        const double product = square * sal_border_diagonal(o->border, o->A, &H, j);
        if (product > 0) {
            cosine = fmax(cosine, fabs(o->g[j]) / sqrt(product));
        }
    }
    return cosine;
}

bool sal_model_root_is_full(const sal_segment *seg)
{
    return !seg->constraint && seg->norm.kind == SAL_NORM_L2;
}

size_t sal_model_root_size(const sal_segment *seg)
{
    const size_t n = (size_t)seg->n;
    return seg->sum != 0 ? 0 : sal_model_root_is_full(seg) ? n * n : n;
}

/* M from the terms, C from the constraints if the merit counts them; its rows stay chosen */
static void assemble(sal_optim *o)
{
    sal_model_choose(o, SAL_ROWS_TERMS, o->r0);
    sal_assembly_hessian(o->assembly, o->M, o->A, o->use);
    if (o->rows & SAL_ROWS_CONSTRAINTS) {
        sal_model_choose(o, SAL_ROWS_CONSTRAINTS, o->r0);
        sal_assembly_hessian(o->assembly, o->C, o->A, o->use);
    }
    sal_model_choose(o, o->rows, o->r0);
}

sal_status sal_model_linearise(sal_optim *o, sal_err *err)
{
    sal_clock *const clock = o->nls->clock;
    const sal_work before = sal_clock_turn(clock, SAL_WORK_DERIVATIVES);
    o->state.count.linearisations++;
    sal_status status = o->nls->linearise(o->nls->ctx, o->r0, o->A, o->now.x, err);
    sal_clock_turn(clock, SAL_WORK_ASSEMBLY);
    if (status == SAL_OK) {
        status = sal_point_value_of(o, o->r0, err);
    }
    if (status != SAL_OK) {
        return status;
    }
    sal_sums_residual(o->assembly, o->r0);
    sal_sums_jacobian(o->assembly, o->A);
    sal_parallel_for(o->nls->nblock + 1, o->options.nthread, block_scale, o);
    assemble(o);
    sal_assembly_gradient(o->assembly, o->g, o->A, o->s, o->use);
    sal_clock_turn(clock, before);
    o->curvature = sal_model_curvature(o, terms_in(o), constraints_in(o));
    o->cosine = largest_cosine(o);
    o->gradient = sal_step_length(o, o->g);
    if (!isfinite(o->curvature) || !isfinite(o->gradient)) {
        return sal_fail(err, SAL_DIVERGED, "the derivatives are not finite");
    }
    return SAL_OK;
}

sal_status sal_model_factorise(sal_optim *o, double mu, sal_err *err)
{
    const double share = fmin(mu, o->metric_most);
    return sal_model_factorise_mix(o, terms_in(o) + share, constraints_in(o),
                                   share == 0 ? mu : mu * o->metric_identity, err);
}

sal_status sal_model_factorise_mix(sal_optim *o, double m, double c, double shift, sal_err *err)
{
    const sal_mix K = mix_of(o, m, c, shift);
    const sal_work before = sal_clock_turn(o->nls->clock, SAL_WORK_FACTORISATION);
    o->state.count.factorisations++;
    sal_status status = sal_factor_compute(o->factor, &K, err);
    if (status == SAL_OK) {
        status = sal_border_compute(o->border, o->A, &K, err);
    }
    sal_clock_turn(o->nls->clock, before);
    return status;
}

void sal_model_refresh(sal_optim *o)
{
    const sal_work before = sal_clock_turn(o->nls->clock, SAL_WORK_ASSEMBLY);
    sal_parallel_for(o->nls->nblock + 1, o->options.nthread, block_refresh, o);
    sal_model_choose(o, o->rows, o->now.r);
    sal_assembly_gradient(o->assembly, o->g, o->A, o->s, o->use);
    sal_clock_turn(o->nls->clock, before);
}

sal_status sal_model_solve(sal_optim *o, double *x, const double *b, sal_err *err)
{
    const sal_work before = sal_clock_turn(o->nls->clock, SAL_WORK_SOLUTION);
    for (int j = 0; j < o->nls->nvar; j++) {
        x[j] = -b[j];
    }
    const sal_status status = sal_border_solve(o->border, x, err);
    sal_clock_turn(o->nls->clock, before);
    return status;
}
