#include "optim/assembly.h"

#include "base/house.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- the pattern ---- */

/* For every variable the blocks that know it, and as which of their columns. */
typedef struct incidence {
    int *at;    /* [nvar+1] */
    int *block; /* [columns of all blocks] */
    int *local; /* the same */
    int *mark;  /* [nvar] scratch: the last column that met this row */
    void *memory;
} incidence;

static void place_incidence(incidence *in, sal_layout *layout, const opt_assembly *as)
{
    const size_t n = (size_t)as->nvar, columns = (size_t)as->col_at[as->nblock];
    in->at = sal_layout_take(layout, n + 1, sizeof(int));
    in->block = sal_layout_take(layout, columns, sizeof(int));
    in->local = sal_layout_take(layout, columns, sizeof(int));
    in->mark = sal_layout_take(layout, n, sizeof(int));
}

static sal_status find_incidence(incidence *in, const opt_assembly *as)
{
    sal_layout layout = {0};
    place_incidence(in, &layout, as);
    in->memory = sal_alloc(layout.size, 1);
    if (in->memory == NULL) {
        return SAL_NOMEM;
    }
    layout = (sal_layout){.base = in->memory};
    place_incidence(in, &layout, as);
    for (int b = 0; b < as->nblock; b++) {
        for (int i = 0; i < as->block[b].ncol; i++) {
            in->at[as->block[b].col[i] + 1]++;
        }
    }
    for (int v = 0; v < as->nvar; v++) {
        in->at[v + 1] += in->at[v];
        in->mark[v] = in->at[v];
    }
    for (int b = 0; b < as->nblock; b++) {
        for (int i = 0; i < as->block[b].ncol; i++) {
            const int k = in->mark[as->block[b].col[i]]++;
            in->block[k] = b;
            in->local[k] = i;
        }
    }
    for (int v = 0; v < as->nvar; v++) {
        in->mark[v] = -1;
    }
    return SAL_OK;
}

/* The rows >= c that meet column c in some block, unsorted; the diagonal entry is always one of
 * them. Returns their number. */
static int rows_below(const opt_assembly *as, incidence *in, int c, int *rows)
{
    int n = 0;
    in->mark[c] = c;
    if (rows != NULL) {
        rows[n] = c;
    }
    n++;
    for (int k = in->at[c]; k < in->at[c + 1]; k++) {
        const sal_block *block = &as->block[in->block[k]];
        for (int i = 0; i < block->ncol; i++) {
            const int row = block->col[i];
            if (row < c || in->mark[row] == c) {
                continue;
            }
            in->mark[row] = c;
            if (rows != NULL) {
                rows[n] = row;
            }
            n++;
        }
    }
    return n;
}

