/* model.c: the linear model of the scaled residual around a point.
 *
 *     s(x (+) d) = s + A d,    A = sqrt(weight) root J,    s = sqrt(weight) scaled
 *     merit(d)   = merit + g'd + 1/2 d'H d,    H = A'A,    g = A's
 */
#include "base/house.h"
#include "optim/kernel.h"
#include "optim/solver.h"

#include <math.h>
#include <string.h>

/* ns, about: of a residual that is scaled, of a column of H that is looked at */
static const double WORK_RESIDUAL = 5, WORK_COLUMN = 50;

enum { SHARES = 64 }; /* of the variables */

/* ---- scaling ---- */

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

/* A of a segment with a full root from J in place; and which strips of any are not zero. `row` is
 * its first of block b. */
static void find_rows(sal_optim *o, int b, int row, const sal_segment *seg, double *A,
                      const double *root)
{
    const opt_assembly *as = o->assembly;
    if (seg->sum == 0 && opt_model_root_is_full(seg)) {
        multiply_rows(A, opt_assembly_block(as, b)->ncol, seg->n, sqrt(fmax(seg->weight, 0)), root,
                      o->w + as->res_at[b] + row);
    }
    if (b < as->nblock) {
        opt_jacobian_find(o->A, b, row, seg->n, A);
    }
}

/* A of a segment with a diagonal root from J in place, but for rows that another shares. Sums stay
 * as they are. */
static void scale_rows(const sal_optim *o, int b, int row, const sal_segment *seg, double *A,
                       const double *root)
{
    const opt_jacobian *J = b < o->assembly->nblock ? o->A : NULL;
    const int ncol = opt_assembly_block(o->assembly, b)->ncol,
              n = seg->sum != 0 || opt_model_root_is_full(seg) ? 0 : seg->n;
    const uint64_t *mask = J == NULL ? NULL : opt_jacobian_mask(J, b, row);
    const size_t nword = opt_mask_words(ncol);
    const double factor = sqrt(fmax(seg->weight, 0));
    for (int i = 0; i < n; i++, A += ncol) {
        const double scale = factor * root[i];
        if (scale == 1 || (J != NULL && J->shares && opt_jacobian_missing(J, b, row + i) != 1)) {
            continue;
        }
        if (mask != NULL) {
            opt_kernel_scale(A, mask + (size_t)i * nword, ncol, scale);
            continue;
        }
        for (int j = 0; j < ncol; j++) {
            A[j] *= scale;
        }
    }
}

/* Once the strips of all rows are known, those that others share, and A of the rest */
static void scale_shared(sal_optim *o, int b, double *A)
{
    const sal_block *block = &o->nls->block[b];
    const double *root = o->root + o->root_at[b];
    int row = 0;
    opt_twins_find(o->A, b, A, root);
    for (int s = 0; s < block->nseg; s++) {
        const sal_segment *seg = &block->seg[s];
        scale_rows(o, b, row, seg, A + (size_t)row * (size_t)block->ncol, root);
        root += opt_model_root_size(seg);
        row += seg->n;
    }
}

/* s, root and, from J in place, A of block b, or of the sums behind the last. A may be NULL. */
static void scale_block(sal_optim *o, int b, double *A)
{
    const sal_block *block = opt_assembly_block(o->assembly, b);
    const bool shares = A != NULL && b < o->assembly->nblock && o->A->shares;
    double *root = o->root + o->root_at[b];
    const int first = o->assembly->res_at[b];
    int row = 0;
    for (int s = 0; s < block->nseg; s++) {
        const sal_segment *seg = &block->seg[s];
        double *rows = A == NULL ? NULL : A + (size_t)row * (size_t)block->ncol;
        scale_residual(seg, o->r0 + first + row, o->s + first + row, root);
        if (A != NULL) {
            find_rows(o, b, row, seg, rows, root);
        }
        if (A != NULL && !shares) {
            scale_rows(o, b, row, seg, rows, root);
        }
        root += opt_model_root_size(seg);
        row += seg->n;
    }
    if (shares) {
        scale_shared(o, b, A);
    }
}

