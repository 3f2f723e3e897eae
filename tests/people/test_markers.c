/* Markers that are not there, are called otherwise, or stand otherwise than they should. */
#include "tests/people/standing_person.h"

/* What `person` says of still.trc; "" where it is refused, and why then is in err. */
static sal_status person_of(sal_text *notes, sal_text *model, sal_diag *diag, sal_err *err)
{
    const char *trial = files_path("still.trc");
    const sal_person_request request = {.trial = &trial, .ntrial = 1, .mass = mass};
    return sal_person_model(model, notes, &request, diag, err);
}

/* The same of `follow`, with person.xml, and the problem */
static sal_status follow(sal_text *notes, sal_text *problem, sal_diag *diag, sal_err *err)
{
    const char *clip = files_path("still.trc");
    const sal_follow_request request = {.rate = NAN, .clip_name = clip, .model_name = "person.xml"};
    return sal_follow_markers(problem, notes, NULL, m, clip, &request, diag, err);
}

static bool says(const sal_text *text, const char *what)
{
    return text->data != NULL && strstr(text->data, what) != NULL;
}

typedef struct told {
    sal_text person, model, follow, problem;
} told;

/* Of a recording that both take */
static told tell(int n)
{
    told all = {0};
    sal_diag diag = {0};
    sal_err err = {0};
    record("still.trc", n, on_the_floor);
    CHECK_OK(person_of(&all.person, &all.model, &diag, &err), err);
    CHECK_OK(follow(&all.follow, &all.problem, &diag, &err), err);
    sal_diag_clear(&diag);
    return all;
}

static void forget(told *all)
{
    sal_text_clear(&all->person);
    sal_text_clear(&all->model);
    sal_text_clear(&all->follow);
    sal_text_clear(&all->problem);
    called = NULL;
    seen = NULL;
    turned = NULL;
}

/* ---- what is not there ---- */

static bool without_a_knee(int marker, int frame)
{
    (void)frame;
    return strcmp(worn[marker], "RMKNEE") != 0;
}

/* A marker whose cells are all empty is left out, by both. */
static void a_marker_that_is_never_seen_is_left_out(void)
{
    told all;
    make_person();
    seen = without_a_knee;
    all = tell(40);
    CHECK(says(&all.person, "in no frame seen, left out: RMKNEE\n"));
    CHECK(!says(&all.model, "RMKNEE"));
    CHECK(says(&all.follow, "27 of 28 markers are sites of the model and are seen"));
    CHECK(says(&all.follow, "left out, for no row of the recording shows them: RMKNEE"));
    CHECK(!says(&all.problem, "site=\"RMKNEE\"") && says(&all.problem, "site=\"LMKNEE\""));
    forget(&all);
    all = tell(40);
    CHECK(!says(&all.person, "left out") && !says(&all.follow, "left out"));
    CHECK(says(&all.follow, "28 of 28 markers are sites of the model\n"));
    forget(&all);
    sal_data_free(d);
    sal_model_free(m);
}

static bool without_the_right_leg(int marker, int frame)
{
    (void)frame;
    ppl_side side;
    return ppl_landmark_of(worn[marker], &side)->segment < PPL_THIGH || side != PPL_RIGHT;
}

static bool without_feet(int marker, int frame)
{
    (void)frame;
    return ppl_landmark_of(worn[marker], &(ppl_side){0})->segment < PPL_FOOT;
}

