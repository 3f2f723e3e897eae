/* The problems that others are measured on: each solved as it stands, judged by its result alone
 * and by where its controls lead. */
#include "tests/problems/example.h"

#include "problems/result/result.h"

/* Largest |q_N - q| and |v_N| of a mechanism of hinges and slides that was to arrive at rest in the
 * key pose. */
typedef struct arrival {
    double position, velocity;
} arrival;

static arrival arrive(const sal_result *r, const char *key)
{
    const sal_model *m = r->model;
    const int k = sal_model_find(m, SAL_OBJ_KEY, key);
    arrival end = {0};
    CHECK(k >= 0 && m->nq == m->nv);
    for (int i = 0; i < m->nv && k >= 0; i++) {
        const double q = r->qpos[r->nstep * m->nq + i];
        end.position = fmax(end.position, fabs(q - m->key_qpos[k * m->nq + i]));
        end.velocity = fmax(end.velocity, fabs(r->qvel[r->nstep * m->nv + i]));
    }
    return end;
}

/* The same where the controls alone lead from the start, all the way through the forward
 * dynamics. */
static arrival arrive_driven(const sal_result *r, const char *key)
{
    sal_replay replay = {0};
    sal_err err = {0};
    arrival end = arrive(r, key);
    CHECK_OK(sal_result_replay(&replay, r, false, &err), err);
    end.position += replay.rollout_qpos[replay.nstep - 1];
    end.velocity += replay.rollout_qvel[replay.nstep - 1];
    sal_replay_clear(&replay);
    return end;
}

/* Largest absolute value in column i of rows of n numbers, steps 0 .. N-1 */
static double largest(const sal_result *r, const double *rows, int n, int i)
{
    double most = 0;
    for (int t = 0; t < r->nstep; t++) {
        most = fmax(most, fabs(rows[t * n + i]));
    }
    return most;
}

static double unactuated(const sal_result *r)
{
    double most = 0;
    for (int i = 0; i < r->model->nv; i++) {
        most = fmax(most, largest(r, r->qfrc_unactuated, r->model->nv, i));
    }
    return most;
}

/* From hanging to standing, at rest: angle, velocity, torque from nowhere. */
static void swing_up(const char *name)
{
    measure x;
    sal_result *r = example_solve(name, &x);
    if (r != NULL) {
        const arrival end = arrive_driven(r, "up");
        const figure figures[] = {{"end_angle", end.position, 0.05},
                                  {"end_velocity", end.velocity, 0.1},
                                  {"unactuated", unactuated(r), 1e-3}};
        CHECK(r->qpos[0] == 0 && r->qvel[0] == 0);
        CHECK(r->nstep == 40);
        CHECK_NEAR(r->timestep, 0.05, 1e-15);
        example_log(name, r, figures, 3);
    }
    sal_result_free(r);
}

static void pendulum_quick(void)
{
    swing_up("pendulum_quick");
}

static void acrobot_swingup(void)
{
    swing_up("acrobot_swingup");
}

static void cartpole_swingup(void)
{
    measure x;
    sal_result *r = example_solve("cartpole_swingup", &x);
    if (r != NULL) {
        const arrival end = arrive(r, "up");
        const arrival driven = arrive_driven(r, "up");
        const double hinge = largest(r, r->qfrc_unactuated, 2, 1), cart = largest(r, r->qpos, 2, 0),
                     force = largest(r, r->ctrl, 1, 0);
        const figure figures[] = {{"end_position", end.position, 1e-3},
                                  {"end_velocity", end.velocity, 1e-3},
                                  {"driven_to", driven.position, 1e-3},
                                  {"hinge_residual", hinge, 1e-3},
                                  {"cart", cart, 1.8},
                                  {"force", force, 10.00001}};
        CHECK(r->nstep == 500);
        CHECK_NEAR(r->timestep, 0.01, 1e-15);
        example_log("cartpole_swingup", r, figures, 6);
    }
    sal_result_free(r);
}

