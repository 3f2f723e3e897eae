/* The end of a search: it ends where no step lowers the cost, not where damping, raised by steps
 * that failed, makes each step short. Where a linear model promises more than any step gives, that
 * is said. Two links whose joints an equality couples: its impedance rises within .001 rad, so that
 * forces along a motion are far from linear in it. */
#include "tests/problems/problem_files.h"

#include "problems/result/result.h"

#define MODEL(coefficient)                                                                         \
    "<mujoco><compiler angle='radian'/><option timestep='.01'/><default>"                          \
    "<geom contype='0' conaffinity='0'/><joint axis='0 1 0' damping='.05'/></default>"             \
    "<worldbody><body><joint name='q1'/>"                                                          \
    "<geom type='capsule' fromto='0 0 0 0 0 -.4' size='.03' mass='1'/>"                            \
    "<body pos='0 0 -.4'><joint name='q2'/>"                                                       \
    "<geom type='capsule' fromto='0 0 0 0 0 -.3' size='.025' "                                     \
    "mass='.7'/></body></body></worldbody>"                                                        \
    "<equality><joint joint1='q2' joint2='q1' polycoef='0 " coefficient " 0 0 0'/></equality>"     \
    "<actuator><motor name='m' joint='q1' ctrlrange='-4 4'/></actuator></mujoco>"

/* From hanging at rest to this pose at rest in 2 s, with the least effort. */
static sal_result *solve(const char *model, const char *pose, const char *rest)
{
    char problem[600];
    sal_problem *p = NULL;
    sal_result *r = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    snprintf(problem, sizeof problem,
             "<problem name='p'><model file='m.xml'/><time nstep='100' duration='2'/>"
             "<boundary type='open'><start qpos='0 0' qvel='0 0'/><end qpos='%s' qvel='0 0'/>"
             "</boundary><cost><term name='effort' ctrl='m'/></cost>%s</problem>",
             pose, rest);
    files_write("m.xml", model, strlen(model));
    files_write("p.xml", problem, strlen(problem));
    CHECK_OK(sal_problem_read(&p, files_path("p.xml"), NULL, &diag, &err), err);
    CHECK_OK(sal_problem_solve(&r, p, 1, NULL, &err), err);
    sal_diag_clear(&diag);
    sal_problem_free(p);
    return r;
}

static const sal_finding *promised(const sal_result *r)
{
    for (int i = 0; r != NULL && i < r->nfinding; i++) {
        if (strcmp(r->finding[i].kind, "promised") == 0) {
            return r->finding + i;
        }
    }
    return NULL;
}

/* From each start the cost is within three hundredths of the one that a thousandth of the tolerance
 * finds. */
static void the_cost_is_the_lowest_from_each_start(void)
{
    const char *pose = "3.14159 3.14159";
    sal_result *tight = solve(MODEL("1"), pose, "<solver tolerance='1e-6'/>");
    CHECK(tight != NULL);
    for (int seed = 1; tight != NULL && seed <= 6; seed++) {
        char guess[64];
        snprintf(guess, sizeof guess, "<init seed='%d'/>", seed);
        sal_result *r = solve(MODEL("1"), pose, guess);
        CHECK(r != NULL && r->exit_code == 0 && r->cost <= 1.03 * tight->cost);
        CHECK(r != NULL && r->optim.promise < 0.01 && promised(r) == NULL);
        if (r != NULL) {
            printf("  seed %d: cost %.5f, of a tight tolerance %.5f, promised %.2g\n", seed,
                   r->cost, tight->cost, r->optim.promise);
        }
        sal_result_free(r);
    }
    sal_result_free(tight);
}

/* Where no step leads on, and another start shows what there is to gain, the promise is said. */
static void what_is_promised_is_said(void)
{
    sal_result *r = solve(MODEL("-1"), "1 -1", ""),
               *other = solve(MODEL("-1"), "1 -1", "<solver softness='.3'/>");
    const sal_finding *f = promised(r);
    CHECK(r != NULL && other != NULL && other->cost < 0.9 * r->cost);
    CHECK(f != NULL && f->level == 1 && f->value == r->optim.promise && f->value > 0.1);
    CHECK(f != NULL && strstr(f->text, "a lower cost may be near") != NULL);
    CHECK(r != NULL && r->optim.gradient > 0);
    sal_result_free(r);
    sal_result_free(other);
}

int main(void)
{
    RUN(the_cost_is_the_lowest_from_each_start);
    RUN(what_is_promised_is_said);
    files_remove();
    return check_done();
}
