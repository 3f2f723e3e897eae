/* jacobian.h: the scaled Jacobian A of all blocks, without what is zero.
 *
 * Of a tree's dofs only pairs on a common branch feel each other, and a row feels few of the
 * configurations its block knows. Rows are kept by strips of OPT_STRIP numbers, those that are not
 * zero; one bit for each says which. A row that is another but for a factor (twins.c) is kept as
 * that one, which then is as it was before it was scaled. Parts of successive blocks are packed at
 * a time. Where all of A would be large, a part's memory is what it needs, and grows when it needs
 * more; else there is room for all from the beginning, and rows share nothing.
 */
#ifndef SAL_OPTIM_JACOBIAN_H
#define SAL_OPTIM_JACOBIAN_H

#include "optim/kernel.h"
#include "optim/optim.h"

#include <stdint.h>

typedef struct opt_packed {
    /* the blocks' strips, one block after the other */
    double *value;
    /* strips */
    size_t room;
} opt_packed;

typedef struct opt_jacobian {
    const sal_block *block;
    int nblock;
    /* blocks of a part */
    int per_part, npart;
    /* [nblock+1] */
    size_t *mask_at;
    /* for each row opt_mask_words */
    uint64_t *mask;
    /* [nblock+1] first row of a block */
    int *row_at;
    /* rows may share strips: else there is room for those of each */
    bool shares;
    /* for each row: its first strip in its block, until it is packed ~ of the row whose strips it
     * shares; and what these are to be multiplied by */
    int *place;
    double *scale;
    /* [nblock] first strip of a block in its part */
    size_t *value_at;
    /* [npart] */
    opt_packed *part;
    /* [nsum x nvar] rows of the sums, dense */
    double *D;
    void *memory;
} opt_jacobian;

sal_status opt_jacobian_new(opt_jacobian **out, const sal_block *block, int nblock, int per_part,
                            size_t ndense, sal_err *err);
void opt_jacobian_free(opt_jacobian *A);

/* Numbers from row to row of an unpacked block: its columns, filled up to whole strips with
 * zeros. */
static inline int opt_jacobian_ld(int ncol)
{
    return (ncol + OPT_STRIP - 1) / OPT_STRIP * OPT_STRIP;
}

/* Words for the bits of a row's strips */
static inline size_t opt_mask_words(int ncol)
{
    return opt_words(opt_strips(ncol));
}

/* Finds the strips of rows first .. first+n-1 of block b that are not zero, from these rows, which
 * share them with no other. */
void opt_jacobian_find(opt_jacobian *A, int b, int first, int n, const double *row);
/* From now on row r of block b is scale[1] times what the earlier row `kept`, scale[0] times it, is
 * in `dense` when it is packed: not scaled yet. */
void opt_jacobian_share(opt_jacobian *A, int b, int kept, int r, const double scale[2]);
/* What a row still is to be multiplied by in `dense` before it is packed; 1: it is as it should
 * be. */
static inline double opt_jacobian_missing(const opt_jacobian *A, int b, int r)
{
    const int row = A->row_at[b] + r;
    return A->place[row] < 0 ? 1 : A->scale[row];
}
/* Those of row r */
static inline const uint64_t *opt_jacobian_mask(const opt_jacobian *A, int b, int r)
{
    return A->mask + A->mask_at[b] + (size_t)r * opt_mask_words(A->block[b].ncol);
}

/* Packs the blocks of part k, whose strips are found, from their dense rows, block after block;
 * between two blocks' rows nothing. Several threads may pack a part each. */
sal_status opt_jacobian_pack(opt_jacobian *A, int k, const double *dense, sal_err *err);
/* The dense rows of a block with use[row] != 0, at their places in `dense` [nres x ld]. */
void opt_jacobian_unpack(const opt_jacobian *A, int b, double *dense, const unsigned char *use);
/* out_r = A_r d; out += s_r A_r' over the rows with use[r] != 0. d and out: [ld] the block's
 * columns, d with zeros behind. */
void opt_jacobian_product(const opt_jacobian *A, int b, double *out, const double *d);
void opt_jacobian_gradient(const opt_jacobian *A, int b, double *out, const double *s,
                           const unsigned char *use);

#endif
