/* assembly.h: from dense blocks to one sparse symmetric matrix.
 *
 *     H = sum_b A_b' A_b      g = sum_b A_b' s_b      w_b = A_b d
 *
 * A_b (nres x ncol) is the Jacobian of block b's scaled residual s_b. Products are formed and added
 * in shares of successive blocks, and what two shares have in common in the order of the blocks
 * (late.h), so the sums are the same to the last bit for every number of threads. `use` chooses
 * rows.
 *
 * Segments that are summed over the blocks make one more block, the last: its rows stand behind
 * those of all others. Its Jacobian D is dense, D'D too, and never formed: behind the nnz entries
 * of a matrix stand the coefficients c of its outer products,
 *
 *     H + sum_k c_k D_k'D_k
 */
#ifndef SAL_OPTIM_ASSEMBLY_H
#define SAL_OPTIM_ASSEMBLY_H

#include "optim/jacobian.h"
#include "optim/late.h"
#include "optim/optim.h"
#include "optim/spread.h"

/* What a thread needs to form a product */
typedef struct opt_scratch {
    /* [nres_most] the rows in use */
    const double **row;
    /* for each strip of columns the rows in which it is not zero, see opt_gram */
    uint64_t *strip;
    /* rows unpacked */
    double *dense;
} opt_scratch;

typedef struct opt_assembly {
    int nvar;
    int nblock;
    int nthread;
    const sal_block *block;
    int nres;
    /* rows of D */
    int nsum;
    /* nres + nsum */
    int nrow;
    /* nnz + nsum */
    int nvalue;
    /* the block of the sums; nres = nsum */
    sal_block sums;
    /* [sums.nseg] its segments, as they stand now */
    sal_segment *total;
    /* [sums.nseg] the first of those that each is the sum of */
    const sal_segment **summand;
    /* rows of the summed segments' J, block after block; [nblock+1] where those of a block begin */
    double *sum_row;
    int *sum_row_at;
    /* [nblock+1] first residual of a block; of the sums */
    int *res_at;
    /* [nblock+1] first entry of its Jacobian in dense rows, block after block */
    size_t *jac_at;
    /* [nblock+1] first of its columns, whole strips of them */
    int *col_at;

    int nnz;
    int *colptr,
        /* [nvar+1], [nnz] lower triangle of H by columns, rows increasing: the diagonal entry is
         * the first */
        *rowind;
    /* [nblock+1] columns of H to which a block is the first to add, as runs */
    int *begun_at;
    /* [2 each] first column, and the one behind the last */
    int *begun;
    /* [nblock+1] */
    int *piece_at;
    /* where the entries of a block's product go in H */
    opt_piece *piece;

    /* of a block */
    int nres_most, ncol_most;
    /* numbers of a product */
    size_t nsquare_each;
    /* [nthread] A_b'A_b, upper triangle by rows, see opt_gram */
    double *square;
    /* [col_at[nblock]] A_b's_b, or the columns' part of d */
    double *local;
    /* [nthread] */
    opt_scratch *scratch;
    /* over ranks; NULL: there are no others */
    opt_spread *spread;
    /* the shares in which blocks are added up beside each other: until opt_assembly_share, one */
    opt_late *late;
    void *memory;
    void *pattern_memory;
} opt_assembly;

sal_status opt_assembly_new(opt_assembly **assembly, int nvar, const sal_block *block, int nblock,
                            int nthread, sal_err *err);
void opt_assembly_free(opt_assembly *assembly);
/* Frees rowind, which only whoever factorises a matrix or multiplies with it needs. */
void opt_assembly_forget_rows(opt_assembly *assembly);

/* The column of H that has this entry */
int opt_assembly_column(const opt_assembly *assembly, int entry);
/* This rank's blocks in at most nshare shares of whole parts of per_part blocks; after
 * opt_spread_new. */
sal_status opt_assembly_share(opt_assembly *assembly, int per_part, int nshare);

/* H [nvalue, and room for the spread] from the rows with use[row] != 0. late: [opt_late_room]
 * scratch */
void opt_assembly_hessian(const opt_assembly *assembly, double *H, double *late,
                          const opt_jacobian *A, const unsigned char *use);
/* Threads for the products of these blocks */
int opt_assembly_square_threads(const opt_assembly *assembly, int first, int n);

/* Blocks first .. first+n-1, whose strips A knows and whose dense rows are given, block after
 * block, and behind them room for OPT_OUTER_BEYOND numbers */
typedef struct opt_dense {
    const opt_jacobian *A;
    const double *row;
    int first, n;
} opt_dense;

/* These blocks' part, added into H [nnz] by one worker of several. Blocks of a share must come in
 * their order; each column is set to zero before the first of them adds to it. When all shares are
 * done, opt_late_add with the same `late`. Ranks each add those of their slice, then
 * opt_spread_hessian. */
void opt_assembly_add(const opt_assembly *assembly, double *H, double *late, const opt_dense *rows,
                      const unsigned char *use, int worker);
/* g [nvar] from the rows with use[row] != 0 */
void opt_assembly_gradient(const opt_assembly *assembly, double *g, const opt_jacobian *A,
                           const double *s, const unsigned char *use);
/* w [nrow] = A d, every row */
void opt_assembly_product(const opt_assembly *assembly, double *w, const opt_jacobian *A,
                          const double *d);

/* ---- sums.c ---- */

/* Block b, or behind the last of them that of the sums. */
const sal_block *opt_assembly_block(const opt_assembly *assembly, int b);
/* Finds the sums, with memory of their own. */
sal_status opt_sums_find(opt_assembly *assembly, sal_err *err);
void opt_sums_free(opt_assembly *assembly);
/* r [nrow]: the sums from the residuals; their segments as they stand now. */
void opt_sums_residual(opt_assembly *assembly, double *r);
/* Keeps the rows of sums of blocks first .. first+n-1, from their dense rows; then, of all blocks,
 * D. */
void opt_sums_keep(const opt_assembly *assembly, const double *dense, int first, int n);
void opt_sums_jacobian(const opt_assembly *assembly, double *D);
/* The coefficient of each sum's outer product. */
void opt_sums_hessian(const opt_assembly *assembly, double *c, const unsigned char *use);
/* g += D's over the rows in use; w = D d. Of s, use and w those of the sums. */
void opt_sums_gradient(const opt_assembly *assembly, double *g, const double *D, const double *s,
                       const unsigned char *use);
void opt_sums_product(const opt_assembly *assembly, double *w, const double *D, const double *d);

#endif
