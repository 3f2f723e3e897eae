/* Hinges of legs whose angles are counted the other way round: this is said, and never of those
 * that are counted as the model does. */
#include "tests/check.h"
#include "tests/guide/trot_sample.inc"
#include "tests/problems/problem_files.h"

#include "base/house.h"
#include "guide/guide.h"
#include "mjcf/mjcf.h"
#include "signals/table.h"

#include <string.h>

static sal_model *robot;
static sal_text notes;

static bool is_among(const char *name, const char *const *names)
{
    bool found = false;
    for (; *names != NULL; names++) {
        found = found || strcmp(name, *names) == 0;
    }
    return found;
}

/* The joint whose column is not in the file; NULL: all are. */
static const char *missing;

/* The clip with the opposite of these columns, and what is said of it. */
static void follow(const char *clip, const char *const *opposite)
{
    char path[200];
    sig_signals s;
    sal_diag diag = {0};
    sal_err err = {0};
    sal_text text = {0}, draft = {0};
    snprintf(path, sizeof path, "data/g1_clips/%s.csv", clip);
    CHECK_OK(sig_read(&s, check_corpus(path), NULL, &diag, &err), err);
    for (int k = 0; k < s.ncol; k++) {
        const bool lacks = missing != NULL && strcmp(s.column[k].name, missing) == 0;
        sal_text_format(&text, "%s%s", k > 0 ? "," : "", lacks ? "wish/other" : s.column[k].name);
    }
    for (int row = 0; row < s.nrow; row++) {
        const double *x = s.value + (size_t)row * (size_t)s.ncol;
        for (int k = 0; k < s.ncol; k++) {
            const double sign = is_among(s.column[k].name, opposite) ? -1 : 1;
            sal_text_format(&text, "%s%.9g", k > 0 ? "," : "\n", sign * x[k]);
        }
    }
    files_write("clip.csv", text.data, text.length);
    sal_text_clear(&text);
    sal_text_clear(&notes);
    const sal_follow_request request = {
        .rate = (double)NAN, .clip_name = "clip.csv", .model_name = "g1.xml"};
    CHECK_OK(sal_follow_draft(&draft, &notes, NULL, robot, files_path("clip.csv"), &request, &diag,
                              &err),
             err);
    sal_text_clear(&draft);
    sig_clear(&s);
    sal_diag_clear(&diag);
}

/* Exactly these are said, in the order of the model. */
static void check_said(const char *const *opposite)
{
    char words[600] = "";
    int n = 0;
    for (; opposite[n] != NULL; n++) {
        const size_t used = strlen(words);
        snprintf(words + used, sizeof words - used, "%s'%s'", n > 0 ? ", " : "", opposite[n]);
    }
    char said[700];
    snprintf(said, sizeof said, "with the other sign of joint%s %s the recording fits better",
             n == 1 ? "" : "s", words);
    if (strstr(notes.data, said) == NULL) {
        printf("     not said: %s\n%s", said, notes.data);
    }
    CHECK(strstr(notes.data, said) != NULL);
    CHECK(strstr(notes.data, "angles are in degrees") == NULL);
}

static bool robot_is_there(void)
{
    sal_diag diag = {0};
    sal_err err = {0};
    const char *path = check_corpus("robots/g1.xml");
    if (path != NULL && robot == NULL) {
        CHECK_OK(sal_model_load(&robot, path, NULL, &diag, &err), err);
    }
    sal_diag_clear(&diag);
    return robot != NULL;
}

static const char *const clips[] = {"walk1_subject1", "jumps1_subject1", "fallAndGetUp1_subject1"};

static void signs_that_are_right(void)
{
    static const char *const none[] = {NULL};
    if (!robot_is_there()) {
        SKIP("the corpus is not there");
    }
    for (int i = 0; i < 3; i++) {
        follow(clips[i], none);
        CHECK(strstr(notes.data, "with the other sign") == NULL);
    }
}

