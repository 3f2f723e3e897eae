/* Which columns of a recording are taken, where names say more than the joint: speeds and torques
 * beside positions, paths, numbers in brackets, a prefix before some names; and arrays that hold
 * something else than they seem to. */
#include "tests/guide/follow_truth.h"
#include "tests/guide/trot_sample.inc"

#include "signals/npz_write.h"
#include "signals/table.h"

/* ---- tables ---- */

static const char *joint_name(int j)
{
    return sal_model_name(person, SAL_OBJ_JOINT, j);
}

static sal_status draft(const char *clip, sal_err *err)
{
    return draft_of(clip, (double)NAN, err);
}

static void poses_are_the_true_ones(void)
{
    double place = INFINITY, turn = INFINITY;
    if (draft_text.data != NULL) {
        read_draft(&place, &turn);
    }
    CHECK_NEAR(place, 0, 4e-3);
    CHECK_NEAR(turn, 0, 4e-3);
}

/* Speeds of all joints, then their angles: `before`, NAME and `behind` in the header. */
typedef struct names {
    const char *before, *behind;
} names;

static void write_names(FILE *f, names of)
{
    for (int j = 1; j < person->njnt; j++) {
        fprintf(f, ",%s%s%s", of.before, joint_name(j), of.behind);
    }
}

static void write_both(names rates, const names *angles)
{
    FILE *f = fopen(files_path("clip.csv"), "w");
    fprintf(f, "time,x,y,z,qw,qx,qy,qz");
    write_names(f, rates);
    if (angles != NULL) {
        write_names(f, *angles);
    }
    for (int row = 0; row < TRUTH_ROWS; row++) {
        const double *q = truth[row], *next = truth[(row + 1) % TRUTH_ROWS];
        fprintf(f, "\n%.9g", (double)row / TRUTH_RATE);
        for (int i = 0; i < 7; i++) {
            fprintf(f, ",%.9g", q[i]);
        }
        for (int i = 7; i < NQ; i++) {
            fprintf(f, ",%.9g", TRUTH_RATE * (next[i] - q[i]));
        }
        for (int i = 7; i < NQ && angles != NULL; i++) {
            fprintf(f, ",%.9g", q[i]);
        }
    }
    fprintf(f, "\n");
    fclose(f);
}

static void positions_are_taken_not_rates(void)
{
    static const struct {
        names rates, angles;
    } kinds[] = {
        {{"velocity/", ""}, {"position/", ""}},
        {{"vel_", ""}, {"pos_", ""}},
        {{"dq_", ""}, {"q_", ""}},
        {{"tau_", ""}, {"q_", ""}},
        {{"cmd/", ""}, {"meas/", ""}},
        {{"state/dq/", ""}, {"state/q/", ""}},
        {{"robot/qd/", ""}, {"robot/q/", ""}},
        {{"target/", ""}, {"measured/", ""}},
        {{"des_", ""}, {"act_", ""}},
        {{"/whole_body/velocity/", ""}, {"/whole_body/state/", ""}},
        {{"/joint_states/", "/velocity"}, {"/joint_states/", "/position"}},
        {{"", ".effort"}, {"", ".position"}},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        sal_err err = {0};
        write_both(kinds[i].rates, &kinds[i].angles);
        CHECK_OK(draft("clip.csv", &err), err);
        poses_are_the_true_ones();
    }
}

static void rates_alone_are_refused(void)
{
    static const names kinds[] = {{"velocity/", ""}, {"effort/", ""}, {"dq_", ""}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        sal_err err = {0};
        char why[200];
        write_both(kinds[i], NULL);
        CHECK(draft("clip.csv", &err) == SAL_BADINPUT);
        snprintf(why, sizeof why, "; '%s%s' is no position by its name", kinds[i].before,
                 joint_name(1));
        CHECK(strstr(err.message, why) != NULL);
    }
}

/* The truth under names for time, pose and joints; those of joint k are of the kind k % n, with its
 * own name in them or its number. */
