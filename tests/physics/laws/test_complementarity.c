/* Complementarity: its conditions are looked at one by one, by what f and w are. */
#include "tests/check.h"
#include "tests/physics/laws/balls.h"
#include "tests/physics/laws/many_rows.h"

#include "base/memory.h"
#include "physics/laws/complementarity.h"

enum { MOST = BALLS_ROWS };
static double scratch[9 * MOST + 3 * MOST * MOST + 6 * BALLS_CONTACTS + 8];

static phy_complementarity_effort effort_of(phy_complementarity_rung last)
{
    return (phy_complementarity_effort){.most = 60, .tolerance = 1e-10, .last = last};
}

static sal_status solve(double *f, double *w, phy_complementarity_effort *effort,
                        const phy_complementarity_problem *p)
{
    static double x[MOST];
    const sal_status status = phy_complementarity_solve(f, x, effort, p, scratch);
    for (int i = 0; i < p->k; i++) {
        w[i] = p->c[i];
        for (int j = 0; j < p->k; j++) {
            w[i] += p->A[i * p->k + j] * f[j];
        }
    }
    return status;
}

/* How far a block is from the conditions in complementarity.h, with f in units of f_unit. */
static double fault_of(const phy_impulse_block *b, const double *f, const double *w, double f_unit)
{
    if (b->family == PHY_IMPULSE_EQUALITY) {
        return fabs(w[0]);
    }
    if (b->family == PHY_IMPULSE_LOSS) { /* f moves against w, with all it has */
        const double left = f[0] + copysign(b->bound, w[0]);
        return fmax((fabs(f[0]) - b->bound) / f_unit, fmin(fabs(left) / f_unit, fabs(w[0])));
    }
    double fault = fmax(-f[0] / f_unit, -w[0]), reach = 0, slide = 0, power = 0;
    fault = fmax(fault, fmin(f[0] / f_unit, w[0]));
    for (int j = 1; j < b->dim; j++) {
        reach += pow(f[j] / b->mu[j - 1], 2);
        slide += pow(w[j] * b->mu[j - 1], 2);
        power += f[j] * w[j];
    }
    fault = fmax(fault, (sqrt(reach) - f[0]) / f_unit);
    /* f_j = -nu mu_j^2 w_j on the border: then f'w = -f_0 sqrt(sum (mu_j w_j)^2) */
    return fmax(fault, fabs(power + f[0] * sqrt(slide)) / f_unit);
}

static double worst_fault(const phy_complementarity_problem *p, const double *f, const double *w)
{
    double unit = 1e-300, worst = 0, speed = 1e-300;
    for (int i = 0; i < p->k; i++) {
        unit = fmax(unit, fabs(f[i]));
        speed = fmax(speed, fabs(p->c[i]));
    }
    for (int i = 0; i < p->nblock; i++) {
        const int row = p->block[i].row;
        worst = fmax(worst, fault_of(&p->block[i], f + row, w + row, unit / speed));
    }
    return worst / speed;
}

static void known_values(void)
{
    const double mu[2] = {.5, .5}, one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double coupled[9] = {2, .5, 0, .5, 1, 0, 0, 0, 1};
    const phy_impulse_block block = {PHY_IMPULSE_CONE, 0, 3, mu, 0};
    static const double c[4][3] = {{-1, .3, 0}, {-1, .8, 0}, {1, .5, 0}, {-1, 1.2, .3}};
    static const double f_is[4][3] = {{1, -.3, 0},
                                      {1, -.5, 0},
                                      {0, 0, 0},
                                      {0.569816450328301, -0.279265801313202, -0.056420820475083}};
    static const double w_is[4][3] = {
        {0, 0, 0}, {0, .3, 0}, {1, .5, 0}, {0, 1.20564242385, 0.24357917952}};
    for (int k = 0; k < 4; k++) {
        const phy_complementarity_problem p = {3, 1, &block, k < 3 ? one : coupled, c[k]};
        phy_complementarity_effort effort = effort_of(PHY_COMPLEMENTARITY_DIRECT);
        effort.tolerance = 1e-14;
        double f[3], w[3];
        CHECK(solve(f, w, &effort, &p) == SAL_OK && effort.rung == PHY_COMPLEMENTARITY_DIRECT);
        CHECK(effort.used == 0 || (k == 3 && effort.used <= 4));
        printf("%d steps\n", effort.used);
        for (int j = 0; j < 3; j++) {
            CHECK_NEAR(f[j], f_is[k][j], 1e-12);
            CHECK_NEAR(w[j], w_is[k][j], 1e-11);
        }
    }
}

