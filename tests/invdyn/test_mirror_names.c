/* Names of mirrored partners: words where they begin, several pairs at once, unnamed joints. */
#include "tests/check.h"

#include "base/house.h"
#include "invdyn/mirror_check.h"
#include "mjcf/mjcf.h"

static const struct {
    const char *left, *right, *name, *swapped;
} names[] = {
    {"left", "right", "left_hip", "right_hip"},
    {"left", "right", "right_hip", "left_hip"},
    {"left", "right", "lefthip", "righthip"},
    {"left", "right", "upright", "upright"},
    {"left", "right", "cleft_left", "cleft_right"},
    {"Left", "Right", "rearLeft2", "rearRight2"},
    {"l", "r", "root", "root"},
    {"l", "r", "lower_l", "lower_r"},
    {"l", "r", "l_thigh_r", "r_thigh_l"},
    {"l", "r", "pelvis.l1", "pelvis.r1"},
    {"L", "R", "hip_L", "hip_R"},
    {"L", "R", "Lower", "Lower"},
    {"FL RL", "FR RR", "FL_hip_joint", "FR_hip_joint"},
    {"FL RL", "FR RR", "RR_calf", "RL_calf"},
    {"FL RL", "FR RR", "FLhip", "FRhip"},
    {"1 3", "2 4", "hip_1", "hip_2"},
    {"1 3", "2 4", "hip_4", "hip_3"},
    {"1 3", "2 4", "hip_11", "hip_11"},
    {" lfemur\tltibia", "rfemur rtibia ", "ltibiarx", "rtibiarx"},
    {"left_", "right_", "torso", "torso"},
};

static void words_are_exchanged(void)
{
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char out[60];
        CHECK(inv_mirror_name(out, sizeof out, names[i].name, names[i].left, names[i].right));
        CHECK_TEXT(out, names[i].swapped);
    }
}

static void what_does_not_fit_is_no_name(void)
{
    char out[10];
    CHECK(inv_mirror_name(out, 10, "right_x", "left", "right"));
    CHECK(!inv_mirror_name(out, 10, "left_hand", "left", "right"));
}

/* NULL: it cannot be read, which is a fault of the case. */
static sal_model *parse(const char *text)
{
    sal_model *m = NULL;
    sal_err err;
    CHECK_OK(sal_model_parse(&m, "m.xml", text, strlen(text), NULL, NULL, &err), err);
    return m;
}

/* Joints without names go with their bodies. */
static void unnamed_joints_follow_their_bodies(void)
{
    static const char text[] =
        "<mujoco><worldbody><body name='FL'><joint/><joint axis='1 0 0'/><geom size='1'/></body>"
        "<body name='FR'><joint/><joint axis='1 0 0'/><geom size='1'/></body>"
        "<body name='RL'><joint/><geom size='1'/></body></worldbody></mujoco>";
    sal_model *m = parse(text);
    if (m != NULL) {
        CHECK(sal_mirror_partner(m, SAL_OBJ_JOINT, 1, "FL RL", "FR RR") == 3);
        CHECK(sal_mirror_partner(m, SAL_OBJ_JOINT, 2, "FL RL", "FR RR") == 0);
        CHECK(sal_mirror_partner(m, SAL_OBJ_JOINT, 4, "FL RL", "FR RR") == -1);
        CHECK(sal_mirror_partner(m, SAL_OBJ_JOINT, 4, "FL", "FR") == 4);
    }
    sal_model_free(m);
}

/* 'lfemur' goes with 'rfemur'; 'root' and 'lower' begin with these letters by chance. */
static void first_letters_count_where_there_is_a_partner(void)
{
    static const char text[] =
        "<mujoco><worldbody><body name='root'><joint name='root'/><geom size='1'/></body>"
        "<body name='lower'><joint name='lower'/><geom size='1'/></body>"
        "<body name='lfemur'><joint name='lfemurrx'/><geom size='1'/></body>"
        "<body name='rfemur'><joint name='rfemurrx'/><geom size='1'/></body></worldbody></mujoco>";
    sal_model *m = parse(text);
    if (m != NULL) {
        static const int partner[] = {0, 1, 3, 2};
        for (int j = 0; j < 4; j++) {
            CHECK(sal_mirror_partner(m, SAL_OBJ_JOINT, j, "l", "r") == partner[j]);
            CHECK(sal_mirror_partner(m, SAL_OBJ_BODY, j + 1, "x l", "y r") == partner[j] + 1);
            CHECK(sal_mirror_partner(m, SAL_OBJ_JOINT, j, "left", "right") == j);
        }
    }
    sal_model_free(m);
}

int main(void)
{
    RUN(words_are_exchanged);
    RUN(what_does_not_fit_is_no_name);
    RUN(unnamed_joints_follow_their_bodies);
    RUN(first_letters_count_where_there_is_a_partner);
    return check_done();
}
