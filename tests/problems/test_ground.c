/* Poses set on ground that is a height field, and what of terms about feet needs a plane. */
#include "tests/problems/problem_files.h"

#include "problems/floor.h"
#include "problems/result/result.h"

#include <math.h>

static sal_err err;
static sal_diag diag;

/* The surface is z = .5 + .25 x, for |x|, |y| <= 2. */
static const char field[] =
    "<asset><hfield name='slope' nrow='2' ncol='2' size='2 2 1 .2' elevation='0 1 0 1'/></asset>";

/* `floor`: geoms of the world; `root`: the joint of a body with two balls of radius .1 */
static sal_model *model_of(const char *floor, const char *root)
{
    sal_text text = {0};
    sal_model *m = NULL;
    sal_text_format(&text,
                    "<mujoco>%s<worldbody>%s<body>%s<geom name='front' size='.1' pos='.5 0 0'/>"
                    "<geom name='rear' size='.1' pos='-.5 0 0'/></body></worldbody></mujoco>",
                    field, floor, root);
    CHECK_OK(sal_model_parse(&m, "ground", text.data, text.length, NULL, NULL, &err), err);
    sal_text_clear(&text);
    return m;
}

static void set_on_ground(const sal_model *m, double *q)
{
    sal_model *wide;
    sal_data *d;
    CHECK_OK(sal_model_copy(&wide, m, &err), err);
    CHECK_OK(sal_data_new(&d, m, &err), err);
    prb_ground_see(wide);
    CHECK_OK(prb_floor_set(wide, d, q, &err), err);
    sal_data_free(d);
    sal_model_free(wide);
}

static const char slope[] = "<geom type='hfield' hfield='slope'/>";

/* Of a ball on z = h + s x the centre is r sqrt(1 + s^2) above the surface. */
static void the_first_ball_touches(void)
{
    static const double from[] = {-30, -.4, .7, 12};
    const double above = .1 * sqrt(1 + .25 * .25);
    sal_model *m = model_of(slope, "<freejoint/>");
    for (size_t i = 0; i < sizeof from / sizeof *from; i++) {
        double q[7] = {.3, .2, from[i], 1, 0, 0, 0};
        set_on_ground(m, q);
        CHECK_NEAR(q[2], .5 + .25 * (.3 + .5) + above, 2e-6);
    }
    double beyond[7] = {5, 0, 3, 1, 0, 0, 0};
    set_on_ground(m, beyond); /* nothing is below */
    CHECK(beyond[2] == 3);
    sal_model_free(m);
}

static void along_a_slide_that_points_down(void)
{
    sal_model *m = model_of(slope, "<joint type='slide' axis='0 0 -1'/>");
    double q = 0;
    set_on_ground(m, &q);
    CHECK_NEAR(-q, .5 + .25 * .5 + .1 * sqrt(1 + .25 * .25), 2e-6);
    sal_model_free(m);
}

static void the_higher_of_plane_and_field(void)
{
    static const char low[] = "<geom type='hfield' hfield='slope'/>"
                              "<geom type='plane' size='0 0 1' pos='0 0 -4'/>";
    static const char high[] = "<geom type='hfield' hfield='slope'/>"
                               "<geom type='plane' size='0 0 1' pos='0 0 2'/>";
    double q[7] = {0, 0, 1, 1, 0, 0, 0};
    sal_model *m = model_of(low, "<freejoint/>");
    set_on_ground(m, q);
    CHECK_NEAR(q[2], .5 + .25 * .5 + .1 * sqrt(1 + .25 * .25), 2e-6);
    sal_model_free(m);
    m = model_of(high, "<freejoint/>");
    set_on_ground(m, q);
    CHECK_NEAR(q[2], 2.1, 1e-12);
    sal_model_free(m);
}

static void heights_of_points(void)
{
    sal_data *d;
    sal_model *m = model_of("<geom type='hfield' hfield='slope' pos='1 0 .3'/>", "<freejoint/>");
    CHECK_OK(sal_data_new(&d, m, &err), err);
    sal_kinematics(m, d);
    CHECK_NEAR(sal_field_height(m, d, 0, (double[3]){1.4, -.3, 5}), 5 - .3 - .5 - .25 * .4, 1e-7);
    CHECK_NEAR(sal_field_height(m, d, 0, (double[3]){.2, 1, -5}), -5 - .3 - .5 + .25 * .8, 1e-7);
    CHECK(isnan(sal_field_height(m, d, 0, (double[3]){3.1, 0, 0})));
    CHECK(isnan(sal_field_height(m, d, 0, (double[3]){0, -2.1, 0})));
    sal_data_free(d);
    sal_model_free(m);
}

/* ---- terms about feet ---- */

static sal_problem *problem_of(const char *term, const char *floor)
{
    sal_problem *p = NULL;
    sal_text model = {0}, text = {0};
    sal_text_format(&model,
                    "<mujoco>%s<worldbody>%s<body pos='0 0 1'><freejoint/>"
                    "<geom name='ball' size='.1' priority='1' friction='.01'/></body>"
                    "</worldbody></mujoco>",
                    field, floor);
    sal_text_format(&text,
                    "<problem name='ball'><model file='g.xml'/><time nstep='4' duration='.1'/>"
                    "<boundary type='open'/><cost><term name='foot' %s/></cost>"
                    "<init ground='true'/></problem>",
                    term);
    files_write("g.xml", model.data, model.length);
    files_write("g_problem.xml", text.data, text.length);
    sal_diag_clear(&diag);
    sal_problem_read(&p, files_path("g_problem.xml"), NULL, &diag, &err);
    sal_text_clear(&model);
    sal_text_clear(&text);
    return p;
}

/* The speed along the level: as with a level plane far below, which nothing touches. */
static void slip_by_load_needs_no_plane(void)
{
    static const char *const floor[] = {
        "<geom type='hfield' hfield='slope'/>",
        "<geom type='hfield' hfield='slope'/><geom type='plane' size='0 0 1' pos='0 0 -9'/>"};
    double cost[2] = {0, 0};
    for (int i = 0; i < 2; i++) {
        sal_problem *p = problem_of("slip='ball' near='force'", floor[i]);
        sal_result *r = NULL;
        CHECK(p != NULL && diag.nerror == 0);
        CHECK_OK(sal_problem_solve(&r, p, 1, NULL, &err), err);
        if (r != NULL) {
            cost[i] = r->cost;
        }
        sal_result_free(r);
        sal_problem_free(p);
    }
    printf("     cost %.3g\n", cost[0]);
    CHECK(cost[0] > 1e-6); /* the ball slides, as little as it can */
    CHECK_NEAR(cost[0], cost[1], 1e-9 * cost[1]);
}

static void heights_need_one(void)
{
    static const char *const terms[] = {"slip='ball'", "height='ball'"};
    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
        sal_problem *p = problem_of(terms[i], slope);
        CHECK(p == NULL && diag.nerror == 1);
        CHECK(strstr(diag.text.data, "needs a floor, and the model has none") != NULL);
        CHECK((strstr(diag.text.data, "with near=\"force\" a height field serves as well") !=
               NULL) == (i == 0));
        sal_problem_free(p);
    }
}

int main(void)
{
    RUN(the_first_ball_touches);
    RUN(along_a_slide_that_points_down);
    RUN(the_higher_of_plane_and_field);
    RUN(heights_of_points);
    RUN(slip_by_load_needs_no_plane);
    RUN(heights_need_one);
    sal_diag_clear(&diag);
    files_remove();
    return check_done();
}
