/* Recordings that are good but for one thing, as those of others are: an angle that is a whole turn
 * beside its range, a floor far from that of the model, a high rate, a joint with the other sign,
 * arrays of joints in an order that the file names. */
#include "tests/guide/follow_truth.h"

#include "signals/npz_write.h"

enum { ELBOW = 12, KNEE = 19 };

static const double TURN = 6.28318530717958647693;

/* ---- tables ---- */

static double seconds[TRUTH_ROWS];

/* How times are written: their name, how many of them are one second, how far they are off, and
 * which row is off by nothing, of what they are multiples. From some row on, rows may be half as
 * many. */
static const char *time_name = "time";
static double time_unit = 1, time_off, time_step;
static int time_phase, full_rows = 1000000;

/* The truth, `add` added to column k of a pose, column 2 raised by `up`, each row `times` times at
 * as many times the rate, in between by straight lines. */
static void write_table(int k, double factor, double add, double up, int times)
{
    FILE *f = fopen(files_path("clip.csv"), "w");
    fprintf(f, "%s,root_x,root_y,root_z,root_qw,root_qx,root_qy,root_qz", time_name);
    for (int j = 1; j < person->njnt; j++) {
        fprintf(f, ",%s", sal_model_name(person, SAL_OBJ_JOINT, j));
    }
    fprintf(f, "\n");
    for (int i = 0; i <= (TRUTH_ROWS - 1) * times; i++) {
        const int row = i / times, next = row + 1 < TRUTH_ROWS ? row + 1 : row;
        const double part = (double)(i % times) / times;
        const double at = (double)i / times / TRUTH_RATE + time_off * sin(i - time_phase);
        if (i > full_rows && (i - full_rows) % 2 == 1 && i < (TRUTH_ROWS - 1) * times) {
            continue;
        }
        fprintf(f, "%.9g",
                time_step > 0 ? time_step * round(time_unit * at / time_step) : time_unit * at);
        for (int n = 0; n < NQ; n++) {
            const double q = truth[row][n] + part * (truth[next][n] - truth[row][n]);
            fprintf(f, ",%.9g", (n == k ? factor * q + add : q) + (n == 2 ? up : 0));
        }
        fprintf(f, "\n");
    }
    fclose(f);
}

static void draft(void)
{
    sal_err err = {0};
    CHECK_OK(draft_of("clip.csv", (double)NAN, &err), err);
}

static void poses_are_the_true_ones(void)
{
    double place, turn;
    read_draft(&place, &turn);
    CHECK_NEAR(place, 0, 4e-3);
    CHECK_NEAR(turn, 0, 4e-3);
}

/* Its numbers are those of no angle in degrees, and the motion is followed in the joint's range. */
static void an_angle_may_be_a_turn_beside_its_range(void)
{
    for (int sign = -1; sign <= 1; sign += 2) {
        char offset[40];
        write_table(KNEE, 1, sign * TURN, 0, 1);
        draft();
        snprintf(offset, sizeof offset, "offset=\"%.12g\"", sign * TURN);
        CHECK(says(&draft_text, offset) && strstr(draft_text.data, "\"deg\"") == NULL);
        CHECK(says(&notes, "joint 'left_knee' is a whole turn beside its range"));
        poses_are_the_true_ones();
    }
    write_table(KNEE, 1, 0, 0, 1);
    draft();
    CHECK(strstr(draft_text.data, "offset") == NULL && strstr(notes.data, "turn") == NULL);
}

static double drafted_floor(double slope[2])
{
    double height = (double)NAN;
    const char *at = draft_text.data == NULL ? NULL : strstr(draft_text.data, " floor=\"");
    slope[0] = slope[1] = 0;
    if (at == NULL || sscanf(at, " floor=\"%lf %lf %lf", &height, slope, slope + 1) != 3) {
        return 0;
    }
    return height;
}

