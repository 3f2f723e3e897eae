#include "optim/border.h"

#include <math.h>
#include <string.h>

enum { REFINEMENTS = 4 };
static const double EXACT = 1e-15; /* residual, of the right side, that is not solved for again */
static const double WORTH = 0.5;   /* a refinement must lower it to this share */

struct opt_border {
    const opt_assembly *as;
    opt_factor *factor;
    const double *D; /* [nsum x nvar] */
    opt_mix K;
    int n, most;           /* sums with c > 0, and all */
    int *row;              /* [most] which they are */
    double *root;          /* [most] sqrt(c) */
    double *Z;             /* [n x nvar] columns of Z */
    double *S;             /* [n x n] lower Cholesky factor, by rows */
    double *y;             /* [most] */
    double *b, *rest, *dx; /* [nvar] */
    void *memory;
};

static void place(opt_border *f, sal_layout *layout)
{
    const size_t most = (size_t)f->most, nvar = (size_t)f->as->nvar;
    f->row = sal_layout_take(layout, most, sizeof(int));
    f->root = sal_layout_take(layout, most, sizeof(double));
    f->Z = sal_layout_take(layout, most * nvar, sizeof(double));
    f->S = sal_layout_take(layout, most * most, sizeof(double));
    f->y = sal_layout_take(layout, most, sizeof(double));
    f->b = sal_layout_take(layout, nvar, sizeof(double));
    f->rest = sal_layout_take(layout, nvar, sizeof(double));
    f->dx = sal_layout_take(layout, nvar, sizeof(double));
}

sal_status opt_border_new(opt_border **border, opt_factor *factor, const opt_assembly *as,
                          sal_err *err)
{
    opt_border *f = sal_alloc(1, sizeof *f);
    *border = f;
    if (f == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for %d sums", as->nsum);
    }
    f->as = as;
    f->factor = factor;
    f->most = as->nsum;
    if (f->most == 0) {
        return SAL_OK;
    }
    sal_layout layout = {0};
    place(f, &layout);
    f->memory = sal_alloc(layout.size, 1);
    if (f->memory == NULL) {
        return sal_fail(err, SAL_NOMEM, "out of memory for %d sums of %d variables", as->nsum,
                        as->nvar);
    }
    layout = (sal_layout){.base = f->memory};
    place(f, &layout);
    return SAL_OK;
}

void opt_border_free(opt_border *f)
{
    if (f != NULL) {
        sal_free(f->memory);
        sal_free(f);
    }
}

double opt_border_diagonal(const opt_border *f, const double *D, const opt_mix *K, int j,
                           double own)
{
    const opt_assembly *as = f->as;
    double sum = own;
    for (int k = 0; k < as->nsum; k++, D += as->nvar) {
        sum += opt_mix_entry(K, as->nnz + k) * D[j] * D[j];
    }
    return sum;
}

/* ---- S ---- */

/* S = L L' */
static bool factorise(double *S, int n)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            const double sum = S[i * n + j] - opt_kernel_dot(S + i * n, S + j * n, j);
            if (j < i) {
                S[i * n + j] = sum / S[j * n + j];
                continue;
            }
            if (!(sum > 0 && isfinite(sum))) {
                return false;
            }
            S[i * n + i] = sqrt(sum);
        }
    }
    return true;
}

/* y := S^-1 y */
static void solve_small(const double *L, double *y, int n)
{
    for (int i = 0; i < n; i++) {
        y[i] = (y[i] - opt_kernel_dot(L + i * n, y, i)) / L[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) {
            y[i] -= L[j * n + i] * y[j];
        }
        y[i] /= L[i * n + i];
    }
}

static void choose_rows(opt_border *f)
{
    f->n = 0;
    for (int k = 0; k < f->most; k++) {
        const double c = opt_mix_entry(&f->K, f->as->nnz + k);
        if (c > 0) {
            f->row[f->n] = k;
            f->root[f->n++] = sqrt(c);
        }
    }
}

