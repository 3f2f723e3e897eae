/* Poses of a recording in which an arm is within the trunk: the guess has it beside the trunk, on
 * the side from which it came. */
#include "tests/memory.h"
#include "tests/problems/problem_files.h"

#include "mjcf/mjcf.h"
#include "physics/physics.h"
#include "problems/problem.h"
#include "problems/recordings/parting.h"
#include "problems/result/result.h"

#include <math.h>

enum { ROWS = 41, NQ = 10, PITCH = 7, ROLL, LEG };

/* An arm (capsule, radius .03, .25 long) hangs from a shoulder .16 m beside the middle of a trunk,
 * and .15 m over it; a leg that meets nothing. */
static const char robot[] =
    "<mujoco><compiler angle='radian'/><worldbody><body name='trunk' pos='0 0 1'><freejoint/>"
    "<geom name='trunk' type='box' %s mass='8'/>"
    "<body pos='0 .16 .15'><joint name='pitch' axis='0 1 0'/>"
    "<inertial pos='0 0 0' mass='.1' diaginertia='.001 .001 .001'/>"
    "<body name='arm'><joint name='roll' axis='1 0 0' range='-2 2' limited='true'/>"
    "<geom name='arm' type='capsule' fromto='0 0 0 0 0 -.25' size='.03' mass='1'/></body></body>"
    "<body name='leg' pos='0 0 -.2'><joint name='leg' axis='0 1 0'/>"
    "<geom type='capsule' fromto='0 0 0 0 0 -.3' size='.03' mass='4' contype='0' "
    "conaffinity='0'/></body></body></worldbody>"
    "<actuator><motor joint='pitch'/><motor joint='roll'/><motor joint='leg'/></actuator>"
    "<keyframe><key qpos='0 0 1 1 0 0 0 %s 0 0'/></keyframe></mujoco>";

static const char wide[] = "size='.1 .1 .2'";
/* across, below the shoulder: its top is at the height of the trunk's middle */
static const char board[] = "size='.02 .2 .1' pos='0 0 -.1'";

/* With a keyframe in which the arm is as far forward. */
static sal_model *model_of(const char *trunk, const char *pitch)
{
    char text[2000];
    sal_model *made = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    snprintf(text, sizeof text, robot, trunk, pitch);
    files_write("robot.xml", text, strlen(text));
    CHECK_OK(sal_model_load(&made, files_path("robot.xml"), NULL, &diag, &err), err);
    sal_diag_clear(&diag);
    return made;
}

static prb_states recording_of(const sal_model *of, int joint, double (*angle)(int row))
{
    prb_states s = {0};
    sal_err err = {0};
    CHECK_OK(prb_states_new(&s, of, ROWS, of->qpos0, &err), err);
    for (int row = 0; row < ROWS; row++) {
        s.time[row] = (double)row / (ROWS - 1);
        s.qpos[row * NQ + joint] = angle(row);
        s.qpos[row * NQ + LEG] = .01 * row;
    }
    return s;
}

/* ---- a recording, and what becomes of it ---- */

static sal_model *m;
static sal_data *d;
static prb_states from, to;

static void begin(const char *trunk, const char *pitch, int joint, double (*angle)(int row))
{
    sal_err err = {0};
    m = model_of(trunk, pitch);
    from = recording_of(m, joint, angle);
    CHECK_OK(sal_data_new(&d, m, &err), err);
    CHECK_OK(prb_part_poses(&to, &from, m, &err), err);
}

static void end(void)
{
    prb_states_clear(&from);
    prb_states_clear(&to);
    sal_data_free(d);
    sal_model_free(m);
}

/* m between the surfaces of arm and trunk */
static double gap_of(const double *q)
{
    memcpy(d->qpos, q, NQ * sizeof *q);
    sal_kinematics(m, d);
    return sal_geom_distance(m, d, sal_model_find(m, SAL_OBJ_GEOM, "trunk"),
                             sal_model_find(m, SAL_OBJ_GEOM, "arm"), 1, NULL);
}

/* The arm is pressed into the trunk in the beginning, in the middle, and in the end. */
static double pressed(int row)
{
    return -.3 * fabs(cos(.2356 * row)) - (row > 20 ? .002 * (row - 20) : 0);
}

