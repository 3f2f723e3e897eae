/* Solved motions brought to more steps, to harder contacts, and into the model as it is. */
#include "tests/problems/solve_file.h"

#include "problems/result/result.h"
#include "runs/runs.h"

#include <math.h>
#include <string.h>

static const char walker[] = "examples/walker_walk.xml", box[] = "examples/box_right.xml";

static sal_result *solve(const char *file, const char *path, const char *value)
{
    const sal_setting setting[] = {{path, value}};
    return solve_file(file, &(sal_problem_options){.setting = setting, .nsetting = path != NULL});
}

/* What is asked, of a problem of ours; the path is good until the next call. */
static sal_hardening ask(const char *file, sal_hardening asked)
{
    static char path[1024];
    const char *root = getenv("SALTUS_ROOT");
    snprintf(path, sizeof path, "%s/%s", root == NULL ? "." : root, file);
    asked.problem = path;
    return asked;
}

static void harden(sal_result **r, const char *file, sal_hardening asked)
{
    const sal_hardening whole = ask(file, asked);
    sal_err err = {0};
    CHECK_OK(sal_result_harden(r, &whole, 2, NULL, &err), err);
}

static bool has_finding(const sal_result *r, const char *kind)
{
    bool any = false;
    for (int i = 0; i < r->nfinding; i++) {
        any = any || strcmp(r->finding[i].kind, kind) == 0;
    }
    return any;
}

/* A solution like any other: physical, replayed step by step, and said to be hardened. */
static void is_a_solution(const sal_result *r)
{
    sal_replay replay;
    sal_err err = {0};
    CHECK(r->exit_code == 0 && r->judged && r->as_asked);
    CHECK(r->relative_to_weight <= r->physical_tolerance);
    CHECK(has_finding(r, "hardened") && !has_finding(r, "not hardened"));
    CHECK_OK(sal_result_replay(&replay, r, false, &err), err);
    CHECK(replay.onestep_qpos < 1e-8 && replay.onestep_qvel < 1e-6);
    sal_replay_clear(&replay);
}

/* What a search from the beginning with the same table finds costs no less, within 5 %. */
static void is_no_worse_than_afresh(const sal_result *r, const char *file, const char *path,
                                    const char *value)
{
    sal_result *afresh = solve(file, path, value);
    if (afresh != NULL) {
        printf("%s %s=%s: %.4g, afresh %.4g\n", file, path, value, r->cost, afresh->cost);
        CHECK(r->cost <= 1.05 * afresh->cost);
    }
    sal_result_free(afresh);
}

static void more_steps_keep_the_contacts(void)
{
    sal_result *before = solve(walker, NULL, NULL), *r = solve(walker, NULL, NULL);
    if (r != NULL && before != NULL) {
        harden(&r, walker, (sal_hardening){.refine = 2});
        is_a_solution(r);
        CHECK(r->nstep == 2 * before->nstep);
        CHECK(fabs(r->nstep * r->timestep - before->nstep * before->timestep) < 1e-12);
        for (int i = 0; i < 5 * r->model->npair; i++) {
            CHECK(r->model->pair_solimp[i] == before->model->pair_solimp[i]);
        }
        for (int i = 0; i < 2 * r->model->npair; i++) {
            CHECK(fabs(r->model->pair_solref[i] - before->model->pair_solref[i]) < 1e-15);
        }
        CHECK(r->model->opt.impratio == before->model->opt.impratio);
        CHECK(r->optim.linearisations > before->optim.linearisations);
        is_no_worse_than_afresh(r, walker, "time/nstep", "40");
    }
    sal_result_free(before);
    sal_result_free(r);
}

static void contacts_are_those_asked_for(void)
{
    const sal_hardening asked = {.width = 0.001, .dmax = 0.99, .impratio = 20, .timeconst = 0.06};
    sal_result *r = solve(walker, NULL, NULL);
    if (r != NULL) {
        harden(&r, walker, asked);
        is_a_solution(r);
        CHECK(r->nstep == 20 && r->model->opt.impratio == 20);
        for (int i = 0; i < r->model->npair; i++) {
            CHECK(r->model->pair_solimp[5 * i + 1] == 0.99);
            CHECK(r->model->pair_solimp[5 * i + 2] == 0.001);
            CHECK(r->model->pair_solref[2 * i] == 0.06);
        }
        /* a motion that was hardened is one that can be hardened, from where it is */
        harden(&r, walker, (sal_hardening){.width = 0.0009});
        is_a_solution(r);
        CHECK(r->model->pair_solimp[1] == 0.99 && r->model->pair_solimp[2] == 0.0009);
        CHECK(r->model->pair_solref[0] == 0.06 && r->model->opt.impratio == 20);
    }
    sal_result_free(r);
}

