/* What a draft finds in a model: its feet, named here by hand from the model files; where it faces;
 * and what it says of what it did not find. */
#include "tests/problems/problem_files.h"

#include "guide/guide.h"
#include "mjcf/mjcf.h"

#include <math.h>

static sal_text draft_text, notes;

/* Drafts `task` (NULL: what the model suggests) for a model file; SKIPs if it is not there. */
static sal_status draft(const char *folder, const char *name, const char *task)
{
    char path[1200];
    sal_model *m = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    const sal_draft_request request = {
        .task = task, .speed = NAN, .direction = {NAN, NAN}, .turn = NAN, .seconds = NAN};
    sal_text_clear(&draft_text);
    sal_text_clear(&notes);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    sal_status status = sal_model_load(&m, path, NULL, &diag, &err);
    status =
        status == SAL_OK ? sal_problem_draft(&draft_text, &notes, m, path, &request, &err) : status;
    if (status != SAL_OK) {
        printf("     %s: %s\n", name, err.message);
    }
    sal_diag_clear(&diag);
    sal_model_free(m);
    return status;
}

static const char *corpus(void)
{
    const char *folder = getenv("SALTUS_CORPUS");
    return folder == NULL ? "../shared" : folder;
}

static const char *ours(void)
{
    static char folder[1100];
    const char *root = getenv("SALTUS_ROOT");
    snprintf(folder, sizeof folder, "%s/models", root == NULL ? "." : root);
    return folder;
}

static bool says(const sal_text *text, const char *what)
{
    return text->data != NULL && strstr(text->data, what) != NULL;
}

typedef struct feet_case {
    const char *model, *feet;
} feet_case;

static void check_feet(const char *folder, const feet_case *c)
{
    char line[300];
    snprintf(line, sizeof line, "feet: %s\n", c->feet);
    const bool good = draft(folder, c->model, NULL) == SAL_OK && says(&notes, line);
    if (!good) {
        printf("     %s: expected %s     but: %s\n", c->model, line,
               notes.data == NULL ? "" : notes.data);
    }
    CHECK(good);
}

static void feet_of_our_models(void)
{
    static const feet_case cases[] = {
        {"walker.xml", "left_foot, right_foot"},
        {"hopper.xml", "foot"},
        {"person.xml", "left_foot, right_foot"},
        {"planar_human.xml", "left_foot, right_foot"},
        {"quadruped.xml", "left_front_shank, right_front_shank, left_hind_shank, right_hind_shank"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_feet(ours(), &cases[i]);
    }
}

/* Named and unnamed geoms, spheres, boxes, capsules and meshes; an ant's torso is as low as its
 * legs; the bodies of an ant's ankles have no names. */
static void feet_of_models_of_others(void)
{
    static const feet_case cases[] = {
        {"models/gym_walker2d.xml", "foot, foot_left"},
        {"models/gym_half_cheetah.xml", "bfoot, ffoot"},
        {"models/dmc_walker.xml", "right_foot, left_foot"},
        {"models/dmc_hopper.xml", "foot"},
        {"models/gym_ant.xml", "#4, #7, #10, #13"},
        {"models/men_unitree_a1.xml", "FR_calf, FL_calf, RR_calf, RL_calf"},
        {"models/men_anymal_b.xml", "LF_SHANK, RF_SHANK, LH_SHANK, RH_SHANK"},
        {"models/dmc_humanoid.xml", "right_foot, left_foot"},
        {"robots/g1.xml", "left_ankle_roll_link, right_ankle_roll_link"},
        {"robots/go2.xml", "FL_calf, FR_calf, RL_calf, RR_calf"},
        {"robots/t1.xml", "left_foot_link, right_foot_link"},
        {"robots/spot.xml", "fl_lleg, fr_lleg, hl_lleg, hr_lleg"},
    };
    char path[1200];
    snprintf(path, sizeof path, "%s/%s", corpus(), cases[0].model);
    FILE *there = fopen(path, "r");
    if (there == NULL) {
        SKIP("no corpus");
    }
    fclose(there);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_feet(corpus(), &cases[i]);
    }
    /* its feet are drawn only: what else can touch the floor is no foot */
    CHECK(draft(corpus(), "models/loco_unitree_h1.xml", NULL) == SAL_OK);
    CHECK(says(&notes, "no feet: the ends of its legs (left_ankle_link, right_ankle_link)"));
    CHECK(draft(corpus(), "models/loco_unitree_h1.xml", "walk") == SAL_UNSUPPORTED);
}