static void only_the_arm_moves_and_no_farther_than_to_the_side_of_the_trunk(void)
{
    begin(wide, "0", ROLL, pressed);
    const double touching = -asin((.16 - .1 - .03) / .25);
    int parted = 0;
    for (int row = 0; row < ROWS; row++) {
        const double *was = from.qpos + row * NQ, *is = to.qpos + row * NQ;
        const bool deep = gap_of(was) < -.005;
        parted += deep;
        CHECK(memcmp(was, is, PITCH * sizeof *was) == 0 && was[LEG] == is[LEG]);
        CHECK(to.time[row] == from.time[row]);
        CHECK(gap_of(is) > (deep ? -1e-4 : -.005));
        if (deep) {
            CHECK_NEAR(is[ROLL], touching, 2e-3);
            CHECK_NEAR(is[PITCH], 0, 2e-3);
        } else {
            CHECK(was[ROLL] == is[ROLL] && was[PITCH] == is[PITCH]);
        }
    }
    CHECK(parted > 10 && parted < ROWS - 5);
    end();
}

/* Right through the board, to the other side. */
static double through(int row)
{
    return .8 - .04 * row;
}

/* Past its middle contacts would push the arm on. */
static void what_passes_through_changes_sides_once(void)
{
    begin(board, ".8", PITCH, through);
    int parted = 0, crossed = 0;
    double side = 1;
    for (int row = 0; row < ROWS; row++) {
        const double *was = from.qpos + row * NQ, *is = to.qpos + row * NQ;
        const bool deep = gap_of(was) < -.005;
        parted += deep;
        CHECK(gap_of(is) > (deep ? -1e-4 : -.005));
        crossed += is[PITCH] * side < 0;
        side = is[PITCH] < 0 ? -1 : 1;
        CHECK(fabs(is[PITCH] - was[PITCH]) < .35); /* beside the board: atan(.05/.15) */
    }
    CHECK(parted > 3 && crossed == 1);
    end();
}

static double inside(int row)
{
    (void)row;
    return -.3;
}

/* No pose is clear: it begins with the shallowest. */
static void a_recording_that_is_never_clear_is_parted_too(void)
{
    begin(wide, "0", ROLL, inside);
    for (int row = 0; row < ROWS; row++) {
        CHECK(gap_of(to.qpos + row * NQ) > -1e-4);
    }
    end();
}

/* In qpos0 and in the keyframe the arm is within the board: so it is built. */
static void what_is_built_so_is_left(void)
{
    begin(board, "0", PITCH, through);
    CHECK(memcmp(from.qpos, to.qpos, ROWS * NQ * sizeof *to.qpos) == 0);
    end();
}

static void without_memory_nothing_is_lost(void)
{
    sal_err err = {0};
    begin(wide, "0", ROLL, pressed);
    for (long k = 1, whole = 0; !whole; k++) {
        prb_states_clear(&to);
        memory_fails_at(k);
        const sal_status status = prb_part_poses(&to, &from, m, &err);
        whole = memory_was_enough(k);
        CHECK(status == (whole ? SAL_OK : SAL_NOMEM));
    }
    end();
}

/* What was recorded stays what it is, in the problem and in its result. */
static void the_recording_is_kept(void)
{
    sal_model_free(model_of(wide, "0"));
    sal_text rows = {0};
    sal_text_add(&rows, "t,roll\n");
    for (int row = 0; row < ROWS; row++) {
        sal_text_format(&rows, "%.3f,%.9g\n", row / 40., pressed(row));
    }
    files_write("roll.csv", rows.data, rows.length);
    sal_text_clear(&rows);
    static const char problem[] =
        "<problem name='arm'><model file='robot.xml'/><data file='roll.csv' time='t'>"
        "<channel name='roll' joint='roll' columns='roll' units='rad' sigma='.1'/></data>"
        "<time nstep='40' duration='1'/><boundary type='open'/>"
        "<cost><term name='follow' data='all'/></cost><init data='all'/></problem>";
    files_write("p.xml", problem, strlen(problem));
    sal_problem *p = NULL;
    sal_result *r = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    CHECK_OK(sal_problem_read(&p, files_path("p.xml"), NULL, &diag, &err), err);
    CHECK(p->recorded != NULL && p->init_states != NULL);
    CHECK_NEAR(p->recorded->qpos[ROLL], -.3, 1e-3);
    CHECK_NEAR(p->init_states->qpos[ROLL], -.12, 2e-3);
    CHECK_OK(sal_problem_solve(&r, p, 1, NULL, &err), err);
    CHECK(r != NULL && r->qpos_recorded != NULL);
    CHECK_NEAR(r->qpos_recorded[ROLL], -.3, 1e-3);
    sal_result_free(r);
    sal_problem_free(p);
    sal_diag_clear(&diag);
}

int main(void)
{
    RUN(only_the_arm_moves_and_no_farther_than_to_the_side_of_the_trunk);
    RUN(what_passes_through_changes_sides_once);
    RUN(a_recording_that_is_never_clear_is_parted_too);
    RUN(what_is_built_so_is_left);
    RUN(without_memory_nothing_is_lost);
    RUN(the_recording_is_kept);
    files_remove();
    return check_done();
}
