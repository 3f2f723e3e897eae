/* A diagnosis names what is wrong with a motion. Each problem here is made so that there is one
 * reason, which is known without solving it. */
#include "tests/problems/problem_files.h"

#include "pages/pages.h"
#include "problems/result/diagnose.h"
#include "problems/result/result.h"

static sal_result *result;
static sal_err err;

/* Solves model and problem text; SAL_OK: `result` is there, to be freed by `release`. */
static sal_status solve(const char *model, const char *problem)
{
    sal_problem *p = NULL;
    sal_diag diag = {0};
    files_write("m.xml", model, strlen(model));
    files_write("p.xml", problem, strlen(problem));
    sal_status status = sal_problem_read(&p, files_path("p.xml"), NULL, &diag, &err);
    if (status != SAL_OK) {
        printf("%s\n", diag.text.data);
    } else {
        status = sal_problem_solve(&result, p, 1, NULL, &err);
    }
    sal_diag_clear(&diag);
    sal_problem_free(p);
    return status;
}

static void release(void)
{
    sal_result_free(result);
    result = NULL;
}

static const sal_finding *find(const char *kind)
{
    for (int i = 0; result != NULL && i < result->nfinding; i++) {
        if (strcmp(result->finding[i].kind, kind) == 0) {
            return result->finding + i;
        }
    }
    return NULL;
}

static void print_all(void)
{
    for (int i = 0; result != NULL && i < result->nfinding; i++) {
        printf("  %s: %s\n", result->finding[i].kind, result->finding[i].text);
    }
}

#define FOUND(kind, on, part)                                                                      \
    do {                                                                                           \
        const sal_finding *f_ = find(kind);                                                        \
        CHECK(f_ != NULL && strcmp(f_->what, on) == 0 && strstr(f_->text, part) != NULL);          \
        if (f_ == NULL) {                                                                          \
            printf("%s (exit %d), found:\n", result == NULL ? err.message : result->status,        \
                   result == NULL ? -1 : result->exit_code);                                       \
            print_all();                                                                           \
        }                                                                                          \
    } while (0)

/* ---- models ---- */

#define BALL(contact)                                                                              \
    "<mujoco><option timestep='.01'/><worldbody>"                                                  \
    "<geom name='floor' type='plane' size='9 9 1' " contact "/>"                                   \
    "<body name='sledge' pos='0 0 .1'><joint name='x' type='slide' axis='1 0 0'/>"                 \
    "<joint name='z' type='slide' axis='0 0 1'/>"                                                  \
    "<geom name='ball' size='.1' mass='1' " contact "/></body></worldbody></mujoco>"

static const char pendulum[] =
    "<mujoco><option timestep='.01'/><worldbody><body><joint name='hinge' axis='0 1 0'/>"
    "<geom type='capsule' size='.02' fromto='0 0 0 0 0 -1' mass='1'/></body></worldbody><actuator>"
    "<motor name='motor' joint='hinge' gear='2' ctrlrange='-1 1' ctrllimited='true'/></actuator>"
    "</mujoco>";

/* A cart that nothing asks anything of, beside a pendulum. */
static const char idle[] =
    "<mujoco><option timestep='.01' gravity='0 0 0'/><worldbody>"
    "<body><joint name='hinge' axis='0 1 0'/><geom size='.1' pos='0 0 1' mass='1'/></body>"
    "<body pos='3 0 0'><joint name='cart' type='slide' axis='1 0 0'/><geom size='.1' mass='1'/>"
    "</body></worldbody><actuator><motor name='turn' joint='hinge'/><motor name='push' "
    "joint='cart'/></actuator></mujoco>";

/* ---- forces and constraints ---- */

static void what_cannot_stay_up(void)
{
    CHECK_OK(solve(BALL("contype='0'  conaffinity='0'"),
                   "<problem name='p'><model file='m.xml'/><time nstep='10' duration='.5'/>"
                   "<boundary type='open'><start qpos='0 1' qvel='0'/><end qpos='0 1' qvel='0'/>"
                   "</boundary><cost><term name='still' joint='x' of='vel'/></cost></problem>"),
             err);
    CHECK(result != NULL && result->exit_code == 4);
    FOUND("unactuated force", "z", "N of unactuated force on joint 'z'");
    FOUND("hovers", "", "touches nothing for 100 %");
    CHECK(find("free fall") == NULL);
    release();
}

