/* The problems that others are measured on, those with legs: each solved as it stands, judged by
 * its result alone and by where its controls lead. */
#include "tests/problems/example.h"

#include "problems/result/result.h"

/* Largest |value| of rows of n numbers, steps 0 .. N-1 */
static double largest(const sal_result *r, const double *rows, int n)
{
    double most = 0;
    for (int i = 0; i < r->nstep * n; i++) {
        most = fmax(most, fabs(rows[i]));
    }
    return most;
}

static const double *body_at(const sal_result *r, const char *body, int t)
{
    const int b = sal_model_find(r->model, SAL_OBJ_BODY, body);
    CHECK(b > 0);
    return r->xpos + 3 * (t * r->model->nbody + (b > 0 ? b : 0));
}

static double distance(const double *a, const double *b)
{
    double square = 0;
    for (int i = 0; i < 3; i++) {
        square += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return sqrt(square);
}

/* Where the controls alone lead: the error of the configuration at the end of the whole motion. */
static double driven_error(const sal_result *r)
{
    sal_replay replay = {0};
    sal_err err = {0};
    CHECK_OK(sal_result_replay(&replay, r, false, &err), err);
    const double error = replay.nstep > 0 ? replay.rollout_qpos[replay.nstep - 1] : (double)NAN;
    sal_replay_clear(&replay);
    return error;
}

/* It stands at rest half a metre further on, and its foot left the floor on the way. */
static void hopper_travel(void)
{
    measure x = {0};
    sal_result *r = example_solve("hopper_travel", &x);
    if (r == NULL) {
        return;
    }
    const double left = fabs(r->qpos[r->nstep * r->model->nq] - 0.5);
    const double rest = fabs(r->qvel[r->nstep * r->model->nv]);
    const double nowhere = largest(r, r->qfrc_unactuated, r->model->nv);
    const figure figures[] = {{"distance_left", left, 5e-3},
                              {"velocity_at_rest", rest, 1e-3},
                              {"unactuated", nowhere, 1e-2},
                              {"slip", x.slip, 0.05},
                              {"penetration", x.penetration, 0.02}};
    CHECK(r->nstep == 40);
    CHECK_NEAR(r->timestep, 0.05, 1e-15);
    CHECK(x.flight >= 2);
    example_log("hopper_travel", r, figures, 5);
    sal_result_free(r);
}

static void raibert_hop(void)
{
    static const double via[3] = {0.5, 0.5, 1.05}, goal[3] = {0.5, 0.5, 0.55};
    measure x = {0};
    sal_result *r = example_solve("raibert_hop", &x);
    if (r == NULL) {
        return;
    }
    const double to_via = distance(body_at(r, "body", r->nstep / 2), via);
    const double to_goal = distance(body_at(r, "body", r->nstep), goal);
    const double driven = driven_error(r);
    const figure figures[] = {{"distance_to_via", to_via, 5e-3},
                              {"distance_to_goal", to_goal, 5e-3},
                              {"driven_error", driven, 1e-3},
                              {"penetration", x.penetration, 0.04}};
    CHECK(r->nstep == 20);
    CHECK_NEAR(r->timestep, 0.05, 1e-15);
    example_log("raibert_hop", r, figures, 4);
    sal_result_free(r);
}

static void gait_half_cycle(void)
{
    measure x = {0};
    sal_result *r = example_solve("gait_half_cycle", &x);
    if (r == NULL) {
        return;
    }
    const double closure = driven_error(r), duration = r->nstep * r->timestep;
    const double too_slow = fabs(x.speed - 1.2);
    const figure figures[] = {
        {"closure", closure, 1e-4}, /* after half a cycle driven by ctrl alone */
        {"root_force", r->relative_to_weight, 1e-6},
        {"speed_error", too_slow, 0.012},
        {"slip", x.slip, 0.05},
        {"penetration", x.penetration, 0.01}};
    CHECK(r->model->nv == 10 && r->nstep == 50);
    CHECK(duration >= 0.4 && duration <= 0.6);
    example_log("gait_half_cycle", r, figures, 5);
    sal_result_free(r);
}

/* Correlation, over a cycle, of how far the left elbow is before the right with how far the left
 * foot is before the right. In the mirrored half both change their sign, so that both means are
 * zero. */
static double arms_with_legs(const sal_result *r)
{
    double aa = 0, al = 0, ll = 0;
    for (int t = 0; t < r->nstep; t++) {
        const double arm = body_at(r, "left_lower_arm", t)[0] - body_at(r, "right_lower_arm", t)[0];
        const double leg = body_at(r, "left_foot", t)[0] - body_at(r, "right_foot", t)[0];
        aa += arm * arm, al += arm * leg, ll += leg * leg;
    }
    return al / sqrt(aa * ll);
}

static void humanoid_run(void)
{
    measure x = {0};
    sal_result *r = example_solve("humanoid_run", &x);
    if (r == NULL) {
        return;
    }
    const double together = 1 + arms_with_legs(r);
    const figure figures[] = {{"root_wrench", r->relative_to_weight, 1e-6},
                              {"one_plus_arms_with_legs", together, 0.5},
                              {"slip", x.slip, 0.1},
                              {"penetration", x.penetration, 0.01}};
    CHECK(r->model->nv >= 27 && r->nstep >= 20 && r->nstep <= 30);
    CHECK(x.flight >= 2);
    CHECK_NEAR(x.speed, 3, 0.03);
    example_log("humanoid_run", r, figures, 4);
    sal_result_free(r);
}

int main(void)
{
    RUN(hopper_travel);
    RUN(raibert_hop);
    RUN(gait_half_cycle);
    RUN(humanoid_run);
    return check_done();
}
