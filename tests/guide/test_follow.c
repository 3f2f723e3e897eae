/* A recording whose poses are known is written in the ways in which clips come: w of the quaternion
 * first or last, y or z up, degrees, millimetres, without a header, on a floor that is higher or
 * tilted. The drafted problem must read the same poses from each. */
#include "tests/guide/follow_truth.h"

/* ---- the ways to write it ---- */

typedef struct way {
    const char *name;
    bool header, time, w_last, degrees;
    char up;
    double unit;
    double floor[3];
    /* by hand, as the attribute of the root's channel and of <data> must be */
    const char *columns, *says;
} way;

static void write_root(FILE *f, const way *w, const double *q)
{
    double p[3], r[4], back[4];
    const double normal[3] = {-w->floor[1], -w->floor[2], 1};
    sal_quat_z_to(back, normal); /* the floor's motion undone: p = R' p' + (0, 0, h) */
    sal_quat_rotate(p, back, q);
    sal_quat_mul(r, back, q + 3);
    p[2] += w->floor[0];
    if (w->up == 'y') { /* (x, y, z) with z up is (x, z, -y) there */
        const double y = p[1], quarter[4] = {sqrt(.5), -sqrt(.5), 0, 0};
        p[1] = p[2];
        p[2] = -y;
        double turned[4];
        sal_quat_mul(turned, quarter, r);
        sal_quat_copy(r, turned);
    }
    fprintf(f, "%.9g,%.9g,%.9g", p[0] / w->unit, p[1] / w->unit, p[2] / w->unit);
    for (int i = 0; i < 4; i++) {
        fprintf(f, ",%.9g", r[w->w_last ? (i + 1) % 4 : i]);
    }
}

static void write_header(FILE *f, const way *w)
{
    fprintf(f, "%spx,py,pz,%s", w->time ? "time," : "",
            w->w_last ? "rot_x,rot_y,rot_z,rot_w" : "qa,qb,qc,qd");
    for (int j = 1; j < person->njnt; j++) {
        fprintf(f, ",%s", sal_model_name(person, SAL_OBJ_JOINT, j));
    }
    fprintf(f, "\n");
}

static void write_clip(const way *w)
{
    FILE *f = fopen(files_path("clip.csv"), "w");
    if (w->header) {
        write_header(f, w);
    }
    for (int row = 0; row < TRUTH_ROWS; row++) {
        if (w->time) {
            fprintf(f, "%.9g,", (double)row / TRUTH_RATE);
        }
        write_root(f, w, truth[row]);
        for (int i = 7; i < NQ; i++) {
            fprintf(f, ",%.9g", truth[row][i] * (w->degrees ? 57.29577951308232 : 1));
        }
        fprintf(f, "\n");
    }
    fclose(f);
}

/* ---- what the draft makes of it ---- */

static sal_status draft(double rate, sal_err *err)
{
    return draft_of("clip.csv", rate, err);
}

static void read_back(const way *w)
{
    sal_err err = {0};
    double place, turn;
    write_clip(w);
    printf("     %s\n", w->name);
    CHECK_OK(draft(w->time ? (double)NAN : TRUTH_RATE, &err), err);
    if (draft_text.data == NULL) {
        return;
    }
    CHECK(says(&draft_text, w->columns));
    CHECK(says(&draft_text, w->says));
    read_draft(&place, &turn);
    CHECK_NEAR(place, 0, 4e-3);
    CHECK_NEAR(turn, 0, 4e-3);
}

