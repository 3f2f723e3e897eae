#include "tests/problems/motions.h"

#include "problems/result/result.h"
#include "runs/runs.h"

static void a_simulated_motion_replays(void)
{
    for (int which = 0; which < 4; which++) {
        motion a;
        sal_replay replay;
        sal_err err = {0};
        const bool forces = which % 2 == 1;
        if (which < 2) {
            motion_pendulum(&a);
        } else {
            motion_hopper(&a, forces); /* a push is none of ctrl's */
        }
        CHECK_OK(sal_result_replay(&replay, a.r, forces, &err), err);
        CHECK(replay.onestep_qpos < 1e-11 && replay.onestep_qvel < 1e-9);
        CHECK(replay.nstep == a.n && replay.rollout_qpos[a.n - 1] < 1e-5);
        CHECK(replay.onestep_step >= 0 && replay.onestep_step < a.n);
        sal_replay_clear(&replay);
        motion_clear(&a);
    }
}

static void a_push_shows_where_it_acts(void)
{
    motion a;
    sal_replay replay;
    sal_err err = {0};
    motion_hopper(&a, true);
    CHECK_OK(sal_result_replay(&replay, a.r, false, &err), err);
    CHECK(replay.onestep_qvel > 1e-3);
    sal_replay_clear(&replay);
    motion_clear(&a);
}

/* Forces make up for everything, over the wrap too; a broken wrap is seen in the last step only. */
static void the_wrap_of_a_cycle_counts(void)
{
    motion a;
    sal_replay replay;
    sal_err err = {0};
    motion_cycle(&a);
    CHECK_OK(sal_result_replay(&replay, a.r, true, &err), err);
    CHECK(replay.onestep_qpos < 1e-11 && replay.onestep_qvel < 1e-9);
    sal_replay_clear(&replay);
    a.r->image->qpos_sign[1] = 1; /* as if y stayed */
    CHECK_OK(sal_result_replay(&replay, a.r, true, &err), err);
    CHECK(replay.onestep_step == a.n - 1 && replay.onestep_dof == 1);
    CHECK_NEAR(replay.onestep_qpos, 0.06, 1e-9);
    sal_replay_clear(&replay);
    motion_clear(&a);
}

int main(void)
{
    RUN(a_simulated_motion_replays);
    RUN(a_push_shows_where_it_acts);
    RUN(the_wrap_of_a_cycle_counts);
    return check_done();
}
