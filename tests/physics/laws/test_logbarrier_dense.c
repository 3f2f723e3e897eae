/* test_logbarrier_dense.c: the smooth invertible contact model with its velocity barrier, all
 * blocks together, forward and inverse. */
#include "tests/check.h"

#include "base/memory.h"
#include "base/rng.h"
#include "physics/laws/logbarrier_dense.h"

enum { CONTACTS = 40, ROWS = 6 * CONTACTS };

/* A system that owns its numbers. */
typedef struct scene {
    int dim[CONTACTS];
    phy_barrier_kind kind[CONTACTS];
    double R[ROWS], mu[ROWS], vmin[CONTACTS], q[CONTACTS], A[ROWS * ROWS], c[ROWS];
    phy_barrier_system system;
} scene;

static double f[ROWS], w[ROWS], again[ROWS], multiplier[CONTACTS];
static double scratch[(ROWS + CONTACTS + 10) * ROWS + CONTACTS];
static scene bench, other;

/* A = J M^-1 J' with random J [rows x nv] and M = 1: singular if nv < rows. */
static void fill_A(scene *s, sal_rng *rng, int nv)
{
    static double J[ROWS * 300];
    const int rows = s->system.rows;
    for (int i = 0; i < rows * nv; i++) {
        J[i] = sal_rng_normal(rng) / sqrt(nv);
    }
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < rows; j++) {
            double sum = 0;
            for (int k = 0; k < nv; k++) {
                sum += J[i * nv + k] * J[j * nv + k];
            }
            s->A[i * rows + j] = sum;
        }
    }
}

typedef enum mixture { CONES, ALL } mixture;

/* Contacts as the model meets them: gaps of some velocities' size, R relative to A. */
static void draw(scene *s, sal_rng *rng, int blocks, mixture kinds, int nv)
{
    int rows = 0;
    for (int i = 0; i < blocks; i++) {
        s->kind[i] =
            kinds == CONES ? PHY_BARRIER_CONE : (phy_barrier_kind)(i % 5 > 2 ? i % 5 - 2 : 0);
        s->dim[i] = s->kind[i] != PHY_BARRIER_CONE ? 1
                    : kinds == CONES               ? 3
                                                   : (const int[]){3, 1, 4, 6}[i % 4];
        s->vmin[i] = sal_rng_uniform(rng, -1, 0.1);
        s->q[i] = 10;
        rows += s->dim[i];
    }
    s->system =
        (phy_barrier_system){rows, blocks, s->dim, s->kind, s->R, s->mu, s->vmin, s->q, s->A, 0.1};
    fill_A(s, rng, nv > 0 ? nv : rows + 3);
    for (int i = 0; i < rows; i++) {
        s->R[i] = s->A[i * rows + i] * pow(10, sal_rng_uniform(rng, -2, 0.5));
        s->mu[i] = sal_rng_uniform(rng, 0.2, 1.2);
        s->c[i] = 2 * sal_rng_normal(rng);
    }
}

static phy_barrier_solution solve(const scene *s, double tolerance, double first_kappa)
{
    const phy_barrier_search search = {tolerance, first_kappa, 0, false};
    phy_barrier_solution at;
    CHECK(phy_barrier_forward(&at, f, w, s->c, &s->system, &search, scratch) == SAL_OK);
    CHECK(at.is_converged);
    return at;
}

/* |inverse(w) - f|, relative to the largest f */
static double identity(const scene *s)
{
    double worst = 0, size = 0;
    CHECK(phy_barrier_inverse(again, multiplier, w, &s->system, scratch) == SAL_OK);
    for (int i = 0; i < s->system.rows; i++) {
        worst = fmax(worst, fabs(again[i] - f[i]));
        size = fmax(size, fabs(f[i]));
    }
    return worst / size;
}

