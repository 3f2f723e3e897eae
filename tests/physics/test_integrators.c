/* Steps in time: the derivative of forces by velocity against differences, one step of each integrator against libmujoco, the inverse of a
 * step, what Runge-Kutta keeps of the energy, and what happens when a simulation runs away. */
#include "tests/check.h"
#include "tests/physics/oracle.h"

#include "physics/slope.h"
#include "physics/stages.h"

enum { STATES = 12, NMAX = 128 };

static const char *const models[] = {"models/dmc_walker.xml",
                                     "models/dmc_humanoid.xml",
                                     "models/mj222_humanoid.xml",
                                     "models/gym_half_cheetah.xml",
                                     "models/dmctest_arm.xml",
                                     "models/mjtest_damped_actuators.xml",
                                     "models/mpc_walker_222.xml",
                                     "models/mj222_damper.xml",
                                     "models/dmc_quadruped.xml",
                                     "models/men_cassie.xml",
                                     "models/mj222_weld.xml",
                                     "models/dmc_ball_in_cup.xml",
                                     "reference/vectors/02_freebox_elliptic.xml",
                                     "reference/vectors/05_ball_limit_friction.xml",
                                     "reference/vectors/07_tendon_wrap.xml"};
enum { MODELS = sizeof models / sizeof *models };

/* Calls test on every model that both engines take, solver tolerance 0. */
static void each_model(void (*test)(oracle *o, const char *name))
{
    int taken = 0;
    for (int i = 0; i < MODELS; i++) {
        const char *path = check_corpus(models[i]);
        oracle o;
        char why[512];
        if (path == NULL) {
            SKIP("no corpus");
        }
        if (!oracle_open(&o, path, why)) {
            printf("     %s: left out, %s\n", models[i], why);
            continue;
        }
        o.mjm->opt.tolerance = o.m->opt.tolerance = 0;
        o.mjm->opt.iterations = o.m->opt.iterations = 300;
        o.mjm->opt.solver = mjSOL_NEWTON;
        test(&o, models[i]);
        taken++;
        oracle_close(&o);
    }
    CHECK(taken >= 10);
}

/* ---- the derivative by velocity ---- */

/* passive + actuator - c at the velocity of the data */
static void forces(oracle *o, double *f)
{
    sal_velocity(o->m, o->d);
    sal_actuation(o->m, o->d);
    for (int i = 0; i < o->m->nv; i++) {
        f[i] = o->d->qfrc_passive[i] + o->d->qfrc_actuator[i] - o->d->qfrc_bias[i];
    }
}

static bool above(const sal_model *m, int i, int j)
{
    while (i >= 0 && i != j) {
        i = m->dof_parentid[i];
    }
    return i == j;
}

static double entry(const sal_model *m, const double *packed, int i, int j)
{
    const sal_row row = sal_row_of(m, i);
    for (int k = 0; k < row.n; k++) {
        if (sal_row_dof(row, k) == j) {
            return packed[row.adr + k];
        }
    }
    return 0;
}

static double lower[NMAX * NMAX], upper[NMAX * NMAX], dense[NMAX * NMAX];

static void fill_dense(const sal_model *m, sal_slope D)
{
    for (int i = 0; i < m->nv; i++) {
        for (int j = 0; j < m->nv; j++) {
            dense[i * m->nv + j] =
                above(m, i, j) ? entry(m, D.lower, i, j) : entry(m, D.upper, j, i);
        }
    }
}

static void derivative_is_a_limit(oracle *o, const char *name)
{
    const sal_model *m = o->m;
    const sal_slope D = {lower, upper};
    double plus[NMAX], minus[NMAX], worst = 0, scale = 1;
    const double eps =
        1e-4; /* the forces are quadratic in v, but for muscles and clamps: differences are exact */
    sal_err err;
    o->m->opt.viscosity = o->m->opt.density = 0;
    for (int k = 0; k < STATES; k++) {
        oracle_state(o, k, 0.5);
        for (int i = 0; i < m->nu; i++) { /* clamped, it has another slope */
            const double *range = m->actuator_ctrlrange + 2 * i;
            o->d->ctrl[i] =
                m->actuator_ctrllimited[i] ? 0.9 * range[0] + 0.1 * range[1] : o->d->ctrl[i];
        }
        if (sal_position(m, o->d, &err) != SAL_OK) {
            continue;
        }
        forces(o, plus);
        sal_velocity_slope(m, o->d, D, SAL_SLOPE_FULL);
        fill_dense(m, D);
        for (int j = 0; j < m->nv; j++) {
            const double v = o->d->qvel[j];
            o->d->qvel[j] = v + eps;
            forces(o, plus);
            o->d->qvel[j] = v - eps;
            forces(o, minus);
            o->d->qvel[j] = v;
            for (int i = 0; i < m->nv; i++) {
                const double slope = (plus[i] - minus[i]) / (2 * eps);
                scale = fmax(scale, fabs(slope));
                if (above(m, i, j) || above(m, j, i)) {
                    worst = fmax(worst, fabs(slope - dense[i * m->nv + j]));
                }
            }
        }
    }
    if (!(worst <= 1e-8 * scale)) {
        printf("%s: off by %g of %g\n", name, worst, scale);
    }
    CHECK(worst <= 1e-8 * scale);
}

