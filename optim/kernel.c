#include "optim/kernel.h"

#include "base/base.h"
#include "base/house.h"
#include "optim/tiles.h"

#include <math.h>
#include <string.h>

enum { LANES = 8 }; /* columns of C at a time */

/* ---- tiles of C: n rows, at most 4 and known to the compiler, by m columns, at most 8, from (i,
 * j) on ---- */

static SAL_INLINE void tile(double *C, int ldc, const opt_outer *p, int i, int j, const int n,
                            int m)
{
    opt_lane8 sum[OPT_TILE] = {{0}}, b;
    for (int k = 0; k < p->nrow; k++) {
        const double *a = p->row[k] + p->i0 + i;
        memcpy(&b, p->row[k] + p->j0 + j, sizeof b);
        for (int r = 0; r < n; r++) {
            sum[r] += a[r] * b;
        }
    }
    for (int r = 0; r < n; r++) {
        double *at = C + (i + r) * ldc + j;
        sum[r] *= p->sign;
        if (m < LANES) {
            for (int c = 0; c < m; c++) {
                at[c] = p->fresh ? sum[r][c] : at[c] + sum[r][c];
            }
            continue;
        }
        if (!p->fresh) {
            memcpy(&b, at, sizeof b);
            sum[r] += b;
        }
        memcpy(at, &sum[r], sizeof b);
    }
}

static SAL_INLINE void strip(double *C, int ldc, const opt_outer *p, int i, const int n)
{
    int j = 0;
    for (; j + LANES <= p->nj; j += LANES) {
        tile(C, ldc, p, i, j, n, LANES);
    }
    if (j < p->nj) {
        tile(C, ldc, p, i, j, n, p->nj - j);
    }
}

OPT_WIDEST void opt_outer_add(double *C, int ldc, const opt_outer *p)
{
    OPT_EACH_STRIP(strip, C, ldc, p);
}

/* ---- pivots ---- */

static SAL_INLINE void add(double *restrict y, double s, const double *restrict x, int n)
{
    opt_lane8 sum, b;
    int i = 0;
    for (; i + LANES <= n; i += LANES) {
        memcpy(&sum, y + i, sizeof sum);
        memcpy(&b, x + i, sizeof b);
        sum += s * b;
        memcpy(y + i, &sum, sizeof sum);
    }
    for (; i < n; i++) {
        y[i] += s * x[i];
    }
}

OPT_WIDEST bool opt_kernel_pivots(double *panel, int ld, int width, int p, int n)
{
    for (int r = p; r < p + n; r++) {
        double *row = panel + r * ld;
        const double pivot = row[r];
        if (!(pivot > 0 && isfinite(pivot))) {
            return false;
        }
        const double scale = 1 / sqrt(pivot);
        row[r] = scale;
        for (int j = r + 1; j < width; j++) {
            row[j] *= scale;
        }
        for (int q = r + 1; q < p + n; q++) {
            add(panel + q * ld + q, -row[q], row + q, width - q);
        }
    }
    return true;
}

OPT_WIDEST void opt_kernel_flush(double *x, int n, double least)
{
    for (int i = 0; i < n; i++) {
        x[i] = x[i] < least && x[i] > -least ? 0 : x[i];
    }
}

/* ---- sparsity ---- */

typedef long long word8 __attribute__((vector_size(64)));
typedef signed char flag8 __attribute__((vector_size(8)));

OPT_WIDEST void opt_kernel_strips(unsigned char *zero, const double *row, int n)
{
    const opt_lane8 none = {0};
    opt_lane8 x;
    int strip = 0, i = 0;
    for (; i + LANES <= n; i += LANES, strip += 2) {
        int half[2];
        memcpy(&x, row + i, sizeof x);
        const word8 differs = x != none;
        const flag8 flags = __builtin_convertvector(differs, flag8);
        memcpy(half, &flags, sizeof half);
        zero[strip] = half[0] == 0;
        zero[strip + 1] = half[1] == 0;
    }
    for (; i < n; i += OPT_STRIP, strip++) {
        bool all = true;
        for (int j = i; j < n && j < i + OPT_STRIP; j++) {
            all = all && row[j] == 0;
        }
        zero[strip] = all;
    }
}

const opt_piece *opt_piece_from(const opt_piece *begin, const opt_piece *end, int entry)
{
    while (begin < end) {
        const opt_piece *middle = begin + (end - begin) / 2;
        if (middle->to < entry) {
            begin = middle + 1;
        } else {
            end = middle;
        }
    }
    return begin;
}

OPT_WIDEST void opt_kernel_scatter(double *H, const double *square, const opt_piece *piece,
                                   int npiece)
{
    for (const opt_piece *p = piece; p < piece + npiece; p++) {
        if (p->stride == 1) {
            add(H + p->to, 1, square + p->from, p->n);
        } else {
            for (int i = 0; i < p->n; i++) {
                H[p->to + i] += square[p->from + i * p->stride];
            }
        }
    }
}

/* ---- packed rows ---- */

enum { WORD = 64 };

