/* The forward solver of the hard contact model: random systems, a particle, a block. */
#include "tests/physics/laws/hard_rows.h"

#include "base/dense.h"
#include "base/lapack.h"

static double row_times(const hard_rows *x, int row, const double *v)
{
    double sum = 0;
    for (int k = 0; k < x->p.nv; k++) {
        sum += x->J[row * x->p.nv + k] * v[k];
    }
    return sum;
}

/* f by the closed law, for linear gaps; false where a block penetrates */
static bool impulses(double *f, const hard_rows *x, const double *v)
{
    bool good = true;
    for (int b = 0; b < x->p.nblock; b++) {
        const int row = x->block[b].row;
        double w[PHY_HARD_DIM];
        for (int j = 0; j < x->block[b].dim; j++) {
            w[j] = row_times(x, row + j, v);
        }
        const double s = x->gap[b] + x->p.timestep * w[0];
        good = phy_hard_inverse(f + row, &x->block[b], &x->p.relax, s, w) == PHY_HARD_EXACT && good;
    }
    return good;
}

/* M v - rhs - J'f by the closed law */
static bool momentum(double *error, const hard_rows *x, const double *v)
{
    double f[MOST_ROWS];
    const int nv = x->p.nv;
    const bool good = impulses(f, x, v);
    for (int i = 0; i < nv; i++) {
        error[i] = -x->rhs[i];
        for (int k = 0; k < nv; k++) {
            error[i] += x->M[i * nv + k] * v[k];
        }
        for (int r = 0; r < x->p.nrow; r++) {
            error[i] -= x->J[r * nv + i] * f[r];
        }
    }
    return good;
}

static void inverse_of_forward_is_the_same(void)
{
    static hard_rows x;
    sal_rng rng = {5};
    int steps = 0, solved = 0, cases = 0;
    double worst = 0, worst_error = 0;
    for (int n = 0; n <= 35; n++) {
        for (int i = 0; i < 20; i++, cases++) {
            double f[MOST_ROWS] = {0}, error[MOST_DOFS];
            draw_rows(&x, &rng, n);
            CHECK(forward(&x, false) == SAL_OK);
            steps += x.result.steps;
            solved += x.result.is_solved;
            if (!x.result.is_solved) {
                continue;
            }
            CHECK(impulses(f, &x, x.v) && momentum(error, &x, x.v));
            double size = 0;
            for (int r = 0; r < x.p.nrow; r++) {
                size = fmax(size, fabs(f[r]));
            }
            for (int r = 0; r < x.p.nrow; r++) {
                worst = fmax(worst, fabs(f[r] - x.f[r]) / size);
            }
            for (int k = 0; k < MOST_DOFS; k++) {
                worst_error = fmax(worst_error, fabs(error[k]));
            }
        }
    }
    printf("note: %d of %d solved, %.1f steps, f within %.1e, momentum within %.1e\n", solved,
           cases, (double)steps / cases, worst, worst_error);
    CHECK(solved >= 0.99 * cases); /* how many can be solved is not known */
    CHECK(worst < 1e-9 && worst_error < 1e-9);
}

/* Newton's method on v alone with differences for slopes, from kappa = 1 downwards: another way to
 * the same v. */
static void newton_by_differences(double *v, hard_rows *x)
{
    double error[MOST_DOFS], next[MOST_DOFS], slope[MOST_DOFS * MOST_DOFS], step[MOST_DOFS];
    for (int i = 0; i < MOST_DOFS; i++) {
        v[i] = 0;
    }
    for (double kappa = 1; kappa > 0.5e-4; kappa *= 0.5) {
        const double goal = fmax(kappa, 1e-4);
        x->p.relax = (phy_hard_relax){goal, goal, 0};
        for (int iteration = 0; iteration < 40; iteration++) {
            momentum(error, x, v);
            for (int k = 0; k < MOST_DOFS; k++) {
                const double here = v[k], h = 1e-7;
                v[k] = here + h;
                momentum(next, x, v);
                v[k] = here;
                for (int i = 0; i < MOST_DOFS; i++) {
                    slope[i * MOST_DOFS + k] = (next[i] - error[i]) / h;
                }
                step[k] = error[k];
            }
            CHECK(sal_lapack_solve(step, 1, slope, MOST_DOFS, NULL) == SAL_OK);
            double alpha = 1, before = 0;
            for (int i = 0; i < MOST_DOFS; i++) {
                before += error[i] * error[i];
            }
            for (int half = 0; half < 40; half++, alpha *= 0.5) {
                double trial[MOST_DOFS], after = 0;
                for (int k = 0; k < MOST_DOFS; k++) {
                    trial[k] = v[k] - alpha * step[k];
                }
                const bool good = momentum(next, x, trial);
                for (int i = 0; i < MOST_DOFS; i++) {
                    after += next[i] * next[i];
                }
                if (good && (after < before || half == 39)) {
                    memcpy(v, trial, sizeof trial);
                    break;
                }
            }
        }
    }
    x->p.relax = (phy_hard_relax){1e-4, 1e-4, 0};
    momentum(error, x, v);
    for (int i = 0; i < MOST_DOFS; i++) {
        CHECK_NEAR(error[i], 0, 1e-11);
    }
}