/* ---- models made here ---- */

static sal_status draft_string(const char *xml, const char *task)
{
    files_write("m.xml", xml, strlen(xml));
    return draft("", files_path("m.xml"), task);
}

/* A body on two legs whose left is along `left` and whose root is turned by `quat`; standing high
 * above the floor. */
static void biped(char *xml, size_t room, const char *euler, const char *extra)
{
    snprintf(xml, room,
             "<mujoco><compiler angle='degree' eulerseq='xyz'/><worldbody><geom type='plane' "
             "size='0 0 1'/><body name='trunk' pos='0 0 3' euler='%s'><freejoint/><geom type='box' "
             "size='.1 .2 .2' contype='0' conaffinity='0' mass='10'/>"
             "<body name='left_leg' pos='0 .2 -.2'><joint name='left_hip' axis='0 1 0'/><geom "
             "type='capsule' size='.05' fromto='0 0 0 0 0 -.5'/></body>"
             "<body name='right_leg' pos='0 -.2 -.2'><joint name='right_hip' axis='0 1 0'/><geom "
             "type='capsule' size='.05' fromto='0 0 0 0 0 -.5'/></body></body>%s</worldbody>"
             "<actuator><motor joint='left_hip'/><motor joint='right_hip'/></actuator></mujoco>",
             euler, extra);
}

static void it_faces_by_left_and_right(void)
{
    char xml[2000];
    biped(xml, sizeof xml, "0 0 0", "");
    CHECK(draft_string(xml, "walk") == SAL_OK);
    CHECK(says(&draft_text, "direction=\"1 0\"") && says(&draft_text, "mirror=\"left right\""));
    CHECK(says(&draft_text, "only=\"left_leg right_leg\"/>"));
    biped(xml, sizeof xml, "0 0 -90", ""); /* faces -y: its mirror plane is not that of a mirror */
    CHECK(draft_string(xml, "walk") == SAL_OK);
    CHECK(says(&draft_text, "direction=\"0 -1\"") && !says(&draft_text, "mirror="));
}

/* The first guess stands on the floor: the root is where the lowest end of the legs touches. */
static void it_is_set_on_the_floor(void)
{
    char xml[2000];
    biped(xml, sizeof xml, "0 0 0", "");
    CHECK(draft_string(xml, "stand") == SAL_OK);
    CHECK(says(&draft_text, "qpos=\"0 0 0.75 1 0 0 0")); /* .2 + .5 + .05 m */
}

/* The pose to start from, as a draft has it. */
static void pose_of(double *q, int n)
{
    const char *init = draft_text.data == NULL ? NULL : strstr(draft_text.data, "<init qpos=\"");
    char *at = (char *)(size_t)(const void *)(init == NULL ? "" : init + strlen("<init qpos=\""));
    for (int i = 0; i < n; i++) {
        q[i] = strtod(at, &at);
    }
}

/* A leg of thigh, shank and foot, straight as the file has it. */
static int add_leg(char *xml, size_t room, const char *side, double y)
{
    return snprintf(
        xml, room,
        "<body name='%s_thigh' pos='0 %g 0'><joint name='%s_hip' range='-100 60'/><geom "
        "type='capsule' size='.04' fromto='0 0 0 0 0 -.4'/><body name='%s_shank' pos='0 0 -.4'>"
        "<joint name='%s_knee' range='-2 140'/><geom type='capsule' size='.04' fromto='0 0 0 0 0 "
        "-.36'/><body name='%s_foot' pos='0 0 -.4'><joint name='%s_ankle' range='-50 50'/><geom "
        "type='capsule' size='.03' fromto='-.05 0 0 .15 0 0'/></body></body></body>",
        side, y, side, side, side, side, side);
}

/* Straight legs are bent, each by its own joints: the waist above both stays as it is, so that what
 * is done for one leg does not move the other. */
