/* clock.c: where the time of a solve goes. */
#include "optim/optim.h"

const char *sal_work_name(sal_work work)
{
    static const char *const name[] = {
#define OPT_WORK_NAME(code, name) name,
        SAL_WORK_LIST(OPT_WORK_NAME)
#undef OPT_WORK_NAME
    };
    return name[work];
}

sal_work sal_clock_turn(sal_clock *clock, sal_work work)
{
    if (clock == NULL) {
        return SAL_WORK_REST;
    }
    const double now = clock->now();
    const sal_work before = clock->work;
    clock->seconds[before] += clock->since > 0 ? now - clock->since : 0;
    clock->work = work;
    clock->since = now;
    return before;
}

void sal_clock_turn_by(sal_clock *clock, int worker, sal_work work)
{
    if (worker == 0) {
        sal_clock_turn(clock, work);
    }
}
