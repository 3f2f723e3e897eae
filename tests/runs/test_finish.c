/* Motions brought into the model as it is: its contacts, its time step. */
#include "tests/problems/solve_file.h"

#include "problems/result/diagnose.h"
#include "problems/result/result.h"
#include "runs/again.h"
#include "runs/runs.h"

#include <string.h>

static sal_result *solve_walker(const char *finish)
{
    const sal_setting setting[] = {{"solver/finish", finish}};
    return solve_file("examples/walker_walk.xml",
                      &(sal_problem_options){.setting = setting, .nsetting = 1});
}

/* The model of the user's file */
static sal_model *load_walker(void)
{
    char path[1024];
    const char *root = getenv("SALTUS_ROOT");
    sal_model *m = NULL;
    sal_err err = {0};
    snprintf(path, sizeof path, "%s/models/walker.xml", root == NULL ? "." : root);
    CHECK_OK(sal_model_load(&m, path, NULL, NULL, &err), err);
    return m;
}

static bool same(const double *a, const double *b, int n)
{
    return memcmp(a, b, (size_t)n * sizeof *a) == 0;
}

/* The steps and the contacts of the result are those of the file, and every step of a simulation
 * leads from one of its states to the next. */
static void the_motion_is_physical_in_the_file_of_the_model(void)
{
    sal_result *r = solve_walker("model");
    sal_model *own = load_walker();
    sal_replay replay;
    sal_err err = {0};
    if (r != NULL && own != NULL) {
        const sal_model *m = r->model;
        CHECK_TEXT(r->status, "converged");
        CHECK(r->exit_code == 0 && r->as_asked && !r->contact_table);
        CHECK(r->timestep == own->opt.timestep && m->opt.timestep == own->opt.timestep);
        CHECK(r->nstep * r->timestep == 0.5);
        CHECK(m->npair == own->npair && m->opt.cone == own->opt.cone);
        CHECK(m->opt.impratio == own->opt.impratio);
        CHECK(same(m->pair_solref, own->pair_solref, 2 * m->npair));
        CHECK(same(m->pair_solimp, own->pair_solimp, 5 * m->npair));
        CHECK(same(m->pair_include, own->pair_include, m->npair));
        CHECK(same(m->jnt_solimp, own->jnt_solimp, 5 * m->njnt));
        CHECK(m->pair_solimp[0] > 0.05); /* its contacts do begin with a jump */
        CHECK(r->relative_to_weight <= r->physical_tolerance);
        CHECK_OK(sal_result_replay(&replay, r, false, &err), err);
        CHECK(replay.onestep_qpos < 1e-8 && replay.onestep_qvel < 1e-8);
        sal_replay_clear(&replay);
    }
    sal_model_free(own);
    sal_result_free(r);
}

/* Without the finish the controls lead away in the file's model; with it, feedback holds 10 s. */
static void feedback_holds_it_in_the_file_of_the_model(void)
{
    static const char *const finish[] = {"none", "model"};
    sal_model *own = load_walker();
    for (int i = 0; i < 2 && own != NULL; i++) {
        sal_result *r = solve_walker(finish[i]);
        sal_gains *gains = NULL;
        sal_rollout rollout;
        sal_err err = {0};
        if (r != NULL) {
            CHECK_OK(sal_gains_new(&gains, r, &err), err);
            const sal_rollout_options options = {.time = 10, .tolerance = 0.05, .gains = gains};
            CHECK_OK(sal_result_roll(&rollout, r, own, &options, &err), err);
            const double end = rollout.joint[rollout.nstep - 1].value;
            printf("finish %s: %.2g from the motion after %.3g s\n", finish[i], end,
                   rollout.time[rollout.nstep - 1]);
            if (i == 1) {
                CHECK(rollout.joint_departs < 0 && rollout.body_departs < 0 && end < 1e-6);
            } else {
                CHECK(end > 1e-3);
            }
            sal_rollout_clear(&rollout);
        }
        sal_gains_free(gains);
        sal_result_free(r);
    }
    sal_model_free(own);
}