static void another_solver_finds_the_same(void)
{
    static hard_rows x;
    sal_rng rng = {6};
    for (int i = 0; i < 20; i++) {
        double v[MOST_DOFS];
        draw_rows(&x, &rng, 1 + i % 2);
        CHECK(forward(&x, false) == SAL_OK && x.result.is_solved);
        newton_by_differences(v, &x);
        for (int k = 0; k < MOST_DOFS; k++) {
            CHECK_NEAR(x.v[k], v[k], 1e-9);
        }
    }
}

/* 1 kg, .1 s, gap .02 m, -1.981 m/s after gravity: gamma (d + h (v + gamma)) = kappa, whose root is
 *     gamma = (-(d + h v) + sqrt((d + h v)^2 + 4 h kappa))/(2 h) */
static void a_particle_falls(void)
{
    static hard_rows x;
    for (int i = 0; i < 2; i++) {
        const double kappa = i == 0 ? 1e-4 : 1e-8, d = 0.02 - 0.1981;
        x = (hard_rows){.M = {1}, .rhs = {-1.981}, .J = {1}, .gap = {0.02}};
        problem_of(&x, 1, kappa, 0.1);
        add_block(&x, PHY_HARD_CONTACT, 1);
        CHECK(forward(&x, false) == SAL_OK && x.result.is_solved);
        CHECK_NEAR(x.f[0], (-d + sqrt(d * d + 0.4 * kappa)) / 0.2, 1e-12);
        CHECK_NEAR(x.f[0], i == 0 ? 1.7815613054105761 : 1.7810000561482298, 1e-12);
    }
}

static void steps_end_on_the_cone(void)
{
    sal_rng rng = {7};
    int bounded = 0;
    for (int i = 0; i < 1000; i++) {
        double y[6], d[6], norm = 0;
        const int n = 1 + i % 5;
        for (int j = 1; j <= n; j++) {
            y[j] = sal_rng_normal(&rng);
            d[j] = sal_rng_normal(&rng);
            norm += y[j] * y[j];
        }
        y[0] = sqrt(norm) * (1 + pow(10, sal_rng_uniform(&rng, -6, 1)));
        d[0] = 2 * sal_rng_normal(&rng);
        const double alpha = phy_hard_to_cone(y, d, n);
        if (isinf(alpha)) {
            CHECK(d[0] > 0);
            continue;
        }
        bounded++;
        norm = 0;
        for (int j = 1; j <= n; j++) {
            norm += (y[j] + alpha * d[j]) * (y[j] + alpha * d[j]);
        }
        const double size = y[0] + alpha * fabs(d[0]), there = y[0] + alpha * d[0];
        CHECK(alpha > 0 && there >= 0);
        CHECK_NEAR(there * there, norm, 1e-14 * size * size);
    }
    CHECK(bounded > 500);
}

/* dv/drhs = K^-1 and df = F dv against differences; and K^-1 at a larger kappa on the way. */
static void gradients_are_those_of_differences(void)
{
    static hard_rows x, other;
    sal_rng rng = {8};
    int solved = 0;
    for (int i = 0; i < 30; i++) {
        double lu[MOST_DOFS * MOST_DOFS], F[MOST_ROWS * MOST_DOFS], column[MOST_DOFS];
        int pivot[MOST_DOFS];
        sal_arena arena = {.base = scratch, .size = sizeof scratch};
        draw_rows(&x, &rng, 1 + i % 9);
        x.p.relax = (phy_hard_relax){i % 2 == 0 ? 1e-4 : 1e-3, 1e-4, 0};
        CHECK(forward(&x, false) == SAL_OK);
        if (!x.result.is_solved) {
            continue;
        }
        solved++;
        CHECK(phy_hard_linearise(lu, pivot, F, &x.p, x.v, &arena) == SAL_OK);
        for (int k = 0; k < MOST_DOFS; k++) {
            double low[MOST_DOFS], f[MOST_ROWS];
            const double h = 1e-6;
            other = x;
            other.p.rhs = other.rhs;
            other.rhs[k] -= h;
            CHECK(forward(&other, true) == SAL_OK && other.result.is_solved);
            memcpy(low, other.v, sizeof low);
            memcpy(f, other.f, sizeof f);
            other.rhs[k] = x.rhs[k] + h;
            CHECK(forward(&other, true) == SAL_OK && other.result.is_solved);
            memset(column, 0, sizeof column);
            column[k] = 1;
            sal_dense_lu_solve(column, lu, pivot, MOST_DOFS);
            for (int j = 0; j < MOST_DOFS; j++) {
                CHECK_NEAR((other.v[j] - low[j]) / (2 * h), column[j], 1e-6);
            }
            for (int r = 0; r < x.p.nrow; r++) {
                double slope = 0;
                for (int j = 0; j < MOST_DOFS; j++) {
                    slope += F[r * MOST_DOFS + j] * column[j];
                }
                CHECK_NEAR((other.f[r] - f[r]) / (2 * h), slope, 1e-5);
            }
        }
    }
    CHECK(solved >= 29);
}

