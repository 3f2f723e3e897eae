/* plates_units.c: what numbers of force plates would mean in other units than N, m and N m. */
#include "base/house.h"
#include "runs/plates_inverse.h"

#include <math.h>
#include <string.h>

static const double ALIKE = .35; /* of logarithms: a mean force beside the weight */
static const double TWIST = .3;  /* m: free moment over force. Friction on a foot does 0.1 */
static const double FIRM = .1;   /* of the weight */
static const double ROOM = 15;   /* m: plates are nearer to the origin */
static const double ENOUGH = .5; /* of what is loaded */

/* ---- forces ---- */

/* Vertical force of all plates in a row; NaN counts as none. */
static double load_of(const run_plates *p, int row)
{
    double sum = 0;
    for (int i = 0; i < p->n; i++) {
        const double f = run_plates_vertical(p, i, row);
        sum += isfinite(f) ? f : 0;
    }
    return sum;
}

/* The largest, and the mean of those above half of it: of someone who stands or walks it is about
 * the weight. */
static double mean_load(const run_plates *p, double *largest)
{
    double sum = 0;
    int n = 0;
    *largest = 0;
    for (int row = 0; row < p->s.nrow; row++) {
        *largest = fmax(*largest, load_of(p, row));
    }
    for (int row = 0; row < p->s.nrow; row++) {
        const double load = load_of(p, row);
        sum += load > *largest / 2 ? load : 0;
        n += load > *largest / 2;
    }
    return n > 0 ? sum / n : 0;
}

const char *run_unit_of_force(const run_inverse *c, double mean)
{
    const struct {
        double newtons;
        const char *name;
    } units[] = {
        {1000, "kN"}, {c->weight, "multiples of the weight"}, {9.81, "kg"}, {4.448, "lbf"}};
    double best = ALIKE;
    const char *unit = NULL;
    for (size_t i = 0; i < sizeof units / sizeof units[0] && mean > 0; i++) {
        const double off = fabs(log(mean * units[i].newtons / c->weight));
        unit = off < best ? units[i].name : unit;
        best = fmin(best, off);
    }
    return unit;
}

void run_units_of_nothing(const run_inverse *c, sal_text *out)
{
    double largest;
    const char *unit = run_unit_of_force(c, mean_load(&c->plates, &largest));
    sal_text_format(out,
                    ": their largest vertical force, of all together, is %.3g N, and the weight of "
                    "the model %.0f N",
                    largest, c->weight);
    if (unit != NULL) {
        sal_text_format(out, ". Are they in %s? Without a unit N is read", unit);
    }
}

/* ---- places ---- */

typedef struct guess {
    double metre, newton_metre;
    const char *name;
} guess;

static const guess guesses[] = {{1e-3, 1, "their points are in mm"},
                                {1e-2, 1, "their points are in cm"},
                                {.0254, 1, "their points are in inches"},
                                {1, 1e-3, "their moments are in N mm, or about another point"},
                                {1e-3, 1e-3, "their points are in mm and moments in N mm"}};
enum { GUESSES = sizeof guesses / sizeof guesses[0] };

/* m: the largest coordinate of a point at which something is loaded. */
static double farthest(const run_inverse *c)
{
    double most = 0;
    for (int i = 0; i < c->plates.n; i++) {
        for (int row = 0; row < c->plates.s.nrow; row++) {
            double x[3];
            run_plates_point(&c->plates, i, row, x);
            if (run_plates_vertical(&c->plates, i, row) > RUN_LOADED * c->weight) {
                most = fmax(most, fmax(fabs(x[0]), fabs(x[1])));
            }
        }
    }
    return most;
}

/* Which share of what is loaded is then under a foot. */
static double share_of(run_inverse *c, const guess *g)
{
    int loaded = 0, under = 0;
    const size_t nq = (size_t)c->m->nq;
    c->plates.metre = g->metre;
    c->plates.newton_metre = g->newton_metre;
    for (int t = 0; t < c->p->nstep; t++) {
        memcpy(c->d->qpos, c->poses.qpos + (size_t)t * nq, nq * sizeof(double));
        sal_kinematics(c->m, c->d);
        for (int i = 0; i < c->plates.n; i++) {
            run_wrench w;
            double distance;
            if (run_inverse_plate(c, i, t, &w) && w.force[2] > RUN_LOADED * c->weight) {
                run_feet_nearest(c->foot, c->d, w.point, &distance);
                loaded++;
                under += distance <= RUN_REACH;
            }
        }
    }
    c->plates.metre = c->plates.newton_metre = 1;
    return (double)under / fmax(1, loaded);
}

void run_units_of_place(run_inverse *c, sal_text *out)
{
    double best = ENOUGH;
    const char *unit = NULL;
    const bool far = farthest(c) > ROOM;
    for (int i = 0; i < GUESSES; i++) {
        const double share = far == (guesses[i].metre < 1) ? share_of(c, guesses + i) : 0;
        unit = share > best ? guesses[i].name : unit;
        best = fmax(best, share);
    }
    if (unit != NULL) {
        sal_text_format(
            out, "; they would be under the feet if %s. Without a unit m and N m are read", unit);
    }
}

/* ---- moments ---- */

void run_units_of_moment(const run_inverse *c)
{
    for (int i = 0; i < c->plates.n; i++) {
        double most = TWIST, moment = 0, force = 0;
        for (int t = 0; t < c->p->nstep; t++) {
            run_wrench w;
            if (!run_inverse_plate(c, i, t, &w) || !(w.force[2] > FIRM * c->weight)) {
                continue;
            }
            const double twist = fabs(w.torque[2]) / w.force[2];
            if (twist > most) {
                most = twist;
                moment = fabs(w.torque[2]);
                force = w.force[2];
            }
        }
        if (most > TWIST) {
            const char *name = c->plates.s.column[c->plates.plate[i].force].name;
            sal_text_format(
                c->notes,
                "plate '%.*s': its free moment is up to %.3g N m at a force of %.3g N; a foot "
                "gives at most some 0.1 N m per N%s\n",
                (int)strlen(name) - 3, name, moment, force,
                1e-3 * most < TWIST ? ". Are its moments in N mm? Without a unit N m is read" : "");
        }
    }
}