/* It is called as in problem files, by its number. */
static void what_has_no_name(void)
{
    CHECK_OK(solve(files_replace(BALL("contype='0'  conaffinity='0'"), "joint name='z'", "joint"),
                   "<problem name='p'><model file='m.xml'/><time nstep='10' duration='.5'/>"
                   "<boundary type='open'><start qpos='0 1' qvel='0'/><end qpos='0 1' qvel='0'/>"
                   "</boundary><cost><term name='still' joint='x' of='vel'/></cost></problem>"),
             err);
    FOUND("unactuated force", "#1", "N of unactuated force on joint '#1' of body 'sledge' (dof 1)");
    release();
}

static void what_is_let_go_falls(void)
{
    CHECK_OK(solve(BALL("contype='0'  conaffinity='0'"),
                   "<problem name='p'><model file='m.xml'/><time nstep='10' duration='.3'/>"
                   "<boundary type='open'><start qpos='0 1' qvel='0'/></boundary>"
                   "<cost><term name='still' joint='x' of='vel'/></cost></problem>"),
             err);
    CHECK(result != NULL && result->exit_code == 0);
    FOUND("free fall", "", "touches nothing for 100 %");
    CHECK(find("unactuated force") == NULL && find("hovers") == NULL);
    release();
}

/* From hanging to standing in .2 s takes more than 10 N m with 1 kg m^2/3; there are 2. */
static void a_motor_that_is_too_weak(void)
{
    CHECK_OK(solve(pendulum,
                   "<problem name='p'><model file='m.xml'/><time nstep='20' duration='.2'/>"
                   "<boundary type='open'><start qpos='0' qvel='0'/><end qpos='3.1' qvel='0'/>"
                   "</boundary><cost><term name='effort' ctrl='all'/></cost></problem>"),
             err);
    CHECK(result != NULL && result->exit_code == 4);
    FOUND("violated", "ctrlrange of motor", "ctrlrange of motor is violated by");
    FOUND("active", "ctrlrange of motor", "is reached in");
    release();
}

static void a_step_that_is_too_long(void)
{
    CHECK_OK(solve(idle, "<problem name='p'><model file='m.xml'/><time nstep='4' duration='1'/>"
                         "<boundary type='open'><start qpos='0 0' qvel='0'/><end qpos='3 0' "
                         "qvel='0'/></boundary><cost><term name='effort' ctrl='all'/></cost>"
                         "</problem>"),
             err);
    FOUND("turns far in a step", "hinge", " rad in time step ");
    release();
}

/* Hard contacts carry the ball at a gap of kappa/(m g h) = .5 mm: at 0 m and below nothing can. */
static void an_end_on_hard_ground(void)
{
    static const char form[] =
        "<problem name='p'><model file='m.xml'/><time nstep='5' duration='.5'/>"
        "<boundary type='open'><start qpos='0 .0005' qvel='0'/><end qpos='0 %s'/></boundary><cost>"
        "<term name='load' normal='ball'/></cost><solver contactmodel='hard'/></problem>";
    static const char *const height[] = {"-.0001", ".0005"};
    for (int is_high = 0; is_high < 2; is_high++) {
        char text[1024];
        snprintf(text, sizeof text, form, height[is_high]);
        CHECK_OK(solve(BALL(""), text), err);
        CHECK(result != NULL && result->exit_code == (is_high ? 0 : 4));
        if (is_high) {
            CHECK(find("overlaps") == NULL);
        } else {
            FOUND("overlaps", "sledge", "overlaps 'floor' by 0.0001 m at 0.5 s");
        }
        release();
    }
}

/* ---- terms ---- */

static void a_term_that_nothing_happens_to(void)
{
    CHECK_OK(solve(BALL(""),
                   "<problem name='p'><model file='m.xml'/><time nstep='10' duration='.1'/>"
                   "<boundary type='open'><start qpos='0 90' qvel='0'/></boundary><cost>"
                   "<term name='still' joint='x' of='vel'/><term name='load' normal='ball'/>"
                   "</cost></problem>"),
             err);
    FOUND("no effect", "load", "term 'load' has no effect");
    release();
}

