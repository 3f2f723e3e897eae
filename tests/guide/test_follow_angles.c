/* A recording whose root is turned by three angles, in OpenSim's way and in others: the drafted
 * problem reads a table of poses, and they are those of the motion that was recorded. */
#include "tests/guide/follow_truth.h"

static const double DEGREE = 0.017453292519943295769;

/* On the left foot, which stays as it is: the body circles about its ankle, so that the order of
 * the root's angles counts. */
static void circle_truth(void)
{
    sal_data *d = NULL;
    sal_err err = {0};
    const double up[3] = {0, 0, 1};
    double back[4], turn[4], foot[3] = {0};
    CHECK_OK(sal_data_new(&d, person, &err), err);
    const int body = sal_model_find(person, SAL_OBJ_BODY, "left_foot");
    const int ankle = person->body_jntadr[body];
    for (int row = 0; row < TRUTH_ROWS; row++) {
        const double phase = 2 * 3.14159265358979 * row / 45, a = .3 * sin(phase) - .1,
                     b = .25 * cos(phase);
        double *q = truth[row];
        memcpy(q + 7, truth[0] + 7, (NQ - 7) * sizeof *q);
        q[person->jnt_qposadr[sal_model_find(person, SAL_OBJ_JOINT, "right_hip_y")]] = .6;
        q[person->jnt_qposadr[sal_model_find(person, SAL_OBJ_JOINT, "right_knee")]] = -1;
        q[person->jnt_qposadr[ankle]] = a;
        q[person->jnt_qposadr[ankle + 1]] = b;
        memcpy(d->qpos, q, NQ * sizeof *q);
        d->qpos[3] = 1, d->qpos[4] = d->qpos[5] = d->qpos[6] = 0;
        sal_kinematics(person, d);
        sal_quat_conj(back, d->xquat + 4 * body);
        sal_quat_axisangle(turn, up, .6);
        sal_quat_mul(q + 3, turn, back);
        memcpy(d->qpos, q, NQ * sizeof *q);
        sal_kinematics(person, d);
        for (int i = 0; i < 3; i++) {
            foot[i] = i < 2 ? .1 : .068; /* the sole is that far below */
            q[i] -= d->xpos[3 * body + i] - foot[i];
        }
    }
    sal_data_free(d);
}

/* ---- the ways to write it ---- */

typedef struct way {
    const char *file, *head, *root;
    /* what each of the six columns is: lower case a place along an axis, upper case an angle */
    const char *columns;
    /* axes in the order of turning */
    const char *order;
    bool degrees, path, renamed;
    char up;
    /* what must be said */
    const char *note;
} way;

/* Angles a b c of R = R_i(a) R_j(b) R_k(c), from the entries of R: with e = 1 for even orders,
 * -1 for odd ones, R_ik = e sin b, R_jk = -e sin a cos b, R_ij = -e sin c cos b. */
static void find_angles(double angle[3], const double quat[4], const char *order)
{
    double R[9];
    const int i = order[0] - 'x', j = order[1] - 'x', k = order[2] - 'x';
    const double e = (j - i + 3) % 3 == 1 ? 1 : -1;
    sal_quat_matrix(R, quat);
    angle[i] = atan2(-e * R[3 * j + k], R[3 * k + k]);
    angle[j] = asin(e * R[3 * i + k]);
    angle[k] = atan2(-e * R[3 * i + j], R[3 * i + i]);
}

