/* Steps in time: the derivative of forces by velocity against differences, one step of each
 * integrator against libmujoco, the inverse of a step, what Runge-Kutta keeps of the energy, and
 * what happens when a simulation runs away. */
#include "tests/check.h"
#include "tests/physics/oracle.h"

#include "physics/implicit/slope.h"
#include "physics/stages.h"

#include <unistd.h>

enum { STATES = 12, NMAX = 128 };

static const char *const models[] = {"models/dmc_walker.xml",
                                     "models/dmc_humanoid.xml",
                                     "models/mj222_humanoid.xml",
                                     "models/gym_half_cheetah.xml",
                                     "models/dmctest_arm.xml",
                                     "models/mjtest_damped_actuators.xml",
                                     "models/mpc_walker_222.xml",
                                     "models/mj222_damper.xml",
                                     "models/gym_ant.xml",
                                     "models/men_cassie.xml",
                                     "models/mj222_weld.xml",
                                     "models/dmc_ball_in_cup.xml",
                                     "models/mj_arm26.xml",
                                     "models/dmc_swimmer.xml",
                                     "models/mjw_slidercrank.xml",
                                     "models/mjtest_activation.xml",
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
        oracle_exact(&o);
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
    const phy_row row = phy_row_of(m, i);
    for (int k = 0; k < row.n; k++) {
        if (phy_row_dof(row, k) == j) {
            return packed[row.adr + k];
        }
    }
    return 0;
}

static double lower[NMAX * NMAX], upper[NMAX * NMAX], dense[NMAX * NMAX];

static void fill_dense(const sal_model *m, phy_slope D)
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
    const phy_slope D = {lower, upper};
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
        phy_velocity_slope(m, o->d, D, PHY_SLOPE_FULL);
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

/* max_r D_r sum_k |J_rk a_k|: what rounding of the rows' forces is relative to, which of stiff rows
 * is more than the forces themselves */
static double largest_product(const sal_data *d, const double *a)
{
    double most = 0;
    for (int row = 0; row < d->nefc; row++) {
        double sum = 0;
        for (int k = d->efc_J_rowadr[row]; k < d->efc_J_rowadr[row] + d->efc_J_rownnz[row]; k++) {
            sum += fabs(d->efc_J[k] * a[d->efc_J_colind[k]]);
        }
        most = fmax(most, d->efc_D[row] * sum);
    }
    return most;
}

static void undone(oracle *o, const char *name)
{
    double tau[NMAX], before[NMAX], a[NMAX], worst = 0;
    sal_err err;
    o->m->mujoco = SAL_MUJOCO_314;
    for (int k = 0; k < 4 * STATES; k++) {
        static const int integrator[] = {SAL_INT_EULER, SAL_INT_IMPLICIT, SAL_INT_IMPLICITFAST,
                                         SAL_INT_DISCRETE};
        sal_data *d = o->d;
        o->m->opt.integrator = integrator[k % 4];
        if (phy_step_metric_refusal(o->m, &err) != SAL_OK) {
            continue;
        }
        oracle_state(o, k, 0.1 * (1 + k / 4 % 4));
        if (sal_position(o->m, d, &err) != SAL_OK) {
            continue;
        }
        memcpy(before, d->qvel, (size_t)o->m->nv * sizeof *before);
        CHECK_OK(sal_forward(o->m, d, &err), err);
        phy_discrete_acceleration(o->m, d, a);
        for (int i = 0; i < o->m->nv; i++) {
            tau[i] = d->qfrc_smooth[i] - d->qfrc_passive[i] + d->qfrc_bias[i];
            tau[i] += phy_has_step_metric(o->m) ? d->step_bias[i] : 0;
        }
        const double scale = 1 + largest(d->qfrc_constraint, o->m->nv) +
                             largest(d->qfrc_bias, o->m->nv) + largest(d->efc_force, d->nefc) +
                             largest_product(d, a);
        CHECK_OK(sal_inverse_discrete(o->m, d, a, &err), err);
        for (int i = 0; i < o->m->nv; i++) {
            worst = fmax(worst, fabs(d->qfrc_inverse[i] - tau[i]) / scale);
        }
    }
    o->m->mujoco = SAL_MUJOCO_222;
    if (!(worst <= 1e-11)) {
        printf("%s: off by %g\n", name, worst);
    }
    CHECK(worst <= 1e-11);
}

static void discrete_inverse_undoes_each_integrator(void)
{
    each_model(undone);
}

/* ---- energy ---- */