/* Going on from a larger kappa ends where a cold start does. */
static void smaller_kappa_goes_on(void)
{
    static hard_rows x;
    sal_rng rng = {9};
    for (int i = 0; i < 30; i++) {
        double v[MOST_DOFS];
        draw_rows(&x, &rng, 1 + i % 9);
        CHECK(forward(&x, false) == SAL_OK && x.result.is_solved);
        memcpy(v, x.v, sizeof v);
        x.p.relax = (phy_hard_relax){1e-3, 1e-3, 0};
        CHECK(forward(&x, false) == SAL_OK && x.result.is_solved);
        x.p.relax = (phy_hard_relax){1e-4, 1e-4, 0};
        CHECK(forward(&x, true) == SAL_OK && x.result.is_solved);
        for (int k = 0; k < MOST_DOFS; k++) {
            CHECK_NEAR(x.v[k], v[k], 1e-9);
        }
    }
}

static void order_of_blocks_does_not_matter(void)
{
    static hard_rows x, y;
    sal_rng rng = {10};
    draw_rows(&x, &rng, 9);
    y = x;
    problem_of(&y, MOST_DOFS, 1e-4, 0.01);
    for (int b = x.p.nblock - 1; b >= 0; b--) { /* from behind */
        const int to = y.p.nblock, row = y.p.nrow;
        memcpy(y.mu[to], x.mu[b], sizeof y.mu[to]);
        y.gap[to] = x.gap[b];
        memcpy(y.J + row * MOST_DOFS, x.J + x.block[b].row * MOST_DOFS,
               sizeof(double) * (size_t)(MOST_DOFS * x.block[b].dim));
        add_block(&y, x.block[b].kind, x.block[b].dim);
    }
    CHECK(forward(&x, false) == SAL_OK && forward(&y, false) == SAL_OK);
    CHECK(x.result.is_solved && y.result.is_solved);
    for (int k = 0; k < MOST_DOFS; k++) {
        CHECK_NEAR(x.v[k], y.v[k], 1e-10);
    }
    for (int b = 0; b < x.p.nblock; b++) {
        for (int j = 0; j < x.block[b].dim; j++) {
            CHECK_NEAR(x.f[x.block[b].row + j], y.f[y.block[x.p.nblock - 1 - b].row + j], 1e-9);
        }
    }
}

static bool no_gaps(double *s, double *G, const double *v, void *user)
{
    (void)s, (void)G, (void)v, (void)user;
    return false;
}

static void faults_are_told_and_nothing_allocates(void)
{
    static hard_rows x;
    sal_rng rng = {11};
    draw_rows(&x, &rng, 6);
    const long before = sal_alloc_count();
    for (int i = 0; i < 100; i++) {
        CHECK(forward(&x, false) == SAL_OK);
    }
    CHECK(sal_alloc_count() == before);
    x.rhs[2] = (double)NAN;
    CHECK(forward(&x, false) == SAL_DIVERGED && !x.result.is_solved);
    x.rhs[2] = 0;
    x.J[5] = (double)NAN;
    CHECK(forward(&x, false) == SAL_DIVERGED);
    x.J[5] = 0;
    x.p.gaps = no_gaps;
    CHECK(forward(&x, false) == SAL_DIVERGED);
    x.p.gaps = NULL;
    x.p.relax.kappa_t = 0;
    CHECK(forward(&x, false) == SAL_BADINPUT);
    x.p.relax.kappa_t = 1e-4;
    memset(x.M, 0, sizeof x.M);
    CHECK(forward(&x, false) == SAL_SINGULAR);
    sal_arena none = {0}, small = {.base = scratch, .size = 1000};
    phy_hard_scratch(MOST_DOFS, x.p.nrow, x.p.nblock, &none);
    CHECK(none.need > 1000 && none.used == 0);
    CHECK(phy_hard_forward(x.v, x.f, x.point, &x.result, &x.p, &(phy_hard_effort){0}, false,
                           &small) == SAL_FULL);
}