static void write_row(FILE *f, const way *w, const double *q, char separator)
{
    const double quarter[4] = {sqrt(.5), -sqrt(.5), 0, 0}, back[4] = {sqrt(.5), sqrt(.5), 0, 0};
    double angle[3], turn[4], other[4], p[3];
    sal_v3_copy(p, q);
    sal_quat_copy(turn, q + 3);
    if (w->up == 'y') {
        sal_v3_set(p, q[0], q[2], -q[1]);
        sal_quat_mul(turn, quarter, q + 3);
    }
    if (w->renamed) {
        sal_quat_mul(other, turn, back);
        sal_quat_copy(turn, other);
    }
    find_angles(angle, turn, w->order);
    for (int i = 0; i < 6; i++) {
        const char c = w->columns[i];
        const double x = c >= 'x' ? p[c - 'x'] : angle[c - 'X'] / (w->degrees ? DEGREE : 1);
        fprintf(f, "%c%.9g", separator, x);
    }
    for (int i = 7; i < NQ; i++) {
        fprintf(f, "%c%.9g", separator, q[i] / (w->degrees ? DEGREE : 1));
    }
    fprintf(f, "\n");
}

static void write_clip(const way *w)
{
    FILE *f = fopen(files_path(w->file), "w");
    const char separator = strstr(w->file, ".csv") != NULL ? ',' : '\t';
    fprintf(f, "%stime%c%s", w->head, separator, w->root);
    for (int j = 1; j < person->njnt; j++) {
        const char *name = sal_model_name(person, SAL_OBJ_JOINT, j);
        fprintf(f, w->path ? "%c/jointset/own/%s/value" : "%c%s", separator, name);
    }
    fprintf(f, "\n");
    for (int row = 0; row < TRUTH_ROWS; row++) {
        fprintf(f, "%.9g", (double)row / TRUTH_RATE);
        write_row(f, w, truth[row], separator);
    }
    fclose(f);
}

static void read_back(const way *w)
{
    sal_err err = {0};
    double place, turn;
    write_clip(w);
    printf("     %s\n", w->note);
    CHECK_OK(draft_of(w->file, (double)NAN, &err), err);
    CHECK(draft_text.data != NULL && says(&notes, w->note));
    CHECK(says(&notes, "they are written to 'table.csv'"));
    CHECK(says(&draft_text, "<data file=\"table.csv\" time=\"time\" up=\"z\""));
    if (draft_text.data != NULL) {
        read_draft(&place, &turn);
        CHECK_NEAR(place, 0, 4e-3);
        CHECK_NEAR(turn, 0, 4e-3);
    }
}

#define DEGREES "Coordinates\nversion=1\nnRows=90\nnColumns=28\ninDegrees=yes\nendheader\n"
#define RADIANS "Coordinates\nversion=1\nnRows=90\nnColumns=28\ninDegrees=no\nendheader\n"

static void every_order_of_angles_is_read(void)
{
    /* clang-format off */
    static const way ways[] = {
        {"a.mot", DEGREES, "pelvis_tilt\tpelvis_list\tpelvis_rotation\tpelvis_tx\tpelvis_ty\t"
         "pelvis_tz", "ZXYxyz", "zxy", true, false, true, 'y',
         "y is up, also in the body, the body turns about its z, x, y in this order (soles"},
        {"a.sto", RADIANS, "/jointset/g/pelvis_tilt/value\t/jointset/g/pelvis_list/value\t"
         "/jointset/g/pelvis_rotation/value\t/jointset/g/pelvis_tx/value\t"
         "/jointset/g/pelvis_ty/value\t/jointset/g/pelvis_tz/value", "ZXYxyz", "zxy", false, true,
         true, 'y', "turns about its z, x, y in this order (soles"},
        {"a.csv", "", "root_x,root_y,root_z,root_roll,root_pitch,root_yaw", "xyzXYZ", "zyx", false,
         false, false, 'z', "z is up, the body turns about its z, y, x in this order (soles"},
        {"b.csv", "", "root_yaw,root_pitch,root_roll,tx,ty,tz", "YZXxyz", "yzx", false, false, true,
         'y', "y is up, also in the body, the body turns about its y, z, x in this order (soles"},
        {"c.csv", "", "root_tx,root_ty,root_tz,root_rx,root_ry,root_rz", "xyzXYZ", "zyx", true,
         false, false, 'z', "z is up, the body turns about its z, y, x in this order, which fits"},
        {"c.sto", RADIANS, "root_tx\troot_ty\troot_tz\troot_rx\troot_ry\troot_rz", "xyzXYZ", "xyz",
         false, false, true, 'y', "y is up, also in the body, the body turns about its x, y, z in"},
        {"d.csv", "", "px,py,pz,rot_x,rot_z,rot_y", "xyzXZY", "xzy", false, false, false, 'y',
         "y is up, the body turns about its x, z, y in this order, that of the columns"},
    };
    /* clang-format on */
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        read_back(ways + i);
    }
}

