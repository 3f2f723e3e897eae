#include "tests/check.h"

#include "base/lapack.h"

static void eigenvalues_of_known_matrices(void)
{
    const double A[9] = {2, -1, 0, -1, 2, -1, 0, -1, 2}; /* 2 - 2 cos(k pi/4) */
    double value[3], vector[9];
    sal_lapack_eigen(value, vector, A, 3);
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(value[k], 2 - 2 * cos((k + 1) * acos(-1.0) / 4), 1e-14);
        CHECK_NEAR(fabs(vector[3 * k]), sin((k + 1) * acos(-1.0) / 4) / sqrt(2), 1e-14);
    }
    double B[16]; /* ones: 4 and three times 0 */
    double values[4], vectors[16];
    for (int i = 0; i < 16; i++) {
        B[i] = 1;
    }
    sal_lapack_eigen(values, vectors, B, 4);
    CHECK_NEAR(values[3], 4, 1e-14);
    CHECK_NEAR(values[0], 0, 1e-15);
}

/* Rows are vectors: a v_k = value_k v_k, for a matrix whose vectors, as rows, are not symmetric */
static void rows_are_eigenvectors(void)
{
    const double a[9] = {4, 1, -2, 1, 3, .5, -2, .5, 1};
    double value[3], vector[9];
    sal_lapack_eigen(value, vector, a, 3);
    for (int k = 0; k < 3; k++) {
        const double *v = vector + 3 * k;
        for (int i = 0; i < 3; i++) {
            const double *row = a + 3 * i;
            CHECK_NEAR(row[0] * v[0] + row[1] * v[1] + row[2] * v[2], value[k] * v[i], 1e-14);
        }
        CHECK_NEAR(v[0] * v[0] + v[1] * v[1] + v[2] * v[2], 1, 1e-14);
        CHECK(k == 0 || value[k] > value[k - 1]);
    }
}

static void what_is_not_finite_has_no_eigenvalues(void)
{
    const double a[4] = {1, (double)NAN, (double)NAN, 2};
    double value[2], vector[4];
    sal_lapack_eigen(value, vector, a, 2);
    CHECK(isnan(value[0]) && isnan(value[1]));
    CHECK(vector[0] == 1 && vector[1] == 0 && vector[2] == 0 && vector[3] == 1);
}

/* A = [0 1 2; 1 0 3; 4 -3 8], det 2; columns of x: (1, 2, 3) and (0, -1, 5) */
static void systems_are_solved(void)
{
    double A[9] = {0, 1, 2, 1, 0, 3, 4, -3, 8}, X[6] = {8, 9, 10, 15, 22, 43};
    const double expected[6] = {1, 0, 2, -1, 3, 5};
    CHECK(sal_lapack_solve(X, 2, A, 3, NULL) == SAL_OK);
    for (int i = 0; i < 6; i++) {
        CHECK_NEAR(X[i], expected[i], 1e-13);
    }
    double B[4] = {1, 2, 2, 4}, x[2] = {1, 1}, C[1] = {(double)NAN}, y[1] = {1};
    CHECK(sal_lapack_solve(x, 1, B, 2, NULL) == SAL_SINGULAR);
    CHECK(sal_lapack_solve(y, 1, C, 1, NULL) == SAL_SINGULAR);
}

int main(void)
{
    RUN(eigenvalues_of_known_matrices);
    RUN(rows_are_eigenvectors);
    RUN(what_is_not_finite_has_no_eigenvalues);
    RUN(systems_are_solved);
    return check_done();
}