static void numbers_worked_by_hand(void)
{
    scene *s = &bench;
    *s = (scene){.dim = {3},
                 .R = {0.5, 0.4, 0.4},
                 .mu = {0, 0.6, 0.6},
                 .vmin = {-0.1},
                 .q = {10},
                 .A = {2, 0, 0, 0, 1, 0, 0, 0, 1},
                 .c = {-1, 0.3, -0.1}};
    s->system = (phy_barrier_system){3, 1, s->dim, NULL, s->R, s->mu, s->vmin, s->q, s->A, 0.01};
    solve(s, 1e-18, 0);
    CHECK_NEAR(f[0], 0.505160972315, 1e-10);
    CHECK_NEAR(f[1], -0.172420624509, 1e-10);
    CHECK_NEAR(f[2], 0.057473541503, 1e-10);
    CHECK_NEAR(w[0], 0.010321944630, 1e-10);
    CHECK_NEAR(w[1], 0.127579375491, 1e-10);
    CHECK_NEAR(w[2], -0.042526458497, 1e-10);
    CHECK(identity(s) < 1e-12);
}

/* ---- forward and inverse undo each other ---- */

static void inverse_undoes_forward(void)
{
    sal_rng rng = {1};
    double worst = 0, loose = 0, steps = 0;
    int count = 0;
    for (int blocks = 1; blocks <= 35; blocks++) {
        for (int i = 0; i < 4; i++) {
            draw(&bench, &rng, blocks, i % 2 ? ALL : CONES, i < 2 ? 0 : 27);
            steps += solve(&bench, 1e-18, 0).steps;
            worst = fmax(worst, identity(&bench));
            solve(&bench, 1e-12, 0);
            loose = fmax(loose, identity(&bench));
            count++;
        }
    }
    printf("worst %.1e, at tolerance 1e-12 %.1e; %.1f steps\n", worst, loose, steps / count);
    CHECK(worst < 1e-9);
    CHECK(loose < 1e-9);
}

/* How far the rounding of w = A f + c, a sum of rows + 1 terms, may move the inverse: |df/dw|
 * (|A| |f| + |c|) (rows + 1) 2^-53, the largest entry, relative to the largest f (Higham, "Accuracy
 * and stability of numerical algorithms", 3.1). */
static double rounding_seen(const scene *s)
{
    static double h[36 * CONTACTS], G[ROWS], by_w[ROWS * ROWS];
    const int rows = s->system.rows;
    double worst = 0, size = 0;
    phy_barrier_push(NULL, G, NULL, w, &s->system);
    phy_barrier_curvature(h, again, multiplier, &s->system);
    phy_barrier_by_w(by_w, h, G, &s->system);
    for (int i = 0; i < rows; i++) {
        double sum = 0;
        for (int k = 0; k < rows; k++) {
            double terms = fabs(s->c[k]);
            for (int l = 0; l < rows; l++) {
                terms += fabs(s->A[k * rows + l] * f[l]);
            }
            sum += fabs(by_w[i * rows + k]) * terms * (rows + 1) * 0x1p-53;
        }
        worst = fmax(worst, sum);
        size = fmax(size, fabs(f[i]));
    }
    return worst / size;
}

/* At kappa 1e-5 the velocity barrier is so steep that the rounding of w alone is seen in f; without
 * it the inverse is as exact as ever. */
static void kappa_continued_to_a_hard_contact(void)
{
    sal_rng rng = {2};
    for (int pushed = 0; pushed < 2; pushed++) {
        double worst = 0, share = 0;
        int most = 0;
        for (int blocks = 1; blocks <= 35; blocks += 2) {
            draw(&bench, &rng, blocks, blocks % 4 == 1 ? ALL : CONES, 27);
            bench.system.kappa = 1e-5;
            for (int i = 0; i < blocks && !pushed; i++) {
                bench.q[i] = 0;
            }
            const phy_barrier_solution at = solve(&bench, 1e-12, pushed ? 0.1 : 0);
            most = at.steps > most ? at.steps : most;
            const double error = identity(&bench);
            worst = fmax(worst, error);
            share = fmax(share, error / rounding_seen(&bench));
        }
        printf("%s: worst %.1e, %.2f of what rounding may do; most %d steps\n",
               pushed ? "pushed" : "free", worst, share, most);
        CHECK(pushed || worst < 1e-9);
        CHECK(share < 1);
    }
}

