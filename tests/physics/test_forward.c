/* The forward direction: against libmujoco's Newton solver, against our own inverse, and what it
 * promises by itself. */
#include "tests/check.h"
#include "tests/physics/oracle.h"

#include "base/house.h"
#include "mjcf/mjcf.h"
#include "physics/constraint.h"
#include "physics/contact_law.h"

enum { STATES = 40 };

static const char *const models[] = {"models/dmc_walker.xml",
                                     "models/dmc_hopper.xml",
                                     "models/dmc_humanoid.xml",
                                     "models/mj222_humanoid.xml",
                                     "models/gym_half_cheetah.xml",
                                     "models/gym_ant.xml",
                                     "models/dmctest_arm.xml",
                                     "models/gym_pusher.xml",
                                     "models/brax_capsule.xml",
                                     "reference/vectors/02_freebox_elliptic.xml",
                                     "reference/vectors/03_capsule_plane_condim.xml",
                                     "reference/vectors/05_ball_limit_friction.xml",
                                     "reference/vectors/06_equality.xml",
                                     "reference/vectors/07_tendon_wrap.xml",
                                     "models/men_cassie.xml",
                                     "models/mj222_weld.xml",
                                     "models/mjtest_connect_multiple_constraints.xml",
                                     "models/mjx_tendon_pulley_site_wrap.xml",
                                     "models/dmc_ball_in_cup.xml"};
enum { MODELS = sizeof models / sizeof *models };

/* Calls test on every model, with both cones, tolerance 0. */
static void each_model(void (*test)(oracle *o, const char *name))
{
    for (int i = 0; i < MODELS; i++) {
        const char *path = check_corpus(models[i]);
        oracle o;
        char why[512];
        if (path == NULL) {
            SKIP("no corpus");
        }
        if (!oracle_open(&o, path, why)) {
            printf("%s\n", why);
            CHECK(false);
            continue;
        }
        oracle_exact(&o);
        o.mjm->opt.integrator = mjINT_EULER;
        o.m->opt.integrator = SAL_INT_EULER;
        if (strstr(models[i], "06_equality") != NULL) { /* its capsule lies in its box */
            o.m->opt.disable |= SAL_DSBL_CONTACT;
            o.mjm->opt.disableflags |= mjDSBL_CONTACT;
        }
        for (int cone = 0; cone < 2; cone++) {
            o.mjm->opt.cone = o.m->opt.cone = cone;
            test(&o, models[i]);
        }
        oracle_close(&o);
    }
}

/* A random state with random forces on dofs and bodies; false if contacts make it impossible. */
static bool loaded_state(oracle *o, int k)
{
    sal_rng rng = {(uint64_t)(1000 + k)};
    sal_err err;
    oracle_state(o, k, 0.1 * (1 + k % 4));
    for (int i = 0; i < o->m->nv; i++) {
        o->d->qfrc_applied[i] = o->mjd->qfrc_applied[i] = sal_rng_uniform(&rng, -1, 1);
    }
    for (int i = 6; i < 6 * o->m->nbody; i++) {
        o->d->xfrc_applied[i] = o->mjd->xfrc_applied[i] = sal_rng_uniform(&rng, -1, 1);
    }
    memset(o->d->qacc_warmstart, 0, (size_t)o->m->nv * sizeof(double));
    memset(o->mjd->qacc_warmstart, 0, (size_t)o->m->nv * sizeof(double));
    return sal_position(o->m, o->d, &err) == SAL_OK;
}

static void as_libmujoco(oracle *o, const char *name)
{
    double smooth = 0, acceleration = 0, force = 0, gradient = 0;
    int most = 0, states = 0, touching = 0, sum = 0;
    sal_err err;
    for (int k = 0; k < STATES; k++) {
        if (!loaded_state(o, k)) {
            continue;
        }
        CHECK_OK(sal_forward(o->m, o->d, &err), err);
        for (int again = 0; again < 3; again++) {
            mj_forward(o->mjm, o->mjd);
        }
        states++;
        touching += o->d->nefc > 0;
        sum += o->d->solver_iterations;
        most = o->d->solver_iterations > most ? o->d->solver_iterations : most;
        smooth = fmax(smooth, oracle_error(o->d->qacc_smooth, o->mjd->qacc_smooth, o->m->nv));
        acceleration = fmax(acceleration, oracle_error(o->d->qacc, o->mjd->qacc, o->m->nv));
        force = fmax(force, oracle_error(o->d->efc_force, o->mjd->efc_force, o->d->nefc));
        gradient = fmax(gradient, o->d->solver_gradient);
    }
    printf(
        "     %-46s %2d states (%2d constrained): smooth %.0e qacc %.0e force %.0e gradient %.0e, "
        "iterations %.1f, most %d\n",
        name, states, touching, smooth, acceleration, force, gradient, (double)sum / states, most);
    CHECK(smooth <= 1e-10);
    CHECK(acceleration <= 1e-8);
    CHECK(force <= 1e-8);
    CHECK(most < 300);
}