static void a_term_about_what_is_pinned(void)
{
    CHECK(solve(pendulum,
                "<problem name='p'><model file='m.xml'/><time nstep='10' duration='1'/>"
                "<boundary type='open'><start qpos='0' qvel='0'/></boundary><cost>"
                "<term name='effort' ctrl='all'/><term name='begin' joint='hinge' target='1' "
                "at='start'/></cost></problem>") == SAL_BADINPUT);
    CHECK(strstr(err.message, "term 'begin' has no effect") != NULL);
    CHECK(result == NULL);
}

static void a_term_that_dominates(void)
{
    CHECK_OK(solve(idle,
                   "<problem name='p'><model file='m.xml'/><time nstep='20' duration='1'/>"
                   "<boundary type='open'><start qpos='0 0' qvel='0'/><end qpos='1 0' qvel='0'/>"
                   "</boundary><cost><term name='effort' ctrl='all'/><term name='calm' joint='all' "
                   "of='vel' weight='1e-6'/></cost></problem>"),
             err);
    FOUND("dominates", "effort", "term 'effort' is 100.0 % of the cost");
    release();
}

/* |u| has no curvature; u^2/2 has it everywhere, and sqrt(u^2 + p^2) where u is not far over p. */
static void a_norm_that_is_straight(void)
{
    static const struct {
        const char *norm;
        bool straight;
    } norms[] = {{"norm='power' p='1'", true},  {"norm='smoothabs' p='.01'", true},
                 {"norm='l2' p='.01'", true},   {"norm='smoothabs' p='4'", false},
                 {"norm='power' p='2'", false}, {"", false}};
    for (size_t i = 0; i < sizeof norms / sizeof norms[0]; i++) {
        char problem[600];
        snprintf(problem, sizeof problem,
                 "<problem name='p'><model file='m.xml'/><time nstep='20' duration='1'/>"
                 "<boundary type='open'><start qpos='0 0' qvel='0'/><end qpos='1 1' qvel='0'/>"
                 "</boundary><cost><term name='fuel' ctrl='all' %s/></cost></problem>",
                 norms[i].norm);
        CHECK_OK(solve(idle, problem), err);
        CHECK((find("straight") != NULL) == norms[i].straight);
        release();
    }
}

static void a_joint_that_nothing_determines(void)
{
    CHECK_OK(solve(idle, "<problem name='p'><model file='m.xml'/><time nstep='20' duration='1'/>"
                         "<boundary type='open'/><cost><term name='turn' joint='hinge' "
                         "target='1'/></cost><solver maxiter='1'/></problem>"),
             err);
    CHECK(result != NULL && result->exit_code == 1);
    FOUND("undetermined", "cart", "no term and no constraint determines joint 'cart'");
    release();
}

/* ---- contacts ---- */

/* Without friction a ball goes on for ever, touching the floor. */
static void what_slides(void)
{
    CHECK_OK(solve(BALL("condim='1'"),
                   "<problem name='p'><model file='m.xml'/><time nstep='10' duration='1'/>"
                   "<boundary type='cycle'><travel joint='x' speed='1'/></boundary>"
                   "<cost><term name='calm' joint='all' of='acc'/></cost></problem>"),
             err);
    CHECK(result != NULL && result->exit_code == 0);
    FOUND("sliding", "sledge",
          "body 'sledge' carries 100 % of the load and slides at 1 m/s on average");
    release();
}

/* With friction it comes to rest, dragged on the way. */
static void what_drags(void)
{
    CHECK_OK(solve(BALL("condim='3' friction='.2'"),
                   "<problem name='p'><model file='m.xml'/><time nstep='20' duration='.4'/>"
                   "<boundary type='open'><start qpos='0 0' qvel='1 0'/></boundary>"
                   "<cost><term name='calm' joint='z' of='vel'/></cost></problem>"),
             err);
    FOUND("drags", "sledge", "body 'sledge' slides under load at");
    release();
}

/* It rests where d k depth = g; with k = 1/(dmax timeconst)^2 of MuJoCo's law that is some 2 cm, or
 * more where d is still rising. */