static void write_as(const char *head, const names *of, int n, bool numbered)
{
    FILE *f = fopen(files_path("clip.csv"), "w");
    fprintf(f, "%s", head);
    for (int j = 1; j < person->njnt; j++) {
        const names *kind = of + (j - 1) % n;
        if (numbered) {
            fprintf(f, ",%s%d%s", kind->before, j - 1, kind->behind);
        } else {
            fprintf(f, ",%s%s%s", kind->before, joint_name(j), kind->behind);
        }
    }
    for (int row = 0; row < TRUTH_ROWS; row++) {
        fprintf(f, "\n%.9g", (double)row / TRUTH_RATE);
        for (int i = 0; i < NQ; i++) {
            fprintf(f, ",%.9g", truth[row][i]);
        }
    }
    fprintf(f, "\n");
    fclose(f);
}

static void numbers_in_brackets_are_no_units(void)
{
    static const names of = {"/joint_states/position[", "]"};
    sal_err err = {0};
    write_as("__time,/odom/x,/odom/y,/odom/z,/odom/qw,/odom/qx,/odom/qy,/odom/qz", &of, 1, true);
    CHECK_OK(draft("clip.csv", &err), err);
    CHECK(says(&notes, "columns /joint_states/position_0 .. without names of joints"));
    poses_are_the_true_ones();
}

static void a_prefix_before_some_names(void)
{
    static const names of[] = {{"man_", ""}, {"man_", ""}, {"", ""}};
    sal_err err = {0};
    write_as("t,x,y,z,qw,qx,qy,qz", of, 3, false);
    CHECK_OK(draft("clip.csv", &err), err);
    CHECK(says(&notes, "'man' stands before the names of joints in the recording"));
    CHECK(strstr(notes.data, "not used") == NULL);
    poses_are_the_true_ones();
}

/* ---- units ---- */

static const double DEGREES = 57.295779513082320877; /* in a radian */

/* The trot, turned by .6 rad, as places, roll, pitch and yaw of the root, and joints, each in units
 * of their own. */
static void write_trot(double of_root, double of_joint)
{
    static const double z[3] = {0, 0, 1};
    double about[4];
    sig_signals s;
    sal_diag diag = {0};
    sal_err err = {0};
    sal_text text = {0};
    sal_quat_axisangle(about, z, .6);
    files_write("trot.txt", trot_sample, sizeof trot_sample - 1);
    CHECK_OK(sig_read(&s, files_path("trot.txt"), NULL, &diag, &err), err);
    sal_text_add(&text, "x,y,z,roll,pitch,yaw,FL_hip_joint,FL_thigh_joint,FL_calf_joint,"
                        "FR_hip_joint,FR_thigh_joint,FR_calf_joint,RL_hip_joint,RL_thigh_joint,"
                        "RL_calf_joint,RR_hip_joint,RR_thigh_joint,RR_calf_joint\n");
    for (int row = 0; row < s.nrow; row++) {
        const double *x = s.value + (size_t)row * (size_t)s.ncol,
                     turned[4] = {x[6], x[3], x[4], x[5]};
        double p[3], q[4], m[9];
        sal_quat_rotate(p, about, x);
        sal_quat_mul(q, about, turned);
        sal_quat_matrix(m, q); /* Rz(yaw) Ry(pitch) Rx(roll) */
        sal_text_format(&text, "%.9g,%.9g,%.9g,%.9g,%.9g,%.9g", p[0], p[1], p[2],
                        of_root * atan2(m[7], m[8]), of_root * asin(-m[6]),
                        of_root * atan2(m[3], m[0]));
        for (int k = 7; k < s.ncol; k++) {
            sal_text_format(&text, ",%.9g", of_joint * x[k]);
        }
        sal_text_add(&text, "\n");
    }
    files_write("trot.csv", text.data, text.length);
    sal_text_clear(&text);
    sig_clear(&s);
    sal_diag_clear(&diag);
}