static void every_way_gives_the_same_poses(void)
{
    /* clang-format off */
    static const way ways[] = {
        {"w first", true, true, false, false, 'z', 1, {0},
         "columns=\"px py pz qa qb qc qd\"", " up=\"z\""},
        {"w last", true, true, true, false, 'z', 1, {0},
         "columns=\"px py pz rot_w rot_x rot_y\n            rot_z\"", " up=\"z\""},
        {"degrees", true, true, true, true, 'z', 1, {0},
         "columns=\"px py pz rot_w", "units=\"deg\""},
        {"y up", true, true, false, false, 'y', 1, {0},
         "columns=\"px py pz qa qb qc qd\"", " up=\"y\""},
        {"mm", true, true, false, false, 'z', 1e-3, {0},
         "columns=\"px py pz qa qb qc qd\"", "units=\"mm"},
        {"no header, no time", false, false, true, false, 'z', 1, {0},
         "columns=\"column1 column2", "rate=\"30\""},
        {"a floor 4 cm up", true, true, false, false, 'z', 1, {.04, 0, 0},
         "columns=\"px", " floor=\"0.0"},
    };
    /* clang-format on */
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        read_back(ways + i);
    }
}

/* The columns of a table with a header may stand in any order: here in that of the alphabet, or
 * the place as z y x, the quaternion as x w z y. Column i is number order[i] of the names. */
static void write_ordered(const char *const *names, int n, const int *order)
{
    FILE *f = fopen(files_path("clip.csv"), "w");
    for (int i = 0; i < n; i++) {
        fprintf(f, "%s%s", names[order[i]], i + 1 < n ? "," : "\n");
    }
    for (int row = 0; row < TRUTH_ROWS; row++) {
        for (int i = 0; i < n; i++) {
            const int k = order[i]; /* time, x y z, quaternion w first, joints */
            fprintf(f, "%.9g%s", k == 0 ? (double)row / TRUTH_RATE : truth[row][k - 1],
                    i + 1 < n ? "," : "\n");
        }
    }
    fclose(f);
}

static void columns_may_stand_in_any_order(void)
{
    const char *names[NQ + 1] = {"time",    "root_x",  "root_y",  "root_z",
                                 "root_qw", "root_qx", "root_qy", "root_qz"};
    int order[4][NQ + 1] = {
        {0}, {0, 3, 2, 1, 4, 5, 6, 7}, {0, 1, 2, 3, 5, 4, 7, 6}, {0, 1, 2, 3, 5, 6, 7, 4}};
    for (int i = 0; i <= NQ; i++) {
        if (i >= 8) {
            names[i] = sal_model_name(person, SAL_OBJ_JOINT, i - 7);
            order[1][i] = order[2][i] = order[3][i] = i;
        }
        int k = i; /* sorted, the time first */
        for (; k > 1 && strcmp(names[order[0][k - 1]], names[i]) > 0; k--) {
            order[0][k] = order[0][k - 1];
        }
        order[0][k] = i;
    }
    static const char *const others[7] = {
        "pelvis_turn_x", "pelvis_turn_y", "pelvis_turn_z", "px", "py", "pz", "pelvis_turn_w"};
    for (int i = 0; i < 4; i++) {
        sal_err err = {0};
        double place, turn;
        for (int k = 0; k < 7 && i == 3; k++) { /* no name goes with that of the quaternion */
            names[k < 3 ? 5 + k : k < 6 ? k - 2 : 4] = others[k];
        }
        write_ordered(names, NQ + 1, order[i]);
        CHECK_OK(draft((double)NAN, &err), err);
        read_draft(&place, &turn);
        CHECK_NEAR(place, 0, 4e-3);
        CHECK_NEAR(turn, 0, 4e-3);
    }
}

/* Rows from `first` to `last` of a table with times are lost, or of `lost` the numbers there. */
static void write_lacking(int lost, int first, int last)
{
    const char *names[NQ + 1] = {"time",    "root_x",  "root_y",  "root_z",
                                 "root_qw", "root_qx", "root_qy", "root_qz"};
    FILE *f = fopen(files_path("clip.csv"), "w");
    for (int i = 0; i <= NQ; i++) {
        names[i] = i < 8 ? names[i] : sal_model_name(person, SAL_OBJ_JOINT, i - 7);
        fprintf(f, "%s%s", names[i], i < NQ ? "," : "\n");
    }
    for (int row = 0; row < TRUTH_ROWS; row++) {
        const bool gap = row >= first && row <= last;
        for (int i = 0; i <= NQ && !(gap && lost < 0); i++) {
            if (!(gap && i == lost)) {
                fprintf(f, "%.9g", i == 0 ? (double)row / TRUTH_RATE : truth[row][i - 1]);
            }
            fputc(i < NQ ? ',' : '\n', f);
        }
    }
    fclose(f);
}