/* How high the world of a recording is, and how often it was sampled, does not change its floor. */
static void a_floor_may_be_anywhere(void)
{
    static const double heights[] = {0, .8, -1.5, 8};
    double slope[2], own = 0;
    for (size_t i = 0; i < sizeof heights / sizeof heights[0]; i++) {
        write_table(-1, 1, 0, heights[i], 1);
        draft();
        const double found = drafted_floor(slope);
        own = i == 0 ? found : own;
        CHECK_NEAR(found, own + heights[i], 2e-4);
        CHECK_NEAR(hypot(slope[0], slope[1]), 0, 1e-9);
        poses_are_the_true_ones();
    }
    for (int times = 4; times <= 16; times *= 4) {
        write_table(-1, 1, 0, 0, times);
        draft();
        CHECK_NEAR(drafted_floor(slope), own, 1e-3);
        CHECK_NEAR(hypot(slope[0], slope[1]), 0, 1e-9);
    }
}

/* So is where its world begins. */
static void a_world_may_begin_far_away(void)
{
    write_table(0, 1, 300, 0, 1);
    for (int row = 0; row < TRUTH_ROWS; row++) {
        truth[row][0] += 300;
    }
    draft();
    poses_are_the_true_ones();
    for (int row = 0; row < TRUTH_ROWS; row++) {
        truth[row][0] -= 300;
    }
}

/* The truth over a floor of so many degrees, `way` m along which one goes, 40 m from where the
 * recording's world begins; and the slopes that are found. */
static void draft_slope(double degrees, double way, double slope[2])
{
    const double tilt = degrees * TURN / 360, normal[3] = {-tan(tilt), 0, 1};
    double keep[TRUTH_ROWS][NQ], up[4];
    memcpy(keep, truth, sizeof keep);
    sal_quat_z_to(up, normal);
    for (int row = 0; row < TRUTH_ROWS; row++) {
        double *q = truth[row], p[3] = {q[0] + (row < 45 ? 40 : 40 + way), q[1], q[2]}, turned[4];
        sal_quat_rotate(q, up, p);
        sal_quat_mul(turned, up, q + 3);
        sal_quat_copy(q + 3, turned);
    }
    write_table(-1, 1, 0, 0, 1);
    memcpy(truth, keep, sizeof keep);
    draft();
    drafted_floor(slope);
}

static void a_floor_that_slopes_far_from_the_origin(void)
{
    static const double degrees[] = {1.5, 5, 10, 20};
    for (int i = 0; i < 4; i++) {
        const double size = tan(degrees[i] * TURN / 360);
        double slope[2];
        draft_slope(degrees[i], 6, slope);
        CHECK_NEAR(slope[0], size, .03 * size);
        CHECK_NEAR(slope[1], 0, .03 * size);
        CHECK(strstr(notes.data, "not be judged") == NULL);
    }
}

/* One who stands on the spot shows no slope: that he leans with it is said. */
static void a_floor_that_nobody_goes_over(void)
{
    double slope[2];
    draft_slope(8, 0, slope);
    CHECK(hypot(slope[0], slope[1]) <= 0);
    CHECK(says(&notes, "the root leans by 8 degrees on the mean"));
    draft_slope(0, 0, slope);
    CHECK(strstr(notes.data, "not be judged") == NULL);
}

/* ---- one problem for many recordings ---- */

static sal_follow_found found_in(void)
{
    sal_diag diag = {0};
    sal_err err = {0};
    sal_follow_found found = {0};
    const sal_follow_request request = {
        .rate = (double)NAN, .clip_name = "clip.csv", .model_name = "person.xml", .many = true};
    sal_text_clear(&draft_text);
    CHECK_OK(sal_follow_draft(&draft_text, NULL, &found, person, files_path("clip.csv"), &request,
                              &diag, &err),
             err);
    sal_diag_clear(&diag);
    return found;
}

/* Angles of all joints may jump in some of them, and rows be missing; one whose angle is a turn
 * beside its range needs a problem of its own; a higher rate has shorter steps and contacts. */
