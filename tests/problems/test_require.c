/* A motion that was found is judged by what was asked for. Each requirement has a motion that
 * violates it and one that keeps it; what they amount to is known without solving. */
#include "tests/cli/command.h"

#include "pages/pages.h"
#include "problems/result/gait.h"
#include "problems/transcribe.h"

#include <math.h>

static sal_err err;

static sal_result *solve(const char *model, const char *problem)
{
    sal_problem *p = NULL;
    sal_result *result = NULL;
    sal_diag diag = {0};
    files_write("m.xml", model, strlen(model));
    files_write("p.xml", problem, strlen(problem));
    CHECK_OK(sal_problem_read(&p, files_path("p.xml"), NULL, &diag, &err), err);
    if (p == NULL) {
        printf("%s\n", diag.text.data);
    } else {
        CHECK_OK(sal_problem_solve(&result, p, 1, NULL, &err), err);
    }
    sal_diag_clear(&diag);
    sal_problem_free(p);
    return result;
}

static const sal_finding *find(const sal_result *r, const char *kind)
{
    for (int i = 0; i < r->nfinding; i++) {
        if (strcmp(r->finding[i].kind, kind) == 0) {
            return r->finding + i;
        }
    }
    return NULL;
}

static const prb_requirement_report *report_of(const sal_result *r, const char *name)
{
    for (int i = 0; i < r->nrequirement; i++) {
        if (strcmp(r->requirement[i].name, name) == 0) {
            return r->requirement + i;
        }
    }
    printf("no report of %s\n", name);
    return NULL;
}

/* The motion is as asked, and `name` is the one thing that was. */
static void is_kept(sal_result *r, const char *name)
{
    const prb_requirement_report *q = r == NULL ? NULL : report_of(r, name);
    CHECK(r != NULL && r->exit_code == 0 && r->judged && r->as_asked);
    CHECK(q != NULL && r->nrequirement == 1 && prb_requirement_is_met(q));
    if (r != NULL) {
        char verdict[PRB_VERDICT];
        prb_verdict(r, verdict);
        CHECK_TEXT(verdict, "physical, and as asked");
        CHECK(prb_result_is_solved(r) && sal_result_as_asked(r) == 1);
    }
    sal_result_free(r);
}

/* The motion is physical, but violates `name` by `found`: a finding of `kind` about `what` says so
 * with `part`. */
static void is_violated(sal_result *r, const char *name, double found, double precision,
                        const char *kind, const char *what, const char *part)
{
    const prb_requirement_report *q = r == NULL ? NULL : report_of(r, name);
    const sal_finding *f = r == NULL ? NULL : find(r, kind);
    CHECK(r != NULL && r->exit_code == 1 && r->judged && !r->as_asked);
    CHECK(q != NULL && !prb_requirement_is_met(q));
    CHECK(f != NULL && f->level == 2);
    if (q != NULL && f != NULL) {
        char verdict[PRB_VERDICT];
        CHECK_NEAR(q->found, found, precision);
        CHECK(f->value == q->found);
        CHECK_TEXT(f->what, what);
        SAYS(f->text, part);
        prb_verdict(r, verdict);
        CHECK_TEXT(verdict, "physical, but not as asked: 1 of 1 requirements is not satisfied");
        CHECK(prb_result_is_physical(r) && prb_result_is_solved(r));
        CHECK_TEXT(r->status, "converged");
    }
    sal_result_free(r);
}

/* ---- contacts ---- */

#define BALL(contact)                                                                              \
    "<mujoco><option timestep='.01'/><worldbody>"                                                  \
    "<geom name='floor' type='plane' size='9 9 1' " contact "/>"                                   \
    "<body name='sledge' pos='0 0 .1'><joint name='x' type='slide' axis='1 0 0'/>"                 \
    "<joint name='z' type='slide' axis='0 0 1'/>"                                                  \
    "<geom name='ball' size='.1' mass='1' " contact "/></body></worldbody></mujoco>"

