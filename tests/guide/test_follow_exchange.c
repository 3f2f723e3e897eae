/* Columns without names whose left and right are exchanged: this is said, and never of those in the
 * order of the model. */
#include "tests/check.h"
#include "tests/problems/problem_files.h"

#include "base/house.h"
#include "guide/guide.h"
#include "mjcf/mjcf.h"
#include "signals/table.h"

#include <math.h>
#include <string.h>

enum { JOINTS = 29, POSE = 7, LEG = 6, ARM = 7, LEFT_ARM = 15 };

/* The number, among the joints, of the one whose column stands at i */
static int partner(int i)
{
    const int leg = i < LEG       ? LEG
                    : i < 2 * LEG ? -LEG
                                  : 0,
              arm = i < LEFT_ARM         ? 0
                    : i < LEFT_ARM + ARM ? ARM
                                         : -ARM;
    return i + leg + arm;
}

/* NULL: it is not there. */
static sal_model *load_robot(void)
{
    sal_model *robot = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    const char *model = check_corpus("robots/g1.xml");
    if (model != NULL) {
        CHECK_OK(sal_model_load(&robot, model, NULL, &diag, &err), err);
    }
    sal_diag_clear(&diag);
    return robot;
}

/* Pose and joints of a clip without a header and without times, or as "Frames" in JSON */
static void write_bare(const char *clip, bool exchanged, bool frames)
{
    sig_signals s;
    sal_diag diag = {0};
    sal_err err = {0};
    sal_text text = {0};
    CHECK_OK(sig_read(&s, clip, NULL, &diag, &err), err);
    CHECK(s.ncol == 1 + POSE + JOINTS);
    sal_text_add(&text, frames ? "{\"FrameDuration\": 0.0333333, \"Frames\": [\n" : "");
    for (int row = 0; row < s.nrow; row++) {
        const double *x = s.value + (size_t)row * (size_t)s.ncol + 1;
        for (int i = 0; i < POSE + JOINTS; i++) {
            const int from = i < POSE || !exchanged ? i : POSE + partner(i - POSE);
            sal_text_format(&text, "%s%.9g", i > 0 ? "," : frames ? "[" : "", x[from]);
        }
        sal_text_add(&text, !frames ? "\n" : row + 1 < s.nrow ? "],\n" : "]]}\n");
    }
    files_write(frames ? "bare.txt" : "bare.csv", text.data, text.length);
    sal_text_clear(&text);
    sig_clear(&s);
    sal_diag_clear(&diag);
}

/* Of the clip that was written, the problem and what is said */
static void follow(sal_model *robot, const char *file, sal_text *draft, sal_text *notes)
{
    sal_text table = {0};
    sal_diag diag = {0};
    sal_err err = {0};
    const sal_follow_request request = {.rate = 30,
                                        .clip_name = file,
                                        .model_name = "g1.xml",
                                        .recording = &table,
                                        .recording_name = "table.csv"};
    CHECK_OK(sal_follow_draft(draft, notes, NULL, robot, files_path(file), &request, &diag, &err),
             err);
    sal_text_clear(&table);
    sal_diag_clear(&diag);
}

static void exchanged_sides_are_noticed(void)
{
    static const char *const clips[] = {"walk1_subject1", "jumps1_subject1",
                                        "fallAndGetUp1_subject1"};
    sal_model *robot = load_robot();
    if (robot == NULL) {
        SKIP("the corpus is not there");
    }
    for (int i = 0; i < 6; i++) {
        char name[100];
        const bool exchanged = i % 2 == 1;
        sal_text draft = {0}, notes = {0};
        snprintf(name, sizeof name, "data/g1_clips/%s.csv", clips[i / 2]);
        write_bare(check_corpus(name), exchanged, false);
        follow(robot, "bare.csv", &draft, &notes);
        CHECK(strstr(notes.data, "the 29 joints in the order of the model: left_hip_pitch_joint, "
                                 "left_hip_roll_joint, left_hip_yaw_joint, left_knee_joint .. "
                                 "right_wrist_yaw_joint\n") != NULL);
        CHECK((strstr(notes.data, "with left and right exchanged (such as") != NULL) == exchanged);
        sal_text_clear(&draft);
        sal_text_clear(&notes);
    }
    sal_model_free(robot);
}

/* Programs that train robots write poses so. */
static void frames_of_a_motion_are_poses(void)
{
    sal_model *robot = load_robot();
    if (robot == NULL) {
        SKIP("the corpus is not there");
    }
    for (int exchanged = 0; exchanged < 2; exchanged++) {
        sal_text draft = {0}, notes = {0};
        write_bare(check_corpus("data/g1_clips/walk1_subject1.csv"), exchanged, true);
        follow(robot, "bare.txt", &draft, &notes);
        CHECK(strstr(notes.data,
                     "from columns root_pos_0 .. root_rot_3: z is up, the quaternion is "
                     "x y z w") != NULL);
        CHECK(strstr(draft.data, "joint=\"left_knee_joint\" columns=\"dof_pos_3\"") != NULL);
        CHECK((strstr(notes.data, "give them the names of the joints in an array 'joint_names'") !=
               NULL) == exchanged);
        sal_text_clear(&draft);
        sal_text_clear(&notes);
    }
    sal_model_free(robot);
}

int main(void)
{
    RUN(exchanged_sides_are_noticed);
    RUN(frames_of_a_motion_are_poses);
    files_remove();
    return check_done();
}
