/* The convex model of many blocks: two solvers, the inverse, and an interior point. */
#include "tests/check.h"
#include "tests/physics/laws/cones.h"
#include "tests/physics/laws/many_rows.h"

#include "base/lapack.h"
#include "base/memory.h"
#include "physics/laws/convex_dense.h"

static double scratch[16 * MANY_ROWS + 2 * MANY_ROWS * MANY_ROWS];
static phy_cone_matrix matrix[MANY_BLOCKS];

static phy_convex_problem problem_of(const many_rows *a, double penalty)
{
    return (phy_convex_problem){a->k, a->nblock, a->block, a->A,   a->c,
                                a->R, a->wref,   penalty,  a->vmin};
}

/* (A + R) f + c - w* - A push, the gradient of the cost */
static void gradient(double *grad, const phy_convex_problem *p, const double *f)
{
    double w[MANY_ROWS], push[MANY_ROWS];
    phy_convex_velocity(w, p, f);
    phy_convex_argument(grad, push, p, w);
    for (int i = 0; i < p->k; i++) {
        grad[i] += p->R[i] * f[i];
    }
}

/* The fault of f, with the gradient in units of the largest sum of its terms' sizes. */
static double fault_of(const phy_convex_problem *p, const double *f)
{
    double grad[MANY_ROWS], w[MANY_ROWS], push[MANY_ROWS];
    double worst = 0, unit = 0;
    gradient(grad, p, f);
    phy_convex_velocity(w, p, f);
    phy_convex_push(push, p, w);
    for (int i = 0; i < p->k; i++) {
        double size = fabs(p->c[i]) + fabs(p->wref[i]) + fabs(p->R[i] * f[i]);
        for (int j = 0; j < p->k; j++) {
            size += fabs(p->A[i * p->k + j]) * (fabs(f[j]) + push[j]);
        }
        unit = fmax(unit, size);
    }
    for (int i = 0; i < p->k; i++) {
        grad[i] /= unit;
    }
    for (int i = 0; i < p->nblock; i++) {
        const int row = p->block[i].row;
        worst = fmax(worst, cones_fault(&p->block[i], f + row, grad + row));
    }
    return worst;
}

static double largest_difference(const double *a, const double *b, int n)
{
    double worst = 0;
    for (int i = 0; i < n; i++) {
        worst = fmax(worst, fabs(a[i] - b[i]));
    }
    return worst;
}

static sal_status newton(double *f, phy_convex_effort *effort, const phy_convex_problem *p)
{
    memset(f, 0, (size_t)p->k * sizeof *f);
    *effort = (phy_convex_effort){.most = 60, .tolerance = 1e-12};
    return phy_convex_newton(f, effort, p, scratch);
}

/* Optimal by the conditions of optimality; the inverse of its own velocity; and sweeps agree. */
static void solvers_agree(void)
{
    sal_rng rng = {6};
    const double zero[MANY_ROWS] = {0};
    double fault = 0, identity = 0, sweeps = 0, steps = 0;
    int most = 0, count = 0;
    for (int k = 0; k < 150; k++) {
        static const double softness[] = {1, .1, .01};
        many_rows a;
        many_rows_random(&a, &rng, 6 + k % 20, k % 9, softness[k % 3]);
        const phy_convex_problem p = problem_of(&a, k % 2 == 0 ? 0 : .5);
        double f[MANY_ROWS], g[MANY_ROWS], w[MANY_ROWS], s;
        sal_efc_state zone[MANY_BLOCKS];
        phy_convex_effort effort;
        CHECK(newton(f, &effort, &p) == SAL_OK);
        CHECK(effort.residual <= 1e-12);
        const double unit = fmax(1, largest_difference(f, zero, a.k));
        fault = fmax(fault, fault_of(&p, f));
        most = effort.used > most ? effort.used : most;
        steps += effort.used;
        count++;
        phy_convex_velocity(w, &p, f);
        CHECK(phy_convex_from_velocity(g, &s, zone, &p, w, scratch) == SAL_OK);
        identity = fmax(identity, largest_difference(f, g, a.k) / unit);
        memset(g, 0, sizeof g);
        effort = (phy_convex_effort){.most = 100000, .tolerance = 1e-11};
        CHECK(phy_convex_sweeps(g, &effort, &p, matrix, scratch) == SAL_OK);
        CHECK(effort.residual <= 1e-11);
        sweeps = fmax(sweeps, largest_difference(f, g, a.k) / unit);
    }
    printf("Newton: %.1f steps, most %d; fault %.1e, identity %.1e; sweeps differ by %.1e\n",
           steps / count, most, fault, identity, sweeps);
    CHECK(fault < 1e-11); /* the tolerance of the steps is 1e-12 */
    CHECK(identity < 1e-9);
    CHECK(sweeps < 1e-7);
}

