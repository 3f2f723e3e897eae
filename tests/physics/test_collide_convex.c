/* Nearest points of convex shapes, and the least motion that parts them. */
#include "tests/check.h"
#include "tests/physics/convex.h"

static void nearest_points_prove_themselves(void)
{
    CHECK(convex_pairs(1000, 21) == 0);
}

int main(void)
{
    RUN(nearest_points_prove_themselves);
    return check_done();
}