/* rad: how far a knee is from a straight line over so many intervals. It bends by
 * .5 cos(2 pi t/1.5), whose curvature is at most .5 (2 pi/1.5)^2 rad/s^2; a chord of T s is farther
 * from it by T^2/8 times that at most. A filter adds a little. */
static double beside_chord(int intervals)
{
    const double turns = 2 * 3.14159265358979323846 / 1.5, T = (double)intervals / TRUTH_RATE;
    return .5 * turns * turns * T * T / 8 + 4e-3;
}

static void rows_and_numbers_may_be_missing(void)
{
    enum { KNEE = 20 };
    for (int lost = -1; lost <= KNEE; lost += KNEE + 1) {
        sal_err err = {0};
        double place, turn;
        write_lacking(lost, 40, 41);
        CHECK_OK(draft((double)NAN, &err), err);
        CHECK(says(&draft_text, " gap=\"0.1\""));
        CHECK(strstr(notes.data, "missing") == NULL);
        read_draft(&place, &turn);
        CHECK_NEAR(place, 0, 4e-2);
        CHECK_NEAR(turn, 0, beside_chord(3));
    }
}

/* A joint without any number is one that was not recorded: the first guess has this elbow as the
 * keyframe has it, where it was. */
static void a_column_may_be_empty(void)
{
    enum { ELBOW = 13 };
    sal_err err = {0};
    double place, turn;
    write_lacking(ELBOW, 0, TRUTH_ROWS - 1);
    CHECK_OK(draft((double)NAN, &err), err);
    CHECK(says(&notes, "column 'left_elbow' is empty"));
    CHECK(says(&notes, "1 joint is not in the recording and stays near home: 'left_elbow'"));
    CHECK(strstr(notes.data, "missing") == NULL);
    CHECK(says(&draft_text, "<init data=\"all\" key=\"#0\"/>"));
    read_draft(&place, &turn);
    CHECK_NEAR(place, 0, 4e-3);
    CHECK_NEAR(turn, 0, 4e-3);
}

/* Of three arrays as wide as there are joints one is of positions. */
static void commands_and_rates_are_no_positions(void)
{
    static const char *const arrays[3] = {"Action", "dq", "dof_pos"};
    sal_err err = {0};
    double place, turn;
    FILE *f = fopen(files_path("clip.csv"), "w");
    fprintf(f, "time,root_x,root_y,root_z,root_qw,root_qx,root_qy,root_qz");
    for (int i = 0; i < 3 * (NQ - 7); i++) {
        fprintf(f, ",%s_%d", arrays[i / (NQ - 7)], i % (NQ - 7));
    }
    for (int row = 0; row < TRUTH_ROWS; row++) {
        fprintf(f, "\n%.9g", (double)row / TRUTH_RATE);
        for (int i = 0; i < 7; i++) {
            fprintf(f, ",%.9g", truth[row][i]);
        }
        for (int i = 0; i < 3 * (NQ - 7); i++) {
            const double q = truth[row][7 + i % (NQ - 7)];
            fprintf(f, ",%.9g", i < 2 * (NQ - 7) ? .3 * q + .1 : q);
        }
    }
    fprintf(f, "\n");
    fclose(f);
    CHECK_OK(draft((double)NAN, &err), err);
    CHECK(says(&notes, "columns dof_pos_0 .."));
    CHECK(strstr(notes.data, "not used") == NULL);
    read_draft(&place, &turn);
    CHECK_NEAR(place, 0, 4e-3);
    CHECK_NEAR(turn, 0, 4e-3);
}

/* The motion is deep in a squat there: the first guess goes straight on, and not by way of the pose
 * of <init>, which stands. */
