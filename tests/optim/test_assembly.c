/* Sparse assembly and factorisation against dense algebra. */
#include "tests/check.h"

#include "base/house.h"
#include "optim/assembly.h"
#include "optim/factor.h"

#include <lapacke.h>

/* A cycle of steps: each block knows its own configuration, both neighbours' and a border of
 * globals. */
enum {
    STEPS = 13,
    NV = 5,
    BORDER = 2,
    NVAR = STEPS * NV + BORDER,
    NCOL = 3 * NV + BORDER,
    NRES = 11,
    PART = 5
};

typedef struct cycle {
    int col[STEPS][NCOL];
    sal_block block[STEPS];
    double A[STEPS][NRES][NCOL], beyond[OPT_OUTER_BEYOND], s[STEPS][NRES];
    unsigned char use[STEPS][NRES];
    double H[NVAR * NVAR], g[NVAR]; /* dense */
} cycle;

static cycle *make_cycle(unsigned seed)
{
    static cycle r;
    sal_rng rng = {seed};
    memset(&r, 0, sizeof r);
    for (int t = 0; t < STEPS; t++) {
        int n = 0;
        for (int i = 0; i < BORDER; i++) { /* the globals first: columns need not be sorted */
            r.col[t][n++] = STEPS * NV + i;
        }
        for (int k = -1; k <= 1; k++) {
            for (int i = 0; i < NV; i++) {
                r.col[t][n++] = (t + k + STEPS) % STEPS * NV + i;
            }
        }
        r.block[t] = (sal_block){.nres = NRES, .ncol = NCOL, .col = r.col[t]};
        for (int i = 0; i < NRES; i++) {
            r.use[t][i] = sal_rng_uniform(&rng, 0, 1) < 0.8;
            r.s[t][i] = sal_rng_uniform(&rng, -1, 1);
            for (int j = 0; j < NCOL; j++) {
                const bool zero = sal_rng_uniform(&rng, 0, 1) < 0.2;
                r.A[t][i][j] = zero ? 0 : sal_rng_uniform(&rng, -1, 1);
            }
            for (int j = 0; j < NCOL && r.use[t][i]; j++) {
                r.g[r.col[t][j]] += r.A[t][i][j] * r.s[t][i];
                for (int k = 0; k < NCOL; k++) {
                    r.H[r.col[t][j] * NVAR + r.col[t][k]] += r.A[t][i][j] * r.A[t][i][k];
                }
            }
        }
    }
    return &r;
}

static opt_jacobian *pack(const cycle *r)
{
    opt_jacobian *A = NULL;
    sal_err err = {0};
    CHECK_OK(opt_jacobian_new(&A, r->block, STEPS, PART, 0, &err), err);
    for (int t = 0; t < STEPS; t++) {
        opt_jacobian_find(A, t, 0, NRES, &r->A[t][0][0]);
    }
    for (int k = 0; k < A->npart; k++) {
        CHECK_OK(opt_jacobian_pack(A, k, &r->A[k * PART][0][0], &err), err);
    }
    return A;
}

/* Rows come back as they were, and only those asked for. */
static void packed_rows_are_kept(void)
{
    cycle *r = make_cycle(6);
    opt_jacobian *A = pack(r);
    for (int t = 0; t < STEPS; t++) {
        double dense[NRES][(NCOL + 3) / 4 * 4];
        memset(dense, 0x7f, sizeof dense);
        const double other = dense[0][0];
        opt_jacobian_unpack(A, t, &dense[0][0], r->use[t]);
        for (int i = 0; i < NRES; i++) {
            for (int j = 0; j < NCOL; j++) {
                CHECK(dense[i][j] == (r->use[t][i] ? r->A[t][i][j] : other));
            }
        }
    }
    opt_jacobian_free(A);
}

static void assembled_is_dense(void)
{
    cycle *r = make_cycle(1);
    opt_assembly *as = NULL;
    sal_err err = {0};
    CHECK_OK(opt_assembly_new(&as, NVAR, r->block, STEPS, 1, &err), err);
    double *H = calloc((size_t)as->nnz, sizeof(double)), g[NVAR];
    opt_jacobian *A = pack(r);
    opt_assembly_hessian(as, H, NULL, A, &r->use[0][0]);
    opt_assembly_gradient(as, g, A, &r->s[0][0], &r->use[0][0]);
    opt_jacobian_free(A);
    int nonzero = 0;
    for (int j = 0; j < NVAR; j++) {
        CHECK_NEAR(g[j], r->g[j], 1e-13);
        CHECK(as->rowind[as->colptr[j]] == j);
        for (int k = as->colptr[j]; k < as->colptr[j + 1]; k++) {
            CHECK_NEAR(H[k], r->H[as->rowind[k] * NVAR + j], 1e-13);
            CHECK(k == as->colptr[j] || as->rowind[k] > as->rowind[k - 1]);
        }
        for (int i = j; i < NVAR; i++) {
            nonzero += i == j || r->H[i * NVAR + j] != 0;
        }
    }
    CHECK(nonzero == as->nnz); /* the pattern holds what is needed and nothing else */
    free(H);
    opt_assembly_free(as);
}