static const double *row_of(const opt_border *f, int k)
{
    return f->D + (size_t)f->row[k] * (size_t)f->as->nvar;
}

static double *column_of(const opt_border *f, int k)
{
    return f->Z + (size_t)k * (size_t)f->as->nvar;
}

sal_status opt_border_compute(opt_border *f, const double *D, const opt_mix *K, sal_err *err)
{
    const int nvar = f->as->nvar;
    f->K = *K;
    f->D = D;
    choose_rows(f);
    for (int k = 0; k < f->n; k++) {
        double *z = column_of(f, k);
        memset(z, 0, (size_t)nvar * sizeof(double));
        opt_kernel_add(z, f->root[k], row_of(f, k), nvar);
        const sal_status status = opt_factor_solve(f->factor, z, err);
        if (status != SAL_OK) {
            return status;
        }
    }
    for (int i = 0; i < f->n; i++) {
        for (int j = 0; j <= i; j++) {
            f->S[i * f->n + j] =
                (i == j) + f->root[i] * opt_kernel_dot(row_of(f, i), column_of(f, j), nvar);
        }
    }
    return factorise(f->S, f->n)
               ? SAL_OK
               : sal_fail(err, SAL_SINGULAR, "the matrix of the sums is not positive definite");
}

/* ---- solution ---- */

/* x := K^-1 x, as far as it goes at once */
static sal_status solve_once(opt_border *f, double *x, sal_err *err)
{
    const sal_status status = opt_factor_solve(f->factor, x, err);
    for (int k = 0; k < f->n; k++) {
        f->y[k] = f->root[k] * opt_kernel_dot(row_of(f, k), x, f->as->nvar);
    }
    solve_small(f->S, f->y, f->n);
    for (int k = 0; k < f->n; k++) {
        opt_kernel_add(x, -f->y[k], column_of(f, k), f->as->nvar);
    }
    return status;
}

/* rest = b - K x. Returns its largest entry. */
static double find_rest(opt_border *f, const double *x)
{
    const opt_assembly *as = f->as;
    double *rest = f->rest, largest = 0;
    for (int j = 0; j < as->nvar; j++) {
        rest[j] = f->b[j] - f->K.shift * x[j];
    }
    for (int j = 0; j < as->nvar; j++) {
        for (int e = as->colptr[j]; e < as->colptr[j + 1]; e++) {
            const int i = as->rowind[e];
            const double value = opt_mix_entry(&f->K, e);
            rest[i] -= value * x[j];
            rest[j] -= i > j ? value * x[i] : 0;
        }
    }
    for (int k = 0; k < f->n; k++) {
        const double c = f->root[k] * f->root[k];
        opt_kernel_add(rest, -c * opt_kernel_dot(row_of(f, k), x, as->nvar), row_of(f, k),
                       as->nvar);
    }
    for (int j = 0; j < as->nvar; j++) {
        largest = fmax(largest, fabs(rest[j]));
    }
    return largest;
}

sal_status opt_border_solve(opt_border *f, double *x, sal_err *err)
{
    const size_t size = (size_t)f->as->nvar * sizeof(double);
    if (f->n == 0) {
        return opt_factor_solve(f->factor, x, err);
    }
    double target = 0, before = (double)INFINITY;
    memcpy(f->b, x, size);
    for (int j = 0; j < f->as->nvar; j++) {
        target = fmax(target, EXACT * fabs(x[j]));
    }
    sal_status status = solve_once(f, x, err);
    for (int k = 0; k < REFINEMENTS && status == SAL_OK; k++) {
        const double now = find_rest(f, x);
        if (now <= target || !(now < WORTH * before)) {
            break;
        }
        before = now;
        memcpy(f->dx, f->rest, size);
        status = solve_once(f, f->dx, err);
        opt_kernel_add(x, 1, f->dx, f->as->nvar);
    }
    return status;
}