static void warm_starts_end_at_the_same(void)
{
    sal_rng rng = {3};
    for (int i = 0; i < 60; i++) {
        draw(&bench, &rng, 1 + i % 20, ALL, i % 2 ? 0 : 20);
        const int cold = solve(&bench, 1e-18, 0).steps, rows = bench.system.rows;
        double kept[ROWS];
        memcpy(kept, f, sizeof kept);
        for (int trial = 0; trial < 2; trial++) { /* where it is, and anywhere */
            for (int k = 0; k < rows && trial == 1; k++) {
                w[k] = sal_rng_uniform(&rng, -1, 1);
            }
            const phy_barrier_search search = {1e-18, 0, 0, true};
            phy_barrier_solution at;
            CHECK(phy_barrier_forward(&at, f, w, bench.c, &bench.system, &search, scratch) ==
                  SAL_OK);
            CHECK(at.is_converged && (trial == 1 || (at.steps <= 2 && at.steps <= cold)));
            for (int k = 0; k < rows; k++) {
                CHECK_NEAR(f[k], kept[k], 1e-10 * (1 + fabs(kept[k])));
            }
        }
    }
}

/* ---- what they solve ---- */

/* f'(A + R) f/2 + f'c + d(f) + sum dbar, from the definition; infinite outside */
static double cost_of(const scene *s, const double *x)
{
    const int rows = s->system.rows;
    const double kappa = s->system.kappa;
    double cost = 0;
    for (int block = 0, row = 0; block < s->system.blocks; row += s->dim[block++]) {
        double border = x[row] * x[row];
        for (int j = 1; j < s->dim[block]; j++) {
            border -= pow(x[row + j] / s->mu[row + j], 2);
        }
        if (s->kind[block] == PHY_BARRIER_LOSS) {
            border = s->mu[row] * s->mu[row] - border;
        }
        const bool is_cone = s->kind[block] == PHY_BARRIER_CONE;
        if (s->kind[block] != PHY_BARRIER_EQUALITY && (border <= 0 || (is_cone && x[row] <= 0))) {
            return INFINITY;
        }
        cost -= s->kind[block] == PHY_BARRIER_LOSS || s->dim[block] > 1 ? kappa * log(border) : 0;
        cost -= is_cone ? kappa * log(x[row]) : 0;
        double velocity = s->c[row];
        for (int k = 0; k < rows; k++) {
            velocity += s->A[row * rows + k] * x[k];
        }
        cost += is_cone && s->q[block] != 0
                    ? phy_barrier_velocity_at(velocity - s->vmin[block], kappa, s->q[block]).value
                    : 0;
    }
    for (int i = 0; i < rows; i++) {
        double Ax = s->R[i] * x[i];
        for (int k = 0; k < rows; k++) {
            Ax += s->A[i * rows + k] * x[k];
        }
        cost += x[i] * (0.5 * Ax + s->c[i]);
    }
    return cost;
}

/* The cost is convex: where no small step lowers it, it is least. */
static void forward_is_the_minimum(void)
{
    sal_rng rng = {4};
    for (int i = 0; i < 100; i++) {
        draw(&bench, &rng, 1 + i % 12, i % 2 ? ALL : CONES, i % 3 ? 0 : 15);
        bench.q[0] = i % 4 == 0 ? 0 : bench.q[0];
        solve(&bench, 1e-18, 0);
        const double least = cost_of(&bench, f);
        CHECK(isfinite(least));
        for (int trial = 0; trial < 40; trial++) {
            double x[ROWS], y[ROWS];
            for (int k = 0; k < bench.system.rows; k++) {
                const double move = 1e-5 * sal_rng_normal(&rng) * (1e-2 + fabs(f[k]));
                x[k] = f[k] + move;
                y[k] = f[k] - move;
            }
            const double up = cost_of(&bench, x), down = cost_of(&bench, y);
            CHECK(up >= least - 1e-13 && down >= least - 1e-13);
            /* and the slope is 0: what is odd in the step is of third order */
            CHECK(!isfinite(up + down) || fabs(up - down) < 0.2 * (up + down - 2 * least) + 1e-12);
        }
    }
}

