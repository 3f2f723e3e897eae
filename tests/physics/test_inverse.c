/* The inverse as a whole: it undoes the forward dynamics and the step, reads what it says it reads,
 * and allocates nothing. */
#include "tests/check.h"
#include "tests/physics/oracle.h"

enum { NSTATE = 30, NMAX = 32 };

/* A state near the ground: the leg's end touches it. */
static void low_state(oracle *o, int k)
{
    oracle_state(o, k, 0.3);
    o->d->qpos[2] = 0.42 + 0.002 * k; /* the trunk's height */
}

static void inverse_undoes_forward(void)
{
    oracle o;
    int contacts = 0;
    oracle_open_own(&o, "tree");
    o.m->opt.tolerance = 0, o.m->opt.iterations = 100;
    for (int k = 0; k < NSTATE; k++) {
        sal_err err = {SAL_OK, ""};
        double tau[NMAX];
        low_state(&o, k);
        for (int i = 0; i < o.m->nv; i++) {
            o.d->qfrc_applied[i] = o.d->qacc[i];
        }
        CHECK_OK(sal_forward(o.m, o.d, &err), err);
        for (int i = 0; i < o.m->nv; i++) {
            tau[i] = o.d->qfrc_applied[i] + o.d->qfrc_actuator[i];
        }
        contacts += o.d->ncon;
        CHECK_OK(sal_inverse(o.m, o.d, &err), err);
        CHECK(oracle_error(o.d->qfrc_inverse, tau, o.m->nv) <= 1e-8);
    }
    printf("%d contacts in %d states\n", contacts, NSTATE);
    CHECK(contacts > NSTATE / 2);
    oracle_close(&o);
}

/* v' = v + h a' under the force the discrete inverse asks for, damping implicit. */
static void discrete_inverse_undoes_the_step(void)
{
    oracle o;
    oracle_open_own(&o, "tree");
    o.m->opt.tolerance = 0, o.m->opt.iterations = 100;
    for (int k = 0; k < NSTATE; k++) {
        sal_err err = {SAL_OK, ""};
        double want[NMAX], v[NMAX];
        low_state(&o, k);
        memset(o.d->ctrl, 0, (size_t)o.m->nu * sizeof(double));
        o.m->opt.disable = SAL_DSBL_ACTUATION | (k % 3 == 0 ? SAL_DSBL_EULERDAMP : 0);
        o.m->mujoco = k % 2 == 0 ? SAL_MUJOCO_222 : SAL_MUJOCO_314;
        memcpy(want, o.d->qacc, sizeof want[0] * (size_t)o.m->nv);
        memcpy(v, o.d->qvel, sizeof v[0] * (size_t)o.m->nv);
        CHECK_OK(sal_position(o.m, o.d, &err), err);
        sal_velocity(o.m, o.d);
        CHECK_OK(sal_inverse_discrete(o.m, o.d, want, &err), err);
        memcpy(o.d->qfrc_applied, o.d->qfrc_inverse, sizeof want[0] * (size_t)o.m->nv);
        CHECK_OK(sal_inverse_discrete(o.m, o.d, want, &err), err); /* M is factored by now */
        CHECK(memcmp(o.d->qfrc_applied, o.d->qfrc_inverse, sizeof want[0] * (size_t)o.m->nv) == 0);
        CHECK_OK(sal_step(o.m, o.d, &err), err);
        for (int i = 0; i < o.m->nv; i++) {
            CHECK_NEAR(o.d->qvel[i], v[i] + o.m->opt.timestep * want[i], 1e-11);
        }
    }
    oracle_close(&o);
}

static void discrete_inverse_refuses_runge_kutta(void)
{
    oracle o;
    sal_err err = {SAL_OK, ""};
    oracle_open_own(&o, "tree");
    o.m->opt.integrator = SAL_INT_RK4;
    CHECK(sal_inverse_discrete(o.m, o.d, o.d->qacc, &err) == SAL_UNSUPPORTED);
    CHECK(strstr(err.message, "Euler") != NULL);
    oracle_close(&o);
}

/* The stages taken one by one, repeated from any stage, give the same last digit as the whole. */
static void stages_can_be_repeated(void)
{
    oracle o;
    sal_err err = {SAL_OK, ""};
    double whole[NMAX];
    oracle_open_own(&o, "tree");
    low_state(&o, 7);
    CHECK_OK(sal_inverse(o.m, o.d, &err), err);
    memcpy(whole, o.d->qfrc_inverse, sizeof whole[0] * (size_t)o.m->nv);
    sal_inverse_acceleration(o.m, o.d);
    CHECK(memcmp(whole, o.d->qfrc_inverse, sizeof whole[0] * (size_t)o.m->nv) == 0);
    sal_velocity(o.m, o.d);
    sal_inverse_acceleration(o.m, o.d);
    CHECK(memcmp(whole, o.d->qfrc_inverse, sizeof whole[0] * (size_t)o.m->nv) == 0);
    oracle_close(&o);
}

/* Positions are read through normalised copies; with the switch, qpos itself is normalised as 2.2.2
 * does. */
static void quaternions_need_not_be_unit(void)
{
    oracle o;
    sal_err err = {SAL_OK, ""};
    double unit[NMAX];
    oracle_open_own(&o, "tree");
    low_state(&o, 3);
    o.m->mujoco = SAL_MUJOCO_314;
    CHECK_OK(sal_inverse(o.m, o.d, &err), err);
    memcpy(unit, o.d->qfrc_inverse, sizeof unit[0] * (size_t)o.m->nv);
    for (int i = 3; i < 11; i++) { /* the free joint's quaternion and the ball's */
        o.d->qpos[i] *= 1.5;
    }
    const double w = o.d->qpos[3];
    CHECK_OK(sal_inverse(o.m, o.d, &err), err);
    CHECK(oracle_error(o.d->qfrc_inverse, unit, o.m->nv) <= 1e-12);
    CHECK_NEAR(o.d->qpos[3], w, 0);
    o.m->mujoco = SAL_MUJOCO_222;
    CHECK_OK(sal_inverse(o.m, o.d, &err), err);
    CHECK(oracle_error(o.d->qfrc_inverse, unit, o.m->nv) <= 1e-12);
    CHECK_NEAR(o.d->qpos[3], w / 1.5, 1e-15);
    oracle_close(&o);
}

static void evaluations_do_not_allocate(void)
{
    oracle o;
    sal_err err = {SAL_OK, ""};
    oracle_open_own(&o, "tree");
    const long before = sal_alloc_count();
    for (int k = 0; k < 100; k++) {
        low_state(&o, k);
        CHECK_OK(sal_inverse(o.m, o.d, &err), err);
        CHECK_OK(sal_inverse_discrete(o.m, o.d, o.d->qacc, &err), err);
        sal_actuation(o.m, o.d);
        CHECK(o.d->arena.used == 0);
    }
    CHECK(sal_alloc_count() == before);
    oracle_close(&o);
}

int main(void)
{
    RUN(inverse_undoes_forward);
    RUN(discrete_inverse_undoes_the_step);
    RUN(discrete_inverse_refuses_runge_kutta);
    RUN(stages_can_be_repeated);
    RUN(quaternions_need_not_be_unit);
    RUN(evaluations_do_not_allocate);
    return check_done();
}
