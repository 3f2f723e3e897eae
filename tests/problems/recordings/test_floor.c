/* The floor of a recording is found along with the motion: the rim of a wheel that turns about a
 * level axle was recorded over a floor that is higher than that of the model, or slopes. */
#include "tests/problems/problem_files.h"

#include "problems/result/result.h"
#include "problems/solve/refine.h"
#include "problems/transcribe.h"

#include <math.h>

static const double HIGHER = .03; /* m */
enum { STEPS = 40 };

static const char wheel[] =
    "<mujoco><option gravity='0 0 0'/><worldbody><body pos='0 0 1'>"
    "<joint name='axle' axis='1 0 0'/><geom type='sphere' size='.1' mass='1'/>"
    "<site name='rim' pos='0 1 0'/></body></worldbody>"
    "<actuator><motor joint='axle'/></actuator></mujoco>";

static void write_rim(void)
{
    sal_text text = {0};
    sal_text_add(&text, "t,x,y,z\n");
    for (int k = 0; k <= STEPS; k++) {
        const double angle = 5. * k / STEPS;
        sal_text_format(&text, "%.2f,0,%.12g,%.12g\n", k / 100., cos(angle),
                        1 + sin(angle) + HIGHER);
    }
    files_write("wheel.xml", wheel, strlen(wheel));
    files_write("rim.csv", text.data, text.length);
    sal_text_clear(&text);
}

static sal_problem *read_recorded(const char *recording, const char *floor, const char *init)
{
    char text[1000];
    sal_problem *p = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    snprintf(text, sizeof text,
             "<problem name='wheel'><model file='wheel.xml'/><data file='%s' time='t' up='z'>"
             "<channel name='rim' site='rim' columns='x y z' sigma='.001'/></data>"
             "<time nstep='40' duration='.4'/><boundary type='open'/>"
             "<cost><term name='follow' data='all'/>%s</cost><init %s/></problem>",
             recording, floor, init);
    files_write("p.xml", text, strlen(text));
    CHECK_OK(sal_problem_read(&p, files_path("p.xml"), NULL, &diag, &err), err);
    sal_diag_clear(&diag);
    return p;
}

static sal_problem *read_wheel(const char *floor, const char *init)
{
    return read_recorded("rim.csv", floor, init);
}

static double most_off(const sal_result *r)
{
    double most = 0;
    for (int k = 0; k <= STEPS; k++) {
        most = fmax(most, fabs(remainder(r->qpos[k] - 5. * k / STEPS, 6.283185307179586)));
    }
    return most;
}

static const char term[] = "<term name='floor' floor='height' sigma='.05'/>";

/* Of the term a share (.001/.05)^2 = 4e-4 of the height is expected to be missing, over that of the
 * misfit which no turn of the wheel explains: about a half. */
static void it_is_found(void)
{
    sal_err err = {0};
    sal_result *r = NULL, *again = NULL, *read = NULL;
    sal_problem *p = read_wheel(term, "data='all'");
    CHECK_OK(sal_problem_solve(&r, p, 2, NULL, &err), err);
    if (r != NULL) {
        CHECK_NEAR(r->floor.height, HIGHER, 2e-3 * HIGHER);
        CHECK(most_off(r) < 2e-3);
        CHECK_OK(sal_result_write(r, files_path("wheel.h5"), &err), err);
        CHECK_OK(sal_result_read(&read, files_path("wheel.h5"), &err), err);
        CHECK(read != NULL && read->floor.height == r->floor.height && isnan(read->floor.slope[0]));
    }
    sal_problem_free(p);
    p = read_wheel(term, "result='wheel.h5'");
    CHECK(p != NULL && r != NULL && p->init_floor.height == r->floor.height);
    CHECK_OK(sal_problem_solve(&again, p, 1, NULL, &err), err);
    CHECK(again != NULL && fabs(again->floor.height - r->floor.height) < 1e-6);
    sal_problem_free(p);
    sal_result_free(again);
    sal_result_free(read);
    sal_result_free(r);
}

/* Without the term the floor is where <data> says, and the wheel cannot follow. */
static void without_a_term_it_is_as_given(void)
{
    sal_err err = {0};
    sal_result *r = NULL;
    sal_problem *p = read_wheel("", "data='all'");
    CHECK_OK(sal_problem_solve(&r, p, 1, NULL, &err), err);
    CHECK(r != NULL && isnan(r->floor.height) && most_off(r) > .02);
    sal_problem_free(p);
    sal_result_free(r);
}