/* 2 q A > R f0 + vmin - 3 kappa/f0: the contact ends above vmin if, and only if */
static void steepness_decides_what_is_feasible(void)
{
    sal_rng rng = {5};
    int above = 0, below = 0;
    for (int i = 0; i < 400; i++) {
        scene *s = &bench;
        draw(s, &rng, 1, CONES, 0);
        s->A[1] = s->A[2] = s->A[3] = s->A[6] = 0;
        s->c[1] = s->c[2] = 0;
        s->R[0] = pow(10, sal_rng_uniform(&rng, -2, 2));
        s->c[0] = s->vmin[0] - sal_rng_uniform(&rng, 0.1, 5);
        s->system.kappa = pow(10, sal_rng_uniform(&rng, -4, -1));
        const double A = s->A[0], f0 = (s->vmin[0] - s->c[0]) / A;
        const double side = 2 * s->q[0] * A - s->R[0] * f0 - s->vmin[0] + 3 * s->system.kappa / f0;
        solve(s, 1e-18, 0);
        CHECK((w[0] > s->vmin[0]) == (side > 0));
        above += side > 0;
        below += side <= 0;
        s->q[0] = phy_barrier_steepness(10, s->R[0], A, s->vmin[0] - s->c[0]);
        solve(s, 1e-18, 0);
        CHECK(w[0] > s->vmin[0] || s->vmin[0] > 0);
    }
    CHECK(above > 50 && below > 50);
}

/* ---- derivatives ---- */

enum { FEW = 8, FEW_ROWS = 6 * FEW, FEW_H = 36 * FEW };

static void inverse_at(double *out, double *x, double value)
{
    const double here = *x;
    *x = value;
    CHECK(phy_barrier_inverse(out, multiplier, w, &bench.system, scratch) == SAL_OK);
    *x = here;
}

/* f changes with *x as `exact` says, one entry for each row, `stride` apart; differences of fourth
 * order, as the velocity barrier bends within kappa/q */
static void compare(double *x, const double *exact, int stride, double size)
{
    double far[2][ROWS], near[2][ROWS];
    const double here = *x, e = 1e-4 * bench.system.kappa;
    inverse_at(far[0], x, here - 2 * e);
    inverse_at(near[0], x, here - e);
    inverse_at(near[1], x, here + e);
    inverse_at(far[1], x, here + 2 * e);
    for (int j = 0; j < bench.system.rows; j++) {
        const double change = 8 * (near[1][j] - near[0][j]) - (far[1][j] - far[0][j]);
        CHECK_NEAR(exact[j * stride], change / (12 * e), 1e-6 * size);
    }
}

/* Whether a velocity is so near the kink of its barrier's curvature that differences say nothing.
 */
static bool is_at_kink(const scene *s)
{
    bool near = false;
    for (int block = 0, row = 0; block < s->system.blocks; row += s->dim[block++]) {
        const double away = w[row] - s->vmin[block] - s->system.kappa / s->q[block];
        near = near || (s->kind[block] == PHY_BARRIER_CONE && fabs(away) < 5e-4 * s->system.kappa);
    }
    return near;
}

static double largest(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(x[i]));
    }
    return most;
}

