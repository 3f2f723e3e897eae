/* Coarse solutions first: a problem with one optimum has the same with and without them, and what
 * counts at some times counts there in all. */
#include "tests/problems/problem_files.h"

#include "problems/result/result.h"

static sal_err err;

static const char ball[] =
    "<mujoco><option gravity='0 0 0'/><worldbody><body><freejoint name='root'/>"
    "<geom size='.1' mass='2'/></body></worldbody><actuator>"
    "<motor joint='root' gear='1 0 0 0 0 0'/><motor joint='root' gear='0 1 0 0 0 0'/>"
    "<motor joint='root' gear='0 0 1 0 0 0'/><motor joint='root' gear='0 0 0 1 0 0'/>"
    "<motor joint='root' gear='0 0 0 0 1 0'/><motor joint='root' gear='0 0 0 0 0 1'/>"
    "</actuator></mujoco>";

static const char open_problem[] =
    "<problem name='p'><model file='ball.xml'/><time nstep='40' duration='1'/>"
    "<boundary type='open'><start qpos='0 0 0 1 0 0 0' qvel='0'/></boundary><cost>"
    "<term name='effort' ctrl='all' weight='.01'/>"
    "<term name='way' joint='root' component='0 1' times='0 .5 1' target='0 0  1 2  0 3' "
    "weight='10'/>"
    "<term name='there' joint='root' component='2' at='.25 .7' target='1' weight='10'/>"
    "<term name='here' joint='root' component='2' steps='0 39' weight='10'/>"
    "</cost><init noise='.01'/></problem>";

static const char arc_problem[] =
    "<problem name='p'><model file='ball.xml'/><time nstep='24' duration='1'/>"
    "<boundary type='cycle'><travel joint='root' speed='1.2' turn='.6' turnrange='.5 2'/>"
    "</boundary><cost><term name='effort' ctrl='all'/></cost><init noise='.01'/></problem>";

static sal_result *solve(const char *text, const char *refine)
{
    sal_problem *p = NULL;
    sal_result *result = NULL;
    const sal_setting setting = {"time/refine", refine};
    const sal_problem_options options = {.setting = &setting, .nsetting = refine != NULL};
    files_write("ball.xml", ball, strlen(ball));
    files_write("p.xml", text, strlen(text));
    CHECK_OK(sal_problem_read(&p, files_path("p.xml"), &options, NULL, &err), err);
    if (p != NULL) {
        CHECK_OK(sal_problem_solve(&result, p, 1, NULL, &err), err);
    }
    CHECK(result != NULL && prb_result_is_solved(result)); /* 'there' is more than it can do */
    sal_problem_free(p);
    return result;
}

static void compare(const char *text, const char *refine)
{
    sal_result *plain = solve(text, NULL), *refined = solve(text, refine);
    if (plain != NULL && refined != NULL) {
        CHECK(plain->nstep == refined->nstep);
        CHECK_NEAR(refined->cost, plain->cost, 2e-3 * plain->cost);
        int last = 0;
        bool grows = true;
        for (int i = 0; i < refined->niteration; i++) {
            grows = grows && refined->iteration[i].linearisation >= last;
            last = refined->iteration[i].linearisation;
        }
        CHECK(grows && last == refined->optim.linearisations);
        CHECK(refined->iteration[0].linearisation <= 1);
    }
    sal_result_free(plain);
    sal_result_free(refined);
}

static void one_optimum_whatever_comes_first(void)
{
    compare(open_problem, "2");
    compare(open_problem, "5 2");
    compare(arc_problem, "4 2");
}

static void faults(void)
{
    static const char *const bad[][2] = {
        {"2 4", "refine must be whole numbers, each smaller than the one before"},
        {"2.5", "refine must be whole numbers, each smaller than the one before"},
        {"20", "a motion needs at least 3 steps; 40 / 20 are fewer"},
        {"9 8 7 6 5", "refine has 5 numbers; at most 4 are allowed"},
        {"1", "refine = 1 is outside [2, 1000]"},
    };
    files_write("ball.xml", ball, strlen(ball));
    files_write("p.xml", open_problem, strlen(open_problem));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        sal_problem *p = NULL;
        const sal_setting setting = {"time/refine", bad[i][0]};
        const sal_problem_options options = {.setting = &setting, .nsetting = 1};
        CHECK(sal_problem_read(&p, files_path("p.xml"), &options, NULL, &err) == SAL_BADINPUT);
        CHECK(strstr(err.message, bad[i][1]) != NULL);
        sal_problem_free(p);
    }
}

int main(void)
{
    RUN(one_optimum_whatever_comes_first);
    RUN(faults);
    files_remove();
    return check_done();
}