static void legs_are_bent_by_their_own_joints(void)
{
    char xml[4000];
    size_t n = (size_t)snprintf(
        xml, sizeof xml,
        "<mujoco><default><joint type='hinge' axis='0 1 0' limited='true'/></default><worldbody>"
        "<geom type='plane' size='0 0 1'/><body name='trunk' pos='0 0 1.2'><freejoint/><geom "
        "type='box' size='.1 .2 .2' mass='10'/><body name='pelvis' pos='0 0 -.3'><joint "
        "name='waist' range='-75 30'/><geom type='sphere' size='.1'/>");
    n += (size_t)add_leg(xml + n, sizeof xml - n, "left", 0.1);
    n += (size_t)add_leg(xml + n, sizeof xml - n, "right", -0.1);
    snprintf(xml + n, sizeof xml - n,
             "</body></body></worldbody><actuator><motor joint='waist'/><motor joint='left_hip'/>"
             "<motor joint='left_knee'/><motor joint='left_ankle'/><motor joint='right_hip'/>"
             "<motor joint='right_knee'/><motor joint='right_ankle'/></actuator></mujoco>");
    CHECK(draft_string(xml, "walk") == SAL_OK);
    double q[14] = {0};
    pose_of(q, 14);
    CHECK(fabs(q[7]) < 1e-9); /* waist */
    CHECK(fabs(q[9]) > 0.1);  /* knees */
    for (int i = 8; i < 11; i++) {
        CHECK_NEAR(q[i], q[i + 3], 1e-6);
    }
    CHECK(says(&draft_text, "position=\"left_foot right_foot\" target=\"0.1 -0.1\""));
}

/* A leg with two axes in hip and ankle, spread by 20 degrees as the file has it; the knee cannot be
 * straight. */
static int add_spread_leg(char *xml, size_t size, const char *side, int sign)
{
    return snprintf(
        xml, size,
        "<body name='%s_thigh' pos='0 %g 0' euler='%d 0 0'>"
        "<joint name='%s_hip_x' axis='1 0 0' range='-60 60'/><joint name='%s_hip' range='-100 60'/>"
        "<geom type='capsule' size='.04' fromto='0 0 0 0 0 -.4'/><body name='%s_shank' pos='0 0 "
        "-.4'><joint name='%s_knee' range='1 140'/><geom type='capsule' size='.04' fromto='0 0 0 0 "
        "0 -.3'/><body name='%s_foot' pos='0 0 -.4'><joint name='%s_ankle_x' axis='1 0 0' "
        "range='-40 40'/><joint name='%s_ankle' range='-50 50'/><geom type='capsule' size='.03' "
        "fromto='-.05 0 0 .1 0 0'/><body name='%s_toes' pos='.12 0 0'><joint name='%s_toe' "
        "range='-40 40'/><geom name='%s_tip' type='sphere' size='.03' pos='.03 0 0'/></body></body>"
        "</body></body>",
        side, 0.1 * sign, 20 * sign, side, side, side, side, side, side, side, side, side, side);
}

/* A biped that comes with spread legs stands with closed ones: its feet flat and below its hips,
 * where one of them can carry it. */
static void spread_legs_are_closed(void)
{
    char xml[4000];
    size_t n = (size_t)snprintf(
        xml, sizeof xml,
        "<mujoco><compiler angle='degree'/><default><joint type='hinge' axis='0 1 0' "
        "limited='true'/></default><worldbody><geom type='plane' size='0 0 1'/><body name='trunk' "
        "pos='0 0 .9'><freejoint/><geom type='box' size='.1 .2 .2' pos='0 0 .2' mass='10'/>");
    n += (size_t)add_spread_leg(xml + n, sizeof xml - n, "left", 1);
    n += (size_t)add_spread_leg(xml + n, sizeof xml - n, "right", -1);
    snprintf(xml + n, sizeof xml - n,
             "</body></worldbody><actuator><motor joint='left_hip'/><motor joint='right_hip'/>"
             "<motor joint='left_hip_x'/><motor joint='right_hip_x'/></actuator></mujoco>");
    CHECK(draft_string(xml, "walk") == SAL_OK);
    double q[19] = {0};
    pose_of(q, 19);
    for (int k = 0; k < 2; k++) { /* hip_x, hip, knee, ankle_x, ankle, toe */
        const double *leg = q + 7 + 6 * k, spread = (k == 0 ? -1 : 1) * 20 * acos(-1) / 180;
        CHECK_NEAR(leg[0] + leg[3], spread, 2e-3); /* the sole is level, sideways */
        CHECK_NEAR(leg[1] + leg[2] + leg[4], 0, 2e-3);
        CHECK(leg[2] > 0.1 && leg[5] == 0);
    }
    CHECK(says(&draft_text, "position=\"left_toes right_toes\" target=\"0.1 -0.1\""));
}

