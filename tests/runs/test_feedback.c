/* Feedback about motions: derivatives of a step against differences, gains against solutions that
 * are known, and motions that hold where they would fall. */
#include "tests/problems/motions.h"
#include "tests/problems/solve_file.h"

#include "runs/gains.h"
#include "runs/linear.h"
#include "runs/lqr.h"
#include "runs/runs.h"

/* ---- one step to first order ---- */

static double largest(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) {
        most = fabs(x[i]) <= most ? most : fabs(x[i]);
    }
    return most;
}

/* Exact derivatives of step t of a result, and centred differences of the engine's step, relative
 * to the largest entry. */
static double twins_differ(const sal_result *r, int t)
{
    const int n = 2 * r->model->nv, nu = r->model->nu, nA = n * n, nB = n * nu;
    double *A = sal_alloc((size_t)(2 * (nA + nB)), sizeof(double)), *B = A + nA;
    double *fd = B + nB;
    sal_model *m = NULL;
    sal_data *d = NULL;
    sal_err err = {0};
    double worst = 0;
    CHECK_OK(sal_model_copy(&m, r->model, &err), err);
    m->opt.tolerance = 0;
    m->opt.iterations = 300;
    CHECK_OK(sal_data_new(&d, m, &err), err);
    const run_state x = {r->qpos + t * m->nq, r->qvel + t * m->nv, r->act, r->ctrl + t * nu, NULL};
    CHECK_OK(run_linear_exact(m, d, A, B, &x, x.qpos + m->nq, x.qvel + m->nv, &err), err);
    CHECK_OK(run_linear_fd(m, d, fd, fd + nA, &x, &err), err);
    const double scale[2] = {largest(A, nA), largest(B, nB)};
    for (int i = 0; i < nA + nB; i++) {
        worst = fmax(worst, fabs(A[i] - fd[i]) / scale[i >= nA]);
    }
    CHECK(scale[0] > 0.5 && scale[1] > 0);
    sal_data_free(d);
    sal_model_free(m);
    sal_free(A);
    return worst;
}

/* Rotations of a free joint, a servo, damping, contacts that slide and land */
static void exact_derivatives_of_a_step_are_those_of_the_engine(void)
{
    motion a;
    double worst = 0;
    motion_hopper(&a, false);
    for (int t = 0; t < a.n; t++) {
        worst = fmax(worst, twins_differ(a.r, t));
    }
    printf("free hopper: %.2g of the largest entry\n", worst);
    CHECK(worst < 1e-5);
    motion_clear(&a);
    motion_pendulum(&a);
    worst = 0;
    for (int t = 0; t < a.n; t++) {
        worst = fmax(worst, twins_differ(a.r, t));
    }
    printf("pendulum: %.2g\n", worst);
    CHECK(worst < 1e-7);
    motion_clear(&a);
}

static void implicit_integrators_have_derivatives_too(void)
{
    for (int integrator = SAL_INT_IMPLICIT; integrator <= SAL_INT_IMPLICITFAST; integrator++) {
        motion a;
        const double v0[8] = {0.3, 0, -1, 0.1, 0.2, -0.1, 0.4, -0.5};
        double worst = 0;
        motion_allocate(&a, hopper_xml, 30);
        a.m->opt.integrator = integrator;
        motion_simulate(&a, v0);
        for (int t = 0; t < a.n; t++) {
            worst = fmax(worst, twins_differ(a.r, t));
        }
        printf("integrator %d: %.2g of the largest entry\n", integrator, worst);
        CHECK(worst < 1e-5);
        motion_clear(&a);
    }
}

/* ---- the recursion ---- */

/* Residual of the algebraic equation P = Q + A'P A - A'P B (R + B'P B)^-1 B'P A, one control */
static double residual(const double *P, const double *A, const double *B, const double *Q, double R,
                       int n)
{
    double PA[16], PB[4], BPA[4], most = 0, S = R;
    for (int i = 0; i < n; i++) {
        PB[i] = 0;
        for (int k = 0; k < n; k++) {
            PB[i] += P[i * n + k] * B[k];
            PA[i * n + k] = 0;
            for (int s = 0; s < n; s++) {
                PA[i * n + k] += P[i * n + s] * A[s * n + k];
            }
        }
        S += B[i] * PB[i];
    }
    for (int k = 0; k < n; k++) {
        BPA[k] = 0;
        for (int s = 0; s < n; s++) {
            BPA[k] += PB[s] * A[s * n + k];
        }
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++) {
            double x = (i == k ? Q[i] : 0) - BPA[i] * BPA[k] / S - P[i * n + k];
            for (int s = 0; s < n; s++) {
                x += A[s * n + i] * PA[s * n + k];
            }
            most = fmax(most, fabs(x));
        }
    }
    return most;
}