static void a_smaller_width_keeps_the_optimum(void)
{
    sal_result *r = solve(walker, NULL, NULL);
    if (r != NULL) {
        harden(&r, walker, (sal_hardening){.width = 0.001});
        is_a_solution(r);
        is_no_worse_than_afresh(r, walker, "smoothing/width", ".15 .001");
    }
    sal_result_free(r);
}

/* The problem that it carries, read again, has the same steps and the same final world. */
static void its_problem_means_the_same(void)
{
    sal_result *r = solve(walker, "time/range", ".4 .6");
    if (r != NULL) {
        sal_problem *p = NULL;
        sal_err err = {0};
        const double duration = r->nstep * r->timestep, before = r->model->pair_solref[0];
        harden(&r, walker, (sal_hardening){.refine = 2, .width = 0.0015});
        const sal_hardening where = ask(walker, (sal_hardening){0});
        CHECK_OK(prb_problem_of_result(&p, r, where.problem, NULL, NULL, 0, &err), err);
        if (p != NULL) {
            CHECK(p->nstep == 40 && p->smoothing.width.final == 0.0015);
            CHECK(p->smoothing.width.soft == 0.15 && !p->smoothing.timeconst_tied);
            CHECK(p->smoothing.timeconst.final == r->model->pair_solref[0]);
            CHECK(p->smoothing.timeconst.final < 0.75 * before); /* as a file's with such steps */
            CHECK(p->duration_range[0] == p->duration_range[1]); /* no longer free */
            CHECK(fabs(p->duration - duration) < 1e-12);
            CHECK(p->optim.softness == 1); /* solved again, it begins where any other does */
        }
        CHECK(fabs(r->nstep * r->timestep - duration) < 1e-12);
        sal_problem_free(p);
    }
    sal_result_free(r);
}

/* As a solve that ends so: to the same bits. */
static void into_the_model_as_solver_finish_does(void)
{
    sal_result *r = solve(walker, NULL, NULL), *finished = solve(walker, "solver/finish", "model");
    if (r != NULL && finished != NULL) {
        harden(&r, walker, (sal_hardening){.model_contact = true, .model_timestep = true});
        is_a_solution(r);
        CHECK(r->nstep == finished->nstep && r->timestep == finished->timestep);
        CHECK(!r->contact_table && r->cost == finished->cost);
        CHECK(memcmp(r->qpos, finished->qpos,
                     (size_t)(r->nstep + 1) * (size_t)r->model->nq * sizeof(double)) == 0);
        CHECK(strstr(r->problem_xml, "finish=\"model\"") != NULL);
        CHECK(strstr(r->problem_xml, "nstep=\"20\"") != NULL);
    }
    sal_result_free(finished);
    sal_result_free(r);
}

/* It is refused with these words, and as it was. */
static void refused(sal_result *r, const char *file, sal_hardening asked, const char *words)
{
    const sal_hardening whole = ask(file, asked);
    const sal_result *before = r;
    sal_err err = {0};
    CHECK(sal_result_harden(&r, &whole, 2, NULL, &err) == SAL_BADINPUT);
    CHECK(r == before);
    if (strstr(err.message, words) == NULL) {
        printf("said: %s\n", err.message);
    }
    CHECK(strstr(err.message, words) != NULL);
}

/* What a solve has tried and not kept is asked for: then it is the result, as it is. */
static void a_motion_that_was_kept_can_be_finished(void)
{
    const char *problem = "<require penetration=\"0.5\" ownpenetration=\"1e-05\"";
    const sal_setting setting[] = {{"solver/finish", "try"},
                                   {"require/penetration", "0.5"},
                                   {"require/ownpenetration", "1e-05"}};
    sal_result *r = solve_file(walker, &(sal_problem_options){.setting = setting, .nsetting = 3});
    if (r != NULL) {
        CHECK(strstr(r->problem_xml, problem) != NULL && r->exit_code == 0);
        CHECK(has_finding(r, "not finished") && !r->finished);
        harden(&r, walker, (sal_hardening){.model_contact = true, .model_timestep = true});
        CHECK(r->finished && !r->as_asked && r->exit_code == 1 && !r->contact_table);
        CHECK(r->requirement[0].found > 1e-5 && r->requirement[0].allowed == 1e-5);
        CHECK(!has_finding(r, "not finished"));
        refused(r, walker, (sal_hardening){.refine = 2}, "in the model as it is already");
    }
    sal_result_free(r);
}

