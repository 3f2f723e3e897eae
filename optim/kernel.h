/* kernel.h: the one dense product that assembly and factorisation are made of.
 *
 * Each entry is a sum over the rows in their order, on every processor: the width of its registers
 * changes the time, not the bits.
 */
#ifndef SAL_OPTIM_KERNEL_H
#define SAL_OPTIM_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* C += sign sum_k row_k[i0 ..]' row_k[j0 ..]:  an ni x nj part of a sum of outer products, C by
 *                                              rows, ldc apart. Of the rows up to
 * OPT_OUTER_BEYOND numbers more than those are read, of whatever value. */
enum { OPT_OUTER_BEYOND = 7 };

typedef struct opt_outer {
    /* [nrow] */
    const double *const *row;
    int nrow;
    double sign;
    int i0;
    int ni;
    int j0;
    int nj;
} opt_outer;

void opt_outer_add(double *C, int ldc, const opt_outer *p);

/* Cholesky's steps on n rows of `width` numbers, ld apart, from which all earlier rows are
 * subtracted already: each row is divided by the root of its pivot, on the diagonal, then
 * subtracted from those after it; the pivot's place keeps the reciprocal of that root. False if a
 * pivot is not positive. */
bool opt_kernel_pivots(double *rows, int ld, int width, int n);

/* Panels: some rows of an upper triangular matrix, the diagonal included. OPT_PANEL rows at a time
 * stand without the columns before the first of them, opt_panel_ld numbers apart: that of a row is
 * how far the one before is away, too. */
enum { OPT_PANEL = 4 };

static inline int opt_panel_ld(int ld, int row)
{
    return ld - (row & -OPT_PANEL);
}

/* Where column 0 of a row would stand; those from the diagonal on do, up to column ld. */
static inline size_t opt_panel_row(int ld, int row)
{
    const size_t before = (size_t)row - (size_t)row % OPT_PANEL, all = (size_t)ld,
                 rest = all - before;
    return before * (all + rest + OPT_PANEL) / 2 + (size_t)(row % OPT_PANEL) * rest - before;
}

/* Numbers of a panel of n rows */
static inline size_t opt_panel_size(int ld, int n)
{
    return opt_panel_row(ld, n - 1) + (size_t)ld;
}

/* Numbers smaller than `least` become zero. */
void opt_kernel_flush(double *x, int n, double least);

/* The part of n such rows of U, a panel of `width` columns, in U'y = b and in U x = y; x [width]
 * are the variables of its columns. */
void opt_kernel_forward(double *x, const double *panel, int ld, int width, int n);
void opt_kernel_backward(double *x, const double *panel, int ld, int width, int n);

/* Numbers by OPT_STRIP, the last ones fewer; bits by OPT_WORD */
enum { OPT_STRIP = 4, OPT_WORD = 64 };

static inline int opt_strips(int n)
{
    return (n + OPT_STRIP - 1) / OPT_STRIP;
}

static inline size_t opt_words(int nbit)
{
    return ((size_t)nbit + OPT_WORD - 1) / OPT_WORD;
}

/* The bits of the strips of a row that are not zero, opt_words(opt_strips(n)) words; these strips
 * times `scale`. */
void opt_kernel_mask(uint64_t *mask, const double *row, int n);
void opt_kernel_scale(double *row, const uint64_t *mask, int n, double scale);

/* C := sum_k row_k'row_k, the upper triangle, C by rows, opt_gram_ld apart. It is set by whole
 * tiles: what is below the diagonal and beyond the last column means nothing. Products with a strip
 * of zeros are left out: their sum is 0 with either sign, and no sum that begins with 0 is changed
 * by adding it. */
typedef struct opt_gram {
    /* [at most OPT_WORD x nword] of ncol numbers; up to OPT_OUTER_BEYOND more are read, of whatever
     * value */
    const double *const *row;
    int ncol;
    /* [opt_strips(ncol) + 1 x nword] for each strip the rows in which it is not zero; at last
     * none */
    const uint64_t *strip;
    size_t nword;
} opt_gram;

static inline int opt_gram_ld(int ncol)
{
    return OPT_STRIP * opt_strips(ncol) + OPT_STRIP;
}

/* Numbers of C */
static inline size_t opt_gram_size(int ncol)
{
    return (size_t)(OPT_STRIP * opt_strips(ncol)) * (size_t)opt_gram_ld(ncol);
}

void opt_kernel_gram(double *C, const opt_gram *p);
/* Those strips, one after the other (the last one filled up with zeros), returning where the next
 * row's begin; and back, into a row of n numbers, whole strips. */
double *opt_kernel_pack(double *to, const uint64_t *mask, const double *row, int n);
void opt_kernel_unpack(double *row, const uint64_t *mask, const double *from, int n);
/* Whether these strips of `row` are `factor` times those of `other`, to the last bit. */
bool opt_kernel_is_multiple(const double *row, const double *other, double factor,
                            const uint64_t *mask, int n);

/* Packed rows */
typedef struct opt_rows_packed {
    int nrow;
    /* words of bits for each */
    size_t nword;
    const uint64_t *mask;
    const double *value;
    /* [nrow] the first of its strips, and what they are to be multiplied by */
    const int *place;
    const double *scale;
} opt_rows_packed;

/* out_r = row_r d;  out += sum of s_r row_r over the rows with use[r] != 0 */
void opt_kernel_packed_product(double *out, const opt_rows_packed *p, const double *d);
void opt_kernel_packed_gradient(double *out, const opt_rows_packed *p, const double *s,
                                const unsigned char *use);

/* n entries of a matrix, `stride` apart, that go to n successive entries of another */
typedef struct opt_piece {
    int from;
    int to;
    int n;
    int stride;
} opt_piece;

/* H += square, by pieces */
void opt_kernel_scatter(double *H, const double *square, const opt_piece *piece, int npiece);

/* The dot product of two vectors, as eight partial sums. */
double opt_kernel_dot(const double *a, const double *b, int n);
/* y += s x */
void opt_kernel_add(double *restrict y, double s, const double *restrict x, int n);
/* The largest |x_i|; what is not a number does not count. */
double opt_kernel_largest(const double *x, int n);

#endif
