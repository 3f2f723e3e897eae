/* engine_balls.c: Fig. 1 of Todorov, Erez, Tassa (IROS 2012): balls in a box, iterations of the
 * complementarity solver by the number of contacts and friction; and what the cheaper solvers make
 * of the same states. */
#include "bench/stopwatch.h"
#include "bench/tables/tables.h"
#include "tests/physics/laws/balls.h"

#include "physics/laws/complementarity.h"
#include "physics/laws/convex_dense.h"
#include "physics/laws/diagonal.h"

#include <stdio.h>

enum { BINS = 7, FRICTIONS = 5, DROPS = 6, TIMES = 34, SPEEDS = 4, MOST_STATES = DROPS * TIMES };
static const int BIN[BINS] = {5, 10, 15, 20, 30, 40, BALLS_CONTACTS}; /* up to so many contacts */
static const double FRICTION[FRICTIONS] = {0.1, 0.25, 0.5, 1, 2};
static const double REGULARISER = 0.01; /* of A's diagonal, convex */

static double scratch[9 * BALLS_ROWS + 3 * BALLS_ROWS * BALLS_ROWS + 6 * BALLS_CONTACTS + 8];

typedef struct bin {
    int states, direct, solved;
    double steps;
} bin;

static int bin_of(int contacts)
{
    int i = 0;
    while (contacts > BIN[i]) {
        i++;
    }
    return i;
}

static void solve(double *f, phy_complementarity_effort *effort, const balls *a,
                  phy_complementarity_rung last)
{
    static double x[BALLS_ROWS];
    const phy_complementarity_problem p = {a->k, a->ncontact, a->block, a->A, a->c};
    *effort = (phy_complementarity_effort){.most = 60, .tolerance = 1e-10, .last = last};
    table_check(phy_complementarity_solve(f, x, effort, &p, scratch), "complementarity");
}

/* ---- the other solvers on one state ---- */

typedef struct rival {
    const balls *a;
    double f[BALLS_ROWS];
} rival;

static void by_complementarity(void *ctx)
{
    rival *r = ctx;
    phy_complementarity_effort effort;
    solve(r->f, &effort, r->a, PHY_COMPLEMENTARITY_NOTHING);
}

static phy_convex_problem convex_of(const balls *a)
{
    static double R[BALLS_ROWS], wref[BALLS_ROWS];
    for (int i = 0; i < a->k; i++) { /* one R for each contact: its cone is round */
        R[i] = REGULARISER * a->A[i / 3 * 3 * (a->k + 1)];
        wref[i] = 0; /* c has it taken off */
    }
    return (phy_convex_problem){.k = a->k,
                                .nblock = a->ncontact,
                                .block = a->block,
                                .A = a->A,
                                .c = a->c,
                                .R = R,
                                .wref = wref};
}

static void by_newton(void *ctx)
{
    rival *r = ctx;
    const phy_convex_problem p = convex_of(r->a);
    phy_convex_effort effort = {.most = 200, .tolerance = 1e-8};
    memset(r->f, 0, sizeof r->f);
    table_check(phy_convex_newton(r->f, &effort, &p, scratch), "convex");
}

static void by_sweeps(void *ctx)
{
    static phy_cone_matrix matrix[BALLS_CONTACTS];
    rival *r = ctx;
    const phy_convex_problem p = convex_of(r->a);
    phy_convex_effort effort = {.most = 500, .tolerance = 1e-3};
    memset(r->f, 0, sizeof r->f);
    table_check(phy_convex_sweeps(r->f, &effort, &p, matrix, scratch), "sweeps");
}

static void by_diagonal(void *ctx)
{
    static const double zero[3];
    rival *r = ctx;
    const balls *a = r->a;
    for (int i = 0; i < a->ncontact; i++) {
        const phy_impulse_block block = a->block[i];
        double diagonal[3];
        sal_efc_state zone;
        for (int j = 0; j < 3; j++) {
            diagonal[j] = a->A[(block.row + j) * (a->k + 1)];
        }
        table_check(phy_diagonal_impulse(r->f + block.row, &zone, &block, diagonal, zero,
                                         a->c + block.row, zero),
                    "diagonal");
    }
}

/* The largest difference of the next velocities of the rows, of the largest |c| */
static double difference(const balls *a, const double *f, const double *g)
{
    double worst = 0, size = 1e-300;
    for (int i = 0; i < a->k; i++) {
        double sum = 0;
        for (int j = 0; j < a->k; j++) {
            sum += a->A[i * a->k + j] * (f[j] - g[j]);
        }
        worst = fmax(worst, fabs(sum));
        size = fmax(size, fabs(a->c[i]));
    }
    return worst / size;
}