/* All families and dims at once. */
static void conditions_hold(void)
{
    sal_rng rng = {11};
    int rungs[5] = {0};
    double worst = 0;
    for (int k = 0; k < 200; k++) {
        many_rows a;
        double f[MANY_ROWS], w[MANY_ROWS];
        many_rows_random(&a, &rng, 40, k % 9, 1);
        const phy_complementarity_problem p = {a.k, a.nblock, a.block, a.A, a.c};
        phy_complementarity_effort effort = effort_of(PHY_COMPLEMENTARITY_NOTHING);
        CHECK(solve(f, w, &effort, &p) == SAL_OK);
        rungs[effort.rung]++;
        if (effort.residual <= 1e-10) {
            worst = fmax(worst, worst_fault(&p, f, w));
        }
    }
    printf("rungs %d, %d, %d, %d; unsolved %d; worst fault %.1e\n", rungs[0], rungs[1], rungs[2],
           rungs[3], rungs[4], worst);
    CHECK(worst < 1e-8);
    CHECK(rungs[PHY_COMPLEMENTARITY_NOTHING] == 0);
}

/* 20 balls fall into a box. At least `directly` of the states need no help; all are solved. */
static void check_balls(double mu, double directly)
{
    static balls a;
    static double f[MOST], w[MOST];
    sal_rng rng = {1};
    int rungs[5] = {0}, count = 0;
    double steps = 0, worst = 0, residual = 0, contacts = 0;
    for (int drop = 0; drop < 3; drop++) {
        balls_drop(&a, &rng, mu);
        for (int t = 0; t < 26; t++) {
            balls_look(&a, &rng);
            const phy_complementarity_problem p = {a.k, a.ncontact, a.block, a.A, a.c};
            phy_complementarity_effort effort = effort_of(PHY_COMPLEMENTARITY_NOTHING);
            CHECK(solve(f, w, &effort, &p) == SAL_OK);
            rungs[effort.rung]++;
            steps += effort.rung == PHY_COMPLEMENTARITY_DIRECT ? effort.used : 0;
            residual = fmax(residual, effort.residual);
            worst = fmax(worst, worst_fault(&p, f, w));
            contacts += a.ncontact;
            count++;
            balls_move(&a, f);
        }
    }
    printf("mu %.1f, %d states, %.0f contacts: rungs %d, %d, %d, %d; unsolved %d; %.1f steps where "
           "direct; "
           "residual %.1e, fault %.1e\n",
           mu, count, contacts / count, rungs[0], rungs[1], rungs[2], rungs[3], rungs[4],
           steps / rungs[0], residual, worst);
    CHECK(rungs[PHY_COMPLEMENTARITY_DIRECT] >= directly * count);
    CHECK(residual <= 1e-8);
    CHECK(worst < 1e-6);
}

static void balls_in_a_box(void)
{
    check_balls(.1, .9);
    check_balls(.5, .9);
    check_balls(1, .5);
}