static void what_is_too_soft(void)
{
    CHECK_OK(solve(BALL("condim='1'"),
                   "<problem name='p'><model file='m.xml'/><time nstep='10' duration='.2'/>"
                   "<boundary type='open'/><cost><term name='calm' joint='all' "
                   "of='vel'/></cost><init qpos='0 -.03'/>"
                   "<solver><smoothing width='.15 .15' dmax='.8 .8' timeconst='.05 .05'/></solver>"
                   "</problem>"),
             err);
    FOUND("penetrates deeply", "sledge", "body 'sledge' penetrates 'floor' by up to");
    release();
}

/* What <require> allows is not too deep; what it does not allow is named as such, too. */
static void what_is_as_soft_as_asked(void)
{
    static const char *const depth[] = {"1", ".001"};
    for (int i = 0; i < 2; i++) {
        char problem[600];
        snprintf(problem, sizeof problem,
                 "<problem name='p'><model file='m.xml'/><time nstep='10' duration='.2'/>"
                 "<boundary type='open'/><cost><term name='calm' joint='all' of='vel'/></cost>"
                 "<require penetration='%s'/><init qpos='0 -.03'/>"
                 "<solver><smoothing width='.15 .15' dmax='.8 .8' timeconst='.05 .05'/></solver>"
                 "</problem>",
                 depth[i]);
        CHECK_OK(solve(BALL("condim='1'"), problem), err);
        CHECK((find("penetrates deeply") != NULL) == (i == 1));
        CHECK((find("too deep") != NULL) == (i == 1));
        release();
    }
}

/* A bar that hangs on two arms. Whole, the end is out of reach, since the loop gives way under the
 * bar's weight; one arm says all. */
static void a_loop_that_is_pinned_closed(void)
{
    static const char *const end[] = {"qpos='.8 -.8 .8' qvel='0 0 0'",
                                      "joint='q1' qpos='.8' qvel='0'"};
    for (int i = 0; i < 2; i++) {
        char problem[500];
        snprintf(problem, sizeof problem,
                 "<problem name='p'><model file='m.xml'/><time nstep='100' duration='1'/>"
                 "<boundary type='open'><start qpos='0 0 0' qvel='0 0 0'/><end %s/></boundary>"
                 "<cost><term name='effort' ctrl='m'/></cost><init nstart='1'/></problem>",
                 end[i]);
        CHECK_OK(solve("<mujoco><default><geom contype='0' conaffinity='0' size='.02'/>"
                       "<joint axis='0 1 0' damping='.02'/></default><worldbody>"
                       "<body pos='0 0 1'><joint name='q1'/><geom type='capsule' mass='.5' "
                       "fromto='0 0 0 0 0 -.4'/><body name='bar' pos='0 0 -.4'><joint name='q2'/>"
                       "<geom type='capsule' fromto='0 0 0 .5 0 0' mass='.6'/></body></body>"
                       "<body name='arm' pos='.5 0 1'><joint name='q3'/><geom type='capsule' "
                       "fromto='0 0 0 0 0 -.4' mass='.5'/></body></worldbody><equality><connect "
                       "body1='bar' body2='arm' anchor='.5 0 0'/></equality><actuator>"
                       "<motor name='m' joint='q1' ctrlrange='-8 8'/></actuator></mujoco>",
                       problem),
                 err);
        if (i == 0) {
            FOUND("pinned loop", "equality", "a pinned end (at 0.9");
        } else {
            CHECK(result != NULL && result->exit_code == 0 && find("pinned loop") == NULL);
        }
        release();
    }
}