static const struct {
    const char *name;
    timed_work run;
} solvers[SPEEDS] = {{"complementarity", by_complementarity},
                     {"convex, Newton's method", by_newton},
                     {"convex, Gauss-Seidel to 1e-3", by_sweeps},
                     {"diagonal", by_diagonal}};

/* Of each solver, at each state: s, and how far from complementarity */
typedef struct rivalry {
    int states;
    double seconds[SPEEDS][MOST_STATES], off[SPEEDS][MOST_STATES];
} rivalry;

static void compete(rivalry *all, const balls *a, const double *f)
{
    static rival r;
    r.a = a;
    for (int k = 0; k < SPEEDS; k++) {
        const double begin = stopwatch_seconds(STOPWATCH_THREAD);
        solvers[k].run(&r);
        all->seconds[k][all->states] = stopwatch_seconds(STOPWATCH_THREAD) - begin;
        all->off[k][all->states] = difference(a, r.f, f);
    }
    all->states++;
}

/* ---- the table ---- */

/* Drops balls again and again; with others, lets the other solvers try the same states. */
static void look(bin bins[BINS], rivalry *others, double mu, int drops)
{
    static balls a;
    static double f[BALLS_ROWS], direct[BALLS_ROWS];
    sal_rng rng = {1};
    for (int i = 0; i < drops; i++) {
        balls_drop(&a, &rng, mu);
        for (int t = 0; t < TIMES; t++) {
            phy_complementarity_effort effort;
            balls_look(&a, &rng);
            bin *b = &bins[bin_of(a.ncontact)];
            solve(direct, &effort, &a, PHY_COMPLEMENTARITY_DIRECT);
            const bool is_direct = effort.rung == PHY_COMPLEMENTARITY_DIRECT;
            b->states++;
            b->direct += is_direct;
            b->steps += is_direct ? effort.used : 0;
            solve(f, &effort, &a, PHY_COMPLEMENTARITY_NOTHING);
            b->solved += effort.rung != PHY_COMPLEMENTARITY_NOTHING;
            if (others != NULL && a.ncontact > 0 && effort.residual <= 1e-8) {
                compete(others, &a, f);
            }
            balls_move(&a, f);
        }
    }
}

static void print_bins(const bin bins[BINS], double mu)
{
    for (int i = 0; i < BINS; i++) {
        const bin *b = &bins[i];
        char what[96], note[96];
        if (b->states == 0) {
            continue;
        }
        snprintf(what, sizeof what, "mu %g, %d to %d contacts", mu, i == 0 ? 0 : BIN[i - 1] + 1,
                 BIN[i]);
        snprintf(note, sizeof note, "solved %d of %d; with all that is tried %d", b->direct,
                 b->states, b->solved);
        if (b->direct > 0) {
            print_row(what, NULL, note, "%.1f", b->steps / b->direct);
        } else {
            print_row(what, NULL, note, "-");
        }
    }
}

static void print_others(rivalry *all)
{
    double first = 0;
    print_head("solver, the same states, mu 0.5, medians", "us");
    for (int k = 0; k < SPEEDS; k++) {
        char note[96];
        const double seconds = stopwatch_median(all->seconds[k], all->states);
        first = k == 0 ? seconds : first;
        snprintf(note, sizeof note, "x %.3g as fast; next velocities off by %.2g", first / seconds,
                 stopwatch_median(all->off[k], all->states));
        print_row(solvers[k].name, NULL, note, "%.3g", 1e6 * seconds);
    }
}

void engine_balls(const table_effort *effort)
{
    static rivalry others;
    const int drops = DROPS / effort->thin;
    others.states = 0;
    print_title("Todorov, Erez, Tassa 2012, Fig. 1",
                "balls in a box, iterations of complementarity");
    print_remark(
        "The paper draws mean iterations by contacts and friction without numbers; they are "
        "\"surprisingly small\", and an exact solution is found \"almost all the time\".");
    print_remark("Here: 20 balls of 1 kg that fall into a box, h = 10 ms, cold starts; mean steps "
                 "of Newton's "
                 "method where it needs no help, to a residual of 1e-10.");
    print_remark(
        "What is tried beyond: friction that grows to its value, then a start from Gauss-Seidel. "
        "convex has R of 0.01 of A's diagonal.");
    print_remark(
        "What slides at the speed T is held off by convex where it is nearer than mu T h, and "
        "braked: so it is, "
        "in nine of ten states, at the contact where its velocities differ most; mostly a wall.");
    print_head("friction, contacts", "steps");
    for (int i = 0; i < FRICTIONS; i++) {
        bin bins[BINS] = {{0}};
        look(bins, FRICTION[i] == 0.5 ? &others : NULL, FRICTION[i], drops);
        print_bins(bins, FRICTION[i]);
    }
    print_others(&others);
}