/* A ball that slides at 1 m/s without friction, carried with its weight all the time. */
#define GLIDES(require)                                                                            \
    solve(BALL("condim='1'"),                                                                      \
          "<problem name='p'><model file='m.xml'/><time nstep='10' duration='1'/>"                 \
          "<boundary type='cycle'><travel joint='x' speed='1'/></boundary>"                        \
          "<cost><term name='calm' joint='all' of='acc'/></cost>" require "</problem>")

static void slip(void)
{
    is_kept(GLIDES("<require slip='1.01'/>"), "require/slip");
    is_violated(GLIDES("<require slip='.99'/>"), "require/slip", 1, 1e-6, "slips",
                "body 'sledge' and 'floor'", "(required: at most 0.99 m/s)");
}

static void load(void)
{
    is_kept(GLIDES("<require load='1.01'/>"), "require/load");
    is_violated(GLIDES("<require load='.99'/>"), "require/load", 1, 1e-3, "overload",
                "body 'sledge' and 'floor'", "the mechanism is carried with 1 times its weight");
}

/* The sphere's centre is a radius and its depth from the floor. */
static void penetration(void)
{
    sal_result *free = GLIDES("");
    double depth = 0;
    CHECK(free != NULL && free->exit_code == 0 && free->nrequirement == 0);
    for (int t = 0; free != NULL && t <= free->nstep; t++) {
        depth = fmax(depth, -free->qpos[2 * t + 1]);
    }
    CHECK(depth > 1e-4 && depth < .1);
    sal_result_free(free);
    is_kept(GLIDES("<require penetration='.1'/>"), "require/penetration");
    is_violated(GLIDES("<require penetration='1e-4'/>"), "require/penetration", depth, 1e-9,
                "too deep", "body 'sledge' and 'floor'", "(required: at most 0.0001 m)");
}

/* Two balls side by side on the floor. */
static const char two[] =
    "<mujoco><option timestep='.01'/><worldbody><geom type='plane' size='9 9 1'/>"
    "<body name='a' pos='0 0 .1'><joint name='za' type='slide' axis='0 0 1'/>"
    "<geom name='ga' size='.1' mass='1' condim='1'/></body>"
    "<body name='b' pos='1 0 .1'><joint name='zb' type='slide' axis='0 0 1'/>"
    "<geom name='gb' size='.1' mass='2' condim='1'/></body></worldbody></mujoco>";

#define RESTS(terms, require)                                                                      \
    solve(two, "<problem name='p'><model file='m.xml'/><time nstep='10' duration='.5'/>"           \
               "<boundary type='cycle'/><cost><term name='calm' joint='all' of='vel'/>" terms      \
               "</cost>" require "</problem>")

static void only(void)
{
    is_kept(RESTS("", "<require only='a gb'/>"), "require/only");
    is_violated(RESTS("", "<require only='a'/>"), "require/only", 2 * 9.81, .02, "touches",
                "body 'b' and the floor", "body 'b' and the floor touch with 19.6 N");
    is_violated(RESTS("", "<require only='gb'/>"), "require/only", 9.81, .01, "touches",
                "body 'a' and the floor", "body 'a' and the floor touch with 9.81 N");
}

#define SIDE(name, y)                                                                              \
    "<body name='" name "ball' pos='0 " y " .1'><joint name='" name                                \
    "z' type='slide' axis='0 0 1'/><geom size='.1' mass='1' condim='1'/></body>"

static const char twins[] =
    "<mujoco><option timestep='.01'/><worldbody><geom type='plane' size='9 9 1'/>" SIDE(
        "left_", ".5") SIDE("right_", "-.5") "</worldbody></mujoco>";

#define TWINS(only)                                                                                \
    "<problem name='p'><model file='m.xml'/><time nstep='10' duration='.5'/>"                      \
    "<boundary type='cycle' mirror='left_ right_'/><cost><term name='calm' joint='all' of='vel'/>" \
    "</cost><require only='" only "'/></problem>"

