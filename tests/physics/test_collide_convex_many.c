/* The pairs of test_collide_convex, ten thousand of them. */
#include "tests/check.h"
#include "tests/physics/convex.h"

static void nearest_points_prove_themselves(void)
{
    CHECK(convex_pairs(10000, 22) == 0);
}

int main(void)
{
    RUN(nearest_points_prove_themselves);
    return check_done();
}
