/* kernel.c: the arithmetic of one member, by dense pieces of rows that lie one after the
 * other in memory.
 *
 * Each entry is a sum in one order on every processor: the width of its registers changes the time,
 * not the bits.
 */
#include "base/house.h"
#include "optim/joint/joint.h"
#include "optim/tiles.h"

#include <math.h>
#include <string.h>

enum { LANES = OPT_JOINT_LANES, LANE = OPT_JOINT_LANE };

/* ---- C += or -= a'b ---- */

/* nrow rows of a and b, ld apart, make ni x nj entries of C */
typedef struct product {
    const double *a, *b;
    int ld, nrow, ni, nj;
    bool subtract;
} product;

/* C += or -= the first m of these. Compilers make slow code of masks that are wider than the
 * registers. */
static SAL_INLINE void add_lanes(double *C, const opt_lane4 *low, const opt_lane4 *high,
                                 bool subtract, int m)
{
    opt_lane4 v, w;
    double part[LANES];
    if (m == LANES) {
        memcpy(&v, C, sizeof v);
        memcpy(&w, C + 4, sizeof w);
        v = subtract ? v - *low : v + *low;
        w = subtract ? w - *high : w + *high;
        memcpy(C, &v, sizeof v);
        memcpy(C + 4, &w, sizeof w);
        return;
    }
    memcpy(part, low, sizeof *low);
    memcpy(part + 4, high, sizeof *high);
    for (int i = 0; i < m; i++) {
        C[i] = subtract ? C[i] - part[i] : C[i] + part[i];
    }
}

/* n rows of C, at most 4 and known to the compiler, by m columns, at most 8. */
static SAL_INLINE void tile(double *C, int ldc, const product *p, int i, int j, const int n, int m)
{
    opt_lane4 low[OPT_TILE], high[OPT_TILE], v, w;
    for (int r = 0; r < n; r++) {
        low[r] = high[r] = (opt_lane4){0};
    }
    for (int k = 0; k < p->nrow; k++) {
        const double *a = p->a + k * p->ld + i;
        memcpy(&v, p->b + k * p->ld + j, sizeof v);
        memcpy(&w, p->b + k * p->ld + j + 4, sizeof w);
        for (int r = 0; r < n; r++) {
            low[r] += a[r] * v;
            high[r] += a[r] * w;
        }
    }
    for (int r = 0; r < n; r++) {
        const opt_lane4 x = low[r], y = high[r]; /* the sums themselves stay in registers */
        add_lanes(C + (i + r) * ldc + j, &x, &y, p->subtract, m);
    }
}

static SAL_INLINE void strip(double *C, int ldc, const product *p, int i, const int n)
{
    for (int j = 0; j < p->nj; j += LANES) {
        tile(C, ldc, p, i, j, n, p->nj - j < LANES ? p->nj - j : LANES);
    }
}

static SAL_INLINE void multiply(double *C, int ldc, const product *p)
{
    OPT_EACH_STRIP(strip, C, ldc, p);
}

/* ---- assembly ---- */

OPT_WIDEST void opt_joint_assemble(sal_normal *a, int n, int first, int width, bool border)
{
    const int size = a->size, ld = a->ld, nborder = a->nborder;
    const int last = first + width < a->nblock ? width : a->nblock - first;
    const int from = border ? 0 : nborder; /* without derivatives by the border only g is left */
    product p = {.ld = a->ldr, .nrow = n, .ni = size};
    for (int k = first < 0 ? -first : 0; k < last; k++) {
        double *panel = a->panel + (size_t)(first + k) * (size_t)(size * ld);
        p.a = p.b = a->row + k * size;
        p.nj = (last - k) * size;
        multiply(panel, ld, &p);
        p.b = a->row + width * size + from;
        p.nj = nborder + 1 - from;
        multiply(panel + OPT_JOINT_WINDOW * size + from, ld, &p);
    }
    if (border) {
        p.a = p.b = a->row + width * size;
        p.ni = nborder;
        p.nj = nborder + 1;
        multiply(a->corner, a->ldc, &p);
    }
}

void opt_joint_assemble_alone(sal_normal *a, int n, int first, int width, int at,
                              const double *slope, const double *s)
{
    const int size = a->size, last = first + width < a->nblock ? width : a->nblock - first;
    for (int k = first < 0 ? -first : 0; k < last; k++) {
        double *row = a->panel + (size_t)((first + k) * size + at) * (size_t)a->ld;
        for (int i = 0; i < n; i++, row += a->ld) {
            const double *own = slope + i * width;
            for (int l = k; l < last; l++) {
                row[(l - k) * size + at + i] += own[k] * own[l];
            }
            row[OPT_JOINT_WINDOW * size + a->nborder] += own[k] * s[i];
        }
    }
}

/* ---- elimination ---- */

static SAL_INLINE void take(double *restrict y, double s, const double *restrict x, int n)
{
    for (int i = 0; i < n; i++) {
        y[i] -= s * x[i];
    }
}

/* Cholesky's steps on n rows of which column i is row i's pivot; the pivot's place keeps the
 * reciprocal of its root. */
