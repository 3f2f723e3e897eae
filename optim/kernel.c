#include "optim/kernel.h"

#include "base/base.h"
#include "base/house.h"
#include "optim/tiles.h"

#include <math.h>
#include <string.h>

enum { LANES = 8 }; /* columns of C at a time */

/* ---- eight numbers: one vector where registers are that wide, else two; compilers make slow code
 * of vectors that are wider than the registers ---- */

typedef struct lanes {
    opt_lane8 all;
    opt_lane4 low, high;
} lanes;

static SAL_INLINE void load(lanes *v, const double *x, const bool wide)
{
    if (wide) {
        memcpy(&v->all, x, sizeof v->all);
    } else {
        memcpy(&v->low, x, sizeof v->low);
        memcpy(&v->high, x + 4, sizeof v->high);
    }
}

static SAL_INLINE void store(double *x, const lanes *v, const bool wide)
{
    const opt_lane8 all = v->all;
    const opt_lane4 low = v->low, high = v->high; /* copies: *v itself stays in registers */
    if (wide) {
        memcpy(x, &all, sizeof all);
    } else {
        memcpy(x, &low, sizeof low);
        memcpy(x + 4, &high, sizeof high);
    }
}

/* sum += s v */
static SAL_INLINE void add_lanes(lanes *sum, double s, const lanes *v, const bool wide)
{
    if (wide) {
        sum->all += s * v->all;
    } else {
        sum->low += s * v->low;
        sum->high += s * v->high;
    }
}

/* ---- tiles of C: n rows, at most 4 and known to the compiler, by m columns, at most 8, from (i,
 * j) on ---- */

static SAL_INLINE void tile(double *C, int ldc, const opt_outer *p, int i, int j, const int n,
                            int m, const bool wide)
{
    const lanes none = {{0}, {0}, {0}};
    lanes sum[OPT_TILE] = {none, none, none, none}, v;
    for (int k = 0; k < p->nrow; k++) {
        const double *a = p->row[k] + p->i0 + i;
        load(&v, p->row[k] + p->j0 + j, wide);
        for (int r = 0; r < n; r++) {
            add_lanes(&sum[r], a[r], &v, wide);
        }
    }
    for (int r = 0; r < n; r++) {
        double part[LANES], *at = C + (i + r) * ldc + j;
        if (m == LANES) {
            load(&v, at, wide);
            add_lanes(&v, p->sign, &sum[r], wide);
            store(at, &v, wide);
            continue;
        }
        store(part, &sum[r], wide);
        for (int c = 0; c < m; c++) {
            at[c] += p->sign * part[c];
        }
    }
}

static SAL_INLINE void strip(double *C, int ldc, const opt_outer *p, int i, const int n,
                             const bool wide)
{
    int j = 0;
    for (; j + LANES <= p->nj; j += LANES) {
        tile(C, ldc, p, i, j, n, LANES, wide);
    }
    if (j < p->nj) {
        tile(C, ldc, p, i, j, n, p->nj - j, wide);
    }
}

static SAL_INLINE void wide_strip(double *C, int ldc, const opt_outer *p, int i, const int n)
{
    strip(C, ldc, p, i, n, true);
}

static SAL_INLINE void narrow_strip(double *C, int ldc, const opt_outer *p, int i, const int n)
{
    strip(C, ldc, p, i, n, false);
}

static SAL_WIDE void add_wide(double *C, int ldc, const opt_outer *p)
{
    OPT_EACH_STRIP(wide_strip, C, ldc, p);
}

SAL_CLONES("avx2") static void add_narrow(double *C, int ldc, const opt_outer *p)
{
    OPT_EACH_STRIP(narrow_strip, C, ldc, p);
}

void opt_outer_add(double *C, int ldc, const opt_outer *p)
{
    (sal_is_wide() ? add_wide : add_narrow)(C, ldc, p);
}

/* ---- tiles of a sum of row'row, from those rows in which both of its sides are not zero ---- */

static SAL_INLINE void gram_tile(double *C, int ldc, const opt_gram *p, int i, int j,
                                 const bool wide)
{
    const lanes none = {{0}, {0}, {0}};
    lanes sum[OPT_STRIP] = {none, none, none, none}, v;
    const uint64_t *above = p->strip + (size_t)(i / OPT_STRIP) * p->nword,
                   *left = p->strip + (size_t)(j / OPT_STRIP) * p->nword, *right = left + p->nword;
    for (size_t w = 0; w < p->nword; w++) {
        const double *const *row = p->row + w * OPT_WORD;
        for (uint64_t bits = above[w] & (left[w] | right[w]); bits != 0; bits &= bits - 1) {
            const double *a = row[__builtin_ctzll(bits)];
            load(&v, a + j, wide);
            for (int r = 0; r < OPT_STRIP; r++) {
                add_lanes(&sum[r], a[i + r], &v, wide);
            }
        }
    }
    for (int r = 0; r < OPT_STRIP; r++) {
        store(C + (i + r) * ldc + j, &sum[r], wide);
    }
}