static void inverse_derivatives_are_those_of_differences(void)
{
    sal_rng rng = {6};
    int compared = 0;
    for (int i = 0; i < 40; i++) {
        double h[FEW_H], g[ROWS], G[ROWS], by_q[ROWS], minus[ROWS], dy[ROWS], df[ROWS];
        static double by_w[FEW_ROWS * FEW_ROWS], by_vmin[FEW_ROWS * FEW], steep[FEW_ROWS * FEW];
        draw(&bench, &rng, 1 + i % FEW, ALL, i % 3 ? 0 : 10);
        const phy_barrier_system *system = &bench.system;
        const int rows = system->rows, blocks = system->blocks;
        bench.system.kappa = pow(10, -1 - i % 3);
        solve(&bench, 1e-18, 0.1);
        if (is_at_kink(&bench)) {
            continue;
        }
        compared++;
        CHECK(phy_barrier_inverse(again, multiplier, w, system, scratch) == SAL_OK);
        phy_barrier_push(g, G, by_q, w, system);
        phy_barrier_curvature(h, again, multiplier, system);
        phy_barrier_by_w(by_w, h, G, system);
        for (int k = 0; k < rows; k++) {
            minus[k] = -G[k];
        }
        phy_barrier_by_push(by_vmin, h, minus, system);
        phy_barrier_by_push(steep, h, by_q, system);
        double kept[ROWS];
        memcpy(kept, again, sizeof kept);
        const double size = largest(by_w, rows * rows);
        for (int k = 0; k < rows; k++) {
            compare(&w[k], by_w + k, rows, size);
            for (int j = 0; j < rows; j++) {
                dy[j] = j == k ? kept[k] : 0;
            }
            phy_barrier_answer(df, h, dy, system);
            compare(&bench.R[k], df, 1, size);
            const int l = (int)(sal_rng_next(&rng) % (unsigned)rows); /* A alone, not symmetric */
            for (int j = 0; j < rows; j++) {
                dy[j] = j == k ? g[l] : 0;
            }
            phy_barrier_answer(df, h, dy, system);
            compare(&bench.A[l * rows + k], df, 1, size); /* A_kl is read as A_lk */
        }
        for (int k = 0; k < blocks; k++) {
            compare(&bench.vmin[k], by_vmin + k, blocks, size);
            compare(&bench.q[k], steep + k, blocks, size);
        }
    }
    CHECK(compared > 20);
}

static void forward_derivative_is_that_of_differences(void)
{
    sal_rng rng = {7};
    for (int i = 0; i < 24; i++) {
        static double by_c[FEW_ROWS * FEW_ROWS];
        draw(&bench, &rng, 1 + i % FEW, ALL, i % 3 ? 0 : 10);
        bench.mu[1] = i % 5 == 0 ? 1e-6 : bench.mu[1]; /* a row without friction */
        const int rows = bench.system.rows;
        const double e = 1e-6;
        solve(&bench, 1e-18, 0);
        CHECK(phy_barrier_by_c(by_c, w, &bench.system, scratch) == SAL_OK);
        const double size = largest(by_c, rows * rows);
        for (int k = 0; k < rows; k++) {
            const double here = bench.c[k];
            double up[ROWS];
            bench.c[k] = here + e;
            solve(&bench, 1e-18, 0);
            memcpy(up, f, sizeof up);
            bench.c[k] = here - e;
            solve(&bench, 1e-18, 0);
            bench.c[k] = here;
            for (int j = 0; j < rows; j++) {
                CHECK_NEAR(by_c[j * rows + k], (up[j] - f[j]) / (2 * e), 1e-6 * size);
            }
        }
    }
}

/* ---- what is passed in ---- */

