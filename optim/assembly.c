#include "optim/assembly.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- the pattern ------------------------------------------------------------------------------------------------------- */

/* For every variable the blocks that know it, and as which of their columns. */
typedef struct incidence {
    int *at;    /* [nvar+1] */
    int *block; /* [columns of all blocks] */
    int *local; /* the same */
    int *mark;  /* [nvar] scratch: the last column that met this row */
    void *memory;
} incidence;

static size_t triangle_index(int i, int j)
{
    const size_t row = (size_t)(i > j ? i : j), col = (size_t)(i > j ? j : i);
    return row * (row + 1) / 2 + col;
}

static void place_incidence(incidence *in, sal_layout *layout, const sal_assembly *as)
{
    const size_t n = (size_t)as->nvar, columns = (size_t)as->col_at[as->nblock];
    in->at = sal_layout_take(layout, n + 1, sizeof(int));
    in->block = sal_layout_take(layout, columns, sizeof(int));
    in->local = sal_layout_take(layout, columns, sizeof(int));
    in->mark = sal_layout_take(layout, n, sizeof(int));
}

static sal_status find_incidence(incidence *in, const sal_assembly *as)
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

/* The rows >= c that meet column c in some block, unsorted; the diagonal entry is always one of them. Returns their number. */
static int rows_below(const sal_assembly *as, incidence *in, int c, int *rows)
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

/* Where the entries of column c of every block go in H. `slot` [nvar]: position of a row in this column. */
static void place_column(sal_assembly *as, const incidence *in, int c, int *slot)
{
    for (int k = as->colptr[c]; k < as->colptr[c + 1]; k++) {
        slot[as->rowind[k]] = k;
    }
    for (int k = in->at[c]; k < in->at[c + 1]; k++) {
        const sal_block *block = &as->block[in->block[k]];
        int *place = as->place + as->tri_at[in->block[k]];
        for (int i = 0; i < block->ncol; i++) {
            if (block->col[i] >= c) {
                place[triangle_index(i, in->local[k])] = slot[block->col[i]];
            }
        }
    }
}

static void place_pattern(sal_assembly *as, sal_layout *layout)
{
    const size_t tri = as->tri_at[as->nblock];
    as->colptr = sal_layout_take(layout, (size_t)as->nvar + 1, sizeof(int));
    as->rowind = sal_layout_take(layout, (size_t)as->nnz, sizeof(int));
    as->place = sal_layout_take(layout, tri, sizeof(int));
    as->triangle = sal_layout_take(layout, tri, sizeof(double));
    as->local = sal_layout_take(layout, (size_t)as->col_at[as->nblock], sizeof(double));
    as->rows = sal_layout_take(layout, (size_t)as->nres, sizeof(int));
}

static sal_status find_pattern(sal_assembly *as)
{
    incidence in = {0};
    int *slot = NULL;
    sal_status status = find_incidence(&in, as);
    if (status != SAL_OK) {
        goto done;
    }
    status = SAL_NOMEM;
    long nnz = 0;
    for (int c = 0; c < as->nvar; c++) {
        nnz += rows_below(as, &in, c, NULL);
    }
    if (nnz > INT_MAX) {
        goto done;
    }
    as->nnz = (int)nnz;
    sal_layout layout = {0};
    place_pattern(as, &layout);
    as->pattern_memory = sal_alloc(layout.size, 1);
    slot = sal_alloc((size_t)as->nvar, sizeof(int));
    if (as->pattern_memory == NULL || slot == NULL) {
        goto done;
    }
    layout = (sal_layout){.base = as->pattern_memory};
    place_pattern(as, &layout);
    for (int v = 0; v < as->nvar; v++) {
        in.mark[v] = -1;
    }
    for (int c = 0; c < as->nvar; c++) {
        int *rows = as->rowind + as->colptr[c];
        const int n = rows_below(as, &in, c, rows);
        qsort(rows, (size_t)n, sizeof(int), compare_int);
        as->colptr[c + 1] = as->colptr[c] + n;
        place_column(as, &in, c, slot);
    }
    status = SAL_OK;
done:
    sal_free(slot);
    sal_free(in.memory);
    return status;
}

