/* Mirrored cycles of models whose left and right differ a little: the half that is solved first,
 * what becomes of its terms in the second half, and the whole cycle in the model as it is. */
#include "tests/problems/problem_files.h"
#include "tests/problems/solve_file.h"

#include "guide/guide.h"
#include "problems/problem.h"
#include "problems/result/result.h"
#include "runs/runs.h"

#include <math.h>

static void write_text(const char *name, const char *text)
{
    files_write(name, text, strlen(text));
}

/* ---- a walker of which one leg is 3 % heavier ---- */

static const sal_setting heavier[] = {
    {"inertial[#1]/mass", "10.209"}, {"inertial[#2]/mass", "3.122"}, {"inertial[#3]/mass", ".988"}};

static const sal_finding *finding(const sal_result *r, const char *kind)
{
    for (int i = 0; i < r->nfinding; i++) {
        if (strcmp(r->finding[i].kind, kind) == 0) {
            return r->finding + i;
        }
    }
    return NULL;
}

/* Physical, the speed as asked, and stepped forward in the model as it is the same motion comes
 * out. */
static void check_whole(const sal_result *r, double speed)
{
    sal_replay replay = {0};
    sal_err err = {0};
    CHECK(sal_result_exit_code(r) == 0 && sal_result_as_asked(r) == 1);
    CHECK(!r->image->mirrored);
    CHECK(finding(r, "corrected") != NULL && finding(r, "corrected")->value > 0);
    CHECK_NEAR(prb_result_length(r), speed * r->nstep * r->timestep, 1e-9);
    CHECK_OK(sal_result_replay(&replay, r, false, &err), err);
    CHECK(replay.onestep_qpos < 1e-9 && replay.onestep_qvel < 1e-6);
    sal_replay_clear(&replay);
}

static void the_whole_cycle_is_of_the_model_as_it_is(void)
{
    const sal_problem_options options = {.setting = heavier, .nsetting = 3};
    sal_result *r = solve_file("examples/walker_walk.xml", &options);
    sal_result *even = solve_file("examples/walker_walk.xml", NULL);
    if (r == NULL || even == NULL) {
        sal_result_free(r);
        sal_result_free(even);
        return;
    }
    check_whole(r, 1.2);
    CHECK(r->nstep == 40 && even->nstep == 20);
    CHECK_NEAR(r->timestep, even->timestep, 1e-15);
    CHECK_NEAR(r->model->body_mass[sal_model_find(r->model, SAL_OBJ_BODY, "left_foot")], 0.988, 0);
    /* masses differ by 3 %, so the cost, that of half a cycle, does not by much more */
    CHECK(fabs(r->cost / even->cost - 1) < 0.1);
    CHECK(finding(even, "corrected") == NULL);
    /* of a motion that is its own image nothing would differ */
    double most = 0;
    const int nu = r->model->nu, N = even->nstep;
    for (int t = 0; t < N; t++) {
        for (int i = 0; i < nu; i++) {
            const double other = r->ctrl[(t + N) * nu + (i + nu / 2) % nu];
            most = fmax(most, fabs(r->ctrl[t * nu + i] - other));
        }
    }
    CHECK(most > 1e-4);
    sal_result_free(r);
    sal_result_free(even);
}

/* ---- what terms become ---- */

static sal_problem *read_cycle(const char *tolerance, const char *rest, const char *terms,
                               sal_diag *diag)
{
    char text[3000];
    sal_problem *p = NULL;
    sal_err err = {0};
    write_text("m.xml", files_model);
    snprintf(
        text, sizeof text,
        "<problem name='test'><model file='m.xml'/>"
        "<override path='joint[left_hip]/damping' value='1.03'/>"
        "<override path='joint[right_hip]/damping' value='1'/>"
        "<time nstep='10' duration='.5'/><boundary type='cycle' mirror='left_ right_' "
        "mirrortol='%s'><travel joint='rootx' speed='1'/></boundary><cost>%s</cost>%s</problem>",
        tolerance, terms, rest);
    write_text("p.xml", text);
    sal_problem_read(&p, files_path("p.xml"), NULL, diag, &err);
    return p;
}

static sal_problem *read_terms(const char *tolerance, const char *terms)
{
    sal_diag diag = {0};
    sal_problem *p = read_cycle(tolerance, "", terms, &diag);
    CHECK(p != NULL);
    sal_diag_clear(&diag);
    return p;
}

