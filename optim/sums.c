/* sums.c: segments whose residuals are added up over the blocks before a norm or a constraint is
 * applied.
 *
 *     R_g = sum over blocks and their segments marked g of r        D_g = dR_g/dx = sum of their J
 */
#include "optim/assembly.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

const sal_block *opt_assembly_block(const opt_assembly *as, int b)
{
    return b < as->nblock ? &as->block[b] : &as->sums;
}

/* ---- what is summed ---- */

/* The number of sums and of marked segments. */
static int count_sums(const opt_assembly *as, int *nmarked)
{
    int n = 0;
    *nmarked = 0;
    for (int b = 0; b < as->nblock; b++) {
        for (int k = 0; k < as->block[b].nseg; k++) {
            const int sum = as->block[b].seg[k].sum;
            n = sum > n ? sum : n;
            *nmarked += sum != 0;
            if (sum < 0) {
                return -1;
            }
        }
    }
    return n;
}

static bool alike(const sal_segment *a, const sal_segment *b)
{
    return a->n == b->n && a->constraint == b->constraint && a->range == b->range &&
           a->norm.kind == b->norm.kind;
}

static sal_status find_summands(opt_assembly *as, sal_err *err)
{
    for (int b = 0; b < as->nblock; b++) {
        for (int k = 0; k < as->block[b].nseg; k++) {
            const sal_segment *seg = &as->block[b].seg[k];
            if (seg->sum == 0) {
                continue;
            }
            const sal_segment **first = &as->summand[seg->sum - 1];
            *first = *first == NULL ? seg : *first;
            if (!alike(*first, seg)) {
                return sal_fail(err, SAL_BADINPUT,
                                "block %d, segment %d: it differs from other segments of sum %d; "
                                "all must have the same size, norm and kind of constraint",
                                b, k, seg->sum);
            }
        }
    }
    for (int g = 0; g < as->sums.nseg; g++) {
        if (as->summand[g] == NULL) {
            return sal_fail(err, SAL_BADINPUT,
                            "sum %d of %d has no segment; each sum needs at least one", g + 1,
                            as->sums.nseg);
        }
        as->nsum += as->summand[g]->n;
    }
    return SAL_OK;
}

static void refresh_totals(opt_assembly *as)
{
    for (int g = 0; g < as->sums.nseg; g++) {
        as->total[g] = *as->summand[g];
        as->total[g].sum = 0;
    }
}

/* Room for the rows of J that are summed, block after block */
static sal_status find_rows(opt_assembly *as)
{
    long at = 0;
    as->sum_row_at = sal_alloc((size_t)as->nblock + 1, sizeof(int));
    for (int b = 0; b < as->nblock && as->sum_row_at != NULL; b++) {
        const sal_block *block = &as->block[b];
        for (int k = 0; k < block->nseg; k++) {
            at += block->seg[k].sum == 0 ? 0 : (long)block->seg[k].n * block->ncol;
        }
        if (at > INT_MAX) {
            return SAL_NOMEM;
        }
        as->sum_row_at[b + 1] = (int)at;
    }
    as->sum_row = sal_alloc((size_t)at, sizeof(double));
    return as->sum_row == NULL || as->sum_row_at == NULL ? SAL_NOMEM : SAL_OK;
}

sal_status opt_sums_find(opt_assembly *as, sal_err *err)
{
    int nmarked;
    const int n = count_sums(as, &nmarked);
    if (n < 0 || n > nmarked) {
        return sal_fail(err, SAL_BADINPUT, "sums must be numbered from 1 without a gap");
    }
    as->sums = (sal_block){.ncol = as->nvar, .nseg = n};
    if (n == 0) {
        return SAL_OK;
    }
    as->total = sal_alloc((size_t)n, sizeof *as->total);
    as->summand = sal_alloc((size_t)n, sizeof *as->summand);
    if (as->total == NULL || as->summand == NULL || find_rows(as) != SAL_OK) {
        return SAL_NOMEM;
    }
    const sal_status status = find_summands(as, err);
    if (status == SAL_OK) {
        refresh_totals(as);
        as->sums.seg = as->total;
        as->sums.nres = as->nsum;
    }
    return status;
}