/* df/dc against centred differences. */
static void derivative_is_a_slope(void)
{
    sal_rng rng = {12};
    int compared = 0, singular = 0, bad = 0;
    for (int k = 0; k < 40; k++) {
        many_rows a;
        static double slope[MANY_ROWS * MANY_ROWS];
        double f[MANY_ROWS], low[MANY_ROWS], high[MANY_ROWS], x[MANY_ROWS], y[MANY_ROWS];
        many_rows_random(&a, &rng, 40, 1 + k % 4, 1);
        const phy_complementarity_problem p = {a.k, a.nblock, a.block, a.A, a.c};
        phy_complementarity_effort effort = effort_of(PHY_COMPLEMENTARITY_NOTHING);
        effort.tolerance = 1e-13;
        CHECK(phy_complementarity_solve(f, x, &effort, &p, scratch) == SAL_OK);
        if (phy_complementarity_derivative(slope, x, &p, scratch) != SAL_OK) {
            singular++;
            continue;
        }
        double worst = 0, size = 0;
        for (int j = 0; j < a.k; j++) {
            const double kept = a.c[j], step = 1e-6;
            effort.is_warm = true;
            memcpy(y, x, sizeof y);
            a.c[j] = kept - step;
            CHECK(phy_complementarity_solve(low, y, &effort, &p, scratch) == SAL_OK);
            memcpy(y, x, sizeof y);
            a.c[j] = kept + step;
            CHECK(phy_complementarity_solve(high, y, &effort, &p, scratch) == SAL_OK);
            a.c[j] = kept;
            for (int i = 0; i < a.k; i++) {
                const double fd = (high[i] - low[i]) / (2 * step);
                worst = fmax(worst, fabs(fd - slope[i * a.k + j]));
                size = fmax(size, fabs(slope[i * a.k + j]));
            }
        }
        compared++;
        bad += worst > 1e-6 * size;
    }
    printf("%d compared, %d singular, %d differ\n", compared, singular, bad);
    CHECK(compared >= 36);
    CHECK(bad == 0);
}

/* Two contacts at one place share the force in any way. */
static void force_that_is_not_unique(void)
{
    const double A[4] = {1, 1, 1, 1}, c[2] = {-1, -1};
    const phy_impulse_block blocks[2] = {{PHY_IMPULSE_NORMAL, 0, 1, NULL, 0},
                                         {PHY_IMPULSE_NORMAL, 1, 1, NULL, 0}};
    const phy_complementarity_problem p = {2, 2, blocks, A, c};
    phy_complementarity_effort effort = effort_of(PHY_COMPLEMENTARITY_NOTHING);
    double f[2], x[2], slope[4];
    CHECK(phy_complementarity_solve(f, x, &effort, &p, scratch) == SAL_OK);
    CHECK_NEAR(f[0] + f[1], 1, 1e-9);
    CHECK(effort.residual <= 1e-10);
    CHECK(phy_complementarity_derivative(slope, x, &p, scratch) == SAL_SINGULAR);
}

static void order_does_not_matter(void)
{
    sal_rng rng = {13};
    for (int k = 0; k < 20; k++) {
        many_rows a, b;
        double f[MANY_ROWS], g[MANY_ROWS], w[MANY_ROWS];
        int from[MANY_ROWS];
        many_rows_random(&a, &rng, 40, 6, 1);
        many_rows_turn_round(&b, from, &a);
        const phy_complementarity_problem p = {a.k, a.nblock, a.block, a.A, a.c};
        const phy_complementarity_problem q = {b.k, b.nblock, b.block, b.A, b.c};
        phy_complementarity_effort effort = effort_of(PHY_COMPLEMENTARITY_NOTHING);
        effort.tolerance = 1e-13;
        CHECK(solve(f, w, &effort, &p) == SAL_OK && solve(g, w, &effort, &q) == SAL_OK);
        for (int i = 0; i < a.k; i++) {
            CHECK_NEAR(g[i], f[from[i]], 1e-10);
        }
    }
}

