/* The final contact where the duration is free: it is that of the duration that the file gives as
 * long as this is stable, and the derivative by the duration is that of the residuals. The soft
 * contact within a mechanism: it does not push in the pose that the search begins with. */
#include "tests/problems/problem_files.h"

#include "problems/floor.h"
#include "problems/problem.h"
#include "problems/softening_schedule.h"
#include "problems/transcribe.h"

static sal_err err;

enum { STEPS = 10 }; /* of files_problem */
static const double shortest = 0.3, longest = 0.9;
static const char free_time[] = "duration=\"0.5\" range=\"0.3 0.9\"",
                  longest_time[] = "duration=\"0.9\" range=\"0.3 0.9\"";

/* The small walker, with its time and its smoothing table. */
static prb_transcription *walker(sal_problem **p, const char *time, const char *smoothing)
{
    prb_transcription *tr = NULL;
    sal_diag diag = {0};
    const char *text = files_replace(files_problem, "duration=\"0.5\"", time);
    text = files_replace(text, "maxiter=\"7\"/>", smoothing);
    files_write("m.xml", files_model, strlen(files_model));
    files_write("p.xml", text, strlen(text));
    CHECK_OK(sal_problem_read(p, files_path("p.xml"), NULL, &diag, &err), err);
    if (*p != NULL) {
        CHECK_OK(prb_transcription_new(&tr, *p, 1, &err), err);
    }
    sal_diag_clear(&diag);
    return tr;
}

/* A guess on the floor, on hard contact, that takes so long. */
static double *motion_of(prb_transcription *tr, double duration)
{
    const double logs[2] = {log(shortest), log(longest)};
    double *x = calloc((size_t)tr->layout.nx, sizeof *x);
    CHECK_OK(prb_guess(tr, x, 11, &err), err);
    CHECK_OK(tr->nls.stage(tr, 0, 0, x, &err), err);
    x[tr->layout.globals + PRB_GLOBAL_DURATION] = prb_bounded_inverse(logs, log(duration));
    prb_transcription_place(tr, x);
    CHECK_NEAR(tr->timestep, duration / STEPS, 1e-12);
    return x;
}

/* What MuJoCo's law makes of the time constant of the contacts of a motion so long. */
static double in_force(prb_transcription *tr, double duration)
{
    double *x = motion_of(tr, duration);
    const double timeconst = fmax(tr->model->pair_solref[0], 2 * tr->model->opt.timestep);
    CHECK_NEAR(tr->model->jnt_solref[2 * (tr->model->njnt - 1)], tr->model->pair_solref[0], 0);
    free(x);
    return timeconst;
}

static void no_duration_up_to_the_posed_one_changes_the_contact(void)
{
    static const char *const times[] = {free_time, longest_time};
    static const double posed[] = {0.5, 0.9};
    for (int i = 0; i < 2; i++) {
        sal_problem *p = NULL;
        prb_transcription *tr = walker(&p, times[i], "/>");
        for (double duration = 0.35; tr != NULL && duration < posed[i]; duration += 0.05) {
            CHECK_NEAR(in_force(tr, duration), 2.2 * posed[i] / STEPS, 1e-12);
        }
        prb_transcription_free(tr);
        sal_problem_free(p);
    }
}

/* The motion that a search begins with may last longer. */
static void nor_does_a_first_guess(void)
{
    sal_problem *p = NULL;
    prb_transcription *tr = walker(&p, free_time, "/>");
    if (p != NULL) {
        p->duration = 0.8;
        p->smoothing.timeconst = (prb_ramp){(double)NAN, (double)NAN};
        prb_smoothing_defaults(p, 0.5);
        CHECK_NEAR(p->smoothing.timeconst.soft, 2.2 * 0.5 / STEPS, 1e-12);
        CHECK_NEAR(p->smoothing.timeconst.final, 2.2 * 0.5 / STEPS, 1e-12);
    }
    prb_transcription_free(tr);
    sal_problem_free(p);
}

static void a_contact_of_two_steps_is_asked_for(void)
{
    sal_problem *p = NULL;
    prb_transcription *tr = walker(&p, free_time, "><smoothing timeconst=\"2h\"/></solver>");
    if (tr != NULL) {
        CHECK_NEAR(in_force(tr, 0.4), 2 * 0.4 / STEPS, 1e-12);
        CHECK_NEAR(in_force(tr, 0.8), 2 * 0.8 / STEPS, 1e-12);
    }
    prb_transcription_free(tr);
    sal_problem_free(p);
}