static void a_motion_that_was_kept_can_be_hardened(void)
{
    const sal_setting setting[] = {{"solver/finish", "try"}, {"require/ownpenetration", "1e-05"}};
    sal_result *r = solve_file(walker, &(sal_problem_options){.setting = setting, .nsetting = 2});
    if (r != NULL) {
        CHECK(has_finding(r, "not finished"));
        harden(&r, walker, (sal_hardening){.refine = 2});
        is_a_solution(r);
        CHECK(r->nstep == 40 && r->contact_table && !r->to_finish);
        CHECK(!has_finding(r, "not finished"));
    }
    sal_result_free(r);
}

/* Nor does it come there: this is said once, and now it is not as asked. */
static void what_was_kept_may_not_come_into_the_model(void)
{
    const sal_setting setting[] = {{"solver/finish", "try"},
                                   {"option/impratio", "1e8"},
                                   {"option/timestep", "0.02"},
                                   {"solver/maxiter", "80"}};
    sal_result *r = solve_file(walker, &(sal_problem_options){.setting = setting, .nsetting = 4});
    if (r != NULL) {
        CHECK(r->exit_code == 0 && has_finding(r, "not finished"));
        harden(&r, walker, (sal_hardening){.model_contact = true, .model_timestep = true});
        int said = 0;
        for (int i = 0; i < r->nfinding; i++) {
            said += strcmp(r->finding[i].kind, "not finished") == 0;
        }
        CHECK(said == 1 && r->exit_code == 1 && !r->as_asked && !r->finished);
    }
    sal_result_free(r);
}

/* ---- what is not reached ---- */

/* The searches that follow may take as many linearisations, of two figures as the first. */
static void limit(sal_result *r, const char *most)
{
    char *at = strstr(r->problem_xml, "maxiter=\"99\"");
    CHECK(at != NULL);
    if (at != NULL) {
        memcpy(at + strlen("maxiter=\""), most, 2);
    }
}

static void what_is_not_reached_is_said(void)
{
    sal_result *r = solve(box, "solver/maxiter", "99");
    if (r != NULL) {
        const double cost = r->cost;
        limit(r, "03");
        harden(&r, box, (sal_hardening){.width = 0.001});
        CHECK(r->exit_code == 1 && !r->as_asked && r->cost == cost);
        CHECK(r->relative_to_weight <= r->physical_tolerance);
        CHECK(has_finding(r, "not hardened") && !has_finding(r, "hardened"));
        CHECK_TEXT(r->finding[0].kind, "not hardened");
        CHECK(strstr(r->finding[0].text, "width 0.005 m") != NULL); /* as it is, as asked, */
        CHECK(strstr(r->finding[0].text, "width 0.001 m") != NULL);
        CHECK(strstr(r->finding[0].text, "iteration limit") != NULL); /* why and where */
        CHECK(strstr(r->finding[0].text, "of the weight missing at joint") != NULL);
    }
    sal_result_free(r);
}

/* Far beyond what one path leads to: as far as it comes, the motion is physical with the contacts
 * that its problem says, and is as asked only where these are the ones asked for. */
static void the_hardest_contacts_are_kept(void)
{
    sal_result *r = solve(box, "solver/maxiter", "99");
    if (r != NULL) {
        sal_problem *p = NULL;
        sal_err err = {0};
        limit(r, "16");
        harden(&r, box, (sal_hardening){.width = 1e-7, .dmax = 0.99999, .impratio = 1e6});
        const double width = r->model->pair_solimp[2];
        const bool all = width == 1e-7;
        CHECK(width >= 1e-7 && width < 0.005);
        CHECK(all == (r->model->opt.impratio == 1e6) && r->model->opt.impratio > 10);
        CHECK(r->relative_to_weight <= r->physical_tolerance && r->as_asked == all);
        CHECK(has_finding(r, "not hardened") == !all && has_finding(r, "hardened"));
        const sal_hardening where = ask(box, (sal_hardening){0});
        CHECK_OK(prb_problem_of_result(&p, r, where.problem, NULL, NULL, 0, &err), err);
        CHECK(p != NULL && p->smoothing.width.final == width);
        sal_problem_free(p);
    }
    sal_result_free(r);
}

