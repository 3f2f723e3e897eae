/* The cost of transport of the walker against speed and the torso's mass: `saltus sweep
 * examples/walker_sweep.xml`, 60 cells. Nearly all are physical and do what their speed asks, which
 * is measured here on the motions themselves; the cost falls smoothly to one lowest speed and rises
 * from there. */
#include "tests/cli/command.h"
#include "tests/problems/measure.h"

#include "problems/result/result.h"

#include <math.h>

enum { MASSES = 5, SPEEDS = 12, CELLS = MASSES * SPEEDS };

static const double WALK = 1.5, RUN_FROM = 2.5;       /* m/s: up to, and from here, it has to */
static const double SLIP_WALK = 0.05, SLIP_RUN = 0.1; /* m/s */
static const double PENETRATION = 0.01;               /* m */
static const double SPEED_ERROR = 0.01;               /* relative */
static const double ENDS = 0.08;                      /* slowest and fastest over the lowest cost */
static const double DENT = 0.04;  /* on the way up from the lowest, below what was higher before */
static const double SPIKE = 0.05; /* over the mean of the neighbours' logarithms */
static const double JUMP = 0.35;  /* from one speed to the next */

typedef struct walk {
    char cell[65];
    double mass, speed, cost;
    bool physical, good;
    measure of;
} walk;

static walk cells[CELLS];
static char folder[300];

/* At its speed; no slip, not deep; slow ones walk, fast ones fly. */
static bool judge(const walk *w)
{
    const bool flies = w->of.flight > 0;
    return w->physical && fabs(w->of.speed - w->speed) <= SPEED_ERROR * w->speed &&
           (w->speed > WALK || !flies) && (w->speed < RUN_FROM || flies) &&
           w->of.slip <= (flies ? SLIP_RUN : SLIP_WALK) && w->of.penetration <= PENETRATION;
}

static void look_at(walk *w)
{
    char path[500];
    sal_result *r = NULL;
    sal_err err = {0};
    snprintf(path, sizeof path, "%s/cells/%.2s/%s.h5", folder, w->cell, w->cell);
    if (sal_result_read(&r, path, &err) != SAL_OK) {
        printf("    %s\n", err.message);
        return;
    }
    w->physical = r->exit_code == 0 && r->relative_to_weight <= r->physical_tolerance;
    w->of = measure_result(r);
    w->good = judge(w);
    if (!w->good) {
        printf("    %g kg, %g m/s: %s, %.4f m/s, %d steps of flight, slip %.3f m/s, penetration "
               "%.1f mm\n",
               w->mass, w->speed, r->status, w->of.speed, w->of.flight, w->of.slip,
               1e3 * w->of.penetration);
    }
    sal_result_free(r);
}

static void sixty_cells(void)
{
    char line[2000];
    const char *root = getenv("SALTUS_ROOT");
    int n = 0, physical = 0, good = 0;
    snprintf(folder, sizeof folder, "%s/walks", files_folder());
    snprintf(line, sizeof line, "sweep -q %s/examples/walker_sweep.xml -o %s -j 2",
             root == NULL ? "." : root, folder);
    const int code = run(line);
    CHECK(code == 0 || code == 6);
    snprintf(line, sizeof line,
             "table %s --columns cell,mass,speed,cost --sort mass,speed --format csv", folder);
    run(line);
    for (const char *row = strchr(out, '\n'); row != NULL && n < CELLS;
         row = strchr(row + 1, '\n')) {
        walk *w = &cells[n];
        if (sscanf(row + 1, "%64[^,],%lf,%lf,%lf", w->cell, &w->mass, &w->speed, &w->cost) >= 3) {
            look_at(w);
            physical += w->physical;
            good += w->good;
            n++;
        }
    }
    printf("    %d of %d physical, %d good\n", physical, n, good);
    CHECK(n == CELLS);
    CHECK(100 * physical >= 95 * n);
    CHECK(100 * good >= 95 * n);
}

/* The largest fall of y on the way from its lowest to i = last, by ones or minus ones, as a share
 * of what it had risen to. */
static double dent(const double *y, int lowest, int last)
{
    const int by = last < lowest ? -1 : 1;
    double highest = y[lowest], worst = 0;
    for (int i = lowest; i != last + by; i += by) {
        highest = fmax(highest, y[i]);
        worst = fmax(worst, 1 - y[i] / highest);
    }
    return worst;
}

/* y[n]: one valley, its bottom inside, without dents, spikes and jumps. */
static void check_valley(const double *y, int n, double mass)
{
    int lowest = 0;
    double spike = 0, jump = 0;
    for (int i = 1; i < n; i++) {
        lowest = y[i] < y[lowest] ? i : lowest;
        jump = fmax(jump, fabs(log(y[i] / y[i - 1])));
    }
    for (int i = 1; i < n - 1; i++) {
        spike = fmax(spike, log(y[i] / sqrt(y[i - 1] * y[i + 1])));
    }
    const double dents = fmax(dent(y, lowest, 0), dent(y, lowest, n - 1));
    printf("    %g kg: lowest %.4f, ends %+.0f %+.0f %%, dents %.1f, spikes %.1f, jumps %.1f %%\n",
           mass, y[lowest], 100 * (y[0] / y[lowest] - 1), 100 * (y[n - 1] / y[lowest] - 1),
           100 * dents, 100 * spike, 100 * jump);
    CHECK(lowest > 0 && lowest < n - 1);
    CHECK(fmin(y[0], y[n - 1]) >= (1 + ENDS) * y[lowest]);
    CHECK(dents <= DENT);
    CHECK(spike <= SPIKE);
    CHECK(jump <= JUMP);
}

static void the_cost_is_a_valley(void)
{
    for (int m = 0; m < MASSES; m++) {
        double y[SPEEDS];
        int n = 0;
        for (int i = 0; i < SPEEDS; i++) {
            const walk *w = &cells[m * SPEEDS + i];
            CHECK(w->mass == cells[m * SPEEDS].mass);
            if (w->physical) {
                y[n++] = w->cost;
            }
        }
        CHECK(n >= SPEEDS - 2);
        check_valley(y, n, cells[m * SPEEDS].mass);
    }
}

int main(void)
{
    RUN(sixty_cells);
    RUN(the_cost_is_a_valley);
    files_remove();
    return check_done();
}