static void samples_may_be_missing_for_long(void)
{
    enum { KNEE = 20 };
    static const char *const said[2] = {
        "samples of 'pelvis' are missing for 0.467 s, from 0.5 s on",
        "samples of 'left_knee' are missing for 0.467 s, from 0.5 s on"};
    for (int i = 0; i < 2; i++) {
        sal_err err = {0};
        double place, turn;
        write_lacking(i == 0 ? -1 : KNEE, 16, 28);
        CHECK_OK(draft((double)NAN, &err), err);
        CHECK(says(&draft_text, " gap=\"0.47\""));
        CHECK(says(&notes, said[i]));
        read_draft(&place, &turn);
        CHECK_NEAR(turn, 0, beside_chord(14));
    }
}

/* From row 30 on a knee has a whole turn more. */
static void an_angle_may_jump_by_a_turn(void)
{
    enum { KNEE = 19, JUMP = 30 };
    const double turn = 2 * 3.14159265358979323846;
    sal_err err = {0};
    double place, off;
    for (int row = JUMP; row < TRUTH_ROWS; row++) {
        truth[row][KNEE] += turn;
    }
    write_lacking(NQ + 1, 0, 0); /* nothing */
    for (int row = JUMP; row < TRUTH_ROWS; row++) {
        truth[row][KNEE] -= turn;
    }
    CHECK_OK(draft((double)NAN, &err), err);
    const char *jumps = strstr(draft_text.data, " unwrap=\"true\"");
    CHECK(jumps != NULL && strstr(jumps + 8, "unwrap") == NULL);
    CHECK(strstr(draft_text.data, " gap=") == NULL);
    read_draft(&place, &off);
    CHECK_NEAR(place, 0, 4e-3);
    CHECK_NEAR(off, 0, 4e-3);
}

/* The problem that is written can be read: it has another integrator then. */
static void a_model_whose_integrator_has_no_inverse(void)
{
    static const way plain = {"", true, true, false, false, 'z', 1, {0}, "", ""};
    const int own = person->opt.integrator;
    sal_err err = {0};
    write_clip(&plain);
    person->opt.integrator = SAL_INT_RK4;
    CHECK_OK(draft((double)NAN, &err), err);
    person->opt.integrator = own;
    CHECK(says(&draft_text, "<override path=\"option/integrator\" value=\"Euler\"/>"));
}

/* Lying on the back for a part of the recording: what touches the floor then is asked to stand
 * still and land gently as feet are, and the recording is followed less closely. Otherwise only
 * feet are. */
static void one_who_lies_is_followed_less_closely(void)
{
    static const way plain = {"", true, true, false, false, 'z', 1, {0}, "", ""};
    sal_err err = {0};
    write_clip(&plain);
    CHECK_OK(draft((double)NAN, &err), err);
    CHECK(says(&draft_text, "sigma=\"0.06 0.15\"") && says(&draft_text, "slip\" weight=\"80\""));
    CHECK(strstr(draft_text.data, "torso") == NULL);
    for (int row = TRUTH_ROWS - 10; row < TRUTH_ROWS; row++) {
        const double axis[3] = {0, 1, 0};
        sal_quat_axisangle(truth[row] + 3, axis, -1.5708);
        truth[row][2] = .1;
    }
    write_clip(&plain);
    CHECK_OK(draft((double)NAN, &err), err);
    CHECK(says(&notes, "body 'torso' touches the floor, too"));
    CHECK(says(&notes, "in 11.1 % of the samples not only feet are on the floor"));
    CHECK(says(&draft_text, "sigma=\"0.12 0.2\"") && says(&draft_text, "slip\" weight=\"16\""));
    const char *slip = strstr(draft_text.data, "<term name=\"slip\"");
    const char *torso = slip == NULL ? NULL : strstr(slip, " torso");
    CHECK(torso != NULL && torso < strstr(slip, "/>"));
}

/* ---- markers ---- */

enum { FRAMES = 40, HZ = 100 };

/* The subject of models/subject.xml stands and is carried forward at .5 m/s: its sites in mm, y up,
 * and a marker that is no site; one marker is lost in two frames, which is
 * written in the two ways in which programs write it. All of it `higher`, m, than it was. */
