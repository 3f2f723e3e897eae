#include "tests/check.h"

#include "base/base.h"
#include "base/house.h"

static void exp_and_log_are_inverse(void)
{
    sal_rng rng = {1};
    for (int i = 0; i < 1000; i++) {
        double w[3], q[4], back[3];
        const double scale = pow(10, sal_rng_uniform(&rng, -12, 0.2));
        for (int k = 0; k < 3; k++) {
            w[k] = scale * sal_rng_uniform(&rng, -1, 1);
        }
        sal_quat_exp(q, w);
        sal_quat_log(back, q);
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(back[k], w[k], 4e-16 * (1 + sal_v3_norm(w)));
        }
    }
}

static void log_deriv_matches_differences(void)
{
    sal_rng rng = {2};
    for (int i = 0; i < 200; i++) {
        double w[3], q[4], j[9];
        for (int k = 0; k < 3; k++) {
            w[k] = sal_rng_uniform(&rng, -1.5, 1.5);
        }
        sal_quat_exp(q, w);
        sal_quat_log_deriv(j, w);
        for (int c = 0; c < 3; c++) {
            double logs[2][3];
            for (int s = 0; s < 2; s++) {
                double e[3] = {0}, eq[4], p[4];
                e[c] = s ? 1e-5 : -1e-5;
                sal_quat_exp(eq, e);
                sal_quat_mul(p, q, eq);
                sal_quat_log(logs[s], p);
            }
            for (int r = 0; r < 3; r++) {
                CHECK_NEAR(j[3 * r + c], (logs[1][r] - logs[0][r]) / 2e-5, 1e-8);
            }
        }
    }
}

/* J of exp and of log undo each other, also where the series are taken */
static void exp_deriv_is_the_inverse_of_log_deriv(void)
{
    sal_rng rng = {4};
    for (int i = 0; i < 200; i++) {
        const double size = i % 2 ? 1.5 : i % 4 ? 0.006 : 0;
        double w[3], to[9], back[9], product[9];
        for (int k = 0; k < 3; k++) {
            w[k] = sal_rng_uniform(&rng, -size, size);
        }
        sal_quat_exp_deriv(to, w);
        sal_quat_log_deriv(back, w);
        for (int k = 0; k < 9; k++) {
            product[k] = 0;
            for (int j = 0; j < 3; j++) {
                product[k] += to[3 * (k / 3) + j] * back[3 * j + k % 3];
            }
            CHECK_NEAR(product[k], k % 4 == 0, 1e-13);
        }
    }
}

static void matrix_and_quaternion_agree(void)
{
    sal_rng rng = {3};
    for (int i = 0; i < 1000; i++) {
        double q[4], m[9], back[4], dot = 0;
        for (int k = 0; k < 4; k++) {
            q[k] = sal_rng_uniform(&rng, -1, 1);
        }
        sal_quat_normalise(q);
        sal_quat_matrix(m, q);
        sal_quat_from_matrix(back, m);
        for (int k = 0; k < 4; k++) {
            dot += q[k] * back[k];
        }
        CHECK_NEAR(fabs(dot), 1, 1e-14);
    }
}

static void z_goes_to_any_direction(void)
{
    const double v[4][3] = {{0, 0, 2}, {0, 0, -3}, {1, 0, 0}, {0.3, -0.4, -0.2}};
    for (int i = 0; i < 4; i++) {
        double q[4], z[3];
        const double e[3] = {0, 0, 1};
        sal_quat_z_to(q, v[i]);
        sal_quat_rotate(z, q, e);
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(z[k], v[i][k] / sal_v3_norm(v[i]), 1e-15);
        }
    }
}

int main(void)
{
    RUN(exp_and_log_are_inverse);
    RUN(log_deriv_matches_differences);
    RUN(exp_deriv_is_the_inverse_of_log_deriv);
    RUN(matrix_and_quaternion_agree);
    RUN(z_goes_to_any_direction);
    return check_done();
}
