/* A recording is a skeleton (BVH) whose joints are the bodies of the model, written in the ways of
 * programs; the drafted problem reads the poses of the motion that was recorded, to the digits of
 * the file. Skeletons of others are refused, with what they lack. */
#include "tests/guide/follow_truth.h"

typedef struct way {
    const char *name;
    /* quaternions from the file's axes to the model's: of the world, of joints */
    double world[4], axes[4];
    /* rotations are 0 where the joints of the model are */
    bool rest;
    double unit, size;
    const char *note;
    /* a rotation that no knee makes, rad */
    double twist;
    /* each joint has its place in each row, and no offset */
    bool places;
    /* of its joints: 'b' bodies, 'j' the last joint of the body, 'x' none of the model */
    char names;
} way;

#define AHEAD                                                                                      \
    {                                                                                              \
        .5, .5, .5, .5                                                                             \
    }
#define SAME                                                                                       \
    {                                                                                              \
        1, 0, 0, 0                                                                                 \
    }
#define QUARTER                                                                                    \
    {                                                                                              \
        .70710678118654752440, .70710678118654752440, 0, 0                                         \
    }
#define SIZE .unit = 1, .size = 1, .names = 'b'

static sal_data *d;
static double rest_turn[100][4];

/* ---- the file ---- */

static void body_turn(const way *w, int body, double out[4])
{
    double back[4], turn[4], next[4];
    sal_quat_copy(turn, d->xquat + 4 * body);
    if (w->rest) {
        sal_quat_conj(back, rest_turn[body]);
        sal_quat_mul(turn, d->xquat + 4 * body, back);
    }
    sal_quat_conj(back, w->world);
    sal_quat_mul(next, back, turn);
    sal_quat_mul(out, next, w->axes);
}

/* Place in the axes of the parent, lengths of the file, and rotation there. */
static void relative(const way *w, int body, double place[3], double turn[4])
{
    const int above = person->body_parentid[body];
    double upper[4] = {1, 0, 0, 0}, own[4], back[4], arm[3], there[3];
    body_turn(w, body, own);
    sal_v3_copy(arm, d->xpos + 3 * body);
    if (above > 0) {
        body_turn(w, above, upper);
        sal_v3_sub(arm, arm, d->xpos + 3 * above);
    }
    sal_v3_scale(arm, arm, w->size / w->unit);
    sal_quat_conj(back, w->world);
    sal_quat_rotate(there, back, arm);
    sal_quat_conj(back, upper);
    sal_quat_rotate(place, back, there);
    sal_quat_mul(turn, back, own);
}

static void put_name(FILE *f, const way *w, int body)
{
    const int last = person->body_jntadr[body] + person->body_jntnum[body] - 1;
    if (w->names == 'x') {
        fprintf(f, "bone%d", body);
    } else if (w->names == 'j' && last >= 0 && person->body_jntnum[body] > 0) {
        fprintf(f, "%s", sal_model_name(person, SAL_OBJ_JOINT, last));
    } else {
        fprintf(f, "%s", sal_model_name(person, SAL_OBJ_BODY, body));
    }
}

static void put_body(FILE *f, const way *w, int body)
{
    double x[3], turn[4];
    relative(w, body, x, turn);
    fprintf(f, body == 1 ? "ROOT " : "JOINT ");
    put_name(f, w, body);
    if (body == 1 || w->places) {
        fprintf(f, "\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition ");
    } else {
        fprintf(f, "\n{\nOFFSET %.9g %.9g %.9g\nCHANNELS 3 ", x[0], x[1], x[2]);
    }
    fprintf(f, "Zrotation Xrotation Yrotation\n");
    for (int b = body + 1; b < person->nbody; b++) {
        if (person->body_parentid[b] == body) {
            put_body(f, w, b);
        }
    }
    if (body == 1) { /* a bone of no body */
        fprintf(f, "JOINT tail\n{\nOFFSET 0 0 .1\nCHANNELS 3 Zrotation Xrotation Yrotation\nEnd "
                   "Site\n{\nOFFSET 0 0 .1\n}\n}\n");
    } else if (body == person->nbody - 1) {
        fprintf(f, "End Site\n{\nOFFSET 0 0 .1\n}\n");
    }
    fprintf(f, "}\n");
}

/* R = Rz(a) Rx(b) Ry(c): row 3 of R is (-cos b sin c, sin b, cos b cos c), column 2 is (-sin a cos
 * b, cos a cos b, sin b). */
static void put_angles(FILE *f, const double quat[4])
{
    double R[9];
    const double degree = 57.295779513082320877;
    sal_quat_matrix(R, quat);
    fprintf(f, " %.9g %.9g %.9g", degree * atan2(-R[1], R[4]), degree * asin(R[7]),
            degree * atan2(-R[6], R[8]));
}

static void put_numbers(FILE *f, const way *w, int body)
{
    double x[3], turn[4], twisted[4], twist[4];
    const double axis[3] = {0, 0, 1};
    relative(w, body, x, turn);
    if (body == 1 || w->places) {
        fprintf(f, " %.9g %.9g %.9g", x[0], x[1], x[2]);
    }
    if (strcmp(sal_model_name(person, SAL_OBJ_BODY, body), "left_shank") == 0) {
        sal_quat_axisangle(twist, axis, w->twist);
        sal_quat_mul(twisted, turn, twist);
        sal_quat_copy(turn, twisted);
    }
    put_angles(f, turn);
    for (int b = body + 1; b < person->nbody; b++) {
        if (person->body_parentid[b] == body) {
            put_numbers(f, w, b);
        }
    }
    fprintf(f, body == 1 ? " 10 20 30\n" : "");
}

