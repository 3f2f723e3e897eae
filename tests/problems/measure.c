#include "tests/problems/measure.h"

#include "base/house.h"
#include "problems/result/result.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static double floor_force(const sal_result *r, int t)
{
    double sum = 0;
    for (int k = r->contact_offset[t]; k < r->contact_offset[t + 1]; k++) {
        sum += r->contact_force[6 * k];
    }
    return sum;
}

/* A cycle goes on, so that a flight may pass its end. */
static int longest_flight(const sal_result *r)
{
    int longest = 0, now = 0;
    for (int k = 0; k < 2 * r->nstep && longest < r->nstep; k++) {
        now = floor_force(r, k % r->nstep) < 0.01 * r->weight ? now + 1 : 0;
        longest = now > longest ? now : longest;
    }
    return longest;
}

static double excess_of(const double range[2], double u)
{
    return fmax(0, fmax(u - range[1], range[0] - u)) / (range[1] - range[0]);
}

measure measure_result(const sal_result *r)
{
    const sal_model *m = r->model;
    const int N = r->nstep, row = 3 * m->nbody;
    measure x = {0};
    double load = 0;
    x.speed = (r->xpos[N * row + 3] - r->xpos[3]) / (N * r->timestep);
    for (int t = 0; t < N; t++) {
        for (int a = 0; a < m->nu; a++) {
            const double u = r->ctrl[t * m->nu + a];
            x.ctrl2 += u * u / N;
            if (m->actuator_ctrllimited[a]) {
                x.excess = fmax(x.excess, excess_of(m->actuator_ctrlrange + 2 * a, u));
            }
        }
    }
    for (int k = 0; k < r->contact_offset[N]; k++) {
        x.penetration = fmax(x.penetration, -r->contact_dist[k]);
        x.slip += r->contact_force[6 * k] * r->contact_slip[k];
        load += r->contact_force[6 * k];
    }
    x.slip = load > 0 ? x.slip / load : 0;
    x.flight = longest_flight(r);
    return x;
}

/* ---- feet ---- */

typedef struct foot {
    double x;               /* of its body */
    double lowest, highest; /* of its geoms' ends */
} foot;

/* World position of a point fixed to a body in row t: x_b + R_b p */
static void place_point(const sal_result *r, int t, const sal_point *p, double out[3])
{
    const int nbody = r->model->nbody;
    sal_quat_rotate(out, r->xquat + 4 * (t * nbody + p->body), p->pos);
    sal_v3_add(out, out, r->xpos + 3 * (t * nbody + p->body));
}

static bool foot_at(const sal_result *r, int t, const char *geoms, foot *f)
{
    char names[256];
    *f = (foot){0, DBL_MAX, -DBL_MAX};
    snprintf(names, sizeof names, "%s", geoms);
    for (char *name = strtok(names, " "); name != NULL; name = strtok(NULL, " ")) {
        const int g = sal_model_find(r->model, SAL_OBJ_GEOM, name);
        for (int sign = -1; g >= 0 && sign <= 1; sign += 2) {
            const sal_point p = sal_point_geom(r->model, g, sign);
            double x[3];
            place_point(r, t, &p, x);
            f->lowest = fmin(f->lowest, x[2] - p.radius);
            f->highest = fmax(f->highest, x[2] - p.radius);
            f->x = r->xpos[3 * (t * r->model->nbody + p.body)];
        }
        if (g < 0) {
            return false;
        }
    }
    return true;
}

passing measure_passing(const sal_result *r, const char *left, const char *right)
{
    passing p = {.step = -1};
    double nearest = DBL_MAX, first = 0, last = 0;
    for (int t = 0; t <= r->nstep; t++) {
        foot l, rr;
        if (!foot_at(r, t, left, &l) || !foot_at(r, t, right, &rr)) {
            return (passing){.step = -1};
        }
        const double ahead = l.x - rr.x;
        first = t == 0 ? ahead : first;
        last = ahead;
        if (fabs(ahead) < nearest) {
            const bool left_swings = l.lowest > rr.lowest;
            nearest = fabs(ahead);
            p = (passing){t, left_swings ? l.lowest : rr.lowest,
                          left_swings ? rr.highest : l.highest};
        }
    }
    return first * last < 0 ? p : (passing){.step = -1};
}