/* What is recorded where the floor rises along x by slope[0], along y by slope[1], from the origin
 * on: R' p, R as prb_floor_level has it */
static void write_sloped(const double slope[2])
{
    sal_text text = {0};
    double back[4];
    sal_quat_z_to(back, (const double[3]){-slope[0], -slope[1], 1});
    sal_text_add(&text, "t,x,y,z\n");
    for (int k = 0; k <= STEPS; k++) {
        const double angle = 5. * k / STEPS, p[3] = {0, cos(angle), 1 + sin(angle)};
        double seen[3];
        sal_quat_rotate(seen, back, p);
        sal_text_format(&text, "%.2f,%.12g,%.12g,%.12g\n", k / 100., seen[0], seen[1], seen[2]);
    }
    files_write("sloped.csv", text.data, text.length);
    sal_text_clear(&text);
}

static const char both[] = "<term name='floor' floor='height' sigma='.05'/>"
                           "<term name='slope' floor='slope' sigma='.1'/>";

static bool is_same(const prb_recorded_floor *a, const prb_recorded_floor *b)
{
    return a->height == b->height && a->slope[0] == b->slope[0] && a->slope[1] == b->slope[1] &&
           a->centre[0] == b->centre[0] && a->centre[1] == b->centre[1];
}

/* A recording over a slope of 1.7 degrees along x, -1.1 along y comes out with these, and the wheel
 * turns as over a level floor; the height is that of the slope at the centre of the recording. */
static void a_slope_is_found(void)
{
    static const double slope[2] = {.03, -.02};
    sal_err err = {0};
    sal_result *r = NULL, *again = NULL, *read = NULL;
    write_sloped(slope);
    sal_problem *p = read_recorded("sloped.csv", both, "data='all'");
    CHECK_OK(sal_problem_solve(&r, p, 1, NULL, &err), err);
    if (r != NULL) {
        const prb_recorded_floor *floor = &r->floor;
        CHECK_NEAR(floor->slope[0], slope[0], 1e-3 * slope[0]);
        CHECK_NEAR(floor->slope[1], slope[1], 2e-3 * -slope[1]);
        CHECK(fabs(floor->centre[1]) > .1);
        CHECK_NEAR(floor->height, slope[0] * floor->centre[0] + slope[1] * floor->centre[1], 1e-4);
        CHECK(most_off(r) < 2e-3);
        CHECK_OK(sal_result_write(r, files_path("sloped.h5"), &err), err);
        CHECK_OK(sal_result_read(&read, files_path("sloped.h5"), &err), err);
        CHECK(read != NULL && is_same(&read->floor, floor));
    }
    sal_problem_free(p);
    p = read_recorded("sloped.csv", both, "result='sloped.h5'");
    CHECK(p != NULL && r != NULL && is_same(&p->init_floor, &r->floor));
    CHECK_OK(sal_problem_solve(&again, p, 1, NULL, &err), err);
    CHECK(again != NULL && fabs(again->floor.slope[0] - r->floor.slope[0]) < 1e-6);
    sal_problem_free(p);
    sal_result_free(again);
    sal_result_free(read);
    sal_result_free(r);
    r = NULL;
    p = read_recorded("sloped.csv", term, "data='all'");
    CHECK_OK(sal_problem_solve(&r, p, 1, NULL, &err), err);
    CHECK(r != NULL && isnan(r->floor.slope[0]) && most_off(r) > .015);
    sal_problem_free(p);
    sal_result_free(r);
}

/* A coarse motion of ten steps has it already. */
static void a_slope_is_found_with_fewer_steps(void)
{
    static const double slope[2] = {.03, -.02};
    sal_err err = {0};
    prb_transcription *tr = NULL;
    prb_refined refined;
    write_sloped(slope);
    sal_problem *p = read_recorded("sloped.csv", both, "data='all'");
    if (p == NULL) {
        return;
    }
    p->nrefine = 1;
    p->refine[0] = 4;
    CHECK_OK(prb_transcription_new(&tr, p, 1, &err), err);
    double *x = calloc((size_t)tr->layout.nx, sizeof *x);
    CHECK_OK(prb_refine(tr, x, 1, NULL, &refined, &err), err);
    const double *found = x + tr->layout.globals + PRB_GLOBAL_SLOPE;
    printf("     slopes %.5f %.5f\n", found[0], found[1]);
    CHECK_NEAR(found[0], slope[0], .02 * slope[0]);
    CHECK_NEAR(found[1], slope[1], -.02 * slope[1]);
    free(x);
    prb_transcription_free(tr);
    sal_problem_free(p);
}