static int add_toed_leg(char *xml, size_t size, const char *side, double y)
{
    return snprintf(xml, size,
                    "<body name='%sfemur' pos='0 %g -.1'><joint name='%sfemurry' range='-90 30'/>"
                    "<geom type='capsule' fromto='0 0 0 0 0 -.7' size='.05'/>"
                    "<body name='%sfoot' pos='0 0 -.75'><joint name='%sfootry' range='-40 40'/>"
                    "<geom type='capsule' fromto='-.05 0 -.03 .1 0 -.03' size='.03'/>"
                    "<body name='%stoes' pos='.12 0 -.03'><joint name='%stoesry' range='-40 40'/>"
                    "<geom name='%stip' type='sphere' size='.03' pos='.03 0 0'/></body></body>"
                    "</body>",
                    side, y, side, side, side, side, side, side);
}

/* A foot with toes stands on its heel, too. The shank, whose geom may be as low, is no part of it;
 * and its names say by their first letter which is left. */
static void a_foot_with_toes_has_a_heel(void)
{
    char xml[4000];
    size_t n = (size_t)snprintf(
        xml, sizeof xml,
        "<mujoco><default><joint type='hinge' axis='0 1 0' limited='true'/></default><worldbody>"
        "<geom type='plane' size='0 0 1'/><body name='root' pos='0 0 1'><freejoint/><geom "
        "type='box' size='.1 .2 .2' mass='10'/>");
    n += (size_t)add_toed_leg(xml + n, sizeof xml - n, "l", 0.1);
    n += (size_t)add_toed_leg(xml + n, sizeof xml - n, "r", -0.1);
    snprintf(xml + n, sizeof xml - n,
             "</body></worldbody><actuator><motor joint='lfemurry'/><motor joint='lfootry'/>"
             "<motor joint='ltoesry'/><motor joint='rfemurry'/><motor joint='rfootry'/>"
             "<motor joint='rtoesry'/></actuator></mujoco>");
    CHECK(draft_string(xml, "walk") == SAL_OK);
    CHECK(says(&notes, "feet: ltoes, rtoes\n"));
    CHECK(says(&draft_text, "only=\"lfoot ltoes rfoot rtoes\""));
    CHECK(says(&draft_text, "normal=\"lfoot ltoes rfoot rtoes\""));
    CHECK(says(&draft_text, "mirror=\"l r\"") && says(&draft_text, "by its left and right"));
}

/* Feet of short legs may slip no faster than others: .85 m / l times the usual weight, 40. */
static void slip_counts_by_the_length_of_legs(void)
{
    char xml[2000];
    biped(xml, sizeof xml, "0 0 0", ""); /* legs of .5 m: no knees, so they are not bent */
    CHECK(draft_string(xml, "walk") == SAL_OK);
    CHECK(says(&draft_text, "<term name=\"slip\" weight=\"68\""));
    CHECK(says(&draft_text, "<term name=\"load\" softweight="));
    CHECK(draft_string(xml, "stand") == SAL_OK);
    CHECK(!says(&draft_text, "<term name=\"load\""));
}

/* What nothing drives does not travel: a parcel with a free joint that stands first. */
static void a_parcel_does_not_travel(void)
{
    char xml[2600];
    biped(xml, sizeof xml, "0 0 0",
          "<body name='parcel' pos='1 0 .1'><freejoint name='parcel'/><geom type='box' size='.1 .1 "
          ".1'/></body>");
    CHECK(draft_string(xml, NULL) == SAL_OK);
    CHECK(says(&notes, "feet: left_leg, right_leg\n"));
    CHECK(says(&draft_text, "<travel joint=\"#0\""));
    CHECK(draft(ours(), "parcel.xml", "walk") == SAL_UNSUPPORTED);
}