/* ---- creation ---------------------------------------------------------------------------------------------------------- */

static void place_offsets(sal_assembly *as, sal_layout *layout)
{
    const size_t n = (size_t)as->nblock + 1;
    as->res_at = sal_layout_take(layout, n, sizeof(int));
    as->jac_at = sal_layout_take(layout, n, sizeof(size_t));
    as->tri_at = sal_layout_take(layout, n, sizeof(size_t));
    as->col_at = sal_layout_take(layout, n, sizeof(int));
}

static void fill_offsets(sal_assembly *as)
{
    for (int b = 0; b < as->nblock; b++) {
        const size_t nres = (size_t)as->block[b].nres, ncol = (size_t)as->block[b].ncol;
        as->res_at[b + 1] = as->res_at[b] + as->block[b].nres;
        as->col_at[b + 1] = as->col_at[b] + as->block[b].ncol;
        as->jac_at[b + 1] = as->jac_at[b] + nres * ncol;
        as->tri_at[b + 1] = as->tri_at[b] + ncol * (ncol + 1) / 2;
    }
    as->nres = as->res_at[as->nblock];
    as->njac = as->jac_at[as->nblock];
}

sal_status sal_assembly_new(sal_assembly **assembly, int nvar, const sal_block *block, int nblock,
                            int nthread, sal_err *err)
{
    sal_assembly *as = sal_alloc(1, sizeof *as);
    *assembly = as;
    if (as == NULL) {
        return sal_fail(err, SAL_NOMEM, "no memory for the pattern of %d variables", nvar);
    }
    as->nvar = nvar;
    as->block = block;
    as->nblock = nblock;
    as->nthread = nthread;
    sal_layout layout = {0};
    place_offsets(as, &layout);
    as->memory = sal_alloc(layout.size, 1);
    sal_status status = SAL_NOMEM;
    if (as->memory != NULL) {
        layout = (sal_layout){.base = as->memory};
        place_offsets(as, &layout);
        fill_offsets(as);
        status = find_pattern(as);
    }
    if (status != SAL_OK) {
        sal_assembly_free(as);
        *assembly = NULL;
        return sal_fail(err, status, "no memory for the pattern of %d variables", nvar);
    }
    return SAL_OK;
}

void sal_assembly_free(sal_assembly *as)
{
    if (as != NULL) {
        sal_free(as->memory);
        sal_free(as->pattern_memory);
        sal_free(as);
    }
}

/* ---- products ---------------------------------------------------------------------------------------------------------- */

typedef struct product {
    const sal_assembly *as;
    const double *A, *s;
    double *w;
    const unsigned char *use;
} product;

static const double *row_of(const double *A, int ncol, int row)
{
    return A + (size_t)row * (size_t)ncol;
}

/* T += a a' + b b' + c c' + d d' on the lower triangle, packed by rows */
static void add_four_rows(double *restrict triangle, int ncol, const double *a, const double *b,
                          const double *c, const double *d)
{
    for (int i = 0; i < ncol; i++) {
        const double ai = a[i], bi = b[i], ci = c[i], di = d[i];
        double *restrict row = triangle + triangle_index(i, 0);
        if (ai == 0 && bi == 0 && ci == 0 && di == 0) {
            continue;
        }
        for (int j = 0; j <= i; j++) {
            row[j] += (ai * a[j] + bi * b[j]) + (ci * c[j] + di * d[j]);
        }
    }
}

/* T += a a' */
static void add_row(double *restrict triangle, int ncol, const double *a)
{
    for (int i = 0; i < ncol; i++) {
        const double ai = a[i];
        double *restrict row = triangle + triangle_index(i, 0);
        if (ai == 0) {
            continue;
        }
        for (int j = 0; j <= i; j++) {
            row[j] += ai * a[j];
        }
    }
}

