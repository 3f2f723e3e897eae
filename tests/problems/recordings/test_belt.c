/* Whether feet that stand move backwards: walkers from formulas, on the ground and on belts. */
#include "tests/check.h"

#include "base/house.h"
#include "problems/recordings/belt.h"

#include <math.h>
#include <string.h>

/* ---- a walker ---- */

enum { NPOINT = 7, ROWS = 400 };
static const double RATE = 100, STRIDE = 1.2, STANCE = .62;

typedef enum what { WALKS, STANDS, SKATES } what;

typedef struct walker {
    what what;
    /* m/s: of what is walked on; of walking over it */
    double ground[2], walk[2];
} walker;

/* Where foot 0, 1 is along the way over the ground, from the body's middle on, and its height: in
 * stance it rests on the ground, in swing it overtakes on a smooth path. */
static void foot(double speed, double t, int which, double *along, double *up)
{
    const double stride = t / STRIDE + .5 * which, part = stride - floor(stride);
    const double began = (floor(stride) - .5 * which) * STRIDE * speed;
    const double s = fmax(0, (part - STANCE) / (1 - STANCE)), smooth = s * s * (3 - 2 * s);
    *along = began + STRIDE * speed * smooth + .3;
    *up = .15 * sin(3.14159265358979 * s) * sin(3.14159265358979 * s);
}

/* Heel and toe of both feet, pelvis, chest, head. The last is not seen in some rows. */
static bool place(const void *ctx, int point, int row, double x[3])
{
    static const double height[NPOINT] = {.04, .035, .04, .035, .95, 1.3, 1.7};
    const walker *w = ctx;
    const double t = row / RATE, speed = hypot(w->walk[0], w->walk[1]);
    const double way[2] = {speed > 0 ? w->walk[0] / speed : 1, speed > 0 ? w->walk[1] / speed : 0};
    double along = speed * t, up = 0;
    if (point < 4 && w->what == WALKS) {
        foot(speed, t, point / 2, &along, &up);
    }
    along += point < 4 ? .2 * (point % 2) : 0;
    for (int i = 0; i < 2; i++) {
        x[i] = (w->what == STANDS ? 0 : along * way[i]) + w->ground[i] * t;
    }
    /* who walks sways */
    x[2] = height[point] + up + (point < 4 ? 0 : .02 * sin(4 * 3.14159265358979 * t / STRIDE));
    return point != NPOINT - 1 || row % 7 != 0;
}

static bool find(const walker *w, double walk[2])
{
    bool found = false;
    sal_err err;
    const prb_points points = {NPOINT, ROWS, RATE, w, place};
    CHECK_OK(prb_belt_of_points(walk, &found, &points, &err), err);
    return found;
}

/* On belts in several directions the velocity of walking comes out, and so it does where the walker
 * is a little faster or slower than the belt. */
static void belts_are_found(void)
{
    static const walker walkers[] = {{WALKS, {-1.2, 0}, {1.2, 0}},
                                     {WALKS, {.3, -.8}, {-.3, .8}},
                                     {WALKS, {0, 2.5}, {0, -2.5}},
                                     {WALKS, {-1.2, 0}, {1.3, .05}},
                                     {WALKS, {-1.2, 0}, {1.1, -.05}}};
    for (size_t i = 0; i < sizeof walkers / sizeof walkers[0]; i++) {
        double walk[2];
        CHECK(find(walkers + i, walk));
        for (int k = 0; k < 2; k++) {
            CHECK_NEAR(walk[k], -walkers[i].ground[k], .01);
        }
    }
}

/* Who walks over ground that rests, stands on it, or is carried by it, stands on no belt; nor does
 * who slides. */
static void what_is_no_belt_is_none(void)
{
    static const walker walkers[] = {{WALKS, {0, 0}, {1.2, 0}}, {WALKS, {0, 0}, {-.4, 3}},
                                     {STANDS, {0, 0}, {0, 0}},  {STANDS, {-1.2, 0}, {0, 0}},
                                     {SKATES, {0, 0}, {2, 1}},  {WALKS, {-.1, 0}, {.1, 0}}};
    for (size_t i = 0; i < sizeof walkers / sizeof walkers[0]; i++) {
        double walk[2];
        CHECK(!find(walkers + i, walk) && walk[0] == 0 && walk[1] == 0);
    }
}

/* Feet that move backwards together only for a moment, few footholds, or such that do not agree */
static void footholds_must_agree(void)
{
    static prb_foothold at[80];
    static const double rests[2] = {0};
    double walk[2];
    for (int i = 0; i < 80; i++) {
        at[i] = (prb_foothold){.05 * i, {-1 + .01 * (i % 3), .1}};
    }
    CHECK(prb_belt_find(walk, at, 80, .05, rests));
    CHECK_NEAR(walk[0], .99, 1e-3);
    CHECK_NEAR(walk[1], -.1, 1e-9);
    CHECK(!prb_belt_find(walk, at, 19, .05, rests));
    for (int i = 30; i < 80; i++) { /* the rest in all directions */
        at[i].v[0] = 2 * cos(i);
        at[i].v[1] = 2 * sin(i);
    }
    CHECK(!prb_belt_find(walk, at, 80, .05, rests));
}

static void memory_runs_out(void)
{
    static const walker walks = {WALKS, {-1.2, 0}, {1.2, 0}};
    const prb_points points = {NPOINT, ROWS, RATE, &walks, place};
    for (int k = 1; k <= 2; k++) {
        double walk[2];
        bool found = true;
        sal_err err;
        sal_alloc_fail_at(k);
        CHECK(prb_belt_of_points(walk, &found, &points, &err) == SAL_NOMEM && !found);
        sal_alloc_fail_at(0);
    }
}

int main(void)
{
    RUN(belts_are_found);
    RUN(what_is_no_belt_is_none);
    RUN(footholds_must_agree);
    RUN(memory_runs_out);
    return check_done();
}
