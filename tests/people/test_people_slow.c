/* People whom others recorded, with force plates: from markers and the mass of the body alone a
 * model is made, and a motion found that follows the markers and obeys physics. Then it is held
 * against the plates, which neither has seen. */
#include "people/people.h"
#include "tests/check.h"
#include "tests/people/plates.h"
#include "tests/problems/problem_files.h"

#include "mjcf/mjcf.h"

#include <math.h>
#include <string.h>

/* What is asked for, and which of it holds. Vertical force: correlation .95, error 12 % of the
 * weight over stance (FAST, a squat or a jump: 20 %); fore-aft correlation .85; centre of pressure
 * 25 mm; contact within 30 ms; moments 25 %. */
enum { VERTICAL = 1, FAST = 2, FORE_AFT = 4, PRESSURE = 8, CONTACT = 16, SHAPE = 32, MOMENTS = 64 };

typedef struct trial {
    const char *name, *markers, *standing, *plates;
    /* kg: mean vertical force of the plates over a whole stride, or over the trial, by 9.81 */
    double mass;
    /* s: the motion; what the plates saw of both feet */
    double from, to, first, last;
    /* of the right foot, of the left one */
    int holds[2];
} trial;

#define A "data/people/subject_a/"
#define B "data/people/subject_b/"
#define G "data/gait/walk_3d_apache/"

static const trial trials[] = {
    {"a walks",
     A "walking1.trc",
     A "static1.trc",
     A "walking1_grf.mot",
     63.5,
     0,
     1.3,
     .12,
     1.25,
     {VERTICAL | SHAPE | FORE_AFT, SHAPE | FORE_AFT | PRESSURE | CONTACT}},
    {"a walks with toes out",
     A "walkingTO1.trc",
     A "static1.trc",
     A "walkingTO1_grf.mot",
     63.6,
     0,
     1.38,
     .18,
     1.33,
     {VERTICAL | SHAPE | FORE_AFT | CONTACT | MOMENTS,
      VERTICAL | SHAPE | FORE_AFT | CONTACT | MOMENTS}},
    {"b walks",
     B "walking2.trc",
     NULL,
     B "walking2_grf.mot",
     94.4,
     0,
     1.35,
     .12,
     1.3,
     {VERTICAL | SHAPE | FORE_AFT | CONTACT, VERTICAL | SHAPE | FORE_AFT | PRESSURE | CONTACT}},
    {"another man walks",
     G "markers_walk.trc",
     NULL,
     G "grf_walk.mot",
     84.95,
     .4,
     1.9,
     .45,
     1.8,
     {VERTICAL | SHAPE | FORE_AFT | PRESSURE | MOMENTS,
      VERTICAL | SHAPE | FORE_AFT | PRESSURE | MOMENTS}},
    {"a squats",
     A "squats1.trc",
     A "static1.trc",
     A "squats1_grf.mot",
     60.09,
     0,
     6,
     .1,
     5.9,
     {FAST, FAST}},
    {"a jumps from a box",
     A "DJ1.trc",
     A "static1.trc",
     A "DJ1_grf.mot",
     60.03,
     1.2,
     2.68,
     1.3,
     2.6,
     {0, CONTACT}},
};

static bool make_person(const trial *t)
{
    const char *markers[1], *standing = NULL;
    char path[2][1024];
    sal_text model = {0}, notes = {0};
    sal_diag diag = {0};
    sal_err err = {0};
    snprintf(path[0], sizeof path[0], "%s", check_corpus(t->markers));
    if (t->standing != NULL) {
        snprintf(path[1], sizeof path[1], "%s", check_corpus(t->standing));
        standing = path[1];
    }
    markers[0] = path[0];
    const sal_person_request request = {
        .trial = markers, .ntrial = 1, .standing = standing, .mass = t->mass};
    const sal_status status = sal_person_model(&model, &notes, &request, &diag, &err);
    CHECK_OK(status, err);
    printf("  %.*s\n", notes.data == NULL ? 0 : (int)strcspn(notes.data, "\n"),
           notes.data == NULL ? "" : notes.data);
    if (status == SAL_OK) {
        files_write("person.xml", model.data, model.length);
    }
    sal_text_clear(&model);
    sal_text_clear(&notes);
    sal_diag_clear(&diag);
    return status == SAL_OK;
}