/* x+ = a x + b u: p = q + a^2 p - a^2 b^2 p^2/(r + b^2 p), that is
 * b^2 p^2 + (r - a^2 r - b^2 q) p - q r = 0. */
static void a_scalar_system_has_the_known_gain(void)
{
    const double a = 1.3, b = 0.4, q = 2, r = 0.7;
    const double half = 0.5 * (r - a * a * r - b * b * q);
    const double p = (-half + sqrt(half * half + b * b * q * r)) / (b * b);
    run_lqr l;
    sal_err err = {0};
    double K = 0;
    CHECK_OK(run_lqr_new(&l, 1, 1, &q, &r, &err), err);
    for (int i = 0; i < 200; i++) {
        CHECK(run_lqr_step(&l, &K, &a, &b));
    }
    CHECK_NEAR(l.P[0], p, 1e-12);
    CHECK_NEAR(K, -a * b * p / (r + b * b * p), 1e-12);
    run_lqr_clear(&l);
}

/* A mass on a line, h = 0.1 s: the recursion ends at the solution of the algebraic equation.
 * Without weight on its place nothing has to move it back: that gain is 0. */
static void a_double_integrator_solves_the_algebraic_equation(void)
{
    const double h = 0.1, A[4] = {1, h, 0, 1}, B[2] = {0.5 * h * h, h}, R = 0.5;
    const double weights[2][2] = {{3, 1}, {0, 1}};
    for (int w = 0; w < 2; w++) {
        run_lqr l;
        sal_err err = {0};
        double K[2] = {0};
        CHECK_OK(run_lqr_new(&l, 2, 1, weights[w], &R, &err), err);
        for (int i = 0; i < 2000; i++) {
            CHECK(run_lqr_step(&l, K, A, B));
        }
        CHECK(residual(l.P, A, B, weights[w], R, 2) < 1e-10);
        CHECK(w == 0 ? K[0] < 0 && K[1] < 0 : K[0] == 0 && K[1] < 0);
        run_lqr_clear(&l);
    }
}

/* ---- gains of motions ---- */

/* A servo holds an arm still for one period of a cycle of nothing: all steps are the same step, so
 * all gains are the one of the algebraic equation. */
static void a_cycle_of_rest_has_constant_gains(void)
{
    static const char arm_xml[] =
        "<mujoco><option timestep='.02' gravity='0 0 0' tolerance='0'/><worldbody><body name='arm'>"
        "<joint name='swing' axis='0 1 0' damping='.3'/><geom size='.08' pos='0 0 -1' mass='1'/>"
        "</body></worldbody><actuator><motor joint='swing' gear='2' ctrlrange='-1 1' "
        "ctrllimited='true'/></actuator></mujoco>";
    motion a;
    sal_gains *g = NULL;
    sal_data *d = NULL;
    sal_err err = {0};
    double A[4], B[2], P[4];
    motion_allocate(&a, arm_xml, 4);
    a.p.boundary = PRB_CYCLE;
    CHECK_OK(sal_image_new(&a.p.image, a.m, &err), err);
    motion_evaluate(&a, 0);
    CHECK_OK(sal_gains_new(&g, a.r, &err), err);
    CHECK_OK(sal_data_new(&d, a.m, &err), err);
    const run_state x = {a.r->qpos, a.r->qvel, a.r->act, a.r->ctrl, NULL};
    CHECK_OK(run_linear_fd(a.m, d, A, B, &x, &err), err);
    if (g != NULL) {
        CHECK(g->n == 2 && g->nu == 1 && g->periods > 1 && g->differences == 0);
        CHECK_NEAR(g->weight[0], 100, 1e-12);
        CHECK_NEAR(g->weight[1], 1, 1e-12);
        CHECK_NEAR(g->price[0], 100, 1e-12);
        run_lqr l;
        double K[2];
        CHECK_OK(run_lqr_new(&l, 2, 1, g->weight, g->price, &err), err);
        for (int i = 0; i < 4000; i++) {
            CHECK(run_lqr_step(&l, K, A, B));
        }
        memcpy(P, l.P, sizeof P);
        CHECK(residual(P, A, B, g->weight, g->price[0], 2) < 1e-10 * largest(P, 4));
        for (int t = 0; t < 4; t++) {
            CHECK_NEAR(g->K[2 * t], K[0], 1e-6 * fabs(K[0]));
            CHECK_NEAR(g->K[2 * t + 1], K[1], 1e-6 * fabs(K[1]));
        }
        run_lqr_clear(&l);
    }
    sal_gains_free(g);
    sal_data_free(d);
    motion_clear(&a);
}