static void many_are_read_alike(void)
{
    write_table(KNEE, 1, 0, 0, 1);
    const sal_follow_found plain = found_in();
    CHECK(says(&draft_text, " gap=\"0.1\""));
    CHECK(says(&draft_text, "columns=\"right_ankle_x\" units=\"rad\" unwrap=\"true\""));
    write_table(KNEE, 1, TURN, 0, 1);
    CHECK(found_in().reading != plain.reading);
    write_table(KNEE, 1, 0, .4, 4);
    const sal_follow_found fast = found_in();
    CHECK(fast.reading == plain.reading);
    CHECK_NEAR(plain.timeconst, 2.0 / 90, 1e-5);
    CHECK_NEAR(fast.timeconst, 2.0 / 120, 1e-5);
}

/* j1, j2, .. are an array as joint_0, joint_1, .. are. */
static void names_that_are_numbered(void)
{
    sal_err err = {0};
    FILE *f = fopen(files_path("clip.csv"), "w");
    fprintf(f, "t,x,y,z,qw,qx,qy,qz");
    for (int j = 1; j <= NQ - 7; j++) {
        fprintf(f, ",j%d", j);
    }
    for (int row = 0; row < TRUTH_ROWS; row++) {
        fprintf(f, "\n%.9g", (double)row / TRUTH_RATE);
        for (int i = 0; i < NQ; i++) {
            fprintf(f, ",%.9g", truth[row][i]);
        }
    }
    fclose(f);
    CHECK_OK(draft_of("clip.csv", (double)NAN, &err), err);
    CHECK(says(&notes, "columns j1 .. without names of joints: the 21 joints in the order of the "
                       "model"));
    poses_are_the_true_ones();
}

/* ---- what is probably not meant so ---- */

/* Columns that no joint has are said, but for rates and what is not of joints. */
static void columns_that_are_not_used(void)
{
    sal_text table = {0};
    write_table(-1, 1, 0, 0, 1);
    draft();
    CHECK(strstr(notes.data, "not used") == NULL);
    FILE *f = fopen(files_path("clip.csv"), "r");
    char line[4000];
    for (int row = 0; f != NULL && fgets(line, sizeof line, f) != NULL; row++) {
        line[strcspn(line, "\n")] = 0;
        sal_text_format(&table, "%s,%s\n", line,
                        row == 0 ? "l_knee,left_knee_vel,hand_0,hand_1,contact_left,target/hip"
                                 : "1,2,3,4,5,6");
    }
    if (f != NULL) {
        fclose(f);
    }
    const char *renamed = files_replace(table.data, ",left_knee,", ",knee_of_the_left,");
    files_write("clip.csv", renamed, strlen(renamed));
    sal_text_clear(&table);
    draft();
    CHECK(says(&notes, "columns 'knee_of_the_left', 'l_knee', 'hand' are not used: no joints of "
                       "the model have these names. If they are joints of it, give them their "
                       "names\n"));
    CHECK(says(&notes, "1 joint is not in the recording and stays near home: 'left_knee'\n"));
}

static void joints_that_are_suspect(void)
{
    write_table(KNEE, -1, 0, 0, 1);
    draft();
    CHECK(says(&notes, "joint 'left_knee' is beyond its range, -2.62 to 0, in "));
    CHECK(says(&notes, "with the other sign it would be within"));
    double keep[TRUTH_ROWS][NQ];
    memcpy(keep, truth, sizeof keep);
    for (int row = 0; row < TRUTH_ROWS; row++) {
        for (int i = 7; i < NQ; i++) {
            truth[row][i] += 1e-3 * sin(row + i);
        }
    }
    for (int row = 30; row < 51; row++) {
        truth[row][ELBOW + 1] = truth[30][ELBOW + 1];
    }
    write_table(ELBOW, 0, .3, 0, 1);
    memcpy(truth, keep, sizeof keep);
    draft();
    CHECK(says(&notes, "1 joint has one value throughout: left_elbow\n"));
    CHECK(says(&notes, "'right_shoulder_x' has one value from 1.00 to 1.67 s, while others move"));
    CHECK(strstr(notes.data, "beyond its range") == NULL);
}