/* Motors in N m and servos of positions weigh the same: both by the torque they can give. */
static void servos_weigh_like_motors(void)
{
    static const char *const format =
        "<mujoco><worldbody><body><joint name='j' axis='0 1 0'/><geom type='capsule' size='.05' "
        "fromto='0 0 0 0 0 -2' mass='50'/></body></worldbody><actuator>%s</actuator></mujoco>";
    static const char *const kinds[] = {
        "<motor joint='j' gear='1' ctrlrange='-30 30' ctrllimited='true'/>",
        "<position joint='j' kp='500' forcerange='-30 30' forcelimited='true'/>"};
    for (int i = 0; i < 2; i++) {
        char xml[800];
        snprintf(xml, sizeof xml, format, kinds[i]);
        CHECK(draft_string(xml, "reach") == SAL_OK);
        CHECK(says(&draft_text, "<term name=\"effort\" force=\"all\" sigma=\"30\"/>"));
    }
}

/* No limit of 16 feet: a millipede of 24. */
static void feet_are_not_counted(void)
{
    sal_text xml = {0}, expected = {0};
    sal_text_add(&xml, "<mujoco><worldbody><geom type='plane' size='0 0 1'/><body pos='0 0 1'>"
                       "<freejoint name='root'/><geom size='.1' mass='5' contype='0' "
                       "conaffinity='0'/>");
    for (int i = 0; i < 24; i++) {
        sal_text_format(&xml,
                        "<body name='b%d' pos='%g %g 0'><joint name='j%d' axis='0 1 0'/><geom "
                        "type='capsule' size='.02' fromto='0 0 0 0 0 -.5'/></body>",
                        i, 0.1 * (i / 2), i % 2 == 0 ? 0.2 : -0.2, i);
        sal_text_format(&expected, "%sb%d", i > 0 ? ", " : "feet: ", i);
    }
    sal_text_add(&xml, "</body></worldbody><actuator>");
    for (int i = 0; i < 24; i++) {
        sal_text_format(&xml, "<motor joint='j%d'/>", i);
    }
    sal_text_add(&xml, "</actuator></mujoco>");
    CHECK(!xml.failed && draft_string(xml.data, "walk") == SAL_OK);
    CHECK(!expected.failed && says(&notes, expected.data));
    sal_text_clear(&xml);
    sal_text_clear(&expected);
}

/* The numbers of the first attribute that begins like this; how many there are. */
static int numbers_after(const char *begin, double *x, int most)
{
    const char *found = draft_text.data == NULL ? NULL : strstr(draft_text.data, begin);
    char *at = (char *)(size_t)(const void *)(found == NULL ? "" : found + strlen(begin)), *end;
    int n = 0;
    for (; n < most; n++, at = end) {
        x[n] = strtod(at, &end);
        if (end == at) {
            break;
        }
    }
    return n;
}

/* A foot whose middle is high may stand on the tips of its toes: both of its ends have to be. */
static void a_jump_lifts_heel_and_toe(void)
{
    char xml[4000];
    size_t n =
        (size_t)snprintf(xml, sizeof xml,
                         "<mujoco><default><joint type='hinge' axis='0 1 0' limited='true'/>"
                         "</default><worldbody><geom type='plane' size='0 0 1'/><body name='trunk' "
                         "pos='0 0 1.2'><freejoint/><geom type='box' size='.1 .2 .2' mass='10'/>");
    n += (size_t)add_leg(xml + n, sizeof xml - n, "left", 0.1);
    n += (size_t)add_leg(xml + n, sizeof xml - n, "right", -0.1);
    /* geoms of a foot bear the name of its body here */
    snprintf(xml + n, sizeof xml - n,
             "</body></worldbody><actuator><motor joint='left_hip'/><motor joint='left_knee'/>"
             "<motor joint='left_ankle'/><motor joint='right_hip'/><motor joint='right_knee'/>"
             "<motor joint='right_ankle'/></actuator></mujoco>");
    CHECK(draft_string(xml, "jump") == SAL_OK);
    CHECK(says(&draft_text, " height=\"#4- #4+ #7- #7+\" at="));
    double range[1] = {0}, leg = 0.8 + 0.03; /* thigh, shank, radius of the foot; bent by 3 % */
    const char *off = strstr(draft_text.data, "name=\"off\"");
    CHECK(off != NULL && numbers_after("\" range=\"", range, 1) == 1);
    CHECK_NEAR(range[0], 0.1 * leg, 0.05 * leg);
}