/* Feet slide because of the joint that is not there, not by the sign of a neighbour. */
static void a_joint_that_was_not_recorded(void)
{
    static const char *const none[] = {NULL}, *const joints[] = {
                                                  "left_hip_pitch_joint", "right_knee_joint",
                                                  "left_hip_roll_joint", "right_ankle_pitch_joint"};
    if (!robot_is_there()) {
        SKIP("the corpus is not there");
    }
    for (int i = 0; i < 8; i++) {
        missing = joints[i % 4];
        follow(clips[i / 4], none);
        CHECK(strstr(notes.data, "is not in the recording") != NULL);
        CHECK(strstr(notes.data, "with the other sign") == NULL);
    }
    missing = NULL;
}

/* The trot as a table of places in units of 1/unit m, quaternions and joints. */
static void write_trot(double unit)
{
    sig_signals s;
    sal_diag diag = {0};
    sal_err err = {0};
    sal_text text = {0};
    files_write("trot.txt", trot_sample, sizeof trot_sample - 1);
    CHECK_OK(sig_read(&s, files_path("trot.txt"), NULL, &diag, &err), err);
    for (int row = 0; row < s.nrow; row++) {
        const double *x = s.value + (size_t)row * (size_t)s.ncol;
        for (int k = 0; k < s.ncol; k++) {
            sal_text_format(&text, "%s%.9g", k > 0 ? "," : "", (k < 3 ? unit : 1) * x[k]);
        }
        sal_text_add(&text, "\n");
    }
    files_write("trot.csv", text.data, text.length);
    sal_text_clear(&text);
    sig_clear(&s);
    sal_diag_clear(&diag);
}

/* Soles of a short recording slide less by chance with some other signs, in whatever unit. */
static void chance_is_no_sign(void)
{
    static const double units[] = {1, 100, 1000};
    sal_model *dog = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    sal_text draft = {0};
    const char *path = check_corpus("robots/go2.xml");
    if (path == NULL) {
        SKIP("the corpus is not there");
    }
    CHECK_OK(sal_model_load(&dog, path, NULL, &diag, &err), err);
    for (int i = 0; i < 3; i++) {
        write_trot(units[i]);
        sal_text_clear(&notes);
        const sal_follow_request request = {
            .rate = 1 / .0334286, .clip_name = "trot.csv", .model_name = "go2.xml"};
        CHECK_OK(sal_follow_draft(&draft, &notes, NULL, dog, files_path("trot.csv"), &request,
                                  &diag, &err),
                 err);
        CHECK(strstr(notes.data, "without names of joints: the 12 joints") != NULL);
        CHECK(strstr(notes.data, "with the other sign") == NULL);
        sal_text_clear(&draft);
    }
    sal_model_free(dog);
    sal_diag_clear(&diag);
}

/* One; those of both sides, of which the knees are then beyond their range, as degrees are; and a
 * program that counts all angles about one axis the other way round. */
static void signs_that_are_wrong(void)
{
    static const char *const wrong[][7] = {{"left_hip_pitch_joint"},
                                           {"left_hip_yaw_joint"},
                                           {"left_knee_joint", "right_knee_joint"},
                                           {"left_hip_roll_joint", "right_hip_roll_joint"},
                                           {"left_hip_pitch_joint", "left_knee_joint",
                                            "left_ankle_pitch_joint", "right_hip_pitch_joint",
                                            "right_knee_joint", "right_ankle_pitch_joint"}};
    if (!robot_is_there()) {
        SKIP("the corpus is not there");
    }
    for (int i = 0; i < 3; i++) {
        for (size_t k = 0; k < sizeof wrong / sizeof wrong[0]; k++) {
            follow(clips[i], wrong[k]);
            check_said(wrong[k]);
        }
    }
}

int main(void)
{
    RUN(signs_that_are_right);
    RUN(a_joint_that_was_not_recorded);
    RUN(chance_is_no_sign);
    RUN(signs_that_are_wrong);
    sal_text_clear(&notes);
    sal_model_free(robot);
    files_remove();
    return check_done();
}
