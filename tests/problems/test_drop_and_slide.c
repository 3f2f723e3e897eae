/* A block that falls and one that slides, under each contact model: what they differ by is what
 * their equations say (docs/contact_models.md). */
#include "tests/problems/example.h"

#include "problems/result/result.h"

static const double g = 9.81, friction = 0.5;

static sal_result *solve(const char *name, int model)
{
    const sal_setting setting = {"solver/contactmodel", sal_contact_model_name(model)};
    const sal_problem_options options = {.setting = &setting, .nsetting = 1};
    char file[128];
    sal_problem *p = NULL;
    sal_result *r = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    snprintf(file, sizeof file, "%s.xml", name);
    CHECK_OK(sal_problem_read(&p, example_path(file), &options, &diag, &err), err);
    CHECK_OK(sal_problem_solve(&r, p, 2, NULL, &err), err);
    printf("     %s, %s: %s, cost %.3g, %d linearisations\n", name, setting.value, r->status,
           r->cost, r->optim.linearisations);
    CHECK(r->exit_code == 0 && r->contact.model == model);
    example_replays(r);
    sal_problem_free(p);
    sal_diag_clear(&diag);
    return r;
}

/* z in row t: how high the block is over the floor */
static double height(const sal_result *r, int t)
{
    return r->qpos[2 * t + 1];
}

static double lowest(const sal_result *r)
{
    double z = height(r, 0);
    for (int t = 1; t <= r->nstep; t++) {
        z = fmin(z, height(r, t));
    }
    return z;
}

static void drop(void)
{
    measure x;
    sal_result *r = example_solve("drop", &x);
    if (r != NULL) {
        const figure figures[] = {{"speed", fabs(r->qvel[2 * r->nstep + 1]), 0.01},
                                  {"depth", -lowest(r), 0.03}};
        CHECK(-lowest(r) > 0.01); /* it sinks in */
        example_log("drop", r, figures, 2);
    }
    sal_result_free(r);
}

/* In rest a corner bears m g h/4, R = .01/m, and a tenth of its depth is undone in a step:
 * .1 d/h = R m g h/4. Falling, it gets about as deep, and a tenth of what is too much goes in each
 * step. */
static void drop_hardly_sinks_in_under_the_convex_model(void)
{
    sal_result *r = solve("drop", SAL_CONTACT_CONVEX);
    const double h = r->timestep, depth = 0.025 * g * h * h;
    CHECK_NEAR(-height(r, r->nstep), depth, 0.03 * depth);
    CHECK(-lowest(r) < 2 * depth);
    CHECK(r->cost < 1e-3); /* nothing pushes it */
    sal_result_free(r);
}

static void drop_is_solved_under_the_smooth_model(void)
{
    sal_result *r = solve("drop", SAL_CONTACT_LOGBARRIER);
    CHECK(height(r, 0) > 0.19);
    sal_result_free(r);
}

static void slide(void)
{
    measure x;
    sal_result *r = example_solve("slide", &x);
    if (r != NULL) {
        const double *q = r->qpos + 2 * r->nstep, *v = r->qvel + 2 * r->nstep;
        const figure figures[] = {{"place", fabs(q[0] - 1), 1e-9},
                                  {"speed", fabs(v[0]), 1e-9},
                                  {"effort", r->cost, 0.01},
                                  {"depth", -lowest(r), 0.01}};
        example_log("slide", r, figures, 4);
    }
    sal_result_free(r);
}

/* At the border of the cone w is above its reference by friction times v, so the gap is
 * friction v h, less the R m g h/4 of what presses: it sinks as it comes to rest. */
static void slide_is_lifted_by_the_convex_model(void)
{
    sal_result *r = solve("slide", SAL_CONTACT_CONVEX);
    int rows = 0;
    for (int t = 10; t <= r->nstep; t++) {
        const double v = r->qvel[2 * t];
        if (v > 0.1) {
            CHECK_NEAR(height(r, t), friction * v * r->timestep, 3e-4);
            rows++;
        }
    }
    CHECK(rows > 15);
    CHECK_NEAR(r->qpos[2 * r->nstep], 1, 1e-6);
    sal_result_free(r);
}

static void slide_is_solved_under_the_smooth_model(void)
{
    sal_result *r = solve("slide", SAL_CONTACT_LOGBARRIER);
    CHECK_NEAR(r->qpos[2 * r->nstep], 1, 1e-6);
    sal_result_free(r);
}

int main(void)
{
    RUN(drop);
    RUN(drop_hardly_sinks_in_under_the_convex_model);
    RUN(drop_is_solved_under_the_smooth_model);
    RUN(slide);
    RUN(slide_is_lifted_by_the_convex_model);
    RUN(slide_is_solved_under_the_smooth_model);
    return check_done();
}