/* ---- a block on the ground: 1 kg, g = 1, h = .1, mu = 1, at rest at gap 0, a force F ---- */

static double block_gradient(bool is_vertical, double force, double kappa)
{
    static hard_rows x;
    double lu[4], F[6], column[2] = {0};
    int pivot[2];
    sal_arena arena = {.base = scratch, .size = sizeof scratch};
    x = (hard_rows){.M = {1, 0, 0, 1}, .J = {1, 0, 0, 1, 0, 0}, .mu[0] = {1, 1}};
    x.rhs[0] = 0.1 * ((is_vertical ? force : 0) - 1);
    x.rhs[1] = 0.1 * (is_vertical ? 0 : force);
    problem_of(&x, 2, kappa, 0.1);
    add_block(&x, PHY_HARD_CONTACT, 3);
    CHECK(forward(&x, false) == SAL_OK && x.result.is_solved);
    CHECK(phy_hard_linearise(lu, pivot, F, &x.p, x.v, &arena) == SAL_OK);
    column[is_vertical ? 0 : 1] = 1; /* position by force: h^2 dv/d(h F) */
    sal_dense_lu_solve(column, lu, pivot, 2);
    return column[is_vertical ? 0 : 1];
}

/* With u = s/h the vertical velocity: u = h (F - g) + kappa/(h u), so that du/d(h F) =
 * 1/(1 + kappa/(h u^2)), which is 1/2 at F = g for any kappa. */
static double upwards(double force, double kappa)
{
    const double drop = 0.1 * (force - 1), u = 0.5 * (drop + sqrt(drop * drop + 40 * kappa));
    return 1 / (1 + 10 * kappa / (u * u));
}

/* Sideways, with rho = |f_t|/gamma: h F - gamma rho = w = r rho/(1 - rho^2), found by bisection,
 *     dw/d(h F) = 1/(1 + gamma drho/dw),    dw/drho = r (1 + rho^2)/(1 - rho^2)^2 */
static double sideways(double force, double kappa)
{
    const double gamma = 20 * kappa / (-0.1 + sqrt(0.01 + 40 * kappa)), r = kappa / gamma;
    double low = 0, high = 1;
    for (int i = 0; i < 60; i++) {
        const double rho = 0.5 * (low + high);
        *(0.1 * force - gamma * rho > r * rho / (1 - rho * rho) ? &low : &high) = rho;
    }
    const double left = (1 - low) * (1 + low);
    return 1 / (1 + gamma * left * left / (r * (1 + low * low)));
}

static void gradients_of_a_block(void)
{
    static const double force[4] = {0.25, 0.9, 1.0, 1.5};
    static const double kappa[4] = {1e-3, 1e-4, 1e-5, 1e-6};
    static const double vertical[4][4] = {
        {.32, .48, .50, .62}, {.12, .42, .50, .81}, {.02, .28, .50, .96}, {.00, .08, .50, 1.00}};
    static const double friction[4][4] = {
        {.04, .09, .11, .39}, {.01, .10, .23, .97}, {.00, .04, .40, 1.00}, {.00, .01, .47, 1.00}};
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 4; k++) {
            const double up = block_gradient(true, force[k], kappa[i]);
            const double aside = block_gradient(false, force[k], kappa[i]);
            CHECK_NEAR(up, vertical[i][k], 0.01);
            CHECK_NEAR(aside, friction[i][k], 0.01);
            CHECK_NEAR(up, upwards(force[k], kappa[i]), 1e-9);
            CHECK_NEAR(aside, sideways(force[k], kappa[i]), 1e-7);
        }
        CHECK_NEAR(block_gradient(true, 1, kappa[i]), 0.5, 1e-9);
    }
}

int main(void)
{
    RUN(a_particle_falls);
    RUN(steps_end_on_the_cone);
    RUN(inverse_of_forward_is_the_same);
    RUN(another_solver_finds_the_same);
    RUN(gradients_are_those_of_differences);
    RUN(smaller_kappa_goes_on);
    RUN(order_of_blocks_does_not_matter);
    RUN(faults_are_told_and_nothing_allocates);
    RUN(gradients_of_a_block);
    return check_done();
}
