/* smooth_ball.c: Fig. 3 of Todorov (ICRA 2011): a ball falls on a floor, steps of 1 ms, with the
 * barrier on velocities; how low it comes, and over how many steps its impulse is spread. */
#include "bench/tables/tables.h"

#include "physics/laws/logbarrier_dense.h"

#include <math.h>
#include <stdio.h>

enum { STEPS = 1000 };
static const double STEP = 1e-3, GRAVITY = 9.81, FROM = 0.3; /* s, m/s^2, m */
static const double MU[3] = {0, 0.6, 0.6};

typedef struct ball {
    double kappa, height, velocity, f[3];
} ball;

typedef struct landing {
    double lowest, peak, onset;
    int spread; /* steps with more than half of the largest impulse */
} landing;

/* A step of a ball of 1 kg: A = 1 */
static void ball_step(ball *b, const phy_barrier_ramp *ramp)
{
    static const double A[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    static const int dim[1] = {3};
    const phy_barrier_search search = {1e-14, 0, 0, false};
    double slope, scratch[64], w[3], c[3] = {b->velocity - GRAVITY * STEP, 0, 0};
    const double r = phy_barrier_ramp_at(&slope, ramp, b->height), R[3] = {r, r, r};
    const double q = phy_barrier_steepness(10, r, 1, 5), vmin = -b->height / STEP;
    const phy_barrier_system system = {3, 1, dim, NULL, R, MU, &vmin, &q, A, b->kappa};
    phy_barrier_solution solution;
    b->f[0] = 0;
    b->velocity = c[0];
    if (b->height < ramp->d_max) {
        table_check(phy_barrier_forward(&solution, b->f, w, c, &system, &search, scratch), "ball");
        b->velocity = w[0];
    }
    b->height += STEP * b->velocity;
}

static landing drop(double kappa, bool smooth)
{
    const phy_barrier_ramp ramp = {0.01, 100, 0.1, smooth};
    double f[STEPS];
    ball b = {.kappa = kappa, .height = FROM};
    landing seen = {.lowest = FROM};
    for (int i = 0; i < STEPS; i++) {
        ball_step(&b, &ramp);
        f[i] = b.f[0];
        seen.lowest = fmin(seen.lowest, b.height);
        seen.peak = fmax(seen.peak, f[i] / STEP);
        seen.onset = seen.onset == 0 ? f[i] / STEP : seen.onset;
    }
    for (int i = 0; i < STEPS; i++) {
        seen.spread += f[i] > 0.5 * seen.peak * STEP;
    }
    return seen;
}

static void print_drop(double kappa, bool smooth)
{
    const landing seen = drop(kappa, smooth);
    char what[64];
    snprintf(what, sizeof what, "kappa %g J%s: lowest height (mm)", kappa,
             smooth ? ", R smooth" : "");
    print_row(what, "> 0", NULL, "%.3g", 1e3 * seen.lowest);
    print_row("  steps above half of the largest impulse", "many", NULL, "%d", seen.spread);
    print_row("  largest force (N)", NULL, NULL, "%.3g", seen.peak);
    print_row("  force with which contact begins (N)", NULL, NULL, "%.3g", seen.onset);
}

void smooth_ball(const table_effort *effort)
{
    (void)effort;
    print_title("Todorov 2011, Fig. 3", "a ball falls on the floor, h = 1 ms, logbarrier");
    print_remark(
        "The paper draws velocity and impulse without numbers: the impulse is \"distributed over "
        "time, and yet penetration does not occur\". Its mass and height are not given.");
    print_remark(
        "Here 1 kg from 0.3 m, R from 0.01 to 100 over 0.1 m and q 10 as in the paper. The paper's "
        "kappa of 0.1 is much for 1 kg: the ball never comes near the floor.");
    print_remark("q grows with R, so that no fall of up to 5 m/s penetrates.");
    print_head("one ball, 1 s", "");
    print_drop(0.1, false);
    print_drop(1e-3, false);
    print_drop(1e-4, false);
    print_drop(1e-4, true);
}
