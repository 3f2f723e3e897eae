/* Constants at qpos0. Agreement with libmujoco 2.2.2 on the corpus is test_smooth's; here what 3.12
 * does differently, and faults. */
#include "tests/check.h"
#include "tests/physics/oracle.h"

#include "physics/compiling.h"

/* Bodies of 2 kg, most on one slide with armature 1:
 *     1/m = 1/2                         for a body that only slides, since 3.x (each number as
 *                                       MuJoCo 3.12.0 gives it)
 *     trace(J M^-1 J')/3 = 1/(2+1)/3    for the others, and for all in 2.2.2 */
static void bodies_that_only_slide_weigh_their_mass(void)
{
    static const struct {
        const char *body;
        double body222, body312, dof222, dof312;
    } cases[] = {
        {"plain", 1. / 9, 0.5, 1. / 3, 0.5},
        {"two", 1. / 3, 0.5, 0.5, 0.5},
        {"off", 1. / 9, 1. / 9, 1. / 3, 1. / 3},
        {"tilted", 1. / 9, 1. / 9, 1. / 3, 1. / 3},
        {"on_fixed", 1. / 9, 0.5, 1. / 3, 0.5},
        {"on_fixed_fixed", 1. / 9, 1. / 9, 1. / 3, 1. / 3},
        {"parent", 1. / 9, 1. / 9, 1. / 3, 1. / 3},
        {"heavy_aside", 1. / 9, 1. / 9, 1. / 3, 1. / 3},
        {"wheel", 0, 0, 125, 125}, /* 1/(2/5 m r^2) */
    };
    oracle o;
    oracle_open_own(&o, "sliders");
    for (int compat = 0; compat < 2; compat++) {
        sal_err err = {SAL_OK, ""};
        o.m->mujoco = compat == 1 ? SAL_MUJOCO_222 : SAL_MUJOCO_314;
        CHECK_OK(phy_model_constants(o.m, &err), err);
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            const int b = mj_name2id(o.mjm, mjOBJ_BODY, cases[i].body);
            const int dof = o.m->body_dofadr[b];
            CHECK_NEAR(o.m->body_invweight0[2 * b], compat ? cases[i].body222 : cases[i].body312,
                       1e-15);
            CHECK_NEAR(o.m->dof_invweight0[dof], compat ? cases[i].dof222 : cases[i].dof312, 1e-13);
        }
    }
    oracle_close(&o);
}

/* A dof that moves no mass is named. */
static void weightless_dof_is_refused(void)
{
    oracle o;
    sal_err err = {SAL_OK, ""};
    oracle_open_own(&o, "sliders");
    o.m->body_mass[mj_name2id(o.mjm, mjOBJ_BODY, "off")] = 0;
    o.m->dof_armature[3] = 0;
    CHECK(phy_model_constants(o.m, &err) == SAL_SINGULAR);
    CHECK(strstr(err.message, "dof 3 ") != NULL);
    oracle_close(&o);
}

/* Out of memory is a status, not a crash, and nothing leaks (the sanitizers watch). */
static void memory_may_run_out(void)
{
    oracle o;
    sal_err err = {SAL_OK, ""};
    oracle_open_own(&o, "tree");
    for (int n = 1; n <= 2; n++) {
        sal_alloc_fail_at(n);
        CHECK(phy_model_constants(o.m, &err) == SAL_NOMEM);
    }
    sal_alloc_fail_at(0);
    CHECK_OK(phy_model_constants(o.m, &err), err);
    oracle_close(&o);
}

int main(void)
{
    RUN(bodies_that_only_slide_weigh_their_mass);
    RUN(weightless_dof_is_refused);
    RUN(memory_may_run_out);
    return check_done();
}