/* R from 1e-5 of A's diagonal: Newton's method reaches the minimum from f = 0. */
static void stiff_contacts_are_solved(void)
{
    sal_rng rng = {5};
    double fault = 0, residual = 0;
    int most = 0;
    for (int k = 0; k < 100; k++) {
        many_rows a;
        many_rows_random(&a, &rng, 8 + k % 20, k % 9, k % 2 == 0 ? 1e-4 : 1e-5);
        const phy_convex_problem p = problem_of(&a, k % 4 < 2 ? 0 : .5);
        double f[MANY_ROWS] = {0};
        phy_convex_effort effort = {.most = 200, .tolerance = 1e-10};
        CHECK(phy_convex_newton(f, &effort, &p, scratch) == SAL_OK);
        residual = fmax(residual, effort.residual);
        fault = fmax(fault, fault_of(&p, f));
        most = effort.used > most ? effort.used : most;
    }
    printf("most %d steps; residual %.1e, fault %.1e\n", most, residual, fault);
    CHECK(residual <= 1e-10);
    CHECK(fault < 1e-8); /* an error of f times up to 31 entries of a row of A */
}

/* The same bits from many threads as from one. */
static void threads_do_not_matter(void)
{
    enum { COUNT = 12 };
    static many_rows a[COUNT];
    static double f[COUNT][2][MANY_ROWS];
    static double memory[COUNT][16 * MANY_ROWS + 2 * MANY_ROWS * MANY_ROWS];
    sal_rng rng = {20};
    for (int k = 0; k < COUNT; k++) {
        many_rows_random(&a[k], &rng, 12, 8, .1);
    }
    for (int round = 0; round < 2; round++) {
#pragma omp parallel for num_threads(round == 0 ? 1 : 4)
        for (int k = 0; k < COUNT; k++) {
            const phy_convex_problem p = problem_of(&a[k], .5);
            phy_cone_matrix own[MANY_BLOCKS];
            phy_convex_effort effort = {.most = 20, .tolerance = 1e-12};
            phy_convex_sweeps(f[k][round], &effort, &p, own, memory[k]);
            phy_convex_newton(f[k][round], &effort, &p, memory[k]);
        }
    }
    for (int k = 0; k < COUNT; k++) {
        CHECK(f[k][0][0] != 0 && memcmp(f[k][0], f[k][1], sizeof f[k][0]) == 0);
    }
}

/* ---- the interior point ---- */

/* cost + kappa barriers, infinite outside */
static double barrier_cost(const phy_convex_problem *p, const double *f, double kappa)
{
    double w[MANY_ROWS], cost = 0;
    phy_convex_velocity(w, p, f);
    for (int i = 0; i < p->k; i++) { /* f'A f/2 + f'c = f'(w + c)/2 */
        cost += f[i] * (0.5 * (w[i] + p->c[i]) - p->wref[i] + 0.5 * p->R[i] * f[i]);
    }
    for (int i = 0; i < p->nblock; i++) {
        const phy_impulse_block *b = &p->block[i];
        const double *x = f + b->row, reach = cones_reach(b, x);
        if (phy_impulse_has_normal(b)) {
            const double lack = fmax(0, p->vmin[b->row] - w[b->row]);
            cost += 0.5 * p->penalty * lack * lack;
            cost += x[0] > reach ? -kappa * log(x[0] * x[0] - reach * reach) : (double)INFINITY;
        } else if (b->family == PHY_IMPULSE_LOSS) {
            const double s = b->bound * b->bound - x[0] * x[0];
            cost += s > 0 ? -kappa * log(s) : (double)INFINITY;
        }
    }
    return cost;
}

