/* Rows of a Jacobian that are others but for a factor: the same bits as if they were kept twice. */
#include "tests/check.h"

#include "base/base.h"
#include "base/rng.h"
#include "optim/assembly.h"
#include "optim/solver.h"

#include <math.h>
#include <string.h>

enum { NRANGE = 5, NTERM = 6, NOTHER = 3, NRES = NRANGE + NTERM + NOTHER, NCOL = 30, BEYOND = 8 };

static const sal_segment segments[] = {
    {.n = NRANGE, .weight = 0.09, .constraint = true, .range = true, .tol = 1e-6},
    {.n = NTERM, .weight = 0.3},
    {.n = NOTHER, .weight = 0.7}};

static const double root[NRES] = {1, 1, 1, 1, 1, 0.3, 0.7, 1.1, 1, 0.9, 0.2, 1, 1, 1};

/* Of the terms' rows, the multiple of which range's row each is; 0: of none that counts */
static const struct {
    int row;
    double factor;
} multiple[NTERM] = {{0, 2}, {1, -0.5}, {2, 3}, {4, 1}, {3, -16}, {0, 0}};

static int columns[NCOL];
static const sal_block block = {
    .nres = NRES, .ncol = NCOL, .col = columns, .nseg = 3, .seg = segments};

static void make_rows(double *J)
{
    sal_rng rng = {7};
    for (int j = 0; j < NCOL; j++) {
        columns[j] = j;
    }
    for (int r = 0; r < NRES; r++) {
        for (int j = 0; j < NCOL; j++) {
            J[r * NCOL + j] = (j + r) % 11 < 4 ? 0 : sal_rng_uniform(&rng, -1, 1);
        }
    }
    for (int i = 0; i < NTERM; i++) {
        for (int j = 0; j < NCOL && multiple[i].factor != 0; j++) {
            J[(NRANGE + i) * NCOL + j] = multiple[i].factor * J[multiple[i].row * NCOL + j];
        }
    }
}

static bool have_same_bits(const void *a, const void *b, size_t n)
{
    return memcmp(a, b, n) == 0;
}

static double scale_of(int r)
{
    const sal_segment *seg = segments + (r < NRANGE ? 0 : r < NRANGE + NTERM ? 1 : 2);
    return sqrt(seg->weight) * root[r];
}

/* A from rows that are all scaled, or from rows of which some share others' strips. */
static opt_jacobian *make(double *rows, bool shares, const opt_assembly *as, double *H,
                          const unsigned char *use)
{
    opt_jacobian *A = NULL;
    sal_err err = {0};
    make_rows(rows);
    CHECK_OK(opt_jacobian_new(&A, &block, 1, 1, 0, &err), err);
    CHECK(!A->shares); /* so few have room enough */
    A->shares = shares;
    opt_jacobian_find(A, 0, 0, NRES, rows);
    if (shares) {
        opt_twins_find(A, 0, rows, root);
    }
    for (int r = 0; r < NRES; r++) {
        for (int j = 0; j < NCOL && opt_jacobian_missing(A, 0, r) == 1; j++) {
            rows[r * NCOL + j] *= scale_of(r);
        }
    }
    opt_assembly_add(as, H, NULL, &(opt_dense){A, rows, 0, 1}, use, 0);
    CHECK_OK(opt_jacobian_pack(A, 0, rows, &err), err);
    return A;
}

static void shared_rows_keep_their_bits(void)
{
    static double rows[2][NRES * NCOL + BEYOND], H[2][NCOL * NCOL], again[NCOL * NCOL];
    static double dense[2][NRES * (NCOL + 3)], w[2][NRES], g[2][NCOL + 3], d[NCOL + 3], s[NRES];
    unsigned char use[NRES];
    opt_assembly *as = NULL;
    opt_jacobian *A[2];
    sal_rng rng = {9};
    sal_err err = {0};
    for (int r = 0; r < NRES; r++) {
        use[r] = r % 6 != 2;
        s[r] = sal_rng_uniform(&rng, -1, 1);
    }
    for (int j = 0; j < NCOL; j++) {
        d[j] = sal_rng_uniform(&rng, -1, 1);
    }
    make_rows(rows[0]);
    CHECK_OK(opt_assembly_new(&as, NCOL, &block, 1, 1, &err), err);
    for (int k = 0; k < 2; k++) {
        A[k] = make(rows[k], k == 1, as, H[k], use);
        opt_jacobian_unpack(A[k], 0, dense[k], use);
        opt_jacobian_product(A[k], 0, w[k], d);
        opt_jacobian_gradient(A[k], 0, g[k], s, use);
    }
    CHECK(have_same_bits(H[0], H[1], sizeof H[0]));
    for (int r = 0; r < NRES; r++) {
        const int at = r * opt_jacobian_ld(NCOL);
        CHECK(have_same_bits(dense[0] + at, dense[1] + at, NCOL * sizeof(double)));
    }
    CHECK(have_same_bits(w[0], w[1], sizeof w[0]));
    CHECK(have_same_bits(g[0], g[1], sizeof g[0]));
    opt_assembly_hessian(as, again, NULL, A[1], use);
    CHECK(have_same_bits(H[0], again, (size_t)as->nnz * sizeof(double)));
    for (int i = 0; i < NTERM; i++) { /* a factor 3 would round twice */
        const double f = multiple[i].factor;
        const bool shared = f != 0 && f != 3;
        CHECK((A[1]->place[NRANGE + i] == A[1]->place[multiple[i].row]) == shared);
    }
    opt_jacobian_free(A[0]);
    opt_jacobian_free(A[1]);
    opt_assembly_free(as);
}

int main(void)
{
    RUN(shared_rows_keep_their_bits);
    return check_done();
}