/* Judges the resting motion anew, as if only the left ball had touched in the computed half. */
static void left_touches(const char *problem, bool kept)
{
    sal_result *r = solve(twins, problem);
    sal_problem *p = NULL;
    sal_diag diag = {0};
    CHECK_OK(sal_problem_read(&p, files_path("p.xml"), NULL, &diag, &err), err);
    if (p != NULL && r != NULL) {
        for (int k = 0; k < r->ncontact; k++) {
            r->contact_force[6 * k] *= r->contact_geom[2 * k + 1] == 1;
        }
        r->nrequirement = 0;
        CHECK_OK(prb_judge(p, r, &err), err);
        CHECK(r->nrequirement == 1 && prb_requirement_is_met(r->requirement) == kept);
        CHECK_NEAR(r->requirement[0].found, kept ? 0 : 9.81, .01);
    }
    sal_result_free(r);
    sal_problem_free(p);
    sal_diag_clear(&diag);
}

/* In the other half the right ball does what the left one does. */
static void only_in_both_halves(void)
{
    left_touches(TWINS("left_ball right_ball"), true);
    left_touches(TWINS("left_ball"), false);
}

/* Two balls, 10 mm in each other or 10 mm apart at the start, where nothing else happens. */
#define PAIR(from, to)                                                                             \
    "<mujoco><option timestep='.01' gravity='0 0 0'/><worldbody>" from                             \
    "<body name='l' pos='-.1 0 0'><joint name='xl' type='slide' axis='1 0 0'/>"                    \
    "<geom size='.1' mass='1' condim='1'/></body>"                                                 \
    "<body name='r' pos='.1 0 0'><joint name='xr' type='slide' axis='1 0 0'/>"                     \
    "<geom size='.1' mass='1' condim='1'/></body>" to "</worldbody></mujoco>"
#define FRAME                                                                                      \
    "<body name='frame'><joint name='z' type='slide' axis='0 0 1'/>"                               \
    "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
#define BESIDE(qpos)                                                                               \
    "<problem name='p'><model file='m.xml'/><time nstep='10' duration='.1'/>"                      \
    "<boundary type='open'><start joint='xl xr' qpos='" qpos "' qvel='0'/></boundary>"             \
    "<cost><term name='calm' joint='all' of='vel'/></cost><require selfcontact='false'/>"          \
    "</problem>"

static void selfcontact(void)
{
    is_kept(solve(PAIR(FRAME, "</body>"), BESIDE("-.005 .005")), "require/selfcontact");
    is_kept(solve(PAIR("", ""), BESIDE(".005 -.005")), "require/selfcontact"); /* of two trees */
    sal_result *r = solve(PAIR(FRAME, "</body>"), BESIDE(".005 -.005"));
    double force = 0;
    for (int k = 0; r != NULL && k < r->contact_offset[r->nstep]; k++) {
        force = fmax(force, r->contact_force[6 * k]);
    }
    CHECK(force > 1);
    is_violated(r, "require/selfcontact", force, 0, "touches itself", "body 'l' and body 'r'",
                "body 'l' and body 'r' touch with");
}

/* A ball of 1 kg that nothing holds, beside or on 5 kg that a joint and a motor hold */
#define HELD(axis, pos, ball)                                                                      \
    "<mujoco><option timestep='.01'/><worldbody><geom name='floor' type='plane' size='9 9 1' "     \
    "condim='1'/><body name='table' pos='" pos "'><joint name='held' type='slide' axis='" axis     \
    "'/><geom type='box' size='.3 .3 .05' mass='5' condim='1'/></body><body name='ball' pos='0 "   \
    "0 " ball "'><joint name='z' type='slide' axis='0 0 1'/><geom size='.1' mass='1' condim='1'/>" \
    "</body></worldbody><actuator><motor joint='held'/></actuator></mujoco>"
#define STILL(start)                                                                               \
    "<problem name='p'><model file='m.xml'/><time nstep='10' duration='.2'/>"                      \
    "<boundary type='open'><start " start " qvel='0 0'/><end qvel='0 0'/></boundary><cost>"        \
    "<term name='calm' joint='all' of='acc'/></cost><require rest='.05'/></problem>"