OPT_WIDEST int opt_kernel_mask(uint64_t *mask, const double *row, int n)
{
    int count = 0;
    for (int i = 0, strip = 0; i < n; i += OPT_STRIP, strip++) {
        bool zero = true;
        for (int j = i; j < n && j < i + OPT_STRIP; j++) {
            zero = zero && row[j] == 0;
        }
        mask[strip / WORD] |= (uint64_t)!zero << strip % WORD;
        count += !zero;
    }
    return count;
}

double *opt_kernel_pack(double *to, const uint64_t *mask, const double *row, int n)
{
    for (int i = 0; i < n; i += WORD * OPT_STRIP) {
        for (uint64_t bits = *mask++; bits != 0; bits &= bits - 1, to += OPT_STRIP) {
            const int at = i + OPT_STRIP * __builtin_ctzll(bits);
            if (n - at >= OPT_STRIP) {
                memcpy(to, row + at, OPT_STRIP * sizeof *to);
                continue;
            }
            for (int j = 0; j < OPT_STRIP; j++) {
                to[j] = at + j < n ? row[at + j] : 0;
            }
        }
    }
    return to;
}

const double *opt_kernel_unpack(double *row, const uint64_t *mask, const double *from, int n)
{
    if (row != NULL) {
        memset(row, 0, (size_t)n * sizeof *row);
    }
    for (int i = 0; i < n; i += WORD * OPT_STRIP) {
        for (uint64_t bits = *mask++; bits != 0; bits &= bits - 1, from += OPT_STRIP) {
            if (row != NULL) {
                memcpy(row + i + OPT_STRIP * __builtin_ctzll(bits), from, OPT_STRIP * sizeof *row);
            }
        }
    }
    return from;
}

OPT_WIDEST void opt_kernel_packed_product(double *out, const uint64_t *mask, size_t nword,
                                          const double *value, int nrow, const double *d)
{
    for (int r = 0; r < nrow; r++) {
        opt_lane4 sum = {0}, a, b;
        for (size_t w = 0; w < nword; w++) {
            const double *part = d + w * WORD * OPT_STRIP;
            for (uint64_t bits = *mask++; bits != 0; bits &= bits - 1, value += OPT_STRIP) {
                memcpy(&a, value, sizeof a);
                memcpy(&b, part + OPT_STRIP * __builtin_ctzll(bits), sizeof b);
                sum += a * b;
            }
        }
        out[r] = (sum[0] + sum[2]) + (sum[1] + sum[3]);
    }
}

OPT_WIDEST void opt_kernel_packed_gradient(double *out, const uint64_t *mask, size_t nword,
                                           const double *value, int nrow, const double *s,
                                           const unsigned char *use)
{
    for (int r = 0; r < nrow; r++) {
        const double scale = use[r] ? s[r] : 0;
        opt_lane4 a, b;
        for (size_t w = 0; w < nword; w++) {
            double *part = out + w * WORD * OPT_STRIP;
            uint64_t bits = *mask++;
            if (scale == 0) {
                value += OPT_STRIP * __builtin_popcountll(bits);
                continue;
            }
            for (; bits != 0; bits &= bits - 1, value += OPT_STRIP) {
                double *at = part + OPT_STRIP * __builtin_ctzll(bits);
                memcpy(&a, value, sizeof a);
                memcpy(&b, at, sizeof b);
                b += scale * a;
                memcpy(at, &b, sizeof b);
            }
        }
    }
}

/* ---- vectors ---- */

static SAL_INLINE double dot(const double *a, const double *b, int n)
{
    opt_lane8 sum = {0}, x, y;
    double rest = 0;
    int i = 0;
    for (; i + LANES <= n; i += LANES) {
        memcpy(&x, a + i, sizeof x);
        memcpy(&y, b + i, sizeof y);
        sum += x * y;
    }
    for (; i < n; i++) {
        rest += a[i] * b[i];
    }
    return (((sum[0] + sum[4]) + (sum[1] + sum[5])) + ((sum[2] + sum[6]) + (sum[3] + sum[7]))) +
           rest;
}

OPT_WIDEST double opt_kernel_dot(const double *a, const double *b, int n)
{
    return dot(a, b, n);
}

OPT_WIDEST void opt_kernel_forward(double *x, const double *panel, int ld, int width, int n)
{
    for (int p = 0; p < n; p++) {
        const double *row = panel + p * ld;
        x[p] *= row[p];
        add(x + p + 1, -x[p], row + p + 1, width - p - 1);
    }
}

OPT_WIDEST void opt_kernel_backward(double *x, const double *panel, int ld, int width, int n)
{
    for (int p = n - 1; p >= 0; p--) {
        const double *row = panel + p * ld;
        x[p] = (x[p] - dot(row + p + 1, x + p + 1, width - p - 1)) * row[p];
    }
}

OPT_WIDEST void opt_kernel_add(double *restrict y, double s, const double *restrict x, int n)
{
    add(y, s, x, n);
}

double opt_kernel_largest(const double *x, int n)
{
    double largest = 0;
    for (int i = 0; i < n; i++) {
        largest = fmax(largest, fabs(x[i]));
    }
    return largest;
}
