/* Results replay in libmujoco 2.2.2, step by step: the quick ones. */
#include "tests/check.h"
#include "tests/runs/replay_oracle.h"

#include "runs/runs.h"

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

/* The motion in a model with another time step, in both engines: the controls of a row hold until
 * the next. All joints are scalar. */
static void another_model_departs_as_much(const char *name, int substeps, double seconds)
{
    sal_result *r = replay_solve(name);
    mjModel *m = r == NULL ? NULL : replay_load(r->model_xml);
    sal_model *own = NULL;
    sal_rollout x;
    sal_err err = {0};
    CHECK(m != NULL);
    if (m == NULL) {
        sal_result_free(r);
        return;
    }
    CHECK_OK(sal_model_copy(&own, r->model, &err), err);
    own->opt.timestep = m->opt.timestep = r->timestep / substeps;
    const sal_rollout_options options = {.tolerance = 0.05};
    CHECK_OK(sal_result_roll(&x, r, own, &options, &err), err);
    CHECK(x.nstep == substeps * r->nstep);
    mjData *d = mj_makeData(m);
    memcpy(d->qpos, r->qpos, (size_t)m->nq * sizeof(double));
    memcpy(d->qvel, r->qvel, (size_t)m->nv * sizeof(double));
    const int n = (int)(seconds / own->opt.timestep + 0.5);
    double largest = 0;
    for (int k = 0; k < n && k < x.nstep; k++) {
        memcpy(d->ctrl, r->ctrl + k / substeps * m->nu, (size_t)m->nu * sizeof(double));
        mj_step(m, d);
        if ((k + 1) % substeps == 0) {
            const double *q = r->qpos + (k + 1) / substeps * m->nq;
            double most = 0;
            for (int i = 0; i < m->nq; i++) {
                most = fmax(most, fabs(d->qpos[i] - q[i]));
            }
            CHECK_NEAR(x.joint[k].value, most, 1e-7 + 1e-6 * most);
            largest = fmax(largest, most);
        }
    }
    printf("%s at 1/%d of its step: departs by %.3g in both engines\n", name, substeps, largest);
    CHECK(largest > 1e-3);
    mj_deleteData(d);
    mj_deleteModel(m);
    sal_rollout_clear(&x);
    sal_model_free(own);
    sal_result_free(r);
}

static void other_time_steps_depart_as_much(void)
{
    another_model_departs_as_much("acrobot_swingup", 3, 1);
    another_model_departs_as_much("walker_walk", 5, 0.3);
}

int main(void)
{
    RUN(pendulum_swingup_replays);
    RUN(peers_problems_replay);
    RUN(tendons_and_muscles_replay);
    RUN(walker_walk_replays);
    RUN(things_pushed_replay);
    RUN(other_time_steps_depart_as_much);
    return check_done();
}