/* Nothing shows how a leg without markers moves. */
static void legs_without_markers_are_said(void)
{
    told all;
    make_person();
    all = tell(40);
    CHECK(!says(&all.person, "no marker is on") && !says(&all.follow, "no marker is on"));
    forget(&all);
    seen = without_the_right_leg;
    all = tell(40);
    CHECK(says(&all.person, "no marker is on the right thigh, shank, foot: the joints right_hip_y, "
                            "right_hip_x, right_hip_z, right_knee, right_ankle_y, right_ankle_x, "
                            "right_toes are not measured. Do not trust the forces and moments of "
                            "this leg\n"));
    CHECK(says(&all.follow, "no marker is on 'right_foot', 'right_shank', 'right_thigh': the "
                            "joints 'right_hip_y', 'right_hip_x', 'right_hip_z', 'right_knee', "
                            "'right_ankle_y', 'right_ankle_x', 'right_toes' are not measured. Do "
                            "not trust the forces and moments of this leg"));
    CHECK(!says(&all.person, "left_") && !says(&all.follow, "left_"));
    forget(&all);
    seen = without_feet;
    all = tell(40);
    CHECK(says(&all.person, "no marker is on the right foot: the joints right_ankle_y"));
    CHECK(says(&all.person, "no marker is on the left foot: the joints left_ankle_y"));
    CHECK(says(&all.follow, "no marker is on 'right_foot': the joints 'right_ankle_y'"));
    CHECK(says(&all.follow, "no marker is on 'left_foot': the joints 'left_ankle_y'"));
    forget(&all);
    sal_data_free(d);
    sal_model_free(m);
}

/* ---- what stands where it should not ---- */

static const char *other_side;

/* The names of a pair are exchanged. */
static const char *exchanged(int marker)
{
    const bool right = strcmp(worn[marker], other_side) == 0,
               left = strcmp(worn[marker] + 1, other_side + 1) == 0 && worn[marker][0] == 'L';
    return right || left ? worn[marker ^ 1] : worn[marker];
}

static int count_of(const sal_text *text, const char *what)
{
    int n = 0;
    for (const char *at = text->data; at != NULL && (at = strstr(at, what)) != NULL; at++) {
        n++;
    }
    return n;
}

/* Also those whose exchange shorter or longer bones would fit as well. */
static void pairs_with_exchanged_names_are_said(void)
{
    static const char *const pairs[] = {"RASI", "RPSI", "RSHO", "RELB", "RKNE", "RMANK", "RHEE"};
    told all;
    make_person();
    all = tell(12);
    CHECK(!says(&all.person, "exchanged") && !says(&all.person, "the length '"));
    forget(&all);
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        char line[200];
        snprintf(line, sizeof line,
                 "still.trc' %s is on the left side of the person, and L%s on the right: are these "
                 "names exchanged?\n",
                 pairs[i], pairs[i] + 1);
        other_side = pairs[i];
        called = exchanged;
        all = tell(12);
        CHECK(says(&all.person, line) && count_of(&all.person, "exchanged?") == 1);
        CHECK(says(&all.person, "the length 'pelvis' is 0.") == (i == 0));
        CHECK(says(&all.person, "the length 'shoulders' is 0.") == (i == 2));
        forget(&all);
    }
    sal_data_free(d);
    sal_model_free(m);
}

/* ---- names ---- */

static const char *before;

static const char *with_prefix(int marker)
{
    static char name[NWORN][40];
    snprintf(name[marker], sizeof name[marker], "%s%s", before, worn[marker]);
    return name[marker];
}

/* What all names begin with is the person's, not the marker's; what is no name is shown. */
static void a_prefix_of_all_names_is_left_out(void)
{
    static const struct {
        const char *prefix;
        bool known;
    } rows[] = {{"Subj01_", true}, {"Subj01.", true},     {"Subj01:", true},
                {"S1_ab-", true},  {"Bob_walk_1_", true}, {"Zz", false}};
    make_person();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        sal_text notes = {0}, text = {0};
        sal_diag diag = {0};
        sal_err err = {0};
        char site[64];
        before = rows[i].prefix;
        called = with_prefix;
        record("still.trc", 12, on_the_floor);
        CHECK(person_of(&notes, &text, &diag, &err) == (rows[i].known ? SAL_OK : SAL_BADINPUT));
        snprintf(site, sizeof site, "<site name=\"%sRMKNEE\"", rows[i].prefix);
        CHECK(says(&text, site) == rows[i].known);
        CHECK(says(&notes, "not known") != rows[i].known);
        CHECK(rows[i].known || strstr(err.message, "'ZzRASI' is no name that is known") != NULL);
        sal_text_clear(&notes);
        sal_text_clear(&text);
        sal_diag_clear(&diag);
    }
    called = NULL;
    sal_data_free(d);
    sal_model_free(m);
}