/* The result is of the problem as posed, and counts the work of all that led to it. */
static void the_result_is_of_the_problem_as_posed(void)
{
    sal_result *found = solve_walker("none"), *r = solve_walker("model");
    if (r != NULL && found != NULL) {
        CHECK(strstr(r->problem_xml, "finish=\"model\"") != NULL);
        CHECK(strstr(r->problem_xml, "nstep=\"20\"") != NULL);
        CHECK(r->optim.linearisations > found->optim.linearisations);
        CHECK(r->niteration > found->niteration);
        CHECK(memcmp(r->iteration, found->iteration,
                     (size_t)found->niteration * sizeof *r->iteration) == 0);
        for (int i = 1; i < r->niteration; i++) {
            CHECK(r->iteration[i].start != r->start || r->iteration[i - 1].start != r->start ||
                  r->iteration[i].linearisation > r->iteration[i - 1].linearisation);
        }
    }
    sal_result_free(found);
    sal_result_free(r);
}

/* ---- finish="try" ---- */

static const char *const walk = "examples/walker_walk.xml";

/* No motion of the walker survives this friction, a hundred million times as hard as its normal
 * forces; the contacts of the smoothing table have one of their own. Few steps and iterations, so
 * that all tries fail soon. */
static sal_result *solve_on_hard_friction(const char *finish)
{
    const sal_setting setting[] = {{"solver/finish", finish},
                                   {"option/impratio", "1e8"},
                                   {"option/timestep", "0.02"},
                                   {"solver/maxiter", "80"}};
    return solve_file(walk, &(sal_problem_options){.setting = setting, .nsetting = 4});
}

static const sal_finding *find_unfinished(const sal_result *r)
{
    const sal_finding *found = NULL;
    for (int i = 0; i < r->nfinding; i++) {
        found = strcmp(r->finding[i].kind, "not finished") == 0 ? r->finding + i : found;
    }
    return found;
}

/* But for what says so, it is the result of the problem without finish. */
static void is_as_found(const sal_result *r, const sal_result *found)
{
    CHECK(r->nstep == found->nstep && r->contact_table && r->cost == found->cost);
    CHECK(same(r->qpos, found->qpos, (found->nstep + 1) * found->model->nq));
    CHECK(same(r->ctrl, found->ctrl, found->nstep * found->model->nu));
    CHECK(r->seed == found->seed && r->start == found->start);
    CHECK(r->niteration == found->niteration && r->nrequirement == found->nrequirement);
    CHECK(r->to_finish && !r->finished && sal_result_finished(r) == 0);
    CHECK(!found->to_finish && sal_result_finished(found) == -1);
}

static void what_can_be_finished_is_the_same_with_try(void)
{
    sal_result *r = solve_walker("try"), *finished = solve_walker("model");
    if (r != NULL && finished != NULL) {
        CHECK(r->exit_code == 0 && r->as_asked && sal_result_finished(r) == 1);
        CHECK(sal_result_finished(finished) == 1);
        CHECK(r->nstep == finished->nstep && r->cost == finished->cost && !r->contact_table);
        CHECK(same(r->qpos, finished->qpos, (r->nstep + 1) * r->model->nq));
        CHECK(strstr(r->problem_xml, "finish=\"try\"") != NULL && find_unfinished(r) == NULL);
    }
    sal_result_free(finished);
    sal_result_free(r);
}

