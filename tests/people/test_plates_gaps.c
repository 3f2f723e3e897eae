/* Force plates under a person whose markers are lost for a while. */
#include "tests/people/standing_person.h"

static const double pi = 3.14159265358979323846;

/* m: the body goes up and down, 1.5 times a second */
static double bobs(double t)
{
    return .02 * (1 - cos(3 * pi * t));
}

/* What is lost of frames `first` to `last`, of 140. */
static sal_result *bobbing(int first, int last, const char *side, bool rows, sal_text *notes)
{
    sal_result *r = NULL;
    sal_err err = {0};
    lost.first = first, lost.last = last;
    lost.side = side, lost.rows = rows;
    record("bobs.trc", 140, bobs);
    CHECK_OK(invert_clip(&r, notes, "bobs.trc", "", "p.mot", &err), err);
    lost.last = 0;
    return r;
}

/* Without markers the pose goes straight on, and its kinks are no forces. What is left beside such
 * a time is what it is without the gap. */
static void moments_near_a_gap_are_left_out(void)
{
    static const struct {
        const char *side;
        bool rows;
        const char *said;
    } cases[] = {
        {"", false, "from 0.60 to 0.71 s too few markers are seen to tell how 'pelvis' moves"},
        {"", true, "from 0.60 to 0.71 s too few markers are seen to tell how 'pelvis' moves"},
        {"L", false, "from 0.60 to 0.71 s too few markers are seen to tell how 'left_"},
    };
    sal_text none = {0};
    sal_result *whole = bobbing(0, 0, "", false, &none);
    CHECK(none.data != NULL && strstr(none.data, "too few markers") == NULL);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0] && whole != NULL; i++) {
        sal_text notes = {0};
        sal_result *r = bobbing(60, 71, cases[i].side, cases[i].rows, &notes);
        CHECK(r != NULL && r->nstep == whole->nstep);
        for (int t = 0; r != NULL && t < r->nstep; t++) {
            CHECK(is_known(r, t) == (is_known(whole, t) && (t < 48 || t > 83)));
        }
        CHECK(r != NULL && difference(r, whole) < 1); /* N m, of some 100 */
        CHECK(notes.data != NULL && strstr(notes.data, cases[i].said) != NULL);
        CHECK(notes.data != NULL && strstr(notes.data, "0.48 to 0.83 s are left out\n") != NULL);
        sal_text_clear(&notes);
        sal_result_free(r);
    }
    sal_text_clear(&none);
    sal_result_free(whole);
}

/* What is missing for at most .1 s is interpolated, with the acceleration that it had. */
static void a_short_gap_matters_little(void)
{
    static const int last[] = {61, 67};
    sal_text notes = {0};
    sal_result *whole = bobbing(0, 0, "", false, &notes);
    for (size_t i = 0; i < 2; i++) {
        sal_result *r = bobbing(60, last[i], "", false, &notes);
        CHECK(whole != NULL && r != NULL && is_known(r, 60) && difference(r, whole) < 1);
        sal_result_free(r);
    }
    CHECK(notes.data != NULL && strstr(notes.data, "too few markers") == NULL);
    sal_text_clear(&notes);
    sal_result_free(whole);
}

/* Rows that are not there last as long as their times say, and are a gap of the problem. */
static void missing_rows_are_a_gap(void)
{
    static const struct {
        int first, last;
        const char *gap, *said;
    } cases[] = {{60, 67, " gap=\"0.09\"", NULL},
                 {60, 71, " gap=\"0.13\"", "all markers are missing for 0.13 s, from 0.59 s on"},
                 {0, 0, NULL, NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char path[1200];
        sal_text problem = {0}, notes = {0};
        sal_diag diag = {0};
        sal_err err = {0};
        const sal_follow_request request = {
            .rate = NAN, .clip_name = "b.trc", .model_name = "m.xml"};
        lost.first = cases[i].first, lost.last = cases[i].last, lost.rows = true;
        record("rows.trc", 140, bobs);
        lost.last = 0;
        snprintf(path, sizeof path, "%s", files_path("rows.trc"));
        CHECK_OK(sal_follow_markers(&problem, &notes, NULL, m, path, &request, &diag, &err), err);
        const char *text = problem.data == NULL ? "" : problem.data;
        CHECK(strstr(text, "<time nstep=\"139\" duration=\"1.39\"/>") != NULL);
        CHECK((strstr(text, " gap=") != NULL) == (cases[i].gap != NULL));
        CHECK(cases[i].gap == NULL || strstr(text, cases[i].gap) != NULL);
        const char *said = notes.data == NULL ? "" : notes.data;
        CHECK((strstr(said, "are missing") != NULL) == (cases[i].said != NULL));
        CHECK(cases[i].said == NULL || strstr(said, cases[i].said) != NULL);
        sal_text_clear(&problem);
        sal_text_clear(&notes);
        sal_diag_clear(&diag);
    }
}

/* Behind the last row of the plates nothing is known, and the low-pass has no step there. */
static void plates_may_end_before_the_markers(void)
{
    sal_text notes = {0};
    sal_err err = {0};
    sal_result *r = NULL;
    record("long.trc", 180, bobs); /* the plates have 140 rows, to 1.39 s */
    CHECK_OK(invert_clip(&r, &notes, "long.trc", "", "p.mot", &err), err);
    CHECK(r != NULL && is_known(r, 130) && !is_known(r, 133) && !is_known(r, 150));
    for (int t = 100; r != NULL && t <= 130; t++) { /* N: as much is left as the body bobs */
        CHECK(fabs(r->qfrc_inverse[t * m->nv + 2]) < mass * .02 * 9 * pi * pi + 2);
    }
    CHECK(notes.data != NULL && strstr(notes.data, "the file of the plates has 0.00 to 1.39 s, the "
                                                   "markers are from 0.00 to 1.79 s") != NULL);
    sal_text_clear(&notes);
    sal_result_free(r);
}

int main(void)
{
    make_person();
    const double N[2] = {.4 * mass * gravity, .6 * mass * gravity};
    const double y = d->xpos[3 * sal_model_find(m, SAL_OBJ_BODY, "right_foot") + 1];
    write_plates("p.mot", N, (double[2]){.05, .02}, (double[2]){y, -y});
    RUN(moments_near_a_gap_are_left_out);
    RUN(a_short_gap_matters_little);
    RUN(missing_rows_are_a_gap);
    RUN(plates_may_end_before_the_markers);
    sal_data_free(d);
    sal_model_free(m);
    files_remove();
    return check_done();
}
