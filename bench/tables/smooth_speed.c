/* smooth_speed.c: Table 1 of Todorov (ICRA 2011): how many inverse solves of the smooth invertible
 * contact model a second, A and c given, and the steps of Newton's method (its Fig. 4); and the
 * forward direction. */
#include "bench/stopwatch.h"
#include "bench/tables/limp.h"
#include "bench/tables/tables.h"

#include "physics/laws/logbarrier_dense.h"

#include <stdio.h>
#include <string.h>

enum { MOST = LIMP_MOST, ROWS = 3 * MOST, SCENES = 32, SIZES = 4, SOFTNESSES = 3 };

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

/* R of 0.01 at no gap to 100 at 0.1 m, relative to A */
static void fill(scene *s, const limp_rows *from, double kappa)
{
    const phy_barrier_ramp ramp = {0.01, 100, LIMP_REACH, false};
    const int rows = 3 * from->contacts;
    s->system = (phy_barrier_system){rows,  from->contacts, s->dim, NULL, s->R,
                                     s->mu, s->vmin,        s->q,   s->A, kappa};
    memcpy(s->A, from->A, (size_t)(rows * rows) * sizeof *s->A);
    memcpy(s->c, from->c, (size_t)rows * sizeof *s->c);
    for (int i = 0; i < from->contacts; i++) {
        double unused;
        s->dim[i] = 3;
        s->vmin[i] = -from->gap[i] / LIMP_STEP;
        for (int k = 3 * i; k < 3 * i + 3; k++) {
            s->R[k] = phy_barrier_ramp_at(&unused, &ramp, from->gap[i]) * s->A[k * rows + k];
            s->mu[k] = from->mu[i];
        }
        s->q[i] = phy_barrier_steepness(10, s->R[3 * i], s->A[3 * i * (rows + 1)], 5);
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
    static limp_rows rows[SCENES];
    static double scratch[(ROWS + MOST + 10) * ROWS + MOST];
    round_trip there = {.scenes = scenes, .scratch = scratch};
    round_trip back = {.scenes = scenes, .scratch = scratch};
    char what[64], theirs[32] = "-", note[64];
    limp_collect(rows, SCENES, contacts);
    for (int k = 0; k < SCENES; k++) {
        fill(&scenes[k], &rows[k], kappa);
    }
    for (int k = 0; k < SCENES; k++) {
        forward(&there); /* sets w */
    }
    const race r = stopwatch_race(inverse, &back, forward, &there, effort->rounds, effort->batch,
                                  STOPWATCH_THREAD);
    int n = 0;
    if (paper > 0) {
        snprintf(theirs, sizeof theirs, "%.0f", paper);
        n = snprintf(note, sizeof note, "x %.3g; ", 1 / r.a / paper);
    }
    snprintf(note + n, sizeof note - (size_t)n, "%.1f steps of a root", root_steps(&back));
    snprintf(what, sizeof what, "inverse, kappa %g J, %d contacts", kappa, contacts);
    print_row(what, theirs, note, "%.4g", 1 / r.a);
    snprintf(what, sizeof what, "forward, kappa %g J, %d contacts", kappa, contacts);
    snprintf(note, sizeof note, "%.1f steps (at most %d); the inverse is x %.3g",
             (double)there.steps / (double)there.solves, there.most, r.ratio);
    print_row(what, NULL, note, "%.4g", 1 / r.b);
}

void smooth_speed(const table_effort *effort)
{
    static const int contacts[SIZES] = {2, 5, 10, 20};
    static const double table[SIZES] = {241774, 54190, 12991, 2361};
    static const double kappa[SOFTNESSES] = {0.1, 0.01, 0.001}; /* the paper's first */
    print_title("Todorov 2011, Table 1 and Fig. 4",
                "solves per second of logbarrier, A and c given");
    print_remark(
        "The paper: one thread of a 3 GHz QX9650 of 2008; states of a humanoid; the inverse as one "
        "dense problem by Newton's method.");
    print_remark(
        "Here: a limp human of 27 dofs (models/person.xml) falls and rolls; the first contacts of "
        "each state, of those nearer than 0.1 m; h 10 ms, R and q as in the paper, R relative to "
        "A.");
    print_remark(
        "The inverse here is one product with A, then one root for each contact: Fig. 4's "
        "iterations "
        "of a dense inverse (a drawing only: \"quite small, grows modestly\") have no counterpart. "
        "Newton's steps of the roots and of the forward direction stand instead.");
    print_head("direction", "1/s");
    for (int k = 0; k < SOFTNESSES; k++) {
        for (int i = 0; i < SIZES; i++) {
            print_size(effort, contacts[i], kappa[k], k == 0 ? table[i] : 0);
        }
    }
}
