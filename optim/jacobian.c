#include "optim/jacobian.h"

#include "base/house.h"

#include <string.h>

static const size_t SMALL =
    (size_t)1 << 22; /* numbers of A for all of which there is room from the beginning */

static void place(opt_jacobian *A, sal_layout *layout, size_t nmask, size_t nrow, size_t nsum)
{
    A->row_at = sal_layout_take(layout, (size_t)A->nblock + 1, sizeof(int));
    A->place = sal_layout_take(layout, nrow, sizeof(int));
    A->scale = sal_layout_take(layout, nrow, sizeof(double));
    A->mask_at = sal_layout_take(layout, (size_t)A->nblock + 1, sizeof(size_t));
    A->value_at = sal_layout_take(layout, (size_t)A->nblock + 1, sizeof(size_t));
    A->part = sal_layout_take(layout, (size_t)A->npart, sizeof(opt_packed));
    A->mask = sal_layout_take(layout, nmask, sizeof(uint64_t));
    A->D = sal_layout_take(layout, nsum, sizeof(double));
}

static sal_status make_room(opt_packed *part, size_t nstrip)
{
    if (nstrip <= part->room) {
        return SAL_OK;
    }
    sal_free(part->value);
    part->room = 0;
    part->value = sal_alloc(nstrip, OPT_STRIP * sizeof(double));
    if (part->value == NULL) {
        return SAL_NOMEM;
    }
    part->room = nstrip;
    return SAL_OK;
}

/* Blocks of part k */
static int blocks_of(const opt_jacobian *A, int k)
{
    const int first = k * A->per_part, rest = A->nblock - first;
    return rest < A->per_part ? rest : A->per_part;
}

/* Room for all strips of all blocks, if they are few. */
static sal_status make_all_room(opt_jacobian *A)
{
    size_t all = 0;
    for (int b = 0; b < A->nblock; b++) {
        all += (size_t)A->block[b].nres * (size_t)opt_jacobian_ld(A->block[b].ncol);
    }
    A->shares = all > SMALL;
    for (int k = 0; k < A->npart && !A->shares; k++) {
        size_t nstrip = 1;
        for (int i = 0; i < blocks_of(A, k); i++) {
            const sal_block *block = &A->block[k * A->per_part + i];
            nstrip += (size_t)block->nres * (size_t)opt_strips(block->ncol);
        }
        if (make_room(&A->part[k], nstrip) != SAL_OK) {
            return SAL_NOMEM;
        }
    }
    return SAL_OK;
}

sal_status opt_jacobian_new(opt_jacobian **out, const sal_block *block, int nblock, int per_part,
                            size_t ndense, sal_err *err)
{
    opt_jacobian *A = sal_alloc(1, sizeof *A);
    size_t nmask = 0, nrow = 0;
    *out = A;
    if (A == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for a Jacobian of %d blocks", nblock);
    }
    *A = (opt_jacobian){.block = block,
                        .nblock = nblock,
                        .per_part = per_part,
                        .npart = (nblock + per_part - 1) / per_part};
    for (int b = 0; b < nblock; b++) {
        nmask += (size_t)block[b].nres * opt_mask_words(block[b].ncol);
        nrow += (size_t)block[b].nres;
    }
    sal_layout layout = {0};
    place(A, &layout, nmask, nrow, ndense);
    A->memory = sal_alloc(layout.size, 1);
    if (A->memory == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for a Jacobian of %d blocks", nblock);
    }
    layout = (sal_layout){.base = A->memory};
    place(A, &layout, nmask, nrow, ndense);
    for (int b = 0; b < nblock; b++) {
        A->mask_at[b + 1] = A->mask_at[b] + (size_t)block[b].nres * opt_mask_words(block[b].ncol);
        A->row_at[b + 1] = A->row_at[b] + block[b].nres;
    }
    for (size_t r = 0; r < nrow; r++) {
        A->scale[r] = 1;
    }
    return make_all_room(A) == SAL_OK
               ? SAL_OK
               : sal_fail(err, SAL_NOMEM, "out of memory for a Jacobian of %d blocks", nblock);
}

void opt_jacobian_free(opt_jacobian *A)
{
    for (int k = 0; A != NULL && A->part != NULL && k < A->npart; k++) {
        sal_free(A->part[k].value);
    }
    if (A != NULL) {
        sal_free(A->memory);
        sal_free(A);
    }
}

/* ---- packing ---- */