static void product_is_dense(void)
{
    cycle *r = make_cycle(2);
    opt_assembly *as = NULL;
    sal_err err = {0};
    sal_rng rng = {3};
    double d[NVAR], w[STEPS * NRES];
    for (int j = 0; j < NVAR; j++) {
        d[j] = sal_rng_uniform(&rng, -1, 1);
    }
    CHECK_OK(opt_assembly_new(&as, NVAR, r->block, STEPS, 2, &err), err);
    opt_jacobian *A = pack(r);
    opt_assembly_product(as, w, A, d);
    opt_jacobian_free(A);
    for (int t = 0; t < STEPS; t++) {
        for (int i = 0; i < NRES; i++) {
            double sum = 0;
            for (int j = 0; j < NCOL; j++) {
                sum += r->A[t][i][j] * d[r->col[t][j]];
            }
            CHECK_NEAR(w[t * NRES + i], sum, 1e-14);
        }
    }
    opt_assembly_free(as);
}

static void threads_change_no_bit(void)
{
    cycle *r = make_cycle(4);
    sal_err err = {0};
    double *H[4] = {NULL}, g[4][NVAR];
    int nnz = 0;
    for (int k = 0; k < 4; k++) {
        opt_assembly *as = NULL;
        CHECK_OK(opt_assembly_new(&as, NVAR, r->block, STEPS, k + 1, &err), err);
        nnz = as->nnz;
        H[k] = calloc((size_t)nnz, sizeof(double));
        opt_jacobian *A = pack(r);
        CHECK_OK(opt_assembly_share(as, PART, k + 1), err);
        const opt_late *shares = as->late;
        CHECK(shares->nshare == (k + 1 < A->npart ? k + 1 : A->npart));
        CHECK((opt_late_room(shares) > 0) == (k > 0)); /* shares meet, and the cycle closes */
        double *late = calloc(opt_late_room(shares) + 1, sizeof(double)),
               *added = malloc((size_t)nnz * sizeof(double));
        opt_assembly_hessian(as, H[k], late, A, &r->use[0][0]);
        opt_assembly_gradient(as, g[k], A, &r->s[0][0], &r->use[0][0]);
        for (int share = shares->nshare - 1; share >= 0; share--) { /* in any order */
            const int first = shares->begin[share], n = shares->begin[share + 1] - first;
            opt_assembly_add(as, added, late, &(opt_dense){A, &r->A[first][0][0], first, n},
                             &r->use[0][0], 0);
        }
        opt_late_add(shares, added, late);
        CHECK(memcmp(H[k], added, (size_t)nnz * sizeof(double)) == 0);
        free(added), free(late);
        opt_jacobian_free(A);
        opt_assembly_free(as);
        CHECK(memcmp(H[k], H[0], (size_t)nnz * sizeof(double)) == 0);
        CHECK(memcmp(g[k], g[0], sizeof g[0]) == 0);
    }
    for (int k = 0; k < 4; k++) {
        free(H[k]);
    }
}

static sal_status compute(opt_factor *factor, const double *H, double shift, sal_err *err)
{
    const opt_mix A = {.X = H, .a = 1, .shift = shift};
    return opt_factor_compute(factor, &A, err);
}

/* (dense + shift I) x = b with the factor of H, and by LAPACK */
static void compare_with_lapack(opt_factor *factor, const double *H, const double *dense, int n,
                                double shift, const double *b)
{
    double *copy = malloc((size_t)(n * n) * sizeof *copy), *x = calloc((size_t)n, sizeof *x),
           *expected = calloc((size_t)n, sizeof *x);
    sal_err err = {0};
    memcpy(copy, dense, (size_t)(n * n) * sizeof *copy);
    for (int j = 0; j < n; j++) {
        copy[j * n + j] += shift;
        x[j] = expected[j] = b[j];
    }
    CHECK(LAPACKE_dposv(LAPACK_ROW_MAJOR, 'L', n, 1, copy, n, expected, 1) == 0);
    CHECK_OK(compute(factor, H, shift, &err), err);
    CHECK_OK(opt_factor_solve(factor, x, &err), err);
    for (int j = 0; j < n; j++) {
        CHECK_NEAR(x[j], expected[j], 1e-11 * (1 + fabs(expected[j])));
    }
    free(copy), free(x), free(expected);
}