static void try_keeps_what_cannot_be_finished(void)
{
    sal_result *found = solve_on_hard_friction("none"), *r = solve_on_hard_friction("try");
    sal_result *demanded = solve_on_hard_friction("model");
    char verdict[PRB_VERDICT];
    if (r != NULL && found != NULL && demanded != NULL) {
        const sal_finding *why = find_unfinished(r);
        is_as_found(r, found);
        CHECK(r->exit_code == 0 && r->as_asked);
        CHECK(why != NULL && why->level == 1);
        CHECK(why != NULL && strstr(why->text, "of the weight missing") != NULL);
        CHECK(why != NULL && strstr(why->text, "the motion found before is kept: ") != NULL);
        CHECK(why != NULL && strstr(why->text, "impratio)") != NULL); /* the advice is whole */
        prb_verdict(r, verdict);
        CHECK_TEXT(verdict, "physical, and as asked; not finished in the model as it is");
        CHECK(demanded->exit_code == 1 && !demanded->as_asked && !demanded->finished);
        CHECK(find_unfinished(demanded) != NULL && find_unfinished(demanded)->level == 2);
    }
    sal_result_free(found);
    sal_result_free(r);
    sal_result_free(demanded);
}

/* In the contacts of the table the feet may sink as they like, in the model's own by a hundredth of
 * a millimetre. */
static sal_result *solve_on_tiptoe(const char *finish)
{
    const sal_setting setting[] = {{"solver/finish", finish},
                                   {"require/penetration", "0.5"},
                                   {"require/ownpenetration", "1e-5"},
                                   {"init/nstart", "1"}};
    return solve_file(walk, &(sal_problem_options){.setting = setting, .nsetting = 4});
}

static void try_keeps_what_is_not_as_asked_there(void)
{
    sal_result *r = solve_on_tiptoe("try"), *found = solve_on_tiptoe("none");
    if (r != NULL && found != NULL) {
        const sal_finding *why = find_unfinished(r);
        is_as_found(r, found);
        CHECK(r->exit_code == 0 && r->as_asked && r->requirement[0].allowed == 0.5);
        CHECK(why != NULL && strstr(why->text, "require/penetration 0.00") != NULL);
        CHECK(why != NULL && strstr(why->text, " m, allowed 1e-05)") != NULL);
    }
    sal_result_free(r);
    sal_result_free(found);
}

/* What neither motion satisfies: that of the table may sink by `table`, that of the model by `own`
 * (m). The walker's sinks by some millimetres in both. */
static sal_result *solve_too_deep(const char *table, const char *own)
{
    const sal_setting setting[] = {{"solver/finish", "try"},
                                   {"require/penetration", table},
                                   {"require/ownpenetration", own},
                                   {"init/nstart", "1"}};
    return solve_file(walk, &(sal_problem_options){.setting = setting, .nsetting = 4});
}

static void try_keeps_the_nearer_of_two_that_are_not_as_asked(void)
{
    sal_result *own = solve_too_deep("1e-6", "1e-3"), *table = solve_too_deep("1e-3", "1e-6");
    char verdict[PRB_VERDICT];
    if (own != NULL && table != NULL) {
        CHECK(own->exit_code == 1 && !own->as_asked && sal_result_finished(own) == 1);
        CHECK(!own->contact_table && own->requirement[0].allowed == 1e-3);
        CHECK(own->requirement[0].found > 1e-3 && find_unfinished(own) == NULL);
        prb_verdict(own, verdict);
        CHECK_TEXT(verdict, "physical, but not as asked: 1 of 1 requirements is not satisfied; "
                            "finished in the model as it is");
        CHECK(table->exit_code == 1 && !table->as_asked && sal_result_finished(table) == 0);
        CHECK(table->contact_table && table->requirement[0].allowed == 1e-3);
        CHECK(table->requirement[0].found > 1e-3 && find_unfinished(table) != NULL);
    }
    sal_result_free(own);
    sal_result_free(table);
}

typedef struct patience {
    int calls, most;
} patience;

static bool count_down(void *user, int start, const sal_progress *progress)
{
    patience *p = user;
    (void)start;
    (void)progress;
    return p->calls++ < p->most;
}