/* Contacts in another order: the same in that order. */
static void order_does_not_matter(void)
{
    sal_rng rng = {8};
    for (int i = 0; i < 20; i++) {
        const int blocks = 2 + i, rows = (draw(&bench, &rng, blocks, ALL, 0), bench.system.rows);
        int from[ROWS], count = 0, first[CONTACTS + 1] = {0};
        for (int k = 0; k < blocks; k++) {
            first[k + 1] = first[k] + bench.dim[k];
        }
        other = bench;
        for (int k = 0; k < blocks; k++) {
            const int old = (k * 7 + 3) % blocks, turned = blocks % 7 ? old : blocks - 1 - k;
            other.dim[k] = bench.dim[turned];
            other.kind[k] = bench.kind[turned];
            other.vmin[k] = bench.vmin[turned];
            other.q[k] = bench.q[turned];
            for (int j = 0; j < bench.dim[turned]; j++) {
                from[count++] = first[turned] + j;
            }
        }
        for (int k = 0; k < rows; k++) {
            other.R[k] = bench.R[from[k]];
            other.mu[k] = bench.mu[from[k]];
            other.c[k] = bench.c[from[k]];
            for (int j = 0; j < rows; j++) {
                other.A[k * rows + j] = bench.A[from[k] * rows + from[j]];
            }
        }
        other.system = (phy_barrier_system){rows,     blocks,     other.dim, other.kind, other.R,
                                            other.mu, other.vmin, other.q,   other.A,    0.1};
        double f_old[ROWS], w_old[ROWS];
        solve(&bench, 1e-18, 0);
        memcpy(f_old, f, sizeof f_old);
        memcpy(w_old, w, sizeof w_old);
        solve(&other, 1e-18, 0);
        for (int k = 0; k < rows; k++) {
            CHECK_NEAR(f[k], f_old[from[k]], 1e-11 * (1 + fabs(f[k])));
            CHECK_NEAR(w[k], w_old[from[k]], 1e-11 * (1 + fabs(w[k])));
        }
        CHECK(phy_barrier_inverse(f_old, multiplier, w_old, &bench.system, scratch) == SAL_OK);
        for (int k = 0; k < rows; k++) {
            w[k] = w_old[from[k]];
        }
        CHECK(phy_barrier_inverse(f, multiplier, w, &other.system, scratch) == SAL_OK);
        for (int k = 0; k < rows; k++) {
            CHECK_NEAR(f[k], f_old[from[k]], 1e-12 * (1 + fabs(f[k])));
        }
    }
}

static void without_contacts(void)
{
    const phy_barrier_system none = {0};
    phy_barrier_system system = none;
    const phy_barrier_search search = {1e-12, 0, 0, false};
    phy_barrier_solution at;
    system.kappa = 1;
    CHECK(phy_barrier_forward(&at, NULL, NULL, NULL, &system, &search, NULL) == SAL_OK);
    CHECK(at.is_converged && at.steps == 0);
    CHECK(phy_barrier_inverse(NULL, NULL, NULL, &system, scratch) == SAL_OK);
}

/* One normal row: (A + R) f^2 + c f - kappa = 0 without a velocity barrier; and no A is needed for
 * its inverse then. */
static void one_row(void)
{
    scene *s = &bench;
    *s = (scene){.dim = {1}, .R = {0.5}, .A = {2}, .c = {-1}};
    s->system = (phy_barrier_system){1, 1, s->dim, NULL, s->R, s->mu, s->vmin, s->q, s->A, 0.01};
    solve(s, 1e-18, 0);
    CHECK_NEAR(f[0], (1 + sqrt(1 + 4 * 2.5 * 0.01)) / 5, 1e-14);
    CHECK_NEAR(w[0], 2 * f[0] - 1, 1e-15);
    s->system.A = NULL;
    CHECK(identity(s) < 1e-14);
}

static void refusals(void)
{
    const phy_barrier_search search = {1e-12, 0, 0, false};
    phy_barrier_solution at;
    sal_rng rng = {9};
    draw(&bench, &rng, 6, ALL, 0);
    const double bad[] = {nan(""), INFINITY};
    for (int k = 0; k < 2; k++) {
        double *const places[] = {&bench.c[2],    &bench.R[1], &bench.A[0],
                                  &bench.vmin[0], &bench.q[0], &bench.system.kappa};
        for (int i = 0; i < 6; i++) {
            const double here = *places[i];
            *places[i] = bad[k];
            CHECK(phy_barrier_forward(&at, f, w, bench.c, &bench.system, &search, scratch) ==
                  SAL_DIVERGED);
            CHECK(!at.is_converged);
            *places[i] = here;
        }
    }
    solve(&bench, 1e-12, 0);
    w[1] = nan("");
    CHECK(phy_barrier_inverse(again, multiplier, w, &bench.system, scratch) == SAL_DIVERGED);
    CHECK(isnan(again[0]));
    bench.A[1] = bench.A[bench.system.rows] = nan(""); /* found on the way */
    CHECK(phy_barrier_forward(&at, f, w, bench.c, &bench.system, &search, scratch) != SAL_OK);
    draw(&bench, &rng, 6, ALL, 0);
    bench.R[3] = 0;
    CHECK(phy_barrier_forward(&at, f, w, bench.c, &bench.system, &search, scratch) == SAL_BADINPUT);
    bench.R[3] = 1;
    bench.system.kappa = 0;
    CHECK(phy_barrier_forward(&at, f, w, bench.c, &bench.system, &search, scratch) == SAL_BADINPUT);
}