/* What a joint holds need not be carried, and may carry. */
static void rest(void)
{
    is_kept(solve(HELD("1 0 0", "2 0 1", ".1"), STILL("")), "require/rest");
    is_kept(solve(HELD("0 0 1", "0 0 1", "1.15"), STILL("")), "require/rest");
    is_violated(solve(HELD("0 0 1", "0 0 1", "1.15"),
                      "<problem name='p'><model file='m.xml'/><time nstep='10' duration='.2'/>"
                      "<boundary type='open'><end qpos='0 .5' qvel='0 0'/></boundary><cost>"
                      "<term name='calm' joint='held' of='acc'/></cost><require rest='.05'/>"
                      "</problem>"),
                "require/rest", 1, 1e-9, "not at rest", "",
                "where body 'ball' is to be at rest, what carries it differs from its weight by 1 "
                "times the weight");
}

/* ---- targets ---- */

static const char pendulum[] =
    "<mujoco><option timestep='.01'/><worldbody><body><joint name='hinge' axis='0 1 0'/>"
    "<geom type='capsule' size='.02' fromto='0 0 0 0 0 -1' mass='1'/></body></worldbody><actuator>"
    "<motor name='motor' joint='hinge' gear='9' ctrlrange='-1 1' ctrllimited='true'/></actuator>"
    "</mujoco>";

#define SWING(term)                                                                                \
    solve(pendulum, "<problem name='p'><model file='m.xml'/><time nstep='20' duration='1'/>"       \
                    "<boundary type='open'><start qpos='0' qvel='0'/></boundary><cost>"            \
                    "<term name='effort' ctrl='all'/><term name='calm' joint='hinge' of='vel' "    \
                    "weight='1e-3'/>" term "</cost></problem>")
#define REACH(rest) "<term name='reach' joint='hinge' target='.5' " rest "/>"

/* Effort keeps it where it hangs; a strong target does not. 5 % of .5 rad are allowed. */
static void targets(void)
{
    const char *name = "term[reach]/target";
    is_kept(SWING(REACH("at='end' weight='1e5'")), name);
    is_violated(SWING(REACH("at='end' weight='1e-8'")), name, .5, 1e-3, "target missed", "reach",
                "term 'reach' misses its target by 0.5 rad at 1 s (allowed: 0.025)");
    is_violated(SWING(REACH("steps='19 20' weight='1e-8'")), name, .5, 1e-3, "target missed",
                "reach", "misses its target");
    is_violated(SWING(REACH("mean='true' weight='1e-8'")), name, .5, 1e-3, "target missed", "reach",
                "misses its target by 0.5 rad (allowed: 0.025)");
    is_kept(SWING(REACH("at='end' weight='1e-8' tol='.6'")), name);
    is_violated(SWING(REACH("weight='1e-8' tol='.4'")), name, .5, 1e-3, "target missed", "reach",
                "(allowed: 0.4)");
}

/* softplus asks for no more than its target: hanging is below it. */
static void one_sided_targets(void)
{
    is_kept(SWING(REACH("at='end' norm='softplus' weight='1e-8'")), "term[reach]/target");
}

/* A target that counts all the time is a direction to go; one of weight 0 asks for nothing. */
static void targets_that_are_not_judged(void)
{
    const char *const terms[] = {"weight='1e-8'", "window='.5 1' weight='1e-8'",
                                 "at='end' weight='0' softweight='1e-8'"};
    for (size_t i = 0; i < sizeof terms / sizeof terms[0]; i++) {
        char text[1000];
        snprintf(text, sizeof text,
                 "<problem name='p'><model file='m.xml'/><time nstep='20' duration='1'/>"
                 "<boundary type='open'><start qpos='0' qvel='0'/></boundary><cost>"
                 "<term name='effort' ctrl='all'/><term name='calm' joint='hinge' of='vel' "
                 "weight='1e-3'/><term name='reach' joint='hinge' target='.5' %s/></cost>"
                 "</problem>",
                 terms[i]);
        sal_result *r = solve(pendulum, text);
        CHECK(r != NULL && r->exit_code == 0 && r->as_asked && r->nrequirement == 0);
        sal_result_free(r);
    }
}