/* Five links of a chain, no friction, through the air: nothing takes energy away. */
static const char *const chain =
    "<mujoco><option timestep='0.002' integrator='RK4'><flag "
    "contact='disable'/></option><worldbody>"
    "<body><joint axis='0 1 0'/><geom type='capsule' size='.02' fromto='0 0 0 .3 0 0' mass='1'/>"
    "<body pos='.3 0 0'><joint axis='0 1 0'/><geom type='capsule' size='.02' fromto='0 0 0 .3 0 0' "
    "mass='1'/>"
    "<body pos='.3 0 0'><joint type='ball'/><geom type='capsule' size='.02' fromto='0 0 0 .3 0 0' "
    "mass='1'/>"
    "<body pos='.3 0 0'><joint axis='0 0 1'/><geom type='capsule' size='.02' fromto='0 0 0 .3 0 0' "
    "mass='1'/>"
    "</body></body></body></body></worldbody></mujoco>";

/* v' M v / 2 - sum m g . x */
static double energy_of(const mjModel *m, mjData *d)
{
    mj_forward(m, d);
    return d->energy[0] + d->energy[1];
}

static void runge_kutta_keeps_energy_as_well_as_libmujoco(void)
{
    oracle o;
    char why[512], path[] = "/tmp/saltus-chain-XXXXXX";
    sal_err err;
    double drift[2] = {0, 0};
    const int file = mkstemp(path);
    CHECK(file >= 0 && write(file, chain, strlen(chain)) == (ssize_t)strlen(chain));
    close(file);
    if (!oracle_open(&o, path, why)) {
        printf("%s\n", why);
        CHECK(false);
        remove(path);
        return;
    }
    mjData *ours = mj_makeData(o.mjm);
    o.mjm->opt.enableflags |= mjENBL_ENERGY;
    const double begin = energy_of(o.mjm, ours);
    for (int k = 0; k < 2000; k++) {
        CHECK_OK(sal_step(o.m, o.d, &err), err);
        mj_step(o.mjm, o.mjd);
        memcpy(ours->qpos, o.d->qpos, (size_t)o.m->nq * sizeof(double));
        memcpy(ours->qvel, o.d->qvel, (size_t)o.m->nv * sizeof(double));
        drift[0] = fmax(drift[0], fabs(energy_of(o.mjm, ours) - begin));
        memcpy(ours->qpos, o.mjd->qpos, (size_t)o.m->nq * sizeof(double));
        memcpy(ours->qvel, o.mjd->qvel, (size_t)o.m->nv * sizeof(double));
        drift[1] = fmax(drift[1], fabs(energy_of(o.mjm, ours) - begin));
    }
    printf("     energy of a falling chain, 4 s: off by %.3e J, libmujoco's by %.3e J\n", drift[0],
           drift[1]);
    CHECK(drift[0] <= 1.01 * drift[1] && drift[0] > 0 && drift[0] < 0.1);
    mj_deleteData(ours);
    oracle_close(&o);
    remove(path);
}

/* ---- callbacks ---- */

typedef struct calls {
    int passive, control;
    double last;
} calls;

static void push(const sal_model *m, sal_data *d, void *user)
{
    calls *c = user;
    (void)m;
    d->qfrc_passive[1] += -3 * d->qpos[1];
    c->passive++;
}

static void steer(const sal_model *m, sal_data *d, void *user)
{
    calls *c = user;
    for (int i = 0; i < m->nu; i++) {
        d->ctrl[i] = 0.1 * d->time;
    }
    c->last = d->time;
    c->control++;
}

static void callbacks_add_forces_and_controls(void)
{
    oracle o;
    calls c = {0};
    sal_err err;
    double plain[NMAX], with;
    oracle_open_own(&o, "tree");
    o.m->opt.tolerance = 0;
    oracle_state(&o, 3, 0.3);
    CHECK_OK(sal_inverse(o.m, o.d, &err), err);
    memcpy(plain, o.d->qfrc_inverse, (size_t)o.m->nv * sizeof(double));
    o.d->callback = (sal_callback){.passive = push, .control = steer, .user = &c};
    CHECK_OK(sal_inverse(o.m, o.d, &err), err);
    with = o.d->qfrc_inverse[1];
    CHECK_NEAR(with, plain[1] + 3 * o.d->qpos[1], 1e-12 * fabs(plain[1]));
    CHECK(c.passive == 1 && c.control == 0);
    CHECK_OK(sal_step(o.m, o.d, &err), err);
    CHECK(c.passive == 2 && c.control == 1);
    CHECK_NEAR(o.d->ctrl[0], 0, 0);
    o.m->opt.integrator = SAL_INT_RK4;
    CHECK_OK(sal_step(o.m, o.d, &err), err);
    CHECK(c.passive == 6 && c.control == 5);
    CHECK_NEAR(c.last, 2 * o.m->opt.timestep, 1e-15); /* the last stage sees the end of the step */
    sal_data_reset(o.m, o.d);
    CHECK(o.d->callback.control == steer);
    oracle_close(&o);
}

/* ---- what goes wrong, and what must not ---- */