/* T_b = A_b' A_b over the rows in use */
static void block_hessian(void *ctx, int b, int worker)
{
    (void)worker;
    const product *p = ctx;
    const sal_assembly *as = p->as;
    const int ncol = as->block[b].ncol, nres = as->block[b].nres;
    const double *A = p->A + as->jac_at[b];
    double *triangle = as->triangle + as->tri_at[b];
    int *rows = as->rows + as->res_at[b], n = 0;
    for (int r = 0; r < nres; r++) {
        if (p->use[as->res_at[b] + r]) {
            rows[n++] = r;
        }
    }
    memset(triangle, 0, (as->tri_at[b + 1] - as->tri_at[b]) * sizeof(double));
    int k = 0;
    for (; k + 4 <= n; k += 4) {
        add_four_rows(triangle, ncol, row_of(A, ncol, rows[k]), row_of(A, ncol, rows[k + 1]),
                      row_of(A, ncol, rows[k + 2]), row_of(A, ncol, rows[k + 3]));
    }
    for (; k < n; k++) {
        add_row(triangle, ncol, row_of(A, ncol, rows[k]));
    }
}

void sal_assembly_hessian(const sal_assembly *as, double *H, const double *A,
                          const unsigned char *use)
{
    product p = {.as = as, .A = A, .use = use};
    sal_parallel_for(as->nblock, as->nthread, block_hessian, &p);
    memset(H, 0, (size_t)as->nnz * sizeof(double));
    for (size_t k = 0; k < as->tri_at[as->nblock]; k++) { /* block after block */
        H[as->place[k]] += as->triangle[k];
    }
}

/* local_b = A_b' s_b over the rows in use */
static void block_gradient(void *ctx, int b, int worker)
{
    (void)worker;
    const product *p = ctx;
    const sal_assembly *as = p->as;
    const int ncol = as->block[b].ncol;
    const double *row = p->A + as->jac_at[b];
    double *restrict local = as->local + as->col_at[b];
    memset(local, 0, (size_t)ncol * sizeof(double));
    for (int r = as->res_at[b]; r < as->res_at[b + 1]; r++, row += ncol) {
        const double s = p->s[r];
        if (!p->use[r] || s == 0) {
            continue;
        }
        for (int i = 0; i < ncol; i++) {
            local[i] += s * row[i];
        }
    }
}

void sal_assembly_gradient(const sal_assembly *as, double *g, const double *A, const double *s,
                           const unsigned char *use)
{
    product p = {.as = as, .A = A, .s = s, .use = use};
    sal_parallel_for(as->nblock, as->nthread, block_gradient, &p);
    memset(g, 0, (size_t)as->nvar * sizeof(double));
    for (int b = 0; b < as->nblock; b++) {
        for (int i = 0; i < as->block[b].ncol; i++) {
            g[as->block[b].col[i]] += as->local[as->col_at[b] + i];
        }
    }
}

/* w_b = A_b d_b */
static void block_product(void *ctx, int b, int worker)
{
    (void)worker;
    const product *p = ctx;
    const sal_assembly *as = p->as;
    const int ncol = as->block[b].ncol;
    const double *row = p->A + as->jac_at[b];
    double *local = as->local + as->col_at[b];
    for (int i = 0; i < ncol; i++) {
        local[i] = p->s[as->block[b].col[i]];
    }
    for (int r = as->res_at[b]; r < as->res_at[b + 1]; r++, row += ncol) {
        double sum = 0;
        for (int i = 0; i < ncol; i++) {
            sum += row[i] * local[i];
        }
        p->w[r] = sum;
    }
}

void sal_assembly_product(const sal_assembly *as, double *w, const double *A, const double *d)
{
    product p = {.as = as, .A = A, .s = d};
    p.w = w;
    sal_parallel_for(as->nblock, as->nthread, block_product, &p);
}
