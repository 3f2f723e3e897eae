/* Recordings in which parts of the robot are within each other: that is said and asked for, and the
 * motion found is physical and keeps them apart. */
#include "tests/memory.h"
#include "tests/problems/problem_files.h"

#include "guide/guide.h"
#include "mjcf/mjcf.h"
#include "problems/problem.h"
#include "problems/result/result.h"
#include "runs/runs.h"

#include <math.h>

enum { ROWS = 31, RATE = 30 };

/* Stands on four spheres; an arm hangs from a shoulder on either side. */
static const char robot[] =
    "<mujoco><compiler angle='radian'/><option timestep='.005'/><worldbody><geom name='floor' "
    "type='plane' size='5 5 .1'/>"
    "<body name='trunk' pos='0 0 .22'><freejoint/>"
    "<geom name='trunk' type='box' size='.1 .1 .18' mass='8'/>"
    "<geom type='sphere' size='.02' pos='.1 .1 -.2' mass='.1'/>"
    "<geom type='sphere' size='.02' pos='.1 -.1 -.2' mass='.1'/>"
    "<geom type='sphere' size='.02' pos='-.1 .1 -.2' mass='.1'/>"
    "<geom type='sphere' size='.02' pos='-.1 -.1 -.2' mass='.1'/>"
    "<body name='left' pos='0 .16 .15'><joint name='left_pitch' axis='0 1 0'/>"
    "<inertial pos='0 0 0' mass='.1' diaginertia='.001 .001 .001'/>"
    "<body name='left_arm'><joint name='left_roll' axis='1 0 0' range='-2 2' limited='true'/>"
    "<geom name='left_arm' type='capsule' fromto='0 0 0 0 0 -.25' size='.03' mass='.5'/></body>"
    "</body><body name='right' pos='0 -.16 .15'><joint name='right_pitch' axis='0 1 0'/>"
    "<inertial pos='0 0 0' mass='.1' diaginertia='.001 .001 .001'/>"
    "<body name='right_arm'><joint name='right_roll' axis='1 0 0' range='-2 2' limited='true'/>"
    "<geom type='capsule' fromto='0 0 0 0 0 -.25' size='.03' mass='.5'/></body></body></body>"
    "</worldbody><actuator>"
    "<motor name='left_pitch' joint='left_pitch' ctrlrange='-4 4' ctrllimited='true'/>"
    "<motor name='left_roll' joint='left_roll' ctrlrange='-4 4' ctrllimited='true'/>"
    "<motor name='right_pitch' joint='right_pitch' ctrlrange='-4 4' ctrllimited='true'/>"
    "<motor name='right_roll' joint='right_roll' ctrlrange='-4 4' ctrllimited='true'/>"
    "</actuator></mujoco>";

static sal_model *m;

/* The trunk rests; each arm turns inwards by so much (touching: .12 rad) while it swings. */
static void write_clip(const char *name, double left, double right)
{
    sal_text text = {0};
    sal_text_add(&text, "time,root_x,root_y,root_z,root_qw,root_qx,root_qy,root_qz,left_pitch,"
                        "left_roll,right_pitch,right_roll\n");
    for (int i = 0; i < ROWS; i++) {
        const double swing = .2 * sin(6.2832 * i / RATE);
        sal_text_format(&text, "%.9g,0,0,.22,1,0,0,0,%.9g,%.9g,%.9g,%.9g\n", (double)i / RATE,
                        swing, -left, -swing, right);
    }
    files_write(name, text.data, text.length);
    sal_text_clear(&text);
}

static void draft(const char *clip, bool *apart, sal_text *text, sal_text *notes)
{
    sal_diag diag = {0};
    sal_err err = {0};
    const sal_follow_request request = {.rate = NAN,
                                        .clip_name = clip,
                                        .model_name = "robot.xml",
                                        .many = apart != NULL,
                                        .apart = apart};
    sal_text_clear(text);
    sal_text_clear(notes);
    CHECK_OK(sal_follow_draft(text, notes, NULL, m, files_path(clip), &request, &diag, &err), err);
    sal_diag_clear(&diag);
}

static bool says(const sal_text *text, const char *what)
{
    return text->data != NULL && strstr(text->data, what) != NULL;
}