/* Faster than two steps would be unstable: a number that is less holds for short durations only. */
static void stability_comes_first(void)
{
    sal_problem *p = NULL;
    prb_transcription *tr = walker(&p, free_time, "><smoothing timeconst=\".1\"/></solver>");
    if (tr != NULL) {
        CHECK_NEAR(in_force(tr, 0.35), 0.1, 1e-12);
        CHECK_NEAR(in_force(tr, 0.45), 0.1, 1e-12);
        CHECK_NEAR(in_force(tr, 0.8), 2 * 0.8 / STEPS, 1e-12);
    }
    prb_transcription_free(tr);
    sal_problem_free(p);
}

static void a_fixed_duration_has_the_usual_contact(void)
{
    sal_problem *p = NULL;
    prb_transcription *tr = walker(&p, "duration=\"0.2\"", "/>");
    if (tr != NULL) {
        CHECK_NEAR(tr->model->pair_solref[0], 0.05, 0);
    }
    prb_transcription_free(tr);
    sal_problem_free(p);
}

/* d r / d u, u the variable that stands for the duration, of all residuals of a step. */
static void by_duration(const prb_transcription *tr, double *out, const double *J)
{
    for (int t = 0; t < tr->nblock; t++) {
        const sal_block *block = tr->block + t;
        for (int i = 0; i < block->nres; i++) {
            for (int k = 0; k < block->ncol; k++) {
                if (block->col[k] == tr->layout.global[PRB_GLOBAL_DURATION]) {
                    out[tr->r_adr[t] + (size_t)i] = J[tr->J_adr[t] + (size_t)(i * block->ncol + k)];
                }
            }
        }
    }
}

static void compare(prb_transcription *tr, double duration)
{
    const size_t rows = tr->r_adr[tr->nblock];
    const double eps = 1e-6;
    double *r = calloc(4 * rows, sizeof *r), *J = calloc(tr->J_adr[tr->nblock], sizeof *J);
    double *plus = r + rows, *minus = plus + rows, *Ju = minus + rows;
    double *x = motion_of(tr, duration), *u = x + tr->layout.globals + PRB_GLOBAL_DURATION;
    const double at = *u;
    double most = 0, worst = 0;
    CHECK_OK(tr->nls.linearise(tr, r, J, x, &err), err);
    by_duration(tr, Ju, J);
    *u = at + eps;
    CHECK_OK(tr->nls.residual(tr, plus, x, &err), err);
    *u = at - eps;
    CHECK_OK(tr->nls.residual(tr, minus, x, &err), err);
    for (size_t k = 0; k < rows; k++) {
        most = fmax(most, fabs(Ju[k]));
        worst = fmax(worst, fabs(Ju[k] - (plus[k] - minus[k]) / (2 * eps)));
    }
    CHECK(most > 0 && worst <= 1e-5 * most);
    free(r), free(J), free(x);
}

/* Where the contact is fixed, also where the search begins, and where longer steps lift its time
 * constant. */
static void derivatives_by_the_duration(void)
{
    static const double durations[] = {0.31, 0.5, 0.549, 0.551, 0.7, 0.89};
    sal_problem *p = NULL;
    prb_transcription *tr = walker(&p, free_time, "/>");
    for (size_t i = 0; tr != NULL && i < sizeof durations / sizeof *durations; i++) {
        compare(tr, durations[i]);
    }
    prb_transcription_free(tr);
    sal_problem_free(p);
}

/* Two legs, 2 cm apart, on a floor. */
static const char two_legs[] =
    "<mujoco><worldbody><geom name='floor' type='plane' size='9 9 1'/>"
    "<body name='trunk' pos='0 0 1'><freejoint/><geom size='.1' mass='5'/>"
    "<body name='left' pos='0 .06 -.2'><joint name='l' axis='0 1 0'/>"
    "<geom type='capsule' fromto='0 0 -.1 0 0 -.75' size='.05'/></body>"
    "<body name='right' pos='0 -.06 -.2'><joint name='r' axis='0 1 0'/>"
    "<geom type='capsule' fromto='0 0 -.1 0 0 -.75' size='.05'/></body></body></worldbody>"
    "<actuator><motor joint='l'/><motor joint='r'/></actuator></mujoco>";
static const char two_legs_problem[] =
    "<problem><model file='m.xml'/><time nstep='8' duration='1'/><boundary type='cycle'/>"
    "<cost><term name='near' joint='l r' sigma='1'/></cost></problem>";

