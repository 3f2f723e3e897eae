/* Motions in models of the user's: matched by name, at other time steps, under other gravity, over
 * another ground. */
#include "tests/problems/motions.h"
#include "tests/problems/solve_file.h"

#include "problems/result/result.h"
#include "runs/runs.h"

static const sal_rollout_options plain = {.tolerance = 0.05};

/* The hopper with its legs and actuators in another order */
static const char other_order_xml[] =
    "<mujoco model='hopper'><option timestep='.005' cone='elliptic' tolerance='0' "
    "iterations='300'/><default><geom condim='3' friction='.8 .005 .0001'/></default><worldbody>"
    "<geom name='floor' type='plane' size='0 0 1'/>"
    "<body name='trunk' pos='0 0 .62'><freejoint name='root'/>"
    "<geom type='box' size='.1 .15 .1' mass='3' contype='0' conaffinity='0'/>"
    "<body name='right_leg' pos='0 -.1 -.1'><joint name='right_hip' axis='0 -1 0' damping='1'/>"
    "<geom name='right_leg' type='capsule' fromto='0 0 0 -.1 0 -.42' size='.04' mass='.6'/></body>"
    "<body name='left_leg' pos='0 .1 -.1'><joint name='left_hip' axis='0 -1 0' damping='1'/>"
    "<geom name='left_leg' type='capsule' fromto='0 0 0 .1 0 -.42' size='.04' mass='.6'/></body>"
    "</body></worldbody><actuator><motor name='right_motor' joint='right_hip' gear='10'/>"
    "<position name='left_servo' joint='left_hip' kp='40' gear='-1.5'/></actuator></mujoco>";

static void the_order_of_names_is_free(void)
{
    motion a;
    sal_rollout x;
    sal_err err = {0};
    sal_model *own = motion_model(other_order_xml);
    motion_hopper(&a, false);
    CHECK_OK(sal_result_roll(&x, a.r, own, &plain, &err), err);
    CHECK(x.nstep == a.n && !x.diverged && x.joint_departs < 0 && x.body_departs < 0);
    CHECK(x.nstep > 0 && x.joint[x.nstep - 1].value < 1e-6 && x.body[x.nstep - 1].value < 1e-6);
    CHECK(isnan(x.contact_time) && isnan(x.fall_time));
    sal_rollout_clear(&x);
    sal_model_free(own);
    motion_clear(&a);
}

/* ---- a ball on a slide: all of it can be said beforehand ---- */

enum { STEPS = 50 };

static const char ball_xml[] =
    "<mujoco><option timestep='.01' gravity='0 0 %g'/><worldbody>"
    "<geom name='floor' type='plane' size='0 0 1' pos='0 0 %g'/><body name='ball' pos='0 0 1'>"
    "<joint name='%s' type='%s' axis='0 0 1'/><geom size='.1' mass='1'/></body></worldbody>"
    "<actuator><motor name='lift' joint='%s'/></actuator></mujoco>";

static sal_model *ball(double gravity, double floor, const char *joint, const char *type)
{
    char text[600];
    snprintf(text, sizeof text, ball_xml, gravity, floor, joint, type, joint);
    return motion_model(text);
}

/* It falls under 1 m/s^2 and a constant force of 0.4 N, from rest. */
static void motion_ball(motion *a)
{
    char text[600];
    const double v0[1] = {0};
    snprintf(text, sizeof text, ball_xml, -1.0, -9.0, "z", "slide", "z");
    motion_allocate(a, text, STEPS);
    for (int t = 0; t < STEPS; t++) {
        a->ctrl[t] = 0.4;
    }
    motion_simulate(a, v0);
}

/* z_k = -a h^2 k (k + 1)/2 of semi-implicit Euler, so the difference of two is that of the
 * accelerations. */
static void another_gravity_departs_when_it_must(void)
{
    motion a;
    sal_rollout x;
    sal_err err = {0};
    sal_model *own = ball(-3, -9, "z", "slide");
    int departs = 0;
    motion_ball(&a);
    CHECK_OK(sal_result_roll(&x, a.r, own, &plain, &err), err);
    while (2 * 1e-4 * (departs + 1) * (departs + 2) / 2 <= 0.05) {
        departs++;
    }
    CHECK(x.joint_departs == departs && x.body_departs == departs);
    for (int k = 0; k < STEPS && k < x.nstep; k++) {
        CHECK_NEAR(x.joint[k].value, 2 * 1e-4 * (k + 1) * (k + 2) / 2, 1e-12);
        CHECK_NEAR(x.body[k].value, x.joint[k].value, 1e-12);
        CHECK_NEAR(x.time[k], 0.01 * (k + 1), 1e-12);
    }
    sal_rollout_clear(&x);
    sal_model_free(own);
    motion_clear(&a);
}