static void forward_is_that_of_libmujoco(void)
{
    each_model(as_libmujoco);
}

/* applied + actuator + J'xfrc, which the inverse must return */
static void asked(const oracle *o, double *tau)
{
    const sal_data *d = o->d;
    for (int i = 0; i < o->m->nv; i++) {
        tau[i] = d->qfrc_smooth[i] - d->qfrc_passive[i] + d->qfrc_bias[i];
    }
}

static double largest(const double *a, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++) {
        most = fmax(most, fabs(a[i]));
    }
    return most;
}

/* Forces that balance each other to tau: the inverse cannot be more exact than their rounding. */
static double scale_of(const oracle *o)
{
    const sal_data *d = o->d;
    return 1 + largest(d->qfrc_constraint, o->m->nv) + largest(d->qfrc_bias, o->m->nv) +
           largest(d->efc_force, d->nefc);
}

/* With smoothing too: the solver minimises the smoothed potential. */
static void inverse_undoes(oracle *o, const char *name)
{
    double tau[256], worst = 0;
    sal_err err;
    for (int k = 0; k < STATES; k++) {
        o->m->opt.sigma = k % 2 ? 0 : 0.5;
        if (!loaded_state(o, k)) {
            continue;
        }
        CHECK_OK(sal_forward(o->m, o->d, &err), err);
        asked(o, tau);
        CHECK_OK(sal_inverse(o->m, o->d, &err), err);
        for (int i = 0; i < o->m->nv; i++) {
            worst = fmax(worst, fabs(o->d->qfrc_inverse[i] - tau[i]) / scale_of(o));
        }
    }
    o->m->opt.sigma = 0;
    if (!(worst <= 1e-9)) {
        printf("%s: off by %g\n", name, worst);
    }
    CHECK(worst <= 1e-9);
}

static void inverse_undoes_forward(void)
{
    each_model(inverse_undoes);
}

/* Step, then the inverse of the difference of velocities: the applied force again. */
static void step_is_undone(oracle *o, const char *name)
{
    double tau[256], start[256], acc[256], worst = 0;
    sal_err err;
    const double h = o->m->opt.timestep = 0.02;
    for (int k = 0; k < STATES; k++) {
        if (!loaded_state(o, k)) {
            continue;
        }
        memcpy(start, o->d->qvel, (size_t)o->m->nv * sizeof(double));
        CHECK_OK(sal_step(o->m, o->d, &err), err);
        asked(o, tau);
        for (int i = 0; i < o->m->nv; i++) {
            acc[i] = (o->d->qvel[i] - start[i]) / h;
        }
        CHECK_OK(sal_inverse_discrete(o->m, o->d, acc, &err), err);
        for (int i = 0; i < o->m->nv; i++) {
            worst = fmax(worst, fabs(o->d->qfrc_inverse[i] - tau[i]) / scale_of(o));
        }
    }
    /* the difference of velocities has lost eps |v| / h, which stiff contacts turn into force */
    if (!(worst <= 1e-8)) {
        printf("%s: off by %g\n", name, worst);
    }
    CHECK(worst <= 1e-8);
}

static void discrete_inverse_undoes_step(void)
{
    each_model(step_is_undone);
}

/* The other way round, as a result is replayed: a motion, the force it needs, and the step under
 * that force, with contacts as hard as a final motion has them and a step of 20 ms. The velocity
 * comes back. */