/* g += kappa times the barrier's gradient, H likewise. s = f_0^2 - sum (f_j/mu_j)^2. */
static void add_barrier(double *g, double *H, const phy_convex_problem *p, const double *f,
                        double kappa)
{
    for (int i = 0; i < p->nblock; i++) {
        const phy_impulse_block *b = &p->block[i];
        double s = 0, u[6], q[6];
        if (b->family == PHY_IMPULSE_EQUALITY) {
            continue;
        }
        for (int j = 0; j < b->dim; j++) {
            q[j] = phy_impulse_has_normal(b) && j == 0 ? 1 : -1;
            q[j] /= j > 0 ? b->mu[j - 1] * b->mu[j - 1] : 1;
            u[j] = 2 * q[j] * f[b->row + j];
            s += q[j] * f[b->row + j] * f[b->row + j];
        }
        s += b->family == PHY_IMPULSE_LOSS ? b->bound * b->bound : 0;
        for (int j = 0; j < b->dim; j++) {
            const int row = b->row + j;
            g[row] -= kappa * u[j] / s;
            H[row * p->k + row] -= kappa * 2 * q[j] / s;
            for (int m = 0; m < b->dim; m++) {
                H[row * p->k + b->row + m] += kappa * u[j] * u[m] / (s * s);
            }
        }
    }
}

/* One Newton step with halving; returns its decrement. */
static double barrier_step(double *f, const phy_convex_problem *p, double kappa)
{
    static double H[MANY_ROWS * MANY_ROWS];
    double g[MANY_ROWS], d[MANY_ROWS], w[MANY_ROWS], next[MANY_ROWS];
    double decrement = 0, alpha = 1;
    const int k = p->k;
    gradient(g, p, f);
    phy_convex_velocity(w, p, f);
    memcpy(H, p->A, (size_t)k * (size_t)k * sizeof *H);
    for (int i = 0; i < k; i++) {
        H[i * k + i] += p->R[i];
    }
    for (int b = 0; b < p->nblock; b++) {
        const int n = p->block[b].row;
        if (phy_impulse_has_normal(&p->block[b]) && w[n] < p->vmin[n]) {
            for (int i = 0; i < k * k; i++) {
                H[i] += p->penalty * p->A[n * k + i / k] * p->A[n * k + i % k];
            }
        }
    }
    add_barrier(g, H, p, f, kappa);
    memcpy(d, g, sizeof d);
    CHECK(sal_lapack_solve(d, 1, H, k, NULL) == SAL_OK);
    for (int i = 0; i < k; i++) {
        decrement += g[i] * d[i];
    }
    const double here = barrier_cost(p, f, kappa);
    for (int half = 0; half < 50; half++, alpha *= 0.5) {
        for (int i = 0; i < k; i++) {
            next[i] = f[i] - alpha * d[i];
        }
        if (barrier_cost(p, next, kappa) <= here - 0.1 * alpha * decrement) {
            memcpy(f, next, (size_t)k * sizeof *f);
            break;
        }
    }
    return decrement;
}

static void interior_point_agrees(void)
{
    sal_rng rng = {7};
    double worst = 0;
    for (int k = 0; k < 60; k++) {
        many_rows a;
        many_rows_random(&a, &rng, 8, 1 + k % 4, .1);
        const phy_convex_problem p = problem_of(&a, k % 2 == 0 ? 0 : .5);
        double f[MANY_ROWS], g[MANY_ROWS] = {0};
        phy_convex_effort effort;
        for (int i = 0; i < a.nblock; i++) {
            g[a.block[i].row] = phy_impulse_has_normal(&a.block[i]) ? 1 : 0;
        }
        for (double kappa = 1; kappa > 1e-10; kappa *= .2) {
            for (int step = 0; step < 50 && barrier_step(g, &p, kappa) > 1e-6 * kappa; step++) {
            }
        }
        CHECK(newton(f, &effort, &p) == SAL_OK);
        worst = fmax(worst, largest_difference(f, g, a.k));
    }
    printf("the interior point differs by %.1e\n", worst);
    CHECK(worst < 1e-4); /* sqrt(kappa) */
}

/* ---- single cases ---- */

/* Blocks in another order of rows give the same forces. */
static void order_does_not_matter(void)
{
    sal_rng rng = {8};
    for (int k = 0; k < 20; k++) {
        many_rows a, b;
        double f[MANY_ROWS], g[MANY_ROWS];
        int from[MANY_ROWS];
        phy_convex_effort effort;
        many_rows_random(&a, &rng, 12, 6, .1);
        many_rows_turn_round(&b, from, &a);
        const phy_convex_problem p = problem_of(&a, .5), q = problem_of(&b, .5);
        CHECK(newton(f, &effort, &p) == SAL_OK && newton(g, &effort, &q) == SAL_OK);
        for (int i = 0; i < a.k; i++) {
            CHECK_NEAR(g[i], f[from[i]], 1e-11);
        }
    }
}