/* A table of names with units at their ends, in degrees, with decimal commas. */
static void units_at_the_ends_of_names(void)
{
    FILE *f = fopen(files_path("clip.csv"), "w");
    fprintf(f, "time_s;x_m;y_m;z_m;qw;qx;qy;qz");
    for (int j = 1; j < person->njnt; j++) {
        fprintf(f, ";%s_deg", sal_model_name(person, SAL_OBJ_JOINT, j));
    }
    for (int row = 0; row < TRUTH_ROWS; row++) {
        char text[1000];
        size_t n = (size_t)snprintf(text, sizeof text, "\n%.9f", (double)row / TRUTH_RATE);
        for (int i = 0; i < NQ; i++) {
            n += (size_t)snprintf(text + n, sizeof text - n, ";%.9f",
                                  truth[row][i] * (i < 7 ? 1 : 360 / TURN));
        }
        for (char *at = text; *at != 0; at++) {
            *at = (char)(*at == '.' ? ',' : *at);
        }
        fputs(text, f);
    }
    fclose(f);
    draft();
    CHECK(says(&draft_text, "columns=\"left_knee_deg\" units=\"deg\""));
    CHECK(says(&draft_text, "time=\"time_s\""));
    poses_are_the_true_ones();
}

/* Times in the unit that the file says; rows that are not evenly spaced are interpolated, so that
 * the problem is one that can be read. */
static void times_of_all_kinds(void)
{
    time_name = "time [ms]";
    time_unit = 1000;
    write_table(-1, 1, 0, 0, 1);
    time_name = "time";
    time_unit = 1;
    draft();
    CHECK(says(&draft_text, "<time nstep=\"267\"") && strstr(draft_text.data, "resample") == NULL);
    poses_are_the_true_ones();
    time_off = 5e-3; /* s, of 33 */
    write_table(-1, 1, 0, 0, 1);
    time_off = 0;
    draft();
    CHECK(says(&draft_text, " resample=\"30"));
    CHECK(says(&notes, "rows are not evenly spaced: they are interpolated, 30"));
}

/* The motion lasts as long as the samples that <data> makes of uneven rows, wherever the last row
 * stands. */
static void uneven_times_can_be_read(void)
{
    for (time_phase = 0; time_phase < 8; time_phase++) {
        double place, turn;
        time_off = 5e-3;
        write_table(-1, 1, 0, 0, 1);
        time_off = 0;
        draft();
        CHECK(says(&draft_text, " resample=\"30"));
        read_draft(&place, &turn);
        CHECK(isfinite(place) && place < .01 && turn < .02); /* 5 ms of it */
    }
    time_phase = 0;
}

/* Half as many rows from some row on are all used, and none is missing. */
static void a_rate_may_change(void)
{
    for (int times = 2; times <= 4; times += 2) {
        for (int share = 3; share <= 5; share++) {
            full_rows = times * (TRUTH_ROWS - 1) * share / 8;
            write_table(-1, 1, 0, 0, times);
            full_rows = 1000000;
            draft();
            CHECK(strstr(notes.data, "missing") == NULL);
            CHECK(strstr(draft_text.data, "resample") == NULL);
            CHECK(says(&draft_text, " gap=\"0.1\""));
            CHECK(says(&draft_text, "duration=\"2.96666667\""));
            poses_are_the_true_ones();
        }
    }
}

/* Of 71.4 rows a second, whose times have two decimals, steps are .01 and .02 s. */
static void times_may_have_few_decimals(void)
{
    double place, turn;
    time_unit = 60 / 71.4;
    time_step = .01;
    write_table(-1, 1, 0, 0, 2);
    time_unit = 1;
    time_step = 0;
    draft();
    read_draft(&place, &turn);
    CHECK(isfinite(place));
}