static void write_markers(const sal_model *m, sal_data *d, double higher)
{
    FILE *f = fopen(files_path("m.trc"), "w");
    fprintf(f,
            "PathFileType\t4\t(X/Y/Z)\tm.trc\nDataRate\tCameraRate\tNumFrames\tNumMarkers\t"
            "Units\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames\n%d\t%d\t%d\t%d\tmm\t%d\t"
            "1\t%d\nFrame#\tTime",
            HZ, HZ, FRAMES, m->nsite + 1, HZ, FRAMES);
    for (int i = 0; i <= m->nsite; i++) {
        fprintf(f, "\t%s\t\t", i < m->nsite ? sal_model_name(m, SAL_OBJ_SITE, i) : "hat");
    }
    fprintf(f, "\n\t");
    for (int i = 1; i <= m->nsite + 1; i++) {
        fprintf(f, "\tX%d\tY%d\tZ%d", i, i, i);
    }
    fprintf(f, "\n\n");
    for (int row = 0; row < FRAMES; row++) {
        fprintf(f, "%d\t%.9g", row + 1, (double)row / HZ);
        for (int i = 0; i <= m->nsite; i++) {
            const double *x = d->site_xpos + 3 * (i < m->nsite ? i : 0);
            if (i == 3 && row >= 10 && row < 12) {
                fprintf(f, row == 10 ? "\t\t\t" : "\t0\t0\t0");
            } else {
                fprintf(f, "\t%.9g\t%.9g\t%.9g", 1e3 * (x[0] + .5 * row / HZ),
                        1e3 * (x[2] + higher), -1e3 * x[1]);
            }
        }
        fprintf(f, "\n");
    }
    fclose(f);
}

/* The height of <data floor> in the draft, and the sigma of what is found of it; 0: it has none. */
static double drafted_floor(double *sigma)
{
    static const char term[] = "floor=\"height\" sigma=\"";
    const char *floor = strstr(draft_text.data, " floor=\""),
               *found = strstr(draft_text.data, term);
    *sigma = found == NULL ? 0 : strtod(found + sizeof term - 1, NULL);
    return floor == NULL ? 0 : strtod(floor + 8, NULL); /* of floor="height": 0 */
}

/* How much higher the markers of the feet are in the pose of d than in the home pose: median. */
static double feet_over_home(const sal_model *m, const sal_data *d)
{
    double over[20];
    int n = 0;
    sal_data *home = NULL;
    sal_err err = {0};
    CHECK_OK(sal_data_new(&home, m, &err), err);
    sal_data_reset(m, home);
    sal_kinematics(m, home);
    for (int i = 0; i < m->nsite && n < 20; i++) {
        const char *body = sal_model_name(m, SAL_OBJ_BODY, m->site_bodyid[i]);
        if (strstr(body, "_foot") != NULL || strstr(body, "_toes") != NULL) {
            over[n++] = d->site_xpos[3 * i + 2] - home->site_xpos[3 * i + 2];
        }
    }
    sal_data_free(home);
    sal_sort(over, n);
    CHECK(n >= 6);
    return (over[(n - 1) / 2] + over[n / 2]) / 2;
}

static void draft_markers(const sal_model *m, const char *model, sal_diag *diag)
{
    const sal_follow_request request = {.rate = NAN, .clip_name = "m.trc", .model_name = model};
    sal_err err = {0};
    sal_text_clear(&draft_text);
    sal_text_clear(&notes);
    CHECK_OK(
        sal_follow_markers(&draft_text, &notes, NULL, m, files_path("m.trc"), &request, diag, &err),
        err);
}

