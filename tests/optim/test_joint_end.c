/* When a joint fit ends: not where a step of the shared variables was refused. */
#include "tests/check.h"

#include "base/base.h"
#include "optim/optim.h"

#include <math.h>

/* A member at its optimum x = 0, and atan p, of which Gauss-Newton's step from p = 10 is
 * -atan(p)(1 + p^2), fifteen times too far: no damping that one iteration tries makes it good. That
 * the member has nothing to gain is no reason to end there; the minimum is at p = 0. */
static sal_status value_of_atan(void *ctx, int worker, int member, const double *x, const double *p,
                                double *cost, sal_err *err)
{
    (void)ctx, (void)worker, (void)member, (void)err;
    const double r = atan(p[0]);
    *cost = .5 * (x[0] * x[0] + r * r);
    return SAL_OK;
}

static sal_status slope_of_atan(void *ctx, int worker, int member, const double *x, const double *p,
                                sal_normal *a, sal_err *err)
{
    (void)ctx, (void)worker, (void)member, (void)err;
    static const sal_norm quadratic = {SAL_NORM_QUADRATIC, 0, 0};
    const double r[2] = {x[0], atan(p[0])}, J[2] = {1, 0}, G[2] = {0, 1 / (1 + p[0] * p[0])};
    sal_normal_add(a, &quadratic, 1, 2, r, &(sal_slopes){J, 0, 1, G});
    return SAL_OK;
}

static void add(void *ctx, int member, double *out, const double *x, const double *d)
{
    (void)ctx, (void)member;
    out[0] = x[0] + d[0];
}

static void a_refused_step_of_the_shared_is_no_end(void)
{
    const sal_member member = {1, 1, 1, 0};
    const sal_joint_nls nls = {.nmember = 1,
                               .member = &member,
                               .nshared = 1,
                               .retract = add,
                               .value = value_of_atan,
                               .linearise = slope_of_atan};
    double x = 0, p = 10;
    sal_err err;
    sal_joint *j = NULL;
    sal_joint_stage stage;
    sal_joint_result found = {0};
    sal_joint_stage_defaults(&stage);
    stage.maxiter = 60;
    stage.tolerance = 1e-6;
    stage.cap_p = 1e6;
    CHECK_OK(sal_joint_new(&j, &nls, 1, &err), err);
    CHECK_OK(sal_joint_minimise(j, &x, &p, &stage, &found, &err), err);
    CHECK(found.refused >= 3 && found.stop == SAL_STOP_CONVERGED);
    CHECK_NEAR(p, 0, 1e-6);
    printf("     %d linearisations, p = %.1e\n", found.linearisations, p);
    sal_joint_free(j);
}

int main(void)
{
    RUN(a_refused_step_of_the_shared_is_no_end);
    return check_done();
}
