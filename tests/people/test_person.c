/* A model of a person: from markers of a person who is known. */
#include "people/person.h"
#include "tests/check.h"
#include "tests/memory.h"
#include "tests/problems/problem_files.h"

#include "base/house.h"
#include "guide/guide.h"
#include "mjcf/mjcf.h"
#include "problems/problem.h"

#include <math.h>
#include <string.h>

/* ---- names ---- */

static const struct {
    const char *name;
    ppl_segment segment;
    ppl_side side;
} known[] = {
    {"RASI", PPL_PELVIS, PPL_RIGHT},
    {"R.ASIS", PPL_PELVIS, PPL_RIGHT},
    {"Bob:LPSI", PPL_PELVIS, PPL_LEFT},
    {"L_HJC_reg", PPL_PELVIS, PPL_LEFT},
    {"SACR", PPL_PELVIS, PPL_MIDDLE},
    {"C7", PPL_TORSO, PPL_MIDDLE},
    {"LSHO", PPL_TORSO, PPL_LEFT},
    {"R_Sternum", PPL_TORSO, PPL_RIGHT},
    {"RELB", PPL_UPPER_ARM, PPL_RIGHT},
    {"L_wrist_ulna", PPL_LOWER_ARM, PPL_LEFT},
    {"r_thigh3", PPL_THIGH, PPL_RIGHT},
    {"R.TH2", PPL_THIGH, PPL_RIGHT},
    {"L_mknee_study", PPL_THIGH, PPL_LEFT},
    {"RKNE", PPL_THIGH, PPL_RIGHT},
    {"L.SH3", PPL_SHANK, PPL_LEFT},
    {"LANK", PPL_SHANK, PPL_LEFT},
    {"r_calc_study", PPL_FOOT, PPL_RIGHT},
    {"L.MT5", PPL_FOOT, PPL_LEFT},
    {"Left Heel", PPL_FOOT, PPL_LEFT},
    {"HeelR", PPL_FOOT, PPL_RIGHT},
    {"RSH", PPL_TORSO, PPL_RIGHT},
    {"MAN", PPL_TORSO, PPL_MIDDLE},
    {"LTHAP", PPL_THIGH, PPL_LEFT},
    {"RTIAD", PPL_SHANK, PPL_RIGHT},
    {"LMFS", PPL_FOOT, PPL_LEFT},
    {"RP1MT", PPL_FOOT, PPL_RIGHT},
    {"RLEK", PPL_THIGH, PPL_RIGHT},
    {"LMEK", PPL_THIGH, PPL_LEFT},
    {"LLM", PPL_SHANK, PPL_LEFT},
    {"RMM", PPL_SHANK, PPL_RIGHT},
    {"LGTRO", PPL_THIGH, PPL_LEFT},
    {"RATI", PPL_SHANK, PPL_RIGHT},
    {"LLEE", PPL_UPPER_ARM, PPL_LEFT},
    {"RMW", PPL_LOWER_ARM, PPL_RIGHT},
    {"RDELT", PPL_UPPER_ARM, PPL_RIGHT},
    {"NAVE", PPL_TORSO, PPL_MIDDLE},
    {"XYPH", PPL_TORSO, PPL_MIDDLE},
    {"RFMT", PPL_FOOT, PPL_RIGHT},
    {"LSMH", PPL_FOOT, PPL_LEFT},
    {"LKNM", PPL_THIGH, PPL_LEFT},
    {"RMED", PPL_SHANK, PPL_RIGHT},
    {"R.Acromium", PPL_TORSO, PPL_RIGHT},
    {"L.Midfoot.Sup", PPL_FOOT, PPL_LEFT},
    {"LEye", PPL_HEAD, PPL_LEFT},
    {"left_foot_index", PPL_TOES, PPL_LEFT},
};