/* dr/d(floor) by differences, at a floor that is not 0, also where the norm is not quadratic */
static void its_derivatives_are_differences(void)
{
    sal_err err = {0};
    prb_transcription *tr = NULL;
    sal_problem *p = read_wheel(term, "data='all'");
    CHECK_OK(prb_transcription_new(&tr, p, 1, &err), err);
    const size_t rows = tr->r_adr[tr->nblock];
    double *x = calloc((size_t)tr->layout.nx, sizeof *x), *r = calloc(3 * rows, sizeof *r),
           *J = calloc(tr->J_adr[tr->nblock], sizeof *J),
           *d = calloc((size_t)tr->layout.nvar, sizeof *d);
    const int variable = tr->layout.global[PRB_GLOBAL_FLOOR];
    int felt = 0, bad = 0;
    CHECK_OK(prb_guess(tr, x, 1, &err), err);
    double *height = x + tr->layout.globals + PRB_GLOBAL_FLOOR;
    CHECK(variable == tr->layout.nvar - 1 && *height == 0);
    *height = .2;
    CHECK_OK(tr->nls.linearise(tr, r, J, x, &err), err);
    *height = .2 + 1e-6;
    CHECK_OK(tr->nls.residual(tr, r + rows, x, &err), err);
    *height = .2 - 1e-6;
    CHECK_OK(tr->nls.residual(tr, r + 2 * rows, x, &err), err);
    for (int t = 0; t < tr->nblock; t++) {
        const sal_block *block = tr->block + t;
        CHECK(block->col[block->ncol - 1] == variable);
        for (int i = 0; i < block->nres; i++) {
            const double *at = r + tr->r_adr[t] + i;
            const double slope = J[tr->J_adr[t] + (size_t)(i * block->ncol + block->ncol - 1)];
            felt += slope != 0;
            bad += !(fabs(slope - (at[rows] - at[2 * rows]) / 2e-6) < 1e-8);
        }
    }
    CHECK(bad == 0 && felt == 2 * STEPS + 1); /* z of the rim at 41 instants, the term at 40 */
    free(x), free(r), free(J), free(d);
    prb_transcription_free(tr);
    sal_problem_free(p);
}

/* Which numbers of which channels fall where the floor is higher. */
static void what_is_a_height_falls(void)
{
    static const char mechanism[] =
        "<mujoco><worldbody><body name='cart'><joint name='lift' type='slide' axis='0 0 1'/>"
        "<joint name='turn' axis='0 1 0'/><geom type='sphere' size='.1' mass='1'/>"
        "<site name='top' pos='0 0 1'/></body></worldbody>"
        "<sensor><framepos name='seen' objtype='site' objname='top'/>"
        "<framelinvel name='speed' objtype='site' objname='top'/></sensor></mujoco>";
    static const char problem[] =
        "<problem name='cart'><model file='cart.xml'/><data file='cart.csv' rate='100' up='z'>"
        "<channel name='pose' body='cart' columns='a b c d e f g' sigma='1 .1'/>"
        "<channel name='lift' joint='lift' columns='c' sigma='1'/>"
        "<channel name='turn' joint='turn' columns='a' sigma='1'/>"
        "<channel name='top' site='top' columns='a b c' sigma='1 1 2'/>"
        "<channel name='seen' sensor='seen' columns='a b c' sigma='1'/>"
        "<channel name='speed' sensor='speed' columns='a b c' sigma='1'/></data>"
        "<time nstep='5' duration='.05'/><boundary type='open'/>"
        "<cost><term name='t' data='all'/><term name='floor' floor='height' sigma='1'/></cost>"
        "<init data='pose'/></problem>";
    static const struct {
        const char *term;
        double fall[3];
    } expected[] = {{"t:pose", {0, 0, 1}},
                    {"t:lift", {1}},
                    {"t:top:x", {0, 0}},
                    {"t:top:z", {1}},
                    {"t:seen", {0, 0, 1}}};
    sal_problem *p = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    char rows[500] = "a,b,c,d,e,f,g\n";
    for (int k = 0; k < 7; k++) {
        snprintf(rows + strlen(rows), sizeof rows - strlen(rows), "0,0,0,1,0,0,0\n");
    }
    files_write("cart.xml", mechanism, strlen(mechanism));
    files_write("cart.csv", rows, strlen(rows));
    files_write("cart_problem.xml", problem, strlen(problem));
    CHECK_OK(sal_problem_read(&p, files_path("cart_problem.xml"), NULL, &diag, &err), err);
    int found = 0;
    for (int k = 0; p != NULL && k < p->nterm; k++) {
        const prb_feature *f = &p->term[k].feature;
        const double *fall = NULL;
        for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
            fall = strcmp(f->name, expected[i].term) == 0 ? expected[i].fall : fall;
        }
        found += fall != NULL;
        for (int i = 0; i < f->dim && fall != NULL; i++) {
            CHECK((f->fall == NULL ? 0 : f->fall[i]) == fall[i]);
        }
        CHECK(fall != NULL || f->fall == NULL);
    }
    CHECK(found == 5);
    sal_problem_free(p);
    sal_diag_clear(&diag);
}