/* ---- what is not required ---- */

/* The farther the end of the time, the smaller the effort, as duration^-4. */
static void a_duration_at_its_bound(void)
{
    static const char cart[] =
        "<mujoco><option timestep='.01' gravity='0 0 0'/><worldbody><body><joint name='x' "
        "type='slide' axis='1 0 0'/><geom size='.1' mass='1'/></body></worldbody><actuator>"
        "<motor name='push' joint='x'/></actuator></mujoco>";
    sal_result *r = solve(cart, "<problem name='p'><model file='m.xml'/><time nstep='20' "
                                "duration='1' range='.5 1.5'/><boundary type='open'><start "
                                "qpos='0' qvel='0'/><end qpos='1' qvel='0'/></boundary><cost>"
                                "<term name='effort' ctrl='all'/></cost></problem>");
    const sal_finding *f = r == NULL ? NULL : find(r, "at its bound");
    CHECK(r != NULL && r->exit_code == 0 && r->as_asked);
    CHECK(f != NULL && f->level == 1);
    if (f != NULL) {
        CHECK_TEXT(f->what, "duration");
        CHECK_NEAR(f->value, 1.5, .01);
        SAYS(f->text, " s is at an end of its range of 0.5 .. 1.5 s");
    }
    sal_result_free(r);
}

/* It is only said where terms about contacts name others. */
static void a_body_that_nobody_named(void)
{
    sal_result *one = RESTS("<term name='load' normal='a' weight='1e-9'/>", ""),
               *none = RESTS("", ""),
               *all = RESTS("<term name='load' normal='a gb' weight='1e-9'/>", "");
    CHECK(one != NULL && none != NULL && all != NULL);
    if (one != NULL && none != NULL && all != NULL) {
        const sal_finding *f = find(one, "stands on others");
        CHECK(f != NULL && f->level == 1 && one->exit_code == 0);
        if (f != NULL) {
            CHECK_TEXT(f->what, "b");
            SAYS(f->text, "body 'b' carries 67 % of the load");
        }
        CHECK(find(none, "stands on others") == NULL && find(all, "stands on others") == NULL);
    }
    sal_result_free(one);
    sal_result_free(none);
    sal_result_free(all);
}

/* ---- the motion, and where it is told ---- */

/* What is required changes no bit of the motion. */
static void the_search_does_not_know_of_it(void)
{
    sal_result *a = GLIDES(""), *b = GLIDES("<require slip='.1' penetration='1e-4' load='.1' "
                                            "only='sledge' selfcontact='false'/>");
    CHECK(a != NULL && b != NULL);
    if (a != NULL && b != NULL) {
        CHECK(a->nstep == b->nstep &&
              memcmp(a->qpos, b->qpos,
                     (size_t)(a->nstep + 1) * (size_t)a->model->nq * sizeof *a->qpos) == 0);
        CHECK(a->cost == b->cost && a->optim.linearisations == b->optim.linearisations);
        char verdict[PRB_VERDICT];
        prb_verdict(b, verdict);
        CHECK_TEXT(verdict, "physical, but not as asked: 3 of 5 requirements are not satisfied");
    }
    sal_result_free(a);
    sal_result_free(b);
}

/* Of a motion that cannot be, only that is said. */
static void what_is_not_physical_is_not_as_asked(void)
{
    sal_result *r = solve(BALL("contype='0'  conaffinity='0'"),
                          "<problem name='p'><model file='m.xml'/><time nstep='10' duration='.5'/>"
                          "<boundary type='open'><start qpos='0 1' qvel='0'/><end qpos='0 1' "
                          "qvel='0'/></boundary><cost><term name='still' joint='x' of='vel'/>"
                          "<term name='reach' joint='x' target='1' at='.2' weight='1e-9'/></cost>"
                          "</problem>");
    char verdict[PRB_VERDICT];
    CHECK(r != NULL && r->exit_code == 4 && r->judged && !r->as_asked);
    if (r != NULL) {
        CHECK(find(r, "target missed") == NULL && !prb_result_is_solved(r));
        prb_verdict(r, verdict);
        CHECK_TEXT(verdict, "not physical: the model cannot move like this");
    }
    sal_result_free(r);
}