static void names_of_the_usual_sets_are_known(void)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        ppl_side side;
        const ppl_landmark *at = ppl_landmark_of(known[i].name, &side);
        CHECK(at != NULL && at->segment == known[i].segment && side == known[i].side);
    }
    static const char *const strangers[] = {"", "R", "V_Pole", "Ball7", "rigid.body.1"};
    for (size_t i = 0; i < sizeof strangers / sizeof strangers[0]; i++) {
        ppl_side side;
        CHECK(ppl_landmark_of(strangers[i], &side) == NULL);
    }
}

/* Keypoints of a video are joint centres; with markers on the pelvis, or where a table says what
 * they are, the same names are those of markers on the skin. */
static void keypoints_of_a_video_are_joint_centres(void)
{
    static const struct {
        const char *names[5];
        int centres;
    } rows[] = {
        {{"RHip", "LHip", "RKnee", "LAnkle", "RShoulder"}, 3},
        {{"Bob:right_hip", "LEFT_HIP", "right_knee", "left_ankle", "nose"}, 2},
        {{"RHip", "r.ASIS_study", "RKnee", "r_knee_study", "LElbow"}, 2},
        {{"RHip", "RASI", "RKnee", "LAnkle", "RShoulder"}, 0},
        {{"RHJC", "LHJC", "RKnee", "LAnkle", "RShoulder"}, 0},
        {{"RHip", "LHip", "RKNE", "RANK", "RSHO"}, 0},
    };
    ppl_side side;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ppl_marker marker[5] = {{.seen = 0}};
        ppl_person p = {.nmarker = 5, .marker = marker};
        ppl_table table = {0};
        for (int k = 0; k < 5; k++) {
            snprintf(marker[k].name, sizeof marker[k].name, "%s", rows[i].names[k]);
            CHECK(ppl_recognise(&table, marker[k].name, &marker[k].at, &marker[k].side));
        }
        CHECK(ppl_settle_keypoints(&p, &table) == rows[i].centres);
        for (int k = 0; k < 5; k++) {
            const ppl_landmark *skin = ppl_landmark_of(marker[k].name, &side);
            const bool moved = fabs(skin->pos[1] - marker[k].at.pos[1]) > .005;
            CHECK(!moved || (fabs(marker[k].at.pos[1]) < .2 && rows[i].centres > 0));
            CHECK(strstr(marker[k].name, "study") == NULL || !moved);
        }
        if (rows[i].centres > 0) {
            CHECK(fabs(marker[2].at.pos[1]) < 1e-9 && marker[2].at.segment == PPL_THIGH);
        }
    }
    char named[1][2][PPL_NAME] = {{"RKnee", "RKNE"}};
    ppl_marker marker[2] = {{.seen = 0}};
    ppl_person p = {.nmarker = 2, .marker = marker};
    const ppl_table table = {1, 1, named};
    for (int k = 0; k < 2; k++) {
        snprintf(marker[k].name, sizeof marker[k].name, "%s", k == 0 ? "RHip" : "RKnee");
        CHECK(ppl_recognise(&table, marker[k].name, &marker[k].at, &marker[k].side));
    }
    CHECK(ppl_settle_keypoints(&p, &table) == 0);
}

/* ---- a person who is known ---- */

static const char *const worn[] = {
    "RASI", "LASI", "RPSI",  "LPSI",  "C7",   "CLAV", "RSHO", "LSHO",   "RELB",   "LELB", "RWRA",
    "LWRA", "RWRB", "LWRB",  "RTHI",  "LTHI", "RKNE", "LKNE", "RMKNEE", "LMKNEE", "RTIB", "LTIB",
    "RANK", "LANK", "RMANK", "LMANK", "RHEE", "LHEE", "RMT5", "LMT5",   "RMT1",   "LMT1"};
enum { NWORN = sizeof worn / sizeof worn[0] };

static const double grown[PPL_NLENGTH] = {.95, .97, 1.04, .93, .98, 1.02, 1.03, .96, 1.05};