/* A static recording, in which the person has another name or none, is of the same markers. */
static void prefixes_of_two_recordings_may_differ(void)
{
    static const char *const names[][2] = {
        {"Bob:", "BobStatic:"}, {"", "Bob_"}, {"Bob_", ""}, {"Bob:", "Bob:"}};
    make_person();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        sal_text notes = {0}, text = {0};
        sal_diag diag = {0};
        sal_err err = {0};
        char walk[1200], site[64];
        called = with_prefix;
        before = names[i][0];
        record("walk.trc", 12, on_the_floor);
        before = names[i][1];
        record("still.trc", 12, on_the_floor);
        snprintf(walk, sizeof walk, "%s", files_path("walk.trc"));
        const char *trial = walk, *standing = files_path("still.trc");
        const sal_person_request request = {
            .trial = &trial, .ntrial = 1, .standing = standing, .mass = mass};
        CHECK_OK(sal_person_model(&text, &notes, &request, &diag, &err), err);
        int n = 0;
        for (const char *at = text.data; at != NULL && (at = strstr(at, "RMKNEE\" pos")) != NULL;
             at++) {
            n++;
        }
        snprintf(site, sizeof site, "<site name=\"%sRMKNEE\"", names[i][0]);
        CHECK(n == 1 && says(&text, site));
        sal_text_clear(&notes);
        sal_text_clear(&text);
        sal_diag_clear(&diag);
    }
    called = NULL;
    sal_data_free(d);
    sal_model_free(m);
}

static void x_is_up(double x[3])
{
    const double y = x[1];
    x[1] = -x[0];
    x[0] = y;
}

static void y_is_down(double x[3])
{
    x[1] = -x[1];
    x[2] = -x[2];
}

static void z_is_up(double x[3])
{
    const double y = x[1];
    x[1] = -x[2];
    x[2] = y;
}

/* Axes that are up and that no problem can say */
static void axes_that_are_up_are_y_or_z(void)
{
    static const struct {
        void (*turned)(double x[3]);
        const char *axis;
    } rows[] = {{x_is_up, "along +x"}, {y_is_down, "along -y"}, {z_is_up, NULL}};
    make_person();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        sal_text notes = {0}, text = {0};
        sal_diag diag = {0};
        sal_err err = {0};
        turned = rows[i].turned;
        record("still.trc", 12, on_the_floor);
        const bool good = rows[i].axis == NULL;
        CHECK(person_of(&notes, &text, &diag, &err) == (good ? SAL_OK : SAL_BADINPUT));
        CHECK(good || (strstr(err.message, rows[i].axis) != NULL &&
                       strstr(err.message, "in which y or z is up: turn the axes") != NULL));
        err.message[0] = 0;
        CHECK(follow(&notes, &text, &diag, &err) == (good ? SAL_OK : SAL_BADINPUT));
        CHECK(good || (strstr(err.message, rows[i].axis) != NULL &&
                       strstr(err.message, "in which y or z is up: turn the axes") != NULL));
        sal_text_clear(&notes);
        sal_text_clear(&text);
        sal_diag_clear(&diag);
    }
    turned = NULL;
    sal_data_free(d);
    sal_model_free(m);
}

int main(void)
{
    RUN(a_marker_that_is_never_seen_is_left_out);
    RUN(legs_without_markers_are_said);
    RUN(pairs_with_exchanged_names_are_said);
    RUN(a_prefix_of_all_names_is_left_out);
    RUN(prefixes_of_two_recordings_may_differ);
    RUN(axes_that_are_up_are_y_or_z);
    return check_done();
}