static const prb_term *term(const sal_problem *p, const char *name)
{
    for (int i = 0; i < p->nterm; i++) {
        if (strcmp(p->term[i].feature.name, name) == 0) {
            return p->term + i;
        }
    }
    CHECK_TEXT("no term", name);
    return p->term;
}

static int joint(const sal_problem *p, const char *name)
{
    return sal_model_find(p->model, SAL_OBJ_JOINT, name);
}

static void time_and_travel_are_doubled(void)
{
    sal_problem *p = read_terms(".05", "<term name='effort' ctrl='all'/>");
    if (p == NULL) {
        return;
    }
    CHECK(p->half != NULL && p->nstep == 20 && p->half->nstep == 10);
    CHECK_NEAR(p->duration, 1, 1e-15);
    CHECK_NEAR(p->half->duration, 0.5, 1e-15);
    CHECK(!p->image->mirrored && p->half->image->mirrored);
    CHECK_NEAR(p->asymmetry.most, 0.03 / 1.03, 1e-12);
    CHECK(p->model->dof_damping[joint(p, "left_hip")] !=
          p->half->model->dof_damping[joint(p, "left_hip")]);
    sal_problem_free(p);
}

/* What names both sides alike counts all along; what does not is mirrored half a cycle later. */
static void terms_of_one_side_are_mirrored(void)
{
    sal_problem *p = read_terms(
        ".05",
        "<term name='effort' ctrl='all' weight='3'/>"
        "<term name='slip' slip='left_foot- right_foot-' weight='4'/>"
        "<term name='per' ctrl='all' per='motion' weight='8'/>"
        "<term name='lift' height='left_foot+' steps='2 7' target='.3' weight='5'/>"
        "<term name='swing' joint='left_hip' steps='9' of='vel' target='.7'/>"
        "<term name='place' position='right_leg' component='x y' target='.1 .2' steps='4'/>");
    if (p == NULL) {
        return;
    }
    CHECK(p->nterm == 9);
    CHECK(term(p, "effort")->weight == 3 && term(p, "effort")->feature.nstep == 0);
    CHECK(term(p, "slip")->weight == 4 && term(p, "per")->weight == 4);
    const prb_term *lift = term(p, "lift"), *lift2 = term(p, "lift, 2nd half");
    CHECK(lift->weight == 2.5 && lift2->weight == 2.5);
    CHECK(lift->feature.step[0] == 2 && lift->feature.step[1] == 7);
    CHECK(lift2->feature.step[0] == 12 && lift2->feature.step[1] == 17);
    CHECK(lift2->feature.target[0] == 0.3);
    CHECK_TEXT(p->point_name[lift2->feature.object[0]], "left_foot+ mirrored");
    CHECK(p->point[lift2->feature.object[0]].body ==
          sal_model_find(p->model, SAL_OBJ_BODY, "right_leg"));
    const prb_term *swing2 = term(p, "swing, 2nd half");
    CHECK(swing2->feature.object[0] == joint(p, "right_hip"));
    CHECK(swing2->feature.step[0] == 19 && swing2->feature.target[0] == 0.7);
    const prb_term *place2 = term(p, "place, 2nd half"); /* half a metre on, on the other side */
    CHECK_NEAR(place2->feature.target[0], 0.6, 1e-15);
    CHECK_NEAR(place2->feature.target[1], -0.2, 1e-15);
    sal_problem_free(p);
}

static const char recorded[] =
    "<data file='nose.csv' up='z'><channel name='nose' site='nose' columns='x y z' sigma='.01'/>"
    "</data>";

static void write_nose(void)
{
    sal_text text = {0};
    sal_text_add(&text, "time,x,y,z\n");
    for (int k = 0; k <= 60; k++) {
        sal_text_format(&text, "%g,%g,.03,1.2\n", .02 * k, .1 + .02 * k);
    }
    files_write("nose.csv", text.data, text.length);
    sal_text_clear(&text);
}

/* Half a cycle later what was recorded is farther, and on the other side; over a higher floor it is
 * higher in both halves. */
static void a_recording_is_mirrored(void)
{
    sal_diag diag = {0};
    write_nose();
    sal_problem *p = read_cycle(".05", recorded,
                                "<term name='effort' ctrl='all'/><term name='follow' data='all'/>"
                                "<term name='floor' floor='height' sigma='.01'/>",
                                &diag);
    CHECK(p != NULL);
    if (p != NULL) {
        const prb_feature *half = &term(p, "follow:nose")->feature,
                          *later = &term(p, "follow:nose, 2nd half")->feature;
        CHECK(half->fall != later->fall && half->fall[2] == 1 && later->fall[2] == 1);
        CHECK_NEAR(half->target[3 * 4 + 1], .03, 1e-12);
        CHECK_NEAR(later->target[3 * 14 + 1], -.03, 1e-12);
        CHECK_NEAR(later->target[3 * 14] - half->target[3 * 4], .5, 1e-12);
    }
    sal_problem_free(p);
    sal_diag_clear(&diag);
}