static void times_must_grow(void)
{
    static const char head[] = "time,a\n0,1\n.1,1\n.2,1\n.3,1\n.4,1\n.5,1\n.6,1\n.7,1\n.8,1\n"
                               ".9,1\n.9,1\n1,1\n1.1,1\n";
    sal_err err = {0};
    files_write("clip.csv", head, strlen(head));
    CHECK(draft_of("clip.csv", (double)NAN, &err) == SAL_BADINPUT);
    CHECK(strstr(err.message, "the time stands still") != NULL);
}

/* ---- arrays ---- */

/* The joints in the file: backwards, behind the root if there are as many as in the model. */
static void word(const void *ctx, size_t i, char text[SIG_NPZ_WORD])
{
    const int n = *(const int *)ctx, all = person->njnt,
              joint = n == all && i == 0 ? 0 : all - 1 - (int)i + (n == all);
    snprintf(text, SIG_NPZ_WORD, "%s", sal_model_name(person, SAL_OBJ_JOINT, joint));
}

static void write_arrays(const sig_npz_array *arrays, size_t n, int nword)
{
    sig_npz *z = NULL;
    sal_text text = {0};
    sal_err err = {0};
    CHECK_OK(sig_npz_create(&z, &err), err);
    for (size_t i = 0; i < n; i++) {
        sig_npz_add(z, arrays + i);
    }
    if (nword > 0) {
        sig_npz_add_words(z, "dof_names", (size_t)nword, word, &nword);
    }
    CHECK_OK(sig_npz_close(z, &text, &err), err);
    files_write("clip.npz", text.data, text.length);
    sal_text_clear(&text);
}

static double place[TRUTH_ROWS][3], turn[TRUTH_ROWS][4], joints[TRUTH_ROWS][NQ - 7],
    backwards[TRUTH_ROWS][NQ - 7], rate_of_place[TRUTH_ROWS][3];

static void fill_arrays(void)
{
    for (int row = 0; row < TRUTH_ROWS; row++) {
        sal_v3_copy(place[row], truth[row]);
        for (int i = 0; i < 4; i++) {
            turn[row][i] = truth[row][3 + (i + 1) % 4]; /* w last */
        }
        for (int i = 0; i < NQ - 7; i++) {
            joints[row][i] = backwards[row][NQ - 8 - i] = truth[row][7 + i];
        }
        seconds[row] = (double)row / TRUTH_RATE;
        sal_v3_set(rate_of_place[row], .1, .2, .3);
    }
}

/* dof_names says whose the columns are; a velocity of the root is not its place; dt is the time
 * between rows; an array may have a last index of one value. */
static void arrays_of_joints(void)
{
    const double dt = 1.0 / TRUTH_RATE;
    sal_err err = {0};
    const sig_npz_array arrays[] = {
        {"root_vel", "<f8", 2, {TRUTH_ROWS, 3}, rate_of_place[0]},
        {"root_pos", "<f8", 2, {TRUTH_ROWS, 3}, place[0]},
        {"root_rot", "<f8", 2, {TRUTH_ROWS, 4}, turn[0]},
        {"dof_vel", "<f8", 2, {TRUTH_ROWS, NQ - 7}, joints[0]},
        {"dof_frc", "<f8", 2, {TRUTH_ROWS, NQ - 7}, joints[0]},
        {"dof_pos", "<f8", 3, {TRUTH_ROWS, NQ - 7, 1}, backwards[0]},
        {"dt", "<f4", 1, {1}, &dt},
    };
    fill_arrays();
    write_arrays(arrays, sizeof arrays / sizeof arrays[0], NQ - 7);
    CHECK_OK(draft_of("clip.npz", (double)NAN, &err), err);
    CHECK(says(&draft_text, "columns=\"root_pos_0") && says(&draft_text, "\"dof_pos_20\""));
    CHECK(says(&notes, "are of the joints that the file names"));
    poses_are_the_true_ones();
}