/* The same bits from many threads as from one. */
static void threads_do_not_matter(void)
{
    enum { COUNT = 12 };
    static many_rows a[COUNT];
    static double f[COUNT][2][MANY_ROWS], x[COUNT][MANY_ROWS];
    static double memory[COUNT][9 * MANY_ROWS + 3 * MANY_ROWS * MANY_ROWS + 6 * MANY_BLOCKS];
    sal_rng rng = {21};
    for (int k = 0; k < COUNT; k++) {
        many_rows_random(&a[k], &rng, 40, 8, 1);
    }
    for (int round = 0; round < 2; round++) {
#pragma omp parallel for num_threads(round == 0 ? 1 : 4)
        for (int k = 0; k < COUNT; k++) {
            const phy_complementarity_problem p = {a[k].k, a[k].nblock, a[k].block, a[k].A, a[k].c};
            phy_complementarity_effort effort = effort_of(PHY_COMPLEMENTARITY_NOTHING);
            phy_complementarity_solve(f[k][round], x[k], &effort, &p, memory[k]);
        }
    }
    for (int k = 0; k < COUNT; k++) {
        CHECK(f[k][0][0] != 0 && memcmp(f[k][0], f[k][1], sizeof f[k][0]) == 0);
    }
}

static void smallest_problems(void)
{
    many_rows a = {0};
    phy_complementarity_effort effort = effort_of(PHY_COMPLEMENTARITY_NOTHING);
    double f[1] = {0}, w[1];
    phy_complementarity_problem p = {0, 0, a.block, a.A, a.c};
    CHECK(solve(f, w, &effort, &p) == SAL_OK && effort.residual == 0);
    a = (many_rows){.A = {2}, .c = {-1}};
    many_rows_add(&a, PHY_IMPULSE_CONE, 1, 0);
    p = (phy_complementarity_problem){1, 1, a.block, a.A, a.c};
    CHECK(solve(f, w, &effort, &p) == SAL_OK);
    CHECK_NEAR(f[0], .5, 1e-12);
}

static void bad_input_is_said(void)
{
    sal_rng rng = {14};
    many_rows a;
    many_rows_random(&a, &rng, 8, 4, 1);
    const phy_complementarity_problem p = {a.k, a.nblock, a.block, a.A, a.c};
    double f[MANY_ROWS], w[MANY_ROWS], *places[] = {&a.c[4], &a.A[3], &a.A[0], &a.mu[5][0]};
    for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
        const double kept = *places[k];
        phy_complementarity_effort effort = effort_of(PHY_COMPLEMENTARITY_NOTHING);
        *places[k] = NAN;
        CHECK(solve(f, w, &effort, &p) == (k < 3 ? SAL_DIVERGED : SAL_BADINPUT) && f[4] == 0);
        *places[k] = kept;
    }
}

/* A point that slides at 3 m/s stays on the floor, and decelerates by mu g. */
static void sliding_does_not_lift(void)
{
    const double h = .01, mu[2] = {.25, .25}, one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const phy_impulse_block block = {PHY_IMPULSE_CONE, 0, 3, mu, 0};
    double height = 0, v[3] = {0, 3, 0}, f[3];
    for (int t = 0; t < 40; t++) {
        const double c[3] = {v[0] - 9.81 * h + height / h, v[1], v[2]};
        const phy_complementarity_problem p = {3, 1, &block, one, c};
        phy_complementarity_effort effort = effort_of(PHY_COMPLEMENTARITY_DIRECT);
        CHECK(solve(f, v, &effort, &p) == SAL_OK);
        v[0] -= height / h;
        height += h * v[0];
        CHECK_NEAR(height, 0, 1e-15);
    }
    CHECK_NEAR((3 - v[1]) / .4, .25 * 9.81, 1e-12);
}

static void nothing_allocates(void)
{
    CHECK(sal_alloc_count() == 0); /* nor did any case before */
}

int main(void)
{
    RUN(known_values);
    RUN(conditions_hold);
    RUN(balls_in_a_box);
    RUN(derivative_is_a_slope);
    RUN(force_that_is_not_unique);
    RUN(order_does_not_matter);
    RUN(threads_do_not_matter);
    RUN(smallest_problems);
    RUN(bad_input_is_said);
    RUN(sliding_does_not_lift);
    RUN(nothing_allocates);
    return check_done();
}