static void slopes_are_those_of_the_forces(void)
{
    each_model(derivative_is_a_limit);
}

/* ---- one step ---- */

static void same_step(oracle *o, const char *name, int integrator, int theirs)
{
    double worst = 0;
    sal_err err;
    int states = 0;
    o->m->opt.integrator = integrator;
    o->mjm->opt.integrator = theirs;
    for (int k = 0; k < STATES; k++) {
        oracle_state(o, k, 0.1 * (1 + k % 3));
        memset(o->d->qacc_warmstart, 0, (size_t)o->m->nv * sizeof(double));
        memset(o->mjd->qacc_warmstart, 0, (size_t)o->m->nv * sizeof(double));
        if (sal_position(o->m, o->d, &err) != SAL_OK) {
            continue;
        }
        CHECK_OK(sal_step(o->m, o->d, &err), err);
        mj_step(o->mjm, o->mjd);
        if (oracle_judged_elsewhere(o)) {
            continue;
        }
        worst = fmax(worst, oracle_error(o->d->qpos, o->mjd->qpos, o->m->nq));
        worst = fmax(worst, oracle_error(o->d->qvel, o->mjd->qvel, o->m->nv));
        states++;
    }
    printf("     %-46s integrator %d, %2d states: %.0e\n", name, integrator, states, worst);
    CHECK(worst <= 1e-8);
}

static void same_steps(oracle *o, const char *name)
{
    same_step(o, name, SAL_INT_EULER, mjINT_EULER);
    same_step(o, name, SAL_INT_RK4, mjINT_RK4);
    same_step(o, name, SAL_INT_IMPLICIT, mjINT_IMPLICIT);
}

static void steps_are_those_of_libmujoco(void)
{
    each_model(same_steps);
}

/* ---- the inverse of a step ---- */

static double largest(const double *a, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(a[i]));
    }
    return most;
}

static void undone(oracle *o, const char *name)
{
    double tau[NMAX], before[NMAX], a[NMAX], worst = 0;
    sal_err err;
    o->m->compat222 = false;
    for (int k = 0; k < 3 * STATES; k++) {
        sal_data *d = o->d;
        const int integrator = k % 3 == 0   ? SAL_INT_EULER
                               : k % 3 == 1 ? SAL_INT_IMPLICIT
                                            : SAL_INT_IMPLICITFAST;
        o->m->opt.integrator = integrator;
        oracle_state(o, k, 0.1 * (1 + k % 4));
        if (sal_position(o->m, d, &err) != SAL_OK) {
            continue;
        }
        memcpy(before, d->qvel, (size_t)o->m->nv * sizeof *before);
        CHECK_OK(sal_forward(o->m, d, &err), err);
        sal_discrete_acceleration(o->m, d, a);
        for (int i = 0; i < o->m->nv; i++) {
            tau[i] = d->qfrc_smooth[i] - d->qfrc_passive[i] + d->qfrc_bias[i];
        }
        const double scale = 1 + largest(d->qfrc_constraint, o->m->nv) +
                             largest(d->qfrc_bias, o->m->nv) + largest(d->efc_force, d->nefc);
        CHECK_OK(sal_inverse_discrete(o->m, d, a, &err), err);
        for (int i = 0; i < o->m->nv; i++) {
            worst = fmax(worst, fabs(d->qfrc_inverse[i] - tau[i]) / scale);
        }
    }
    o->m->compat222 = true;
    if (!(worst <= 1e-9)) {
        printf("%s: off by %g\n", name, worst);
    }
    CHECK(worst <= 1e-9);
}

static void discrete_inverse_undoes_each_integrator(void)
{
    each_model(undone);
}

int main(void)
{
    RUN(slopes_are_those_of_the_forces);
    RUN(steps_are_those_of_libmujoco);
    RUN(discrete_inverse_undoes_each_integrator);
    return check_done();
}