/* Whose names stand in the file */
typedef enum named { OF_NONE, OF_ALL, OF_HINGES } named;

/* Rows of a pose and the joints, in one array: in the order of the model, or in the one that the
 * file names; the quaternion behind the place, as MuJoCo has it, or before. */
static void read_poses(const char *name, named given, bool turned)
{
    static double pose[TRUTH_ROWS][NQ];
    sal_err err = {0};
    char column[16];
    const sig_npz_array arrays[] = {
        {name, "<f8", 2, {TRUTH_ROWS, NQ}, pose[0]},
        {"time", "<f8", 1, {TRUTH_ROWS}, seconds},
    };
    for (int row = 0; row < TRUTH_ROWS; row++) {
        for (int i = 0; i < NQ; i++) {
            const int usual = given != OF_NONE && i >= 7 ? NQ + 6 - i : i;
            pose[row][i] = truth[row][turned && i < 7 ? (i + 3) % 7 : usual];
        }
    }
    write_arrays(arrays, sizeof arrays / sizeof arrays[0],
                 given == OF_NONE  ? 0
                 : given == OF_ALL ? NQ - 6
                                   : NQ - 7);
    CHECK_OK(draft_of("clip.npz", (double)NAN, &err), err);
    snprintf(column, sizeof column, "\"%s_%d\"", name, given == OF_NONE ? 7 : NQ - 1);
    CHECK(says(&draft_text, column));
    poses_are_the_true_ones();
}

static void arrays_of_poses(void)
{
    for (named given = OF_NONE; given <= OF_HINGES; given++) {
        read_poses("qpos", given, false);
        read_poses("qpos", given, true);
        read_poses("frames", given, false);
    }
    read_poses("motion", OF_NONE, false);
}

static void a_pose_may_be_none(void)
{
    static double qpos[TRUTH_ROWS][NQ];
    sal_err err = {0};
    const sig_npz_array arrays[] = {
        {"qpos", "<f8", 2, {TRUTH_ROWS, NQ}, qpos[0]},
        {"time", "<f8", 1, {TRUTH_ROWS}, seconds},
    };
    memcpy(qpos, truth, sizeof qpos);
    qpos[40][4] = 2; /* of the quaternion */
    write_arrays(arrays, sizeof arrays / sizeof arrays[0], 0);
    CHECK(draft_of("clip.npz", (double)NAN, &err) == SAL_BADINPUT);
    CHECK(strstr(err.message, "columns qpos_0 .. of qpos are no place and a quaternion of") !=
          NULL);
}

/* Rows of zeros are rows that were not seen. */
static void rows_may_hold_zeros(void)
{
    static double qpos[TRUTH_ROWS][NQ];
    static const int blank[] = {0, 20, 40, 41};
    sal_err err = {0};
    double off[2];
    const sig_npz_array arrays[] = {
        {"qpos", "<f8", 2, {TRUTH_ROWS, NQ}, qpos[0]},
        {"time", "<f8", 1, {TRUTH_ROWS}, seconds},
    };
    memcpy(qpos, truth, sizeof qpos);
    for (size_t i = 0; i < sizeof blank / sizeof blank[0]; i++) {
        memset(qpos[blank[i]], 0, sizeof qpos[0]);
    }
    write_arrays(arrays, sizeof arrays / sizeof arrays[0], 0);
    CHECK_OK(draft_of("clip.npz", (double)NAN, &err), err);
    CHECK(says(&notes, "4 rows hold zeros only, first row 1 of numbers: they are left out"));
    CHECK(says(&draft_text, " onjump=\"drop\""));
    read_draft(off, off + 1);
    CHECK_NEAR(off[0], 0, 4e-2);
    CHECK_NEAR(off[1], 0, 4e-2);
}