/* Rows of place, rotation vector and joints, in an array `frames`: in the order of the model, or in
 * another, with names */
static void read_vectors(bool named)
{
    sal_err err = {0};
    double place, turn;
    FILE *f = fopen(files_path("v.json"), "w");
    fprintf(f, "{\"loop_mode\": 0, \"fps\": %.17g, \"frames\": [", (double)TRUTH_RATE);
    for (int row = 0; row < TRUTH_ROWS; row++) {
        const double *q = truth[row];
        double w[3];
        sal_quat_log(w, q + 3);
        fprintf(f, "%s\n[%.9g, %.9g, %.9g, %.9g, %.9g, %.9g", row > 0 ? "," : "", q[0], q[1], q[2],
                w[0], w[1], w[2]);
        for (int i = 7; i < NQ; i++) {
            fprintf(f, ", %.9g", q[named ? NQ + 6 - i : i]);
        }
        fprintf(f, "]");
    }
    fprintf(f, "]");
    for (int j = person->njnt - 1; j > 0 && named; j--) {
        fprintf(f, "%s\"%s\"", j == person->njnt - 1 ? ",\n\"joint_names\": [" : ", ",
                sal_model_name(person, SAL_OBJ_JOINT, j));
    }
    fprintf(f, named ? "]}\n" : "}\n");
    fclose(f);
    CHECK_OK(draft_of("v.json", (double)NAN, &err), err);
    CHECK(draft_text.data != NULL &&
          says(&notes, "frames_0 .. frames_2 (place) and frames_3 .. frames_5 (rotation vector): "
                       "z is up (soles"));
    CHECK((strstr(notes.data, "columns frames_6 .. without names of joints") == NULL) == named);
    CHECK(says(&draft_text, "<data file=\"table.csv\" time=\"time\" up=\"z\""));
    if (draft_text.data != NULL) {
        read_draft(&place, &turn);
        CHECK_NEAR(place, 0, 4e-3);
        CHECK_NEAR(turn, 0, 4e-3);
    }
}

static void a_rotation_vector_is_read(void)
{
    read_vectors(false);
    read_vectors(true);
}

/* One whose root sways a little fits other orders by chance a little better: the order of the names
 * is kept. */
static void what_fits_by_chance_is_not_taken(void)
{
    static const way sways = {
        "e.csv",
        "",
        "root_tx,root_ty,root_tz,root_rx,root_ry,root_rz",
        "xyzXYZ",
        "xyz",
        false,
        false,
        false,
        'z',
        "the body turns about its x, y, z in this order, that of the columns"};
    double kept[TRUTH_ROWS][4];
    for (int row = 0; row < TRUTH_ROWS; row++) {
        const double sway[3] = {.04 * sin(.5 * row), .04 * cos(.4 * row), 0};
        double turn[4], turned[4];
        memcpy(kept[row], truth[row] + 3, sizeof kept[row]);
        sal_quat_exp(turn, sway);
        sal_quat_mul(turned, kept[row], turn);
        memcpy(truth[row] + 3, turned, sizeof turned);
    }
    read_back(&sways);
    for (int row = 0; row < TRUTH_ROWS; row++) {
        memcpy(truth[row] + 3, kept[row], sizeof kept[row]);
    }
}

/* Angles whose place is missing, and those of a joint, are no pose of the root; and a table of
 * poses needs a place where it may be written. */