static void make(ppl_person *p, ppl_marker *marker)
{
    *p = (ppl_person){.mass = 70, .nmarker = NWORN, .marker = marker};
    memcpy(p->scale, grown, sizeof grown);
    for (int i = 0; i < NWORN; i++) {
        marker[i] = (ppl_marker){.seen = 0};
        snprintf(marker[i].name, sizeof marker[i].name, "%s", worn[i]);
        marker[i].at = *ppl_landmark_of(worn[i], &marker[i].side);
        ppl_marker_place(p, marker + i, marker[i].pos);
    }
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < PPL_NPAD; k++) {
            p->pad[side][k] = -.05;
        }
    }
}

static double sinks, pace = .02; /* m, of the pelvis; from frame to frame */
static double tall = 1;          /* m: how high the pelvis is */

/* Bends all joints, differently in every frame; the feet of a walker, or of one who stands. */
static void bend(const sal_model *m, double *q, int frame)
{
    memcpy(q, m->qpos0, (size_t)m->nq * sizeof *q);
    q[0] = pace * frame, q[1] = .3, q[2] = tall - sinks * sin(.2 * frame);
    q[3] = cos(.4), q[6] = sin(.4);
    const int neck = m->jnt_qposadr[sal_model_find(m, SAL_OBJ_JOINT, "neck_y")];
    for (int i = 7, phase = 7; i < m->nq; i++) {
        const bool head = i >= neck && i < neck + 3; /* straight: no marker shows it */
        q[i] = head ? 0 : .25 * sin(.7 * frame + phase++);
    }
}

static const char trc_head[] = "PathFileType\t4\t(X/Y/Z)\tp.trc\n"
                               "DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate"
                               "\tOrigDataStartFrame\tOrigNumFrames\n";

/* Markers of the left with the names of those of the right, and the other way round */
static const char *exchanged(int i)
{
    return strcmp(worn[i], "C7") == 0 || strcmp(worn[i], "CLAV") == 0 ? worn[i] : worn[i ^ 1];
}

static const char *as_worn(int i)
{
    return worn[i];
}

/* Only those of pelvis and legs have names that are known. */
static const char *of_the_legs(int i)
{
    static char unknown[NWORN][16];
    snprintf(unknown[i], sizeof unknown[i], "Unknown%d", i);
    const ppl_segment segment = ppl_landmark_of(worn[i], &(ppl_side){0})->segment;
    return segment == PPL_TORSO || segment == PPL_UPPER_ARM || segment == PPL_LOWER_ARM ? unknown[i]
                                                                                        : worn[i];
}

/* The markers of that person in `n` frames as a TRC file in mm, which says `unit`, y up, with one
 * that is unknown. */
static void record_as(const char *name, int n, const char *(*called)(int), const char *unit)
{
    ppl_person p;
    ppl_marker marker[NWORN];
    sal_model *m = NULL;
    sal_data *d = NULL;
    sal_text text = {0};
    sal_err err = {0};
    make(&p, marker);
    CHECK_OK(ppl_compile(&m, &p, &err), err);
    CHECK_OK(sal_data_new(&d, m, &err), err);
    sal_text_add(&text, trc_head);
    sal_text_format(&text, "100\t100\t%d\t%d\t%s\t100\t1\t%d\nFrame#\tTime", n, NWORN + 1, unit, n);
    for (int i = 0; i <= NWORN; i++) {
        sal_text_format(&text, "\t%s\t\t", i < NWORN ? called(i) : "Wand");
    }
    sal_text_add(&text, "\n\t");
    for (int i = 0; i <= NWORN; i++) {
        sal_text_format(&text, "\tX%d\tY%d\tZ%d", i + 1, i + 1, i + 1);
    }
    sal_text_add(&text, "\n\n");
    for (int t = 0; t < n; t++) {
        bend(m, d->qpos, t);
        sal_kinematics(m, d);
        sal_text_format(&text, "%d\t%.2f", t + 1, t / 100.);
        for (int i = 0; i < NWORN; i++) {
            const double *x = d->site_xpos + 3 * sal_model_find(m, SAL_OBJ_SITE, worn[i]);
            sal_text_format(&text, "\t%.6f\t%.6f\t%.6f", 1e3 * x[0], 1e3 * x[2], -1e3 * x[1]);
        }
        sal_text_add(&text, "\t1\t2\t3\n");
    }
    files_write(name, text.data, text.length);
    sal_text_clear(&text);
    sal_data_free(d);
    sal_model_free(m);
}