static void legs_do_not_push_each_other_from_afar(void)
{
    sal_problem *p = NULL;
    prb_transcription *tr = NULL;
    sal_diag diag = {0};
    int seen = 0;
    files_write("m.xml", two_legs, strlen(two_legs));
    files_write("p.xml", two_legs_problem, strlen(two_legs_problem));
    CHECK_OK(sal_problem_read(&p, files_path("p.xml"), NULL, &diag, &err), err);
    if (p != NULL) {
        CHECK_OK(prb_transcription_new(&tr, p, 1, &err), err);
    }
    for (int i = 0; tr != NULL && i < p->model->npair; i++) {
        const bool floor = p->model->geom_bodyid[p->model->pair_geom1[i]] == 0;
        if (floor) {
            CHECK(tr->model->pair_include[i] > 0.03);
        } else {
            CHECK_NEAR(tr->model->pair_include[i], 0.02, 1e-12);
        }
        seen |= floor ? 1 : 2;
    }
    CHECK(seen == 3);
    prb_transcription_free(tr);
    sal_problem_free(p);
    sal_diag_clear(&diag);
}

/* A flat foot of a mesh on a floor that is a box: four contacts as in the model at the end, from
 * above the floor on. */
static void flat_feet_stand_on_four_points_from_the_beginning(void)
{
    static const char foot[] =
        "<mujoco><option timestep='.01'/><asset><mesh name='sole' vertex='-.1 -.05 -.03  .1 -.05 "
        "-.03  -.1 .05 -.03  .1 .05 -.03  -.1 -.05 .03  .1 -.05 .03  -.1 .05 .03  .1 .05 .03'/>"
        "</asset><worldbody><geom type='box' size='5 5 1' pos='0 0 -1'/><body pos='0 0 .03'>"
        "<joint name='up' type='slide' axis='0 0 1'/><joint name='tilt' axis='0 1 0'/>"
        "<geom type='mesh' mesh='sole'/></body></worldbody></mujoco>";
    static const char problem[] =
        "<problem><model file='m.xml'/><time nstep='8' duration='1'/><boundary type='cycle'/>"
        "<cost><term name='near' joint='up tilt' sigma='1'/></cost></problem>";
    sal_problem *p = NULL;
    prb_transcription *tr = NULL;
    sal_data *d = NULL;
    sal_diag diag = {0};
    files_write("m.xml", foot, strlen(foot));
    files_write("p.xml", problem, strlen(problem));
    CHECK_OK(sal_problem_read(&p, files_path("p.xml"), NULL, &diag, &err), err);
    if (p != NULL) {
        CHECK_OK(prb_transcription_new(&tr, p, 1, &err), err);
        CHECK_OK(sal_data_new(&d, tr->model, &err), err);
        CHECK(tr->model->pair_detect[0] > 0.01);
        d->qpos[0] = 0.005;
        d->qpos[1] = 0.01;
        CHECK_OK(sal_position(tr->model, d, &err), err);
        CHECK(d->ncon == 4);
    }
    sal_data_free(d);
    prb_transcription_free(tr);
    sal_problem_free(p);
    sal_diag_clear(&diag);
}

/* A ball that is let go just over the floor comes to rest as deep as is said. */
static void the_depth_at_rest_is_that_of_the_forward_engine(void)
{
    static const char text[] =
        "<mujoco><option timestep='.002' tolerance='0' iterations='100'/><worldbody>"
        "<geom type='plane' size='1 1 1'/><body name='ball' pos='0 0 .1'>"
        "<joint type='slide' axis='0 0 1' damping='40'/><geom size='.1' mass='3' solref='.03 1' "
        "solimp='.5 .9 .02'/></body></worldbody></mujoco>";
    const bool ball[] = {false, true};
    const double pose[] = {0};
    double once = 0, thrice = 0;
    sal_model *m = NULL;
    sal_data *d = NULL;
    CHECK_OK(sal_model_parse(&m, "m.xml", text, strlen(text), NULL, NULL, &err), err);
    CHECK_OK(sal_data_new(&d, m, &err), err);
    CHECK_OK(prb_floor_depth(&once, m, pose, ball, 1, &err), err);
    CHECK_OK(prb_floor_depth(&thrice, m, pose, ball, 3, &err), err);
    for (int i = 0; i < 5000; i++) {
        CHECK_OK(sal_step(m, d, &err), err);
    }
    CHECK(once > 1e-3 && thrice > 1.5 * once && thrice < 3 * once);
    CHECK_NEAR(once, -d->qpos[0], 1e-6);
    sal_data_free(d);
    sal_model_free(m);
}

int main(void)
{
    RUN(no_duration_up_to_the_posed_one_changes_the_contact);
    RUN(nor_does_a_first_guess);
    RUN(a_contact_of_two_steps_is_asked_for);
    RUN(stability_comes_first);
    RUN(a_fixed_duration_has_the_usual_contact);
    RUN(derivatives_by_the_duration);
    RUN(legs_do_not_push_each_other_from_afar);
    RUN(flat_feet_stand_on_four_points_from_the_beginning);
    RUN(the_depth_at_rest_is_that_of_the_forward_engine);
    files_remove();
    return check_done();
}