static void cycle_as_lapack(sal_factor_method method, sal_factor_method chosen)
{
    cycle *r = make_cycle(5);
    opt_assembly *as = NULL;
    opt_factor *factor = NULL;
    sal_err err = {0};
    CHECK_OK(opt_assembly_new(&as, NVAR, r->block, STEPS, 1, &err), err);
    CHECK_OK(opt_factor_new(&factor, NVAR, as->colptr, as->rowind, method, 1, &err), err);
    double *H = calloc((size_t)as->nnz, sizeof(double));
    opt_jacobian *A = pack(r);
    opt_assembly_hessian(as, H, NULL, A, &r->use[0][0]);
    opt_jacobian_free(A);
    CHECK(opt_factor_chosen(factor) == chosen);
    static const double shifts[] = {1e-3, 10, 0.5};
    for (int k = 0; k < 3; k++) { /* the same factor is used again */
        compare_with_lapack(factor, H, r->H, NVAR, shifts[k], r->g);
    }
    free(H);
    opt_factor_free(factor);
    opt_assembly_free(as);
}

static void factors_solve_as_lapack_does(void)
{
    cycle_as_lapack(SAL_FACTOR_CHOLMOD, SAL_FACTOR_CHOLMOD);
    cycle_as_lapack(SAL_FACTOR_BANDED, SAL_FACTOR_BANDED);
    cycle_as_lapack(SAL_FACTOR_AUTO, SAL_FACTOR_BANDED);
}

enum { NRANDOM = 61 };

/* A random pattern in which runs of `size` variables share their neighbours, and a matrix that is
 * diagonally dominant. */
static void random_as_lapack(unsigned seed, int size, double density)
{
    static double dense[NRANDOM * NRANDOM], values[NRANDOM * NRANDOM];
    static int colptr[NRANDOM + 1], rowind[NRANDOM * NRANDOM];
    static bool meets[NRANDOM][NRANDOM];
    double b[NRANDOM];
    sal_rng rng = {seed};
    int nnz = 0;
    for (int i = 0; i < NRANDOM; i++) {
        b[i] = sal_rng_uniform(&rng, -1, 1);
        for (int j = i; j < NRANDOM; j++) {
            meets[i][j] = i / size == j / size || sal_rng_uniform(&rng, 0, 1) < density;
        }
    }
    for (int i = 0; i < NRANDOM; i++) {
        colptr[i] = nnz;
        for (int j = i; j < NRANDOM; j++) {
            const bool here = meets[i / size * size][j / size * size];
            const double value = i == j ? NRANDOM : here ? sal_rng_uniform(&rng, -1, 1) : 0;
            dense[i * NRANDOM + j] = dense[j * NRANDOM + i] = value;
            if (here || i == j) {
                rowind[nnz] = j;
                values[nnz++] = value;
            }
        }
    }
    colptr[NRANDOM] = nnz;
    for (int method = SAL_FACTOR_AUTO; method <= SAL_FACTOR_CHOLMOD; method++) {
        opt_factor *factor = NULL;
        sal_err err = {0};
        CHECK_OK(
            opt_factor_new(&factor, NRANDOM, colptr, rowind, (sal_factor_method)method, 1, &err),
            err);
        if (method == SAL_FACTOR_AUTO && size == 1) {
            CHECK(opt_factor_chosen(factor) == SAL_FACTOR_CHOLMOD);
        }
        compare_with_lapack(factor, values, dense, NRANDOM, 0.1, b);
        opt_factor_free(factor);
    }
}

static void factors_of_random_patterns(void)
{
    static const int sizes[] = {1, 2, 5, 9, 17};
    for (unsigned k = 0; k < 50; k++) {
        random_as_lapack(100 + k, sizes[k % 5], 0.02 * (double)(1 + k % 7));
    }
}

/* [2 3; 3 1] has a negative eigenvalue; a shift of 2 makes it [4 3; 3 3] */
static void indefinite_is_singular_to(sal_factor_method method)
{
    const int colptr[] = {0, 2, 3}, rowind[] = {0, 1, 1};
    double values[] = {2, 3, 1};
    opt_factor *factor = NULL;
    sal_err err = {0};
    CHECK_OK(opt_factor_new(&factor, 2, colptr, rowind, method, 1, &err), err);
    CHECK(compute(factor, values, 0, &err) == SAL_SINGULAR);
    CHECK_OK(compute(factor, values, 2, &err), err);
    double x[] = {7, 6}; /* 4+3, 3+3 */
    CHECK_OK(opt_factor_solve(factor, x, &err), err);
    CHECK_NEAR(x[0], 1, 1e-14);
    CHECK_NEAR(x[1], 1, 1e-14);
    values[0] = (double)NAN;
    CHECK(compute(factor, values, 2, &err) == SAL_SINGULAR);
    memset(values, 0, sizeof values);
    CHECK(compute(factor, values, 0, &err) == SAL_SINGULAR);
    opt_factor_free(factor);
}