/* Blocks, and their J */
typedef struct model_part {
    double *J;
    int first, n;
} model_part;

static void scale_part(sal_optim *o, const model_part *p)
{
    const size_t *at = o->assembly->jac_at;
    for (int b = p->first; b < p->first + p->n; b++) {
        scale_block(o, b, p->J + (at[b] - at[p->first]));
    }
}

/* s at the residuals r; A and root stay */
typedef struct model_scaling {
    sal_optim *o;
    double *s;
    const double *r;
} model_scaling;

static void block_scaled(void *ctx, int b, int worker)
{
    const model_scaling *scaling = ctx;
    sal_optim *o = scaling->o;
    const sal_block *block = opt_assembly_block(o->assembly, b);
    double *unused = o->unused_root + (size_t)worker * o->root_most;
    int row = o->assembly->res_at[b];
    for (int s = 0; s < block->nseg; s++) {
        scale_residual(&block->seg[s], scaling->r + row, scaling->s + row, unused);
        row += block->seg[s].n;
    }
}

/* ---- the model ---- */

void opt_model_choose(const sal_optim *o, unsigned char *use, opt_rows rows, const double *r)
{
    for (int i = 0; i < o->nrow; i++) {
        const bool wanted =
            rows & (o->kind[i] == OPT_ROW_TERM ? OPT_ROWS_TERMS : OPT_ROWS_CONSTRAINTS);
        use[i] = wanted && o->kind[i] != OPT_ROW_PART && (o->kind[i] != OPT_ROW_RANGE || r[i] > 0);
    }
}

static opt_mix mix_of(const sal_optim *o, double m, double c, double shift)
{
    return (opt_mix){.X = o->M, .Y = o->C, .a = m, .b = c, .shift = shift};
}

/* The coefficients of M and C in H */
static double terms_in(const sal_optim *o)
{
    return o->rows & OPT_ROWS_TERMS ? 1 : 0;
}

static double constraints_in(const sal_optim *o)
{
    return o->rows & OPT_ROWS_CONSTRAINTS ? 1 : 0;
}

double opt_model_diagonal(const sal_optim *o, double m, double c, int j)
{
    const opt_mix H = mix_of(o, m, c, 0);
    const double own =
        (m != 0 ? m * o->M[o->assembly->colptr[j]] : 0) + (c != 0 ? c * o->diagonal[j] : 0);
    return opt_border_diagonal(o->border, o->A->D, &H, j, own);
}

double opt_model_diagonal_of_merit(const sal_optim *o, int j)
{
    return opt_model_diagonal(o, terms_in(o), constraints_in(o), j);
}

double opt_model_curvature(const sal_optim *o, double m, double c)
{
    double largest = 0;
    for (int j = 0; j < o->nls->nvar; j++) {
        largest = fmax(largest, opt_model_diagonal(o, m, c, j));
    }
    return largest;
}

/* The largest of what a share of the variables has: the same in every order. */
typedef struct model_sizes {
    const sal_optim *o;
    double square; /* |s|^2 */
    struct {
        double curvature, cosine;
    } share[SHARES];
} model_sizes;

static void measure_share(void *ctx, int index, int worker)
{
    model_sizes *sizes = ctx;
    const sal_optim *o = sizes->o;
    const long n = o->nls->nvar;
    double curvature = 0, cosine = 0;
    (void)worker;
    for (int j = (int)(n * index / SHARES); j < n * (index + 1) / SHARES; j++) {
        const double diagonal = opt_model_diagonal_of_merit(o, j),
                     product = sizes->square * diagonal;
        curvature = fmax(curvature, diagonal);
        if (product > 0) {
            cosine = fmax(cosine, fabs(o->g[j]) / sqrt(product));
        }
    }
    sizes->share[index].curvature = curvature;
    sizes->share[index].cosine = cosine;
}

/* max_j H_jj, and max_j |A_j's| / (|A_j| |s|) over the rows in use: 0 at a stationary point,
 * whatever the units. A column of H is elsewhere in memory than the one before. */
