/* Examples over height fields: each reproduces its log, and its feet are on the ground, which is
 * high where they are. */
#include "tests/problems/example.h"

#include "base/house.h"

/* How high the root is over where it began. */
static double climbed(const sal_result *r, int at)
{
    return r->qpos[r->nstep * r->model->nq + at] - r->qpos[at];
}

/* Three risers of .06 m, the first from .01 m below the floor. */
static void walker_stairs(void)
{
    measure x = {0};
    sal_result *r = example_solve("walker_stairs", &x);
    if (r == NULL) {
        return;
    }
    const figure figures[] = {{"unactuated", r->relative_to_weight, 1e-9},
                              {"slip", x.slip, 0.1},
                              {"penetration", x.penetration, 0.03}};
    CHECK(r->nstep == 120);
    CHECK_NEAR(climbed(r, 1), 3 * 0.06 - 0.01, 1e-5);
    example_log("walker_stairs", r, figures, 3);
    sal_result_free(r);
}

static void quadruped_terrain(void)
{
    measure x = {0};
    sal_result *r = example_solve("quadruped_terrain", &x);
    if (r == NULL) {
        return;
    }
    const figure figures[] = {{"unactuated", r->relative_to_weight, 1e-9},
                              {"slip", x.slip, 0.1},
                              {"penetration", x.penetration, 0.03}};
    CHECK(r->nstep == 60);
    CHECK_NEAR(climbed(r, 0), 1.2, 1e-5);
    example_log("quadruped_terrain", r, figures, 3);
    sal_result_free(r);
}

int main(void)
{
    RUN(walker_stairs);
    RUN(quadruped_terrain);
    return check_done();
}
