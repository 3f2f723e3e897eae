/* The examples do what they say: those that take longer to solve. */
#include "tests/problems/example.h"

static void walker_run(void)
{
    measure x;
    sal_result *r = example_solve("walker_run", &x);
    if (r != NULL) {
        example_gait("walker_run", r, &x, (limits){3, 0.01, 0.1});
        CHECK(x.flight >= 2);
        sal_result_free(r);
    }
}

static void humanoid_walk(void)
{
    measure x;
    sal_result *r = example_solve("humanoid_walk", &x);
    if (r != NULL) {
        example_gait("humanoid_walk", r, &x, (limits){1, 0.008, 0.05});
        example_feet_pass(r, "left_foot_outer left_foot_inner", "right_foot_outer right_foot_inner",
                          0.02, 0.01);
        sal_result_free(r);
    }
}

int main(void)
{
    RUN(walker_run);
    RUN(humanoid_walk);
    return check_done();
}