/* A floor that slopes to the left would slope to the right half a cycle later. */
static void a_slope_cannot_be_mirrored(void)
{
    sal_diag diag = {0};
    write_nose();
    sal_problem *p = read_cycle(".05", recorded,
                                "<term name='follow' data='all'/>"
                                "<term name='floor' floor='slope' sigma='.01'/>",
                                &diag);
    CHECK(p == NULL && strstr(diag.text.data, "the floor of its recording slopes") != NULL);
    sal_problem_free(p);
    sal_diag_clear(&diag);
}

static void a_symmetric_model_is_solved_as_ever(void)
{
    sal_problem *p = NULL;
    sal_err err = {0};
    write_text("m.xml", files_model);
    write_text("p.xml", files_problem);
    CHECK_OK(sal_problem_read(&p, files_path("p.xml"), NULL, NULL, &err), err);
    CHECK(p != NULL && p->half == NULL && p->image->mirrored && p->nstep == 10);
    sal_problem_free(p);
}

/* ---- a real robot ---- */

/* What is drafted for a robot of the corpus; NULL: it is not there, or cannot be read. The caller
 * frees. */
static sal_problem *draft_of(const char *robot, const char *task)
{
    const sal_draft_request request = {.task = task,
                                       .speed = 0.8,
                                       .direction = {(double)NAN, (double)NAN},
                                       .turn = (double)NAN,
                                       .seconds = (double)NAN};
    const char *file = check_corpus(robot);
    sal_text draft = {0}, notes = {0};
    sal_model *m = NULL;
    sal_problem *p = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    if (file == NULL) {
        return NULL;
    }
    CHECK_OK(sal_model_load(&m, file, NULL, &diag, &err), err);
    CHECK_OK(sal_problem_draft(&draft, &notes, m, file, &request, &err), err);
    write_text("draft.xml", draft.data);
    CHECK_OK(sal_problem_read(&p, files_path("draft.xml"), NULL, &diag, &err), err);
    sal_model_free(m);
    sal_text_clear(&draft);
    sal_text_clear(&notes);
    sal_diag_clear(&diag);
    return p;
}

/* What is drafted for it describes half a cycle. */
static void a_robot_trots_by_its_half(void)
{
    sal_problem *p = draft_of("models/men_unitree_a1.xml", "trot");
    sal_result *r = NULL;
    sal_err err = {0};
    if (p == NULL) {
        SKIP("the corpus is not there");
    }
    CHECK(p->half != NULL);
    CHECK_OK(sal_problem_solve(&r, p, 2, NULL, &err), err);
    if (r != NULL) {
        check_whole(r, 0.8);
    }
    sal_result_free(r);
    sal_problem_free(p);
}

/* Its legs are images, but the frames of its bodies are turned alike on both sides: the place of a
 * foot has an image all the same. */
static void frames_may_be_turned(void)
{
    sal_problem *p = draft_of("robots/berkeley_humanoid.xml", "walk");
    if (p == NULL) {
        SKIP("the corpus is not there");
    }
    const int left = sal_model_find(p->model, SAL_OBJ_BODY, "ll_faa"),
              right = sal_model_find(p->model, SAL_OBJ_BODY, "lr_faa");
    int found[2] = {0};
    CHECK(p->half != NULL);
    for (int i = 0; i < p->npoint; i++) {
        found[0] += p->point_geom[i] == -1 - left;
        found[1] += p->point_geom[i] == -1 - right;
    }
    CHECK(found[0] == 1 && found[1] == 1);
    sal_problem_free(p);
}

int main(void)
{
    RUN(time_and_travel_are_doubled);
    RUN(terms_of_one_side_are_mirrored);
    RUN(a_recording_is_mirrored);
    RUN(a_slope_cannot_be_mirrored);
    RUN(a_symmetric_model_is_solved_as_ever);
    RUN(the_whole_cycle_is_of_the_model_as_it_is);
    RUN(a_robot_trots_by_its_half);
    RUN(frames_may_be_turned);
    files_remove();
    return check_done();
}