static void record(const char *name, int n)
{
    record_as(name, n, as_worn, "mm");
}

static sal_status model_of(sal_text *model, sal_text *notes, const char *trial, const char *names,
                           sal_diag *diag, sal_err *err)
{
    const sal_person_request request = {.trial = &trial, .ntrial = 1, .names = names, .mass = 70};
    return sal_person_model(model, notes, &request, diag, err);
}

/* Lengths come out that went in, as far as the priors let them; the mass is that which was given;
 * what is not known is said. */
static void lengths_and_mass_come_out(void)
{
    sal_text model = {0}, notes = {0};
    sal_diag diag = {0};
    sal_err err = {0};
    sal_model *m = NULL;
    record("walk.trc", 40);
    CHECK_OK(model_of(&model, &notes, files_path("walk.trc"), NULL, &diag, &err), err);
    CHECK_OK(sal_model_parse(&m, "p", model.data, model.length, NULL, &diag, &err), err);
    CHECK(notes.data != NULL && strstr(notes.data, "not known, left out: Wand\n") != NULL);
    if (m != NULL) {
        double mass = 0;
        for (int b = 0; b < m->nbody; b++) {
            mass += m->body_mass[b];
        }
        CHECK_NEAR(mass, 70, 1e-6);
        static const struct {
            const char *body;
            int axis;
            double length;
        } rows[] = {{"left_shank", 2, 1.03},
                    {"right_foot", 2, .96},
                    {"left_lower_arm", 2, .98},
                    {"right_toes", 0, 1.05},
                    {"left_thigh", 1, .97}};
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            static const ppl_segment segment[] = {PPL_SHANK, PPL_FOOT, PPL_LOWER_ARM, PPL_TOES,
                                                  PPL_THIGH};
            const double pos =
                m->body_pos[3 * sal_model_find(m, SAL_OBJ_BODY, rows[i].body) + rows[i].axis];
            const double generic = ppl_bone_of(segment[i])->pos[rows[i].axis];
            printf("     %-15s %.4f, was %.4f\n", rows[i].body, fabs(pos / generic),
                   rows[i].length);
            CHECK_NEAR(fabs(pos / generic), rows[i].length, .015);
        }
        CHECK(m->nu == m->nv - 6 && m->nkey == 1);
        CHECK(sal_model_find(m, SAL_OBJ_SITE, "Wand") < 0);
        int nrms = 0;
        for (int i = 0; i < m->nsite; i++) {
            char number[80];
            snprintf(number, sizeof number, "rms_%s", sal_model_name(m, SAL_OBJ_SITE, i));
            const int k = sal_model_find(m, SAL_OBJ_NUMERIC, number);
            nrms += k >= 0 && m->numeric_data[m->numeric_adr[k]] < .02;
        }
        CHECK(nrms == m->nsite);
    }
    sal_model_free(m);
    sal_text_clear(&model);
    sal_text_clear(&notes);
    sal_diag_clear(&diag);
}

enum { HEIGHTS = 2 * PPL_TOE_OUT };

/* Of two recordings, of which the one is raised by a, the other by b, m: the heights of the pads
 * of the feet in the model, and what is said. */