static void units_of_root_and_joints_may_differ(void)
{
    const char *path = check_corpus("robots/go2.xml");
    sal_model *dog = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    if (path == NULL) {
        SKIP("the corpus is not there");
    }
    CHECK_OK(sal_model_load(&dog, path, NULL, &diag, &err), err);
    for (int way = 0; way < 4 && dog != NULL; way++) {
        const bool root = way & 1, joint = way & 2;
        char said[200];
        const sal_follow_request request = {.rate = 30,
                                            .clip_name = "trot.csv",
                                            .model_name = "go2.xml",
                                            .recording = &recording,
                                            .recording_name = "table.csv"};
        write_trot(root ? DEGREES : 1, joint ? DEGREES : 1);
        sal_text_clear(&draft_text);
        sal_text_clear(&notes);
        sal_text_clear(&recording);
        CHECK_OK(sal_follow_draft(&draft_text, &notes, NULL, dog, files_path("trot.csv"), &request,
                                  &diag, &err),
                 err);
        snprintf(said, sizeof said, "angles of joints are in %s, those of 'base_link' in %s",
                 joint ? "degrees" : "radians", root ? "degrees" : "radians");
        CHECK((strstr(notes.data, said) != NULL) == (root != joint));
        CHECK((strstr(notes.data, "angles are in degrees") != NULL) == (root && joint));
        CHECK(strstr(notes.data, "other sign") == NULL && strstr(notes.data, "beyond") == NULL);
    }
    sal_model_free(dog);
    sal_diag_clear(&diag);
}

/* An arm on a slide that is given in mm is within its range; if only the numbers are so, it is
 * said. */
static void slides_have_units(void)
{
    static const char arm[] =
        "<mujoco><compiler angle='radian'/><worldbody><body name='cart'>"
        "<joint name='rail' type='slide' axis='1 0 0' range='0 .4'/>"
        "<geom size='.1'/><body><joint name='swing' axis='0 1 0'/>"
        "<geom type='capsule' fromto='0 0 0 0 0 -.5' size='.02'/></body></body></worldbody>"
        "<actuator><motor joint='rail'/><motor joint='swing'/></actuator></mujoco>";
    static const char *const heads[] = {"time,rail [mm],swing", "time,rail,swing"};
    sal_model *m = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    CHECK_OK(sal_model_parse(&m, "arm.xml", arm, strlen(arm), NULL, &diag, &err), err);
    for (int way = 0; way < 2 && m != NULL; way++) {
        FILE *f = fopen(files_path("arm.csv"), "w");
        fprintf(f, "%s\n", heads[way]);
        for (int row = 0; row < 60; row++) {
            fprintf(f, "%.9g,%.9g,%.9g\n", .02 * row, 200 + 50 * sin(.1 * row), sin(.2 * row));
        }
        fclose(f);
        const sal_follow_request request = {
            .rate = (double)NAN, .clip_name = "arm.csv", .model_name = "arm.xml"};
        sal_text_clear(&draft_text);
        sal_text_clear(&notes);
        CHECK_OK(sal_follow_draft(&draft_text, &notes, NULL, m, files_path("arm.csv"), &request,
                                  &diag, &err),
                 err);
        const char *said = notes.data == NULL ? "" : notes.data;
        CHECK((strstr(said, "beyond its range") != NULL) == (way == 1));
        CHECK((strstr(said, "If its column is in mm, give it that unit: NAME [mm]") != NULL) ==
              (way == 1));
    }
    sal_model_free(m);
    sal_diag_clear(&diag);
}

/* ---- times ---- */

static void times_that_are_no_numbers(void)
{
    sal_err err = {0};
    FILE *f = fopen(files_path("clip.csv"), "w");
    fprintf(f, "time,x,y,z,qw,qx,qy,qz\n");
    for (int row = 0; row < 20; row++) {
        fprintf(f, "2024-05-01T10:00:%02d,0,0,1,1,0,0,0\n", row);
    }
    fclose(f);
    CHECK(draft("clip.csv", &err) == SAL_BADINPUT);
    CHECK(strstr(err.message, "column 'time' of ") != NULL &&
          strstr(err.message, "holds words, but times are numbers (s)") != NULL);
}

static void times_that_have_another_name(void)
{
    static const names of = {"", ""};
    sal_err err = {0};
    write_as("moment,x,y,z,qw,qx,qy,qz", &of, 1, false);
    CHECK(draft("clip.csv", &err) == SAL_BADINPUT);
    CHECK(strstr(err.message, "none of its 29 columns (moment x y z qw") != NULL);
    CHECK(strstr(err.message, "is called time, t or timestamp") != NULL);
}

/* ---- arrays ---- */

static void write_arrays(const sig_npz_array *arrays, size_t n)
{
    sig_npz *z = NULL;
    sal_text text = {0};
    sal_err err = {0};
    CHECK_OK(sig_npz_create(&z, &err), err);
    for (size_t i = 0; i < n; i++) {
        sig_npz_add(z, arrays + i);
    }
    CHECK_OK(sig_npz_close(z, &text, &err), err);
    files_write("clip.npz", text.data, text.length);
    sal_text_clear(&text);
}