/* Behind the robot's positions stands the pose of a box; of what is no pose nothing is known. */
static void an_object_behind_qpos(void)
{
    static double qpos[TRUTH_ROWS][NQ + 7];
    sal_err err = {0};
    const sig_npz_array arrays[] = {
        {"qpos", "<f8", 2, {TRUTH_ROWS, NQ + 7}, qpos[0]},
        {"time", "<f8", 1, {TRUTH_ROWS}, seconds},
    };
    for (int row = 0; row < TRUTH_ROWS; row++) {
        memcpy(qpos[row], truth[row], sizeof truth[row]);
        qpos[row][NQ + 2] = .4;
        qpos[row][NQ + 3] = 1;
    }
    write_arrays(arrays, sizeof arrays / sizeof arrays[0], 0);
    CHECK_OK(draft_of("clip.npz", (double)NAN, &err), err);
    CHECK(says(&notes, "the last 7 numbers of qpos, poses of bodies that the model does not have"));
    poses_are_the_true_ones();
    qpos[40][NQ + 3] = .5;
    write_arrays(arrays, sizeof arrays / sizeof arrays[0], 0);
    CHECK(draft_of("clip.npz", (double)NAN, &err) == SAL_BADINPUT);
}

/* Places and rotations of all bodies, of which the first is the root: not those of the last one,
 * which stand beside the first rotation. */
static void arrays_of_bodies(void)
{
    enum { BODIES = 3 };
    static double at[TRUTH_ROWS][BODIES][3], facing[TRUTH_ROWS][BODIES][4];
    sal_err err = {0};
    for (int row = 0; row < TRUTH_ROWS; row++) {
        for (int b = 0; b < BODIES; b++) {
            for (int i = 0; i < 3; i++) {
                at[row][b][i] = truth[row][i] + .1 * b * sin(row + i);
            }
            memcpy(facing[row][b], truth[row] + 3, sizeof facing[row][b]);
        }
    }
    static const char *const names[][2] = {{"body_positions", "body_rotations"},
                                           {"body_pos_w", "body_quat_w"},
                                           {"link_pos", "link_quat"}};
    for (int k = 0; k < 3; k++) {
        const sig_npz_array arrays[] = {
            {names[k][0], "<f8", 3, {TRUTH_ROWS, BODIES, 3}, at[0][0]},
            {names[k][1], "<f8", 3, {TRUTH_ROWS, BODIES, 4}, facing[0][0]},
            {"dof_pos", "<f8", 2, {TRUTH_ROWS, NQ - 7}, joints[0]},
            {"time", "<f8", 1, {TRUTH_ROWS}, seconds},
        };
        write_arrays(arrays, sizeof arrays / sizeof arrays[0], 0);
        CHECK_OK(draft_of("clip.npz", (double)NAN, &err), err);
        poses_are_the_true_ones();
    }
}

/* As LocoMuJoCo has them: places of all bodies with the world, qpos with the names of all joints,
 * and where each of several recordings ends. */
