/* Motions in JSON: arrays of numbers, and rows of poses of programs for legged robots. */
#include "tests/signals/read_bytes.h"

#include <math.h>
#include <stdio.h>

static const char motion[] = "{\n"
                             "\"LoopMode\": \"Wrap \\\"a\\\"\", \"FrameDuration\": 0.02,\n"
                             "\"EnableCycleOffsetPosition\": true, \"MotionWeight\": 0.5,\n"
                             "\"Frames\":\n"
                             "[\n"
                             "  [0.0, 1, 0.30, 0, 0, 0, 1, 0.1, -2e-1],\n"
                             "  [0.1, 2, 0.31, 0, 0, 0.6, 0.8, 0.2, null]\n"
                             "]\n"
                             "}\n";

static void rows_of_poses(void)
{
    static const char *const names[] = {"m.txt", "m.json"};
    for (int i = 0; i < 2; i++) {
        CHECK(read_text(names[i], motion) == SAL_OK);
        CHECK_TEXT(signals.format, "json");
        CHECK(signals.ncol == 9 && signals.nrow == 2);
        CHECK_NEAR(signals.rate, 50, 0);
        CHECK_NEAR(at(1, "root_pos_1"), 2, 0);
        CHECK_NEAR(at(1, "root_rot_2"), .6, 0);
        CHECK_NEAR(at(0, "dof_pos_0"), .1, 0);
        CHECK_NEAR(at(0, "dof_pos_1"), -.2, 0);
        CHECK(isnan(at(1, "dof_pos_1")));
        CHECK(strstr(signals.remark.data, "'Frames' holds poses") != NULL);
    }
}

/* Number k of row i is 100 i + k, but for the quaternion 0 0 0 1. */
static void write_rows(sal_text *t, int nrow, int ncol)
{
    sal_text_add(t, "{\"Frames\": [");
    for (int i = 0; i < nrow; i++) {
        for (int k = 0; k < ncol; k++) {
            const int x = k == 6 ? 1 : k >= 3 && k < 6 ? 0 : 100 * i + k;
            sal_text_format(t, "%s%d", k > 0 ? ", " : i > 0 ? ", [" : "[", x);
        }
        sal_text_add(t, "]");
    }
    sal_text_add(t, "], \"dt\": 0.1}");
}

static void rows_with_feet_and_velocities(void)
{
    sal_text t = {0};
    write_rows(&t, 3, 61);
    CHECK(read_text("m.txt", t.data) == SAL_OK);
    CHECK(signals.ncol == 61 && signals.nrow == 3);
    CHECK_NEAR(signals.rate, 10, 0);
    CHECK_NEAR(at(2, "dof_pos_0"), 207, 0);
    CHECK_NEAR(at(2, "dof_pos_11"), 218, 0);
    CHECK_NEAR(at(1, "foot_pos_0"), 119, 0);
    CHECK_NEAR(at(1, "root_lin_vel_0"), 131, 0);
    CHECK_NEAR(at(1, "root_ang_vel_2"), 136, 0);
    CHECK_NEAR(at(1, "dof_vel_0"), 137, 0);
    CHECK_NEAR(at(1, "foot_vel_11"), 160, 0);
    sal_text_clear(&t);
}

/* Without a quaternion there columns are only counted; one that is missing may be one. */
static void rows_of_something_else(void)
{
    CHECK(read_text("m.json", "[[1, 2, 3, 0, 0, 0, 1, 8], [1, 2, 3, NaN, 0, 0, 1, 9]]") == SAL_OK);
    CHECK_NEAR(at(1, "dof_pos_0"), 9, 0);
    CHECK(read_text("m.json", "[[1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3, 4, 5, 6, 7, 9]]") == SAL_OK);
    CHECK(signals.ncol == 8 && signals.nrow == 2);
    CHECK_NEAR(at(1, "Frames_7"), 9, 0);
}

static const char arrays[] =
    "{\"fps\": 2, \"about\": {\"a\": [1, {}], \"b\": \"}\"},\n"
    " \"root_pos\": [[0, 0, 1], [0, 0, 2]],\n"
    " \"body_pos\": [[[1, 2, 3], [4, 5, 6]], [[7, 8, 9], [10, 11, NaN]]],\n"
    " \"joint_names\": [\"hip\", \"knee\"],\n"
    " \"joint_pos\": [[0.1, 0.2], [0.3, 0.4]], \"time\": [0, 0.5]}";

static void arrays_as_those_of_numpy(void)
{
    CHECK(read_text("m.json", arrays) == SAL_OK);
    CHECK(signals.ncol == 12 && signals.nrow == 2);
    CHECK_NEAR(at(1, "time"), .5, 0);
    CHECK_NEAR(at(1, "root_pos_2"), 2, 0);
    CHECK_NEAR(at(1, "body_pos_1_1"), 11, 0);
    CHECK(isnan(at(1, "body_pos_1_2")));
    const int knee = sig_find(&signals, "joint_pos_1");
    CHECK(knee >= 0 && signals.column[knee].joint != NULL);
    CHECK_TEXT(knee >= 0 ? signals.column[knee].joint : NULL, "knee");
}

