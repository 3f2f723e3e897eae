/* twins.c: rows of a block's Jacobian that are others but for a factor: the range of a control and
 * its cost are of the same number.
 *
 *     J_r = f J_k,     A_k = scale_k J_k,     A_r = scale_r J_r = (scale_r f) J_k
 *
 * With f a power of 2, or minus one, the last has the bits of scale_r J_r. The row k is a range's;
 * r comes later in the block. What is found depends on nothing but J.
 */
#include "optim/solver.h"

#include <math.h>

/* The last range before the rows at hand */
typedef struct range {
    const sal_segment *seg; /* NULL: none */
    int first;              /* row */
    double scale;
    int guess;       /* of its rows, the next to be tried */
    uint64_t digest; /* of the strips of its rows, see digest_of */
} range;

/* One bit of 64, by which strips a row has: most rows have others than any of a range, and need not
 * be compared with each of them. */
static uint64_t digest_of(const uint64_t *mask, size_t nword)
{
    uint64_t mix = 0;
    for (size_t w = 0; w < nword; w++) {
        mix = (mix ^ mask[w]) * 0x9e3779b97f4a7c15u; /* 2^64 over the golden ratio */
    }
    return (uint64_t)1 << (mix >> 58);
}

static uint64_t digest_of_rows(const uint64_t *mask, int nrow, size_t nword)
{
    uint64_t digest = 0;
    for (int r = 0; r < nrow; r++, mask += nword) {
        digest |= digest_of(mask, nword);
    }
    return digest;
}

static bool have_same_strips(const uint64_t *a, const uint64_t *b, size_t nword)
{
    bool same = true;
    for (size_t w = 0; w < nword; w++) {
        same &= a[w] == b[w];
    }
    return same;
}

/* The first strip of a row, or the number of its strips where all are zero */
static int first_strip(const uint64_t *mask, int nstrip)
{
    int i = 0;
    while (i < nstrip && *mask == 0) {
        mask++;
        i += OPT_WORD;
    }
    return i < nstrip ? i + __builtin_ctzll(*mask) : nstrip;
}

/* f, from the first numbers of the two rows that are not zero; 0: it is no power of 2 */
static double factor_of(const double *row, const double *kept, const uint64_t *mask, int ncol)
{
    int i = OPT_STRIP * first_strip(mask, opt_strips(ncol)), exponent;
    while (i < ncol && row[i] == 0) {
        i++;
    }
    const double factor = i < ncol ? row[i] / kept[i] : 0;
    return isfinite(factor) && fabs(frexp(factor, &exponent)) == 0.5 ? factor : 0;
}

/* Row r, which is to be scaled by `scale`, is kept as a row of the range if it is a multiple. */
static bool share(opt_jacobian *A, int b, const double *J, const range *before, int kept, int r,
                  double scale)
{
    const int ncol = A->block[b].ncol;
    const uint64_t *mask = opt_jacobian_mask(A, b, r);
    const double *row = J + (size_t)r * (size_t)ncol, *other = J + (size_t)kept * (size_t)ncol;
    const double factor = factor_of(row, other, mask, ncol);
    if (factor == 0 || !opt_kernel_is_multiple(row, other, factor, mask, ncol)) {
        return false;
    }
    opt_jacobian_share(A, b, kept, r, (double[]){before->scale, scale * factor});
    return true;
}

/* The rows of a segment, from `first` on: those of the range come in the same order, as a rule. */
static void find_in_segment(opt_jacobian *A, int b, const double *J, range *before, int first,
                            const sal_segment *seg, const double *root)
{
    const size_t nword = opt_mask_words(A->block[b].ncol);
    const uint64_t *mask = opt_jacobian_mask(A, b, first),
                   *ranges = opt_jacobian_mask(A, b, before->first);
    const double factor = sqrt(fmax(seg->weight, 0));
    for (int i = 0; i < seg->n; i++, mask += nword) {
        if ((digest_of(mask, nword) & before->digest) == 0) {
            continue;
        }
        for (int tried = 0, k = before->guess; tried < before->seg->n; tried++, k++) {
            k = k < before->seg->n ? k : 0;
            if (have_same_strips(mask, ranges + (size_t)k * nword, nword) &&
                share(A, b, J, before, before->first + k, first + i, factor * root[i])) {
                before->guess = k + 1;
                break;
            }
        }
    }
}

void opt_twins_find(opt_jacobian *A, int b, const double *J, const double *root)
{
    const sal_block *block = &A->block[b];
    range before = {0};
    int row = 0;
    for (int s = 0; s < block->nseg; s++) {
        const sal_segment *seg = &block->seg[s];
        if (seg->sum == 0 && seg->range) {
            const uint64_t *mask = opt_jacobian_mask(A, b, row);
            before = (range){.seg = seg, .first = row, .scale = sqrt(fmax(seg->weight, 0))};
            before.digest = digest_of_rows(mask, seg->n, opt_mask_words(block->ncol));
        } else if (seg->sum == 0 && before.seg != NULL && !opt_model_root_is_full(seg)) {
            find_in_segment(A, b, J, &before, row, seg, root);
        }
        root += opt_model_root_size(seg);
        row += seg->n;
    }
}