/* Both rolls inwards by .35 rad: 59 mm too far at the arms' ends. */
static void arms_within_the_trunk_are_said_and_parted(void)
{
    sal_text text = {0}, notes = {0};
    sal_problem *p = NULL;
    sal_result *r = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    write_clip("within.csv", .35, .35);
    draft("within.csv", NULL, &text, &notes);
    CHECK(
        says(&notes, "parts of the robot are within each other: 'left_arm' and 'trunk' by up to"));

    CHECK(says(&notes, "and 1 other pair"));
    CHECK(says(&text, "distance=\"left_arm trunk #7 trunk\""));
    CHECK(says(&text, "name=\"apart\" range=\"-0.02 inf\""));
    CHECK(says(&text, "name=\"begin\" window=\"0 0.1\" range=\"-0.005 inf\""));
    CHECK(says(&text, "name=\"begin\" window=\"0 0.1\" range=\"-0.005 inf\""));
    files_write("p.xml", text.data, text.length);
    CHECK_OK(sal_problem_read(&p, files_path("p.xml"), NULL, &diag, &err), err);
    CHECK_OK(sal_problem_solve(&r, p, 2, NULL, &err), err);
    bool known = false;
    sal_recorded recorded = {0};
    if (r != NULL) {
        CHECK(sal_result_as_asked(r) == 1);
        CHECK_OK(sal_recorded_compare(&recorded, &known, r, &err), err);
        /* .25 sin .35 + .03 - .06, seen across a side that the arm's end is within */
        CHECK(known && fabs(recorded.recording.inside.value - .0557) < 2e-3);
        CHECK(strcmp(recorded.recording.pair[1], "trunk") == 0);
        CHECK(recorded.found.inside.value < .006);
    }
    sal_recorded_clear(&recorded);
    sal_result_free(r);
    sal_problem_free(p);
    sal_diag_clear(&diag);
    sal_text_clear(&text);
    sal_text_clear(&notes);
}

static void nothing_is_said_of_arms_that_hang(void)
{
    sal_text text = {0}, notes = {0};
    write_clip("clear.csv", .05, .05);
    draft("clear.csv", NULL, &text, &notes);
    CHECK(!says(&notes, "within each other") && !says(&text, "<constraints>"));
    sal_text_clear(&text);
    sal_text_clear(&notes);
}

/* The problem of several recordings asks for what any of them needs. */
static void a_problem_for_several_is_about_the_pairs_of_all(void)
{
    bool *apart = sal_alloc((size_t)m->npair, sizeof *apart);
    sal_text text = {0}, notes = {0};
    write_clip("left.csv", .35, 0);
    write_clip("right.csv", 0, .35);
    draft("left.csv", apart, &text, &notes);
    CHECK(says(&text, "distance=\"left_arm trunk\""));
    draft("right.csv", apart, &text, &notes);
    CHECK(says(&text, "distance=\"left_arm trunk #7 trunk\""));
    sal_free(apart);
    sal_text_clear(&text);
    sal_text_clear(&notes);
}

static void without_memory_it_is_refused(void)
{
    sal_err err = {0};
    write_clip("within.csv", .35, .35);
    for (long k = 1, whole = 0; !whole; k++) {
        sal_text text = {0}, notes = {0};
        sal_diag diag = {0};
        const sal_follow_request request = {
            .rate = NAN, .clip_name = "within.csv", .model_name = "robot.xml"};
        memory_fails_at(k);
        const sal_status status = sal_follow_draft(&text, &notes, NULL, m, files_path("within.csv"),
                                                   &request, &diag, &err);
        whole = memory_was_enough(k);
        CHECK(status == SAL_OK ? text.failed || says(&text, "<constraints>") : status == SAL_NOMEM);
        CHECK(!whole || status == SAL_OK);
        sal_text_clear(&text);
        sal_text_clear(&notes);
        sal_diag_clear(&diag);
    }
}

int main(void)
{
    sal_diag diag = {0};
    sal_err err = {0};
    files_write("robot.xml", robot, strlen(robot));
    CHECK_OK(sal_model_load(&m, files_path("robot.xml"), NULL, &diag, &err), err);
    RUN(arms_within_the_trunk_are_said_and_parted);
    RUN(nothing_is_said_of_arms_that_hang);
    RUN(a_problem_for_several_is_about_the_pairs_of_all);
    RUN(without_memory_it_is_refused);
    sal_model_free(m);
    sal_diag_clear(&diag);
    files_remove();
    return check_done();
}