/* Largest distance from the points at their times. */
static double missed_by(const sal_result *r, const double (*point)[4], int n)
{
    double most = 0;
    for (int k = 0; k < n; k++) {
        const int t = (int)lround(point[k][0] / r->timestep);
        const double *q = r->qpos + (ptrdiff_t)t * r->model->nq;
        const double d[3] = {q[0] - point[k][1], q[1] - point[k][2], q[2] - point[k][3]};
        most = fmax(most, sal_v3_norm(d));
    }
    return most;
}

static void particle_waypoints(void)
{
    static const double pinned[2][4] = {{0, -1, 0, 1}, {4, 1, 0, 1}};
    static const double points[5][4] = {{0.6, -0.5, 0.5, 1.3},
                                        {1.2, 0, 0.4, 0.6},
                                        {2, 0.3, -0.5, 0.9},
                                        {2.7, 0.6, 0, 1.5},
                                        {3.3, 0.9, 0.3, 1.2}};
    measure x;
    sal_result *r = example_solve("particle_waypoints", &x);
    if (r != NULL) {
        const arrival driven = arrive_driven(r, "right");
        const double points_missed = missed_by(r, points, 5), ends_missed = missed_by(r, pinned, 2);
        const figure figures[] = {{"waypoints", points_missed, 1e-3},
                                  {"ends", ends_missed, 1e-3},
                                  {"driven_to", driven.position + driven.velocity, 1e-3}};
        CHECK(r->nstep == 400);
        CHECK_NEAR(r->timestep, 0.01, 1e-15);
        CHECK_NEAR(sal_v3_norm(r->qvel) + sal_v3_norm(r->qvel + (ptrdiff_t)3 * r->nstep), 0, 1e-12);
        example_log("particle_waypoints", r, figures, 3);
    }
    sal_result_free(r);
}

/* The motion that was recorded: the model's own fall. */
static sal_result *true_drop(void)
{
    char path[1024];
    const char *root = getenv("SALTUS_ROOT");
    const sal_simulate_options options = {.time = 1, .key = "drop"};
    sal_simulation simulation;
    sal_model *m = NULL;
    sal_result *truth = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    snprintf(path, sizeof path, "%s/models/parcel.xml", root == NULL ? "." : root);
    CHECK_OK(sal_model_load(&m, path, NULL, &diag, &err), err);
    CHECK_OK(sal_simulate(&simulation, m, &options, NULL, &truth, &diag, &err), err);
    sal_model_free(m);
    sal_diag_clear(&diag);
    return truth;
}

/* Root of the mean square distance of the corners, which are the sensors, from where they were. */
static double corners_rms(const sal_result *a, const double *corners)
{
    const int n = a->model->nsensordata;
    double sum = 0;
    for (int i = 0; i < (a->nstep + 1) * n; i++) {
        sum += pow(a->sensordata[i] - corners[i], 2);
    }
    return sqrt(3 * sum / ((a->nstep + 1) * n));
}

static void box_drop(void)
{
    measure x;
    sal_result *truth = true_drop(), *r = example_solve("box_drop", &x);
    if (r != NULL && truth != NULL) {
        CHECK(r->nstep == 200 && truth->nstep == 200 && r->model->nsensordata == 24);
        CHECK_NEAR(r->timestep, 0.005, 1e-15);
        const double rms = corners_rms(r, truth->sensordata), force = unactuated(r);
        const figure figures[] = {{"corners_rms", rms, 1e-3}, {"unactuated", force, 1e-8}};
        example_log("box_drop", r, figures, 2);
    }
    sal_result_free(truth);
    sal_result_free(r);
}

int main(void)
{
    RUN(pendulum_quick);
    RUN(acrobot_swingup);
    RUN(cartpole_swingup);
    RUN(particle_waypoints);
    RUN(box_drop);
    return check_done();
}