static void soles_of(double height[HEIGHTS], sal_text *notes, double a, double b)
{
    static const double ankle = .907; /* soles of a usual foot come to 0 */
    char one[1200], two[1200];
    sal_text model = {0};
    sal_diag diag = {0};
    sal_err err = {0};
    sal_model *m = NULL;
    tall = ankle + a;
    record("one.trc", 20);
    tall = ankle + b;
    record("two.trc", 12);
    tall = 1;
    snprintf(one, sizeof one, "%s", files_path("one.trc"));
    snprintf(two, sizeof two, "%s", files_path("two.trc"));
    const char *const trials[] = {one};
    const sal_person_request request = {.trial = trials, .ntrial = 1, .standing = two, .mass = 70};
    CHECK_OK(sal_person_model(&model, notes, &request, &diag, &err), err);
    CHECK_OK(sal_model_parse(&m, "p", model.data, model.length, NULL, &diag, &err), err);
    for (int i = 0; i < HEIGHTS && m != NULL; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s_%s", i < PPL_TOE_OUT ? "right" : "left",
                 ppl_pad_name((ppl_pad)(i % PPL_TOE_OUT)));
        height[i] = m->geom_pos[3 * sal_model_find(m, SAL_OBJ_GEOM, name) + 2];
    }
    sal_model_free(m);
    sal_text_clear(&model);
    sal_diag_clear(&diag);
}

/* m: the height of the floor of a recording that is said; 0: none is. */
static double floor_said(const sal_text *notes, const char *file)
{
    char word[32], way[8] = "";
    double height = 0;
    snprintf(word, sizeof word, "%s' is about ", file);
    const char *at = notes->data == NULL ? NULL : strstr(notes->data, word);
    if (at != NULL) {
        CHECK(sscanf(at + strlen(word), "%lf mm %7s its height 0", &height, way) == 2);
    }
    return 1e-3 * (strcmp(way, "under") == 0 ? -height : height);
}

/* The model of a person does not depend on where the laboratory has height 0. */
static void the_floor_is_found_in_each_recording(void)
{
    static const double raised[][2] = {{0, 0},   {.2, 0},  {0, -.2}, {.04, 0},
                                       {.2, .2}, {-1, -1}, {1, .2}};
    double usual[HEIGHTS] = {0}, height[HEIGHTS] = {0};
    for (size_t i = 0; i < sizeof raised / sizeof raised[0]; i++) {
        sal_text notes = {0};
        double most = 0;
        soles_of(i == 0 ? usual : height, &notes, raised[i][0], raised[i][1]);
        for (int k = 0; k < HEIGHTS && i > 0; k++) {
            most = fmax(most, fabs(height[k] - usual[k]));
        }
        const double one = floor_said(&notes, "one.trc"), two = floor_said(&notes, "two.trc");
        printf("     %5.2f %5.2f: %.3f %.3f m, %.1f mm\n", raised[i][0], raised[i][1], one, two,
               1e3 * most);
        CHECK(most < .003);
        CHECK_NEAR(one, raised[i][0], .003);
        CHECK_NEAR(two, raised[i][1], .003);
        sal_text_clear(&notes);
    }
}

/* A sprinter in a real laboratory's file: markers that are lost at exactly 0 0 0, that jump, and
 * that have no name. 25 mm is what a segment that bends, whose skin slides, may take the markers
 * from where they are on rigid ones; markers that are misunderstood are a decimetre off. */
static void a_sprinter_of_another_laboratory(void)
{
    const char *trial = check_corpus("data/people/sprint.c3d");
    if (trial == NULL) {
        SKIP("the corpus is not there");
    }
    sal_text model = {0}, notes = {0};
    sal_diag diag = {0};
    sal_err err = {0};
    int nmarker = 0;
    double rms = 1e3;
    CHECK_OK(model_of(&model, &notes, trial, NULL, &diag, &err), err);
    const char *at = notes.data == NULL ? NULL : strstr(notes.data, "markers in");
    while (at != NULL && at > notes.data && at[-1] != '\n') {
        at--;
    }
    CHECK(at != NULL && sscanf(at, "%d markers in 60 frames: %lf mm rms", &nmarker, &rms) == 2);
    printf("     %d markers, %.1f mm rms\n", nmarker, rms);
    CHECK(nmarker == 48 && rms < 25);
    CHECK(notes.data != NULL && strstr(notes.data, "left out: P1 P2 P3 *52 *53\n") != NULL);
    CHECK(notes.data != NULL && strstr(notes.data, "from where it should be") == NULL);
    sal_text_clear(&model);
    sal_text_clear(&notes);
    sal_diag_clear(&diag);
}