static const char cart[] =
    "<mujoco><worldbody><body name='cart'><joint name='lift' type='slide' axis='0 0 1'/>"
    "<joint name='turn' type='ball'/><geom type='sphere' size='.1' mass='1'/>"
    "<site name='top' pos='0 .3 1'/></body></worldbody>"
    "<sensor><framepos name='seen' objtype='site' objname='top'/>"
    "<framelinvel name='speed' objtype='site' objname='top'/></sensor></mujoco>";

static sal_problem *read_cart(const char *channel, sal_status wanted, sal_diag *diag)
{
    char rows[500] = "t,a,b,c,d,e,f,g\n", text[2000];
    sal_problem *p = NULL;
    sal_err err = {0};
    for (int k = 0; k < 7; k++) {
        snprintf(rows + strlen(rows), sizeof rows - strlen(rows), "%.2f,.%d,.2,.%d,.8,.36,-.48,0\n",
                 k / 100., k, 7 - k);
    }
    snprintf(text, sizeof text,
             "<problem name='cart'><model file='cart.xml'/><data file='cart.csv' time='t' up='z'>"
             "<channel name='pose' body='cart' columns='a b c d e f g' sigma='1 .1'/>"
             "<channel name='top' site='top' columns='a b c' sigma='1 1 2' norm='cauchy' p='2'/>"
             "<channel name='seen' sensor='seen' columns='c b a' sigma='1'/>"
             "<channel name='speed' sensor='speed' columns='a b c' sigma='1'/>%s</data>"
             "<time nstep='5' duration='.05'/><boundary type='open'/>"
             "<cost><term name='t' data='all'/>%s</cost><init data='pose'/></problem>",
             channel, both);
    files_write("cart.xml", cart, strlen(cart));
    files_write("cart.csv", rows, strlen(rows));
    files_write("cart_problem.xml", text, strlen(text));
    CHECK(sal_problem_read(&p, files_path("cart_problem.xml"), NULL, diag, &err) == wanted);
    return p;
}

/* The rotation that makes z = a x + b y level takes its normal to z; its quaternion is the same. */
static void what_makes_a_floor_level_does(void)
{
    static const double slope[2] = {.3, -.2};
    prb_level level;
    double mat[9];
    prb_floor_level(&level, slope);
    sal_quat_matrix(mat, level.quat);
    for (int i = 0; i < 3; i++) {
        const double *row = level.turn + 3 * i, normal = -row[0] * slope[0] - row[1] * slope[1];
        CHECK_NEAR(normal + row[2] + (i == 2 ? 1 : -slope[i]), i == 2 ? sqrt(1.13) : 0, 1e-14);
        for (int j = 0; j < 3; j++) {
            CHECK_NEAR(row[j] + (i == j), mat[3 * i + j], 1e-15);
        }
    }
}

/* By each of the three numbers of the floor, where none is 0 and the cart has turned: places,
 * velocities and rotations. */
