/* What `saltus check --derivatives` asks, of all examples; and that it finds what is wrong. */
#include "tests/problems/problem_files.h"
#include "tests/problems/read_example.h"

#include "guide/guide.h"

#include <math.h>

/* Motions at rest, muscles that stand between activation and deactivation, contacts that close,
 * rows that are not asked for: none of these is an error. */
static void examples_have_none(void)
{
    static const char *const example[] = {
        "acrobot_swingup",   "arm_muscles",      "backflip",
        "box_drop",          "box_right",        "box_up",
        "cartpole_swingup",  "finger_reach",     "gait_half_cycle",
        "hopper_hop",        "hopper_travel",    "humanoid_walk",
        "raibert_hop",       "pendulum_swingup", "spinner",
        "two_arms_lift",     "walker_follow",    "walker_transport",
        "walker_walk",       "walker_run",       "humanoid_gait",
        "particle_waypoints"};
    for (size_t i = 0; i < sizeof example / sizeof example[0]; i++) {
        sal_problem *p = read_example(example[i]);
        double error = NAN, paths = NAN;
        sal_err err = {0};
        if (p != NULL) {
            CHECK_OK(sal_problem_check_derivatives(p, &error, &paths, &err), err);
            printf("     %-20s %.1e %.1e\n", example[i], error, paths);
            CHECK(error < 1e-5 && paths < 1e-5);
        }
        sal_problem_free(p);
    }
}

/* r = sin(angle), and its derivative times `factor` */
static bool sine(void *user, int step, const double *x, int nx, double *r, double *J)
{
    (void)step, (void)nx;
    r[0] = sin(x[0]);
    if (J != NULL) {
        J[0] = cos(x[0]) * *(const double *)user;
    }
    return true;
}

static double error_with(double factor)
{
    static const char model[] = "<mujoco><worldbody><body><joint name='hinge' axis='0 1 0'/><geom "
                                "size='.1' mass='1'/></body></worldbody></mujoco>",
                      problem[] =
                          "<problem name='p'><model file='m.xml'/><time nstep='10' duration='1'/>"
                          "<boundary type='open'/><cost><term name='own' function='sine'/></cost>"
                          "<function name='sine'><input joint='hinge'/></function></problem>";
    const sal_function function = {"sine", 1, sine, &factor};
    const sal_problem_options options = {.function = &function, .nfunction = 1};
    sal_problem *p = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    double error = NAN, paths = NAN;
    files_write("m.xml", model, strlen(model));
    files_write("p.xml", problem, strlen(problem));
    CHECK_OK(sal_problem_read(&p, files_path("p.xml"), &options, &diag, &err), err);
    if (p != NULL) {
        CHECK_OK(sal_problem_check_derivatives(p, &error, &paths, &err), err);
    }
    sal_problem_free(p);
    sal_diag_clear(&diag);
    return error;
}

static void what_is_wrong_is_found(void)
{
    const double right = error_with(1), wrong = error_with(1.2), not_a_number = error_with(NAN);
    printf("     right %.1e, 20 %% too large %.1e, not a number %g\n", right, wrong, not_a_number);
    CHECK(right < 1e-8);
    CHECK(wrong > 1e-3);
    CHECK(isinf(not_a_number));
}

int main(void)
{
    RUN(examples_have_none);
    RUN(what_is_wrong_is_found);
    files_remove();
    return check_done();
}
