/* The exact derivatives of the inverse beside differences: every model of the corpus, a few states
 * each. */
#include "tests/check.h"
#include "tests/physics/deriv/twins.h"

#ifndef STATES
#define STATES 3 /* of each model, with either cone */
#endif

static void small_models_have_exact_derivatives(void)
{
    int faults;
    CHECK(twins_of_small_models(STATES < 100 ? 4 * STATES : STATES, &faults) >= 1);
    CHECK(faults == 0);
}

static void models_have_exact_derivatives(void)
{
    int faults;
    const int models = twins_of_models(STATES, &faults);
    CHECK(faults == 0);
    if (models == 0) {
        SKIP("no corpus");
    }
}

int main(void)
{
    RUN(small_models_have_exact_derivatives);
    RUN(models_have_exact_derivatives);
    return check_done();
}