static void measure(sal_optim *o)
{
    model_sizes sizes = {.o = o};
    for (int i = 0; i < o->nrow; i++) {
        sizes.square += o->use[i] ? o->s[i] * o->s[i] : 0;
    }
    sal_parallel_for(SHARES, sal_parallel_worth(o->options.nthread, WORK_COLUMN * o->nls->nvar),
                     measure_share, &sizes);
    o->curvature = o->cosine = 0;
    for (int i = 0; i < SHARES; i++) {
        o->curvature = fmax(o->curvature, sizes.share[i].curvature);
        o->cosine = fmax(o->cosine, sizes.share[i].cosine);
    }
}

bool opt_model_root_is_full(const sal_segment *seg)
{
    return !seg->constraint && seg->norm.kind == SAL_NORM_L2;
}

size_t opt_model_root_size(const sal_segment *seg)
{
    const size_t n = (size_t)seg->n;
    return seg->sum != 0 ? 0 : opt_model_root_is_full(seg) ? n * n : n;
}

/* The constraints in use among rows begin .. end-1 */
static void hold(sal_optim *o, int begin, int end)
{
    for (int i = begin; i < end; i++) {
        o->held[i] =
            o->kind[i] == OPT_ROW_EQUALITY || (o->kind[i] == OPT_ROW_RANGE && o->r0[i] > 0);
    }
}

/* A of a part that is scaled, and what it adds to M and C, while its rows are in the cache */
static sal_status assemble_part(sal_optim *o, const model_part *p, int worker, sal_err *err)
{
    const opt_assembly *as = o->assembly;
    const opt_dense rows = {o->A, p->J, p->first, p->n};
    opt_sums_keep(as, p->J, p->first, p->n);
    opt_assembly_add(as, o->M, o->late[0], &rows, o->term, worker);
    if (o->rows & OPT_ROWS_CONSTRAINTS) {
        hold(o, as->res_at[p->first], as->res_at[p->first + p->n]);
        opt_assembly_add(as, o->C, o->late[1], &rows, o->held, worker);
    }
    return opt_jacobian_pack(o->A, p->first / o->A->per_part, p->J, err);
}

/* The sums' part of the model */
static void assemble_sums(sal_optim *o)
{
    const opt_assembly *as = o->assembly;
    opt_sums_residual(o->assembly, o->r0);
    scale_block(o, as->nblock, o->A->D);
    hold(o, as->nres, o->nrow);
    opt_sums_hessian(as, o->M + as->nnz, o->term + as->nres);
    opt_sums_hessian(as, o->C + as->nnz, o->held + as->nres);
}

/* s and root of a block of another rank */
static void block_scale_residual(void *ctx, int b, int worker)
{
    sal_optim *o = ctx;
    int end;
    const int first = opt_spread_first(o->assembly->spread, o->assembly->nblock, &end);
    if (b < first || b >= end) {
        (void)worker;
        scale_block(o, b, NULL);
    }
}

/* What ranks have assembled, each of its blocks, to all */
static sal_status exchange(sal_optim *o, sal_err *err)
{
    const opt_assembly *as = o->assembly;
    opt_spread *spread = as->spread;
    opt_spread_collect(spread, o->r0, as->res_at);
    opt_spread_hessian(spread, o->M);
    if (o->rows & OPT_ROWS_CONSTRAINTS) {
        hold(o, 0, as->nres);
        opt_spread_hessian(spread, o->C);
    }
    if (as->nsum > 0) {
        opt_spread_collect(spread, as->sum_row, as->sum_row_at);
    }
    sal_parallel_for(as->nblock, sal_parallel_worth(o->options.nthread, WORK_RESIDUAL * o->nrow),
                     block_scale_residual, o);
    return opt_spread_agree(spread, SAL_OK, err);
}

/* ---- all blocks, in shares ---- */

/* What is done of each part of a share, one after the other */
typedef sal_status model_work(sal_optim *o, const model_part *p, int worker, sal_err *err);

typedef struct model_loop {
    sal_optim *o;
    model_work *work;
} model_loop;

