/* Everything that positions, velocities and accelerations determine, beside libmujoco 2.2.2: every
 * model of the corpus, a few states each. */
#include "tests/check.h"
#include "tests/physics/agreement.h"

#ifndef STATES
#define STATES 8 /* of each model */
#endif

static void inverse_dynamics_are_those_of_222(void)
{
    int faults;
    const int models = agreement_with_222(STATES, &faults);
    CHECK(faults == 0);
    if (models == 0) {
        SKIP("no corpus");
    }
    CHECK(models >= 88);
}

int main(void)
{
    RUN(inverse_dynamics_are_those_of_222);
    return check_done();
}
