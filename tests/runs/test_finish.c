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

/* In the model as it is, the walker's feet sink 7.2 mm; those of another walk do not. */
static void another_motion_is_sought_where_the_first_is_not_as_asked(void)
{
    enum { SEED = 1, NEXT = 1000 };
    const sal_setting setting[] = {{"solver/finish", "model"}, {"require/penetration", "0.00705"}};
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
    RUN(what_cannot_be_finished_is_kept_and_not_as_asked);
    return check_done();
}