static SAL_INLINE void gram(double *C, const opt_gram *p, const bool wide)
{
    const int ldc = opt_gram_ld(p->ncol);
    for (int i = 0; i < p->ncol; i += OPT_STRIP) {
        for (int j = i; j < p->ncol; j += LANES) {
            gram_tile(C, ldc, p, i, j, wide);
        }
    }
}

static SAL_WIDE void gram_wide(double *C, const opt_gram *p)
{
    gram(C, p, true);
}

SAL_CLONES("avx2") static void gram_narrow(double *C, const opt_gram *p)
{
    gram(C, p, false);
}

void opt_kernel_gram(double *C, const opt_gram *p)
{
    (sal_is_wide() ? gram_wide : gram_narrow)(C, p);
}

/* ---- pivots ---- */

static SAL_INLINE void add(double *restrict y, double s, const double *restrict x, int n)
{
    for (int i = 0; i < n; i++) {
        y[i] += s * x[i];
    }
}

OPT_WIDEST bool opt_kernel_pivots(double *rows, int ld, int width, int n)
{
    for (int r = 0; r < n; r++) {
        double *row = rows + r * ld;
        const double pivot = row[r];
        if (!(pivot > 0 && isfinite(pivot))) {
            return false;
        }
        const double scale = 1 / sqrt(pivot);
        row[r] = scale;
        for (int j = r + 1; j < width; j++) {
            row[j] *= scale;
        }
        for (int q = r + 1; q < n; q++) {
            add(rows + q * ld + q, -row[q], row + q, width - q);
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

static SAL_INLINE uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Lanes that are all ones, or all zeros: what comparisons give */
typedef long long equal4 __attribute__((vector_size(32)));
typedef unsigned long long bits4 __attribute__((vector_size(32)));

static SAL_INLINE bool is_any(const double *x, int n)
{
    bool any = false;
    for (int i = 0; i < n; i++) {
        any |= x[i] != 0;
    }
    return any;
}

/* Each lane collects the strips in which its own number is not zero. */
OPT_WIDEST void opt_kernel_mask(uint64_t *mask, const double *row, int n)
{
    for (; n > 0; n -= OPT_WORD * OPT_STRIP, row += OPT_WORD * OPT_STRIP) {
        const int whole = n / OPT_STRIP < OPT_WORD ? n / OPT_STRIP : OPT_WORD;
        bits4 found = {0}, bit = {1, 1, 1, 1};
        for (int k = 0; k < whole; k++, bit += bit) {
            opt_lane4 strip;
            memcpy(&strip, row + OPT_STRIP * k, sizeof strip);
            found |= (bits4)(strip != 0) & bit;
        }
        *mask = (found[0] | found[1]) | (found[2] | found[3]);
        if (whole < OPT_WORD && is_any(row + OPT_STRIP * whole, n % OPT_STRIP)) {
            *mask |= (uint64_t)1 << whole;
        }
        mask++;
    }
}

OPT_WIDEST void opt_kernel_scale(double *row, const uint64_t *mask, int n, double scale)
{
    for (int i = 0; i < n; i += OPT_WORD * OPT_STRIP) {
        for (uint64_t bits = *mask++; bits != 0; bits &= bits - 1) {
            const int at = i + OPT_STRIP * __builtin_ctzll(bits);
            opt_lane4 strip;
            if (n - at >= OPT_STRIP) {
                memcpy(&strip, row + at, sizeof strip);
                strip *= scale;
                memcpy(row + at, &strip, sizeof strip);
                continue;
            }
            for (int j = at; j < n; j++) {
                row[j] *= scale;
            }
        }
    }
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

double *opt_kernel_pack(double *to, const uint64_t *mask, const double *row, int n)
{
    for (int i = 0; i < n; i += OPT_WORD * OPT_STRIP) {
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

void opt_kernel_unpack(double *row, const uint64_t *mask, const double *from, int n)
{
    memset(row, 0, (size_t)n * sizeof *row);
    for (int i = 0; i < n; i += OPT_WORD * OPT_STRIP) {
        for (uint64_t bits = *mask++; bits != 0; bits &= bits - 1, from += OPT_STRIP) {
            memcpy(row + i + OPT_STRIP * __builtin_ctzll(bits), from, OPT_STRIP * sizeof *row);
        }
    }
}

OPT_WIDEST bool opt_kernel_is_multiple(const double *row, const double *other, double factor,
                                       const uint64_t *mask, int n)
{
    equal4 same = {-1, -1, -1, -1};
    for (int i = 0; i < n; i += OPT_WORD * OPT_STRIP) {
        for (uint64_t bits = *mask++; bits != 0; bits &= bits - 1) {
            const int at = i + OPT_STRIP * __builtin_ctzll(bits),
                      k = n - at < OPT_STRIP ? n - at : OPT_STRIP;
            opt_lane4 a = {0}, b = {0};
            memcpy(&a, row + at, (k == OPT_STRIP ? OPT_STRIP : (size_t)k) * sizeof *row);
            memcpy(&b, other + at, (k == OPT_STRIP ? OPT_STRIP : (size_t)k) * sizeof *row);
            same &= a == factor * b;
        }
    }
    return (same[0] & same[1] & same[2] & same[3]) != 0;
}

/* Where a packed row begins, and what it is multiplied by, if by anything */
typedef struct packed_row {
    const uint64_t *mask;
    const double *value;
    double scale;
} packed_row;

static SAL_INLINE packed_row row_of(const opt_rows_packed *p, int r, const uint64_t *mask)
{
    return (packed_row){mask, p->value + (ptrdiff_t)OPT_STRIP * p->place[r], p->scale[r]};
}

static SAL_INLINE bool is_scaled(packed_row row)
{
    return bits_of(row.scale) != bits_of(1);
}

static SAL_INLINE double row_product(packed_row row, size_t nword, const double *d,
                                     const bool scaled)
{
    opt_lane4 sum = {0}, a, b;
    for (size_t w = 0; w < nword; w++) {
        const double *part = d + w * OPT_WORD * OPT_STRIP;
        for (uint64_t bits = *row.mask++; bits != 0; bits &= bits - 1, row.value += OPT_STRIP) {
            memcpy(&a, row.value, sizeof a);
            memcpy(&b, part + OPT_STRIP * __builtin_ctzll(bits), sizeof b);
            sum += (scaled ? row.scale * a : a) * b;
        }
    }
    return (sum[0] + sum[2]) + (sum[1] + sum[3]);
}

OPT_WIDEST void opt_kernel_packed_product(double *out, const opt_rows_packed *p, const double *d)
{
    const uint64_t *mask = p->mask;
    for (int r = 0; r < p->nrow; r++, mask += p->nword) {
        const packed_row row = row_of(p, r, mask);
        out[r] = is_scaled(row) ? row_product(row, p->nword, d, true)
                                : row_product(row, p->nword, d, false);
    }
}

/* out += s row */
static SAL_INLINE void row_gradient(double *out, packed_row row, size_t nword, double s,
                                    const bool scaled)
{
    opt_lane4 a, b;
    for (size_t w = 0; w < nword; w++) {
        double *part = out + w * OPT_WORD * OPT_STRIP;
        for (uint64_t bits = *row.mask++; bits != 0; bits &= bits - 1, row.value += OPT_STRIP) {
            double *at = part + OPT_STRIP * __builtin_ctzll(bits);
            memcpy(&a, row.value, sizeof a);
            memcpy(&b, at, sizeof b);
            b += s * (scaled ? row.scale * a : a);
            memcpy(at, &b, sizeof b);
        }
    }
}

OPT_WIDEST void opt_kernel_packed_gradient(double *out, const opt_rows_packed *p, const double *s,
                                           const unsigned char *use)
{
    const uint64_t *mask = p->mask;
    for (int r = 0; r < p->nrow; r++, mask += p->nword) {
        const packed_row row = row_of(p, r, mask);
        if (!use[r] || s[r] == 0) {
            continue;
        }
        if (is_scaled(row)) {
            row_gradient(out, row, p->nword, s[r], true);
        } else {
            row_gradient(out, row, p->nword, s[r], false);
        }
    }
}

/* ---- vectors ---- */

static SAL_INLINE double dot(const double *a, const double *b, int n)
{
    opt_lane4 low = {0}, high = {0}, x, y;
    double rest = 0;
    int i = 0;
    for (; i + LANES <= n; i += LANES) {
        memcpy(&x, a + i, sizeof x);
        memcpy(&y, b + i, sizeof y);
        low += x * y;
        memcpy(&x, a + i + 4, sizeof x);
        memcpy(&y, b + i + 4, sizeof y);
        high += x * y;
    }
    for (; i < n; i++) {
        rest += a[i] * b[i];
    }
    low += high;
    return ((low[0] + low[1]) + (low[2] + low[3])) + rest;
}

OPT_WIDEST double opt_kernel_dot(const double *a, const double *b, int n)
{
    return dot(a, b, n);
}

OPT_WIDEST void opt_kernel_forward(double *x, const double *panel, int ld, int width, int n)
{
    const double *row = panel;
    for (int p = 0; p < n; p++, row += opt_panel_ld(ld, p)) {
        x[p] *= row[p];
        add(x + p + 1, -x[p], row + p + 1, width - p - 1);
    }
}

OPT_WIDEST void opt_kernel_backward(double *x, const double *panel, int ld, int width, int n)
{
    const double *row = panel + opt_panel_row(ld, n - 1);
    for (int p = n - 1; p >= 0; row -= opt_panel_ld(ld, p), p--) {
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