static void indefinite_is_singular(void)
{
    indefinite_is_singular_to(SAL_FACTOR_CHOLMOD);
    indefinite_is_singular_to(SAL_FACTOR_BANDED);
}

enum { WIDE = 150, MANY = 131 }; /* more rows than bits of a word, columns in no whole strips */

/* Rows of which each knows a few runs of columns, and some nothing at all; zeros of both signs. */
static void make_runs(double (*A)[WIDE], unsigned seed)
{
    sal_rng rng = {seed};
    for (int r = 0; r < MANY; r++) {
        for (int j = 0, end; j < WIDE; j = end) {
            const bool zero = sal_rng_uniform(&rng, 0, 1) < 0.7, minus = j % 2 == 0;
            end = j + 1 + (int)sal_rng_uniform(&rng, 0, 13);
            end = end < WIDE ? end : WIDE;
            for (int i = j; i < end; i++) {
                A[r][i] = r % 5 == 0 || zero ? (minus ? -0. : 0) : sal_rng_uniform(&rng, -1, 1);
            }
        }
    }
}

/* Leaving out strips of zeros changes no bit of J'J, whose sums run in the order of the rows. */
static void zeros_change_no_bit(int ncol)
{
    static double A[MANY][WIDE], expected[WIDE * (WIDE + 1) / 2];
    int col[WIDE];
    make_runs(A, 7);
    const size_t bytes = (size_t)ncol * sizeof(double);
    double *rows = malloc((MANY + 8) * bytes);
    unsigned char use[MANY];
    for (int i = 0; i < ncol; i++) {
        col[i] = i;
    }
    for (int r = 0; r < MANY; r++) {
        use[r] = r % 7 != 3;
        memcpy(rows + r * ncol, A[r], bytes);
    }
    memset(rows + MANY * ncol, 0x7f, 8 * bytes); /* what is beyond is read, and not used */
    const sal_block block = {.nres = MANY, .ncol = ncol, .col = col};
    opt_assembly *as = NULL;
    opt_jacobian *J = NULL;
    sal_err err = {0};
    CHECK_OK(opt_assembly_new(&as, ncol, &block, 1, 1, &err), err);
    CHECK_OK(opt_jacobian_new(&J, &block, 1, 1, 0, &err), err);
    double *H = malloc((size_t)as->nnz * sizeof *H), *packed = malloc((size_t)as->nnz * sizeof *H);
    opt_jacobian_find(J, 0, 0, 40, rows); /* some rows at a time */
    opt_jacobian_find(J, 0, 40, MANY - 40, rows + 40 * ncol);
    CHECK_OK(opt_jacobian_pack(J, 0, rows, &err), err);
    opt_assembly_add(as, H, NULL, &(opt_dense){J, rows, 0, 1}, use, 0);
    opt_assembly_hessian(as, packed, NULL, J, use);
    int n = 0, nzero = 0;
    for (int j = 0; j < ncol; j++) {
        for (int i = j; i < ncol; i++, n++) {
            expected[n] = 0;
            for (int r = 0; r < MANY; r++) {
                expected[n] += use[r] ? A[r][i] * A[r][j] : 0;
            }
            nzero += expected[n] == 0;
        }
    }
    CHECK(n == as->nnz && nzero < n);
    CHECK(memcmp(H, expected, (size_t)n * sizeof *H) == 0);
    CHECK(memcmp(packed, expected, (size_t)n * sizeof *H) == 0);
    free(H), free(packed), free(rows);
    opt_jacobian_free(J);
    opt_assembly_free(as);
}

static void zeros_are_left_out(void)
{
    for (int ncol = 1; ncol <= WIDE; ncol += 1 + ncol / 9) {
        zeros_change_no_bit(ncol);
    }
}

int main(void)
{
    sal_parallel_share = 0; /* however small a loop is, all threads are at it */
    RUN(zeros_are_left_out);
    RUN(packed_rows_are_kept);
    RUN(assembled_is_dense);
    RUN(product_is_dense);
    RUN(threads_change_no_bit);
    RUN(factors_solve_as_lapack_does);
    RUN(factors_of_random_patterns);
    RUN(indefinite_is_singular);
    return check_done();
}