static void write_clip(const way *w)
{
    FILE *f = fopen(files_path("a.bvh"), "w");
    memcpy(d->qpos, person->qpos0, NQ * sizeof(double));
    sal_kinematics(person, d);
    memcpy(rest_turn, d->xquat, 4 * (size_t)person->nbody * sizeof(double));
    fprintf(f, "HIERARCHY\n");
    put_body(f, w, 1);
    fprintf(f, "MOTION\nFrames: %d\nFrame Time: %.9g\n", TRUTH_ROWS, 1. / TRUTH_RATE);
    for (int row = 0; row < TRUTH_ROWS; row++) {
        memcpy(d->qpos, truth[row], sizeof truth[row]);
        sal_kinematics(person, d);
        put_numbers(f, w, 1);
    }
    fclose(f);
}

/* ---- what is read ---- */

/* The table that the problem reads has the very angles. */
static double table_error(void)
{
    double worst = 0;
    const char *at = recording.data == NULL ? NULL : strchr(recording.data, '\n');
    for (int row = 0; row < TRUTH_ROWS && at != NULL; row++) {
        char *end;
        CHECK_NEAR(strtod(at, &end), (double)row / TRUTH_RATE, 1e-8);
        for (int i = 0; i < NQ; i++) {
            const double x = strtod(end + 1, &end), sign = i > 2 && i < 7 ? truth[row][3] : 1;
            worst = fmax(worst, fabs(x - truth[row][i]));
            CHECK(sign > 0);
        }
        at = end;
    }
    return at == NULL ? (double)INFINITY : worst;
}

static void every_way_gives_the_same_poses(void)
{
    static const way ways[] = {
        {"as export writes", AHEAD, AHEAD, SIZE,
         .note = "in the world y is up and z ahead, in the joints y is up and z ahead; they are "
                 "those of the model's bodies"},
        {"as programs for animation do, cm", AHEAD, AHEAD, true, .unit = .01, .size = 1,
         .names = 'b', .note = "lengths are in cm"},
        {"joints of the model, z up", SAME, SAME, .unit = 1, .size = 1, .names = 'j',
         .note = "in the world z is up and x ahead"},
        {"x ahead, mm", QUARTER, QUARTER, .unit = .001, .size = 1, .names = 'b',
         .note = "lengths are in mm"},
        {"bodies keep their axes", QUARTER, SAME, SIZE,
         .note = "in the world y is up and x ahead, in the joints z is up"},
        {"places of all joints, cm", AHEAD, AHEAD, true, .unit = .01, .size = 1, .places = true,
         .names = 'b', .note = "lengths are in cm"},
        {"places of all joints, mm", AHEAD, AHEAD, .unit = .001, .size = 1, .places = true,
         .names = 'j', .note = "lengths are in mm"},
        {"a tenth larger", AHEAD, AHEAD, .unit = 1, .size = 1.1, .names = 'b',
         .note = "the skeleton is 1.1 times as large"},
        {"a knee that twists", AHEAD, AHEAD, SIZE, .twist = .1,
         .note = "the joints of 'left_shank' cannot make its rotations: up to 5.7 degrees"},
    };
    double place, turn;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        sal_err err = {0};
        write_clip(ways + i);
        printf("     %s\n", ways[i].name);
        CHECK_OK(draft_of("a.bvh", (double)NAN, &err), err);
        CHECK(says(&notes, ways[i].note));
        CHECK(says(&notes, "no bodies of the model, left out: tail"));
        if (draft_text.data != NULL && ways[i].size == 1 && ways[i].twist == 0) {
            CHECK_NEAR(table_error(), 0, 1e-7);
            read_draft(&place, &turn);
            CHECK_NEAR(place, 0, 4e-3);
            CHECK_NEAR(turn, 0, 4e-3);
        }
    }
}

static void skeletons_of_others_are_refused(void)
{
    static const struct {
        way w;
        const char *error;
    } faults[] = {
        {{"", AHEAD, AHEAD, .unit = 1, .size = 1, .names = 'x'},
         "has 0 of the 21 joints of the model. Its joints must have the names of the model's "
         "bodies "
         "(pelvis, torso"},
        {{"", AHEAD, AHEAD, .unit = 1, .size = 1.6, .names = 'b'}, "1.6 times as large"},
        {{"", AHEAD, AHEAD, SIZE, .twist = 3}, "cannot make the rotations of"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        sal_err err = {0};
        write_clip(&faults[i].w);
        CHECK(draft_of("a.bvh", (double)NAN, &err) == SAL_BADINPUT);
        CHECK(strstr(err.message, faults[i].error) != NULL &&
              strstr(err.message, "must be retargeted") != NULL);
        if (strstr(err.message, faults[i].error) == NULL) {
            printf("%s\n", err.message);
        }
    }
}

static void no_memory_is_an_error(void)
{
    static const way plain = {"", AHEAD, AHEAD, SIZE};
    sal_err err = {0};
    write_clip(&plain);
    const long before = sal_alloc_count();
    CHECK_OK(draft_of("a.bvh", (double)NAN, &err), err);
    const long n = sal_alloc_count() - before;
    for (long i = 1; i <= n; i += 1 + n / 150) {
        sal_alloc_fail_at(i);
        const sal_status status = draft_of("a.bvh", (double)NAN, &err);
        CHECK(status == SAL_OK || status == SAL_NOMEM);
    }
    sal_alloc_fail_at(0);
}

int main(void)
{
    sal_err err = {0};
    RUN(make_truth);
    CHECK_OK(sal_data_new(&d, person, &err), err);
    RUN(every_way_gives_the_same_poses);
    RUN(skeletons_of_others_are_refused);
    RUN(no_memory_is_an_error);
    sal_data_free(d);
    forget_truth();
    files_remove();
    return check_done();
}
