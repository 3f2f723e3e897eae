/* smooth_speed.c: Table 1 of Todorov (ICRA 2011): how many inverse solves of the smooth invertible
 * contact model a second, A and c given, and the steps of Newton's method (its Fig. 4); and the
 * forward direction. Contacts with friction, 1 kg, h = 10 ms. */
#include "bench/stopwatch.h"
#include "bench/tables/tables.h"

#include "base/rng.h"
#include "physics/laws/logbarrier_dense.h"

#include <math.h>
#include <stdio.h>

enum { MOST = 20, ROWS = 3 * MOST, SCENES = 32, SIZES = 4 };

typedef struct scene {
    int dim[MOST];
    double R[ROWS], mu[ROWS], vmin[MOST], q[MOST], A[ROWS * ROWS], c[ROWS], f[ROWS], w[ROWS];
    phy_barrier_system system;
} scene;

/* What is timed goes round all scenes. */
typedef struct round_trip {
    scene *scenes;
    int next;
    double f[ROWS], w[ROWS], multiplier[MOST];
    double *scratch;
    /* of the forward direction */
    long steps, solves;
    int most;
} round_trip;

/* A = J J', one more dof than rows */
static void fill_A(double *A, int rows, sal_rng *rng)
{
    double J[ROWS * (ROWS + 1)];
    const int nv = rows + 1;
    for (int i = 0; i < rows * nv; i++) {
        J[i] = sal_rng_normal(rng) / sqrt(nv);
    }
    for (int i = 0; i < rows * rows; i++) {
        A[i] = 0;
        for (int k = 0; k < nv; k++) {
            A[i] += J[i / rows * nv + k] * J[i % rows * nv + k];
        }
    }
}

/* Gaps of up to 2 cm, met at about 1 m/s; R of 0.01 at no gap to 100 at 0.1 m, relative to A */
static void fill(scene *s, int contacts, double kappa, sal_rng *rng)
{
    const phy_barrier_ramp ramp = {0.01, 100, 0.1, false};
    const int rows = 3 * contacts;
    s->system =
        (phy_barrier_system){rows, contacts, s->dim, NULL, s->R, s->mu, s->vmin, s->q, s->A, kappa};
    fill_A(s->A, rows, rng);
    for (int i = 0; i < contacts; i++) {
        const double gap = sal_rng_uniform(rng, 0, 0.02);
        double unused;
        s->dim[i] = 3;
        s->vmin[i] = -gap / 0.01;
        for (int k = 3 * i; k < 3 * i + 3; k++) {
            s->R[k] = phy_barrier_ramp_at(&unused, &ramp, gap) * s->A[k * rows + k];
            s->mu[k] = 0.6;
            s->c[k] = sal_rng_normal(rng) - (k == 3 * i);
        }
        s->q[i] = phy_barrier_steepness(10, s->R[3 * i], s->A[3 * i * (rows + 1)], 1);
    }
}

static scene *next_of(round_trip *trip)
{
    trip->next = (trip->next + 1) % SCENES;
    return &trip->scenes[trip->next];
}

static void inverse(void *ctx)
{
    round_trip *trip = ctx;
    const scene *s = next_of(trip);
    table_check(phy_barrier_inverse(trip->f, trip->multiplier, s->w, &s->system, trip->scratch),
                "inverse");
}

static void forward(void *ctx)
{
    round_trip *trip = ctx;
    const phy_barrier_search search = {1e-12, 0, 0, false};
    scene *s = next_of(trip);
    phy_barrier_solution at;
    table_check(phy_barrier_forward(&at, s->f, s->w, s->c, &s->system, &search, trip->scratch),
                "forward");
    trip->steps += at.steps;
    trip->solves++;
    trip->most = at.steps > trip->most ? at.steps : trip->most;
}

/* Mean steps of the root of one contact */
static double root_steps(const round_trip *trip)
{
    double sum = 0;
    int count = 0;
    for (int i = 0; i < SCENES; i++) {
        const scene *s = &trip->scenes[i];
        double g[ROWS];
        phy_barrier_push(g, NULL, NULL, s->w, &s->system);
        for (int row = 0; row < s->system.rows; row += 3) {
            const phy_barrier_cone cone = {3, s->R + row, s->mu + row + 1, s->system.kappa};
            double y[3];
            phy_barrier_force at;
            for (int j = 0; j < 3; j++) {
                y[j] = s->w[row + j];
                for (int k = 0; k < s->system.rows; k++) {
                    y[j] += s->A[(row + j) * s->system.rows + k] * g[k];
                }
            }
            table_check(phy_barrier_cone_force(&at, y, &cone), "root");
            sum += at.steps;
            count++;
        }
    }
    return sum / count;
}

static void print_size(const table_effort *effort, int contacts, double kappa, double paper)
{
    static scene scenes[SCENES];
    static double scratch[(ROWS + MOST + 10) * ROWS + MOST];
    round_trip there = {.scenes = scenes, .scratch = scratch};
    round_trip back = {.scenes = scenes, .scratch = scratch};
    char what[64], note[64];
    sal_rng rng = {(uint64_t)contacts};
    for (int k = 0; k < SCENES; k++) {
        fill(&scenes[k], contacts, kappa, &rng);
    }
    for (int k = 0; k < SCENES; k++) {
        forward(&there); /* sets w */
    }
    const race r = stopwatch_race(inverse, &back, forward, &there, effort->rounds, effort->batch,
                                  STOPWATCH_THREAD);
    snprintf(what, sizeof what, "inverse, kappa %g J, %d contacts", kappa, contacts);
    if (paper > 0) {
        print_ratio(what, paper, 1 / r.a);
    } else {
        print_row(what, NULL, NULL, "%.4g", 1 / r.a);
    }
    snprintf(what, sizeof what, "forward, kappa %g J, %d contacts", kappa, contacts);
    snprintf(note, sizeof note, "the inverse is x %.3g", r.ratio);
    print_row(what, NULL, note, "%.4g", 1 / r.b);
    snprintf(what, sizeof what, "Newton's steps of a root; forward (most)");
    print_row(what, NULL, NULL, "%.1f; %.1f (%d)", root_steps(&back),
              (double)there.steps / (double)there.solves, there.most);
}

void smooth_speed(const table_effort *effort)
{
    static const int contacts[SIZES] = {2, 5, 10, 20};
    static const double table[SIZES] = {241774, 54190, 12991, 2361};
    print_title("Todorov 2011, Table 1 and Fig. 4",
                "solves per second of logbarrier, A and c given");
    print_remark(
        "The paper: one thread of a 3 GHz QX9650 of 2008; states of a humanoid; the inverse as one "
        "dense problem by Newton's method.");
    print_remark(
        "Here: random A of full rank (A = J J'), gaps of up to 2 cm; the inverse is one product "
        "with A, then one root for each contact.");
    print_remark(
        "Fig. 4 shows iterations of the dense inverse in a drawing only (\"quite small, grows "
        "modestly\"); ours has none: the steps of its roots stand instead.");
    print_head("direction", "1/s; steps");
    for (double kappa = 0.1; kappa > 5e-3; kappa *= 0.1) {
        for (int i = 0; i < SIZES; i++) {
            print_size(effort, contacts[i], kappa, kappa > 0.05 ? table[i] : 0);
        }
    }
}