void opt_jacobian_find(opt_jacobian *A, int b, int first, int n, const double *row)
{
    const int ncol = A->block[b].ncol;
    const size_t nword = opt_mask_words(ncol);
    uint64_t *mask = A->mask + A->mask_at[b] + (size_t)first * nword;
    for (int r = 0; r < n; r++, row += ncol, mask += nword) {
        opt_kernel_mask(mask, row, ncol);
    }
    for (int r = A->row_at[b] + first; A->shares && r < A->row_at[b] + first + n; r++) {
        A->place[r] = 0;
        A->scale[r] = 1;
    }
}

void opt_jacobian_share(opt_jacobian *A, int b, int kept, int r, const double scale[2])
{
    const int row = A->row_at[b];
    A->scale[row + kept] = scale[0];
    A->scale[row + r] = scale[1];
    A->place[row + r] = ~kept;
}

/* Of a block, those of rows that share an earlier one's but once */
static size_t count_strips(const opt_jacobian *A, int b)
{
    const size_t nword = opt_mask_words(A->block[b].ncol);
    const uint64_t *mask = A->mask + A->mask_at[b];
    size_t count = 0;
    for (const uint64_t *m = mask, *end = A->mask + A->mask_at[b + 1]; m < end; m++) {
        count += (size_t)__builtin_popcountll(*m);
    }
    for (int r = 0; A->shares && r < A->block[b].nres; r++, mask += nword) {
        for (size_t w = 0; A->place[A->row_at[b] + r] < 0 && w < nword; w++) {
            count -= (size_t)__builtin_popcountll(mask[w]);
        }
    }
    return count;
}

static void copy_strips(opt_jacobian *A, int b, const double *row)
{
    const int ncol = A->block[b].ncol;
    const size_t nword = opt_mask_words(ncol);
    const uint64_t *mask = A->mask + A->mask_at[b];
    int *place = A->place + A->row_at[b];
    double *const value = A->part[b / A->per_part].value + OPT_STRIP * A->value_at[b], *to = value;
    for (int r = 0; r < A->block[b].nres; r++, row += ncol, mask += nword) {
        if (A->shares && place[r] < 0) {
            place[r] = place[~place[r]];
            continue;
        }
        place[r] = (int)(to - value) / OPT_STRIP;
        to = opt_kernel_pack(to, mask, row, ncol);
    }
}

sal_status opt_jacobian_pack(opt_jacobian *A, int k, const double *dense, sal_err *err)
{
    const int first = k * A->per_part, end = first + blocks_of(A, k);
    size_t total = 0;
    for (int b = first; b < end; b++) {
        A->value_at[b] = total;
        total += count_strips(A, b);
    }
    if (make_room(&A->part[k], total) != SAL_OK) {
        return sal_fail(err, SAL_NOMEM, "out of memory for the Jacobian of blocks from %d on",
                        first);
    }
    for (int b = first; b < end; b++) {
        copy_strips(A, b, dense);
        dense += (size_t)A->block[b].nres * (size_t)A->block[b].ncol;
    }
    return SAL_OK;
}

/* ---- use ---- */

static opt_rows_packed rows_of(const opt_jacobian *A, int b)
{
    return (opt_rows_packed){
        .nrow = A->block[b].nres,
        .nword = opt_mask_words(A->block[b].ncol),
        .mask = A->mask + A->mask_at[b],
        .value = A->part[b / A->per_part].value + OPT_STRIP * A->value_at[b],
        .place = A->place + A->row_at[b],
        .scale = A->scale + A->row_at[b],
    };
}

void opt_jacobian_unpack(const opt_jacobian *A, int b, double *dense, const unsigned char *use)
{
    const int ld = opt_jacobian_ld(A->block[b].ncol);
    const opt_rows_packed p = rows_of(A, b);
    for (int r = 0; r < p.nrow; r++) {
        double *row = dense + (size_t)r * (size_t)ld;
        const uint64_t *mask = p.mask + (size_t)r * p.nword;
        if (use[r]) {
            opt_kernel_unpack(row, mask, p.value + (ptrdiff_t)OPT_STRIP * p.place[r], ld);
            opt_kernel_scale(row, mask, ld, p.scale[r]);
        }
    }
}

void opt_jacobian_product(const opt_jacobian *A, int b, double *out, const double *d)
{
    const opt_rows_packed p = rows_of(A, b);
    opt_kernel_packed_product(out, &p, d);
}

void opt_jacobian_gradient(const opt_jacobian *A, int b, double *out, const double *s,
                           const unsigned char *use)
{
    const opt_rows_packed p = rows_of(A, b);
    opt_kernel_packed_gradient(out, &p, s, use);
}