static sal_result *solve_patiently(const char *finish, patience *p)
{
    char path[1024];
    const char *root = getenv("SALTUS_ROOT");
    const sal_setting setting = {"solver/finish", finish};
    const sal_problem_options options = {.setting = &setting, .nsetting = 1};
    const sal_watch watch = {.progress = count_down, .user = p};
    sal_request request;
    sal_result *r = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    snprintf(path, sizeof path, "%s/%s", root == NULL ? "." : root, walk);
    CHECK_OK(sal_request_read(&request, path, &options, &diag, &err), err);
    CHECK_OK(sal_request_solve(&r, &request, 1, &watch, &err), err);
    sal_request_clear(&request);
    sal_diag_clear(&diag);
    return r;
}

static void an_interruption_leaves_what_was_found(void)
{
    patience whole = {.most = 1 << 20};
    sal_result *found = solve_patiently("none", &whole);
    patience p = {.most = whole.calls + 5};
    sal_result *r = solve_patiently("try", &p);
    if (r != NULL && found != NULL) {
        is_as_found(r, found);
        CHECK(p.calls > whole.calls && r->exit_code == 130 && r->as_asked);
        CHECK_TEXT(r->status, "interrupted");
    }
    sal_result_free(found);
    sal_result_free(r);
}

static void what_cannot_be_finished_is_kept_and_not_as_asked(void)
{
    sal_result *r = solve_walker("none");
    sal_err err = {0};
    char verdict[PRB_VERDICT];
    if (r != NULL) {
        const int n = r->nfinding;
        CHECK(r->as_asked);
        CHECK_OK(prb_diagnose_unfinished(r, "contacts of the smoothing table",
                                         "the motion is lost after 0.3 s", &err),
                 err);
        CHECK(!r->as_asked && r->exit_code == 1 && r->nfinding == n + 1);
        CHECK_TEXT(r->finding[0].kind, "not finished");
        CHECK(r->finding[0].level == 2);
        CHECK(strstr(r->finding[0].text, "the motion is lost after 0.3 s") != NULL);
        prb_verdict(r, verdict);
        CHECK(strstr(verdict, "physical, but not as asked: 1 of 1 requirements") != NULL);
    }
    sal_result_free(r);
}

/* In the model as it is, the feet of the first walk sink 7.14 mm; those of another one 7.08 mm. */
static void another_motion_is_sought_where_the_first_is_not_as_asked(void)
{
    enum { SEED = 1, NEXT = 1000 };
    const sal_setting setting[] = {{"solver/finish", "model"}, {"require/penetration", "0.00711"}};
    const sal_problem_options options = {.setting = setting, .nsetting = 2};
    const sal_problem_options nothing_else = {.setting = setting, .nsetting = 1};
    sal_result *first = solve_file("examples/walker_walk.xml", &nothing_else);
    sal_result *r = solve_file("examples/walker_walk.xml", &options);
    if (first != NULL && r != NULL) {
        CHECK(first->as_asked && first->seed < SEED + NEXT);
        CHECK(run_is_physical(r) && r->as_asked && r->exit_code == 0 && r->nstep == first->nstep);
        CHECK(r->seed >= SEED + NEXT && r->seed < SEED + 4 * NEXT);
        CHECK(strstr(r->problem_xml, "seed=") == NULL); /* the problem as posed */
    }
    sal_result_free(first);
    sal_result_free(r);
}

int main(void)
{
    RUN(the_motion_is_physical_in_the_file_of_the_model);
    RUN(feedback_holds_it_in_the_file_of_the_model);
    RUN(the_result_is_of_the_problem_as_posed);
    RUN(another_motion_is_sought_where_the_first_is_not_as_asked);
    RUN(what_can_be_finished_is_the_same_with_try);
    RUN(try_keeps_what_cannot_be_finished);
    RUN(try_keeps_what_is_not_as_asked_there);
    RUN(try_keeps_the_nearer_of_two_that_are_not_as_asked);
    RUN(an_interruption_leaves_what_was_found);
    RUN(what_cannot_be_finished_is_kept_and_not_as_asked);
    return check_done();
}