/* Half of the way; the root is where it was carried to, on the floor. */
static void check_half(const sal_model *m, const sal_data *d, double lower, sal_diag *diag)
{
    sal_problem *p = NULL;
    sal_err err = {0};
    files_write("p.xml", draft_text.data, strlen(draft_text.data));
    CHECK_OK(sal_problem_read(&p, files_path("p.xml"), NULL, diag, &err), err);
    if (p != NULL) {
        double q[100], scratch[400];
        CHECK(m->nq <= 100 && p->nstep == FRAMES - 1);
        prb_states_at(p->recorded, m, .5, q, NULL, scratch);
        CHECK_NEAR(q[0] - d->qpos[0], .25 * (FRAMES - 1) / HZ, 2e-3);
        CHECK_NEAR(q[1] - d->qpos[1], 0, 2e-3);
        CHECK_NEAR(q[2] - d->qpos[2], -lower, 2e-3);
    }
    sal_problem_free(p);
}

/* models/subject.xml as it is, or with what `saltus person` would have said of it: numbers */
static const char depth[] = "<numeric name='sole_depth' data='.025'/>";

static void load_subject(sal_model **m, char path[1200], const char *numbers)
{
    char *text = NULL;
    size_t n;
    sal_text copy = {0};
    sal_diag diag = {0};
    sal_err err = {0};
    snprintf(path, 1200, "%s/models/subject.xml", files_root());
    if (numbers != NULL) {
        CHECK_OK(sal_text_read_file(path, 1 << 20, &text, &n, &err), err);
        char *end = text == NULL ? NULL : strstr(text, "</mujoco>");
        CHECK(end != NULL);
        sal_text_format(&copy, "%.*s<custom>%s</custom></mujoco>",
                        end == NULL ? 0 : (int)(end - text), text == NULL ? "" : text, numbers);
        snprintf(path, 1200, "%s", files_path("subject.xml"));
        files_write("subject.xml", copy.data, copy.length);
    }
    CHECK_OK(sal_model_load(m, path, NULL, &diag, &err), err);
    sal_free(text);
    sal_text_clear(&copy);
    sal_diag_clear(&diag);
}

/* Soles sink by 25 mm beneath a person, whose joints are not straight, 5 mm: markers that are as
 * high as sites belong to a floor that is 30 mm higher; where it is higher by more, nothing else
 * changes. Of a model that does not say how deep its soles are, only large heights are seen. */
static void markers_of_a_person_are_followed(void)
{
    static const struct {
        bool says_depth;
        double depth, higher, sigma;
        bool seen;
    } cases[] = {{true, .03, 0, .005, true},
                 {true, .03, .06, .005, true},
                 {true, .03, -.1, .005, true},
                 {false, .015, 0, .02, false},
                 {false, .015, .2, .02, true}};
    char path[1200], q_root[40];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        sal_model *m = NULL;
        sal_data *d = NULL;
        sal_diag diag = {0};
        sal_err err = {0};
        double sigma;
        load_subject(&m, path, cases[i].says_depth ? depth : NULL);
        CHECK_OK(sal_data_new(&d, m, &err), err);
        sal_data_reset_key(m, d, 0);
        sal_kinematics(m, d);
        const double sunk = cases[i].depth + feet_over_home(m, d);
        write_markers(m, d, cases[i].higher);
        draft_markers(m, path, &diag);
        CHECK_NEAR(drafted_floor(&sigma), cases[i].seen ? sunk + cases[i].higher : 0, 6e-4);
        CHECK_NEAR(sigma, cases[i].sigma, 1e-12);
        CHECK(!cases[i].seen || says(&notes, "floor of the recording: about"));
        check_half(m, d, cases[i].seen ? sunk : 0, &diag);
        snprintf(q_root, sizeof q_root, "%d of %d markers", m->nsite, m->nsite + 1);
        CHECK(says(&notes, q_root) && says(&notes, "left out: hat"));
        CHECK(says(&draft_text, " up=\"y\"") && says(&draft_text, " gap=\"0.03\""));
        CHECK(says(&draft_text, "\"hips\" weight=\"0.5\" ctrl=\"right_hip_y right_hip_x"));
        CHECK(says(&draft_text, "\"knees\" weight=\"1.4\" ctrl=\"right_knee left_knee\"/>"));
        CHECK(says(&draft_text, "\"effort\" weight=\"2\" ctrl=\"abdomen_y"));
        CHECK(says(&draft_text, " impact=\"right_foot left_foot\""));
        sal_data_free(d);
        sal_model_free(m);
        sal_diag_clear(&diag);
    }
}