static double place[TRUTH_ROWS][3], turn[TRUTH_ROWS][4], joints[TRUTH_ROWS][NQ - 7],
    columns[TRUTH_ROWS][6];
static const double rate = TRUTH_RATE;

static void fill_arrays(void)
{
    for (int row = 0; row < TRUTH_ROWS; row++) {
        const double *q = truth[row];
        double m[9];
        sal_v3_copy(place[row], q);
        for (int i = 0; i < 4; i++) {
            turn[row][i] = q[3 + (i + 1) % 4];
        }
        memcpy(joints[row], q + 7, sizeof joints[row]);
        sal_quat_matrix(m, q + 3);
        for (int i = 0; i < 6; i++) { /* the first two columns of the matrix */
            columns[row][i] = m[3 * (i % 3) + i / 3];
        }
    }
}

/* The last numbers of one array and the first of the next are no quaternion. */
static void six_numbers_are_no_quaternion(void)
{
    const sig_npz_array arrays[] = {
        {"root_pos", "<f8", 2, {TRUTH_ROWS, 3}, place[0]},
        {"root_rot", "<f8", 2, {TRUTH_ROWS, 6}, columns[0]},
        {"dof_pos", "<f8", 2, {TRUTH_ROWS, NQ - 7}, joints[0]},
        {"fps", "<f8", 0, {0}, &rate},
    };
    sal_err err = {0};
    write_arrays(arrays, sizeof arrays / sizeof arrays[0]);
    CHECK(draft("clip.npz", &err) == SAL_BADINPUT);
    CHECK(strstr(err.message, "array 'root_rot' is not a quaternion in each row") != NULL);
}

/* Columns of qpos are the instants, and nothing else has as many. */
static void an_array_that_lies(void)
{
    static double lying[NQ][TRUTH_ROWS];
    const sig_npz_array arrays[] = {
        {"qpos", "<f8", 2, {NQ, TRUTH_ROWS}, lying[0]},
        {"fps", "<f8", 0, {0}, &rate},
    };
    sal_err err = {0};
    for (int row = 0; row < TRUTH_ROWS; row++) {
        for (int i = 0; i < NQ; i++) {
            lying[i][row] = truth[row][i];
        }
    }
    write_arrays(arrays, sizeof arrays / sizeof arrays[0]);
    CHECK(draft("clip.npz", &err) == SAL_BADINPUT);
    CHECK(strstr(err.message, "rows are instants, so exchange rows and columns") != NULL);
}

/* Rows and columns of tables in a batch: 1 x 90 is a batch of one, 15 x 6 are several motions. */
static void batches_hold_several_motions(void)
{
    for (int way = 0; way < 2; way++) {
        const size_t n = way == 0 ? 1 : 15, rows = TRUTH_ROWS / n;
        const sig_npz_array arrays[] = {
            {"root_pos", "<f8", 3, {n, rows, 3}, place[0]},
            {"root_rot", "<f8", 3, {n, rows, 4}, turn[0]},
            {"dof_pos", "<f8", 3, {n, rows, NQ - 7}, joints[0]},
            {"fps", "<f8", 0, {0}, &rate},
        };
        sal_err err = {0};
        write_arrays(arrays, sizeof arrays / sizeof arrays[0]);
        if (way == 0) {
            CHECK_OK(draft("clip.npz", &err), err);
            poses_are_the_true_ones();
        } else {
            CHECK(draft("clip.npz", &err) == SAL_BADINPUT);
            CHECK(strstr(err.message, "has three dimensions, 15 x 6 x 3: it holds several") !=
                  NULL);
        }
    }
}

int main(void)
{
    RUN(make_truth);
    RUN(positions_are_taken_not_rates);
    RUN(rates_alone_are_refused);
    RUN(numbers_in_brackets_are_no_units);
    RUN(a_prefix_before_some_names);
    RUN(units_of_root_and_joints_may_differ);
    RUN(slides_have_units);
    RUN(times_that_are_no_numbers);
    RUN(times_that_have_another_name);
    RUN(fill_arrays);
    RUN(six_numbers_are_no_quaternion);
    RUN(an_array_that_lies);
    RUN(batches_hold_several_motions);
    forget_truth();
    files_remove();
    return check_done();
}