/* The laboratory's own names, in a table. */
static void a_table_says_what_markers_are(void)
{
    static const char good[] = "marker,is\nWand,left_foot\nRASI,RPSI\n",
                      bad[] = "marker,is\nWand,elbow grease\nRASI\n";
    sal_text model = {0}, notes = {0};
    sal_diag diag = {0};
    sal_err err = {0};
    record("walk.trc", 4);
    files_write("names.csv", good, strlen(good));
    CHECK_OK(model_of(&model, &notes, files_path("walk.trc"), files_path("names.csv"), &diag, &err),
             err);
    CHECK(model.data != NULL && strstr(model.data, "<site name=\"Wand\"") != NULL);
    CHECK(notes.data != NULL && strstr(notes.data, "not known") == NULL);
    sal_text_clear(&model);
    sal_text_clear(&notes);
    model = notes = (sal_text){0};
    files_write("names.csv", bad, strlen(bad));
    CHECK(model_of(&model, &notes, files_path("walk.trc"), files_path("names.csv"), &diag, &err) ==
          SAL_BADINPUT);
    CHECK(diag.nerror == 2 &&
          strstr(diag.text.data, "nothing is known as 'elbow grease'") != NULL &&
          strstr(diag.text.data, "the number of its columns is 1") != NULL);
    sal_text_clear(&model);
    sal_text_clear(&notes);
    sal_diag_clear(&diag);
}

static double timestep; /* s, asked for; 0: none */

/* The problem in which the person of walk.trc follows it; it can be read. */
static void draft(sal_text *problem, sal_text *said, const char *names)
{
    sal_text model = {0}, notes = {0};
    sal_diag diag = {0};
    sal_err err = {0};
    sal_model *m = NULL;
    sal_problem *p = NULL;
    const char *trial = files_path("walk.trc");
    const sal_follow_request request = {
        .rate = NAN, .timestep = timestep, .clip_name = "walk.trc", .model_name = "person.xml"};
    CHECK_OK(model_of(&model, &notes, trial, names, &diag, &err), err);
    files_write("person.xml", model.data, model.length);
    CHECK_OK(sal_model_load(&m, files_path("person.xml"), NULL, &diag, &err), err);
    CHECK_OK(
        sal_follow_markers(problem, said, NULL, m, files_path("walk.trc"), &request, &diag, &err),
        err);
    files_write("p.xml", problem->data, problem->length);
    CHECK_OK(sal_problem_read(&p, files_path("p.xml"), NULL, &diag, &err), err);
    sal_problem_free(p);
    sal_model_free(m);
    sal_text_clear(&model);
    sal_text_clear(&notes);
    sal_diag_clear(&diag);
}

/* The head is kept upright where no marker shows it; where one does, that is followed. */
static void a_head_without_markers_is_upright(void)
{
    static const char seen[] = "marker,is\nWand,head\n";
    record("walk.trc", 40);
    files_write("names.csv", seen, strlen(seen));
    for (int shown = 0; shown < 2; shown++) {
        sal_text problem = {0};
        draft(&problem, NULL, shown ? files_path("names.csv") : NULL);
        const char *term = strstr(problem.data, "sensor=\"head_up\" target=\"0 0 1\"");
        CHECK(shown ? term == NULL : term != NULL);
        CHECK(strstr(problem.data, "name=\"rest\"") == NULL); /* all else is seen */
        CHECK(strstr(problem.data, "torso_up") == NULL);
        sal_text_clear(&problem);
    }
}

/* Without markers on trunk and arms the arms hang; the trunk is upright, or leans as the pelvis
 * does where that rises and sinks by more than in walking. */
