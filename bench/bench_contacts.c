/* bench_contacts.c: how many inverse and forward solves of the smooth invertible contact model a
 * second, A and c given, beside Table 1 of Todorov (ICRA 2011; one 3 GHz core of 2008), and the
 * steps of Newton's method (its Fig. 4). One thread; contacts with friction, 1 kg, h = 10 ms. */
#include "bench/stopwatch.h"

#include "base/rng.h"
#include "physics/laws/logbarrier_dense.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST = 20, ROWS = 3 * MOST, SCENES = 32, ROUNDS = 15 };

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

static void check(sal_status status, const char *what)
{
    if (status != SAL_OK) {
        fprintf(stderr, "%s: %s\n", what, sal_status_text(status));
        exit(1);
    }
}

static void inverse(void *ctx)
{
    round_trip *trip = ctx;
    const scene *s = next_of(trip);
    check(phy_barrier_inverse(trip->f, trip->multiplier, s->w, &s->system, trip->scratch),
          "inverse");
}

static void forward(void *ctx)
{
    round_trip *trip = ctx;
    const phy_barrier_search search = {1e-12, 0, 0, false};
    scene *s = next_of(trip);
    phy_barrier_solution at;
    check(phy_barrier_forward(&at, s->f, s->w, s->c, &s->system, &search, trip->scratch),
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
            check(phy_barrier_cone_force(&at, y, &cone), "root");
            sum += at.steps;
            count++;
        }
    }
    return sum / count;
}

int main(void)
{
    static scene scenes[SCENES];
    static double scratch[(ROWS + MOST + 10) * ROWS + MOST];
    static const struct {
        int contacts;
        double table;
    } sizes[] = {{2, 242e3}, {5, 54e3}, {10, 13e3}, {20, 2.4e3}};
    printf("%8s %8s %14s %14s %14s %11s %20s\n", "kappa (J)", "contacts", "inverse (1/s)",
           "in 2011 (1/s)", "forward (1/s)", "root steps", "forward steps (most)");
    for (double kappa = 0.1; kappa > 5e-4; kappa *= 0.1) {
        sal_rng rng = {1};
        for (int i = 0; i < 4; i++) {
            round_trip there = {.scenes = scenes, .scratch = scratch};
            round_trip back = {.scenes = scenes, .scratch = scratch};
            for (int k = 0; k < SCENES; k++) {
                fill(&scenes[k], sizes[i].contacts, kappa, &rng);
            }
            for (int k = 0; k < SCENES; k++) {
                forward(&there); /* sets w */
            }
            const race r =
                stopwatch_race(inverse, &back, forward, &there, ROUNDS, 0.02, STOPWATCH_THREAD);
            printf("%8g %8d %14.0f %14.0f %14.0f %11.1f %14.1f (%d)\n", kappa, sizes[i].contacts,
                   1 / r.a, sizes[i].table, 1 / r.b, root_steps(&back),
                   (double)there.steps / (double)there.solves, there.most);
        }
    }
    return 0;
}