/* ---- interruption ---- */

typedef struct patience {
    int left;
} patience;

static bool count_down(void *user, int start, const sal_progress *progress)
{
    patience *p = user;
    (void)start;
    (void)progress;
    return p->left-- > 0;
}

static void what_was_found_outlives_an_interruption(void)
{
    static const int most[] = {3, 90}; /* in the first search, in a later one */
    for (int i = 0; i < 2; i++) {
        sal_result *r = solve(walker, NULL, NULL);
        patience p = {most[i]};
        const sal_watch watch = {.progress = count_down, .user = &p};
        const sal_hardening asked = ask(walker, (sal_hardening){.refine = 2});
        sal_err err = {0};
        if (r != NULL) {
            CHECK_OK(sal_result_harden(&r, &asked, 2, &watch, &err), err);
            CHECK(r->exit_code == 130 && r->nstep == (i == 0 ? 20 : 40));
            CHECK_TEXT(r->status, "interrupted");
            CHECK(r->relative_to_weight <= r->physical_tolerance);
        }
        sal_result_free(r);
    }
}

/* ---- what cannot be hardened ---- */

static void what_makes_no_sense_is_refused(void)
{
    sal_result *r = solve(box, NULL, NULL);
    if (r != NULL) {
        char *xml = r->problem_xml;
        refused(r, box, (sal_hardening){.refine = 1}, "already");
        refused(r, box, (sal_hardening){.width = 0.005}, "already");
        refused(r, box, (sal_hardening){.timeconst = 0.1}, "shorter than two time steps, 0.2 s");
        refused(r, box, (sal_hardening){.timestep = 0.5}, "too long");
        refused(r, box, (sal_hardening){.timestep = 1e-9}, "too short");
        refused(r, box, (sal_hardening){.width = 0.001, .model_contact = true},
                "the smoothing table");
        refused(r, walker, (sal_hardening){.refine = 2, .model = "none.xml"}, "none.xml");
        r->sha256_model[0] ^= 1;
        refused(r, box, (sal_hardening){.refine = 2}, "changed since");
        r->sha256_model[0] ^= 1;
        r->optim.violation = 2;
        refused(r, box, (sal_hardening){.refine = 2}, "not physical");
        r->optim.violation = 0;
        r->problem_xml = NULL;
        refused(r, box, (sal_hardening){.refine = 2}, "simulation");
        r->problem_xml = xml;
    }
    sal_result_free(r);
}

static void numbers_of_steps_are_refused_where_they_change(void)
{
    const char *setting = "term[effort]/steps";
    sal_result *r = solve(box, setting, "2 3 4 5 6 7 8");
    if (r != NULL) {
        refused(r, box, (sal_hardening){.refine = 2}, "'effort' counts at the numbers of steps");
    }
    sal_result_free(r);
}

static void a_motion_in_the_model_is_as_hard_as_can_be(void)
{
    sal_result *r = solve(walker, "solver/finish", "model");
    if (r != NULL) {
        refused(r, walker, (sal_hardening){.refine = 2}, "in the model as it is already");
        refused(r, walker, (sal_hardening){.model_contact = true, .model_timestep = true},
                "in the model as it is already");
    }
    sal_result_free(r);
}

int main(void)
{
    RUN(more_steps_keep_the_contacts);
    RUN(contacts_are_those_asked_for);
    RUN(a_smaller_width_keeps_the_optimum);
    RUN(its_problem_means_the_same);
    RUN(into_the_model_as_solver_finish_does);
    RUN(a_motion_that_was_kept_can_be_finished);
    RUN(a_motion_that_was_kept_can_be_hardened);
    RUN(what_was_kept_may_not_come_into_the_model);
    RUN(what_is_not_reached_is_said);
    RUN(the_hardest_contacts_are_kept);
    RUN(what_was_found_outlives_an_interruption);
    RUN(what_makes_no_sense_is_refused);
    RUN(numbers_of_steps_are_refused_where_they_change);
    RUN(a_motion_in_the_model_is_as_hard_as_can_be);
    return check_done();
}
