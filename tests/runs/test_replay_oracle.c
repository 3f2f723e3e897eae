/* Results replay in libmujoco 2.2.2, step by step: the quick ones. */
#include "tests/check.h"
#include "tests/runs/replay_oracle.h"

static void pendulum_swingup_replays(void)
{
    replay_oracle("pendulum_swingup");
}

static void peers_problems_replay(void)
{
    replay_oracle("pendulum_quick");
    replay_oracle("acrobot_swingup");
    replay_oracle("cartpole_swingup");
    replay_oracle("particle_waypoints");
    replay_oracle("box_drop");
}

static void tendons_and_muscles_replay(void)
{
    replay_oracle("finger_reach");
    replay_oracle("arm_muscles");
}

static void walker_walk_replays(void)
{
    replay_oracle("walker_walk");
}

static void things_pushed_replay(void)
{
    replay_oracle("spinner");
    replay_oracle("two_arms_lift");
    replay_oracle("box_right");
    replay_oracle("box_up");
}

int main(void)
{
    RUN(pendulum_swingup_replays);
    RUN(peers_problems_replay);
    RUN(tendons_and_muscles_replay);
    RUN(walker_walk_replays);
    RUN(things_pushed_replay);
    return check_done();
}
