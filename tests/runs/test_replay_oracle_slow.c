/* Results replay in libmujoco 2.2.2, step by step: those that take longer to solve. */
#include "tests/check.h"
#include "tests/runs/replay_oracle.h"

static void hopper_hop_replays(void)
{
    replay_oracle("hopper_hop");
}

static void walker_run_replays(void)
{
    replay_oracle("walker_run");
}

static void humanoid_walk_replays(void)
{
    replay_oracle("humanoid_walk");
}

int main(void)
{
    RUN(hopper_hop_replays);
    RUN(walker_run_replays);
    RUN(humanoid_walk_replays);
    return check_done();
}