void opt_sums_free(opt_assembly *as)
{
    sal_free(as->total);
    sal_free(as->summand);
    sal_free(as->sum_row);
    sal_free(as->sum_row_at);
}

/* ---- residuals and Jacobians ---- */

/* The first row of a sum behind nres. */
static int row_of_sum(const opt_assembly *as, int sum)
{
    int row = 0;
    for (int g = 0; g < sum - 1; g++) {
        row += as->total[g].n;
    }
    return row;
}

void opt_sums_residual(opt_assembly *as, double *r)
{
    double *total = r + as->nres;
    if (as->nsum == 0) {
        return;
    }
    refresh_totals(as);
    memset(total, 0, (size_t)as->nsum * sizeof(double));
    for (int b = 0; b < as->nblock; b++) {
        for (int k = 0; k < as->block[b].nseg; k++) {
            const sal_segment *seg = &as->block[b].seg[k];
            const int row = seg->sum == 0 ? 0 : row_of_sum(as, seg->sum);
            for (int i = 0; seg->sum != 0 && i < seg->n; i++) {
                total[row + i] += r[i];
            }
            r += seg->n;
        }
    }
}

/* D += J of a segment */
static void add_rows(const opt_assembly *as, double *D, const double *J, int b, int n)
{
    const int ncol = as->block[b].ncol, *col = as->block[b].col;
    for (int i = 0; i < n; i++, J += ncol, D += as->nvar) {
        for (int j = 0; j < ncol; j++) {
            D[col[j]] += J[j];
        }
    }
}

void opt_sums_keep(const opt_assembly *as, const double *dense, int first, int n)
{
    for (int b = first; b < first + n && as->nsum > 0; b++) {
        const sal_block *block = &as->block[b];
        double *to = as->sum_row + as->sum_row_at[b];
        for (int k = 0; k < block->nseg; k++) {
            const size_t size = (size_t)block->seg[k].n * (size_t)block->ncol;
            if (block->seg[k].sum != 0) {
                memcpy(to, dense, size * sizeof(double));
                to += size;
            }
            dense += size;
        }
    }
}

void opt_sums_jacobian(const opt_assembly *as, double *D)
{
    const double *row = as->sum_row;
    memset(D, 0, (size_t)as->nsum * (size_t)as->nvar * sizeof(double));
    for (int b = 0; b < as->nblock && as->nsum > 0; b++) {
        for (int k = 0; k < as->block[b].nseg; k++) {
            const sal_segment *seg = &as->block[b].seg[k];
            if (seg->sum != 0) {
                add_rows(as, D + (size_t)row_of_sum(as, seg->sum) * (size_t)as->nvar, row, b,
                         seg->n);
                row += (size_t)seg->n * (size_t)as->block[b].ncol;
            }
        }
    }
}

/* ---- products ---- */

void opt_sums_hessian(const opt_assembly *as, double *c, const unsigned char *use)
{
    for (int k = 0; k < as->nsum; k++) {
        c[k] = use[k];
    }
}

void opt_sums_gradient(const opt_assembly *as, double *g, const double *D, const double *s,
                       const unsigned char *use)
{
    for (int k = 0; k < as->nsum; k++, D += as->nvar) {
        if (use[k] && s[k] != 0) {
            opt_kernel_add(g, s[k], D, as->nvar);
        }
    }
}

void opt_sums_product(const opt_assembly *as, double *w, const double *D, const double *d)
{
    for (int k = 0; k < as->nsum; k++, D += as->nvar) {
        w[k] = opt_kernel_dot(D, d, as->nvar);
    }
}
