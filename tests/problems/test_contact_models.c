/* The walker walks under each contact model, and its controls move it so again; the hopper travels
 * on hard ground. */
#include "tests/check.h"
#include "tests/folder.h"

#include "problems/problem.h"
#include "problems/result/gait.h"
#include "problems/result/result.h"
#include "runs/runs.h"

#include <unistd.h>

static sal_result *solve(const char *example, const sal_setting *settings, int count)
{
    const sal_problem_options options = {.setting = settings, .nsetting = count};
    char path[512];
    sal_problem *p = NULL;
    sal_result *r = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    snprintf(path, sizeof path, "%s/examples/%s.xml", getenv("SALTUS_ROOT"), example);
    CHECK_OK(sal_problem_read(&p, path, &options, &diag, &err), err);
    CHECK_OK(sal_problem_solve(&r, p, 1, NULL, &err), err);
    sal_problem_free(p);
    sal_diag_clear(&diag);
    return r;
}

static sal_result *walk(const char *contact)
{
    const sal_setting settings[] = {
        {"solver/contactmodel", contact}, {"init/nstart", "2"}, {"init/more", "2"}};
    return solve("walker_walk", settings, 3);
}

static bool are_equal(const sal_contact_option *a, const sal_contact_option *b)
{
    return a->model == b->model && a->kappa == b->kappa && a->regulariser[0] == b->regulariser[0] &&
           a->regulariser[1] == b->regulariser[1] && a->reach == b->reach && a->lift == b->lift;
}

static void walks(int model)
{
    const char *file = in_folder("result.h5");
    sal_result *r = walk(sal_contact_model_name(model)), *again = NULL;
    sal_replay replay = {0};
    sal_err err = {0};
    CHECK(r->exit_code == 0 && prb_result_is_physical(r));
    CHECK(r->contact.model == model && r->model->opt.contact.model == model);
    CHECK(r->contact.lift == 0);
    CHECK_NEAR(r->contact.reach, 5 * r->timestep, 1e-12); /* m/s */
    CHECK_OK(sal_result_write(r, file, &err), err);
    CHECK_OK(sal_result_read(&again, file, &err), err);
    CHECK(are_equal(&again->contact, &r->contact));
    CHECK(are_equal(&again->model->opt.contact, &r->contact));
    CHECK_OK(sal_result_replay(&replay, again, false, &err), err);
    printf("     %s: cost %.3g, one step: qpos %.1e, qvel %.1e\n", sal_contact_model_name(model),
           r->cost, replay.onestep_qpos, replay.onestep_qvel);
    CHECK(replay.onestep_qpos <= 1e-8 && replay.onestep_qvel <= 1e-8);
    sal_replay_clear(&replay);
    remove(file);
    sal_result_free(r);
    sal_result_free(again);
}

static void the_walker_walks_under_the_smooth_model(void)
{
    walks(SAL_CONTACT_LOGBARRIER);
}

static void the_walker_walks_under_the_convex_model(void)
{
    walks(SAL_CONTACT_CONVEX);
}

static void the_walker_walks_on_hard_ground(void)
{
    walks(SAL_CONTACT_HARD);
}

/* Hard contacts of two points carry it at a gap of 1 mm: its keyframes are on the floor. */
static void the_hopper_travels_on_hard_ground(void)
{
    const sal_setting settings[] = {{"solver/contactmodel", "hard"},
                                    {"key[stand]/qpos", "0 -.08714 0 0 .5 -1 .5"},
                                    {"key[there]/qpos", ".5 -.08714 0 0 .5 -1 .5"}};
    sal_result *r = solve("hopper_travel", settings, 3);
    sal_replay replay = {0};
    sal_err err = {0};
    CHECK(r->exit_code == 0 && prb_result_is_physical(r));
    CHECK_NEAR(r->qpos[r->nstep * r->model->nq], 0.5, 1e-12);
    CHECK_OK(sal_result_replay(&replay, r, false, &err), err);
    CHECK(replay.onestep_qpos <= 1e-8 && replay.onestep_qvel <= 1e-8);
    sal_replay_clear(&replay);
    sal_result_free(r);
}

int main(void)
{
    if (mkdtemp(folder) == NULL) {
        return 1;
    }
    RUN(the_walker_walks_under_the_smooth_model);
    RUN(the_walker_walks_under_the_convex_model);
    RUN(the_walker_walks_on_hard_ground);
    RUN(the_hopper_travels_on_hard_ground);
    rmdir(folder);
    return check_done();
}