/* Beside the arm something drifts that no motor moves: its part of P would grow for ever. */
static void what_no_control_acts_on_costs_nothing(void)
{
    static const char *const beside[] = {
        "",
        "<body><joint type='slide' axis='1 0 0'/><geom size='.1' mass='1' pos='3 0 0'/></body>"};
    sal_gains *g[2] = {NULL, NULL};
    motion a[2];
    for (int i = 0; i < 2; i++) {
        sal_err err = {0};
        char xml[800];
        snprintf(xml, sizeof xml,
                 "<mujoco><option timestep='.02' gravity='0 0 0' tolerance='0'/><worldbody><body>"
                 "<joint name='swing' axis='0 1 0' damping='.3'/><geom size='.08' pos='0 0 -1' "
                 "mass='1'/></body>%s</worldbody><actuator><motor joint='swing' gear='2'/>"
                 "</actuator></mujoco>",
                 beside[i]);
        motion_allocate(&a[i], xml, 4);
        a[i].p.boundary = PRB_CYCLE;
        CHECK_OK(sal_image_new(&a[i].p.image, a[i].m, &err), err);
        motion_evaluate(&a[i], 0);
        CHECK_OK(sal_gains_new(&g[i], a[i].r, &err), err);
    }
    if (g[0] != NULL && g[1] != NULL) { /* states: swing, drift, and their velocities */
        for (int t = 0; t < 4; t++) {
            const double *alone = g[0]->K + 2 * t, *K = g[1]->K + 4 * t;
            CHECK_NEAR(K[0], alone[0], 1e-9 * fabs(alone[0]));
            CHECK_NEAR(K[2], alone[1], 1e-9 * fabs(alone[1]));
            CHECK(K[1] == 0 && K[3] == 0 && alone[0] != 0);
        }
        CHECK(g[1]->weight[0] > 0 && g[1]->weight[1] == 0 && g[1]->weight[3] == 0);
    }
    for (int i = 0; i < 2; i++) {
        sal_gains_free(g[i]);
        motion_clear(&a[i]);
    }
}

/* A wheel that nothing moves, held by friction: its motor's control is 0, but for rounding. It can
 * act nevertheless, so the gains settle. */
static void controls_that_are_rounding_may_act(void)
{
    static const char wheel_xml[] =
        "<mujoco><option timestep='.02' tolerance='0'/><worldbody><body><joint name='lift' "
        "type='slide' axis='0 0 1' damping='1'/><geom size='.1' mass='1'/></body><body><joint "
        "name='wheel' axis='0 0 1' frictionloss='.1' armature='.01'/><geom size='.1' mass='.1' "
        "contype='0' conaffinity='0'/></body></worldbody><actuator><motor joint='lift'/><motor "
        "joint='wheel'/></actuator></mujoco>";
    motion a;
    sal_gains *g = NULL;
    sal_err err = {0};
    motion_allocate(&a, wheel_xml, 4);
    a.p.boundary = PRB_CYCLE;
    CHECK_OK(sal_image_new(&a.p.image, a.m, &err), err);
    motion_evaluate(&a, 0);
    for (int t = 0; t < 4; t++) {
        CHECK_NEAR(a.r->ctrl[2 * t], 9.81, 1e-9);
        a.r->ctrl[2 * t + 1] = 1e-20;
    }
    CHECK_OK(sal_gains_new(&g, a.r, &err), err);
    if (g != NULL) {
        CHECK_NEAR(g->price[0], 1 / (0.981 * 0.981), 1e-9);
        CHECK_NEAR(g->price[1], 100, 1e-9);
        CHECK(g->periods < 2000);
    }
    sal_gains_free(g);
    motion_clear(&a);
}

static void without_actuators_there_are_no_gains(void)
{
    static const char still_xml[] = "<mujoco><worldbody><body><joint axis='0 1 0'/><geom size='.1' "
                                    "pos='0 0 -1'/></body></worldbody></mujoco>";
    motion a;
    sal_gains *g;
    sal_err err = {0};
    const double v0[1] = {0};
    motion_allocate(&a, still_xml, 3);
    motion_simulate(&a, v0);
    CHECK(sal_gains_new(&g, a.r, &err) == SAL_UNSUPPORTED && g == NULL);
    CHECK(strstr(err.message, "has no actuators") != NULL);
    motion_clear(&a);
}

/* ---- motions that hold ---- */

typedef struct outcome {
    bool falls;
    double deviation;
} outcome;

