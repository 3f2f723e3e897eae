/* As test_agreement, a hundred states of each model. */
#include "tests/check.h"
#include "tests/physics/agreement.h"

static void inverse_dynamics_are_those_of_222(void)
{
    int faults;
    const int models = agreement_with_222(100, &faults);
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