static void motion_is_replayed(oracle *o, const char *name)
{
    const double solref[2] = {0.05, 1}, solimp[5] = {0, 0.98, 0.005, 0.5, 2};
    double acc[256], wanted[256], worst = 0;
    sal_err err;
    const double h = o->m->opt.timestep = 0.02;
    o->m->opt.impratio = 10;
    for (int p = 0; p < o->m->npair; p++) {
        memcpy(o->m->pair_solref + 2 * p, solref, sizeof solref);
        memcpy(o->m->pair_solimp + 5 * p, solimp, sizeof solimp);
    }
    for (int k = 0; k < STATES; k++) {
        oracle_state(o, k, 0.1 * (1 + k % 4));
        memset(o->d->xfrc_applied, 0, 6 * (size_t)o->m->nbody * sizeof(double));
        memset(o->d->ctrl, 0, (size_t)o->m->nu * sizeof(double));
        memcpy(acc, o->d->qacc, (size_t)o->m->nv * sizeof(double));
        if (sal_position(o->m, o->d, &err) != SAL_OK) {
            continue;
        }
        sal_velocity(o->m, o->d);
        CHECK_OK(sal_inverse_discrete(o->m, o->d, acc, &err), err);
        sal_actuation(o->m, o->d);
        for (int i = 0; i < o->m->nv; i++) {
            wanted[i] = o->d->qvel[i] + h * acc[i];
            o->d->qfrc_applied[i] = o->d->qfrc_inverse[i] - o->d->qfrc_actuator[i];
        }
        CHECK_OK(sal_step(o->m, o->d, &err), err);
        for (int i = 0; i < o->m->nv; i++) {
            /* forces of 1e6 N between links of 40 g have a rounding of their own */
            worst = fmax(worst, fabs(o->d->qvel[i] - wanted[i]) / (1 + 1e-5 * scale_of(o)));
        }
    }
    if (!(worst <= 1e-9)) {
        printf("%s: velocities off by %g\n", name, worst);
    }
    CHECK(worst <= 1e-9);
}

static void replay_is_exact(void)
{
    each_model(motion_is_replayed);
}

static void same_steps(oracle *o, const char *name)
{
    sal_err err;
    for (int k = 0; k < STATES; k++) {
        if (!loaded_state(o, k)) {
            continue;
        }
        CHECK_OK(sal_step(o->m, o->d, &err), err);
        for (int again = 0; again < 3; again++) {
            mj_forward(o->mjm, o->mjd);
        }
        mj_Euler(o->mjm, o->mjd);
        const double q = oracle_error(o->d->qpos, o->mjd->qpos, o->m->nq);
        const double v = oracle_error(o->d->qvel, o->mjd->qvel, o->m->nv);
        if (!(q <= 1e-10 && v <= 1e-10)) {
            printf("%s: qpos off by %g, qvel by %g\n", name, q, v);
        }
        CHECK(q <= 1e-10 && v <= 1e-10);
    }
}

static void step_is_that_of_libmujoco(void)
{
    each_model(same_steps);
}

/* sum over contacts of J'(force on geom2 at the contact - the same on geom1) = the contacts' share
 * of J'f */
static void contact_forces_add_up(oracle *o, const char *name)
{
    double jac[2][6 * 64], sum[64];
    sal_err err;
    (void)name;
    o->m->opt.disable |= SAL_DSBL_EQUALITY | SAL_DSBL_LIMIT | SAL_DSBL_FRICTIONLOSS;
    const int nv = o->m->nv;
    for (int k = 0; k < STATES; k++) {
        if (!loaded_state(o, k)) {
            continue;
        }
        CHECK_OK(sal_inverse(o->m, o->d, &err), err);
        memset(sum, 0, sizeof sum);
        for (int c = 0; c < o->d->ncon; c++) {
            const sal_contact *contact = o->d->contact + c;
            double force[6], world[6];
            sal_contact_force(o->m, o->d, c, force);
            sal_m3_multv(world, contact->frame, force);
            sal_m3_multv(world + 3, contact->frame, force + 3);
            sal_jac(o->m, o->d, jac[0], jac[0] + 3 * nv, contact->pos,
                    o->m->geom_bodyid[contact->geom1]);
            sal_jac(o->m, o->d, jac[1], jac[1] + 3 * nv, contact->pos,
                    o->m->geom_bodyid[contact->geom2]);
            for (int i = 0; i < 6 * nv; i++) {
                sum[i % nv] += (jac[1][i] - jac[0][i]) * world[i / nv];
            }
        }
        for (int i = 0; i < nv; i++) {
            CHECK_NEAR(sum[i], o->d->qfrc_constraint[i], 1e-12 * scale_of(o));
        }
    }
    o->m->opt.disable &= ~(SAL_DSBL_LIMIT | SAL_DSBL_FRICTIONLOSS);
}

static void contact_forces_are_those_of_the_dofs(void)
{
    each_model(contact_forces_add_up);
}

/* The same to the last bit from the same state, and from any start to the accuracy of the
 * minimum. */