static void parts_without_markers_rest(void)
{
    static const struct {
        double sinks;
        const char *trunk, *rest, *note;
    } rows[] = {{.03, "<term name=\"torso\" sensor=\"torso_up\" target=\"0 0 1\" sigma=\"0.02\"/>",
                 "sigma=\"0.05\" joint=\"abdomen_z right_shoulder_y", "it is kept upright"},
                {.4, "name=\"head\"",
                 "sigma=\"0.05\" joint=\"abdomen_y abdomen_x abdomen_z right_shoulder_y",
                 "it leans as the pelvis does"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        sal_text problem = {0}, said = {0};
        sinks = rows[i].sinks;
        record_as("walk.trc", 40, of_the_legs, "mm");
        draft(&problem, &said, NULL);
        CHECK(strstr(problem.data, rows[i].trunk) != NULL);
        CHECK(strstr(problem.data, rows[i].rest) != NULL);
        CHECK(said.data != NULL && strstr(said.data, rows[i].note) != NULL);
        const char *rest = strstr(problem.data, "<term name=\"rest\"");
        const char *leg = rest == NULL ? NULL : strstr(rest, "_knee"),
                   *smooth = rest == NULL ? NULL : strstr(rest, "<term name=\"smooth\"");
        CHECK(smooth != NULL && (leg == NULL || leg > smooth)); /* legs are seen */
        sal_text_clear(&problem);
        sal_text_clear(&said);
    }
    sinks = 0;
}

/* 0.39 s of recording */
static void time_steps_are_as_asked(void)
{
    static const struct {
        double timestep;
        const char *time;
    } rows[] = {{0, "nstep=\"39\" duration=\"0.39\""}, {.02, "nstep=\"19\" duration=\"0.38\""}};
    record("walk.trc", 40);
    for (int i = 0; i < 2; i++) {
        sal_text problem = {0}, said = {0};
        timestep = rows[i].timestep;
        draft(&problem, &said, NULL);
        CHECK(strstr(problem.data, rows[i].time) != NULL);
        CHECK((strstr(said.data, "a time step of 20 ms") != NULL) == (i == 1));
        sal_text_clear(&problem);
        sal_text_clear(&said);
    }
    timestep = 0;
}

/* The settings are for walking; a run is said, and what comes of it must be near the floor. */
static void one_who_runs_is_said(void)
{
    static const double paces[] = {.02, .03};
    for (int i = 0; i < 2; i++) {
        sal_text problem = {0}, said = {0};
        pace = paces[i];
        record("walk.trc", 40);
        draft(&problem, &said, NULL);
        CHECK((strstr(said.data, "the person moves at 3 m/s") != NULL) == (i == 1));
        CHECK(strstr(problem.data, "<require penetration=\"0.08\" slip=\"0.3\"/>") != NULL);
        sal_text_clear(&problem);
        sal_text_clear(&said);
    }
    pace = .02;
}

/* Too few markers, or none, or another file. */
static void what_is_no_person_is_refused(void)
{
    static const char table[] = "time,x\n0,1\n1,2\n",
                      few[] = "1\t1\t1\t2\tm\t1\t1\t1\nFrame#\tTime\tRASI\t\t\tLASI\t\t\n\t\tX1\tY1"
                              "\tZ1\tX2\tY2\tZ2\n\n1\t0\t0\t1\t0\t0\t1\t.3\n";
    char text[600];
    sal_text model = {0}, notes = {0};
    sal_diag diag = {0};
    sal_err err = {0};
    files_write("table.csv", table, strlen(table));
    CHECK(model_of(&model, &notes, files_path("table.csv"), NULL, &diag, &err) == SAL_BADINPUT);
    CHECK(strstr(err.message, "has no markers") != NULL);
    snprintf(text, sizeof text, "%s%s", trc_head, few);
    files_write("few.trc", text, strlen(text));
    CHECK(model_of(&model, &notes, files_path("few.trc"), NULL, &diag, &err) == SAL_BADINPUT);
    CHECK(strstr(err.message, "at least 3 and 6 are needed") != NULL);
    CHECK(model.length == 0);
    sal_text_clear(&model);
    sal_text_clear(&notes);
    sal_diag_clear(&diag);
}

/* The model would fit such markers as well: a person who walks backward. */
static void a_mirror_image_is_refused(void)
{
    sal_text model = {0}, notes = {0}, draft = {0};
    sal_diag diag = {0};
    sal_err err = {0};
    sal_model *m = NULL;
    record_as("mirrored.trc", 12, exchanged, "mm");
    CHECK(model_of(&model, &notes, files_path("mirrored.trc"), NULL, &diag, &err) == SAL_BADINPUT);
    CHECK(strstr(err.message, "in 12 of 12 frames the markers of pelvis and trunk are the mirror "
                              "image of a person's") != NULL);
    record("walk.trc", 12);
    CHECK_OK(model_of(&model, &notes, files_path("walk.trc"), NULL, &diag, &err), err);
    CHECK_OK(sal_model_parse(&m, "p", model.data, model.length, NULL, &diag, &err), err);
    const sal_follow_request request = {.rate = NAN, .clip_name = "c.trc", .model_name = "p.xml"};
    const char *right = files_path("walk.trc");
    CHECK_OK(sal_follow_markers(&draft, NULL, NULL, m, right, &request, &diag, &err), err);
    CHECK(sal_follow_markers(&draft, NULL, NULL, m, files_path("mirrored.trc"), &request, &diag,
                             &err) == SAL_BADINPUT);
    CHECK(strstr(err.message, "are the mirror image of the model's") != NULL);
    sal_model_free(m);
    sal_text_clear(&model);
    sal_text_clear(&notes);
    sal_text_clear(&draft);
    sal_diag_clear(&diag);
}

/* A person a thousand times too small, whom the model would fit as well */
static void a_wrong_unit_is_refused(void)
{
    static const char *const units[] = {"m", "cm"};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        sal_text model = {0}, notes = {0};
        sal_diag diag = {0};
        sal_err err = {0};
        char help[80];
        snprintf(help, sizeof help, "in mm: say so where the file says %s", units[i]);
        record_as("unit.trc", 12, as_worn, units[i]);
        CHECK(model_of(&model, &notes, files_path("unit.trc"), NULL, &diag, &err) == SAL_BADINPUT);
        CHECK(strstr(err.message, "of their middle") != NULL);
        CHECK(diag.nerror == 1 && strstr(diag.text.data, help) != NULL);
        sal_text_clear(&model);
        sal_text_clear(&notes);
        sal_diag_clear(&diag);
    }
}