static void derivatives_by_slopes_are_differences(void)
{
    const double step = 1e-6;
    sal_err err = {0};
    sal_diag diag = {0};
    prb_transcription *tr = NULL;
    sal_problem *p = read_cart("", SAL_OK, &diag);
    if (p == NULL) {
        printf("%s", diag.text.data == NULL ? "" : diag.text.data);
        sal_diag_clear(&diag);
        return;
    }
    CHECK_OK(prb_transcription_new(&tr, p, 1, &err), err);
    const size_t rows = tr->r_adr[tr->nblock];
    double *x = calloc((size_t)tr->layout.nx, sizeof *x), *r = calloc(3 * rows, sizeof *r),
           *J = calloc(tr->J_adr[tr->nblock], sizeof *J);
    CHECK_OK(prb_guess(tr, x, 1, &err), err);
    double *floor = x + tr->layout.globals + PRB_GLOBAL_FLOOR;
    const double given[3] = {.1, .3, -.2};
    memcpy(floor, given, sizeof given);
    CHECK_OK(tr->nls.linearise(tr, r, J, x, &err), err);
    for (int g = 0; g < 3; g++) {
        const int variable = tr->layout.global[PRB_GLOBAL_FLOOR + g];
        int felt = 0, bad = 0;
        floor[g] = given[g] + step;
        CHECK_OK(tr->nls.residual(tr, r + rows, x, &err), err);
        floor[g] = given[g] - step;
        CHECK_OK(tr->nls.residual(tr, r + 2 * rows, x, &err), err);
        floor[g] = given[g];
        for (int t = 0; t < tr->nblock; t++) {
            const sal_block *block = tr->block + t;
            const int column = block->ncol - 3 + g;
            CHECK(block->col[column] == variable);
            for (int i = 0; i < block->nres; i++) {
                const double *at = r + tr->r_adr[t] + i;
                const double slope = J[tr->J_adr[t] + (size_t)(i * block->ncol + column)];
                felt += slope != 0;
                bad += !(fabs(slope - (at[rows] - at[2 * rows]) / (2 * step)) < 1e-8);
            }
        }
        printf("  %d of the residuals feel number %d of the floor\n", felt, g);
        /* at six instants z of pose, top and seen, and the term; or all that is recorded */
        CHECK(bad == 0 && felt >= (g == 0 ? 3 * 6 : 15 * 6 - 3));
    }
    free(x), free(r), free(J);
    prb_transcription_free(tr);
    sal_problem_free(p);
    sal_diag_clear(&diag);
}

/* A slide is one number of a place that turns, of which the others are not known. */
static void a_part_of_a_pose_cannot_turn(void)
{
    sal_diag diag = {0};
    sal_problem *p =
        read_cart("<channel name='lift' joint='lift' columns='c' sigma='1'/>", SAL_BADINPUT, &diag);
    CHECK(strstr(diag.text.data, "joint channel 'lift' is a part of a pose in the world") != NULL);
    sal_problem_free(p);
    sal_diag_clear(&diag);
}

static void what_is_not_felt_is_said(void)
{
    sal_problem *p = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    static const char problem[] =
        "<problem name='wheel'><model file='wheel.xml'/><time nstep='4' duration='.4'/>\n"
        "<boundary type='open'/><cost><term name='f' floor='%s' sigma='1'/></cost></problem>";
    char text[500];
    snprintf(text, sizeof text, problem, "height");
    files_write("p.xml", text, strlen(text));
    CHECK_OK(sal_problem_read(&p, files_path("p.xml"), NULL, &diag, &err), err);
    CHECK(diag.text.data != NULL &&
          strstr(diag.text.data, "p.xml:2:45: warning: the height of the floor has no effect") !=
              NULL);
    sal_problem_free(p);
    sal_diag_clear(&diag);
    snprintf(text, sizeof text, problem, "slope");
    files_write("p.xml", text, strlen(text));
    CHECK_OK(sal_problem_read(&p, files_path("p.xml"), NULL, &diag, &err), err);
    CHECK(diag.text.data != NULL &&
          strstr(diag.text.data, "warning: the slope of the floor has no effect") != NULL);
    sal_problem_free(p);
    snprintf(text, sizeof text, problem, "ceiling");
    files_write("p.xml", text, strlen(text));
    CHECK(sal_problem_read(&p, files_path("p.xml"), NULL, &diag, &err) == SAL_BADINPUT);
    CHECK(strstr(diag.text.data, "error: the floor has no quantity 'ceiling'") != NULL &&
          strstr(diag.text.data, "allowed: height, slope") != NULL);
    sal_diag_clear(&diag);
}

int main(void)
{
    write_rim();
    RUN(it_is_found);
    RUN(without_a_term_it_is_as_given);
    RUN(its_derivatives_are_differences);
    RUN(what_is_a_height_falls);
    RUN(a_slope_is_found);
    RUN(a_slope_is_found_with_fewer_steps);
    RUN(what_makes_a_floor_level_does);
    RUN(derivatives_by_slopes_are_differences);
    RUN(a_part_of_a_pose_cannot_turn);
    RUN(what_is_not_felt_is_said);
    files_remove();
    return check_done();
}