static void divergence_leaves_the_state(void)
{
    static const int kinds[] = {SAL_INT_EULER, SAL_INT_RK4, SAL_INT_IMPLICIT, SAL_INT_IMPLICITFAST};
    oracle o;
    oracle_open_own(&o, "tree");
    for (int i = 0; i < 4; i++) {
        sal_err err = {SAL_OK, ""};
        double q[NMAX], v[NMAX];
        o.m->opt.integrator = kinds[i];
        oracle_state(&o, 1, 0.1);
        o.d->time = 0.5;
        memcpy(q, o.d->qpos, (size_t)o.m->nq * sizeof *q);
        memcpy(v, o.d->qvel, (size_t)o.m->nv * sizeof *v);
        o.d->qfrc_applied[6] = 1e14;
        CHECK(sal_step(o.m, o.d, &err) == SAL_DIVERGED);
        CHECK(strstr(err.message, "of joint '") != NULL &&
              strstr(err.message, "time 0.5 s") != NULL);
        CHECK(memcmp(q, o.d->qpos, (size_t)o.m->nq * sizeof *q) == 0);
        CHECK(memcmp(v, o.d->qvel, (size_t)o.m->nv * sizeof *v) == 0);
        CHECK_NEAR(o.d->time, 0.5, 0);
        o.d->qfrc_applied[6] = 0;
        CHECK_OK(sal_step(o.m, o.d, &err), err);
        CHECK(o.d->arena.used == 0);
    }
    oracle_close(&o);
}

static void steps_allocate_nothing_and_repeat(oracle *o, const char *name)
{
    static const int kinds[] = {SAL_INT_EULER, SAL_INT_RK4, SAL_INT_IMPLICIT, SAL_INT_IMPLICITFAST};
    sal_err err;
    (void)name;
    for (int i = 0; i < 4; i++) {
        double end[2][2 * NMAX], difference[2];
        o->m->opt.integrator = kinds[i];
        for (int twice = 0; twice < 2; twice++) {
            sal_data_reset(o->m, o->d);
            const long before = sal_alloc_count();
            for (int k = 0; k < 20; k++) {
                if (sal_step(o->m, o->d, &err) == SAL_OK) {
                    sal_compare_forward_inverse(o->m, o->d, difference);
                }
                CHECK(o->d->arena.used == 0);
            }
            CHECK(sal_alloc_count() == before);
            memcpy(end[twice], o->d->qpos, (size_t)o->m->nq * sizeof(double));
            memcpy(end[twice] + o->m->nq, o->d->qvel, (size_t)o->m->nv * sizeof(double));
        }
        CHECK(memcmp(end[0], end[1], (size_t)(o->m->nq + o->m->nv) * sizeof(double)) == 0);
    }
}

static void stepping_allocates_nothing_and_is_repeatable(void)
{
    each_model(steps_allocate_nothing_and_repeat);
}

/* What the solver leaves undone shows in the second number, as in libmujoco's fwdinv; the data
 * stays as it was. */
static void discrepancy_is_what_the_solver_left(oracle *o, const char *name)
{
    double difference[2], tau[NMAX];
    sal_err err;
    for (int k = 0; k < STATES; k++) {
        o->m->opt.iterations = k % 2 == 0 ? 300 : 1;
        oracle_state(o, k, 0.1 * (1 + k % 4));
        memset(o->d->qacc_warmstart, 0, (size_t)o->m->nv * sizeof(double));
        if (sal_forward(o->m, o->d, &err) != SAL_OK) {
            continue;
        }
        memcpy(tau, o->d->qfrc_constraint, (size_t)o->m->nv * sizeof *tau);
        sal_compare_forward_inverse(o->m, o->d, difference);
        CHECK(memcmp(tau, o->d->qfrc_constraint, (size_t)o->m->nv * sizeof *tau) == 0);
        const double scale = 1 + largest(o->d->qfrc_constraint, o->m->nv) +
                             largest(o->d->efc_force, o->d->nefc) +
                             largest(o->d->qfrc_bias, o->m->nv);
        const double left = o->d->solver_gradient * o->m->meaninertia * o->m->nv;
        CHECK(difference[0] <= 1e-9 * scale);
        if (o->d->solver_converged) {
            CHECK(difference[1] <= 1e-8 * scale);
        } else { /* the solver's number is the largest entry, this one the norm */
            const double rounding = 1e-14 * scale;
            CHECK(difference[1] >= 0.9 * left - rounding &&
                  difference[1] <= 1.1 * left * sqrt(o->m->nv) + rounding);
        }
    }
    (void)name;
}

static void fwdinv_tells_what_the_solver_left(void)
{
    each_model(discrepancy_is_what_the_solver_left);
}

int main(void)
{
    RUN(slopes_are_those_of_the_forces);
    RUN(steps_are_those_of_libmujoco);
    RUN(discrete_inverse_undoes_each_integrator);
    RUN(runge_kutta_keeps_energy_as_well_as_libmujoco);
    RUN(callbacks_add_forces_and_controls);
    RUN(divergence_leaves_the_state);
    RUN(stepping_allocates_nothing_and_is_repeatable);
    RUN(fwdinv_tells_what_the_solver_left);
    return check_done();
}