#ifdef SANITIZED
enum { EVERY = 41 };
#else
enum { EVERY = 7 };
#endif

static void memory_runs_out(void)
{
    int n = 0;
    record("walk.trc", 2);
    static const char names[] = "marker,is\nWand,left_foot\n";
    files_write("names.csv", names, strlen(names));
    for (bool all = false; !all && n < 100000; n += EVERY) {
        sal_text model = {0}, notes = {0};
        sal_diag diag = {0};
        sal_err err = {0};
        memory_fails_at(n + 1);
        const sal_status status =
            model_of(&model, &notes, files_path("walk.trc"), files_path("names.csv"), &diag, &err);
        all = memory_was_enough(n + 1);
        if (status != SAL_OK && status != SAL_NOMEM) {
            check_case_faults++;
            printf("allocation %d: %s\n", n + 1, err.message);
        }
        sal_text_clear(&model);
        sal_text_clear(&notes);
        sal_diag_clear(&diag);
    }
    printf("     %d allocations\n", n);
    CHECK(n > 100);
}

int main(void)
{
    RUN(names_of_the_usual_sets_are_known);
    RUN(keypoints_of_a_video_are_joint_centres);
    RUN(lengths_and_mass_come_out);
    RUN(the_floor_is_found_in_each_recording);
    RUN(a_sprinter_of_another_laboratory);
    RUN(a_table_says_what_markers_are);
    RUN(a_head_without_markers_is_upright);
    RUN(parts_without_markers_rest);
    RUN(time_steps_are_as_asked);
    RUN(one_who_runs_is_said);
    RUN(what_is_no_person_is_refused);
    RUN(a_mirror_image_is_refused);
    RUN(a_wrong_unit_is_refused);
    RUN(memory_runs_out);
    return check_done();
}