static void faults_are_named(void)
{
    static const way lost = {"a.csv",  "",    "root_x,root_y,other,root_roll,root_pitch,root_yaw",
                             "xyzXYZ", "zyx", false,
                             false,    false, 'z',
                             ""},
                     whole = {"a.csv",  "",    "root_x,root_y,root_z,root_roll,root_pitch,root_yaw",
                              "xyzXYZ", "zyx", false,
                              false,    false, 'z',
                              ""},
                     joint = {"a.csv",  "",    "a,b,c,knee_roll,knee_pitch,knee_yaw",
                              "xyzXYZ", "zyx", false,
                              false,    false, 'z',
                              ""};
    sal_err err = {0};
    sal_diag diag = {0};
    sal_text out = {0};
    write_clip(&joint);
    CHECK(draft_of("a.csv", (double)NAN, &err) == SAL_BADINPUT &&
          strstr(err.message, "no pose of body 'pelvis'") != NULL &&
          strstr(err.message, "three angles") != NULL);
    write_clip(&lost); /* the three columns before the angles are the place */
    CHECK_OK(draft_of("a.csv", (double)NAN, &err), err);
    write_clip(&whole);
    const sal_follow_request request = {.rate = NAN, .clip_name = "a.csv", .model_name = "m.xml"};
    CHECK(sal_follow_draft(&out, NULL, NULL, person, files_path("a.csv"), &request, &diag, &err) ==
              SAL_BADINPUT &&
          strstr(err.message, "-o FILE") != NULL);
    sal_text_clear(&out);
    sal_diag_clear(&diag);
}

/* Coordinates that a program of others computed, of a model whose joints have the same names: the
 * header says that they are in radians, and as degrees they would hardly move. */
static void a_header_tells_radians_from_degrees(void)
{
    char path[1200];
    sal_model *m = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    const char *at = check_corpus("models/loco_humanoid_torque.xml");
    snprintf(path, sizeof path, "%s", at == NULL ? "" : at);
    at = check_corpus("data/gait/walk_3d_apache/coordinates.sto");
    if (path[0] == 0 || at == NULL) {
        SKIP("the corpus is not there");
    }
    CHECK_OK(sal_model_load(&m, path, NULL, &diag, &err), err);
    sal_text_clear(&draft_text);
    sal_text_clear(&notes);
    const sal_follow_request request = {.rate = NAN, .clip_name = "c.sto", .model_name = path};
    CHECK_OK(sal_follow_draft(&draft_text, &notes, NULL, m, at, &request, &diag, &err), err);
    CHECK(says(&draft_text, "hip_flexion_r/value\" units=\"rad\""));
    sal_model_free(m);
    sal_diag_clear(&diag);
}

/* Even if the numbers would fit better in radians: <data> believes it, too. */
static void degrees_of_a_header_are_believed(void)
{
    static const way small = {"a.mot",
                              DEGREES,
                              "pelvis_tilt\tpelvis_list\tpelvis_rotation\t"
                              "pelvis_tx\tpelvis_ty\tpelvis_tz",
                              "ZXYxyz",
                              "zxy",
                              false,
                              false,
                              true,
                              'y',
                              ""};
    sal_err err = {0};
    write_clip(&small);
    CHECK_OK(draft_of("a.mot", (double)NAN, &err), err);
    const char *at = recording.data == NULL ? NULL : strchr(recording.data, '\n');
    for (int i = 0; i < 8 && at != NULL; i++) {
        at = strchr(at + 1, ',');
    }
    for (int i = 7; i < NQ && at != NULL; i++) {
        CHECK_NEAR(strtod(at + 1, NULL), truth[0][i] * DEGREE, 1e-9);
        at = strchr(at + 1, ',');
    }
    CHECK(recording.data != NULL);
}

int main(void)
{
    RUN(make_truth);
    RUN(circle_truth);
    RUN(every_order_of_angles_is_read);
    RUN(a_rotation_vector_is_read);
    RUN(what_fits_by_chance_is_not_taken);
    RUN(faults_are_named);
    RUN(a_header_tells_radians_from_degrees);
    RUN(degrees_of_a_header_are_believed);
    forget_truth();
    files_remove();
    return check_done();
}