static void run_share(void *ctx, int index, int worker)
{
    const model_loop *loop = ctx;
    sal_optim *o = loop->o;
    const opt_assembly *as = o->assembly;
    opt_share *share = &o->share[index];
    const int *begin = as->late->begin;
    share->status = SAL_OK;
    for (int b = begin[index]; b < begin[index + 1] && share->status == SAL_OK;) {
        const int rest = begin[index + 1] - b, most = o->A->per_part;
        const model_part p = {.J = o->by_parts ? o->J + (size_t)worker * o->part_room
                                               : o->J + as->jac_at[b],
                              .first = b,
                              .n = rest < most ? rest : most};
        share->status = loop->work(o, &p, worker, &share->err);
        b += p.n;
    }
}

/* The status of the first share that failed */
static sal_status run_shares(sal_optim *o, model_work *work, int nthread, sal_err *err)
{
    const int n = o->assembly->late->nshare;
    model_loop loop = {o, work};
    sal_parallel_for(n, nthread, run_share, &loop);
    for (int i = 0; i < n; i++) {
        if (o->share[i].status != SAL_OK) {
            if (err != NULL) {
                *err = o->share[i].err;
            }
            return o->share[i].status;
        }
    }
    return SAL_OK;
}

/* r0 and J of a part by the user, then all else of it */
static sal_status linearise_part(sal_optim *o, const model_part *p, int worker, sal_err *err)
{
    const sal_nls *nls = o->nls;
    sal_clock_turn_by(nls->clock, worker, SAL_WORK_DERIVATIVES);
    const sal_status status = nls->linearise_part(nls->ctx, o->r0 + o->assembly->res_at[p->first],
                                                  p->J, p->first, p->n, worker, err);
    sal_clock_turn_by(nls->clock, worker, SAL_WORK_ASSEMBLY);
    if (status != SAL_OK) {
        return status;
    }
    scale_part(o, p);
    return assemble_part(o, p, worker, err);
}

static sal_status linearise_by_parts(sal_optim *o, sal_err *err)
{
    o->nls->place(o->nls->ctx, o->now.x);
    return run_shares(o, linearise_part, o->nthread, err);
}

static sal_status scale_alone(sal_optim *o, const model_part *p, int worker, sal_err *err)
{
    (void)worker, (void)err;
    scale_part(o, p);
    return SAL_OK;
}

/* Products read a little beyond their blocks: all rows are scaled before. */
static sal_status linearise_at_once(sal_optim *o, sal_err *err)
{
    const sal_nls *nls = o->nls;
    const int nthread = opt_assembly_square_threads(o->assembly, 0, nls->nblock);
    sal_clock_turn(nls->clock, SAL_WORK_DERIVATIVES);
    sal_status status = nls->linearise(nls->ctx, o->r0, o->J, o->now.x, err);
    sal_clock_turn(nls->clock, SAL_WORK_ASSEMBLY);
    status = status == SAL_OK ? run_shares(o, scale_alone, nthread, err) : status;
    return status == SAL_OK ? run_shares(o, assemble_part, nthread, err) : status;
}

/* A, M and, if the merit counts constraints, C: each thread part after part, so that one part's
 * derivatives are remembered at a time. */
static sal_status assemble(sal_optim *o, sal_err *err)
{
    const opt_assembly *as = o->assembly;
    sal_status status = o->by_parts ? linearise_by_parts(o, err) : linearise_at_once(o, err);
    sal_clock_turn(o->nls->clock, SAL_WORK_ASSEMBLY);
    if (status == SAL_OK) {
        opt_late_add(as->late, o->M, o->late[0]);
    }
    if (status == SAL_OK && o->rows & OPT_ROWS_CONSTRAINTS) {
        opt_late_add(as->late, o->C, o->late[1]);
    }
    if (as->spread != NULL) {
        sal_clock_turn(o->nls->clock, SAL_WORK_EXCHANGE);
        status = opt_spread_agree(as->spread, status, err);
        status = status == SAL_OK ? exchange(o, err) : status;
        sal_clock_turn(o->nls->clock, SAL_WORK_ASSEMBLY);
    }
    if (status == SAL_OK) {
        opt_sums_jacobian(as, o->A->D);
    }
    return status;
}