/* A geom on which the foot stands has the foot's name: all geoms are named instead. */
static void feet_may_have_the_names_of_their_geoms(void)
{
    char path[1200], *text = NULL;
    size_t n;
    sal_model *m = NULL;
    sal_data *d = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    snprintf(path, sizeof path, "%s/models/subject.xml", files_root());
    CHECK_OK(sal_text_read_file(path, 1 << 20, &text, &n, &err), err);
    const char *named = files_replace(text, "<geom name=\"right_foot\"", "<geom");
    named = files_replace(named, "<geom name=\"right_heel_in\"", "<geom name=\"right_foot\"");
    files_write("named.xml", named, strlen(named));
    CHECK_OK(sal_model_load(&m, files_path("named.xml"), NULL, &diag, &err), err);
    CHECK_OK(sal_data_new(&d, m, &err), err);
    sal_data_reset_key(m, d, 0);
    sal_kinematics(m, d);
    write_markers(m, d, 0);
    draft_markers(m, files_path("named.xml"), &diag);
    CHECK(says(&draft_text, "right_heel_out right_foot right_ball_out right_ball_in"));
    sal_free(text);
    sal_data_free(d);
    sal_model_free(m);
    sal_diag_clear(&diag);
}

/* A floor at the height that the model says is not mentioned. */
static void a_floor_that_is_where_it_should_be(void)
{
    char path[1200];
    sal_model *m = NULL;
    sal_data *d = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    double sigma;
    load_subject(&m, path, depth);
    CHECK_OK(sal_data_new(&d, m, &err), err);
    sal_data_reset_key(m, d, 0);
    sal_kinematics(m, d);
    write_markers(m, d, -.03 - feet_over_home(m, d) + .009);
    draft_markers(m, path, &diag);
    CHECK(drafted_floor(&sigma) == 0 && fabs(sigma - .005) < 1e-12);
    CHECK(strstr(notes.data, "floor") == NULL);
    sal_data_free(d);
    sal_model_free(m);
    sal_diag_clear(&diag);
}

/* m: of a channel of the draft; 0: there is none. */
static double drafted_sigma(const char *marker)
{
    char from[80];
    snprintf(from, sizeof from, "columns=\"%s\" sigma=\"", marker);
    const char *at = strstr(draft_text.data, from);
    return at == NULL ? 0 : strtod(at + strlen(from), NULL);
}

/* Those that were twice as far from their sites as the median (6 mm) count with twice the 10 mm of
 * the others, those that were ten times as far with three times; those that were nearer, and those
 * of which the model does not say it, with the 10 mm. */
static void markers_that_were_far_off_count_less(void)
{
    static const char numbers[] =
        "<numeric name='rms_R.ASIS' data='.006'/><numeric name='rms_L.ASIS' data='.006'/>"
        "<numeric name='rms_R.Heel' data='.002'/><numeric name='rms_R.TH1' data='.012'/>"
        "<numeric name='rms_R.Shoulder' data='.06'/><numeric name='rms_hat' data='.9'/>"
        "<numeric name='rms_R.Toe' data='0'/>";
    static const struct {
        const char *marker;
        double sigma;
    } rows[] = {{"R.ASIS", .01}, {"R.Heel", .01},     {"R.TH1", .02},
                {"R.Toe", .01},  {"R.Shoulder", .03}, {"L.Shoulder", .01}};
    char path[1200];
    sal_model *m = NULL;
    sal_data *d = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    load_subject(&m, path, numbers);
    CHECK_OK(sal_data_new(&d, m, &err), err);
    sal_data_reset_key(m, d, 0);
    sal_kinematics(m, d);
    write_markers(m, d, 0);
    draft_markers(m, path, &diag);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        CHECK_NEAR(drafted_sigma(rows[i].marker), rows[i].sigma, 1e-12);
    }
    sal_data_free(d);
    sal_model_free(m);
    sal_diag_clear(&diag);
}

