#include "tests/check.h"

#include "base/dense.h"
#include "base/rng.h"

/* A = [0 1 2; 1 0 3; 4 -3 8], det 2, A (1, 2, 3) = (8, 10, 22) */
static void a_system_by_hand(void)
{
    double A[9] = {0, 1, 2, 1, 0, 3, 4, -3, 8}, x[3] = {8, 10, 22};
    int pivot[3];
    CHECK(sal_dense_lu(A, pivot, 3) == 3);
    sal_dense_lu_solve(x, A, pivot, 3);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(x[i], i + 1, 1e-13);
    }
}

/* A x = b for random A; the same factors serve several b */
static void random_systems(void)
{
    enum { N = 20 };
    sal_rng rng = {1};
    double A[N * N], lu[N * N];
    int pivot[N];
    for (int i = 0; i < N * N; i++) {
        A[i] = lu[i] = sal_rng_normal(&rng);
    }
    CHECK(sal_dense_lu(lu, pivot, N) == N);
    for (int k = 0; k < 3; k++) {
        double x[N], b[N];
        for (int i = 0; i < N; i++) {
            x[i] = b[i] = sal_rng_normal(&rng);
        }
        sal_dense_lu_solve(x, lu, pivot, N);
        for (int i = 0; i < N; i++) {
            double sum = 0;
            for (int j = 0; j < N; j++) {
                sum += A[i * N + j] * x[j];
            }
            CHECK_NEAR(sum, b[i], 1e-12);
        }
    }
}

static void what_has_no_pivot(void)
{
    double A[4] = {1, 2, 2, 4}, B[1] = {(double)NAN}, C[4] = {0, 1, 0, 1};
    int pivot[2];
    CHECK(sal_dense_lu(A, pivot, 2) == 1);
    CHECK(sal_dense_lu(B, pivot, 1) == 0);
    CHECK(sal_dense_lu(C, pivot, 2) == 0);
}

int main(void)
{
    RUN(a_system_by_hand);
    RUN(random_systems);
    RUN(what_has_no_pivot);
    return check_done();
}