static SAL_INLINE bool pivots(double *row, int ld, int n)
{
    for (int p = 0; p < n; p++, row += ld) {
        const double pivot = row[p];
        if (!(pivot > 0 && isfinite(pivot))) {
            return false;
        }
        const double scale = 1 / sqrt(pivot);
        for (int j = 0; j < ld; j++) {
            row[j] *= scale;
        }
        row[p] = scale;
        for (int q = p + 1; q < n; q++) {
            const int lane = q & -LANES; /* left of its diagonal nothing is read */
            take(row + (q - p) * ld + lane, row[q], row + lane, ld - lane);
        }
    }
    return true;
}

/* The rows of one block are subtracted, as outer products, from those of the next ones and from the
 * corner. */
static SAL_INLINE void subtract_block(sal_normal *a, int block)
{
    const int size = a->size, ld = a->ld, window = OPT_JOINT_WINDOW * size;
    double *row = a->panel + (size_t)block * (size_t)(size * ld);
    product p = {.ld = ld, .nrow = size, .ni = size, .subtract = true};
    for (int k = 1; k < a->width && block + k < a->nblock; k++) {
        double *to = row + k * size * ld;
        p.a = p.b = row + k * size;
        p.nj = (a->width - k) * size;
        multiply(to, ld, &p);
        p.b = row + window;
        p.nj = a->nborder + 1;
        multiply(to + window, ld, &p);
    }
    p.a = p.b = row + window;
    p.ni = p.nj = a->nborder + 1;
    multiply(a->corner, a->ldc, &p);
}

OPT_WIDEST bool opt_joint_eliminate(sal_normal *a)
{
    for (int k = 0; k < a->nblock; k++) {
        if (!pivots(a->panel + (size_t)k * (size_t)(a->size * a->ld), a->ld, a->size)) {
            return false;
        }
        subtract_block(a, k);
    }
    if (!pivots(a->corner, a->ldc, a->nlocal)) {
        return false;
    }
    const int rest = a->nborder + 1 - a->nlocal;
    const product p = {.a = a->corner + a->nlocal,
                       .b = a->corner + a->nlocal,
                       .ld = a->ldc,
                       .nrow = a->nlocal,
                       .ni = rest,
                       .nj = rest,
                       .subtract = true};
    multiply(a->corner + a->nlocal * a->ldc + a->nlocal, a->ldc, &p);
    return true;
}

/* ---- substitution ---- */

/* n rows of Y, at most 4, by one lane: Y -= U X, X of nx rows */
static SAL_INLINE void fold(double *Y, int ldy, const double *U, int ldu, const double *X, int nx,
                            const int n)
{
    opt_lane4 sum[OPT_TILE], v;
    for (int r = 0; r < n; r++) {
        memcpy(&sum[r], Y + r * ldy, sizeof v);
    }
    for (int c = 0; c < nx; c++) {
        memcpy(&v, X + c * ldy, sizeof v);
        for (int r = 0; r < n; r++) {
            sum[r] -= U[r * ldu + c] * v;
        }
    }
    for (int r = 0; r < n; r++) {
        memcpy(Y + r * ldy, &sum[r], sizeof v);
    }
}

static SAL_INLINE void fold_rows(double *Y, int ldy, const double *U, int ldu, const double *X,
                                 int nx, int n)
{
    for (int j = 0; j < ldy; j += LANE) {
        int r = 0;
        for (; r + OPT_TILE <= n; r += OPT_TILE) {
            fold(Y + r * ldy + j, ldy, U + r * ldu, ldu, X + j, nx, OPT_TILE);
        }
        for (; r < n; r++) {
            fold(Y + r * ldy + j, ldy, U + r * ldu, ldu, X + j, nx, 1);
        }
    }
}

/* Y := U^-1 Y, U the upper triangle of n rows with reciprocals on its diagonal */
static SAL_INLINE void fold_triangle(double *Y, int ldy, const double *U, int ldu, int n)
{
    for (int p = n - 1; p >= 0; p--) {
        double *y = Y + p * ldy;
        fold_rows(y, ldy, U + p * ldu + p + 1, ldu, y + ldy, n - 1 - p, 1);
        for (int j = 0; j < ldy; j++) {
            y[j] *= U[p * ldu + p];
        }
    }
}

OPT_WIDEST void opt_joint_substitute(const sal_normal *a, double *Y, int ldy)
{
    const int size = a->size, ld = a->ld, window = OPT_JOINT_WINDOW * size;
    const int nrhs = a->nborder - a->nlocal + 1;
    const size_t nchain = (size_t)a->nblock * (size_t)size;
    double *local = Y + nchain * (size_t)ldy;
    for (int i = 0; i < a->nlocal; i++) {
        memcpy(local + i * ldy, a->corner + i * a->ldc + a->nlocal, (size_t)nrhs * sizeof *Y);
    }
    fold_triangle(local, ldy, a->corner, a->ldc, a->nlocal);
    for (int k = a->nblock - 1; k >= 0; k--) {
        const double *U = a->panel + (size_t)k * (size_t)(size * ld);
        double *y = Y + (size_t)k * (size_t)(size * ldy);
        const int rest = a->nblock - 1 - k, later = rest < a->width - 1 ? rest : a->width - 1;
        for (int i = 0; i < size; i++) {
            memcpy(y + i * ldy, U + i * ld + window + a->nlocal, (size_t)nrhs * sizeof *Y);
        }
        fold_rows(y, ldy, U + window, ld, local, a->nlocal, size);
        fold_rows(y, ldy, U + size, ld, y + size * ldy, later * size, size);
        fold_triangle(y, ldy, U, ld, size);
    }
}