/* At n steps of h/n:  z = -a (h/n)^2 k (k + 1)/2;  on a row the motion is not interpolated. */
static void another_time_step_is_the_models_own(void)
{
    motion a;
    sal_rollout x;
    sal_err err = {0};
    sal_model *own = ball(-1, -9, "z", "slide");
    own->opt.timestep = 0.0025;
    motion_ball(&a);
    CHECK_OK(sal_result_roll(&x, a.r, own, &plain, &err), err);
    CHECK(x.nstep == 4 * STEPS && x.timestep == 0.0025);
    for (int row = 1; row <= STEPS && 4 * row <= x.nstep; row++) {
        const double ours = 0.6 * 1e-4 / 16 * (4 * row) * (4 * row + 1) / 2;
        const double motions = 0.6 * 1e-4 * row * (row + 1) / 2;
        CHECK_NEAR(x.joint[4 * row - 1].value, motions - ours, 1e-12);
    }
    sal_rollout_clear(&x);
    sal_model_free(own);
    motion_clear(&a);
}

/* A floor where the motion has none: 2 cm under the ball. */
static void another_ground_is_touched_when_it_is_reached(void)
{
    motion a;
    sal_rollout x;
    sal_err err = {0};
    sal_model *own = ball(-1, 0.88, "z", "slide");
    int row = 0;
    motion_ball(&a);
    CHECK_OK(sal_result_roll(&x, a.r, own, &plain, &err), err);
    while (0.6 * 1e-4 * row * (row + 1) / 2 <= 0.02) {
        row++;
    }
    CHECK_NEAR(x.contact_time, 0.01 * row, 1e-12);
    CHECK_NEAR(x.fall_time, 0.01 * row, 1e-12);
    CHECK_TEXT(x.contact_body[0], "body 'ball'");
    CHECK_TEXT(x.contact_body[1], "the ground");
    CHECK(x.contact_force[0] == 0 && x.contact_force[1] > 0);
    sal_rollout_clear(&x);
    sal_model_free(own);
    motion_clear(&a);
}

static void what_does_not_match_is_named(void)
{
    motion a;
    sal_rollout x;
    motion_ball(&a);
    const struct {
        const char *joint, *type, *part;
    } cases[] = {
        {"height", "slide", "joint 'z' (number 0 of the result) is not in the model"},
        {"height", "slide", "joint 'height' (number 0 of the model) is not in the result"},
        {"z", "hinge", "is a slide in the result (number 0), a hinge in the model (number 0)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sal_err err = {0};
        sal_model *own = ball(-1, -9, cases[i].joint, cases[i].type);
        CHECK(sal_result_roll(&x, a.r, own, &plain, &err) == SAL_BADINPUT);
        CHECK(strstr(err.message, cases[i].part) != NULL);
        sal_model_free(own);
    }
    motion_clear(&a);
}

/* Half a cycle, mirrored: the second half has to be driven by the image of the controls, and to be
 * held against the image of the states. */
static void a_mirrored_cycle_goes_on(void)
{
    sal_rollout x;
    sal_err err = {0};
    sal_result *r = solve_file("examples/walker_walk.xml", NULL);
    const sal_rollout_options options = {.time = 0.75, .tolerance = 0.05};
    if (r == NULL) {
        return;
    }
    CHECK_OK(sal_result_roll(&x, r, NULL, &options, &err), err);
    CHECK(x.nstep == 30 && x.joint_departs < 0 && x.body_departs < 0);
    CHECK(x.nstep == 30 && x.joint[29].value < 1e-3);
    CHECK(isnan(x.fall_time) && isnan(x.contact_time));
    sal_rollout_clear(&x);
    sal_result_free(r);
}

/* There is nothing behind its end. */
static void an_open_motion_ends(void)
{
    motion a;
    sal_rollout x;
    sal_err err = {0};
    motion_pendulum(&a);
    sal_rollout_options options = {.time = 100, .tolerance = 0.05};
    CHECK_OK(sal_result_roll(&x, a.r, NULL, &options, &err), err);
    CHECK(x.nstep == a.n && x.joint_departs < 0);
    sal_rollout_clear(&x);
    options.time = 0.1;
    CHECK_OK(sal_result_roll(&x, a.r, NULL, &options, &err), err);
    CHECK(x.nstep == 5);
    sal_rollout_clear(&x);
    motion_clear(&a);
}

int main(void)
{
    RUN(the_order_of_names_is_free);
    RUN(another_gravity_departs_when_it_must);
    RUN(another_time_step_is_the_models_own);
    RUN(another_ground_is_touched_when_it_is_reached);
    RUN(what_does_not_match_is_named);
    RUN(a_mirrored_cycle_goes_on);
    RUN(an_open_motion_ends);
    return check_done();
}