static void smallest_problems(void)
{
    many_rows a = {0};
    phy_convex_effort effort = {.most = 10, .tolerance = 1e-14};
    double f[1] = {0};
    phy_convex_problem p = problem_of(&a, 0);
    CHECK(phy_convex_newton(f, &effort, &p, scratch) == SAL_OK && effort.residual == 0);
    CHECK(phy_convex_sweeps(f, &effort, &p, matrix, scratch) == SAL_OK && effort.residual == 0);
    a = (many_rows){.A = {2}, .c = {-1}, .R = {.5}, .wref = {.25}};
    many_rows_add(&a, PHY_IMPULSE_CONE, 1, 0);
    p = problem_of(&a, 0);
    CHECK(phy_convex_newton(f, &effort, &p, scratch) == SAL_OK);
    CHECK_NEAR(f[0], .5, 1e-15); /* 1.25/2.5 */
    f[0] = 0;
    CHECK(phy_convex_sweeps(f, &effort, &p, matrix, scratch) == SAL_OK);
    CHECK_NEAR(f[0], .5, 1e-15);
}

static void bad_input_is_said(void)
{
    sal_rng rng = {9};
    many_rows a;
    phy_convex_effort effort = {.most = 10, .tolerance = 1e-14};
    many_rows_random(&a, &rng, 8, 4, .1);
    const phy_convex_problem p = problem_of(&a, 0);
    double f[MANY_ROWS] = {0}, *places[] = {&a.c[4], &a.A[3], &a.R[2], &a.wref[5]};
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        const double kept = *places[k];
        *places[k] = NAN;
        memset(f, 0, sizeof f);
        f[2] = f[3] = 1;
        CHECK(phy_convex_newton(f, &effort, &p, scratch) == SAL_DIVERGED);
        memset(f, 0, sizeof f);
        f[2] = f[3] = 1;
        CHECK(phy_convex_sweeps(f, &effort, &p, matrix, scratch) == SAL_DIVERGED);
        *places[k] = kept;
    }
}

/* What convexity costs: a point of 1 kg that slides at T is held at mu T timestep above the floor.
 * On the border of the cone w - w* is in its dual, w_n - w*_n = mu T, w*_n = -height/timestep. */
static void sliding_lifts(void)
{
    const double h = .01, mu[2] = {.25, .25}, zero[3] = {0}, one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const phy_impulse_block block = {PHY_IMPULSE_CONE, 0, 3, mu, 0};
    double height = .25 * 3 * h, v[3] = {0, 3, 0}, f[3] = {0};
    for (int t = 0; t < 40; t++) {
        const double c[3] = {v[0] - 9.81 * h, v[1], v[2]}, wref[3] = {-height / h, 0, 0};
        const phy_convex_problem p = {3, 1, &block, one, c, zero, wref, 0, NULL};
        phy_convex_effort effort = {.most = 100, .tolerance = 1e-12};
        CHECK(phy_convex_sweeps(f, &effort, &p, matrix, scratch) == SAL_OK);
        phy_convex_velocity(v, &p, f);
        height += h * v[0];
        CHECK_NEAR(height, .25 * v[1] * h, 1e-15);
        if (t == 0) {
            printf("height %.4e m\n", height);
            CHECK_NEAR(height, 7.49e-3, .01 * 7.49e-3);
        }
    }
}

static void nothing_allocates(void)
{
    sal_rng rng = {10};
    many_rows a;
    double f[MANY_ROWS];
    phy_convex_effort effort = {.most = 50, .tolerance = 1e-9};
    many_rows_random(&a, &rng, 12, 8, .1);
    const phy_convex_problem p = problem_of(&a, .5);
    const long before = sal_alloc_count();
    for (int k = 0; k < 100; k++) {
        CHECK(newton(f, &effort, &p) == SAL_OK);
        CHECK(phy_convex_sweeps(f, &effort, &p, matrix, scratch) == SAL_OK);
    }
    CHECK(sal_alloc_count() == before);
}

int main(void)
{
    RUN(solvers_agree);
    RUN(stiff_contacts_are_solved);
    RUN(threads_do_not_matter);
    RUN(interior_point_agrees);
    RUN(order_does_not_matter);
    RUN(smallest_problems);
    RUN(bad_input_is_said);
    RUN(sliding_lifts);
    RUN(nothing_allocates);
    return check_done();
}