static const char arm_format[] =
    "<mujoco><compiler angle='radian'/><option gravity='0 0 %g'/><worldbody><geom type='plane' "
    "size='0 0 1'/><body name='arm' pos='0 0 .5'><joint name='pan' axis='0 0 1' armature='1'/>"
    "<geom type='capsule' size='.03' fromto='.1 0 0 .5 0 0' mass='1e-3'/><body name='hand' "
    "pos='.5 0 0'><joint name='tilt' axis='0 1 0' range='-2 1' limited='true' armature='.01'/>"
    "<geom type='capsule' size='.02' fromto='.05 0 0 .2 0 0' mass='1e-3'/>%s</body></body>%s"
    "</worldbody><actuator><motor joint='pan' ctrlrange='-%g %g' ctrllimited='true'/>"
    "<motor joint='tilt'/></actuator></mujoco>";

static sal_status draft_arm(double gravity, const char *on_hand, const char *beside, double torque)
{
    char xml[3000];
    snprintf(xml, sizeof xml, arm_format, gravity, on_hand, beside, torque, torque);
    return draft_string(xml, "reach");
}

/* .6 rad of an inertia of 1 kg m^2 in T takes 10/sqrt(3) .6/T^2 N m along a path of least jerk. */
/* Pinned where it lies on its belly, at rest; in the end it is to stand. The trunk of our quadruped
 * would fall through the floor, so it cannot. */
static void it_gets_up_from_where_it_lies(void)
{
    double lying[3] = {0}, calm[2] = {0};
    CHECK(draft(ours(), "walker.xml", "get-up") == SAL_UNSUPPORTED);
    CHECK(draft(ours(), "quadruped.xml", "get-up") == SAL_UNSUPPORTED);
    if (draft(corpus(), "models/men_unitree_a1.xml", "get-up") != SAL_OK) {
        SKIP("no corpus");
    }
    CHECK(numbers_after("<start qpos=\"", lying, 3) == 3);
    CHECK(lying[2] > 0.05 && lying[2] < 0.12); /* it stands .27 m high, its trunk is .1 m */
    CHECK(says(&draft_text, "\" qvel=\"0\"/>\n    <end qvel=\"0\"/>"));
    CHECK(says(&draft_text, " at=\"end\" weight=\"100\" tol=\"0.1\"/>"));
    CHECK(numbers_after("of=\"acc\" window=\"", calm, 2) == 2 && calm[0] > 0.8 * calm[1]);
}

static void a_weak_arm_takes_more_time(void)
{
    CHECK(draft_arm(0, "", "", 100) == SAL_OK && says(&draft_text, "nstep=\"50\" duration=\"1\""));
    CHECK(draft_arm(0, "", "", 3) == SAL_OK && says(&draft_text, "duration=\"1.5\""));
    CHECK(draft_arm(0, "", "", 1) == SAL_OK && says(&draft_text, "duration=\"2\""));
    /* in the longest time half of it takes .086 N m */
    double far[3], near[3];
    CHECK(numbers_after("at=\"end\" target=\"", far, 3) == 3);
    CHECK(draft_arm(0, "", "", 0.1) == SAL_OK && says(&draft_text, "duration=\"4.5\""));
    CHECK(numbers_after("at=\"end\" target=\"", near, 3) == 3);
    CHECK_NEAR(atan2(far[1], far[0]), 0.6, 1e-3);
    CHECK_NEAR(atan2(near[1], near[0]), 0.3, 1e-3);
    /* what is too weak stays */
    CHECK(draft_arm(0, "", "", 1e-4) == SAL_OK && says(&draft_text, "duration=\"1\""));
    CHECK(numbers_after("at=\"end\" target=\"", near, 3) == 3);
    CHECK_NEAR(atan2(near[1], near[0]), 0, 1e-3);
}

