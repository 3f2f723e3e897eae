/* create.c: the solver's memory and its defaults. */
#include "optim/solver.h"

#include <string.h>

/* entries of C that have a place of their own: making them anew would cost more than it saves */
static const int SMALL = 1 << 20;
enum { LONG = 600 }; /* blocks of a long motion */

void sal_optim_defaults(sal_optim_options *options)
{
    *options = (sal_optim_options){.maxiter = 400,
                                   .maxtime = 0,
                                   .tolerance = 1e-3,
                                   .cap = 0.15,
                                   .reach = 1,
                                   .increments = 59,
                                   .softness = 1,
                                   .damping = 1,
                                   .damping_floor = 0.1,
                                   .nthread = 1,
                                   .log = NULL};
}

const char *sal_stop_text(sal_stop stop)
{
    static const char *const text[] = {
#define OPT_STOP_TEXT(code, text, meaning) text,
        SAL_STOP_LIST(OPT_STOP_TEXT)
#undef OPT_STOP_TEXT
    };
    const unsigned index = (unsigned)stop;
    return index < sizeof text / sizeof text[0] ? text[index] : "unknown";
}

/* ---- what a problem must obey ---- */

static sal_status check_segments(const sal_block *block, int b, sal_err *err)
{
    int n = 0;
    for (int s = 0; s < block->nseg; s++) {
        const sal_segment *seg = &block->seg[s];
        if (seg->n < 0 || (seg->range && !seg->constraint)) {
            return sal_fail(err, SAL_BADINPUT, "block %d, segment %d: %s", b, s,
                            seg->n < 0 ? "its size is negative; it must be at least 0"
                                       : "only a constraint can have a range");
        }
        if (seg->constraint && !(seg->tol > 0)) {
            return sal_fail(
                err, SAL_BADINPUT,
                "block %d, segment %d: the tolerance of a constraint is %g; it must be positive", b,
                s, seg->tol);
        }
        n += seg->n;
    }
    if (n != block->nres) {
        return sal_fail(err, SAL_BADINPUT,
                        "block %d: its segments have %d residuals together, but nres is %d", b, n,
                        block->nres);
    }
    return SAL_OK;
}

/* seen[v]: the last block that named variable v, from 1 */
static sal_status check_columns(const sal_nls *nls, int b, int *seen, sal_err *err)
{
    const sal_block *block = &nls->block[b];
    for (int i = 0; i < block->ncol; i++) {
        const int v = block->col[i];
        if (v < 0 || v >= nls->nvar) {
            return sal_fail(err, SAL_BADINPUT,
                            "block %d depends on variable %d, but the problem has %d variables, "
                            "numbered from 0",
                            b, v, nls->nvar);
        }
        if (seen[v] == b + 1) {
            return sal_fail(err, SAL_BADINPUT,
                            "block %d lists variable %d twice; each variable must be listed once",
                            b, v);
        }
        seen[v] = b + 1;
    }
    return SAL_OK;
}

static sal_status check_problem(const sal_nls *nls, sal_err *err)
{
    if (nls->nvar < 1 || nls->nx < 1 || nls->nblock < 0) {
        return sal_fail(
            err, SAL_BADINPUT,
            "the problem has nvar %d, nx %d and nblock %d; they must be at least 1, 1 and 0",
            nls->nvar, nls->nx, nls->nblock);
    }
    if (sal_ranks_are_many(nls->ranks) &&
        (nls->residual_part == NULL || nls->linearise_part == NULL)) {
        return sal_fail(err, SAL_BADINPUT,
                        "a problem that several ranks share needs the functions residual_part and "
                        "linearise_part");
    }
    if (nls->linearise_part != NULL && nls->place == NULL) {
        return sal_fail(err, SAL_BADINPUT,
                        "the problem has the function linearise_part, but not place, which says "
                        "where parts are linearised");
    }
    int *seen = sal_alloc((size_t)nls->nvar, sizeof(int));
    if (seen == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for %d variables", nls->nvar);
    }
    sal_status status = SAL_OK;
    for (int b = 0; b < nls->nblock && status == SAL_OK; b++) {
        status = check_segments(&nls->block[b], b, err);
        if (status == SAL_OK) {
            status = check_columns(nls, b, seen, err);
        }
    }
    sal_free(seen);
    return status;
}

/* ---- memory ---- */

static double *take(sal_layout *layout, size_t n)
{
    return sal_layout_take(layout, n, sizeof(double));
}

static size_t root_size(const sal_block *block)
{
    size_t size = 0;
    for (int s = 0; s < block->nseg; s++) {
        size += opt_model_root_size(&block->seg[s]);
    }
    return size;
}

static void place_point(sal_layout *layout, opt_point *p, size_t nx, size_t nrow)
{
    p->x = take(layout, nx);
    p->r = take(layout, nrow);
}