/* C is A'A of the rows in use. */
static void constrained(sal_optim *o, const unsigned char *use)
{
    for (int j = 0; j < o->nls->nvar; j++) {
        o->diagonal[j] = o->C[o->assembly->colptr[j]];
    }
    o->made_of = use;
    o->lost = false;
}

void opt_model_constrain(sal_optim *o, const unsigned char *use)
{
    const sal_work before = sal_clock_turn(o->nls->clock, SAL_WORK_ASSEMBLY);
    opt_assembly_hessian(o->assembly, o->C, o->late[1], o->A, use);
    constrained(o, use);
    sal_clock_turn(o->nls->clock, before);
}

sal_status opt_model_linearise(sal_optim *o, sal_err *err)
{
    sal_clock *const clock = o->nls->clock;
    const sal_work before = sal_clock_turn(clock, SAL_WORK_ASSEMBLY);
    o->state.count.linearisations++;
    sal_status status = assemble(o, err);
    if (status == SAL_OK) {
        status = opt_point_value_of(o, o->r0, err);
    }
    if (status != SAL_OK) {
        return status;
    }
    assemble_sums(o);
    if (o->rows & OPT_ROWS_CONSTRAINTS) {
        constrained(o, o->held);
    }
    opt_model_choose(o, o->use, o->rows, o->r0);
    opt_assembly_gradient(o->assembly, o->g, o->A, o->s, o->use);
    measure(o);
    sal_clock_turn(clock, before);
    o->gradient = opt_kernel_largest(o->g, o->nls->nvar);
    if (!isfinite(o->curvature) || !isfinite(o->gradient)) {
        return sal_fail(err, SAL_DIVERGED,
                        "the derivatives of the residuals are not finite (NaN or infinite)");
    }
    return SAL_OK;
}

sal_status opt_model_factorise(sal_optim *o, double mu, sal_err *err)
{
    const double share = fmin(mu, o->metric_most);
    return opt_model_factorise_mix(o, terms_in(o) + share, constraints_in(o),
                                   share == 0 ? mu : mu * o->metric_identity, err);
}

sal_status opt_model_factorise_mix(sal_optim *o, double m, double c, double shift, sal_err *err)
{
    const opt_mix K = mix_of(o, m, c, shift);
    if (c != 0 && o->lost) {
        opt_model_constrain(o, o->made_of);
    }
    const sal_work before = sal_clock_turn(o->nls->clock, SAL_WORK_FACTORISATION);
    o->lost = o->shared;
    o->state.count.factorisations++;
    sal_status status = opt_factor_compute(o->factor, &K, err);
    if (status == SAL_OK) {
        status = opt_border_compute(o->border, o->A->D, &K, err);
    }
    sal_clock_turn(o->nls->clock, before);
    return status;
}

void opt_model_scaled(sal_optim *o, double *s, const double *r)
{
    model_scaling scaling = {.o = o, .s = s, .r = r};
    sal_parallel_for(o->nls->nblock + 1,
                     sal_parallel_worth(o->options.nthread, WORK_RESIDUAL * o->nrow), block_scaled,
                     &scaling);
}

void opt_model_refresh(sal_optim *o)
{
    const sal_work before = sal_clock_turn(o->nls->clock, SAL_WORK_ASSEMBLY);
    opt_model_scaled(o, o->s, o->now.r);
    opt_model_choose(o, o->use, o->rows, o->now.r);
    opt_assembly_gradient(o->assembly, o->g, o->A, o->s, o->use);
    sal_clock_turn(o->nls->clock, before);
}

sal_status opt_model_solve(sal_optim *o, double *x, const double *b, sal_err *err)
{
    const sal_work before = sal_clock_turn(o->nls->clock, SAL_WORK_SOLUTION);
    for (int j = 0; j < o->nls->nvar; j++) {
        x[j] = -b[j];
    }
    const sal_status status = opt_border_solve(o->border, x, err);
    sal_clock_turn(o->nls->clock, before);
    return status;
}