/* Arrays whose columns are the instants are turned, by the time or by the others, and only then. */
static void arrays_that_lie(void)
{
    CHECK(read_text("m.json", "{\"fps\": 2, \"a\": [[1, 2, 3], [4, 5, 6]], \"b\": [[7, 8, 9]]}") ==
          SAL_OK);
    CHECK(signals.nrow == 3 && signals.ncol == 3);
    CHECK_NEAR(at(1, "a_1"), 5, 0);
    CHECK(read_text("m.json", "{\"fps\": 2, \"qpos\": [[1, 2], [3, 4], [5, 6]], "
                              "\"home\": [[9, 9]]}") == SAL_OK);
    CHECK(signals.nrow == 3 && signals.ncol == 2);
    CHECK_NEAR(at(2, "qpos_1"), 6, 0);
    CHECK(read_text("m.json", "{\"time\": [[0, 1, 2]], \"a\": [[1, 2, 3], [4, 5, 6]]}") == SAL_OK);
    CHECK(signals.time >= 0 && signals.nrow == 3 && signals.ncol == 3);
    CHECK_NEAR(at(2, "a_1"), 6, 0);
    CHECK(read_text("m.json", "{\"timestamp_ms\": [0, 20], \"fps\": [[50]], \"a\": [1, 2]}") ==
          SAL_OK);
    CHECK(signals.time >= 0 && signals.ncol == 2);
    CHECK_TEXT(signals.time < 0 ? NULL : signals.column[signals.time].unit, "ms");
}

static void what_is_wrong_is_said_with_its_place(void)
{
    refuse("m.json", "{\"a\": [1, 2",
           "m.json:1:12: error: the file ends, but ',' or ']' is expected here");
    refuse("m.json", "{\"a\": [1 2]}", "m.json:1:10: error: ',' or ']' is expected here");
    refuse("m.json", "{\"a\": [[1, 2],\n [3]]}",
           "m.json:2:2: error: this row has 1 numbers, but one before it 2");
    refuse("m.json", "{\"a\": [[],\n [3]]}",
           "m.json:2:2: error: this row has 1 numbers, but one before it 0");
    refuse("m.json", "{\"a\": [[1], 2]}",
           "m.json:1:13: error: a row of numbers, as before, is expected here");
    refuse("m.json", "{\"a\": [1, [2]]}", "m.json:1:11: error: a number is expected here");
    refuse("m.json", "{\"a\": [1, \"b\"]}", "m.json:1:11: error: a number is expected here");
    refuse("m.json", "{\"a\": [\"b\", 1]}",
           "m.json:1:13: error: a word in double quotes is expected here");
    refuse("m.json", "{\"a\": [[[[[[1]]]]]]}", "m.json:1:11: error: a number is expected here");
    refuse("m.json", "{\"a\" [1]}", "m.json:1:6: error: ':' is expected here");
    refuse("m.json", "{\"a\": [1]} {", "m.json:1:12: error: the end of the file is expected here");
    refuse("m.json", "{\"a\": {\"b\": [1}",
           "m.json:1:16: error: the file ends, but the end of an object or array is expected here");
    refuse("m.json", "{\"a\\", "m.json:1:5: error: the file ends, but '\"' is expected here");
    refuse("m.json", "x",
           "m.json:1:1: error: '{', with which a motion in JSON begins, is expected here");
    refuse("m.json", "{}", "m.json:1:1: error: there are no rows of numbers");
    refuse("m.json", "{\"fps\": []}", "m.json:1:1: error: there are no rows of numbers");
    refuse("m.json", "{\"fps\": 0, \"a\": [1, 2]}",
           "m.json:1:1: error: 'fps' is 0, but a rate is more than 0");
    refuse("m.json", "{\"a\": [1, Infinity], \"fps\": 1}",
           "m.json:4:1: error: a number is not finite here (column 'a')");
}

/* Rows without numbers tell how deep they are, too. */
static void rows_may_be_empty(void)
{
    refuse("m.json", "[[], 1, 2]",
           "m.json:1:6: error: a row of numbers, as before, is expected here");
    refuse("m.json", "[[[]], [1]]",
           "m.json:1:9: error: a row of numbers, as before, is expected here");
    refuse("m.json", "[[], []]", "m.json:1:1: error: there are no rows of numbers");
    refuse("m.json", "[[[[]]]]", "m.json:1:1: error: there are no rows of numbers");
    CHECK(read_text("m.json", "{\"a\": [[], []], \"b\": [1, 2], \"c\": [[[[]]], [[[]]]]}") ==
          SAL_OK);
    CHECK(signals.ncol == 1 && signals.nrow == 2);
    CHECK_NEAR(at(1, "b"), 2, 0);
}

/* A motion that is cut off anywhere is refused, or is no other motion. */
static void files_that_are_cut(void)
{
    for (size_t n = 0; n + 2 < sizeof motion; n++) {
        CHECK(read_bytes("m.json", motion, n) == SAL_BADINPUT);
    }
}

static void memory_runs_out(void)
{
    exhaust("m.json", motion, sizeof motion - 1);
    exhaust("m.json", arrays, sizeof arrays - 1);
}

int main(void)
{
    static const char *const files[] = {"m.json", "m.txt"};
    CHECK(mkdtemp(folder) != NULL);
    RUN(rows_of_poses);
    RUN(rows_with_feet_and_velocities);
    RUN(rows_of_something_else);
    RUN(arrays_as_those_of_numpy);
    RUN(arrays_that_lie);
    RUN(what_is_wrong_is_said_with_its_place);
    RUN(rows_may_be_empty);
    RUN(files_that_are_cut);
    RUN(memory_runs_out);
    read_end(files, sizeof files / sizeof files[0]);
    return check_done();
}