static void it_is_kept_with_the_result(void)
{
    sal_result *r = SWING(REACH("at='end' weight='1e-8'")), *again = NULL;
    CHECK(r != NULL);
    if (r == NULL) {
        return;
    }
    CHECK_OK(sal_result_write(r, files_path("r.h5"), &err), err);
    CHECK_OK(sal_result_read(&again, files_path("r.h5"), &err), err);
    CHECK(again != NULL && again->judged && !again->as_asked && again->exit_code == 1);
    if (again != NULL) {
        char one[PRB_VERDICT], two_[PRB_VERDICT];
        prb_verdict(r, one);
        prb_verdict(again, two_);
        CHECK_TEXT(one, two_);
        CHECK(again->nrequirement == 1);
        CHECK_TEXT(again->requirement[0].name, "term[reach]/target");
        CHECK_TEXT(again->requirement[0].unit, "rad");
        CHECK(again->requirement[0].found == r->requirement[0].found &&
              again->requirement[0].allowed == .025 && again->requirement[0].time == 1);
    }
    sal_result_free(r);
    sal_result_free(again);
}

/* An arm whose tip is to be half a metre ahead: up or down. Down costs less, up is what is asked
 * for. Of several starts, one that ends up comes first; where up is not asked for, the cheapest. */
static void a_start_that_is_as_asked_is_preferred(void)
{
    static const char model[] =
        "<mujoco><option gravity='0 0 0'/><worldbody><body><joint name='j' axis='0 -1 0'/><geom "
        "type='capsule' size='.05' fromto='0 0 0 1 0 0'/><site name='tip' pos='1 0 0'/></body>"
        "</worldbody><actuator><motor joint='j'/></actuator></mujoco>";
    static const char problem[] =
        "<problem><model file='m.xml'/><sensor><framepos name='at' objtype='site' objname='tip'/>"
        "</sensor><time nstep='4' duration='1'/><boundary type='open'/><cost>"
        "<term name='ahead' sensor='at' component='x' target='.5' weight='100'/>"
        "<term name='down' joint='j' target='-1' weight='.01'/>"
        "<term name='calm' joint='j' of='vel' weight='1'/>"
        "%s</cost>"
        "<init noise='1.5' nstart='12'/></problem>";
    static const char up[] =
        "<term name='up' joint='j' target='1' tol='.3' weight='1e-9' at='end'/>";
    double angle[2], cost[2];
    char text[1200];
    for (int i = 0; i < 2; i++) {
        snprintf(text, sizeof text, problem, i == 0 ? up : "");
        sal_result *r = solve(model, text);
        CHECK(r != NULL && r->exit_code == 0 && r->as_asked);
        angle[i] = r == NULL ? 0 : r->qpos[0];
        cost[i] = r == NULL ? 0 : r->cost;
        sal_result_free(r);
    }
    CHECK_NEAR(angle[0], acos(0.5), 0.01);
    CHECK_NEAR(angle[1], -acos(0.5), 0.01);
    CHECK(cost[1] < cost[0]);
}

int main(void)
{
    RUN(slip);
    RUN(load);
    RUN(penetration);
    RUN(only);
    RUN(only_in_both_halves);
    RUN(selfcontact);
    RUN(rest);
    RUN(targets);
    RUN(one_sided_targets);
    RUN(targets_that_are_not_judged);
    RUN(a_duration_at_its_bound);
    RUN(a_body_that_nobody_named);
    RUN(the_search_does_not_know_of_it);
    RUN(what_is_not_physical_is_not_as_asked);
    RUN(a_start_that_is_as_asked_is_preferred);
    RUN(it_is_kept_with_the_result);
    files_remove();
    return check_done();
}
