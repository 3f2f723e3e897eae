/* Problems whose model steps implicitly: the motion found is undone and replayed exactly, servos'
 * own damping and all; what cannot be is refused. */
#include "tests/problems/problem_files.h"

#include "problems/result/result.h"
#include "runs/runs.h"

static const char model[] =
    "<mujoco>\n"
    "  <option timestep='0.02'/>\n"
    "  <worldbody>\n"
    "    <body><joint name='slide' type='slide' axis='1 0 0' damping='2'/><geom size='.1' "
    "mass='1'/>\n"
    "      <body pos='0 .2 0'><joint name='arm' axis='0 1 0' damping='.3'/><geom type='capsule' "
    "size='.03' fromto='0 0 0 0 0 -.6' mass='.5' contype='0'/>\n"
    "        <body pos='0 .1 -.6'><joint name='hand' axis='0 1 0'/><geom type='capsule' size='.03' "
    "fromto='0 0 0 0 0 -.4' mass='.3' contype='0'/></body>\n"
    "      </body></body>\n"
    "  </worldbody>\n"
    "  <actuator>\n"
    "    <general name='cart' joint='slide' gainprm='40' biastype='affine' biasprm='0 -40 -8'/>\n"
    "    <general name='shoulder' joint='arm' gainprm='5' biastype='affine' biasprm='0 -5 -3'/>\n"
    "    <general name='wrist' joint='hand' gainprm='3' biastype='affine' biasprm='0 0 -3'/>\n"
    "  </actuator>\n"
    "  <keyframe><key name='here' qpos='0 0 0'/><key name='there' qpos='.5 1 -1'/></keyframe>\n"
    "</mujoco>\n";

static const char problem[] =
    "<problem name=\"reach\">\n"
    "  <model file=\"m.xml\"/>\n"
    "  <time nstep=\"20\" duration=\"0.6\"/>\n"
    "  <boundary type=\"open\"><start key=\"here\"/><end key=\"there\"/></boundary>\n"
    "  <cost><term name=\"effort\" ctrl=\"all\" weight=\"1\"/></cost>\n"
    "</problem>\n";

static sal_status read_with(sal_problem **p, const char *integrator, const char *text, sal_err *err)
{
    const sal_setting setting = {"option/integrator", integrator};
    const sal_problem_options options = {.setting = &setting, .nsetting = 1};
    sal_diag diag = {0};
    files_write("m.xml", text, strlen(text));
    files_write("p.xml", problem, strlen(problem));
    const sal_status status = sal_problem_read(p, files_path("p.xml"), &options, &diag, err);
    sal_diag_clear(&diag);
    return status;
}

static void motions_replay_with_every_integrator_that_can_be_undone(void)
{
    static const char *const integrators[] = {"Euler", "implicit", "implicitfast"};
    double cost[3] = {0};
    for (int i = 0; i < 3; i++) {
        sal_problem *p = NULL;
        sal_result *r = NULL;
        sal_replay replay = {0};
        sal_err err = {0};
        CHECK_OK(read_with(&p, integrators[i], model, &err), err);
        CHECK_OK(sal_problem_solve(&r, p, 1, NULL, &err), err);
        CHECK_TEXT(r->status, "converged");
        CHECK(r->model->opt.integrator == p->model->opt.integrator);
        CHECK_OK(sal_result_replay(&replay, r, false, &err), err);
        printf("     %-12s cost %.6f, one step off by %.1e in qpos, %.1e in qvel\n", integrators[i],
               r->cost, replay.onestep_qpos, replay.onestep_qvel);
        CHECK(replay.onestep_qpos <= 1e-10 && replay.onestep_qvel <= 1e-9);
        cost[i] = r->cost;
        sal_replay_clear(&replay);
        sal_result_free(r);
        sal_problem_free(p);
    }
    /* the servos' damping, taken at the end of the step, makes another motion */
    CHECK(fabs(cost[1] - cost[0]) > 1e-6 * cost[0] && fabs(cost[2] - cost[1]) > 1e-9 * cost[0]);
}

static void refused(const char *text, const char *integrator, const char *message)
{
    sal_problem *p = NULL;
    sal_err err = {0};
    CHECK(read_with(&p, integrator, text, &err) == SAL_BADINPUT && p == NULL);
    if (strstr(err.message, message) == NULL) {
        printf("%s\n", err.message);
    }
    CHECK(strstr(err.message, message) != NULL);
}

static void what_cannot_be_undone_is_refused(void)
{
    const char *limited = files_replace(model, "name='wrist'", "name='wrist' forcerange='-1 1'");
    const char *damper = files_replace(model, "gainprm='3'", "gaintype='affine' gainprm='3 0 -1'");
    sal_problem *p = NULL;
    sal_err err = {0};
    refused(model, "RK4", "integrator RK4 has no inverse");
    refused(limited, "implicit", "integrator implicit has no inverse with actuator 'wrist'");
    refused(damper, "implicitfast", "integrator implicitfast has no inverse with actuator 'wrist'");
    CHECK_OK(read_with(&p, "Euler", limited, &err), err);
    sal_problem_free(p);
}

/* The problem's model is the one that the inverse knows, and says so once. */
static void what_the_inverse_leaves_out_is_said(void)
{
    const char *own = files_replace(model, "timestep='0.02'",
                                    "timestep='0.02' solver='PGS' noslip_iterations='4'");
    sal_problem *p = NULL;
    sal_diag diag = {0};
    sal_err err = {0};
    files_write("m.xml", own, strlen(own));
    files_write("p.xml", problem, strlen(problem));
    CHECK_OK(sal_problem_read(&p, files_path("p.xml"), NULL, &diag, &err), err);
    CHECK(diag.nwarning == 1 && diag.text.data != NULL &&
          strstr(diag.text.data, "p.xml:2:16: warning: noslip_iterations of the model are left "
                                 "out") != NULL);
    CHECK(p != NULL && p->model->opt.noslip_iterations == 0 &&
          p->model->opt.solver == SAL_SOLVER_NEWTON);
    sal_diag_clear(&diag);
    sal_problem_free(p);
}

int main(void)
{
    RUN(motions_replay_with_every_integrator_that_can_be_undone);
    RUN(what_cannot_be_undone_is_refused);
    RUN(what_the_inverse_leaves_out_is_said);
    files_remove();
    return check_done();
}