/* Like lines are one: the runner of two balls is named once, with its depth and its contact. */
static void what_is_too_soft_in_several_places(void)
{
    CHECK_OK(solve("<mujoco><option timestep='.01'/><worldbody><geom type='plane' size='9 9 1'/>"
                   "<body name='runner' pos='0 0 .1'><joint name='z' type='slide' axis='0 0 1'/>"
                   "<geom size='.1' mass='1' condim='1'/><geom size='.1' pos='.3 0 .001' mass='1' "
                   "condim='1'/></body></worldbody></mujoco>",
                   "<problem name='p'><model file='m.xml'/><time nstep='10' duration='.2'/>"
                   "<boundary type='open'/><cost><term name='calm' joint='all' "
                   "of='vel'/></cost><init qpos='-.03'/>"
                   "<solver><smoothing width='.15 .15' dmax='.8 .8' timeconst='.05 .05'/></solver>"
                   "</problem>"),
             err);
    FOUND("penetrates deeply", "runner", "body 'runner' penetrates the floor by up to 0.0");
    FOUND("penetrates deeply", "runner", "2 of its geoms by more than 0.00");
    FOUND("penetrates deeply", "runner", "; width now 0.15 m, dmax now 0.8)");
    int lines = 0;
    for (int i = 0; result != NULL && i < result->nfinding; i++) {
        lines += strcmp(result->finding[i].kind, "penetrates deeply") == 0;
    }
    CHECK(lines == 1);
    release();
}

/* ---- where it is told ---- */

static void it_is_kept_with_the_result(void)
{
    sal_result *again = NULL;
    sal_text page = {0};
    CHECK_OK(solve(BALL("contype='0'  conaffinity='0'"),
                   "<problem name='p'><model file='m.xml'/><time nstep='10' duration='.5'/>"
                   "<boundary type='open'><start qpos='0 1' qvel='0'/><end qpos='0 1' qvel='0'/>"
                   "</boundary><cost><term name='still' joint='x' of='vel'/></cost></problem>"),
             err);
    CHECK_OK(sal_result_write(result, files_path("r.h5"), &err), err);
    CHECK_OK(sal_result_read(&again, files_path("r.h5"), &err), err);
    CHECK(again != NULL && again->nfinding == result->nfinding && result->nfinding > 1);
    for (int i = 0; again != NULL && i < again->nfinding; i++) {
        CHECK_TEXT(again->finding[i].kind, result->finding[i].kind);
        CHECK_TEXT(again->finding[i].text, result->finding[i].text);
        CHECK(again->finding[i].level == result->finding[i].level);
    }
    CHECK_OK(sal_result_report(again, &(sal_report_options){.still = true}, &page, &err), err);
    CHECK(page.data != NULL && strstr(page.data, "<h2>Diagnosis</h2>") != NULL &&
          strstr(page.data, "<li><b>hovers</b>") != NULL);
    sal_text_clear(&page);
    sal_result_free(again);
    release();
}

/* An arm beside something that lies about does not fly, nor does a box that a motor lifts. */
static void what_is_free_to_rise(void)
{
    static const struct {
        const char *name;
        bool free;
    } models[] = {{"walker", true},   {"box", false},      {"person", true}, {"raibert", true},
                  {"hopper", true},   {"quadruped", true}, {"arm", false},   {"finger", false},
                  {"spinner", false}, {"two_arms", false}, {"parcel", true}, {"cartpole", false}};
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
        const char *root = getenv("SALTUS_ROOT");
        char path[1024];
        sal_model *m = NULL;
        snprintf(path, sizeof path, "%s/models/%s.xml", root == NULL ? "." : root, models[i].name);
        CHECK_OK(sal_model_load(&m, path, NULL, NULL, &err), err);
        if (m != NULL && prb_is_free(m) != models[i].free) {
            printf("%s\n", models[i].name);
            CHECK(prb_is_free(m) == models[i].free);
        }
        sal_model_free(m);
    }
}

int main(void)
{
    RUN(what_is_free_to_rise);
    RUN(what_cannot_stay_up);
    RUN(what_has_no_name);
    RUN(what_is_let_go_falls);
    RUN(a_motor_that_is_too_weak);
    RUN(a_step_that_is_too_long);
    RUN(an_end_on_hard_ground);
    RUN(a_term_that_nothing_happens_to);
    RUN(a_term_about_what_is_pinned);
    RUN(a_term_that_dominates);
    RUN(a_norm_that_is_straight);
    RUN(a_joint_that_nothing_determines);
    RUN(what_slides);
    RUN(what_drags);
    RUN(what_is_too_soft);
    RUN(what_is_as_soft_as_asked);
    RUN(what_is_too_soft_in_several_places);
    RUN(a_loop_that_is_pinned_closed);
    RUN(it_is_kept_with_the_result);
    files_remove();
    return check_done();
}