/* Threads that linearise at once, each a share of the blocks */
static int shares_of(const sal_optim *o)
{
    const int most = o->by_parts && o->nls->nworker < o->nthread ? o->nls->nworker : o->nthread;
    return most > 1 ? most : 1;
}

/* Blocks that a thread linearises at a time */
static int part_of(const sal_optim *o)
{
    const sal_nls *nls = o->nls;
    const int all = nls->nblock > 0 ? nls->nblock : 1;
    const bool parts = o->by_parts && nls->part > 0 && nls->part < nls->nblock;
    return opt_spread_part(nls->ranks, shares_of(o), nls->nblock, parts ? nls->part : all);
}

/* Numbers of the Jacobian of the largest part, or of all blocks */
static size_t largest_part(const sal_optim *o)
{
    const int nblock = o->nls->nblock, part = o->by_parts ? o->A->per_part : nblock;
    const size_t *at = o->assembly->jac_at;
    size_t most = 0;
    for (int b = 0; b < nblock; b += part) {
        const size_t n = at[nblock - b < part ? nblock : b + part] - at[b];
        most = n > most ? n : most;
    }
    return most;
}

static void place_all(sal_optim *o, sal_layout *layout, size_t nroot)
{
    const size_t nx = (size_t)o->nls->nx, nvar = (size_t)o->nls->nvar, nrow = (size_t)o->nrow;
    const size_t nvalue = (size_t)o->assembly->nvalue + opt_spread_room(o->assembly->spread);
    place_point(layout, &o->now, nx, nrow);
    place_point(layout, &o->trial, nx, nrow);
    place_point(layout, &o->other, nx, nrow);
    if (o->nls->linear != NULL) {
        place_point(layout, &o->spare, nx, nrow);
    }
    o->kept = take(layout, nx);
    o->good = take(layout, nx);
    o->part_room = largest_part(o) + OPT_OUTER_BEYOND;
    o->J = take(layout, o->part_room * (size_t)(o->by_parts ? o->assembly->late->nshare : 1));
    o->share = sal_layout_take(layout, (size_t)o->assembly->late->nshare, sizeof *o->share);
    for (int i = 0; i < 2; i++) {
        o->late[i] = take(layout, opt_late_room(o->assembly->late));
    }
    o->s = take(layout, nrow);
    o->r0 = take(layout, nrow);
    o->root = take(layout, nroot);
    o->unused_root = take(layout, (size_t)o->nthread * o->root_most);
    o->root_at = sal_layout_take(layout, (size_t)o->nls->nblock + 2, sizeof(size_t));
    o->kind = sal_layout_take(layout, nrow, 1);
    o->counted = sal_layout_take(layout, o->nls->linear == NULL ? 0 : nrow, 1);
    o->use = sal_layout_take(layout, nrow, 1);
    o->term = sal_layout_take(layout, nrow, 1);
    o->held = sal_layout_take(layout, nrow, 1);
    o->active = sal_layout_take(layout, nrow, 1);
    o->soft = sal_layout_take(layout, (size_t)o->nls->nblock, 1);
    o->M = take(layout, nvalue);
    o->C = o->shared ? opt_factor_room(o->factor) : take(layout, nvalue);
    o->diagonal = take(layout, nvar);
    o->g = take(layout, nvar);
    o->d = take(layout, nvar);
    o->e = take(layout, nvar);
    const size_t nregion = o->options.step == SAL_STEP_DOGLEG ? nvar : 0;
    o->linear = take(layout, o->nls->linear == NULL ? 0 : 4 * nvar);
    o->descent = take(layout, nregion);
    o->newton = take(layout, nregion);
    o->weight = take(layout, nregion);
    o->w = take(layout, nrow);
    o->w2 = take(layout, nrow);
    o->left = take(layout, o->nls->linear == NULL ? 0 : nrow);
    o->lambda = take(layout, nrow);
    o->price = take(layout, nrow);
    o->secant.pairs = take(layout, 2 * OPT_PAIRS * nvar);
    o->secant.step = take(layout, nvar);
    o->secant.gradient = take(layout, nvar);
    o->secant.lambda = take(layout, nrow);
}

static void fill_kinds(sal_optim *o)
{
    int row = 0;
    for (int b = 0; b <= o->nls->nblock; b++) {
        const sal_block *block = opt_assembly_block(o->assembly, b);
        o->root_at[b + 1] = o->root_at[b] + root_size(block);
        for (int s = 0; s < block->nseg; s++) {
            const sal_segment *seg = &block->seg[s];
            const int kind = seg->sum != 0      ? OPT_ROW_PART
                             : !seg->constraint ? OPT_ROW_TERM
                             : seg->range       ? OPT_ROW_RANGE
                                                : OPT_ROW_EQUALITY;
            memset(o->kind + row, kind, (size_t)seg->n);
            memset(o->term + row, kind == OPT_ROW_TERM, (size_t)seg->n);
            row += seg->n;
            o->nconstraint += seg->constraint && seg->sum == 0 ? seg->n : 0;
        }
    }
}