/* An acrobot: nothing holds its shoulder. */
static void a_loose_joint_is_named(void)
{
    CHECK(
        draft_string("<mujoco><worldbody><body><joint name='shoulder' axis='0 1 0'/><geom "
                     "type='capsule' size='.05' fromto='0 0 0 0 0 -1'/><body pos='0 0 -1'><joint "
                     "name='elbow' axis='0 1 0'/><geom type='capsule' size='.05' fromto='0 0 0 0 "
                     "0 -1'/></body></body></worldbody><actuator><motor joint='elbow'/></actuator>"
                     "</mujoco>",
                     "reach") == SAL_OK);
    CHECK(says(&notes, "joint 'shoulder' has neither actuator nor spring"));
    CHECK(draft_arm(0, "", "", 100) == SAL_OK && !says(&notes, "neither actuator nor spring"));
}

/* The way that it takes with nothing about it, to its left, is barred. */
static void an_arm_goes_where_nothing_is(void)
{
    double x[3] = {0};
    CHECK(draft_arm(0, "", "", 100) == SAL_OK);
    CHECK(numbers_after("at=\"end\" target=\"", x, 3) == 3 && x[1] > 0.1);
    CHECK(draft_arm(0, "", "<geom type='box' pos='.3 .2 .5' size='.5 .02 1'/>", 100) == SAL_OK);
    CHECK(numbers_after("at=\"end\" target=\"", x, 3) == 3 && x[1] < -0.1);
}

/* How deep a model is in itself in the pose at which its draft starts. */
static double depth_at_start(void)
{
    sal_model *m = NULL;
    sal_data *d = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    double depth = INFINITY;
    if (sal_model_load(&m, files_path("m.xml"), NULL, &diag, &err) == SAL_OK &&
        sal_data_new(&d, m, &err) == SAL_OK &&
        numbers_after("<start qpos=\"", d->qpos, m->nq) == m->nq) {
        sal_kinematics(m, d);
        depth = sal_collide(m, d, &err) == SAL_OK ? 0 : INFINITY;
        for (int i = 0; i < d->ncon; i++) {
            depth = fmax(depth, -d->contact[i].dist);
        }
    }
    sal_diag_clear(&diag);
    sal_data_free(d);
    sal_model_free(m);
    return depth;
}

/* A post stands where the arm is at home: .1 m deep in it. */
static void an_arm_starts_where_nothing_is(void)
{
    CHECK(draft_arm(0, "", "<geom type='cylinder' pos='.4 0 .5' size='.07 .5'/>", 100) == SAL_OK);
    CHECK(says(&notes, "in the home pose the arm is 0.1 m deep"));
    CHECK(depth_at_start() < 2e-3);
    CHECK(draft_arm(0, "", "", 100) == SAL_OK && says(&draft_text, "<start qpos=\"0 0\"/>"));
}

/* A ball that hangs over a biped, or lies before it, would fall on it, or be in its way: it lies
 * behind, and may bear on the floor. */
static void what_nothing_drives_lies_behind(void)
{
    char xml[2600];
    double q[40] = {0};
    biped(xml, sizeof xml, "0 0 0",
          "<body name='ball' pos='0 0 3'><freejoint name='ball'/><geom name='skin' size='.1' "
          "mass='2'/></body>");
    CHECK(draft_string(xml, "walk") == SAL_OK);
    CHECK(says(&notes, "no actuator moves 'ball': it lies at rest"));
    CHECK(says(&draft_text, "only=\"left_leg right_leg ball\""));
    CHECK(numbers_after("<init qpos=\"", q, 40) > 14);
    CHECK(q[9] < -1 && fabs(q[10]) < 1e-6); /* after root and legs */
    CHECK_NEAR(q[11], 0.1, 2e-3);
}

/* A ball hangs in the air, where nothing holds it: it begins where it lies, and nothing asks where
 * it ends. So does what only a spring holds. */
static void props_begin_at_rest(void)
{
    double q[4] = {0};
    CHECK(draft_arm(-9.81,
                    "<body pos='.2 0 0'><joint name='tip' axis='0 1 0' stiffness='1' "
                    "damping='.1'/><geom size='.01'/></body>",
                    "<body name='ball' pos='2 0 1'><joint name='ball_z' type='slide' axis='0 0 1' "
                    "ref='1'/><geom size='.05' mass='.1'/></body>",
                    100) == SAL_OK);
    CHECK(numbers_after("<start qpos=\"", q, 4) == 4);
    CHECK_NEAR(q[3], 0.05, 1e-3);
    CHECK(says(&draft_text, "<end joint=\"pan tilt\" qvel=\"0\"/>"));
    CHECK(draft_arm(0, "", "", 100) == SAL_OK && says(&draft_text, "<end qvel=\"0\"/>"));
}

