/* phase.c: the phases of a solve: what each is called, and what its merit counts. */
#include "optim/solver.h"

static const struct {
    const char *name;
    opt_rows rows;
} phases[] = {
#define PHASE_ROW(code, name, rows, turn) {name, rows},
    OPT_PHASE_LIST(PHASE_ROW)
#undef PHASE_ROW
};

const char *opt_phase_name(opt_phase phase)
{
    return phases[phase].name;
}

opt_rows opt_phase_rows(opt_phase phase)
{
    return phases[phase].rows;
}

void opt_phase_enter(sal_optim *o, opt_phase phase)
{
    o->state.phase = phase;
    o->state.step = 0;
    o->rows = phases[phase].rows;
}

void opt_phase_end(sal_optim *o, sal_stop stop)
{
    opt_phase_enter(o, OPT_PHASE_END);
    o->state.count.stop = stop;
}