/* With sums, what the factor solves is refined by products with all of H: then every rank has all
 * of it, and factorises it. */
static sal_status spread_over_ranks(sal_optim *o, sal_err *err)
{
    const sal_nls *nls = o->nls;
    if (!sal_ranks_are_many(nls->ranks)) {
        return SAL_OK;
    }
    unsigned char *half = sal_alloc((size_t)nls->nvar, 1);
    if (half == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for %d variables", nls->nvar);
    }
    const bool halves = o->assembly->nsum == 0 && opt_factor_halves(o->factor, half);
    sal_status status = opt_spread_new(&o->assembly->spread, o->assembly, nls->ranks, part_of(o),
                                       halves ? half : NULL, err);
    if (status == SAL_OK && halves && opt_factor_share(o->factor, o->assembly->spread) != SAL_OK) {
        status = sal_fail(err, SAL_NOMEM, "out of memory for %d variables", nls->nvar);
    }
    sal_free(half);
    return status;
}

static sal_status build(sal_optim *o, sal_err *err)
{
    const sal_nls *nls = o->nls;
    o->nthread = o->options.nthread > 1 ? o->options.nthread : 1;
    o->by_parts = nls->linearise_part != NULL &&
                  (nls->part > 0 || nls->linearise == NULL || sal_ranks_are_many(nls->ranks));
    sal_status status =
        opt_assembly_new(&o->assembly, nls->nvar, nls->block, nls->nblock, o->options.nthread, err);
    if (status != SAL_OK) {
        return status;
    }
    status = opt_factor_new(&o->factor, nls->nvar, o->assembly->colptr, o->assembly->rowind,
                            o->options.factor, o->options.nthread, err);
    if (status != SAL_OK) {
        return status;
    }
    status = spread_over_ranks(o, err);
    if (status != SAL_OK) {
        return status;
    }
    if (opt_assembly_share(o->assembly, part_of(o), shares_of(o)) != SAL_OK) {
        return sal_fail(err, SAL_NOMEM, "out of memory for %d blocks", nls->nblock);
    }
    if (o->assembly->nsum == 0) {
        opt_assembly_forget_rows(o->assembly); /* before more memory is needed */
    }
    o->nrow = o->assembly->nrow;
    o->has_places =
        nls->residual_part != NULL && nls->linearise_part != NULL && o->assembly->nsum == 0;
    o->is_long = o->has_places && nls->nblock >= LONG;
    o->shared = o->assembly->nnz > SMALL && !sal_ranks_are_many(nls->ranks) &&
                o->assembly->nsum == 0 && opt_factor_room(o->factor) != NULL;
    status = opt_jacobian_new(&o->A, nls->block, nls->nblock, part_of(o),
                              (size_t)o->assembly->nsum * (size_t)nls->nvar, err);
    if (status != SAL_OK) {
        return status;
    }
    size_t nroot = 0;
    for (int b = 0; b <= nls->nblock; b++) {
        const size_t size = root_size(opt_assembly_block(o->assembly, b));
        nroot += size;
        o->root_most = size > o->root_most ? size : o->root_most;
    }
    sal_layout layout = {0};
    place_all(o, &layout, nroot);
    o->memory = sal_alloc(layout.size, 1);
    if (o->memory == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for %d variables and %d residuals",
                        nls->nvar, o->nrow);
    }
    layout = (sal_layout){.base = o->memory};
    place_all(o, &layout, nroot);
    fill_kinds(o);
    return opt_border_new(&o->border, o->factor, o->assembly, err);
}

sal_status sal_optim_new(sal_optim **optim, const sal_nls *nls, const sal_optim_options *options,
                         sal_err *err)
{
    *optim = NULL;
    sal_status status = check_problem(nls, err);
    if (status != SAL_OK) {
        return status;
    }
    sal_optim *o = sal_alloc(1, sizeof *o);
    if (o == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the optimizer");
    }
    o->nls = nls;
    o->options = *options;
    o->enough = 1;
    status = build(o, err);
    sal_say(options->log, SAL_DEBUG, "%d variables, %d residuals, %d of them constraints",
            nls->nvar, o->nrow, o->nconstraint);
    if (status != SAL_OK) {
        sal_optim_free(o);
        return status;
    }
    *optim = o;
    return SAL_OK;
}

void sal_optim_free(sal_optim *o)
{
    if (o != NULL) {
        opt_jacobian_free(o->A);
        opt_assembly_free(o->assembly);
        opt_factor_free(o->factor);
        opt_border_free(o->border);
        sal_free(o->memory);
        sal_free(o);
    }
}