/* The problem that docs/people.md shows. */
static void write_problem(const trial *t, const sig_signals *markers)
{
    sal_text text = {0};
    sal_model *m = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    const double length = t->to - t->from;
    CHECK_OK(sal_model_load(&m, files_path("person.xml"), NULL, &diag, &err), err);
    sal_text_format(&text,
                    "<problem name='follow'><model file='person.xml'/>"
                    "<data file='%s' up='y' gap='10' from='%g'>",
                    check_corpus(t->markers), t->from);
    for (int i = 0; i < markers->nmarker && m != NULL; i++) {
        const char *name = markers->marker[i];
        if (sal_model_find(m, SAL_OBJ_SITE, name) >= 0) {
            sal_text_format(&text, "<channel name='%s' site='%s' columns='%s' sigma='.01'/>", name,
                            name, name);
        }
    }
    sal_text_format(&text,
                    "</data><time nstep='%d' duration='%g'/><boundary type='open'/><cost>"
                    "<term name='markers' data='all'/><term name='effort' ctrl='all' weight='1'/>"
                    "<term name='smooth' com='all' of='acc' sigma='2'/>"
                    "<term name='calm' joint='all' of='acc' sigma='50'/></cost>"
                    "<init data='all' key='stand'/>"
                    "<solver softness='0.7' increments='30' cap='0.1'>"
                    "<smoothing width='.05 .024' dmax='.8 .97' impratio='1 2'/></solver></problem>",
                    (int)lround(100 * length), length);
    files_write("p.xml", text.data, text.length);
    sal_text_clear(&text);
    sal_model_free(m);
    sal_diag_clear(&diag);
}

static sal_result *follow(void)
{
    sal_problem *p = NULL;
    sal_result *r = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    CHECK_OK(sal_problem_read(&p, files_path("p.xml"), NULL, &diag, &err), err);
    if (p != NULL) {
        CHECK_OK(sal_problem_solve(&r, p, 2, NULL, &err), err);
    }
    sal_problem_free(p);
    sal_diag_clear(&diag);
    return r;
}

static void check_foot(const plates_foot *foot, int holds, const char *side)
{
    static const char *const joint[] = {"hip", "knee", "ankle"};
    printf("  %-5s vertical %.3f, %.1f %%; fore-aft %.3f; pressure %.1f mm; contact %.0f ms (%d)\n",
           side, foot->correlation, 100 * foot->rms, foot->fore_aft, 1e3 * foot->pressure,
           1e3 * foot->contact, foot->ncontact);
    for (int j = 0; j < PLATES_NJOINT; j++) {
        printf("        %-5s %6.1f N m, with the plates' forces %6.1f\n", joint[j], foot->moment[j],
               foot->measured[j]);
        CHECK(!(holds & MOMENTS) || fabs(foot->moment[j] / foot->measured[j] - 1) <= .25);
    }
    CHECK(!(holds & SHAPE) || foot->correlation >= .95);
    CHECK(!(holds & VERTICAL) || foot->rms <= .12);
    CHECK(!(holds & FAST) || foot->rms <= .20);
    CHECK(!(holds & FORE_AFT) || foot->fore_aft >= .85);
    CHECK(!(holds & PRESSURE) || foot->pressure <= .025);
    CHECK(!(holds & CONTACT) || (foot->contact <= .030 && foot->ncontact > 0));
}

static void compare(const trial *t, const sal_result *r, const sig_signals *markers)
{
    sig_signals plates = {0};
    sal_diag diag = {0};
    sal_err err = {0};
    plates_score score = {0};
    const double off = plates_markers(r, markers, t->from, t->first, t->last);
    printf("  markers %.1f mm rms, root force %.1e of the weight\n", 1e3 * off,
           r->relative_to_weight);
    CHECK(r->exit_code == 0 && r->relative_to_weight <= 1e-6);
    CHECK(off <= .025);
    CHECK_OK(sig_read(&plates, check_corpus(t->plates), NULL, &diag, &err), err);
    CHECK(plates_compare(&score, r, &plates, t->from, t->first, t->last));
    check_foot(&score.foot[0], t->holds[0], "right");
    check_foot(&score.foot[1], t->holds[1], "left");
    sig_clear(&plates);
    sal_diag_clear(&diag);
}

static void one(const trial *t)
{
    sig_signals markers = {0};
    sal_diag diag = {0};
    sal_err err = {0};
    if (check_corpus(t->markers) == NULL || check_corpus(t->plates) == NULL) {
        SKIP("the corpus is not there");
    }
    printf("%s\n", t->name);
    CHECK_OK(sig_read(&markers, check_corpus(t->markers), NULL, &diag, &err), err);
    if (make_person(t)) {
        write_problem(t, &markers);
        sal_result *r = follow();
        if (r != NULL) {
            compare(t, r, &markers);
        }
        sal_result_free(r);
    }
    sig_clear(&markers);
    sal_diag_clear(&diag);
}

static void a_walks(void)
{
    one(&trials[0]);
}

static void a_walks_with_toes_out(void)
{
    one(&trials[1]);
}

static void b_walks(void)
{
    one(&trials[2]);
}

static void another_man_walks(void)
{
    one(&trials[3]);
}

static void a_squats(void)
{
    one(&trials[4]);
}

static void a_jumps_from_a_box(void)
{
    one(&trials[5]);
}

int main(void)
{
    RUN(a_walks);
    RUN(a_walks_with_toes_out);
    RUN(b_walks);
    RUN(another_man_walks);
    RUN(a_squats);
    RUN(a_jumps_from_a_box);
    files_remove();
    return check_done();
}