static outcome roll(const sal_result *r, const sal_gains *gains, double push, double noise)
{
    const sal_rollout_options options = {.time = 5,
                                         .tolerance = 0.05,
                                         .gains = gains,
                                         .push = {push, 0},
                                         .push_time = 1,
                                         .noise = noise,
                                         .seed = 1};
    sal_rollout x;
    sal_err err = {0};
    outcome o = {true, (double)NAN};
    CHECK_OK(sal_result_roll(&x, r, NULL, &options, &err), err);
    if (x.nstep > 0) {
        o = (outcome){x.diverged || !isnan(x.fall_time), x.joint[x.nstep - 1].value};
    }
    sal_rollout_clear(&x);
    return o;
}

/* An example's result and its gains; r NULL: it is not solved. */
typedef struct example_gains {
    sal_result *r;
    sal_gains *g;
} example_gains;

static example_gains gains_of(const char *path)
{
    sal_err err = {0};
    example_gains x = {solve_file(path, NULL), NULL};
    CHECK(x.r != NULL);
    if (x.r != NULL) {
        CHECK_OK(sal_gains_new(&x.g, x.r, &err), err);
    }
    return x;
}

static void clear(example_gains *x)
{
    sal_gains_free(x->g);
    sal_result_free(x->r);
}

/* The cycle is half of one, mirrored: gains and motion have to be taken to their images. */
static void a_walker_that_is_pushed_does_not_fall_with_feedback(void)
{
    example_gains x = gains_of("examples/walker_walk.xml");
    const sal_result *r = x.r;
    const sal_gains *g = x.g;
    if (g != NULL) {
        CHECK(g->differences == 0);
        CHECK(roll(r, NULL, 10, 0).falls);
        CHECK(!roll(r, g, 0, 0).falls && roll(r, g, 0, 0).deviation < 1e-9);
        CHECK(!roll(r, g, 10, 0).falls && roll(r, g, 10, 0).deviation < 1e-3);
        CHECK(!roll(r, g, 0, 1e-5).falls && roll(r, g, 0, 1e-5).deviation > 1e-7);
    }
    clear(&x);
}

/* In steps of half the length the motion falls by itself; with feedback it does not. */
static void a_hopper_holds_at_another_time_step(void)
{
    example_gains x = gains_of("examples/hopper_hop.xml");
    sal_model *own = NULL;
    sal_err err = {0};
    if (x.g != NULL) {
        CHECK_OK(sal_model_copy(&own, x.r->model, &err), err);
        own->opt.timestep /= 2;
    }
    for (int with = 0; with < 2 && own != NULL; with++) {
        const sal_rollout_options options = {
            .time = 5, .tolerance = 0.05, .gains = with ? x.g : NULL};
        sal_rollout rollout;
        CHECK_OK(sal_result_roll(&rollout, x.r, own, &options, &err), err);
        CHECK(isnan(rollout.fall_time) == (with == 1));
        sal_rollout_clear(&rollout);
    }
    sal_model_free(own);
    clear(&x);
}

/* S is orthogonal and its own inverse where a cycle is mirrored: gains of two periods later are the
 * same. */
static void two_mirrored_periods_bring_gains_back(void)
{
    example_gains x = gains_of("examples/walker_walk.xml");
    const sal_result *r = x.r;
    const sal_gains *g = x.g;
    if (g != NULL) {
        const size_t size = (size_t)(g->n * g->nu);
        double *K = sal_alloc(2 * size + (size_t)g->n, sizeof(double));
        bool moved = false;
        run_image_gain(r->image, r->model, K, g->K, K + 2 * size);
        run_image_gain(r->image, r->model, K + size, K, K + 2 * size);
        for (size_t i = 0; i < size; i++) {
            CHECK(K[size + i] == g->K[i]);
            moved = moved || K[i] != g->K[i];
        }
        CHECK(moved);
        sal_free(K);
    }
    clear(&x);
}

int main(void)
{
    RUN(exact_derivatives_of_a_step_are_those_of_the_engine);
    RUN(implicit_integrators_have_derivatives_too);
    RUN(a_scalar_system_has_the_known_gain);
    RUN(a_double_integrator_solves_the_algebraic_equation);
    RUN(a_cycle_of_rest_has_constant_gains);
    RUN(what_no_control_acts_on_costs_nothing);
    RUN(controls_that_are_rounding_may_act);
    RUN(without_actuators_there_are_no_gains);
    RUN(a_walker_that_is_pushed_does_not_fall_with_feedback);
    RUN(a_hopper_holds_at_another_time_step);
    RUN(two_mirrored_periods_bring_gains_back);
    return check_done();
}