static void repeatable(oracle *o, const char *name)
{
    double first[256];
    sal_err err;
    for (int k = 0; k < STATES; k++) {
        if (!loaded_state(o, k)) {
            continue;
        }
        const size_t bytes = (size_t)o->m->nv * sizeof(double);
        CHECK_OK(sal_forward(o->m, o->d, &err), err);
        memcpy(first, o->d->qacc, bytes);
        memset(o->d->qacc_warmstart, 0, bytes);
        CHECK_OK(sal_forward(o->m, o->d, &err), err);
        CHECK(memcmp(first, o->d->qacc, bytes) == 0);
        memcpy(o->d->qacc_warmstart, first, bytes);
        CHECK_OK(sal_forward(o->m, o->d, &err), err);
        const double error = oracle_error(o->d->qacc, first, o->m->nv);
        if (!(error <= 1e-10)) {
            printf("%s: warm start moves qacc by %g\n", name, error);
        }
        CHECK(error <= 1e-10);
    }
}

static void solution_does_not_depend_on_the_start(void)
{
    each_model(repeatable);
}

static void nothing_allocated(oracle *o, const char *name)
{
    sal_err err;
    (void)name;
    const long before = sal_alloc_count();
    for (int k = 0; k < 100; k++) {
        oracle_state(o, k, 0.1);
        if (sal_step(o->m, o->d, &err) == SAL_OK) {
            CHECK_OK(sal_inverse(o->m, o->d, &err), err);
        }
        CHECK(o->d->arena.used == 0);
    }
    CHECK(sal_alloc_count() == before);
}

static void hot_path_allocates_nothing(void)
{
    each_model(nothing_allocated);
}

static void faults_are_reported(void)
{
    oracle o;
    char why[512];
    sal_err err;
    const char *path = check_corpus("models/dmc_walker.xml");
    if (path == NULL) {
        SKIP("no corpus");
    }
    CHECK(oracle_open(&o, path, why));
    o.d->qvel[3] = nan("");
    CHECK(sal_step(o.m, o.d, &err) == SAL_DIVERGED);
    CHECK(strstr(err.message, "qvel[3]") != NULL);
    oracle_state(&o, 1, 0.1);
    o.d->qfrc_applied[0] = nan("");
    CHECK(sal_step(o.m, o.d, &err) == SAL_DIVERGED);
    o.d->qfrc_applied[0] = 0;
    o.m->nefcmax = 1;
    int full = 0;
    for (int k = 0; k < 20; k++) {
        oracle_state(&o, k, 0.3);
        full += sal_step(o.m, o.d, &err) == SAL_FULL && strstr(err.message, "nefcmax") != NULL;
    }
    CHECK(full > 0);
    oracle_close(&o);
}

/* Bodies that turn about their centres of mass: their rows weigh 1e15 or more, beside which the
 * mass matrix is less than rounding errors. */
static void rows_may_weigh_more_than_all_masses(void)
{
    static const char xml[] =
        "<mujoco><option impratio='10' iterations='300'/><worldbody>"
        "<body><joint type='ball'/><geom type='box' size='.1 .13 .2'/></body>"
        "<body pos='.02 .03 .01'><joint type='ball'/><geom type='box' size='.2 .12 .1'/></body>"
        "</worldbody></mujoco>";
    for (int cone = 0; cone < 2; cone++) {
        sal_model *m;
        sal_data *d;
        sal_err err = {0};
        CHECK_OK(sal_model_parse(&m, "t.xml", xml, sizeof xml - 1, NULL, NULL, &err), err);
        CHECK_OK(sal_data_new(&d, m, &err), err);
        m->opt.cone = cone;
        for (int k = 0; k < 60; k++) {
            sal_data_reset(m, d);
            for (int i = 0; i < m->nv; i++) {
                d->qvel[i] = sin(1 + 3.7 * k + i);
            }
            sal_integrate_pos(m, d->qpos, m->qpos0, d->qvel, 0.2);
            CHECK_OK(sal_step(m, d, &err), err);
        }
        sal_data_free(d);
        sal_model_free(m);
    }
}

int main(void)
{
    RUN(forward_is_that_of_libmujoco);
    RUN(step_is_that_of_libmujoco);
    RUN(inverse_undoes_forward);
    RUN(discrete_inverse_undoes_step);
    RUN(replay_is_exact);
    RUN(contact_forces_are_those_of_the_dofs);
    RUN(solution_does_not_depend_on_the_start);
    RUN(hot_path_allocates_nothing);
    RUN(faults_are_reported);
    RUN(rows_may_weigh_more_than_all_masses);
    return check_done();
}