static int compare_int(const void *a, const void *b)
{
    int x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

/* Successive columns of a block from local column i on that are successive variables. Returns their
 * number. */
static int run_length(const sal_block *block, int i)
{
    int n = 1;
    while (i + n < block->ncol && block->col[i + n] == block->col[i] + n) {
        n++;
    }
    return n;
}

/* Which entries of a block's product go to column c of H, its local column i. `slot` [nvar]:
 * position of a row in this column. Returns their number; piece may be NULL. */
static int pieces_of_column(const sal_block *block, int c, int i, const int *slot, opt_piece *piece)
{
    const int ncol = block->ncol, ld = opt_gram_ld(ncol);
    int n = 0;
    for (int j = 0, length; j < ncol; j += length) {
        length = run_length(block, j);
        const bool own = j <= i && i<j + length, behind = j> i;
        const int first = own ? i : j; /* of the local columns whose entries go there */
        if (!own && block->col[j] < c) {
            continue;
        }
        if (piece != NULL) {
            piece[n] = (opt_piece){.from = own || behind ? i * ld + first : first * ld + i,
                                   .to = slot[block->col[first]],
                                   .n = j + length - first,
                                   .stride = own || behind ? 1 : ld};
        }
        n++;
    }
    return n;
}

/* The pieces of column c of every block, appended to those of the block. */
static void place_column(opt_assembly *as, const incidence *in, int c, int *slot, int *npiece)
{
    for (int k = as->colptr[c]; k < as->colptr[c + 1]; k++) {
        slot[as->rowind[k]] = k;
    }
    for (int k = in->at[c]; k < in->at[c + 1]; k++) {
        const int b = in->block[k];
        npiece[b] += pieces_of_column(&as->block[b], c, in->local[k], slot,
                                      as->piece + as->piece_at[b] + npiece[b]);
    }
}

static void count_pieces(opt_assembly *as)
{
    for (int b = 0; b < as->nblock; b++) {
        const sal_block *block = &as->block[b];
        int n = 0;
        for (int i = 0; i < block->ncol; i++) {
            n += pieces_of_column(block, block->col[i], i, NULL, NULL);
        }
        as->piece_at[b + 1] = as->piece_at[b] + n;
    }
}

/* Column c, behind the first n runs of columns, of which the first `begin` are other blocks'; the
 * list may be NULL to count. Returns the number of runs then. */
static int begin_column(opt_assembly *as, int begin, int n, int c, int *last)
{
    if (n > begin && c == *last) {
        (*last)++;
    } else {
        n++;
        *last = c + 1;
        if (as->begun != NULL) {
            as->begun[2 * (n - 1)] = c;
        }
    }
    if (as->begun != NULL) {
        as->begun[2 * (n - 1) + 1] = *last;
    }
    return n;
}

/* For each block the runs of columns that no earlier one has, and for the last those that no block
 * has; lists may be NULL to count. seen [nvar]: scratch, zero. */
static void find_begun(opt_assembly *as, int *seen)
{
    int n = 0;
    for (int b = 0; b < as->nblock; b++) {
        const sal_block *block = &as->block[b];
        int begin = n, last = -1;
        as->begun_at[b] = n;
        for (int i = 0; i < block->ncol; i++) {
            const int c = block->col[i];
            n = seen[c] ? n : begin_column(as, begin, n, c, &last);
            seen[c] = 1;
        }
        for (int c = 0; c < as->nvar && b == as->nblock - 1; c++) {
            n = seen[c] ? n : begin_column(as, begin, n, c, &last);
        }
    }
    as->begun_at[as->nblock] = n;
}

static void place_pattern(opt_assembly *as, sal_layout *layout)
{
    as->colptr = sal_layout_take(layout, (size_t)as->nvar + 1, sizeof(int));
    as->piece = sal_layout_take(layout, (size_t)as->piece_at[as->nblock], sizeof(opt_piece));
    as->begun = sal_layout_take(layout, 2 * (size_t)as->begun_at[as->nblock], sizeof(int));
    as->square = sal_layout_take(layout, (size_t)as->nthread * as->nsquare_each, sizeof(double));
    as->local = sal_layout_take(layout, (size_t)as->col_at[as->nblock], sizeof(double));
    as->scratch = sal_layout_take(layout, (size_t)as->nthread, sizeof(opt_scratch));
    for (int k = 0; k < as->nthread; k++) {
        opt_scratch scratch;
        const size_t nres = (size_t)as->nres_most, ld = (size_t)opt_jacobian_ld(as->ncol_most),
                     nstrip = (size_t)opt_strips(as->ncol_most) + 1;
        scratch.row = sal_layout_take(layout, nres, sizeof(double *));
        scratch.strip =
            sal_layout_take(layout, nstrip * opt_words(as->nres_most), sizeof(uint64_t));
        scratch.dense = sal_layout_take(layout, nres * ld + OPT_OUTER_BEYOND, sizeof(double));
        if (layout->base != NULL) {
            as->scratch[k] = scratch;
        }
    }
}

static sal_status find_pattern(opt_assembly *as)
{
    incidence in = {0};
    int *slot = NULL, *npiece = NULL;
    sal_status status = find_incidence(&in, as);
    if (status != SAL_OK) {
        goto done;
    }
    status = SAL_NOMEM;
    long nnz = 0;
    for (int c = 0; c < as->nvar; c++) {
        nnz += rows_below(as, &in, c, NULL);
    }
    if (nnz + as->nsum > INT_MAX) {
        goto done;
    }
    as->nnz = (int)nnz;
    as->nvalue = as->nnz + as->nsum;
    slot = sal_alloc((size_t)as->nvar, sizeof(int));
    if (slot == NULL) {
        goto done;
    }
    find_begun(as, slot);
    memset(slot, 0, (size_t)as->nvar * sizeof(int));
    sal_layout layout = {0};
    place_pattern(as, &layout);
    as->pattern_memory = sal_alloc(layout.size, 1);
    as->rowind = sal_alloc((size_t)as->nnz, sizeof(int));
    npiece = sal_alloc((size_t)as->nblock, sizeof(int));
    if (as->pattern_memory == NULL || as->rowind == NULL || npiece == NULL) {
        goto done;
    }
    layout = (sal_layout){.base = as->pattern_memory};
    place_pattern(as, &layout);
    find_begun(as, slot);
    for (int v = 0; v < as->nvar; v++) {
        in.mark[v] = -1;
    }
    for (int c = 0; c < as->nvar; c++) {
        int *rows = as->rowind + as->colptr[c];
        const int n = rows_below(as, &in, c, rows);
        qsort(rows, (size_t)n, sizeof(int), compare_int);
        as->colptr[c + 1] = as->colptr[c] + n;
        place_column(as, &in, c, slot, npiece);
    }
    status = SAL_OK;
done:
    sal_free(slot);
    sal_free(npiece);
    sal_free(in.memory);
    return status;
}

/* ---- creation ---- */

static void place_offsets(opt_assembly *as, sal_layout *layout)
{
    const size_t n = (size_t)as->nblock + 1;
    as->res_at = sal_layout_take(layout, n, sizeof(int));
    as->jac_at = sal_layout_take(layout, n, sizeof(size_t));
    as->piece_at = sal_layout_take(layout, n, sizeof(int));
    as->begun_at = sal_layout_take(layout, n, sizeof(int));
    as->col_at = sal_layout_take(layout, n, sizeof(int));
}

static void fill_offsets(opt_assembly *as)
{
    for (int b = 0; b < as->nblock; b++) {
        const int nres = as->block[b].nres, ncol = as->block[b].ncol;
        as->res_at[b + 1] = as->res_at[b] + nres;
        as->col_at[b + 1] = as->col_at[b] + opt_jacobian_ld(ncol);
        as->jac_at[b + 1] = as->jac_at[b] + (size_t)nres * (size_t)ncol;
        as->nres_most = nres > as->nres_most ? nres : as->nres_most;
        as->ncol_most = ncol > as->ncol_most ? ncol : as->ncol_most;
    }
    as->nsquare_each = opt_gram_size(as->ncol_most);
    as->nres = as->res_at[as->nblock];
    as->nrow = as->nres + as->nsum;
}

sal_status opt_assembly_new(opt_assembly **assembly, int nvar, const sal_block *block, int nblock,
                            int nthread, sal_err *err)
{
    opt_assembly *as = sal_alloc(1, sizeof *as);
    *assembly = as;
    if (as == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the pattern of %d variables", nvar);
    }
    as->nvar = nvar;
    as->block = block;
    as->nblock = nblock;
    as->nthread = nthread > 1 ? nthread : 1;
    sal_layout layout = {0};
    place_offsets(as, &layout);
    as->memory = sal_alloc(layout.size, 1);
    sal_status status = as->memory == NULL ? SAL_NOMEM : opt_sums_find(as, err);
    if (status == SAL_OK) {
        layout = (sal_layout){.base = as->memory};
        place_offsets(as, &layout);
        fill_offsets(as);
        count_pieces(as);
        status = find_pattern(as);
        status = status == SAL_OK ? opt_assembly_share(as, nblock > 0 ? nblock : 1, 1) : status;
    }
    if (status != SAL_OK) {
        opt_assembly_free(as);
        *assembly = NULL;
        return status == SAL_NOMEM
                   ? sal_fail(err, status, "out of memory for the pattern of %d variables", nvar)
                   : status;
    }
    return SAL_OK;
}

void opt_assembly_free(opt_assembly *as)
{
    if (as != NULL) {
        opt_sums_free(as);
        opt_spread_free(as->spread);
        opt_late_free(as->late);
        sal_free(as->memory);
        sal_free(as->pattern_memory);
        sal_free(as->rowind);
        sal_free(as);
    }
}

sal_status opt_assembly_share(opt_assembly *as, int per_part, int nshare)
{
    int end;
    const int first = opt_spread_first(as->spread, as->nblock, &end),
              npart = (end - first + per_part - 1) / per_part, n = npart < nshare ? npart : nshare;
    const int most = n > 1 ? n : 1;
    int *begin = sal_alloc((size_t)most + 1, sizeof *begin);
    sal_status status = SAL_NOMEM;
    opt_late_free(as->late);
    as->late = NULL;
    if (begin != NULL) {
        for (int k = 0; k <= most; k++) {
            const long at = first + (long)npart * k / most * per_part;
            begin[k] = at < end ? (int)at : end;
        }
        status = opt_late_new(&as->late, as, begin, most);
    }
    sal_free(begin);
    return status;
}

int opt_assembly_column(const opt_assembly *as, int entry)
{
    int first = 0, n = as->nvar;
    while (n > 1) {
        const int half = n / 2;
        first += as->colptr[first + half] <= entry ? half : 0;
        n -= half;
    }
    return first;
}

void opt_assembly_forget_rows(opt_assembly *as)
{
    sal_free(as->rowind);
    as->rowind = NULL;
}

/* ---- products ---- */

typedef struct product {
    const opt_assembly *as;
    const opt_jacobian *A;
    const double *dense; /* NULL: A holds the rows; else it knows their strips */
    const double *s;
    double *w, *H, *late;
    const unsigned char *use;
    int first; /* block where `dense` begins, or of the loop */
} product;

/* ns for each entry of a Jacobian, about: of a product with a vector, and, for each column too, of
 * A'A */
static const double WORK_VECTOR = .3, WORK_SQUARE = .06;

/* For a loop over these blocks that takes so many ns for each entry of their Jacobians */
static int threads(const opt_assembly *as, int first, int n, double work)
{
    return sal_parallel_worth(as->nthread,
                              work * (double)(as->jac_at[first + n] - as->jac_at[first]));
}

/* Row k has the strips of mask: their bits k. */
static void mark_strips(uint64_t *strip, size_t nword, int k, const uint64_t *mask, int ncol)
{
    const uint64_t bit = (uint64_t)1 << k % OPT_WORD;
    strip += k / OPT_WORD;
    for (int i = 0; i < opt_strips(ncol); i += OPT_WORD) {
        for (uint64_t bits = *mask++; bits != 0; bits &= bits - 1) {
            strip[(size_t)(i + __builtin_ctzll(bits)) * nword] |= bit;
        }
    }
}

/* A dense row r of block b, scaled, which it may have yet to be: then a copy */
static const double *scaled_row(const product *p, const opt_scratch *scratch, int b, int r,
                                const double *row)
{
    const double missing = opt_jacobian_missing(p->A, b, r);
    const int ncol = p->as->block[b].ncol;
    if (missing == 1) {
        return row;
    }
    double *copy = scratch->dense + (size_t)r * (size_t)opt_jacobian_ld(ncol);
    memcpy(copy, row, (size_t)ncol * sizeof *copy);
    opt_kernel_scale(copy, opt_jacobian_mask(p->A, b, r), ncol, missing);
    return copy;
}

/* The rows in use of block b, and in which of them each strip is not zero. */
static opt_gram rows_in_use(const product *p, const opt_scratch *scratch, int b)
{
    const opt_assembly *as = p->as;
    const int ncol = as->block[b].ncol, nres = as->block[b].nres;
    const unsigned char *use = p->use + as->res_at[b];
    const double *row = scratch->dense;
    const size_t ld = (size_t)(p->dense != NULL ? ncol : opt_jacobian_ld(ncol)),
                 nword = opt_words(nres);
    const bool shared = p->dense != NULL && p->A->shares;
    int n = 0;
    if (p->dense != NULL) {
        row = p->dense + (as->jac_at[b] - as->jac_at[p->first]);
    } else {
        opt_jacobian_unpack(p->A, b, scratch->dense, use);
    }
    memset(scratch->strip, 0, (size_t)(opt_strips(ncol) + 1) * nword * sizeof(uint64_t));
    for (int r = 0; r < nres; r++, row += ld) {
        if (use[r]) {
            scratch->row[n] = shared ? scaled_row(p, scratch, b, r, row) : row;
            mark_strips(scratch->strip, nword, n, opt_jacobian_mask(p->A, b, r), ncol);
            n++;
        }
    }
    return (opt_gram){.row = scratch->row, .ncol = ncol, .strip = scratch->strip, .nword = nword};
}

/* Zero are the columns of H that block b is the first to add to. */
static void begin_columns(const opt_assembly *as, double *H, int b)
{
    for (int k = as->begun_at[b]; k < as->begun_at[b + 1]; k++) {
        const int from = as->colptr[as->begun[2 * k]], to = as->colptr[as->begun[2 * k + 1]];
        memset(H + from, 0, (size_t)(to - from) * sizeof(double));
    }
}

/* H += A_b' A_b over the rows in use. (Of a tree's dofs only pairs on a common branch feel each
 * other, and a row feels few of the three configurations.) */
static void add_block(const product *p, int b, int worker)
{
    const opt_assembly *as = p->as;
    double *square = as->square + (size_t)worker * as->nsquare_each;
    const opt_gram gram = rows_in_use(p, &as->scratch[worker], b);
    opt_kernel_gram(square, &gram);
    begin_columns(as, p->H, b);
    opt_late_rest(as->late, p->H, b, square);
    opt_late_keep(as->late, p->late, b, square);
    opt_spread_keep(as->spread, p->H, b, square);
}

int opt_assembly_square_threads(const opt_assembly *as, int first, int n)
{
    return threads(as, first, n, WORK_SQUARE * as->ncol_most);
}

void opt_assembly_add(const opt_assembly *as, double *H, double *late, const opt_dense *rows,
                      const unsigned char *use, int worker)
{
    const product p = {.as = as,
                       .A = rows->A,
                       .dense = rows->row,
                       .use = use,
                       .H = H,
                       .late = late,
                       .first = rows->first};
    for (int b = rows->first; b < rows->first + rows->n; b++) {
        add_block(&p, b, worker);
    }
}

static void add_share(void *ctx, int share, int worker)
{
    const product *p = ctx;
    const int *begin = p->as->late->begin;
    for (int b = begin[share]; b < begin[share + 1]; b++) {
        add_block(p, b, worker);
    }
}

void opt_assembly_hessian(const opt_assembly *as, double *H, double *late, const opt_jacobian *A,
                          const unsigned char *use)
{
    product p = {.as = as, .A = A, .use = use, .H = H, .late = late};
    const int *begin = as->late->begin, n = begin[as->late->nshare] - begin[0];
    sal_parallel_for(as->late->nshare, opt_assembly_square_threads(as, begin[0], n), add_share, &p);
    opt_late_add(as->late, H, late);
    opt_spread_hessian(as->spread, H);
    opt_sums_hessian(as, H + as->nnz, use + as->nres);
}

/* local_b = A_b' s_b over the rows in use */
static void block_gradient(void *ctx, int index, int worker)
{
    const product *p = ctx;
    const opt_assembly *as = p->as;
    const int b = p->first + index;
    double *local = as->local + as->col_at[b];
    (void)worker;
    memset(local, 0, (size_t)(as->col_at[b + 1] - as->col_at[b]) * sizeof(double));
    opt_jacobian_gradient(p->A, b, local, p->s + as->res_at[b], p->use + as->res_at[b]);
}

void opt_assembly_gradient(const opt_assembly *as, double *g, const opt_jacobian *A,
                           const double *s, const unsigned char *use)
{
    product p = {.as = as, .A = A, .s = s, .use = use};
    int end;
    p.first = opt_spread_first(as->spread, as->nblock, &end);
    sal_parallel_for(end - p.first, threads(as, p.first, end - p.first, WORK_VECTOR),
                     block_gradient, &p);
    opt_spread_collect(as->spread, as->local, as->col_at);
    memset(g, 0, (size_t)as->nvar * sizeof(double));
    for (int b = 0; b < as->nblock; b++) {
        for (int i = 0; i < as->block[b].ncol; i++) {
            g[as->block[b].col[i]] += as->local[as->col_at[b] + i];
        }
    }
    opt_sums_gradient(as, g, A->D, s + as->nres, use + as->nres);
}

/* w_b = A_b d_b */
static void block_product(void *ctx, int index, int worker)
{
    const product *p = ctx;
    const opt_assembly *as = p->as;
    const int b = p->first + index;
    const int ncol = as->block[b].ncol, ld = as->col_at[b + 1] - as->col_at[b];
    double *local = as->local + as->col_at[b];
    (void)worker;
    for (int i = 0; i < ncol; i++) {
        local[i] = p->s[as->block[b].col[i]];
    }
    for (int i = ncol; i < ld; i++) {
        local[i] = 0;
    }
    opt_jacobian_product(p->A, b, p->w + as->res_at[b], local);
}

void opt_assembly_product(const opt_assembly *as, double *w, const opt_jacobian *A, const double *d)
{
    product p = {.as = as, .A = A, .s = d};
    int end;
    p.w = w;
    p.first = opt_spread_first(as->spread, as->nblock, &end);
    sal_parallel_for(end - p.first, threads(as, p.first, end - p.first, WORK_VECTOR), block_product,
                     &p);
    opt_spread_collect(as->spread, w, as->res_at);
    opt_sums_product(as, w + as->nres, A->D, d);
}