static void arrays_of_bodies_with_the_world(void)
{
    enum { BODIES = 3 };
    static double at[TRUTH_ROWS][BODIES][3], facing[TRUTH_ROWS][BODIES][4];
    static double qpos[TRUTH_ROWS][NQ];
    static const double ends[] = {0, 40, TRUTH_ROWS};
    sal_err err = {0};
    for (int row = 0; row < TRUTH_ROWS; row++) {
        for (int b = 1; b < BODIES; b++) {
            for (int i = 0; i < 3; i++) {
                at[row][b][i] = truth[row][i] + .1 * (b - 1) * sin(row + i);
            }
            memcpy(facing[row][b], truth[row] + 3, sizeof facing[row][b]);
        }
        facing[row][0][0] = 1;
        for (int i = 0; i < NQ; i++) { /* named from the last joint to the first */
            qpos[row][i] = truth[row][i < 7 ? i : NQ + 6 - i];
        }
    }
    for (int k = 0; k < 4; k++) { /* with qpos or without, of one or two recordings */
        const bool whole = k < 2, two = k % 2 == 1;
        const sig_npz_array arrays[] = {
            {"xpos", "<f8", 3, {TRUTH_ROWS, BODIES, 3}, at[0][0]},
            {"xquat", "<f8", 3, {TRUTH_ROWS, BODIES, 4}, facing[0][0]},
            {"split_points", "<f8", 1, {two ? 3 : 2}, two ? ends : ends + 1},
            {"time", "<f8", 1, {TRUTH_ROWS}, seconds},
            {whole ? "qpos" : "dof_pos",
             "<f8",
             2,
             {TRUTH_ROWS, whole ? NQ : NQ - 7},
             whole ? qpos[0] : joints[0]},
        };
        write_arrays(arrays, sizeof arrays / sizeof arrays[0], whole ? NQ - 6 : 0);
        if (two) {
            CHECK(draft_of("clip.npz", (double)NAN, &err) == SAL_BADINPUT);
            CHECK(strstr(err.message, "error: 2 recordings stand one behind the other") != NULL);
            continue;
        }
        CHECK_OK(draft_of("clip.npz", (double)NAN, &err), err);
        CHECK(notes.data != NULL && strstr(notes.data, "not used") == NULL);
        poses_are_the_true_ones();
    }
}

/* A matrix has no quaternion in it, though four neighbours of its numbers may have the length 1. */
static void a_matrix_is_no_quaternion(void)
{
    static double matrix[TRUTH_ROWS][9];
    sal_err err = {0};
    const sig_npz_array arrays[] = {
        {"root_pos", "<f8", 2, {TRUTH_ROWS, 3}, place[0]},
        {"root_rot", "<f8", 3, {TRUTH_ROWS, 3, 3}, matrix[0]},
        {"dof_pos", "<f8", 2, {TRUTH_ROWS, NQ - 7}, joints[0]},
        {"time", "<f8", 1, {TRUTH_ROWS}, seconds},
    };
    for (int row = 0; row < TRUTH_ROWS; row++) { /* about z: r13 = 0, r21^2 + r22^2 + r23^2 = 1 */
        const double a = .6 + .1 * sin(row);
        const double about_z[9] = {cos(a), -sin(a), 0, sin(a), cos(a), 0, 0, 0, 1};
        memcpy(matrix[row], about_z, sizeof about_z);
    }
    write_arrays(arrays, sizeof arrays / sizeof arrays[0], 0);
    CHECK(draft_of("clip.npz", (double)NAN, &err) == SAL_BADINPUT);
    CHECK(strstr(err.message, "(array 'root_rot_0' is not a quaternion in each row; ") != NULL);
}

int main(void)
{
    RUN(make_truth);
    RUN(an_angle_may_be_a_turn_beside_its_range);
    RUN(a_floor_may_be_anywhere);
    RUN(a_world_may_begin_far_away);
    RUN(a_floor_that_slopes_far_from_the_origin);
    RUN(a_floor_that_nobody_goes_over);
    RUN(many_are_read_alike);
    RUN(names_that_are_numbered);
    RUN(columns_that_are_not_used);
    RUN(joints_that_are_suspect);
    RUN(units_at_the_ends_of_names);
    RUN(times_of_all_kinds);
    RUN(uneven_times_can_be_read);
    RUN(a_rate_may_change);
    RUN(times_may_have_few_decimals);
    RUN(times_must_grow);
    RUN(arrays_of_joints);
    RUN(arrays_of_poses);
    RUN(a_pose_may_be_none);
    RUN(rows_may_hold_zeros);
    RUN(an_object_behind_qpos);
    RUN(arrays_of_bodies);
    RUN(arrays_of_bodies_with_the_world);
    RUN(a_matrix_is_no_quaternion);
    forget_truth();
    files_remove();
    return check_done();
}
