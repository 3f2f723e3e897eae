/* assembly.h: from dense blocks to one sparse symmetric matrix.
 *
 *     H = sum_b A_b' A_b      g = sum_b A_b' s_b      w_b = A_b d
 *
 * A_b (nres x ncol) is the Jacobian of block b's scaled residual s_b. Products are formed in parallel over blocks and added in
 * the order of the blocks, so the sums are the same to the last bit for every number of threads. `use` chooses rows.
 *
 * Segments that are summed over the blocks make one more block, the last: its rows stand behind those of all others. Its Jacobian D is dense, D'D too, and never formed: behind the nnz entries of a matrix stand the coefficients c of its outer products,
 *
 *     H + sum_k c_k D_k'D_k
 */
#ifndef SAL_ASSEMBLY_H
#define SAL_ASSEMBLY_H

#include "optim/jacobian.h"
#include "optim/optim.h"
#include "optim/spread.h"

/* What a thread needs to form a product */
typedef struct sal_scratch {
    const double *
        *row; /* [2 nres_most] the rows in use, and those of them that matter at the moment */
    unsigned char *zero; /* for each of the rows in use: which of its strips are zero */
    double *dense;       /* rows unpacked */
} sal_scratch;

typedef struct sal_assembly {
    int nvar, nblock, nthread;
    const sal_block *block;
    int nres;
    int nsum;                    /* rows of D */
    int nrow;                    /* nres + nsum */
    int nvalue;                  /* nnz + nsum */
    sal_block sums;              /* the block of the sums; nres = nsum */
    sal_segment *total;          /* [sums.nseg] its segments, as they stand now */
    const sal_segment **summand; /* [sums.nseg] the first of those that each is the sum of */
    int *res_at;                 /* [nblock+1] first residual of a block; of the sums */
    size_t *jac_at; /* [nblock+1] first entry of its Jacobian in dense rows, block after block */
    int *col_at;    /* [nblock+1] first of its columns, whole strips of them */

    int nnz;
    int *colptr,
        *rowind; /* [nvar+1], [nnz] lower triangle of H by columns, rows increasing: the diagonal entry is the first */
    int *begun_at;    /* [nblock+1] columns of H to which a block is the first to add, as runs */
    int *begun;       /* [2 each] first column, and the one behind the last */
    int *piece_at;    /* [nblock+1] */
    sal_piece *piece; /* where the entries of a block's product go in H */

    int nres_most, ncol_most; /* of a block */
    int nsquare;              /* blocks whose products are made at a time */
    size_t nsquare_each;      /* numbers of one */
    double *square;           /* A_b'A_b of those, upper triangle by rows, ncol numbers apart */
    double *local;            /* [col_at[nblock]] A_b's_b, or the columns' part of d */
    sal_scratch *scratch;     /* [nthread] */
    sal_spread *spread;       /* over ranks; NULL: there are no others */
    void *memory, *pattern_memory;
} sal_assembly;

sal_status sal_assembly_new(sal_assembly **assembly, int nvar, const sal_block *block, int nblock,
                            int nthread, sal_err *err);
void sal_assembly_free(sal_assembly *assembly);
/* Frees rowind, which only whoever factorises a matrix or multiplies with it needs. */
void sal_assembly_forget_rows(sal_assembly *assembly);

/* The first piece of a block that goes to this entry of H or behind it: its pieces are in the order of H. */
const sal_piece *sal_assembly_piece(const sal_assembly *assembly, int b, int entry);

/* H [nvalue, and room for the spread] from the rows with use[row] != 0 */
void sal_assembly_hessian(const sal_assembly *assembly, double *H, const sal_jacobian *A,
                          const unsigned char *use);
/* The part of blocks first .. first+n-1, whose dense rows are given (block after block, and behind them room for SAL_OUTER_BEYOND numbers), added into
 * H [nnz]. Blocks must come in their order; each column is set to zero before the first of them adds to it. Ranks each add those of their slice, then
 * sal_spread_hessian. */
void sal_assembly_add(const sal_assembly *assembly, double *H, const double *dense, int first,
                      int n, const unsigned char *use);
/* g [nvar] from the rows with use[row] != 0 */
void sal_assembly_gradient(const sal_assembly *assembly, double *g, const sal_jacobian *A,
                           const double *s, const unsigned char *use);
/* w [nrow] = A d, every row */
void sal_assembly_product(const sal_assembly *assembly, double *w, const sal_jacobian *A,
                          const double *d);

/* ---- sums.c -------------------------------------------------------------------------------------------------------------- */

/* Block b, or behind the last of them that of the sums. */
const sal_block *sal_assembly_block(const sal_assembly *assembly, int b);
/* Finds the sums, with memory of their own. */
sal_status sal_sums_find(sal_assembly *assembly, sal_err *err);
void sal_sums_free(sal_assembly *assembly);
/* r [nrow]: the sums from the residuals; their segments as they stand now. */
void sal_sums_residual(sal_assembly *assembly, double *r);
/* D += those of blocks first .. first+n-1, from their dense rows. */
void sal_sums_jacobian(const sal_assembly *assembly, double *D, const double *dense, int first,
                       int n);
/* The same of block b, from its rows of sums alone. */
void sal_sums_add(const sal_assembly *assembly, double *D, const double *row, int b);
/* The coefficient of each sum's outer product. */
void sal_sums_hessian(const sal_assembly *assembly, double *c, const unsigned char *use);
/* g += D's over the rows in use; w = D d. Of s, use and w those of the sums. */
void sal_sums_gradient(const sal_assembly *assembly, double *g, const double *D, const double *s,
                       const unsigned char *use);
void sal_sums_product(const sal_assembly *assembly, double *w, const double *D, const double *d);

#endif
