/* twins.c: rows of a block's Jacobian that are others but for a factor: the range of a control and
 * its cost are of the same number.
 *
 *     J_r = f J_k,     A_k = scale_k J_k,     A_r = scale_r J_r = (scale_r f) J_k
 *
 * With f a power of 2, or minus one, the last has the bits of scale_r J_r. The row k is a range's;
 * r comes later in the block. What is found depends on nothing but J.
 */
#include "optim/twins.h"

#include "optim/solver.h"

#include <math.h>

enum { STRIPS_LEAST = 5 }; /* of a row that is worth sharing */

/* The last range before the rows at hand */
typedef struct range {
    const sal_segment *seg; /* NULL: none */
    int first;              /* row */
    const double *root;
    int guess; /* of its rows, the next to be tried */
} range;

static int count(const uint64_t *mask, size_t nword)
{
    int n = 0;
    for (size_t w = 0; w < nword; w++) {
        n += __builtin_popcountll(mask[w]);
    }
    return n;
}

static bool have_same_strips(const uint64_t *a, const uint64_t *b, size_t nword)
{
    bool same = true;
    for (size_t w = 0; w < nword; w++) {
        same &= a[w] == b[w];
    }
    return same;
}

/* f, from the first numbers of the two rows that are not zero; 0: it is no power of 2 */
static double factor_of(const double *row, const double *kept, const uint64_t *mask)
{
    int i = 0, exponent;
    while (*mask == 0) {
        mask++;
        i += OPT_WORD * OPT_STRIP;
    }
    i += OPT_STRIP * __builtin_ctzll(*mask);
    while (row[i] == 0) {
        i++;
    }
    const double factor = row[i] / kept[i];
    return isfinite(factor) && fabs(frexp(factor, &exponent)) == 0.5 ? factor : 0;
}

static double scale_of(const sal_segment *seg, const double *root, int i)
{
    return sqrt(fmax(seg->weight, 0)) * root[i];
}

/* Row r, which is to be scaled by `scale`, is kept as row k of the range if it is a multiple. */
static bool share(opt_jacobian *A, int b, const double *J, const range *before, int k, int r,
                  double scale)
{
    const int ncol = A->block[b].ncol, kept = before->first + k;
    const uint64_t *mask = opt_jacobian_mask(A, b, r);
    if (!have_same_strips(mask, opt_jacobian_mask(A, b, kept), opt_mask_words(ncol))) {
        return false;
    }
    const double *row = J + (size_t)r * (size_t)ncol, *other = J + (size_t)kept * (size_t)ncol;
    const double factor = factor_of(row, other, mask);
    if (factor == 0 || !opt_kernel_is_multiple(row, other, factor, mask, ncol)) {
        return false;
    }
    opt_jacobian_share(A, b, kept, r,
                       (double[]){scale_of(before->seg, before->root, k), scale * factor});
    return true;
}

/* The rows of a segment, from `first` on: those of the range come in the same order, as a rule. */
static void find_in_segment(opt_jacobian *A, int b, const double *J, range *before, int first,
                            const sal_segment *seg, const double *root)
{
    const size_t nword = opt_mask_words(A->block[b].ncol);
    for (int i = 0; i < seg->n; i++) {
        if (count(opt_jacobian_mask(A, b, first + i), nword) < STRIPS_LEAST) {
            continue;
        }
        const double scale = scale_of(seg, root, i);
        for (int tried = 0, k = before->guess; tried < before->seg->n; tried++, k++) {
            k = k < before->seg->n ? k : 0;
            if (share(A, b, J, before, k, first + i, scale)) {
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
            before = (range){.seg = seg, .first = row, .root = root};
        } else if (seg->sum == 0 && before.seg != NULL && !opt_model_root_is_full(seg)) {
            find_in_segment(A, b, J, &before, row, seg, root);
        }
        root += opt_model_root_size(seg);
        row += seg->n;
    }
}