/* A ball over the arm would fall on it, which would have to carry it: it begins on the floor. */
static void props_begin_beside_the_arm(void)
{
    static const char *const ball = "<body name='ball' pos='.3 0 1'><joint type='slide' axis='0 0 "
                                    "1' ref='1'/><geom size='.05' mass='.1'/></body>";
    static const char *const shelf = "<geom type='box' pos='.3 0 .4' size='.3 .3 .06'/>";
    char both[400];
    double q[3] = {0};
    CHECK(draft_arm(-9.81, "", ball, 100) == SAL_OK);
    CHECK(numbers_after("<start qpos=\"", q, 3) == 3);
    CHECK_NEAR(q[2], 0.05, 1e-3);
    CHECK(says(&notes, "an object would fall on the arm"));
    /* a shelf below the arm: no room there, so it lies on the arm */
    snprintf(both, sizeof both, "%s%s", ball, shelf);
    CHECK(draft_arm(-9.81, "", both, 100) == SAL_OK);
    CHECK(numbers_after("<start qpos=\"", q, 3) == 3);
    CHECK_NEAR(q[2], 0.5 + 0.03 + 0.05, 5e-3);
}

/* Terms know no points of ellipsoids and meshes: what stands on these is no gait that a problem can
 * say, but it can move. */
static void feet_have_points(void)
{
    static const char *const foot[] = {"type='sphere' size='.03'",
                                       "type='ellipsoid' size='.05 .03 .03'",
                                       "type='mesh' mesh='sole'"};
    for (int i = 0; i < 3; i++) {
        char xml[2000];
        snprintf(
            xml, sizeof xml,
            "<mujoco><asset><mesh name='sole' vertex='-.05 -.03 -.03 .05 -.03 -.03 -.05 .03 "
            "-.03 .05 .03 -.03 -.05 -.03 .03 .05 -.03 .03 -.05 .03 .03 .05 .03 .03'/></asset>"
            "<worldbody><geom type='plane' size='5 5 .1'/><body pos='0 0 .53'>"
            "<joint name='x' type='slide' axis='1 0 0'/><joint name='z' type='slide' axis='0 0 "
            "1'/><geom size='.1' mass='5'/><body name='leg'><joint name='hip' axis='0 1 0'/>"
            "<geom type='capsule' fromto='0 0 0 0 0 -.2' size='.03'/><body name='foot' "
            "pos='0 0 -.25'><joint name='knee' axis='0 1 0'/><geom type='capsule' fromto='0 0 "
            "0 0 0 -.2' size='.02'/><geom %s pos='0 0 -.25'/></body></body></body></worldbody>"
            "<actuator><motor joint='hip'/><motor joint='knee'/></actuator></mujoco>",
            foot[i]);
        CHECK(draft_string(xml, "hop") == (i == 0 ? SAL_OK : SAL_UNSUPPORTED));
        CHECK(draft_string(xml, "move") == SAL_OK);
    }
}

int main(void)
{
    RUN(feet_of_our_models);
    RUN(feet_of_models_of_others);
    RUN(it_faces_by_left_and_right);
    RUN(it_is_set_on_the_floor);
    RUN(legs_are_bent_by_their_own_joints);
    RUN(spread_legs_are_closed);
    RUN(a_foot_with_toes_has_a_heel);
    RUN(slip_counts_by_the_length_of_legs);
    RUN(a_parcel_does_not_travel);
    RUN(servos_weigh_like_motors);
    RUN(feet_are_not_counted);
    RUN(a_jump_lifts_heel_and_toe);
    RUN(it_gets_up_from_where_it_lies);
    RUN(a_weak_arm_takes_more_time);
    RUN(a_loose_joint_is_named);
    RUN(an_arm_goes_where_nothing_is);
    RUN(an_arm_starts_where_nothing_is);
    RUN(what_nothing_drives_lies_behind);
    RUN(props_begin_at_rest);
    RUN(props_begin_beside_the_arm);
    RUN(feet_have_points);
    sal_text_clear(&draft_text);
    sal_text_clear(&notes);
    files_remove();
    return check_done();
}