static void nothing_is_allocated(void)
{
    sal_rng rng = {10};
    const long before = sal_alloc_count();
    draw(&bench, &rng, 20, ALL, 27);
    solve(&bench, 1e-12, 0);
    identity(&bench);
    CHECK(sal_alloc_count() == before);
    CHECK(phy_barrier_scratch(ROWS, CONTACTS) <= sizeof scratch / sizeof *scratch);
}

/* ---- a ball falls ---- */

/* 1 kg from 0.3 m, h = 1 ms, kappa 1e-4: its lowest height, its impulse at the end, the force with
 * which contact begins */
typedef struct fall {
    double lowest, rest, onset;
} fall;

static fall drop(bool smooth)
{
    const double h = 1e-3;
    const phy_barrier_ramp ramp = {0.01, 100, 0.1, smooth};
    double height = 0.3, velocity = 0;
    fall seen = {1, 0, 0};
    scene *s = &bench;
    *s = (scene){.dim = {3}, .mu = {0, 0.6, 0.6}, .A = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    s->system = (phy_barrier_system){3, 1, s->dim, NULL, s->R, s->mu, s->vmin, s->q, s->A, 1e-4};
    for (int step = 0; step < 6000; step++) {
        velocity -= 9.81 * h;
        if (height < ramp.d_max) {
            double slope;
            s->R[0] = s->R[1] = s->R[2] = phy_barrier_ramp_at(&slope, &ramp, height);
            s->q[0] = phy_barrier_steepness(10, s->R[0], 1, 5);
            s->vmin[0] = -height / h;
            s->c[0] = velocity;
            solve(s, 1e-12, 0);
            CHECK(identity(s) < 1e-9);
            velocity = w[0];
            seen.rest = f[0];
            seen.onset = seen.onset == 0 ? f[0] / h : seen.onset;
        }
        height += h * velocity;
        seen.lowest = fmin(seen.lowest, height);
    }
    return seen;
}

static void ball_comes_to_rest_above_the_ground(void)
{
    const fall linear = drop(false), smooth = drop(true);
    printf("lowest %.4g m, rest %.6g N s, onset %.3g N; smooth: lowest %.4g m, onset %.3g N\n",
           linear.lowest, linear.rest, linear.onset, smooth.lowest, smooth.onset);
    CHECK_NEAR(linear.lowest, 3.11e-3, 0.02 * 3.11e-3);
    CHECK_NEAR(linear.rest, 9.81e-3, 1e-6);
    CHECK(smooth.lowest > 0 && smooth.onset < 0.1);
}

int main(void)
{
    RUN(numbers_worked_by_hand);
    RUN(inverse_undoes_forward);
    RUN(kappa_continued_to_a_hard_contact);
    RUN(warm_starts_end_at_the_same);
    RUN(forward_is_the_minimum);
    RUN(steepness_decides_what_is_feasible);
    RUN(inverse_derivatives_are_those_of_differences);
    RUN(forward_derivative_is_that_of_differences);
    RUN(order_does_not_matter);
    RUN(without_contacts);
    RUN(one_row);
    RUN(refusals);
    RUN(nothing_is_allocated);
    RUN(ball_comes_to_rest_above_the_ground);
    return check_done();
}