/* ---- who hardly moves ---- */

/* The noise of joints (3 mrad) is all that moves: read as degrees it would be less, and with
 * conjugated quaternions as much. */
static void one_who_stands_still_is_read_as_one_who_moves(void)
{
    static const way ways[] = {
        {"still", false, false, true, false, 'z', 1, {0}, "column7 column4", " up=\"z\""},
        {"still, y up", false, false, false, false, 'y', 1, {0}, "column4 column5", " up=\"y\""},
        {"still, degrees, mm",
         false,
         false,
         false,
         true,
         'z',
         1e-3,
         {0},
         "units=\"mm\"",
         "units=\"deg\""},
    };
    double bent[NQ];
    memcpy(bent, truth[22], sizeof bent);
    for (int row = 0; row < TRUTH_ROWS; row++) {
        memcpy(truth[row], bent, sizeof bent);
        for (int i = 7; i < NQ; i++) {
            truth[row][i] += .003 * sin(37.1 * row * row + 11.3 * i);
        }
    }
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        sal_err err = {0};
        printf("     %s\n", ways[i].name);
        write_clip(ways + i);
        CHECK_OK(draft(TRUTH_RATE, &err), err);
        CHECK(says(&draft_text, ways[i].columns) && says(&draft_text, ways[i].says));
        CHECK(draft_text.data != NULL &&
              (strstr(draft_text.data, "units=\"deg\"") != NULL) == ways[i].degrees);
    }
}

/* ---- what cannot be followed ---- */

static void faults_are_named(void)
{
    static const way plain = {"", false, false, true, false, 'z', 1, {0}, "", ""};
    static const char two[] = "time,a,b\n.0,1,2\n.1,1,2\n.2,1,3\n.3,1,2\n.4,1,2\n.5,1,2\n.6,1,2\n"
                              ".7,1,2\n.8,1,2\n.9,1,2\n1,1,2\n1.1,1,2\n1.2,1,2\n",
                      slow[] =
                          "time,a,b\n0,1,2\n33,1,2\n67,1,3\n100,1,2\n133,1,2\n167,1,2\n200,1,2\n"
                          "233,1,2\n267,1,2\n300,1,2\n333,1,2\n367,1,2\n400,1,2\n";
    sal_err err = {0};
    write_clip(&plain);
    CHECK(draft((double)NAN, &err) == SAL_BADINPUT && strstr(err.message, "--rate") != NULL);
    files_write("clip.csv", two, strlen(two));
    CHECK(draft((double)NAN, &err) == SAL_BADINPUT &&
          strstr(err.message, "no pose of body 'pelvis'") != NULL);
    files_write("clip.csv", two, 20);
    CHECK(draft((double)NAN, &err) == SAL_BADINPUT);
    files_write("clip.csv", slow, strlen(slow));
    CHECK(draft((double)NAN, &err) == SAL_BADINPUT &&
          strstr(err.message,
                 "are 33.33 s apart; at most 0.5 s are allowed. If its times are in ms, "
                 "call their column time_ms") != NULL);
}

int main(void)
{
    RUN(make_truth);
    RUN(every_way_gives_the_same_poses);
    RUN(columns_may_stand_in_any_order);
    RUN(rows_and_numbers_may_be_missing);
    RUN(samples_may_be_missing_for_long);
    RUN(a_column_may_be_empty);
    RUN(commands_and_rates_are_no_positions);
    RUN(an_angle_may_jump_by_a_turn);
    RUN(a_model_whose_integrator_has_no_inverse);
    RUN(one_who_lies_is_followed_less_closely);
    RUN(markers_of_a_person_are_followed);
    RUN(markers_that_were_far_off_count_less);
    RUN(feet_may_have_the_names_of_their_geoms);
    RUN(a_floor_that_is_where_it_should_be);
    RUN(one_who_stands_still_is_read_as_one_who_moves);
    RUN(faults_are_named);
    forget_truth();
    files_remove();
    return check_done();
}
